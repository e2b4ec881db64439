// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/linalg/Lowering.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::lower;

namespace {

/// The loops of a reduction of the dimensions dims of a tensor, and the map of its result.
struct ReductionLoops {
  SmallVector<utils::IteratorType> iterators;
  AffineMap result;

  ReductionLoops(MLIRContext *context, int64_t rank, Ints dims) : iterators(rank, utils::IteratorType::parallel) {
    for (int64_t dim : dims)
      iterators[dim] = utils::IteratorType::reduction;
    SmallVector<AffineExpr> kept;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (iterators[dim] == utils::IteratorType::parallel)
        kept.push_back(getAffineDimExpr(dim, context));
    result = AffineMap::get(rank, 0, kept, context);
  }
};

struct ReduceLowering : OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ReduceOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = adaptor.getX();
    RankedTensorType xType = tensorType(x), yType = op.getType();
    Type compute = computeType(xType.getElementType());
    ReductionLoops loops(getContext(), xType.getRank(), op.getDims());
    Value init = filled(rewriter, loc, yType.clone(compute), neutral(op.getKind(), compute));
    SmallVector<Value> y = accumulate(rewriter, loc, {{x, rewriter.getMultiDimIdentityMap(xType.getRank())}}, {{init, loops.result}}, loops.iterators,
                                      [&](ImplicitLocOpBuilder &b, ValueRange args) -> SmallVector<Value> {
                                        Value element = isa<FloatType>(compute) ? widen(b, args[0]) : args[0];
                                        return {combine(b, op.getKind(), args[1], element)};
                                      });
    rewriter.replaceOp(op, convertTensor(rewriter, loc, y[0], yType.getElementType()));
    return success();
  }
};

// Runs along the axis with the pair (extremum so far, its index); index -1 means that nothing was seen.
struct ArgReduceLowering : OpConversionPattern<ArgReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ArgReduceOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = adaptor.getX();
    RankedTensorType xType = tensorType(x), yType = op.getType();
    Type element = xType.getElementType(), indexType = yType.getElementType();
    int64_t axis = op.getAxis();
    bool isMax = op.getKind() == ReduceKind::max;
    ReductionLoops loops(getContext(), xType.getRank(), {axis});
    Value best = filled(rewriter, loc, yType.clone(element), neutral(op.getKind(), element)), where = filled(rewriter, loc, yType, -1.0);
    SmallVector<Value> y =
        accumulate(rewriter, loc, {{x, rewriter.getMultiDimIdentityMap(xType.getRank())}}, {{best, loops.result}, {where, loops.result}}, loops.iterators,
                   [&](ImplicitLocOpBuilder &b, ValueRange args) -> SmallVector<Value> {
                     Value value = args[0], extremum = args[1], found = args[2];
                     Value wins = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, found, scalar(b, indexType, 0.0));
                     if (isa<FloatType>(element)) {
                       // Above, or NaN: an unordered comparison is true for both; but no NaN follows a NaN.
                       Value wide = widen(b, value), held = widen(b, extremum);
                       Value beats = arith::CmpFOp::create(b, isMax ? arith::CmpFPredicate::UGT : arith::CmpFPredicate::ULT, wide, held);
                       Value heldIsNumber = arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, held, held);
                       wins = arith::OrIOp::create(b, wins, arith::AndIOp::create(b, beats, heldIsNumber));
                     } else {
                       Value beats = arith::CmpIOp::create(b, isMax ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt, value, extremum);
                       wins = arith::OrIOp::create(b, wins, beats);
                     }
                     Value position = arith::IndexCastOp::create(b, indexType, loopIndex(b, axis));
                     return {arith::SelectOp::create(b, wins, value, extremum), arith::SelectOp::create(b, wins, position, found)};
                   });
    rewriter.replaceOp(op, y[1]);
    return success();
  }
};

} // namespace

void lower::populateReduction(const TypeConverter &types, RewritePatternSet &patterns) { patterns.add<ReduceLowering, ArgReduceLowering>(types, patterns.getContext()); }
