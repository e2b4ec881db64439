// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pools and their gradients: a generic over the elements of the result, whose body loops over the window. The gradients gather from the windows that an element is in,
// so that no two iterations write one element.
#include "dialects/raf/infer/Shapes.h"
#include "passes/decompose/linalg/Lowering.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::lower;

namespace {

/// The geometry of a pool x -> y.
class Pool {
public:
  template <typename Op>
  Pool(Op op, RankedTensorType x, RankedTensorType y)
      : kernel(op.getKernel()), strides(op.getStrides()), padLow(op.getPadLow()), padHigh(op.getPadHigh()), dilations(op.getDilations()) {
    LayoutDims dims(op.getLayout(), x.getRank());
    first = dims.firstSpatial;
    spatial = dims.spatialRank;
    xSizes = x.getShape().slice(first, spatial);
    ySizes = y.getShape().slice(first, spatial);
  }

  using Step = function_ref<SmallVector<Value>(ImplicitLocOpBuilder &, ArrayRef<Value>, ValueRange)>;

  /// Loops over the window, in row-major order.
  SmallVector<Value> forWindow(ImplicitLocOpBuilder &b, ValueRange start, Step step) const {
    SmallVector<Value> window;
    return nest(b, kernel, window, start, step);
  }

  /// The position in x that tap `window` of the window of element `y` reads (indices of all dimensions), and whether it lies in x.
  std::pair<SmallVector<Value>, Value> tap(ImplicitLocOpBuilder &b, ArrayRef<Value> y, ArrayRef<Value> window) const {
    SmallVector<Value> position(y);
    Value inside;
    for (int64_t i = 0; i < spatial; ++i) {
      Value at = arith::AddIOp::create(b, times(b, y[first + i], strides[i]), times(b, window[i], dilations[i]));
      position[first + i] = plus(b, at, -padLow[i]);
      if (padLow[i] > 0 || padHigh[i] > 0)
        inside = conjunction(b, inside, inBounds(b, position[first + i], xSizes[i]));
    }
    return {position, inside};
  }

  /// Loops over the elements of y that may read an element of x: by dimension, the windows that reach it or, where taps are apart, the taps.
  SmallVector<Value> forReaders(ImplicitLocOpBuilder &b, ValueRange start, Step step) const {
    SmallVector<int64_t> counts;
    for (int64_t i = 0; i < spatial; ++i)
      counts.push_back(dilations[i] == 1 ? (kernel[i] - 1) / strides[i] + 1 : kernel[i]);
    SmallVector<Value> number;
    return nest(b, counts, number, start, step);
  }

  /// Candidate `number` of the elements of y that read element `x`, and whether it does.
  std::pair<SmallVector<Value>, Value> reader(ImplicitLocOpBuilder &b, ArrayRef<Value> x, ArrayRef<Value> number) const {
    SmallVector<Value> position(x);
    Value exists;
    for (int64_t i = 0; i < spatial; ++i) {
      Value offset = plus(b, x[first + i], padLow[i]), at;
      if (dilations[i] == 1) {
        // The last window that starts at or before x, and those before it. Cropping can give a negative offset, which is no window's.
        if (padLow[i] < 0)
          exists = conjunction(b, exists, arith::CmpIOp::create(b, arith::CmpIPredicate::sge, offset, index(b, 0)));
        Value last = strides[i] == 1 ? offset : arith::DivUIOp::create(b, offset, index(b, strides[i])).getResult();
        at = arith::SubIOp::create(b, last, number[i]);
        if (strides[i] != 1)
          exists = conjunction(b, exists, inBounds(b, arith::SubIOp::create(b, offset, times(b, at, strides[i])), kernel[i]));
      } else {
        Value distance = arith::SubIOp::create(b, offset, times(b, number[i], dilations[i]));
        at = strides[i] == 1 ? distance : arith::DivUIOp::create(b, distance, index(b, strides[i])).getResult();
        if (strides[i] != 1)
          exists = conjunction(b, exists, arith::CmpIOp::create(b, arith::CmpIPredicate::eq, times(b, at, strides[i]), distance));
      }
      exists = conjunction(b, exists, inBounds(b, at, ySizes[i]));
      position[first + i] = at;
    }
    return {position, exists};
  }

  /// Row-major position in the spatial plane of x.
  Value planePosition(ImplicitLocOpBuilder &b, ArrayRef<Value> x) const {
    Value flat = x[first];
    for (int64_t i = 1; i < spatial; ++i)
      flat = arith::AddIOp::create(b, times(b, flat, xSizes[i]), x[first + i]);
    return arith::IndexCastOp::create(b, b.getI32Type(), flat);
  }

