// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broadcasts, reductions and reshapes.
#include "dialects/raf/Ops.h"
#include "mlir/IR/Matchers.h"
#include "passes/graph/Passes.h"

using namespace mlir;
using namespace mlir::raf;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {
// f(broadcast(a), broadcast(b)) = broadcast(f(a, b)): what is repeated is computed once.
struct BroadcastBelowPointwise : OpTraitRewritePattern<OpTrait::Elementwise> {
  using OpTraitRewritePattern::OpTraitRewritePattern;
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    // Masks depend on the place of an element.
    if (!isa<RAFDialect>(op->getDialect()) || isa<DropoutOp>(op) || op->getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "not a pure pointwise op");
    BroadcastOp first;
    for (Value operand : op->getOperands()) {
      SplatElementsAttr splat;
      if (matchPattern(operand, m_Constant(&splat)))
        continue;
      auto broadcast = operand.getDefiningOp<BroadcastOp>();
      if (!broadcast || (first && (broadcast.getDims() != first.getDims() || typeOf(broadcast.getX()).getShape() != typeOf(first.getX()).getShape())))
        return rewriter.notifyMatchFailure(op, "operands are not repeated alike");
      first = broadcast;
    }
    if (!first)
      return rewriter.notifyMatchFailure(op, "no operand is a broadcast");
    ArrayRef<int64_t> shape = typeOf(first.getX()).getShape();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      SplatElementsAttr splat;
      if (matchPattern(operand, m_Constant(&splat)))
        operands.push_back(ConstantOp::create(rewriter, op->getLoc(), splat.resizeSplat(typeOf(operand).clone(shape))));
      else
        operands.push_back(operand.getDefiningOp<BroadcastOp>().getX());
    }
    RankedTensorType type = typeOf(op->getResult(0));
    OperationState state(op->getLoc(), op->getName(), operands, TypeRange(type.clone(shape)), op->getAttrs());
    Operation *small = rewriter.create(state);
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, type, small->getResult(0), first.getDims());
    return success();
  }
};

// The gradient of slices of one tensor: tensors padded with zeros to places that do not overlap, and added, are one concatenation. Gaps are filled with zeros.
struct SumOfPads : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;

  // The dimension along which a pad with zeros puts its operand somewhere, or -1.
  static int64_t axisOf(PadOp pad) {
    auto zero = [](int64_t value) { return value == 0; };
    if (!pad || !pad.getValue().isZero() || !llvm::all_of(pad.getInterior(), zero))
      return -1;
    int64_t axis = -1;
    for (auto [dim, low, high] : llvm::enumerate(pad.getLow(), pad.getHigh())) {
      if (low < 0 || high < 0 || ((low > 0 || high > 0) && axis >= 0))
        return -1;
      if (low > 0 || high > 0)
        axis = dim;
    }
    return axis;
  }

  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    // From the root of a tree of additions.
    if (op->hasOneUse() && isa<AddOp>(*op->user_begin()))
      return rewriter.notifyMatchFailure(op, "not the last addition");
    SmallVector<PadOp> pads;
    SmallVector<Value> others, stack{op.getRhs(), op.getLhs()};
    int64_t axis = -1;
    while (!stack.empty()) {
      Value value = stack.pop_back_val();
      auto add = value.getDefiningOp<AddOp>();
      auto pad = value.getDefiningOp<PadOp>();
      if (add && add->hasOneUse()) {
        stack.push_back(add.getRhs());
        stack.push_back(add.getLhs());
      } else if (int64_t along = axisOf(pad); along >= 0 && (axis < 0 || axis == along)) {
        axis = along;
        pads.push_back(pad);
      } else {
        others.push_back(value);
      }
    }
    if (pads.size() < 2)
      return rewriter.notifyMatchFailure(op, "fewer than two pads");
    auto begin = [&](PadOp pad) { return pad.getLow()[axis]; };
    auto end = [&](PadOp pad) { return pad.getLow()[axis] + typeOf(pad.getX()).getDimSize(axis); };
    llvm::stable_sort(pads, [&](PadOp a, PadOp b) { return begin(a) < begin(b); });
    SmallVector<PadOp> joined;
    for (PadOp pad : pads) {
      if (joined.empty() || begin(pad) >= end(joined.back()))
        joined.push_back(pad);
      else
        others.push_back(pad); // overlaps with what is there
    }
    if (joined.size() < 2)
      return rewriter.notifyMatchFailure(op, "the pads overlap");

    RankedTensorType type = op.getType();
    SmallVector<Value> parts;
    int64_t at = 0;
    auto fill = [&](int64_t until) {
      if (until == at)
        return;
      SmallVector<int64_t> shape(type.getShape());
      shape[axis] = until - at;
      parts.push_back(ConstantOp::create(rewriter, op.getLoc(), cast<ElementsAttr>(rewriter.getZeroAttr(type.clone(shape)))));
    };
    for (PadOp pad : joined) {
      fill(begin(pad));
      parts.push_back(pad.getX());
      at = end(pad);
    }
    fill(type.getDimSize(axis));
    Value sum = ConcatOp::create(rewriter, op.getLoc(), parts, axis);
    for (Value other : others)
      sum = AddOp::create(rewriter, op.getLoc(), sum, other);
    rewriter.replaceOp(op, sum);
    return success();
  }
};

