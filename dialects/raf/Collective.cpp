// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Collective.h"
#include "dialects/raf/Family.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::raf;

// [[0, 1], [2, 3]]
static ParseResult parseDeviceLists(OpAsmParser &parser, ArrayAttr &lists) {
  SmallVector<Attribute> parsed;
  auto list = [&]() -> ParseResult {
    SmallVector<int64_t> devices;
    auto device = [&] { return parser.parseInteger(devices.emplace_back()); };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, device))
      return failure();
    parsed.push_back(parser.getBuilder().getDenseI64ArrayAttr(devices));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, list))
    return failure();
  lists = parser.getBuilder().getArrayAttr(parsed);
  return success();
}

static void printDeviceLists(OpAsmPrinter &printer, Operation *, ArrayAttr lists) {
  printer << '[';
  llvm::interleaveComma(lists.getAsRange<DenseI64ArrayAttr>(), printer, [&](DenseI64ArrayAttr list) {
    printer << '[';
    llvm::interleaveComma(list.asArrayRef(), printer);
    printer << ']';
  });
  printer << ']';
}

#define GET_OP_CLASSES
#include "dialects/raf/Collective.cpp.inc"

void mlir::raf::addCollectiveOps(RAFDialect &dialect) {
  addOps<
#define GET_OP_LIST
#include "dialects/raf/Collective.cpp.inc"
      >(dialect);
}

//===-- groups ---------------------------------------------------------------------------------------------------===//

static ArrayRef<int64_t> listAt(ArrayAttr lists, unsigned index) { return cast<DenseI64ArrayAttr>(lists[index]).asArrayRef(); }

int64_t mlir::raf::countDevices(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  auto count = module ? module->getAttrOfType<IntegerAttr>(kNumDevicesAttribute) : IntegerAttr();
  return count ? count.getInt() : 0;
}

int64_t mlir::raf::groupSize(ArrayAttr groups) { return groups.empty() ? 0 : listAt(groups, 0).size(); }

/// Passes make tables with an entry a device.
static constexpr int64_t kMaxDevices = int64_t(1) << 20;

static LogicalResult verifyDevice(Operation *op, int64_t device) {
  int64_t count = countDevices(op);
  if (device < 0 || device >= kMaxDevices)
    return op->emitOpError() << "devices must be numbers in [0, " << kMaxDevices << "), got " << device;
  if (count > 0 && device >= count)
    return op->emitOpError() << "devices must be less than the module's " << kNumDevicesAttribute << " of " << count << ", got " << device;
  return success();
}

static LogicalResult verifyGroups(Operation *op, ArrayAttr groups) {
  if (groupSize(groups) == 0)
    return op->emitOpError() << "groups must name at least one device, got " << groups;
  llvm::DenseSet<int64_t> seen;
  for (unsigned i = 0; i < groups.size(); ++i) {
    if (static_cast<int64_t>(listAt(groups, i).size()) != groupSize(groups))
      return op->emitOpError() << "groups must have equal sizes, got " << groupSize(groups) << " and " << listAt(groups, i).size() << " devices";
    for (int64_t device : listAt(groups, i)) {
      if (failed(verifyDevice(op, device)))
        return failure();
      if (!seen.insert(device).second)
        return op->emitOpError() << "groups must have no device in common, got " << device << " twice";
    }
  }
  return success();
}

// The type of x with `dim` grown by `factor`, or cut into as many pieces.
static FailureOr<RankedTensorType> resized(Operation *op, StringRef name, RankedTensorType type, int64_t dim, int64_t factor, bool grows) {
  if (dim >= type.getRank())
    return op->emitOpError() << name << " must be in [0, " << type.getRank() << "), got " << dim, failure();
  SmallVector<int64_t> shape(type.getShape());
  if (!grows && shape[dim] % factor != 0)
    return op->emitOpError() << "dimension " << dim << " of size " << shape[dim] << " must be a multiple of the " << factor << " devices of a group", failure();
  shape[dim] = grows ? shape[dim] * factor : shape[dim] / factor;
  return type.clone(shape);
}

