// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How tensors lie on a mesh of devices. A program is about whole tensors, and each device that runs it has them whole: a sharding is kept as an attribute. In a
// manual computation, which is about pieces, each device takes its own, and gathers the results. On one device shardings say nothing.
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Collective.h"
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Scanner.h"
#include "passes/import-stablehlo/Shape.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

// The attribute stays with the op that makes the value, or with the argument of @main, whose own sharding comes first.
static void attachSharding(Value value, Attribute sharding) {
  Operation *producer = value.getDefiningOp();
  if (producer && producer->getNumResults() == 1)
    return producer->setDiscardableAttr(kShardingAttribute, sharding);
  auto argument = dyn_cast<BlockArgument>(value);
  auto func = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  if (func && !func.getArgAttr(argument.getArgNumber(), kShardingAttribute))
    func.setArgAttr(argument.getArgNumber(), kShardingAttribute, sharding);
}

static void keepSharding(Importer &importer, Operation &op, Attribute sharding) {
  for (unsigned i = 0; i < op.getNumOperands(); ++i) {
    Parts parts = importer.operandParts(op, i);
    importer.setParts(op, i, parts);
    for (Value part : {parts.real, parts.imag})
      if (part && sharding && importer.getDevices().count() > 1)
        attachSharding(part, sharding);
  }
}

static LogicalResult constraint(Importer &importer, Operation &op, TensorBuilder &) {
  if (!op.getAttr("sharding"))
    return keepSharding(importer, op, {}), success();
  std::optional<Sharding> sharding = Sharding::read(op.getAttr("sharding"));
  if (!sharding)
    return op.emitOpError() << "needs an attribute 'sharding' like #sdy.sharding<@mesh, [{\"x\"}, {}]>, got " << op.getAttr("sharding");
  keepSharding(importer, op, sharding->toAttribute(op.getContext()));
  return success();
}

// The custom call has the sharding as a text of XLA: "{devices=[2,1]<=[2]}".
static LogicalResult shardingCall(Importer &importer, Operation &op, TensorBuilder &) {
  if (op.getNumResults() != op.getNumOperands())
    return op.emitOpError() << "needs as many results as operands, got " << op.getNumResults() << " and " << op.getNumOperands();
  keepSharding(importer, op, op.getAttrOfType<StringAttr>("mhlo.sharding"));
  return success();
}

static LogicalResult nothing(Importer &, Operation &, TensorBuilder &) { return success(); }

//===-- manual computations --------------------------------------------------------------------------------------===//

// #sdy<manual_axes{"x", "y"}>
static bool readManualAxes(Attribute attribute, SmallVectorImpl<StringRef> &axes) {
  auto text = dyn_cast_or_null<OpaqueAttr>(attribute);
  Scanner scanner{text ? text.getAttrData() : StringRef()};
  auto axis = [&] {
    std::optional<StringRef> name = scanner.quoted();
    axes.push_back(name.value_or(""));
    return name.has_value();
  };
  return scanner.consume("manual_axes") && scanner.consume("{") && scanner.list("}", axis);
}

namespace {
// The pieces of one manual computation.
struct Manual {
  Importer &importer;
  Operation &op;
  TensorBuilder &b;
  SmallVector<StringRef> axes = {};
  Value device = {};

  // The manual axes that cut a dimension; they come before those that are left to the partitioner.
  SmallVector<StringRef> cutsOf(const Sharding &sharding, unsigned dim) const {
    return llvm::filter_to_vector(sharding.dims[dim], [&](StringRef axis) { return llvm::is_contained(axes, axis); });
  }
  FailureOr<Value> takePiece(Value whole, const Sharding &sharding);
  FailureOr<Value> gatherPieces(Value piece, const Sharding &sharding);

private:
  FailureOr<Mesh> findMesh(const Sharding &sharding, int64_t rank);
};
} // namespace

FailureOr<Mesh> Manual::findMesh(const Sharding &sharding, int64_t rank) {
  if (static_cast<int64_t>(sharding.dims.size()) != rank || sharding.isUnreduced)
    return op.emitOpError() << "needs a sharding of " << rank << " dimensions without unreduced axes for each operand and result", failure();
  auto mesh = Mesh::find(&op, importer.getModule(), sharding.mesh);
  if (failed(mesh))
    return failure();
  if (mesh->count() != importer.getDevices().partitions || importer.getDevices().replicas != 1)
    return op.emitOpError() << "uses mesh @" << sharding.mesh << " of " << mesh->count() << " devices in a program for " << importer.getDevices().count(), failure();
  SmallVector<StringRef> used;
  for (int64_t dim = 0; dim < rank; ++dim) {
    for (StringRef axis : sharding.dims[dim])
      if (!mesh->find(axis))
        return op.emitOpError() << "has a sharding by " << axis << ", which is no whole axis of mesh @" << sharding.mesh, failure();
    llvm::append_range(used, cutsOf(sharding, dim));
  }
  if (!mesh->groups(used))
    return op.emitOpError() << "has a sharding with an axis of mesh @" << sharding.mesh << " twice", failure();
  return mesh;
}