  /// What the sum over the window of element `y` is divided by.
  Value divisor(ImplicitLocOpBuilder &b, ArrayRef<Value> y, bool countPadding, Type type) const {
    double constant = 1.0;
    Value counted;
    for (int64_t i = 0; i < spatial; ++i) {
      if (countPadding || (padLow[i] <= 0 && padHigh[i] <= 0)) {
        constant *= static_cast<double>(kernel[i]);
        continue;
      }
      // Taps from ceil(-start / dilation) to ceil((size - start) / dilation); a division that truncates serves, as what is below 0 counts as 0.
      Value start = times(b, y[first + i], strides[i]);
      auto tapAt = [&](int64_t position) -> Value {
        Value distance = arith::SubIOp::create(b, index(b, position + padLow[i] + dilations[i] - 1), start);
        return dilations[i] == 1 ? distance : arith::DivSIOp::create(b, distance, index(b, dilations[i])).getResult();
      };
      Value begin = arith::MaxSIOp::create(b, tapAt(0), index(b, 0)), end = arith::MinSIOp::create(b, tapAt(xSizes[i]), index(b, kernel[i]));
      Value count = arith::MaxSIOp::create(b, arith::SubIOp::create(b, end, begin), index(b, 0));
      counted = counted ? arith::MulIOp::create(b, counted, count).getResult() : count;
    }
    Value known = scalar(b, type, constant);
    if (!counted)
      return known;
    // A window that lies in the padding has the mean 0.
    counted = arith::MaxSIOp::create(b, counted, index(b, 1));
    Value number = arith::SIToFPOp::create(b, type, arith::IndexCastOp::create(b, b.getI64Type(), counted));
    return constant == 1.0 ? number : arith::MulFOp::create(b, number, known).getResult();
  }

private:
  static Value times(ImplicitLocOpBuilder &b, Value x, int64_t factor) { return factor == 1 ? x : arith::MulIOp::create(b, x, index(b, factor)).getResult(); }
  static Value plus(ImplicitLocOpBuilder &b, Value x, int64_t amount) { return amount == 0 ? x : arith::AddIOp::create(b, x, index(b, amount)).getResult(); }

