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
  patterns.add<BroadcastBelowPointwise, ReduceOfOne, ReduceOfBroadcast, ReduceOfReduce>(patterns.getContext());
}
