// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters and scans for devices with many threads: each element of the result looks for what is added to it, instead of each update for where it goes. So all elements are computed at
// once, in an order that depends on nothing, without atomics; and a scatter is a pointwise op that fuses with what reads it, such as the optimizer's update of a table.
#include "passes/decompose/linalg/Scatter.h"
#include "passes/decompose/linalg/Lowering.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::lower;

namespace {

/// Of the kinds that combine, in the type of arithmetic.
Value combineWith(ImplicitLocOpBuilder &b, ScatterKind kind, Value old, Value update) {
  if (kind == ScatterKind::set)
    return update;
  return combine(b, kind == ScatterKind::mul ? ReduceKind::prod : kind == ScatterKind::max ? ReduceKind::max : ReduceKind::min, old, update);
}

Value widenAny(ImplicitLocOpBuilder &b, Value x) { return isa<FloatType>(x.getType()) ? widen(b, x) : x; }
Value narrowAny(ImplicitLocOpBuilder &b, Value x, Type element) { return isa<FloatType>(x.getType()) ? narrow(b, x, element) : x; }

Value toIndex(ImplicitLocOpBuilder &b, Value integer) { return arith::IndexCastOp::create(b, b.getIndexType(), integer); }

/// scf.for from `from` to `to` that carries a scalar.
Value loop(ImplicitLocOpBuilder &b, Value from, Value to, Value initial, function_ref<Value(ImplicitLocOpBuilder &, Value, Value)> body) {
  auto op = scf::ForOp::create(b, from, to, index(b, 1), ValueRange{initial});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.getBody());
  scf::YieldOp::create(b, body(b, op.getInductionVar(), op.getRegionIterArgs().front()));
  return op.getResult(0);
}

/// The updates by the slice that they go to: those of slice v are order[first[v]] ... order[first[v + 1] - 1], in their own order. Found by comparing all indices with each other, which
/// takes no more than adding the updates does as long as those are not many more than a slice has elements.
struct Segments {
  Value order, first;
};

Segments segmentsOf(OpBuilder &b, Location loc, Value indices, int64_t slices) {
  int64_t count = tensorType(indices).getNumElements();
  MLIRContext *context = b.getContext();
  // An index outside belongs behind the last slice.
  Type key = slices < std::numeric_limits<int32_t>::max() ? b.getI32Type() : b.getI64Type(), place = b.getI32Type();
  AffineMap id = b.getMultiDimIdentityMap(1);
  Value keys = mapElements(b, loc, RankedTensorType::get({count}, key), {{indices, id}}, [&](ImplicitLocOpBuilder &ib, ValueRange args) -> Value {
    Value at = toIndex(ib, args[0]);
    return arith::IndexCastOp::create(ib, key, arith::SelectOp::create(ib, inBounds(ib, at, slices), at, index(ib, slices)));
  });
  AffineMap mine = AffineMap::get(2, 0, getAffineDimExpr(0, context)), other = AffineMap::get(2, 0, getAffineDimExpr(1, context));
  utils::IteratorType iterators[] = {utils::IteratorType::parallel, utils::IteratorType::reduction};
  auto zeros = [&](Type element) { return filled(b, loc, RankedTensorType::get({count}, element), 0.0); };
  Value rank = accumulate(b, loc, {{keys, mine}, {keys, other}}, {{zeros(place), mine}}, iterators, [&](ImplicitLocOpBuilder &ib, ValueRange args) -> SmallVector<Value> {
    Value less = arith::CmpIOp::create(ib, arith::CmpIPredicate::slt, args[1], args[0]), equal = arith::CmpIOp::create(ib, arith::CmpIPredicate::eq, args[1], args[0]);
    Value earlier = arith::CmpIOp::create(ib, arith::CmpIPredicate::ult, loopIndex(ib, 1), loopIndex(ib, 0));
    Value before = arith::OrIOp::create(ib, less, arith::AndIOp::create(ib, equal, earlier));
    return {combine(ib, ReduceKind::sum, args[2], arith::ExtUIOp::create(ib, place, before))};
  })[0];
  SmallVector<Value> sorted = accumulate(b, loc, {{rank, other}, {keys, other}}, {{zeros(place), mine}, {zeros(key), mine}}, iterators,
                                         [&](ImplicitLocOpBuilder &ib, ValueRange args) -> SmallVector<Value> {
                                           Value here = arith::CmpIOp::create(ib, arith::CmpIPredicate::eq, toIndex(ib, args[0]), loopIndex(ib, 0));
                                           Value number = arith::IndexCastOp::create(ib, place, loopIndex(ib, 1));
                                           return {combine(ib, ReduceKind::sum, args[2], arith::SelectOp::create(ib, here, number, scalar(ib, place, 0.0))),
                                                   combine(ib, ReduceKind::sum, args[3], arith::SelectOp::create(ib, here, args[1], scalar(ib, key, 0.0)))};
                                         });
  // By halves: each step takes a power of two of the keys that are less.
  Value first = mapElements(b, loc, RankedTensorType::get({slices + 1}, place), {}, [&](ImplicitLocOpBuilder &ib, ValueRange) -> Value {
    Value slice = arith::IndexCastOp::create(ib, key, loopIndex(ib, 0));
    Value steps = index(ib, llvm::Log2_64(count) + 1), most = index(ib, int64_t(1) << llvm::Log2_64(count));
    Value found = loop(ib, index(ib, 0), steps, index(ib, 0), [&](ImplicitLocOpBuilder &nb, Value step, Value sofar) -> Value {
      Value next = arith::AddIOp::create(nb, sofar, arith::ShRUIOp::create(nb, most, step));
      Value fits = arith::CmpIOp::create(nb, arith::CmpIPredicate::ule, next, index(nb, count));
      Value at = arith::SubIOp::create(nb, arith::MinUIOp::create(nb, next, index(nb, count)), index(nb, 1));
      Value less = arith::CmpIOp::create(nb, arith::CmpIPredicate::slt, tensor::ExtractOp::create(nb, sorted[1], at), slice);
      return arith::SelectOp::create(nb, arith::AndIOp::create(nb, fits, less), next, sofar);
    });
    return arith::IndexCastOp::create(ib, place, found);
  });
  return {sorted[0], first};
}

