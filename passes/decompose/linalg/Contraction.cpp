// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/Blocks.h"
#include "passes/decompose/linalg/Lowering.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::lower;

Value lower::multiplyAdd(OpBuilder &b, Operation *op, Access lhs, Access rhs, AffineMap result, RankedTensorType type, ArrayRef<utils::IteratorType> iterators) {
  Location loc = op->getLoc();
  Type compute = computeType(type.getElementType());
  Value init = filled(b, loc, type.clone(compute), 0.0);
  SmallVector<Value> y = accumulate(b, loc, {lhs, rhs}, {{init, result}}, iterators, [&](ImplicitLocOpBuilder &ib, ValueRange args) -> SmallVector<Value> {
    if (!isa<FloatType>(compute))
      return {arith::AddIOp::create(ib, args[2], arith::MulIOp::create(ib, args[0], args[1]))};
    Value product = arith::MulFOp::create(ib, widen(ib, args[0]), widen(ib, args[1]));
    return {arith::AddFOp::create(ib, args[2], product)};
  });
  if (Attribute blocks = op->getDiscardableAttr(kBlocksAttr))
    y[0].getDefiningOp()->setDiscardableAttr(kBlocksAttr, blocks);
  return convertTensor(b, loc, y[0], type.getElementType());
}

namespace {

// Loops: batch dimensions, m, n, k.
struct MatmulLowering : OpConversionPattern<MatmulOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(MatmulOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    int64_t rank = type.getRank(), loops = rank + 1;
    auto map = [&](int64_t row, int64_t column, bool transposed) {
      SmallVector<AffineExpr> exprs;
      for (int64_t dim = 0; dim < rank - 2; ++dim)
        exprs.push_back(rewriter.getAffineDimExpr(dim));
      exprs.push_back(rewriter.getAffineDimExpr(transposed ? column : row));
      exprs.push_back(rewriter.getAffineDimExpr(transposed ? row : column));
      return AffineMap::get(loops, 0, exprs, getContext());
    };
    int64_t m = rank - 2, n = rank - 1, k = rank;
    SmallVector<utils::IteratorType> iterators(loops, utils::IteratorType::parallel);
    iterators.back() = utils::IteratorType::reduction;
    rewriter.replaceOp(op, multiplyAdd(rewriter, op, {adaptor.getLhs(), map(m, k, op.getTransposeLhs())}, {adaptor.getRhs(), map(k, n, op.getTransposeRhs())},
                                       map(m, n, false), type, iterators));
    return success();
  }
};

} // namespace

void lower::populateContraction(const TypeConverter &types, RewritePatternSet &patterns) { patterns.add<MatmulLowering>(types, patterns.getContext()); }
