// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Movement of elements: one generic over the result, which says for each element where it comes from.
#include "passes/decompose/linalg/Lowering.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::lower;

namespace {

Value same(ImplicitLocOpBuilder &, ValueRange args) { return args[0]; }

/// A generic that reads x at the given affine positions.
Value moved(OpBuilder &b, Location loc, RankedTensorType type, Value x, ArrayRef<AffineExpr> positions) {
  return mapElements(b, loc, type, {{x, AffineMap::get(type.getRank(), 0, positions, b.getContext())}}, same);
}

struct BroadcastLowering : OpConversionPattern<BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(BroadcastOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = storageType(op.getY());
    if (TypedAttr splat = splatOf(adaptor.getX())) {
      rewriter.replaceOpWithNewOp<ConstantOp>(op, SplatElementsAttr::get(type, splat));
      return success();
    }
    RankedTensorType xType = tensorType(adaptor.getX());
    SmallVector<AffineExpr> positions;
    for (auto [dim, size] : llvm::zip(op.getDims(), xType.getShape()))
      positions.push_back(size == type.getDimSize(dim) ? rewriter.getAffineDimExpr(dim) : rewriter.getAffineConstantExpr(0));
    rewriter.replaceOp(op, moved(rewriter, op.getLoc(), type, adaptor.getX(), positions));
    return success();
  }
};

struct TransposeLowering : OpConversionPattern<TransposeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(TransposeOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = storageType(op.getType());
    SmallVector<AffineExpr> positions(type.getRank());
    for (auto [k, from] : llvm::enumerate(op.getPermutation()))
      positions[from] = rewriter.getAffineDimExpr(k);
    rewriter.replaceOp(op, moved(rewriter, op.getLoc(), type, adaptor.getX(), positions));
    return success();
  }
};

struct IotaLowering : OpConversionPattern<IotaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(IotaOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = storageType(op.getY());
    rewriter.replaceOp(op, mapElements(rewriter, op.getLoc(), type, {}, [&](ImplicitLocOpBuilder &b, ValueRange) {
                         Type element = type.getElementType();
                         bool isFloat = isa<FloatType>(element);
                         Value i = arith::IndexCastOp::create(b, isFloat ? Type(b.getI64Type()) : element, loopIndex(b, op.getDim()));
                         return isFloat ? castScalar(b, i, element) : i;
                       }));
    return success();
  }
};

struct SliceLowering : OpConversionPattern<SliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(SliceOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = storageType(op.getType()), xType = tensorType(adaptor.getX());
    SmallVector<AffineExpr> positions;
    bool isMap = true;
    for (auto [dim, start, stride] : llvm::enumerate(op.getStarts(), op.getStrides())) {
      positions.push_back(rewriter.getAffineDimExpr(dim) * stride + start);
      // A plain loop index must cover its dimension, which the beginning of a dimension does not.
      isMap &= start != 0 || stride != 1 || type.getDimSize(dim) == xType.getDimSize(dim);
    }
    if (isMap)
      return rewriter.replaceOp(op, moved(rewriter, op.getLoc(), type, adaptor.getX(), positions)), success();
    rewriter.replaceOp(op, mapElements(rewriter, op.getLoc(), type, {}, [&](ImplicitLocOpBuilder &b, ValueRange) -> Value {
                         SmallVector<Value> indices = loopIndices(b, type.getRank());
                         for (auto [dim, start, stride] : llvm::enumerate(op.getStarts(), op.getStrides())) {
                           if (stride != 1)
                             indices[dim] = arith::MulIOp::create(b, indices[dim], index(b, stride));
                           if (start != 0)
                             indices[dim] = arith::AddIOp::create(b, indices[dim], index(b, start));
                         }
                         return tensor::ExtractOp::create(b, adaptor.getX(), indices);
                       }));
    return success();
  }
};

// Maps with negative coefficients cannot be tiled, so the mirrored position is computed in the body.
struct ReverseLowering : OpConversionPattern<ReverseOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ReverseOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = storageType(op.getY());
    rewriter.replaceOp(op, mapElements(rewriter, op.getLoc(), type, {}, [&](ImplicitLocOpBuilder &b, ValueRange) -> Value {
                         SmallVector<Value> indices = loopIndices(b, type.getRank());
                         for (int64_t dim : op.getDims())
                           indices[dim] = arith::SubIOp::create(b, index(b, type.getDimSize(dim) - 1), indices[dim]);
                         return tensor::ExtractOp::create(b, adaptor.getX(), indices);
                       }));
    return success();
  }
};