Value reshaped(OpBuilder &b, Location loc, Value tensor, Ints shape) {
  RankedTensorType type = tensorType(tensor), wanted = RankedTensorType::get(shape, type.getElementType());
  return type == wanted ? tensor : ReshapeOp::create(b, loc, wanted, tensor).getResult();
}

// Against each other, some thousands of indices are compared in the time that one thread takes to add one element: with more updates than this for each element of one, a loop over them is quicker.
constexpr int64_t kMostUpdates = 500'000;

using Combine = function_ref<Value(ImplicitLocOpBuilder &, Value old, Value update)>;

/// y[a, v, c] = x[a, v, c] combined with updates[a, i, c] for each i with indices[i] = v, in order.
template <typename Op>
LogicalResult gatherUpdates(Op op, typename Op::Adaptor adaptor, ConversionPatternRewriter &rewriter, Combine combineStep) {
  Location loc = op.getLoc();
  RankedTensorType type = storageType(op.getY());
  int64_t axis = op.getAxis(), slices = type.getDimSize(axis), rank = type.getRank();
  int64_t count = tensorType(adaptor.getIndices()).getNumElements();
  if (type.getNumElements() == 0 || tensorType(adaptor.getUpdates()).getNumElements() == 0)
    return rewriter.replaceOp(op, adaptor.getX()), success();
  if (count / kMostUpdates >= tensorType(adaptor.getUpdates()).getNumElements() / count) {
    remark::missed(loc, remark::RemarkOpts::name("Scatter").category("raf-convert-to-linalg")) << "on one thread: too many indices to compare them with each other";
    return failure();
  }
  SmallVector<int64_t> flat(type.getShape());
  flat[axis] = count;
  Value updates = reshaped(rewriter, loc, adaptor.getUpdates(), flat);
  Segments segments = segmentsOf(rewriter, loc, reshaped(rewriter, loc, adaptor.getIndices(), {count}), slices);
  rewriter.replaceOp(op, mapElements(rewriter, loc, type, {{adaptor.getX(), rewriter.getMultiDimIdentityMap(rank)}}, [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                       SmallVector<Value> own = loopIndices(b, rank);
                       // Read as elements: as operands of the op, their search would become part of it, for each element anew.
                       Value from = toIndex(b, tensor::ExtractOp::create(b, segments.first, own[axis]));
                       Value to = toIndex(b, tensor::ExtractOp::create(b, segments.first, arith::AddIOp::create(b, own[axis], index(b, 1)).getResult()));
                       Value sum = loop(b, from, to, widenAny(b, args[0]), [&](ImplicitLocOpBuilder &nb, Value at, Value sofar) -> Value {
                         SmallVector<Value> position = own;
                         position[axis] = toIndex(nb, tensor::ExtractOp::create(nb, segments.order, at));
                         return combineStep(nb, sofar, widenAny(nb, tensor::ExtractOp::create(nb, updates, position)));
                       });
                       return narrowAny(b, sum, type.getElementType());
                     }));
  return success();
}

