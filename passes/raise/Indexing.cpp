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

namespace {
// one_hot(labels) times a table: rows of the table, zeros for labels outside. A table with infinities would give NaN.
struct RaiseOneHotProduct : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    if (type.getRank() != 2 || op.getTransposeLhs() || op.getTransposeRhs() || !isa<FloatType>(type.getElementType()) || typeOf(op.getRhs()).getElementType() != type.getElementType())
      return rewriter.notifyMatchFailure(op, "not a plain product of matrices");
    Value hot = op.getLhs();
    auto reshape = hot.getDefiningOp<ReshapeOp>();
    if (reshape && reshape.getX().getType().getRank() > 0 && reshape.getX().getType().getShape().back() == typeOf(hot).getDimSize(1))
      hot = reshape.getX();
    Value labels = labelsOf(hot);
    Type element = labels ? typeOf(labels).getElementType() : Type();
    if (!labels || !(element.isInteger(32) || element.isInteger(64)))
      return rewriter.notifyMatchFailure(op, "the first factor does not pick rows of the second");
    TensorBuilder b(rewriter, op.getLoc());
    labels = b.reshape(labels, {type.getDimSize(0)});
    Value inside = b.logicalAnd(b.compare(CompareKind::ge, labels, 0.0), b.compare(CompareKind::lt, labels, static_cast<double>(typeOf(op.getRhs()).getDimSize(0))));
    Value rows = b.fold<GatherOp>(op.getRhs(), labels, 0);
    rewriter.replaceOp(op, b.select(b.broadcastLike(inside, rows, {0}), rows, b.zeros(type)));
    return success();
  }
};
} // namespace

void mlir::raf::populateRaiseIndexing(RewritePatternSet &patterns) { patterns.add<RaiseOneHotProduct>(patterns.getContext()); }
