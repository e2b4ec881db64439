// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers are generics. Scatters and scans, which linalg cannot say, are loop nests on tensors in kernels of their own; they update the destination in place.
#include "passes/decompose/linalg/Lowering.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::lower;

namespace {

struct GatherLowering : OpConversionPattern<GatherOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(GatherOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = storageType(op.getType()), xType = tensorType(adaptor.getX()), iType = tensorType(adaptor.getIndices());
    int64_t axis = op.getAxis(), size = xType.getDimSize(axis);
    if (size == 0)
      return rewriter.replaceOp(op, filled(rewriter, op.getLoc(), type, 0.0)), success();
    AffineMap map = rewriter.getMultiDimIdentityMap(type.getRank()).getSliceMap(axis, iType.getRank());
    rewriter.replaceOp(op, mapElements(rewriter, op.getLoc(), type, {{adaptor.getIndices(), map}}, [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                         SmallVector<Value> position;
                         for (int64_t dim = 0; dim < xType.getRank(); ++dim)
                           position.push_back(dim == axis ? clampIndex(b, args[0], size) : loopIndex(b, dim < axis ? dim : dim + iType.getRank() - 1));
                         return tensor::ExtractOp::create(b, adaptor.getX(), position);
                       }));
    return success();
  }
};

struct TakeAlongAxisLowering : OpConversionPattern<TakeAlongAxisOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(TakeAlongAxisOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = storageType(op.getType());
    int64_t axis = op.getAxis(), size = tensorType(adaptor.getX()).getDimSize(axis);
    if (size == 0)
      return rewriter.replaceOp(op, filled(rewriter, op.getLoc(), type, 0.0)), success();
    AffineMap map = rewriter.getMultiDimIdentityMap(type.getRank());
    rewriter.replaceOp(op, mapElements(rewriter, op.getLoc(), type, {{adaptor.getIndices(), map}}, [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                         SmallVector<Value> position = loopIndices(b, type.getRank());
                         position[axis] = clampIndex(b, args[0], size);
                         return tensor::ExtractOp::create(b, adaptor.getX(), position);
                       }));
    return success();
  }
};

/// A raf.kernel with one destination that starts as `init`. The body gets the inputs and the destination and returns its new contents.
Value kernel(OpBuilder &b, Location loc, StringRef label, ValueRange inputs, Value init, ScalarBody body) {
  auto op = KernelOp::create(b, loc, TypeRange{init.getType()}, inputs, ValueRange{init}, b.getStringAttr(label));
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&op.getBody());
  for (Value operand : op->getOperands())
    block->addArgument(operand.getType(), loc);
  ImplicitLocOpBuilder ib(loc, b);
  YieldOp::create(ib, body(ib, block->getArguments()));
  return op.getResult(0);
}

/// Loops over a box, outermost dimension first, that carry one value.
Value loopNest(ImplicitLocOpBuilder &b, Ints sizes, Value carried, function_ref<Value(ImplicitLocOpBuilder &, ArrayRef<Value>, Value)> body) {
  SmallVector<Value> indices;
  std::function<Value(Value)> nest = [&](Value value) -> Value {
    if (indices.size() == sizes.size())
      return body(b, indices, value);
    auto loop = scf::ForOp::create(b, index(b, 0), index(b, sizes[indices.size()]), index(b, 1), ValueRange{value});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    indices.push_back(loop.getInductionVar());
    Value next = nest(loop.getRegionIterArgs().front());
    scf::YieldOp::create(b, next);
    indices.pop_back();
    return loop.getResult(0);
  };
  return nest(carried);
}

/// Combines two elements in the type of arithmetic; they have the storage type.
using Combine = function_ref<Value(ImplicitLocOpBuilder &, Value old, Value update)>;

/// condition ? body() : otherwise, on tensors.
Value guardedTensor(ImplicitLocOpBuilder &b, Value condition, Value otherwise, function_ref<Value()> body) {
  return guarded(b, condition, otherwise, [&](ImplicitLocOpBuilder &) { return body(); });
}

