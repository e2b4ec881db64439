// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives become those of raf, which name devices by one number. What they combine by no reduction of raf is gathered and combined here.
#include "dialects/raf/Collective.h"
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Collective.h"
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Reduction.h"
#include "passes/import-stablehlo/Scanner.h"
#include "passes/import-stablehlo/Shape.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

//===-- groups of devices ----------------------------------------------------------------------------------------===//

// What the numbers in replica_groups are, as the specification names it.
enum class Grouping { crossReplica, crossPartition, crossBoth, flattened };

static FailureOr<int64_t> readChannel(Operation &op) {
  if (!op.getAttr("channel_handle"))
    return 0;
  auto handle = Fields::read(op, "channel_handle");
  return failed(handle) ? FailureOr<int64_t>(failure()) : handle->integer("handle");
}

// #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>
static FailureOr<DeviceGroups> readMeshGroups(Importer &importer, Operation &op, OpaqueAttr attribute) {
  Scanner scanner{attribute.getAttrData()};
  SmallVector<StringRef> axes;
  auto axis = [&] {
    bool isNamed = scanner.consume("#stablehlo.axis_ref") && scanner.consume("<") && scanner.consume("name") && scanner.consume("=");
    std::optional<StringRef> name = isNamed ? scanner.quoted() : std::nullopt;
    axes.push_back(name.value_or(""));
    return name && scanner.consume(">");
  };
  StringRef mesh;
  bool valid = scanner.consume("replica_group_mesh_axes") && scanner.consume("<") && scanner.consume("mesh") && scanner.consume("=") && scanner.consume("@");
  mesh = scanner.word();
  if (!valid || !scanner.consume(",") || !scanner.consume("axes") || !scanner.consume("=") || !scanner.consume("[") || !scanner.list("]", axis) || !scanner.consume(">"))
    return op.emitOpError() << "needs replica_groups like #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = \"x\">]> of whole axes, got "
                            << attribute,
           failure();
  auto found = Mesh::find(&op, importer.getModule(), mesh);
  if (failed(found))
    return failure();
  if (found->count() != importer.getDevices().count())
    return op.emitOpError() << "uses mesh @" << mesh << " of " << found->count() << " devices in a program for " << importer.getDevices().count(), failure();
  std::optional<DeviceGroups> groups = found->groups(axes);
  if (!groups)
    return op.emitOpError() << "names an axis that mesh @" << mesh << " does not have, or one twice, got " << attribute, failure();
  return *groups;
}

// Rows of a 2-dimensional tensor. Rows of different lengths are padded with -1.
static FailureOr<DeviceGroups> readLists(Operation &op, StringRef name) {
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(op.getAttr(name));
  if (!elements || elements.getType().getRank() != 2 || !elements.getElementType().isInteger(64) || elements.getNumElements() > (1 << 20) ||
      elements.getType().getDimSize(0) > (1 << 20))
    return op.emitOpError() << "needs an attribute '" << name << "' that is a matrix of device numbers, got " << op.getAttr(name), failure();
  int64_t columns = elements.getType().getDimSize(1);
  DeviceGroups rows(elements.getType().getDimSize(0));
  for (auto [index, value] : llvm::enumerate(elements.getValues<APInt>()))
    if (value.getSExtValue() != -1)
      rows[index / columns].push_back(value.getSExtValue());
  return rows;
}

