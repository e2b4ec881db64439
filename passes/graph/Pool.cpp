// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients behind a max_pool: what a later op does with a gradient scattered to the places of the maxima is done before, with one element a window.
#include "dialects/raf/Folding.h"
#include "dialects/raf/Ops.h"
#include "dialects/raf/infer/Shapes.h"
#include "passes/graph/Passes.h"

using namespace mlir;
using namespace mlir::raf;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {
// The gradient of relu cuts to 0 what is not positive in x. A gradient arrives only where x is the maximum y of a window: cut there, it never has to be scattered. Where
// windows overlap, all that arrive at an element see the same x.
struct MaskBeforeMaxPoolGrad : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op, PatternRewriter &rewriter) const override {
    auto compare = op.getPred().getDefiningOp<CompareOp>();
    auto grad = op.getOnTrue().getDefiningOp<MaxPoolGradOp>();
    if (!compare || !grad || !grad->hasOneUse() || !isSplatConstant(op.getOnFalse(), 0.0))
      return rewriter.notifyMatchFailure(op, "not a gradient of max_pool cut to 0");
    SplatElementsAttr splat;
    if (!matchPattern(compare.getRhs(), m_Constant(&splat)))
      return rewriter.notifyMatchFailure(op, "the mask is not a comparison with one number");
    auto pool = grad.getIndices().getDefiningOp<MaxPoolOp>();
    if (!pool || pool.getX() != compare.getLhs())
      return rewriter.notifyMatchFailure(op, "the mask is not of what was pooled");
    // The library computes a relu right after a normalization with it, and takes the gradient through both.
    if (auto relu = pool.getX().getDefiningOp<ReluOp>(); relu && relu.getX().getDefiningOp<BatchNormOp>())
      return rewriter.notifyMatchFailure(op, "the mask belongs to a normalization");
    RankedTensorType small = typeOf(grad.getDy());
    Location loc = op.getLoc();
    auto resized = [&](Value constant) {
      SplatElementsAttr value;
      matchPattern(constant, m_Constant(&value));
      return ConstantOp::create(rewriter, loc, value.resizeSplat(typeOf(constant).clone(small.getShape())));
    };
    Value mask = CompareOp::create(rewriter, loc, typeOf(compare.getResult()).clone(small.getShape()), compare.getKind(), pool.getY(), resized(compare.getRhs()));
    Value zero = ConstantOp::create(rewriter, loc, SplatElementsAttr::get(small, rewriter.getZeroAttr(small.getElementType())));
    Value cut = SelectOp::create(rewriter, loc, small, mask, grad.getDy(), zero);
    rewriter.replaceOpWithNewOp<MaxPoolGradOp>(op, grad.getType(), cut, grad.getIndices(), grad.getKernel(), grad.getStrides(), grad.getPadLow(), grad.getPadHigh(),
                                               grad.getDilations(), grad.getLayout());
    return success();
  }
};

// Each element of dy arrives exactly once, so the sum over the plane (the gradient of a bias) is that of dy.
struct SumOfMaxPoolGrad : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    auto grad = op.getX().getDefiningOp<MaxPoolGradOp>();
    if (!grad || op.getKind() != ReduceKind::sum)
      return rewriter.notifyMatchFailure(op, "not a sum of a gradient of max_pool");
    LayoutDims dims(grad.getLayout(), typeOf(op.getX()).getRank());
    for (int64_t dim = 0; dim < dims.spatialRank; ++dim)
      if (!llvm::is_contained(op.getDims(), dims.firstSpatial + dim))
        return rewriter.notifyMatchFailure(op, "not summed over the whole plane");
    rewriter.replaceOpWithNewOp<ReduceOp>(op, op.getType(), op.getKind(), grad.getDy(), op.getDims());
    return success();
  }
};
} // namespace

void mlir::raf::populatePoolPatterns(RewritePatternSet &patterns) { patterns.add<MaskBeforeMaxPoolGrad, SumOfMaxPoolGrad>(patterns.getContext()); }
