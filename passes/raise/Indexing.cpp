// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/TensorBuilder.h"
#include "mlir/IR/Matchers.h"
#include "passes/raise/Match.h"
#include "passes/raise/Passes.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::raise;

// Whether each element is its place along the last dimension.
static bool isPlace(Value value) {
  int64_t last = typeOf(value).getRank() - 1;
  if (auto broadcast = value.getDefiningOp<BroadcastOp>()) {
    ArrayRef<int64_t> dims = broadcast.getDims();
    return !dims.empty() && dims.back() == last && typeOf(broadcast.getX()).getShape().back() == typeOf(value).getShape().back() && isPlace(broadcast.getX());
  }
  auto iota = value.getDefiningOp<IotaOp>();
  return iota && static_cast<int64_t>(iota.getDim()) == last;
}

// The labels of which `value` holds, along its last dimension, one where the place is the label and zero elsewhere; null if it is nothing like that.
static Value labelsOf(Value value) {
  if (auto cast = value.getDefiningOp<CastOp>())
    value = cast.getX();
  auto compare = value.getDefiningOp<CompareOp>();
  if (!compare || compare.getKind() != CompareKind::eq || !typeOf(compare.getLhs()).getElementType().isInteger())
    return {};
  for (auto [labels, place] : {std::pair(compare.getLhs(), compare.getRhs()), std::pair(compare.getRhs(), compare.getLhs())})
    if (Value found = isPlace(place) ? replicated(labels, typeOf(value).getRank() - 1) : Value())
      return found;
  return {};
}

// The labels of the rows of a matrix that is one_hot(labels), in any shape, or null.
static Value labelsOfRows(Value hot) {
  auto reshape = hot.getDefiningOp<ReshapeOp>();
  if (reshape && reshape.getX().getType().getRank() > 0 && reshape.getX().getType().getShape().back() == typeOf(hot).getDimSize(1))
    hot = reshape.getX();
  Value labels = labelsOf(hot);
  Type element = labels ? typeOf(labels).getElementType() : Type();
  return labels && (element.isInteger(32) || element.isInteger(64)) ? labels : Value();
}

// Whether no element is negative: places, in any shape.
static bool isPlaces(Value value) {
  while (isa_and_nonnull<BroadcastOp, ReshapeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return static_cast<bool>(value.getDefiningOp<IotaOp>());
}

// Whether the value is 0, 1 ... count - 1, in any shape.
static bool isRange(Value value, int64_t count) {
  if (typeOf(value).getNumElements() != count)
    return false;
  while (isa_and_nonnull<BroadcastOp, ReshapeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto iota = value.getDefiningOp<IotaOp>();
  return iota && iota.getType().getDimSize(iota.getDim()) == count; // so that nothing is replicated
}

static std::optional<int64_t> integerOf(Value value) {
  DenseIntElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || !constant.isSplat())
    return std::nullopt;
  return constant.getSplatValue<APInt>().getSExtValue();
}

// The value between limits of 0 and `last`, or itself if it is not limited so.
static Value unclamped(Value value, int64_t last) {
  auto upper = value.getDefiningOp<MinimumOp>();
  auto lower = upper && integerOf(upper.getRhs()) == last ? upper.getLhs().getDefiningOp<MaximumOp>() : MaximumOp();
  return lower && integerOf(lower.getRhs()) == 0 ? lower.getLhs() : value;
}

namespace {
// one_hot(labels) times a table: rows of the table, zeros for labels outside. A table with infinities would give NaN.
struct RaiseOneHotProduct : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    if (type.getRank() != 2 || op.getTransposeLhs() || op.getTransposeRhs() || !isa<FloatType>(type.getElementType()) || typeOf(op.getRhs()).getElementType() != type.getElementType())
      return rewriter.notifyMatchFailure(op, "not a plain product of matrices");
    Value labels = labelsOfRows(op.getLhs());
    if (!labels)
      return rewriter.notifyMatchFailure(op, "the first factor does not pick rows of the second");
    TensorBuilder b(rewriter, op.getLoc());
    labels = b.reshape(labels, {type.getDimSize(0)});
    Value inside = b.logicalAnd(b.compare(CompareKind::ge, labels, 0.0), b.compare(CompareKind::lt, labels, static_cast<double>(typeOf(op.getRhs()).getDimSize(0))));
    Value rows = b.fold<GatherOp>(op.getRhs(), labels, 0);
    rewriter.replaceOp(op, b.select(b.broadcastLike(inside, rows, {0}), rows, b.zeros(type)));
    return success();
  }
};

