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

// Where x and u take part in y: an update that stands (`set`), or one that equals the result (`max`, `min`), in equal parts among all that do, as JAX does.
static void scatter(ScatterOp op, VJP &g) {
  RankedTensorType x = op.getX().getType(), u = op.getUpdates().getType(), ids = op.getIndices().getType();
  int64_t axis = op.getAxis(), size = axisSize(op);
  SmallVector<int64_t> placed = dimRange(axis, axis + ids.getRank());
  Type index = ids.getElementType();
  auto take = [&](Value from) { return masked(g, g.create<GatherOp>(from, op.getIndices(), axis), op.getIndices(), size, placed); };
  auto addTo = [&](Value into, Value values) -> Value { return g.create<ScatterAddOp>(into.getType(), into, op.getIndices(), values, axis); };
  if (op.getKind() == ScatterKind::set) {
    // Each update writes its number (from 1) as it would write itself: what is read back says which one stands.
    RankedTensorType numbers = RankedTensorType::get(ids.getShape(), index);
    Value flat = g.add(g.iota(RankedTensorType::get({ids.getNumElements()}, index), 0), 1.0);
    Value number = g.broadcast(g.reshape(flat, numbers.getShape()), u.clone(index), placed);
    Value standing = g.create<ScatterOp>(ScatterKind::set, g.zeros(x.clone(index)), op.getIndices(), number, axis);
    g.giveLazy(0, [&] { return g.select(g.compare(CompareKind::eq, standing, 0.0), g.dy(), g.zeros(x)); });
    g.giveLazy(2, [&] {
      Value wins = g.compare(CompareKind::eq, g.create<GatherOp>(standing, op.getIndices(), axis), number);
      return masked(g, g.select(wins, g.create<GatherOp>(g.dy(), op.getIndices(), axis), g.zeros(u)), op.getIndices(), size, placed);
    });
    return;
  }
  if (op.getKind() == ScatterKind::mul) {
    // What an update is multiplied by: x and the other updates of its element. Zeros are counted apart, since they cannot be divided out.
    g.giveLazy(0, [&] { return g.mul(g.dy(), g.create<ScatterOp>(ScatterKind::mul, g.splat(x, 1.0), op.getIndices(), op.getUpdates(), axis)); });
    g.giveLazy(2, [&] {
      Value isZero = g.compare(CompareKind::eq, op.getUpdates(), 0.0), nonzero = g.select(isZero, g.splat(u, 1.0), op.getUpdates());
      Value zero = g.select(isZero, g.splat(u, 1.0), g.zeros(u));
      Value product = g.create<ScatterOp>(ScatterKind::mul, op.getX(), op.getIndices(), nonzero, axis), zeros = addTo(g.zeros(x), zero);
      Value others = g.div(take(g.mul(g.dy(), product)), nonzero);
      return g.select(g.compare(CompareKind::eq, take(zeros), zero), others, g.zeros(u));
    });
    return;
  }
  Value ones = g.select(g.compare(CompareKind::eq, take(op), op.getUpdates()), g.splat(u, 1.0), g.zeros(u));
  Value kept = g.select(g.compare(CompareKind::eq, op.getX(), op), g.splat(x, 1.0), g.zeros(x));
  Value shared = g.div(g.dy(), addTo(kept, ones));
  g.giveLazy(0, [&] { return g.mul(shared, kept); });
  g.giveLazy(2, [&] { return g.mul(take(shared), ones); });
}

static void dynamicSlice(DynamicSliceOp op, VJP &g) {
  Type type = op.getX().getType();
  g.give(0, g.create<DynamicUpdateSliceOp>(type, g.zeros(type), g.dy(), op.getStarts()));
}

static void dynamicUpdateSlice(DynamicUpdateSliceOp op, VJP &g) {
  Type update = op.getUpdate().getType();
  g.giveLazy(0, [&] { return g.create<DynamicUpdateSliceOp>(op.getType(), g.dy(), g.zeros(update), op.getStarts()); });
  g.giveLazy(1, [&] { return g.create<DynamicSliceOp>(update, g.dy(), op.getStarts()); });
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
  attachRule<ScatterOp, scatter>(context);
  attachRule<DynamicSliceOp, dynamicSlice>(context);
  attachRule<DynamicUpdateSliceOp, dynamicUpdateSlice>(context);
  attachRule<ScatterAddOp, scatterAdd>(context);
  attachRule<TakeAlongAxisOp, takeAlongAxis>(context);
  attachRule<AddAlongAxisOp, addAlongAxis>(context);
}