  static SmallVector<Value> nest(ImplicitLocOpBuilder &b, Ints counts, SmallVector<Value> &window, ValueRange values, Step step) {
    size_t depth = window.size();
    if (depth == counts.size())
      return step(b, window, values);
    auto loop = scf::ForOp::create(b, index(b, 0), index(b, counts[depth]), index(b, 1), values);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    window.push_back(loop.getInductionVar());
    scf::YieldOp::create(b, nest(b, counts, window, loop.getRegionIterArgs(), step));
    window.pop_back();
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  Ints kernel, strides, padLow, padHigh, dilations, xSizes, ySizes;
  int64_t first, spatial;
};

struct MaxPoolLowering : OpConversionPattern<MaxPoolOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(MaxPoolOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType yType = tensorType(op.getY()), iType = tensorType(op.getIndices());
    Pool pool(op, tensorType(op.getX()), yType);
    AffineMap identity = rewriter.getMultiDimIdentityMap(yType.getRank());
    SmallVector<utils::IteratorType> iterators(yType.getRank(), utils::IteratorType::parallel);
    Type element = yType.getElementType();
    SmallVector<Value> results =
        accumulate(rewriter, loc, {}, {{empty(rewriter, loc, yType), identity}, {empty(rewriter, loc, iType), identity}}, iterators, [&](ImplicitLocOpBuilder &b, ValueRange) {
          SmallVector<Value> indices = loopIndices(b, yType.getRank());
          // Index -1 means that nothing was seen.
          Value start = arith::ConstantOp::create(b, neutral(ReduceKind::max, element)), none = scalar(b, b.getI32Type(), -1.0);
          return pool.forWindow(b, {start, none}, [&](ImplicitLocOpBuilder &wb, ArrayRef<Value> window, ValueRange best) -> SmallVector<Value> {
            auto [position, inside] = pool.tap(wb, indices, window);
            auto compare = [&, position = position]() -> SmallVector<Value> {
              Value value = tensor::ExtractOp::create(wb, adaptor.getX(), position);
              Value wide = widen(wb, value), held = widen(wb, best[0]);
              // Unordered: a NaN wins against numbers; but nothing wins against a NaN.
              Value beats = arith::AndIOp::create(wb, arith::CmpFOp::create(wb, arith::CmpFPredicate::UGT, wide, held),
                                                  arith::CmpFOp::create(wb, arith::CmpFPredicate::ORD, held, held));
              Value wins = arith::OrIOp::create(wb, beats, arith::CmpIOp::create(wb, arith::CmpIPredicate::slt, best[1], scalar(wb, wb.getI32Type(), 0.0)));
              return {arith::SelectOp::create(wb, wins, value, best[0]), arith::SelectOp::create(wb, wins, pool.planePosition(wb, position), best[1])};
            };
            if (!inside)
              return compare();
            auto branch = scf::IfOp::create(wb, TypeRange(best), inside, /*withElseRegion=*/true);
            OpBuilder::InsertionGuard guard(wb);
            wb.setInsertionPointToStart(branch.thenBlock());
            scf::YieldOp::create(wb, compare());
            wb.setInsertionPointToStart(branch.elseBlock());
            scf::YieldOp::create(wb, best);
            return llvm::to_vector_of<Value>(branch.getResults());
          });
        });
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct AvgPoolLowering : OpConversionPattern<AvgPoolOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(AvgPoolOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    Pool pool(op, tensorType(op.getX()), type);
    Type compute = computeType(type.getElementType());
    rewriter.replaceOp(op, mapElements(rewriter, op.getLoc(), type, {}, [&](ImplicitLocOpBuilder &b, ValueRange) {
                         SmallVector<Value> indices = loopIndices(b, type.getRank());
                         Value sum = pool.forWindow(b, scalar(b, compute, 0.0), [&](ImplicitLocOpBuilder &wb, ArrayRef<Value> window, ValueRange sofar) -> SmallVector<Value> {
                           auto [position, inside] = pool.tap(wb, indices, window);
                           return {guarded(wb, inside, sofar[0], [&, position = position](ImplicitLocOpBuilder &ib) -> Value {
                             return arith::AddFOp::create(ib, sofar[0], widen(ib, tensor::ExtractOp::create(ib, adaptor.getX(), position)));
                           })};
                         })[0];
                         Value mean = arith::DivFOp::create(b, sum, pool.divisor(b, indices, op.getCountIncludePad(), compute));
                         return narrow(b, mean, type.getElementType());
                       }));
    return success();
  }
};

/// dx as the sum over the elements of y that read it of what `contribution` gives.
template <typename Op>
void lowerPoolGrad(Op op, ConversionPatternRewriter &rewriter, const Pool &pool,
                   function_ref<Value(ImplicitLocOpBuilder &, ArrayRef<Value> x, ArrayRef<Value> y)> contribution) {
  RankedTensorType type = tensorType(op.getDx());
  Type compute = computeType(type.getElementType());
  rewriter.replaceOp(op, mapElements(rewriter, op.getLoc(), type, {}, [&](ImplicitLocOpBuilder &b, ValueRange) {
                       SmallVector<Value> indices = loopIndices(b, type.getRank());
                       Value sum = pool.forReaders(b, scalar(b, compute, 0.0), [&](ImplicitLocOpBuilder &wb, ArrayRef<Value> number, ValueRange sofar) -> SmallVector<Value> {
                         auto [position, exists] = pool.reader(wb, indices, number);
                         return {guarded(wb, exists, sofar[0], [&, position = position](ImplicitLocOpBuilder &ib) -> Value {
                           return arith::AddFOp::create(ib, sofar[0], contribution(ib, indices, position));
                         })};
                       })[0];
                       return narrow(b, sum, type.getElementType());
                     }));
}

struct MaxPoolGradLowering : OpConversionPattern<MaxPoolGradOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(MaxPoolGradOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Pool pool(op, tensorType(op.getDx()), tensorType(op.getDy()));
    lowerPoolGrad(op, rewriter, pool, [&](ImplicitLocOpBuilder &b, ArrayRef<Value> x, ArrayRef<Value> y) -> Value {
      Value named = tensor::ExtractOp::create(b, adaptor.getIndices(), y), value = widen(b, tensor::ExtractOp::create(b, adaptor.getDy(), y));
      Value isHere = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, named, pool.planePosition(b, x));
      return arith::SelectOp::create(b, isHere, value, scalar(b, value.getType(), 0.0));
    });
    return success();
  }
};

struct AvgPoolGradLowering : OpConversionPattern<AvgPoolGradOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(AvgPoolGradOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Pool pool(op, tensorType(op.getDx()), tensorType(op.getDy()));
    lowerPoolGrad(op, rewriter, pool, [&](ImplicitLocOpBuilder &b, ArrayRef<Value>, ArrayRef<Value> y) -> Value {
      Value value = widen(b, tensor::ExtractOp::create(b, adaptor.getDy(), y));
      return arith::DivFOp::create(b, value, pool.divisor(b, y, op.getCountIncludePad(), value.getType()));
    });
    return success();
  }
};

} // namespace

void lower::populatePool(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<AvgPoolGradLowering, AvgPoolLowering, MaxPoolGradLowering, MaxPoolLowering>(types, patterns.getContext());
}