// The gradient of that: the transpose of one_hot(labels) times rows adds each row to that of its label, or the transpose of it all.
struct RaiseOneHotGradient : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    if (type.getRank() != 2 || !isa<FloatType>(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "not a product of matrices");
    for (bool isLeft : {true, false}) {
      Value hot = isLeft ? op.getLhs() : op.getRhs(), rows = isLeft ? op.getRhs() : op.getLhs();
      Value labels = (isLeft ? op.getTransposeLhs() : !op.getTransposeRhs()) && typeOf(rows).getElementType() == type.getElementType() ? labelsOfRows(hot) : Value();
      if (!labels)
        continue;
      TensorBuilder b(rewriter, op.getLoc());
      if (isLeft ? op.getTransposeRhs() : !op.getTransposeLhs())
        rows = b.transpose(rows, {1, 0});
      RankedTensorType table = type.clone({typeOf(hot).getDimSize(1), typeOf(rows).getDimSize(1)});
      Value sum = b.create<ScatterAddOp>(table, b.zeros(table), b.reshape(labels, {typeOf(hot).getDimSize(0)}), rows, 0);
      rewriter.replaceOp(op, isLeft ? sum : b.transpose(sum, {1, 0}));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no factor is the transpose of one_hot");
  }
};

// The one element along a dimension of size 1, which every index is.
struct RaiseGatherOfOne : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GatherOp op, PatternRewriter &rewriter) const override {
    if (typeOf(op.getX()).getDimSize(op.getAxis()) != 1 || typeOf(op.getIndices()).getNumElements() != 1)
      return rewriter.notifyMatchFailure(op, "more than one element or index");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getX());
    return success();
  }
};

struct RaiseScatterAddToOne : OpRewritePattern<ScatterAddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScatterAddOp op, PatternRewriter &rewriter) const override {
    if (typeOf(op.getX()).getDimSize(op.getAxis()) != 1 || typeOf(op.getIndices()).getNumElements() != 1 || integerOf(op.getIndices()) != 0)
      return rewriter.notifyMatchFailure(op, "more than one element or index");
    TensorBuilder b(rewriter, op.getLoc());
    rewriter.replaceOp(op, b.add(op.getX(), b.reshapeLike(op.getUpdates(), op.getX())));
    return success();
  }
};

// Places are not negative: JAX adds the size of the dimension to indices that are.
struct RaiseNegativePlace : OpRewritePattern<CompareOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CompareOp op, PatternRewriter &rewriter) const override {
    if (op.getKind() != CompareKind::lt || integerOf(op.getRhs()) != 0 || !isPlaces(op.getLhs()))
      return rewriter.notifyMatchFailure(op, "not a comparison of places with zero");
    rewriter.replaceOpWithNewOp<ConstantOp>(op, DenseElementsAttr::get(op.getType(), false));
    return success();
  }
};

// x[arange(n), indices], which JAX takes from all elements of x in a row: one element of each row.
struct RaiseElementOfEachRow : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GatherOp op, PatternRewriter &rewriter) const override {
    auto flat = op.getX().getDefiningOp<ReshapeOp>();
    auto sum = op.getIndices().getDefiningOp<AddOp>();
    if (!flat || !sum || flat.getX().getType().getRank() != 2 || op.getAxis() != 0 || typeOf(flat).getRank() != 2 || typeOf(flat).getDimSize(1) != 1 || typeOf(sum).getRank() != 1)
      return rewriter.notifyMatchFailure(op, "not elements of a matrix in a row");
    int64_t rows = flat.getX().getType().getDimSize(0), columns = flat.getX().getType().getDimSize(1);
    for (auto [left, index] : {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())}) {
      auto start = left.getDefiningOp<MulOp>();
      Value place = start && integerOf(start.getRhs()) == columns ? unclamped(start.getLhs(), rows - 1) : Value();
      if (!place || !isRange(place, rows) || unclamped(index, columns - 1) == index)
        continue;
      TensorBuilder b(rewriter, op.getLoc());
      rewriter.replaceOp(op, b.create<TakeAlongAxisOp>(flat.getX(), b.reshape(index, {rows, 1}), 1)->getResult(0));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "not one element of each row");
  }
};
} // namespace

void mlir::raf::populateRaiseIndexing(RewritePatternSet &patterns) {
  patterns.add<RaiseElementOfEachRow, RaiseGatherOfOne, RaiseNegativePlace, RaiseOneHotGradient, RaiseOneHotProduct, RaiseScatterAddToOne>(patterns.getContext());
}