// The test for padding is a branch around the load: loops over it become masked loads, where a clamped index with a select would become gathers.
struct PadLowering : OpConversionPattern<PadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(PadOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = storageType(op.getType()), xType = tensorType(adaptor.getX());
    double padding = op.getValue().convertToDouble();
    if (op.getType().getElementType().isInteger(1))
      padding = padding != 0.0;
    if (xType.getNumElements() == 0) {
      rewriter.replaceOp(op, filled(rewriter, op.getLoc(), type, padding));
      return success();
    }
    rewriter.replaceOp(op, mapElements(rewriter, op.getLoc(), type, {}, [&](ImplicitLocOpBuilder &b, ValueRange) -> Value {
                         Value inside, value = scalar(b, type.getElementType(), padding);
                         SmallVector<Value> indices = loopIndices(b, type.getRank());
                         for (auto [dim, low, high, interior] : llvm::enumerate(op.getLow(), op.getHigh(), op.getInterior())) {
                           if (low != 0)
                             indices[dim] = arith::SubIOp::create(b, indices[dim], index(b, low));
                           // Of the positions that are left, all are elements unless there is padding at an end.
                           int64_t extent = (xType.getDimSize(dim) - 1) * (interior + 1) + 1;
                           if (low > 0 || high > 0)
                             inside = conjunction(b, inside, inBounds(b, indices[dim], extent));
                           if (interior == 0)
                             continue;
                           Value step = index(b, interior + 1), remainder = arith::RemUIOp::create(b, indices[dim], step);
                           inside = conjunction(b, inside, arith::CmpIOp::create(b, arith::CmpIPredicate::eq, remainder, index(b, 0)));
                           indices[dim] = arith::DivUIOp::create(b, indices[dim], step);
                         }
                         return guarded(b, inside, value, [&](ImplicitLocOpBuilder &ib) -> Value { return tensor::ExtractOp::create(ib, adaptor.getX(), indices); });
                       }));
    return success();
  }
};

// A binary search by branches for the part that the position along the axis lies in; on any axis but the last it does not depend on the inner loop.
struct ConcatLowering : OpConversionPattern<ConcatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ConcatOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    int64_t axis = op.getAxis();
    SmallVector<Part> parts;
    int64_t begin = 0;
    for (Value input : adaptor.getInputs())
      if (int64_t size = tensorType(input).getDimSize(axis)) {
        parts.push_back({input, begin});
        begin += size;
      }
    RankedTensorType type = storageType(op.getType());
    if (parts.empty()) {
      rewriter.replaceOp(op, empty(rewriter, op.getLoc(), type));
      return success();
    }
    rewriter.replaceOp(op, mapElements(rewriter, op.getLoc(), type, {}, [&](ImplicitLocOpBuilder &b, ValueRange) {
                         return choosePart(b, parts, loopIndices(b, type.getRank()), axis);
                       }));
    return success();
  }

private:
  struct Part {
    Value tensor;
    int64_t begin; // along the axis of the result
  };

  static Value choosePart(ImplicitLocOpBuilder &b, ArrayRef<Part> parts, SmallVector<Value> indices, int64_t axis) {
    if (parts.size() == 1) {
      if (parts[0].begin != 0)
        indices[axis] = arith::SubIOp::create(b, indices[axis], index(b, parts[0].begin));
      return tensor::ExtractOp::create(b, parts[0].tensor, indices);
    }
    ArrayRef<Part> left = parts.take_front(parts.size() / 2), right = parts.drop_front(parts.size() / 2);
    Value isLeft = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, indices[axis], index(b, right.front().begin));
    auto branch = scf::IfOp::create(b, TypeRange{tensorType(parts[0].tensor).getElementType()}, isLeft, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    for (auto [block, half] : {std::pair(branch.thenBlock(), left), std::pair(branch.elseBlock(), right)}) {
      b.setInsertionPointToStart(block);
      Value element = choosePart(b, half, indices, axis);
      scf::YieldOp::create(b, element);
    }
    return branch.getResult(0);
  }
};

} // namespace

void lower::populateShape(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<BroadcastLowering, ConcatLowering, IotaLowering, PadLowering, ReverseLowering, SliceLowering, TransposeLowering>(types, patterns.getContext());
}
