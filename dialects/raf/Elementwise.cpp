// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Family.h"
#include "dialects/raf/infer/Shapes.h"
#include "dialects/raf/Folding.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
using namespace mlir;
using namespace mlir::raf;

static RankedTensorType boolLike(Type type) { return cast<RankedTensorType>(type).clone(IntegerType::get(type.getContext(), 1)); }

// `raf.select` prints the type of the values only; the predicate's follows.
static ParseResult parseSelectType(OpAsmParser &parser, Type &pred, Type &onTrue, Type &onFalse, Type &y) {
  RankedTensorType type;
  if (parser.parseType(type))
    return failure();
  pred = boolLike(type);
  onTrue = onFalse = y = type;
  return success();
}
static void printSelectType(OpAsmPrinter &printer, Operation *, Type, Type, Type, Type y) { printer << y; }

#define GET_OP_CLASSES
#include "dialects/raf/Elementwise.cpp.inc"

void mlir::raf::addElementwiseOps(RAFDialect &dialect) {
  addOps<
#define GET_OP_LIST
#include "dialects/raf/Elementwise.cpp.inc"
      >(dialect);
}

//===-- types ----------------------------------------------------------------------------------------------------===//

LogicalResult IsNanOp::inferReturnTypes(MLIRContext *, MaybeLoc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  types.push_back(boolLike(adaptor.getX().getType()));
  return success();
}

LogicalResult CompareOp::inferReturnTypes(MLIRContext *, MaybeLoc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  types.push_back(boolLike(adaptor.getLhs().getType()));
  return success();
}

LogicalResult CompareOp::verify() {
  if (getKind() < CompareKind::ult || isa<IntegerType>(getLhs().getType().getElementType()))
    return success();
  return emitOpError() << "of kind " << stringifyCompareKind(getKind()) << " needs integers, got " << getLhs().getType();
}

LogicalResult BitcastOp::verify() {
  unsigned from = getX().getType().getElementTypeBitWidth(), to = getType().getElementTypeBitWidth();
  if (from == to)
    return success();
  return emitOpError() << "needs element types of the same width, got " << from << " and " << to << " bits";
}

//===-- folds ----------------------------------------------------------------------------------------------------===//

OpFoldResult NegOp::fold(FoldAdaptor) {
  if (auto inner = getX().getDefiningOp<NegOp>())
    return inner.getX();
  return {};
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getX().getType() == getType())
    return getX();
  // A widening conversion that is undone loses nothing.
  if (auto inner = getX().getDefiningOp<CastOp>(); inner && inner.getX().getType() == getType()) {
    auto narrow = dyn_cast<FloatType>(getElementTypeOrSelf(getType())), wide = dyn_cast<FloatType>(getElementTypeOrSelf(getX().getType()));
    if (narrow && wide && isExactConversion(narrow, wide))
      return inner.getX();
  }
  return {};
}

OpFoldResult StopGradientOp::fold(FoldAdaptor adaptor) { return adaptor.getX(); }

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  Value x = getX();
  while (auto inner = x.getDefiningOp<BitcastOp>())
    x = inner.getX();
  return x.getType() == getType() ? OpFoldResult(x) : OpFoldResult();
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  if (isSplat(adaptor.getRhs(), 0.0))
    return getLhs();
  return isSplat(adaptor.getLhs(), 0.0) ? OpFoldResult(getRhs()) : OpFoldResult();
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) { return isSplat(adaptor.getRhs(), 0.0) ? OpFoldResult(getLhs()) : OpFoldResult(); }

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isSplat(adaptor.getRhs(), 1.0))
    return getLhs();
  return isSplat(adaptor.getLhs(), 1.0) ? OpFoldResult(getRhs()) : OpFoldResult();
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) { return isSplat(adaptor.getRhs(), 1.0) ? OpFoldResult(getLhs()) : OpFoldResult(); }

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse())
    return getOnTrue();
  if (auto pred = dyn_cast_or_null<SplatElementsAttr>(adaptor.getPred()))
    return pred.getSplatValue<bool>() ? getOnTrue() : getOnFalse();
  return {};
}

//===-- canonicalization -----------------------------------------------------------------------------------------===//

namespace {
// x^2 = x * x, x^0.5 = sqrt(x), x^1 = x: exact, and far cheaper than pow.
struct PowByConstant : OpRewritePattern<PowOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PowOp op, PatternRewriter &rewriter) const override {
    Attribute exponent;
    if (!matchPattern(op.getRhs(), m_Constant(&exponent)))
      return rewriter.notifyMatchFailure(op, "exponent is not constant");
    Value x = op.getLhs();
    if (isSplat(exponent, 1.0))
      rewriter.replaceOp(op, x);
    else if (isSplat(exponent, 2.0))
      rewriter.replaceOpWithNewOp<MulOp>(op, x, x);
    else if (isSplat(exponent, 0.5))
      rewriter.replaceOpWithNewOp<SqrtOp>(op, x);
    else
      return rewriter.notifyMatchFailure(op, "exponent has no cheaper form");
    return success();
  }
};
} // namespace

void PowOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) { patterns.add<PowByConstant>(context); }
