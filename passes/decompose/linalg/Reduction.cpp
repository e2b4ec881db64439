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

// The extremum first, then the least index that has it: two plain reductions, which vectorize where one that carries a pair would not.
struct ArgReduceLowering : OpConversionPattern<ArgReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ArgReduceOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = adaptor.getX();
    RankedTensorType xType = tensorType(x), yType = tensorType(op.getY());
    Type element = xType.getElementType(), indexType = yType.getElementType();
    int64_t axis = op.getAxis();
    ReductionLoops loops(getContext(), xType.getRank(), {axis});
    Access all{x, rewriter.getMultiDimIdentityMap(xType.getRank())};
    Type compute = computeType(element);
    Value extremum = filled(rewriter, loc, yType.clone(compute), neutral(op.getKind(), compute));
    extremum = accumulate(rewriter, loc, {all}, {{extremum, loops.result}}, loops.iterators, [&](ImplicitLocOpBuilder &b, ValueRange args) -> SmallVector<Value> {
      return {combine(b, op.getKind(), args[1], isa<FloatType>(element) ? widen(b, args[0]) : args[0])};
    })[0];
    TypedAttr none = neutral(ReduceKind::min, indexType);
    Value found = filled(rewriter, loc, yType, none);
    found = accumulate(rewriter, loc, {all, {extremum, loops.result}}, {{found, loops.result}}, loops.iterators, [&](ImplicitLocOpBuilder &b, ValueRange args) -> SmallVector<Value> {
      Value hit;
      if (isa<FloatType>(element)) {
        // If there is a NaN, the extremum is NaN and equals nothing.
        Value value = widen(b, args[0]);
        hit = arith::OrIOp::create(b, arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, value, args[1]),
                                   arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value));
      } else {
        hit = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, args[0], args[1]);
      }
      Value position = arith::IndexCastOp::create(b, indexType, loopIndex(b, axis));
      Value candidate = arith::SelectOp::create(b, hit, position, arith::ConstantOp::create(b, none));
      return {combine(b, ReduceKind::min, args[2], candidate)};
    })[0];
    rewriter.replaceOp(op, found);
    return success();
  }
};

} // namespace

void lower::populateReduction(const TypeConverter &types, RewritePatternSet &patterns) { patterns.add<ReduceLowering, ArgReduceLowering>(types, patterns.getContext()); }