static LogicalResult verifyResult(Operation *op, FailureOr<RankedTensorType> expected) {
  if (failed(expected))
    return failure();
  Type got = op->getResult(0).getType();
  return *expected == got ? success() : op->emitOpError() << "result must have type " << *expected << ", got " << got;
}

LogicalResult AllReduceOp::verify() { return verifyGroups(*this, getGroups()); }
LogicalResult CollectiveBroadcastOp::verify() { return verifyGroups(*this, getGroups()); }

LogicalResult AllGatherOp::verify() {
  if (failed(verifyGroups(*this, getGroups())))
    return failure();
  return verifyResult(*this, resized(*this, "dim", getX().getType(), getDim(), groupSize(getGroups()), true));
}

LogicalResult ReduceScatterOp::verify() {
  if (failed(verifyGroups(*this, getGroups())))
    return failure();
  return verifyResult(*this, resized(*this, "dim", getX().getType(), getDim(), groupSize(getGroups()), false));
}

LogicalResult AllToAllOp::verify() {
  if (failed(verifyGroups(*this, getGroups())))
    return failure();
  int64_t count = groupSize(getGroups());
  FailureOr<RankedTensorType> piece = resized(*this, "split_dim", getX().getType(), getSplitDim(), count, false);
  if (failed(piece))
    return failure();
  return verifyResult(*this, resized(*this, "concat_dim", *piece, getConcatDim(), count, true));
}

LogicalResult CollectivePermuteOp::verify() {
  llvm::DenseSet<int64_t> sources, targets;
  for (unsigned i = 0; i < getPairs().size(); ++i) {
    ArrayRef<int64_t> pair = listAt(getPairs(), i);
    if (pair.size() != 2)
      return emitOpError() << "pairs must be of a source and a target, got " << pair.size() << " devices";
    if (failed(verifyDevice(*this, pair[0])) || failed(verifyDevice(*this, pair[1])))
      return failure();
    if (!sources.insert(pair[0]).second || !targets.insert(pair[1]).second)
      return emitOpError() << "a device must be a source at most once and a target at most once, got " << pair[0] << " -> " << pair[1] << " besides another";
  }
  return success();
}

//===-- folds ----------------------------------------------------------------------------------------------------===//

static OpFoldResult foldAlone(ArrayAttr groups, Value x) { return groupSize(groups) == 1 ? OpFoldResult(x) : OpFoldResult(); }

OpFoldResult AllReduceOp::fold(FoldAdaptor) { return foldAlone(getGroups(), getX()); }
OpFoldResult AllGatherOp::fold(FoldAdaptor) { return foldAlone(getGroups(), getX()); }
OpFoldResult ReduceScatterOp::fold(FoldAdaptor) { return foldAlone(getGroups(), getX()); }
OpFoldResult AllToAllOp::fold(FoldAdaptor) { return foldAlone(getGroups(), getX()); }

// Broadcast and permutation give zeros to a device that is not named, so all must be.
OpFoldResult CollectiveBroadcastOp::fold(FoldAdaptor) {
  return static_cast<int64_t>(getGroups().size()) == countDevices(*this) ? foldAlone(getGroups(), getX()) : OpFoldResult();
}

OpFoldResult CollectivePermuteOp::fold(FoldAdaptor) {
  auto stays = [](DenseI64ArrayAttr pair) { return pair[0] == pair[1]; };
  bool all = !getPairs().empty() && static_cast<int64_t>(getPairs().size()) == countDevices(*this);
  return all && llvm::all_of(getPairs().getAsRange<DenseI64ArrayAttr>(), stays) ? OpFoldResult(getX()) : OpFoldResult();
}

OpFoldResult DeviceIdOp::fold(FoldAdaptor) {
  if (countDevices(*this) != 1)
    return {};
  return DenseElementsAttr::get(getType(), Attribute(IntegerAttr::get(getType().getElementType(), 0)));
}