FailureOr<Value> Manual::takePiece(Value whole, const Sharding &sharding) {
  RankedTensorType type = TensorBuilder::typeOf(whole);
  auto mesh = findMesh(sharding, type.getRank());
  if (failed(mesh))
    return failure();
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<Value> starts;
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    Value position;
    for (StringRef name : cutsOf(sharding, dim)) {
      unsigned axis = *mesh->find(name);
      int64_t size = mesh->sizes[axis];
      if (shape[dim] % size != 0)
        return op.emitOpError() << "cannot cut dimension " << dim << " of " << type << " by axis \"" << name << "\" of size " << size, failure();
      shape[dim] /= size;
      if (size == 1)
        continue;
      if (!device)
        device = deviceId(importer, b);
      Value along = b.fold<RemOp>(b.div(device, mesh->stride(axis)), b.splatLike(device, size));
      position = position ? b.add(b.mul(position, size), along) : along;
    }
    starts.push_back(position ? b.mul(position, shape[dim]) : b.zeros(RankedTensorType::get({}, b.getBuilder().getI32Type())));
  }
  return shape == type.getShape() ? whole : b.fold<DynamicSliceOp>(type.clone(shape), whole, starts);
}

FailureOr<Value> Manual::gatherPieces(Value piece, const Sharding &sharding) {
  auto mesh = findMesh(sharding, TensorBuilder::typeOf(piece).getRank());
  if (failed(mesh))
    return failure();
  for (unsigned dim = 0; dim < sharding.dims.size(); ++dim)
    if (SmallVector<StringRef> cuts = cutsOf(sharding, dim); !cuts.empty())
      piece = gatherAlong(b, piece, dim, toAttribute(b.getBuilder(), *mesh->groups(cuts)));
  return piece;
}

static LogicalResult manualComputation(Importer &importer, Operation &op, TensorBuilder &b) {
  Manual manual{importer, op, b};
  auto in = readShardings(op.getAttr("in_shardings")), out = readShardings(op.getAttr("out_shardings"));
  if (!in || !out || in->size() != op.getNumOperands() || out->size() != op.getNumResults() || !readManualAxes(op.getAttr("manual_axes"), manual.axes))
    return op.emitOpError() << "needs in_shardings and out_shardings, one for each operand and result, and manual_axes, got " << op.getAttr("in_shardings") << ", "
                            << op.getAttr("out_shardings") << " and " << op.getAttr("manual_axes");
  bool valid = true;
  auto each = [&](Parts parts, auto function) {
    return mapParts(parts, [&](Value part) {
      FailureOr<Value> made = function(part);
      valid &= succeeded(made);
      return succeeded(made) ? *made : part;
    });
  };
  SmallVector<Parts> pieces;
  for (unsigned i = 0; i < op.getNumOperands(); ++i)
    pieces.push_back(each(importer.operandParts(op, i), [&](Value part) { return manual.takePiece(part, (*in)[i]); }));
  auto results = valid ? importer.importRegion(op, 0, pieces) : FailureOr<SmallVector<Parts>>(failure());
  if (failed(results))
    return failure();
  if (results->size() != op.getNumResults())
    return op.emitOpError() << "must return " << op.getNumResults() << " values, got " << results->size();
  for (auto [index, piece] : llvm::enumerate(*results))
    importer.setParts(op, index, each(piece, [&](Value part) { return manual.gatherPieces(part, (*out)[index]); }));
  return success(valid);
}

void mlir::raf::stablehlo::addShardingHandlers(HandlerTable &table) {
  for (StringRef name : {"sdy.sharding_constraint", "sdy.reshard", "sdy.propagation_barrier"})
    table.add(name, {constraint, 1, 1, 0, Complex::handled});
  for (StringRef target : {"Sharding", "xla.sdy.FuncResultSharding"})
    table.add(("custom_call." + target).str(), {shardingCall, -1, -1, 0, Complex::handled});
  table.add("sdy.sharding_group", {nothing, 1, 0, 0, Complex::handled});
  table.add("sdy.manual_computation", {manualComputation, -1, -1, 1, Complex::handled});
}
