// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads clamp their indices and writes drop what is outside, so neither is the other's transpose there: reads are transposed with clamped indices, writes with
// a mask, unless the indices are known to lie inside.
#include "mlir/IR/Matchers.h"
#include "passes/autodiff/Rules.h"

using namespace mlir;
using namespace mlir::raf;

static std::optional<int64_t> splatInt(Value value) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return std::nullopt;
  auto splat = dyn_cast<SplatElementsAttr>(constant);
  return splat ? std::optional(splat.getSplatValue<APInt>().getSExtValue()) : std::nullopt;
}

// Whether all indices are seen to lie in [0, size): constants, a dimension's own positions, and what `clamped` made.
static bool isInside(Value indices, int64_t size) {
  DenseElementsAttr constant;
  if (matchPattern(indices, m_Constant(&constant)))
    return llvm::all_of(constant.getValues<APInt>(), [&](const APInt &index) { return index.getSExtValue() >= 0 && index.getSExtValue() < size; });
  if (auto iota = indices.getDefiningOp<IotaOp>())
    return iota.getType().getDimSize(iota.getDim()) <= size;
  auto upper = indices.getDefiningOp<MinimumOp>();
  if (!upper)
    return false;
  auto lower = upper.getLhs().getDefiningOp<MaximumOp>();
  std::optional<int64_t> most = splatInt(upper.getRhs()), least = lower ? splatInt(lower.getRhs()) : std::nullopt;
  return most && least && *least >= 0 && *most < size && *least <= *most;
}

static Value clamped(VJP &g, Value indices, int64_t size) {
  if (isInside(indices, size))
    return indices;
  return g.minimum(g.maximum(indices, g.splatLike(indices, 0.0)), g.splatLike(indices, static_cast<double>(size - 1)));
}

// values where the index is inside, 0 elsewhere; dims places the indices in the values.
static Value masked(VJP &g, Value values, Value indices, int64_t size, ArrayRef<int64_t> dims) {
  if (isInside(indices, size))
    return values;
  Value inside = g.fold<AndOp>(g.compare(CompareKind::ge, indices, 0.0), g.compare(CompareKind::lt, indices, static_cast<double>(size)));
  auto type = TensorBuilder::typeOf(values);
  return g.select(g.broadcast(inside, type.clone(g.getBuilder().getI1Type()), dims), values, g.zeros(type));
}

template <typename Op>
static int64_t axisSize(Op op) {
  return op.getX().getType().getDimSize(op.getAxis());
}

static void gather(GatherOp op, VJP &g) {
  Type type = op.getX().getType();
  g.give(0, g.create<ScatterAddOp>(type, g.zeros(type), clamped(g, op.getIndices(), axisSize(op)), g.dy(), op.getAxis()));
}

static void scatterAdd(ScatterAddOp op, VJP &g) {
  g.give(0, g.dy());
  g.giveLazy(2, [&] {
    int64_t axis = op.getAxis();
    Value taken = g.create<GatherOp>(g.dy(), op.getIndices(), axis);
    return masked(g, taken, op.getIndices(), axisSize(op), dimRange(axis, axis + op.getIndices().getType().getRank()));
  });
}

static void takeAlongAxis(TakeAlongAxisOp op, VJP &g) {
  Type type = op.getX().getType();
  g.give(0, g.create<AddAlongAxisOp>(type, g.zeros(type), clamped(g, op.getIndices(), axisSize(op)), g.dy(), op.getAxis()));
}

static void addAlongAxis(AddAlongAxisOp op, VJP &g) {
  g.give(0, g.dy());
  g.giveLazy(2, [&] {
    Value taken = g.create<TakeAlongAxisOp>(g.dy(), op.getIndices(), op.getAxis());
    return masked(g, taken, op.getIndices(), axisSize(op), dimRange(0, op.getIndices().getType().getRank()));
  });
}

void mlir::raf::attachIndexingRules(MLIRContext *context) {
  attachRule<GatherOp, gather>(context);
  attachRule<ScatterAddOp, scatterAdd>(context);
  attachRule<TakeAlongAxisOp, takeAlongAxis>(context);
  attachRule<AddAlongAxisOp, addAlongAxis>(context);
}