/// y = x, then y[the position with `target` at the axis] = combine(itself, updates[...]) for every element of updates.
template <typename Op>
LogicalResult lowerScatter(Op op, typename Op::Adaptor adaptor, ConversionPatternRewriter &rewriter, StringRef label,
                           function_ref<SmallVector<Value>(ArrayRef<Value>)> indexPosition,
                           function_ref<SmallVector<Value>(ArrayRef<Value>, Value)> targetPosition, Combine combine) {
  RankedTensorType type = storageType(op.getY()), uType = tensorType(adaptor.getUpdates());
  int64_t size = type.getDimSize(op.getAxis());
  if (uType.getNumElements() == 0 || type.getNumElements() == 0)
    return rewriter.replaceOp(op, adaptor.getX()), success();
  // A splat is written by the kernel itself; anything else is updated where it lies, or in a copy where it must not be.
  TypedAttr start = splatOf(adaptor.getX());
  Value init = start ? empty(rewriter, op.getLoc(), type) : adaptor.getX();
  rewriter.replaceOp(op, kernel(rewriter, op.getLoc(), label, {adaptor.getIndices(), adaptor.getUpdates()}, init, [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                       Value y = start ? linalg::FillOp::create(b, ValueRange{arith::ConstantOp::create(b, start)}, ValueRange{args.back()}).getResult(0) : args.back();
                       return loopNest(b, uType.getShape(), y, [&](ImplicitLocOpBuilder &ib, ArrayRef<Value> loops, Value into) {
                         Value raw = tensor::ExtractOp::create(ib, args[0], indexPosition(loops));
                         Value at = arith::IndexCastOp::create(ib, ib.getIndexType(), raw);
                         return guardedTensor(ib, inBounds(ib, at, size), into, [&]() -> Value {
                           SmallVector<Value> target = targetPosition(loops, at);
                           Value old = tensor::ExtractOp::create(ib, into, target);
                           return tensor::InsertOp::create(ib, combine(ib, old, tensor::ExtractOp::create(ib, args[1], loops)), into, target);
                         });
                       });
                     }));
  return success();
}

/// The slices of a scatter along one axis.
template <typename Op>
LogicalResult lowerSliceScatter(Op op, typename Op::Adaptor adaptor, ConversionPatternRewriter &rewriter, StringRef label, Combine combine) {
  size_t axis = op.getAxis(), indexRank = tensorType(adaptor.getIndices()).getRank();
  return lowerScatter(
      op, adaptor, rewriter, label, [&](ArrayRef<Value> loops) { return llvm::to_vector(loops.slice(axis, indexRank)); },
      [&](ArrayRef<Value> loops, Value at) {
        SmallVector<Value> position(loops.take_front(axis));
        position.push_back(at);
        llvm::append_range(position, loops.drop_front(axis + indexRank));
        return position;
      },
      combine);
}

Value widenAny(ImplicitLocOpBuilder &b, Value x) { return isa<FloatType>(x.getType()) ? widen(b, x) : x; }

/// One step of a reduction of stored elements.
Value combineStored(ImplicitLocOpBuilder &b, ReduceKind kind, Value old, Value update) {
  Value combined = combine(b, kind, widenAny(b, old), widenAny(b, update));
  return isa<FloatType>(combined.getType()) ? narrow(b, combined, old.getType()) : combined;
}

struct ScatterAddLowering : OpConversionPattern<ScatterAddOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ScatterAddOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    return lowerSliceScatter(op, adaptor, rewriter, "scatter_add", [](auto &b, Value old, Value update) { return combineStored(b, ReduceKind::sum, old, update); });
  }
};

struct ScatterLowering : OpConversionPattern<ScatterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ScatterOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    ScatterKind kind = op.getKind();
    return lowerSliceScatter(op, adaptor, rewriter, "scatter", [kind](ImplicitLocOpBuilder &b, Value old, Value update) {
      if (kind == ScatterKind::set)
        return update;
      return combineStored(b, kind == ScatterKind::mul ? ReduceKind::prod : kind == ScatterKind::max ? ReduceKind::max : ReduceKind::min, old, update);
    });
  }
};

struct AddAlongAxisLowering : OpConversionPattern<AddAlongAxisOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(AddAlongAxisOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    return lowerScatter(
        op, adaptor, rewriter, "add_along_axis", [](ArrayRef<Value> loops) { return llvm::to_vector(loops); },
        [&](ArrayRef<Value> loops, Value at) {
          SmallVector<Value> position(loops);
          position[op.getAxis()] = at;
          return position;
        },
        [](auto &b, Value old, Value update) { return combineStored(b, ReduceKind::sum, old, update); });
  }
};

/// The start of a box in each dimension, clamped so that the box fits; a dimension that it fills needs no look.
SmallVector<Value> boxStart(ImplicitLocOpBuilder &b, ValueRange starts, Ints shape, Ints box) {
  SmallVector<Value> clamped;
  for (auto [start, size, extent] : llvm::zip(starts, shape, box))
    clamped.push_back(size == extent ? index(b, 0) : clampIndex(b, tensor::ExtractOp::create(b, start), size - extent + 1));
  return clamped;
}