static FailureOr<DeviceGroups> readGroups(Importer &importer, Operation &op, Grouping grouping) {
  if (auto axes = dyn_cast_or_null<OpaqueAttr>(op.getAttr("replica_groups")))
    return readMeshGroups(importer, op, axes);
  auto rows = readLists(op, "replica_groups");
  if (failed(rows))
    return failure();
  Devices devices = importer.getDevices();
  int64_t limit = grouping == Grouping::flattened ? devices.count() : grouping == Grouping::crossPartition ? devices.partitions : devices.replicas;
  // No groups are one of all.
  if (llvm::all_of(*rows, [](auto &row) { return row.empty(); }))
    *rows = {dimRange(0, limit)};
  llvm::SmallDenseSet<int64_t> seen;
  for (ArrayRef<int64_t> row : *rows)
    for (int64_t number : row)
      if (number < 0 || number >= limit || !seen.insert(number).second)
        return op.emitOpError() << "replica_groups must name different devices in [0, " << limit << "), got " << number, failure();
  DeviceGroups groups;
  for (ArrayRef<int64_t> row : *rows) {
    SmallVector<int64_t> both;
    auto add = [&](int64_t replica, int64_t partition, SmallVectorImpl<int64_t> &group) { group.push_back(replica * devices.partitions + partition); };
    switch (grouping) {
    case Grouping::flattened:
      groups.emplace_back(row);
      break;
    case Grouping::crossReplica:
      for (int64_t partition = 0; partition < devices.partitions; ++partition) {
        groups.emplace_back();
        for (int64_t replica : row)
          add(replica, partition, groups.back());
      }
      break;
    case Grouping::crossPartition:
      for (int64_t replica = 0; replica < devices.replicas; ++replica) {
        groups.emplace_back();
        for (int64_t partition : row)
          add(replica, partition, groups.back());
      }
      break;
    case Grouping::crossBoth:
      for (int64_t replica : row)
        for (int64_t partition = 0; partition < devices.partitions; ++partition)
          add(replica, partition, both);
      groups.push_back(both);
      break;
    }
  }
  for (ArrayRef<int64_t> group : groups)
    if (group.size() != groups.front().size())
      return op.emitOpError() << "needs groups of equal sizes, got " << groups.front().size() << " and " << group.size() << " devices", failure();
  return groups;
}

// Groups of all_reduce, all_gather and reduce_scatter.
static FailureOr<ArrayAttr> readReduceGroups(Importer &importer, Operation &op, TensorBuilder &b) {
  auto channel = readChannel(op);
  if (failed(channel))
    return failure();
  bool isGlobal = op.hasAttr("use_global_device_ids");
  auto groups = readGroups(importer, op, *channel <= 0 ? Grouping::crossReplica : isGlobal ? Grouping::flattened : Grouping::crossBoth);
  if (failed(groups))
    return failure();
  return toAttribute(b.getBuilder(), *groups);
}

// Groups of all_to_all and collective_broadcast.
static FailureOr<ArrayAttr> readMoveGroups(Importer &importer, Operation &op, TensorBuilder &b) {
  auto channel = readChannel(op);
  if (failed(channel))
    return failure();
  auto groups = readGroups(importer, op, *channel > 0 ? Grouping::crossPartition : Grouping::crossReplica);
  if (failed(groups))
    return failure();
  return toAttribute(b.getBuilder(), *groups);
}

ArrayAttr mlir::raf::stablehlo::toAttribute(Builder &builder, const DeviceGroups &groups) {
  return builder.getArrayAttr(llvm::map_to_vector(groups, [&](ArrayRef<int64_t> group) -> Attribute { return builder.getDenseI64ArrayAttr(group); }));
}

//===-- reductions -----------------------------------------------------------------------------------------------===//

// By a reduction that raf has: `reduce` builds it. Null for a combiner that it lacks.
template <typename Reduce>
static Value reduceKnown(TensorBuilder &b, StringRef combiner, Value x, bool isUnsigned, Reduce reduce) {
  if (isBool(x)) {
    bool isAny = combiner == "or" || combiner == "add" || combiner == "maximum";
    return b.cast(reduce(isAny ? ReduceKind::max : ReduceKind::min, b.cast(x, b.getBuilder().getI8Type())), b.getBuilder().getI1Type());
  }
  if (combiner == "add" || combiner == "multiply")
    return reduce(combiner == "add" ? ReduceKind::sum : ReduceKind::prod, x);
  if (combiner != "maximum" && combiner != "minimum")
    return {};
  ReduceKind kind = combiner == "maximum" ? ReduceKind::max : ReduceKind::min;
  return isUnsigned ? flipSign(b, reduce(kind, flipSign(b, x))) : reduce(kind, x);
}

