// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Family.h"
#include "dialects/raf/TensorBuilder.h"
#include "dialects/raf/infer/Shapes.h"
#include "mlir/IR/PatternMatch.h"
using namespace mlir;
using namespace mlir::raf;

#define GET_OP_CLASSES
#include "dialects/raf/Contraction.cpp.inc"

void mlir::raf::addContractionOps(RAFDialect &dialect) {
  addOps<
#define GET_OP_LIST
#include "dialects/raf/Contraction.cpp.inc"
      >(dialect);
}

LogicalResult MatmulOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  MaybeType type = inferMatmul(loc, cast<RankedTensorType>(adaptor.getLhs().getType()), cast<RankedTensorType>(adaptor.getRhs().getType()),
                               adaptor.getTransposeLhs(), adaptor.getTransposeRhs());
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
}

bool MatmulOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange actual) { return isProductType(inferred.front(), actual.front()); }

namespace {
/// What attention and its gradient check of their operands.
template <typename Adaptor>
LogicalResult checkAttention(MaybeLoc loc, StringRef name, Adaptor adaptor) {
  auto q = cast<RankedTensorType>(adaptor.getQ().getType()), k = cast<RankedTensorType>(adaptor.getK().getType()), v = cast<RankedTensorType>(adaptor.getV().getType());
  Type element = q.getElementType();
  if (q.getRank() != 4 || k.getRank() != 4 || v.getRank() != 4 || k.getElementType() != element || v.getElementType() != element)
    return emitOptionalError(loc, "'raf.", name, "' op q, k and v must have rank 4 and one element type, got ", q, ", ", k, " and ", v);
  if (k.getDimSize(0) != q.getDimSize(0) || v.getDimSize(0) != q.getDimSize(0) || k.getDimSize(3) != q.getDimSize(3) || v.getDimSize(1) != k.getDimSize(1) ||
      v.getDimSize(2) != k.getDimSize(2) || k.getDimSize(1) == 0 || q.getDimSize(1) % k.getDimSize(1) != 0)
    return emitOptionalError(loc, "'raf.", name, "' op expects q [b, h, t, d], k [b, g, s, d], v [b, g, s, e] with h a multiple of g, got ", q, ", ", k, " and ", v);
  if (Value biasValue = adaptor.getBias()) {
    auto bias = cast<RankedTensorType>(biasValue.getType());
    auto fits = [](int64_t size, int64_t full) { return size == 1 || size == full; };
    if (bias.getRank() != 4 || bias.getElementType() != element || !fits(bias.getDimSize(0), q.getDimSize(0)) || !fits(bias.getDimSize(1), q.getDimSize(1)) ||
        !fits(bias.getDimSize(2), q.getDimSize(2)) || bias.getDimSize(3) != k.getDimSize(2))
      return emitOptionalError(loc, "'raf.", name, "' op bias must be [1|b, 1|h, 1|t, s] of the same element type, got ", bias);
  }
  double ratio = adaptor.getRatio().convertToDouble();
  if (!(ratio >= 0.0 && ratio < 1.0))
    return emitOptionalError(loc, "'raf.", name, "' op ratio must be in [0, 1), got ", ratio);
  if (static_cast<bool>(adaptor.getSeed()) != static_cast<bool>(adaptor.getStep()) || (ratio != 0.0 && !adaptor.getSeed()))
    return emitOptionalError(loc, "'raf.", name, "' op needs a seed and a step to drop weights");
  return success();
}

/// [b, h, t] in the type of row sums.
RankedTensorType rowType(RankedTensorType q) { return RankedTensorType::get(q.getShape().drop_back(), TensorBuilder::computeType(q.getElementType())); }
} // namespace

LogicalResult AttentionOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  if (failed(checkAttention(loc, "attention", adaptor)))
    return failure();
  auto q = cast<RankedTensorType>(adaptor.getQ().getType()), v = cast<RankedTensorType>(adaptor.getV().getType());
  types.push_back(q.clone({q.getDimSize(0), q.getDimSize(1), q.getDimSize(2), v.getDimSize(3)}));
  types.push_back(rowType(q));
  return success();
}

LogicalResult AttentionGradOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  if (failed(checkAttention(loc, "attention_grad", adaptor)))
    return failure();
  auto q = cast<RankedTensorType>(adaptor.getQ().getType()), v = cast<RankedTensorType>(adaptor.getV().getType());
  RankedTensorType y = q.clone({q.getDimSize(0), q.getDimSize(1), q.getDimSize(2), v.getDimSize(3)}), row = rowType(q);
  if (adaptor.getDy().getType() != y || adaptor.getLse().getType() != row || adaptor.getDelta().getType() != row)
    return emitOptionalError(loc, "'raf.attention_grad' op expects dy of type ", y, " and lse and delta of type ", row, ", got ", adaptor.getDy().getType(), ", ",
                             adaptor.getLse().getType(), " and ", adaptor.getDelta().getType());
  if (adaptor.getBiasGrad() && (!adaptor.getBias() || cast<RankedTensorType>(adaptor.getBias().getType()).getDimSize(2) != q.getDimSize(2)))
    return emitOptionalError(loc, "'raf.attention_grad' op has bias_grad but no bias with a row for each query");
  llvm::append_values(types, q, adaptor.getK().getType(), v);
  if (adaptor.getBiasGrad())
    types.push_back(adaptor.getBias().getType());
  return success();
}

namespace {
// matmul(transpose(a), b) = matmul(a, b) with the flag turned, when the transpose swaps just the last two dimensions.
struct AbsorbTranspose : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  static Value swapped(Value operand) {
    auto transpose = operand.getDefiningOp<TransposeOp>();
    if (!transpose)
      return {};
    Ints permutation = transpose.getPermutation();
    int64_t rank = permutation.size();
    for (int64_t d = 0; d < rank - 2; ++d)
      if (permutation[d] != d)
        return {};
    return permutation[rank - 2] == rank - 1 ? transpose.getX() : Value();
  }
  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    Value lhs = swapped(op.getLhs()), rhs = swapped(op.getRhs());
    if (!lhs && !rhs)
      return rewriter.notifyMatchFailure(op, "no operand swaps its last two dimensions");
    rewriter.replaceOpWithNewOp<MatmulOp>(op, op.getType(), lhs ? lhs : op.getLhs(), rhs ? rhs : op.getRhs(), op.getTransposeLhs() != static_cast<bool>(lhs),
                                          op.getTransposeRhs() != static_cast<bool>(rhs));
    return success();
  }
};
} // namespace

void MatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) { patterns.add<AbsorbTranspose>(context); }
