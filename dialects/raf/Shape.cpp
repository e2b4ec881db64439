// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Family.h"
#include "dialects/raf/infer/Shapes.h"
#include "dialects/raf/Folding.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
using namespace mlir;
using namespace mlir::raf;

#define GET_OP_CLASSES
#include "dialects/raf/Shape.cpp.inc"

void mlir::raf::addShapeOps(RAFDialect &dialect) {
  addOps<
#define GET_OP_LIST
#include "dialects/raf/Shape.cpp.inc"
      >(dialect);
}

//===-- types and verifiers --------------------------------------------------------------------------------------===//

static RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

static LogicalResult give(MaybeType type, SmallVectorImpl<Type> &types) {
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  return give(inferTranspose(loc, tensorType(adaptor.getX()), adaptor.getPermutation()), types);
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  return give(inferSlice(loc, tensorType(adaptor.getX()), adaptor.getStarts(), adaptor.getLimits(), adaptor.getStrides()), types);
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  return give(inferPad(loc, tensorType(adaptor.getX()), adaptor.getLow(), adaptor.getHigh(), adaptor.getInterior()), types);
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  SmallVector<RankedTensorType> inputs;
  for (Value input : adaptor.getInputs())
    inputs.push_back(tensorType(input));
  return give(inferConcat(loc, inputs, adaptor.getAxis()), types);
}

LogicalResult BarrierOp::inferReturnTypes(MLIRContext *, MaybeLoc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  llvm::append_range(types, adaptor.getInputs().getTypes());
  return success();
}

LogicalResult IotaOp::verify() { return checkAxis(getLoc(), "iota", getDim(), getType().getRank()); }

LogicalResult ReverseOp::verify() { return checkDims(getLoc(), "reverse", "dims", getDims(), getType().getRank()); }

LogicalResult BroadcastOp::verify() {
  RankedTensorType x = getX().getType(), y = getType();
  if (static_cast<int64_t>(getDims().size()) != x.getRank())
    return emitOpError() << "dims must have one element for each of the " << x.getRank() << " operand dimensions, got " << getDims().size();
  if (failed(checkDims(getLoc(), "broadcast", "dims", getDims(), y.getRank())))
    return failure();
  for (auto [dim, size] : llvm::zip(getDims(), x.getShape()))
    if (size != 1 && size != y.getDimSize(dim))
      return emitOpError() << "operand dimension for result dimension " << dim << " must have size 1 or " << y.getDimSize(dim) << ", got " << size;
  return success();
}

LogicalResult ReshapeOp::verify() {
  if (getX().getType().getNumElements() == getType().getNumElements())
    return success();
  return emitOpError() << "must keep the number of elements, got " << getX().getType().getNumElements() << " and " << getType().getNumElements();
}

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), "cst"); }

//===-- folds ----------------------------------------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getX()))
    return splat.resizeSplat(getType());
  return {};
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  if (auto elements = dyn_cast_or_null<DenseElementsAttr>(adaptor.getX()))
    return elements.reshape(getType());
  return {};
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (isIdentityPermutation(getPermutation()))
    return getX();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getX()))
    return splat.resizeSplat(getType());
  return {};
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getX()))
    return splat.resizeSplat(getType());
  return {};
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  auto zero = [](int64_t value) { return value == 0; };
  return llvm::all_of(getLow(), zero) && llvm::all_of(getHigh(), zero) && llvm::all_of(getInterior(), zero) ? OpFoldResult(getX()) : OpFoldResult();
}

OpFoldResult ConcatOp::fold(FoldAdaptor) { return getInputs().size() == 1 ? OpFoldResult(getInputs().front()) : OpFoldResult(); }

//===-- canonicalization -----------------------------------------------------------------------------------------===//

namespace {
struct ComposeBroadcasts : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getX().getDefiningOp<BroadcastOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "operand is not a broadcast");
    SmallVector<int64_t> dims;
    for (int64_t dim : inner.getDims())
      dims.push_back(op.getDims()[dim]);
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getX(), dims);
    return success();
  }
};

struct ComposeReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getX().getDefiningOp<ReshapeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "operand is not a reshape");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getX());
    return success();
  }
};

struct ComposeTransposes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getX().getDefiningOp<TransposeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "operand is not a transpose");
    rewriter.replaceOpWithNewOp<TransposeOp>(op, inner.getX(), applyPermutation(inner.getPermutation(), op.getPermutation()));
    return success();
  }
};

// A transpose that only moves dimensions of size 1 moves no element.
struct TransposeOfUnitDims : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    RankedTensorType x = op.getX().getType();
    int64_t previous = -1;
    for (int64_t dim : op.getPermutation()) {
      if (x.getDimSize(dim) == 1)
        continue;
      if (dim < previous)
        return rewriter.notifyMatchFailure(op, "elements move");
      previous = dim;
    }
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getX());
    return success();
  }
};
} // namespace

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) { patterns.add<ComposeBroadcasts>(context); }
void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) { patterns.add<ComposeReshapes>(context); }
void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ComposeTransposes, TransposeOfUnitDims>(context);
}