// The operands one by one: `known(kind, x)` reduces by a reduction of raf, `gather(x)` gives the values of all devices along a new first dimension.
template <typename Known, typename Gather>
static LogicalResult reduceEach(Importer &importer, Operation &op, TensorBuilder &b, int64_t count, Known known, Gather gather) {
  if (op.getNumOperands() == 0 || op.getNumResults() != op.getNumOperands())
    return op.emitOpError() << "needs operands and as many results, got " << op.getNumOperands() << " and " << op.getNumResults();
  StringRef combiner = matchCombiner(op.getRegion(0), 0);
  for (unsigned i = 0; i < op.getNumOperands(); ++i) {
    bool from = isUnsigned(op.getOperand(i).getType()), to = isUnsigned(op.getResult(i).getType());
    Type element = importer.resultType(op, i).getElementType();
    Parts x = mapParts(importer.operandParts(op, i), [&](Value part) { return convertValue(b, part, from, element, to); }), result;
    if (!combiner.empty() && (!x.imag || combiner == "add"))
      result = mapParts(x, [&](Value part) { return reduceKnown(b, combiner, part, to, [&](ReduceKind kind, Value value) { return known(kind, value); }); });
    if (!result) {
      Parts all = mapParts(x, gather);
      auto at = [&](int64_t device) {
        return mapParts(all, [&](Value part) {
          Value piece = sliceDim(b, part, 0, device, device + 1);
          return b.reshape(piece, TensorBuilder::typeOf(piece).getShape().drop_front());
        });
      };
      result = at(0);
      for (int64_t device = 1; device < count; ++device) {
        auto combined = importer.applyPointwise(op, 0, {result, at(device)}, TensorBuilder::typeOf(result.real).getShape());
        if (failed(combined))
          return failure();
        if (combined->size() != 1)
          return op.emitOpError() << "has a body that must return one value";
        result = combined->front();
        if (!result)
          break;
      }
    }
    importer.setParts(op, i, result);
  }
  return success();
}

static SmallVector<int64_t> withUnitDim(Value x) {
  SmallVector<int64_t> shape(TensorBuilder::typeOf(x).getShape());
  shape.insert(shape.begin(), 1);
  return shape;
}

static LogicalResult allReduce(Importer &importer, Operation &op, TensorBuilder &b) {
  auto groups = readReduceGroups(importer, op, b);
  if (failed(groups))
    return failure();
  return reduceEach(
      importer, op, b, groupSize(*groups), [&](ReduceKind kind, Value x) { return b.fold<AllReduceOp>(x.getType(), kind, x, *groups); },
      [&](Value x) { return gatherAlong(b, b.reshape(x, withUnitDim(x)), 0, *groups); });
}

static LogicalResult reduceScatter(Importer &importer, Operation &op, TensorBuilder &b) {
  auto groups = readReduceGroups(importer, op, b);
  auto dim = readInt(op, "scatter_dimension");
  if (failed(groups) || failed(dim) || op.getNumOperands() == 0)
    return failed(groups) || failed(dim) ? failure() : op.emitOpError("needs an operand");
  int64_t count = groupSize(*groups);
  for (unsigned i = 0; i < op.getNumOperands(); ++i) {
    auto type = cast<RankedTensorType>(op.getOperand(i).getType());
    if (failed(checkDimensions(op, "scatter_dimension", {*dim}, type.getRank())))
      return failure();
    if (type.getDimSize(*dim) % count != 0)
      return op.emitOpError() << "cannot cut dimension " << *dim << " of " << type << " for " << count << " devices";
  }
  auto pieceOf = [&](Value x, int64_t at) {
    SmallVector<int64_t> shape(TensorBuilder::typeOf(x).getShape());
    shape[at] /= count;
    return shape;
  };
  return reduceEach(
      importer, op, b, count,
      [&](ReduceKind kind, Value x) { return b.fold<ReduceScatterOp>(TensorBuilder::typeOf(x).clone(pieceOf(x, *dim)), kind, x, *dim, *groups); },
      [&](Value x) {
        Value rows = b.reshape(x, withUnitDim(x));
        SmallVector<int64_t> shape = pieceOf(rows, *dim + 1);
        shape[0] = count;
        return b.fold<AllToAllOp>(TensorBuilder::typeOf(x).clone(shape), rows, *dim + 1, 0, *groups);
      });
}