struct ScatterAddByResult : OpConversionPattern<ScatterAddOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ScatterAddOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    return gatherUpdates(op, adaptor, rewriter, [](ImplicitLocOpBuilder &b, Value old, Value update) { return combine(b, ReduceKind::sum, old, update); });
  }
};

struct ScatterByResult : OpConversionPattern<ScatterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ScatterOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    ScatterKind kind = op.getKind();
    return gatherUpdates(op, adaptor, rewriter, [kind](ImplicitLocOpBuilder &b, Value old, Value update) { return combineWith(b, kind, old, update); });
  }
};

// Each line along the axis has indices of its own, as many as updates: they are compared with every place of the line.
struct AddAlongAxisByResult : OpConversionPattern<AddAlongAxisOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(AddAlongAxisOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = storageType(op.getY());
    int64_t rank = type.getRank(), axis = op.getAxis();
    if (type.getNumElements() == 0 || tensorType(adaptor.getUpdates()).getNumElements() == 0)
      return rewriter.replaceOp(op, adaptor.getX()), success();
    Type compute = computeType(type.getElementType());
    MLIRContext *context = getContext();
    SmallVector<AffineExpr> along;
    for (int64_t dim = 0; dim < rank; ++dim)
      along.push_back(getAffineDimExpr(dim == axis ? rank : dim, context));
    AffineMap line = AffineMap::get(rank + 1, 0, along, context), result = AffineMap::getMultiDimIdentityMap(rank + 1, context).dropResult(rank);
    SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
    iterators.push_back(utils::IteratorType::reduction);
    Value start = splatOf(adaptor.getX()) ? filled(rewriter, loc, type, splatOf(adaptor.getX())) : adaptor.getX();
    Value y = convertTensor(rewriter, loc, start, compute);
    y = accumulate(rewriter, loc, {{adaptor.getIndices(), line}, {adaptor.getUpdates(), line}}, {{y, result}}, iterators, [&](ImplicitLocOpBuilder &b, ValueRange args) -> SmallVector<Value> {
      Value here = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, toIndex(b, args[0]), loopIndex(b, axis));
      return {combine(b, ReduceKind::sum, args[2], arith::SelectOp::create(b, here, widenAny(b, args[1]), scalar(b, compute, 0.0)))};
    })[0];
    rewriter.replaceOp(op, convertTensor(rewriter, loc, y, type.getElementType()));
    return success();
  }
};

struct DynamicUpdateSliceByResult : OpConversionPattern<DynamicUpdateSliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(DynamicUpdateSliceOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = storageType(op.getType()), box = tensorType(adaptor.getUpdate());
    int64_t rank = type.getRank();
    if (box.getNumElements() == 0)
      return rewriter.replaceOp(op, adaptor.getX()), success();
    rewriter.replaceOp(op, mapElements(rewriter, op.getLoc(), type, {{adaptor.getX(), rewriter.getMultiDimIdentityMap(rank)}}, [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                         Value inside;
                         SmallVector<Value> position;
                         for (auto [dim, start] : llvm::enumerate(adaptor.getStarts())) {
                           Value at = loopIndex(b, dim);
                           if (int64_t extent = box.getDimSize(dim), size = type.getDimSize(dim); extent != size) {
                             at = arith::SubIOp::create(b, at, clampIndex(b, tensor::ExtractOp::create(b, start, ValueRange{}), size - extent + 1));
                             inside = conjunction(b, inside, inBounds(b, at, extent));
                           }
                           position.push_back(at);
                         }
                         return guarded(b, inside, args[0], [&](ImplicitLocOpBuilder &ib) -> Value { return tensor::ExtractOp::create(ib, adaptor.getUpdate(), position); });
                       }));
    return success();
  }
};