// A slice of a concatenation that lies in one of its parts is a slice of that part.
struct SliceOfConcat : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto concat = op.getX().getDefiningOp<ConcatOp>();
    if (!concat || op.getType().getNumElements() == 0)
      return rewriter.notifyMatchFailure(op, "operand is not a concatenation");
    int64_t axis = concat.getAxis(), from = op.getStarts()[axis], to = op.getLimits()[axis], begin = 0;
    for (Value part : concat.getInputs()) {
      int64_t size = typeOf(part).getDimSize(axis);
      if (from >= begin && to <= begin + size) {
        SmallVector<int64_t> starts(op.getStarts()), limits(op.getLimits());
        starts[axis] -= begin;
        limits[axis] -= begin;
        rewriter.replaceOpWithNewOp<SliceOp>(op, part, starts, limits, op.getStrides());
        return success();
      }
      begin += size;
    }
    return rewriter.notifyMatchFailure(op, "the slice spans several parts");
  }
};

struct SliceOfSlice : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getX().getDefiningOp<SliceOp>();
    if (!inner || op.getType().getNumElements() == 0)
      return rewriter.notifyMatchFailure(op, "operand is not a slice");
    SmallVector<int64_t> starts, limits, strides;
    for (size_t d = 0; d < op.getStarts().size(); ++d) {
      starts.push_back(inner.getStarts()[d] + op.getStarts()[d] * inner.getStrides()[d]);
      // The stride of a single element may be any number: the product of two could overflow.
      strides.push_back(op.getType().getDimSize(d) == 1 ? 1 : op.getStrides()[d] * inner.getStrides()[d]);
      limits.push_back(starts[d] + (op.getType().getDimSize(d) - 1) * strides[d] + 1);
    }
    rewriter.replaceOpWithNewOp<SliceOp>(op, inner.getX(), starts, limits, strides);
    return success();
  }
};

// Reducing dimensions of size 1 computes nothing.
struct ReduceOfOne : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    if (op.getType().getNumElements() != typeOf(op.getX()).getNumElements() || op.getType().getNumElements() == 0)
      return rewriter.notifyMatchFailure(op, "elements are combined");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getX());
    return success();
  }
};

// Reducing over what a broadcast has repeated: max and min are the element, a sum is the element times the count.
struct ReduceOfBroadcast : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    auto broadcast = op.getX().getDefiningOp<BroadcastOp>();
    if (!broadcast || op.getKind() == ReduceKind::prod || !isa<FloatType>(op.getType().getElementType()))
      return rewriter.notifyMatchFailure(op, "not a reduction of a broadcast");
    RankedTensorType x = typeOf(broadcast.getX()), wide = broadcast.getType();
    // Only dimensions that the operand does not have, so that what is left is again a broadcast of it.
    double count = 1;
    SmallVector<int64_t> dims(broadcast.getDims());
    for (int64_t reduced : op.getDims()) {
      if (llvm::is_contained(broadcast.getDims(), reduced) || wide.getDimSize(reduced) == 0)
        return rewriter.notifyMatchFailure(op, "a reduced dimension belongs to the operand");
      count *= wide.getDimSize(reduced);
      for (auto [index, dim] : llvm::enumerate(broadcast.getDims()))
        if (dim > reduced)
          --dims[index];
    }
    Value value = broadcast.getX();
    if (op.getKind() == ReduceKind::sum) {
      Attribute factor = rewriter.getFloatAttr(x.getElementType(), count);
      if (cast<FloatAttr>(factor).getValueAsDouble() != count)
        return rewriter.notifyMatchFailure(op, "the element type does not hold the count");
      value = MulOp::create(rewriter, op.getLoc(), value, ConstantOp::create(rewriter, op.getLoc(), DenseElementsAttr::get(x, factor)));
    }
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), value, dims);
    return success();
  }
};

// sum(sum(x, a), b) = sum(x, a and b), and alike for the other kinds.
struct ReduceOfReduce : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getX().getDefiningOp<ReduceOp>();
    if (!inner || inner.getKind() != op.getKind() || !inner->hasOneUse())
      return rewriter.notifyMatchFailure(op, "operand is not a reduction of the same kind");
    SmallVector<int64_t> dims(inner.getDims());
    SmallVector<int64_t> kept;
    for (int64_t dim = 0, rank = typeOf(inner.getX()).getRank(); dim < rank; ++dim)
      if (!llvm::is_contained(inner.getDims(), dim))
        kept.push_back(dim);
    for (int64_t dim : op.getDims())
      dims.push_back(kept[dim]);
    llvm::sort(dims);
    rewriter.replaceOpWithNewOp<ReduceOp>(op, op.getType(), op.getKind(), inner.getX(), dims);
    return success();
  }
};
} // namespace

void mlir::raf::populateShapePatterns(RewritePatternSet &patterns) {
  patterns.add<BroadcastBelowPointwise, SumOfPads, SliceOfConcat, SliceOfSlice, ReduceOfOne, ReduceOfBroadcast, ReduceOfReduce>(patterns.getContext());
}