//===-- moves ----------------------------------------------------------------------------------------------------===//

Value mlir::raf::stablehlo::gatherAlong(TensorBuilder &b, Value x, int64_t dim, ArrayAttr groups) {
  SmallVector<int64_t> shape(TensorBuilder::typeOf(x).getShape());
  shape[dim] *= groupSize(groups);
  return b.fold<AllGatherOp>(TensorBuilder::typeOf(x).clone(shape), x, dim, groups);
}

// Applies a move to each operand, whose results have the types that the program states.
template <typename Move>
static LogicalResult moveEach(Importer &importer, Operation &op, Move move) {
  if (op.getNumOperands() == 0 || op.getNumResults() != op.getNumOperands())
    return op.emitOpError() << "needs operands and as many results, got " << op.getNumOperands() << " and " << op.getNumResults();
  for (unsigned i = 0; i < op.getNumOperands(); ++i)
    importer.setParts(op, i, mapParts(importer.operandParts(op, i), move));
  return success();
}

static LogicalResult allGather(Importer &importer, Operation &op, TensorBuilder &b) {
  auto groups = readReduceGroups(importer, op, b);
  auto dim = readInt(op, "all_gather_dim");
  if (failed(groups) || failed(dim))
    return failure();
  for (Type type : op.getOperandTypes())
    if (failed(checkDimensions(op, "all_gather_dim", {*dim}, cast<RankedTensorType>(type).getRank())))
      return failure();
  return moveEach(importer, op, [&](Value x) { return gatherAlong(b, x, *dim, *groups); });
}

static LogicalResult allToAll(Importer &importer, Operation &op, TensorBuilder &b) {
  auto groups = readMoveGroups(importer, op, b);
  auto split = readInt(op, "split_dimension"), concat = readInt(op, "concat_dimension"), count = readInt(op, "split_count");
  if (failed(groups) || failed(split) || failed(concat) || failed(count))
    return failure();
  if (*count != groupSize(*groups))
    return op.emitOpError() << "split_count must be the " << groupSize(*groups) << " devices of a group, got " << *count;
  for (Type type : op.getOperandTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    if (failed(checkDimensions(op, "split_dimension", {*split}, tensor.getRank())) || failed(checkDimensions(op, "concat_dimension", {*concat}, tensor.getRank())))
      return failure();
    if (tensor.getDimSize(*split) % *count != 0)
      return op.emitOpError() << "cannot cut dimension " << *split << " of " << tensor << " for " << *count << " devices";
  }
  return moveEach(importer, op, [&](Value x) {
    SmallVector<int64_t> shape(TensorBuilder::typeOf(x).getShape());
    shape[*split] /= *count;
    shape[*concat] *= *count;
    return b.fold<AllToAllOp>(TensorBuilder::typeOf(x).clone(shape), x, *split, *concat, *groups);
  });
}

static LogicalResult broadcast(Importer &importer, Operation &op, TensorBuilder &b) {
  auto groups = readMoveGroups(importer, op, b);
  if (failed(groups))
    return failure();
  bool isAlone = importer.getDevices().count() == 1;
  return moveEach(importer, op, [&](Value x) { return isAlone ? x : b.fold<CollectiveBroadcastOp>(x.getType(), x, *groups); });
}

