// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites of pointwise ops that look at element types or constants; the others are in Algebra.td.
#include "dialects/raf/Folding.h"
#include "dialects/raf/Ops.h"
#include "mlir/IR/Matchers.h"
#include "passes/graph/Passes.h"

using namespace mlir;
using namespace mlir::raf;

namespace {
#include "passes/graph/Algebra.cpp.inc"

bool isInteger(Operation *op) { return isa<IntegerType>(getElementTypeOrSelf(op->getResult(0))); }

// The constant with equal elements that a value is, broadcast or not; null otherwise.
Attribute splatOf(Value value) {
  while (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getX();
  SplatElementsAttr splat;
  return matchPattern(value, m_Constant(&splat)) ? splat : Attribute();
}

Value splat(OpBuilder &builder, Location loc, Type type, Attribute element) {
  return ConstantOp::create(builder, loc, DenseElementsAttr::get(cast<RankedTensorType>(type), element));
}

// x - x = 0 and x ^ x = 0 for integers.
template <typename Op>
struct Cancel : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (op.getLhs() != op.getRhs() || !isInteger(op))
      return rewriter.notifyMatchFailure(op, "not integers that cancel");
    rewriter.replaceOp(op, splat(rewriter, op.getLoc(), op.getType(), rewriter.getIntegerAttr(op.getType().getElementType(), 0)));
    return success();
  }
};

struct MultiplyByConstant : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &rewriter) const override {
    for (bool left : {false, true}) {
      Value x = left ? op.getRhs() : op.getLhs(), c = left ? op.getLhs() : op.getRhs();
      Attribute constant = splatOf(c);
      if (!constant)
        continue;
      if (isSplat(constant, 0.0) && isInteger(op)) {
        rewriter.replaceOp(op, c);
        return success();
      }
      if (isSplat(constant, -1.0)) {
        rewriter.replaceOpWithNewOp<NegOp>(op, x);
        return success();
      }
    }
    return rewriter.notifyMatchFailure(op, "no factor of 0 or -1");
  }
};

struct ZeroMinus : OpRewritePattern<SubOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SubOp op, PatternRewriter &rewriter) const override {
    if (!isSplat(splatOf(op.getLhs()), 0.0))
      return rewriter.notifyMatchFailure(op, "not a difference from 0");
    rewriter.replaceOpWithNewOp<NegOp>(op, op.getRhs());
    return success();
  }
};

std::optional<APFloat> floatSplat(Value value) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(splatOf(value));
  if (!splat || !isa<FloatType>(splat.getElementType()))
    return std::nullopt;
  return splat.getSplatValue<APFloat>();
}

// Division by a power of two is multiplication by its inverse, exactly.
struct DivideByPowerOfTwo : OpRewritePattern<DivOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DivOp op, PatternRewriter &rewriter) const override {
    std::optional<APFloat> divisor = floatSplat(op.getRhs());
    APFloat inverse(0.0);
    if (!divisor || !divisor->getExactInverse(&inverse))
      return rewriter.notifyMatchFailure(op, "the divisor has no exact inverse");
    Type element = op.getType().getElementType();
    rewriter.replaceOpWithNewOp<MulOp>(op, op.getLhs(), splat(rewriter, op.getLoc(), op.getType(), FloatAttr::get(element, inverse)));
    return success();
  }
};

// (x * a) * b = x * (a * b) when one of the factors only moves the exponent and the product is a normal number.
struct CombineFactors : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  static bool isPowerOfTwo(const APFloat &value) {
    APFloat inverse(0.0);
    return value.getExactInverse(&inverse);
  }
  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &rewriter) const override {
    std::optional<APFloat> outer = floatSplat(op.getRhs());
    auto inner = op.getLhs().getDefiningOp<MulOp>();
    std::optional<APFloat> factor = inner ? floatSplat(inner.getRhs()) : std::nullopt;
    // With x itself constant there would be no end.
    if (!outer || !factor || floatSplat(inner.getLhs()))
      return rewriter.notifyMatchFailure(op, "not two constant factors");
    APFloat product = *outer;
    // Both at most 1 or both at least 1, so that no intermediate value leaves the range that the final one stays in.
    auto atMostOne = [](const APFloat &value) { return abs(value) <= APFloat(value.getSemantics(), 1); };
    if ((!isPowerOfTwo(*outer) && !isPowerOfTwo(*factor)) || atMostOne(*outer) != atMostOne(*factor) ||
        product.multiply(*factor, APFloat::rmNearestTiesToEven) != APFloat::opOK || product.isDenormal())
      return rewriter.notifyMatchFailure(op, "the product of the factors would round differently");
    rewriter.replaceOpWithNewOp<MulOp>(op, inner.getLhs(), splat(rewriter, op.getLoc(), op.getType(), FloatAttr::get(op.getType().getElementType(), product)));
    return success();
  }
};

// A constant goes to the right of a commutative op, where the other patterns look for it.
template <typename Op>
struct ConstantToRight : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!splatOf(op.getLhs()) || splatOf(op.getRhs()))
      return rewriter.notifyMatchFailure(op, "no constant on the left");
    rewriter.replaceOpWithNewOp<Op>(op, op.getRhs(), op.getLhs());
    return success();
  }
};
} // namespace

void mlir::raf::populateAlgebraPatterns(RewritePatternSet &patterns) {
  populateWithGenerated(patterns);
  patterns.add<Cancel<SubOp>, Cancel<XorOp>, MultiplyByConstant, ZeroMinus, DivideByPowerOfTwo, CombineFactors, ConstantToRight<AddOp>, ConstantToRight<MulOp>>(
      patterns.getContext());
}
