// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives among groups of one device are identities; others are refused.
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Elementwise.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

static int64_t countDevices(Importer &importer) {
  int64_t count = 1;
  for (StringRef name : {"mhlo.num_replicas", "mhlo.num_partitions"})
    if (auto value = importer.getModule()->getAttrOfType<IntegerAttr>(name))
      count *= std::clamp<int64_t>(value.getValue().getSExtValue(), 1, 1 << 20);
  return count;
}

// Whether each group has one device. Empty groups mean all devices in one.
static bool hasSingletonGroups(Importer &importer, Operation &op) {
  auto groups = dyn_cast_or_null<DenseIntElementsAttr>(op.getAttr("replica_groups"));
  if (groups && groups.getType().getRank() == 2 && groups.getNumElements() > 0)
    return groups.getType().getDimSize(1) == 1;
  return countDevices(importer) == 1;
}

static LogicalResult collective(Importer &importer, Operation &op, TensorBuilder &) {
  if (!hasSingletonGroups(importer, op))
    return importer.unsupported(op, "the program is written for several devices, and distribution is not part of the import");
  if (op.getNumResults() != op.getNumOperands())
    return op.emitOpError() << "needs as many results as operands, got " << op.getNumResults() << " and " << op.getNumOperands();
  for (unsigned i = 0; i < op.getNumOperands(); ++i)
    importer.setParts(op, i, importer.operandParts(op, i));
  return success();
}

// A device that nobody sends to has zeros.
static LogicalResult permute(Importer &importer, Operation &op, TensorBuilder &b) {
  if (countDevices(importer) != 1)
    return importer.unsupported(op, "the program is written for several devices, and distribution is not part of the import");
  auto pairs = dyn_cast_or_null<DenseIntElementsAttr>(op.getAttr("source_target_pairs"));
  if (!pairs)
    return op.emitOpError() << "needs an attribute 'source_target_pairs' of integers, got " << op.getAttr("source_target_pairs");
  bool receives = pairs.getNumElements() > 0;
  importer.setParts(op, 0, mapParts(importer.operandParts(op, 0), [&](Value x) { return receives ? x : b.zeros(x.getType()); }));
  return success();
}

static LogicalResult deviceNumber(Importer &importer, Operation &op, TensorBuilder &b) {
  if (countDevices(importer) != 1)
    return importer.unsupported(op, "the program is written for several devices, and distribution is not part of the import");
  importer.setResult(op, b.zeros(importer.resultType(op)));
  return success();
}

void mlir::raf::stablehlo::addCollectiveHandlers(HandlerTable &table) {
  for (StringRef name : {"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "collective_broadcast"})
    table.add(("stablehlo." + name).str(), {collective, -1, -1, -1, Complex::handled});
  table.add("stablehlo.collective_permute", {permute, 1, 1, 0, Complex::handled});
  table.add("stablehlo.partition_id", {deviceNumber, 0, 1, 0});
  table.add("stablehlo.replica_id", {deviceNumber, 0, 1, 0});
}