// In chunks: the sum of each, what comes before each, and the sums within. With chunks of the cube root of the length, the last two take about as long.
struct CumsumByResult : OpConversionPattern<CumsumOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(CumsumOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = tensorType(op.getY());
    int64_t axis = op.getAxis(), size = type.getDimSize(axis), rank = type.getRank();
    if (type.getNumElements() == 0)
      return rewriter.replaceOp(op, adaptor.getX()), success();
    Value x = adaptor.getX();
    if (TypedAttr splat = splatOf(x))
      x = filled(rewriter, loc, type, splat);
    Type compute = computeType(type.getElementType());
    constexpr int64_t kShort = 64;
    int64_t chunk = 16;
    while (chunk * chunk * chunk < size)
      chunk *= 2;
    if (size <= kShort)
      chunk = size;
    // The sum of x from one place of the order in which it is summed up to another.
    auto sumOf = [&](ImplicitLocOpBuilder &b, Value from, Value to) {
      SmallVector<Value> own = loopIndices(b, rank);
      return loop(b, from, to, scalar(b, compute, 0.0), [&](ImplicitLocOpBuilder &nb, Value at, Value sofar) -> Value {
        SmallVector<Value> position = own;
        position[axis] = op.getReverse() ? arith::SubIOp::create(nb, index(nb, size - 1), at).getResult() : at;
        return combine(nb, ReduceKind::sum, sofar, widenAny(nb, tensor::ExtractOp::create(nb, x, position)));
      });
    };
    Value before;
    if (chunk < size) {
      SmallVector<int64_t> shape(type.getShape());
      shape[axis] = llvm::divideCeil(size, chunk);
      auto chunks = RankedTensorType::get(shape, compute);
      Value sums = mapElements(rewriter, loc, chunks, {}, [&](ImplicitLocOpBuilder &b, ValueRange) -> Value {
        Value from = arith::MulIOp::create(b, loopIndex(b, axis), index(b, chunk));
        return sumOf(b, from, arith::MinUIOp::create(b, arith::AddIOp::create(b, from, index(b, chunk)), index(b, size)));
      });
      before = mapElements(rewriter, loc, chunks, {}, [&](ImplicitLocOpBuilder &b, ValueRange) -> Value {
        SmallVector<Value> own = loopIndices(b, rank);
        return loop(b, index(b, 0), own[axis], scalar(b, compute, 0.0), [&](ImplicitLocOpBuilder &nb, Value at, Value sofar) -> Value {
          SmallVector<Value> position = own;
          position[axis] = at;
          return combine(nb, ReduceKind::sum, sofar, tensor::ExtractOp::create(nb, sums, position));
        });
      });
    }
    rewriter.replaceOp(op, mapElements(rewriter, loc, type, {}, [&](ImplicitLocOpBuilder &b, ValueRange) -> Value {
                         Value at = loopIndex(b, axis);
                         if (op.getReverse())
                           at = arith::SubIOp::create(b, index(b, size - 1), at);
                         Value number = arith::DivUIOp::create(b, at, index(b, chunk)), from = arith::MulIOp::create(b, number, index(b, chunk));
                         Value sum = sumOf(b, from, op.getExclusive() ? at : arith::AddIOp::create(b, at, index(b, 1)).getResult());
                         if (before) {
                           SmallVector<Value> position = loopIndices(b, rank);
                           position[axis] = number;
                           sum = combine(b, ReduceKind::sum, tensor::ExtractOp::create(b, before, position), sum);
                         }
                         return narrowAny(b, sum, type.getElementType());
                       }));
    return success();
  }
};

} // namespace

void lower::populateByResult(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<AddAlongAxisByResult, CumsumByResult, DynamicUpdateSliceByResult, ScatterAddByResult, ScatterByResult>(types, patterns.getContext(), /*benefit=*/2);
}