SmallVector<Value> offsetBy(ImplicitLocOpBuilder &b, ArrayRef<Value> starts, ArrayRef<Value> position) {
  SmallVector<Value> sum;
  for (auto [start, at] : llvm::zip(starts, position))
    sum.push_back(arith::AddIOp::create(b, start, at));
  return sum;
}

struct DynamicSliceLowering : OpConversionPattern<DynamicSliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(DynamicSliceOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = storageType(op.getType());
    ArrayRef<int64_t> shape = tensorType(adaptor.getX()).getShape();
    rewriter.replaceOp(op, mapElements(rewriter, op.getLoc(), type, {}, [&](ImplicitLocOpBuilder &b, ValueRange) -> Value {
                         SmallVector<Value> start = boxStart(b, adaptor.getStarts(), shape, type.getShape());
                         return tensor::ExtractOp::create(b, adaptor.getX(), offsetBy(b, start, loopIndices(b, type.getRank())));
                       }));
    return success();
  }
};

struct DynamicUpdateSliceLowering : OpConversionPattern<DynamicUpdateSliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(DynamicUpdateSliceOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = storageType(op.getType()), box = tensorType(adaptor.getUpdate());
    if (box.getNumElements() == 0)
      return rewriter.replaceOp(op, adaptor.getX()), success();
    SmallVector<Value> inputs{adaptor.getUpdate()};
    llvm::append_range(inputs, adaptor.getStarts());
    rewriter.replaceOp(op, kernel(rewriter, op.getLoc(), "dynamic_update_slice", inputs, adaptor.getX(), [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                         SmallVector<Value> start = boxStart(b, args.slice(1, type.getRank()), type.getShape(), box.getShape());
                         return loopNest(b, box.getShape(), args.back(), [&](ImplicitLocOpBuilder &ib, ArrayRef<Value> loops, Value into) -> Value {
                           return tensor::InsertOp::create(ib, tensor::ExtractOp::create(ib, args[0], loops), into, offsetBy(ib, start, loops));
                         });
                       }));
    return success();
  }
};

// y[i] = y[i - 1] + x[i], or x[i - 1] if exclusive.
struct CumsumLowering : OpConversionPattern<CumsumOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(CumsumOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = tensorType(op.getY());
    int64_t axis = op.getAxis(), size = type.getDimSize(axis);
    if (type.getNumElements() == 0)
      return rewriter.replaceOp(op, adaptor.getX()), success();
    // 16-bit floats are summed in f32.
    RankedTensorType sumType = type.clone(computeType(type.getElementType()));
    auto at = [&](ArrayRef<Value> loops, Value onAxis) {
      SmallVector<Value> position(loops);
      position[axis] = onAxis;
      return position;
    };
    Value y = kernel(rewriter, op.getLoc(), "cumsum", {adaptor.getX()}, empty(rewriter, op.getLoc(), sumType), [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
      Value x = args[0];
      return loopNest(b, type.getShape(), args[1], [&](ImplicitLocOpBuilder &ib, ArrayRef<Value> loops, Value into) -> Value {
        Value step = loops[axis], before = arith::SubIOp::create(ib, step, index(ib, 1));
        auto mirrored = [&](Value i) -> Value { return op.getReverse() ? arith::SubIOp::create(ib, index(ib, size - 1), i).getResult() : i; };
        SmallVector<Value> here = at(loops, mirrored(step)), there = at(loops, mirrored(before));
        Value first = arith::CmpIOp::create(ib, arith::CmpIPredicate::eq, step, index(ib, 0));
        Value zero = scalar(ib, sumType.getElementType(), 0.0);
        auto element = [&](ArrayRef<Value> position) { return widenAny(ib, tensor::ExtractOp::create(ib, x, position)); };
        Value sum = guarded(ib, arith::XOrIOp::create(ib, first, scalar(ib, ib.getI1Type(), 1.0)), zero,
                            [&](ImplicitLocOpBuilder &) -> Value {
                              Value sofar = tensor::ExtractOp::create(ib, into, there);
                              return op.getExclusive() ? combine(ib, ReduceKind::sum, sofar, element(there)) : sofar;
                            });
        if (!op.getExclusive())
          sum = combine(ib, ReduceKind::sum, sum, element(here));
        return tensor::InsertOp::create(ib, sum, into, here);
      });
    });
    rewriter.replaceOp(op, convertTensor(rewriter, op.getLoc(), y, type.getElementType()));
    return success();
  }
};

} // namespace

void lower::populateIndexing(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<AddAlongAxisLowering, CumsumLowering, DynamicSliceLowering, DynamicUpdateSliceLowering, GatherLowering, ScatterAddLowering, ScatterLowering,
               TakeAlongAxisLowering>(types, patterns.getContext());
}