// A device that nobody sends to has zeros.
static LogicalResult permute(Importer &importer, Operation &op, TensorBuilder &b) {
  auto channel = readChannel(op);
  auto rows = readLists(op, "source_target_pairs");
  if (failed(channel) || failed(rows))
    return failure();
  Devices devices = importer.getDevices();
  bool amongPartitions = *channel > 0;
  int64_t limit = amongPartitions ? devices.partitions : devices.replicas, others = devices.count() / limit;
  llvm::SmallDenseSet<int64_t> sources, targets;
  DeviceGroups pairs;
  for (ArrayRef<int64_t> row : *rows) {
    bool valid = row.size() == 2 && llvm::all_of(row, [&](int64_t number) { return number >= 0 && number < limit; });
    if (!valid || !sources.insert(row[0]).second || !targets.insert(row[1]).second)
      return op.emitOpError() << "source_target_pairs must be pairs of devices in [0, " << limit << "), each a source and a target at most once, got "
                              << op.getAttr("source_target_pairs");
    for (int64_t other = 0; other < others; ++other) {
      auto device = [&](int64_t number) { return amongPartitions ? other * devices.partitions + number : number * devices.partitions + other; };
      pairs.push_back({device(row[0]), device(row[1])});
    }
  }
  ArrayAttr attribute = toAttribute(b.getBuilder(), pairs);
  return moveEach(importer, op, [&](Value x) {
    if (devices.count() == 1 || pairs.empty())
      return pairs.empty() ? b.zeros(x.getType()) : x;
    return b.fold<CollectivePermuteOp>(x.getType(), x, attribute);
  });
}

//===-- numbers of devices ---------------------------------------------------------------------------------------===//

Value mlir::raf::stablehlo::deviceId(Importer &importer, TensorBuilder &b) {
  auto type = RankedTensorType::get({}, b.getBuilder().getI32Type());
  return importer.getDevices().count() == 1 ? b.zeros(type) : b.fold<DeviceIdOp>(type);
}

static LogicalResult partitionId(Importer &importer, Operation &op, TensorBuilder &b) {
  int64_t partitions = importer.getDevices().partitions;
  Value device = partitions == 1 ? b.zeros(importer.resultType(op)) : deviceId(importer, b);
  Value number = importer.getDevices().replicas == 1 || partitions == 1 ? device : b.fold<RemOp>(device, b.splatLike(device, partitions));
  importer.setResult(op, convertValue(b, number, true, importer.resultType(op).getElementType(), true));
  return success();
}

static LogicalResult replicaId(Importer &importer, Operation &op, TensorBuilder &b) {
  int64_t partitions = importer.getDevices().partitions;
  Value device = importer.getDevices().replicas == 1 ? b.zeros(importer.resultType(op)) : deviceId(importer, b);
  Value number = importer.getDevices().replicas == 1 || partitions == 1 ? device : b.div(device, partitions);
  importer.setResult(op, convertValue(b, number, true, importer.resultType(op).getElementType(), true));
  return success();
}

void mlir::raf::stablehlo::addCollectiveHandlers(HandlerTable &table) {
  table.add("stablehlo.all_reduce", {allReduce, -1, -1, 1, Complex::handled});
  table.add("stablehlo.reduce_scatter", {reduceScatter, -1, -1, 1, Complex::handled});
  table.add("stablehlo.all_gather", {allGather, -1, -1, 0, Complex::handled});
  table.add("stablehlo.all_to_all", {allToAll, -1, -1, 0, Complex::handled});
  table.add("stablehlo.collective_broadcast", {broadcast, 1, 1, 0, Complex::handled});
  table.add("stablehlo.collective_permute", {permute, 1, 1, 0, Complex::handled});
  table.add("stablehlo.partition_id", {partitionId, 0, 1, 0});
  table.add("stablehlo.replica_id", {replicaId, 0, 1, 0});
}
