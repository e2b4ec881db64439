// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A normalization is recognized without scale and bias first; what it is multiplied with and what is added then become its scale and bias.
#include "dialects/raf/TensorBuilder.h"
#include "passes/raise/Match.h"
#include "passes/raise/Passes.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::raise;

namespace {

/// 1 / sqrt(moment + epsilon) replicated along the dimensions from axis to the last.
struct InverseDeviation {
  /// The (inverse) square root, before it is replicated.
  Value root;
  Value moment;
  double epsilon;
  int64_t axis;
};

// The value before dimensions of size 1 were added or dropped.
Value withoutUnits(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>()) {
    auto isLarger = [](int64_t size) { return size != 1; };
    if (!llvm::equal(llvm::make_filter_range(reshape.getX().getType().getShape(), isLarger), llvm::make_filter_range(reshape.getType().getShape(), isLarger)))
      break;
    value = reshape.getX();
  }
  return value;
}

// What is replicated along dims, which it may still have with size 1.
Value spreadAlong(BroadcastOp broadcast, ArrayRef<int64_t> dims) {
  if (Value inner = replicated(broadcast, dims))
    return inner;
  RankedTensorType x = broadcast.getX().getType(), y = broadcast.getType();
  bool inPlace = x.getRank() == y.getRank() && llvm::equal(broadcast.getDims(), llvm::seq<int64_t>(0, y.getRank()));
  for (int64_t dim = 0; inPlace && dim < y.getRank(); ++dim)
    inPlace = x.getDimSize(dim) == (llvm::is_contained(dims, dim) ? 1 : y.getDimSize(dim));
  return inPlace ? broadcast.getX() : Value();
}

std::optional<InverseDeviation> plusEpsilon(Value root, Value value, int64_t axis) {
  auto sum = plusConstant(value);
  return sum && sum->second > 0 ? std::optional(InverseDeviation{root, withoutUnits(sum->first), sum->second, axis}) : std::nullopt;
}

// The rsqrt or sqrt of each possible axis.
template <typename Root>
std::optional<InverseDeviation> deviation(Value value) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return std::nullopt;
  int64_t rank = broadcast.getType().getRank();
  for (int64_t axis = 0; axis < rank; ++axis)
    if (Value inner = spreadAlong(broadcast, llvm::to_vector(llvm::seq<int64_t>(axis, rank))))
      if (auto root = inner.getDefiningOp<Root>())
        return plusEpsilon(root, root.getX(), axis);
  return std::nullopt;
}

// x if the value is its mean over the dimensions from axis on.
Value trailingMean(Value value, int64_t axis) {
  SmallVector<int64_t> dims;
  Value x = meanOf(value, dims);
  return x && llvm::equal(dims, llvm::seq<int64_t>(axis, typeOf(x).getRank())) ? x : Value();
}

// The mean of x over the dimensions from axis on, if `centered` is x minus that.
Value meanIn(Value centered, int64_t axis) {
  auto sub = centered.getDefiningOp<SubOp>();
  Value mean = sub ? replicated(sub.getRhs(), llvm::to_vector(llvm::seq<int64_t>(axis, typeOf(centered).getRank()))) : Value();
  if (!mean)
    return {};
  auto norm = mean.getDefiningOp<LayerNormOp>();
  bool isStatistic = norm && mean == norm.getMean() && norm.getX() == sub.getLhs() && static_cast<int64_t>(norm.getAxis()) == axis;
  return isStatistic || trailingMean(mean, axis) == sub.getLhs() ? mean : Value();
}

// x if `centered` is x minus its mean over the dimensions from axis on.
Value centeredOf(Value centered, int64_t axis) { return meanIn(centered, axis) ? centered.getDefiningOp<SubOp>().getLhs() : Value(); }

// Whether `moment` is the variance of x, the mean of squared deviations or mean(x^2) - mean(x)^2, at least 0.
bool isVariance(Value moment, Value x, int64_t axis) {
  if (auto guard = moment.getDefiningOp<MaximumOp>()) {
    if (isSplatClose(guard.getLhs(), 0.0))
      moment = guard.getRhs();
    else if (isSplatClose(guard.getRhs(), 0.0))
      moment = guard.getLhs();
  }
  if (Value squared = trailingMean(moment, axis)) {
    Value centered = squareOf(squared);
    return centered && centeredOf(centered, axis) == x;
  }
  auto sub = moment.getDefiningOp<SubOp>();
  Value squares = sub ? trailingMean(sub.getLhs(), axis) : Value(), mean = sub ? squareOf(sub.getRhs()) : Value();
  return squares && mean && squareOf(squares) == x && trailingMean(mean, axis) == x;
}

Value filled(PatternRewriter &rewriter, Location loc, Value x, int64_t axis, double number) {
  RankedTensorType type = typeOf(x);
  return TensorBuilder(rewriter, loc).splat(RankedTensorType::get(type.getShape().drop_front(axis), type.getElementType()), number);
}

// Lets the backward pass, if the program has one, use a statistic of the normalization in place of what it was.
void share(PatternRewriter &rewriter, Value computed, Value statistic) {
  if (!computed || typeOf(computed).getElementType() != typeOf(statistic).getElementType() || typeOf(computed).getNumElements() != typeOf(statistic).getNumElements())
    return;
  statistic = TensorBuilder(rewriter, statistic.getLoc()).reshapeLike(statistic, computed);
  // The derivative of 1 / sqrt(v) as 1 / sqrt(v) / v: without v, which is not kept.
  if (auto root = computed.getDefiningOp<RsqrtOp>())
    for (Operation *user : llvm::to_vector(computed.getUsers()))
      if (auto div = dyn_cast<DivOp>(user); div && div.getLhs() == computed && div.getRhs() == root.getX()) {
        rewriter.setInsertionPoint(div);
        TensorBuilder b(rewriter, div.getLoc());
        rewriter.replaceOp(div, b.mul(b.square(statistic), statistic));
      }
  rewriter.replaceAllUsesWith(computed, statistic);
}

// The normalization that `value`, times the inverse deviation, is; null if it is none.
Value normalized(PatternRewriter &rewriter, Location loc, Value value, const InverseDeviation &inverse) {
  int64_t axis = inverse.axis;
  // Before everything that could use the statistics.
  OpBuilder::InsertionGuard guard(rewriter);
  Value rstd = inverse.root.getDefiningOp<RsqrtOp>() ? inverse.root : Value();
  if (Value x = centeredOf(value, axis); x && isVariance(inverse.moment, x, axis)) {
    Value mean = meanIn(value, axis);
    rewriter.setInsertionPointAfterValue(x);
    auto norm = LayerNormOp::create(rewriter, loc, x, filled(rewriter, loc, x, axis, 1.0), filled(rewriter, loc, x, axis, 0.0), axis, APFloat(inverse.epsilon));
    share(rewriter, mean, norm.getMean());
    share(rewriter, rstd, norm.getRstd());
    return norm.getY();
  }
  Value squared = trailingMean(inverse.moment, axis);
  if (squared && squareOf(squared) == value) {
    rewriter.setInsertionPointAfterValue(value);
    auto norm = RmsNormOp::create(rewriter, loc, value, filled(rewriter, loc, value, axis, 1.0), axis, APFloat(inverse.epsilon));
    share(rewriter, rstd, norm.getRstd());
    return norm.getY();
  }
  return {};
}

struct RaiseNormProduct : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &rewriter) const override {
    for (auto [value, factor] : {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())}) {
      if (auto inverse = deviation<RsqrtOp>(factor))
        if (Value norm = normalized(rewriter, op.getLoc(), value, *inverse))
          return rewriter.replaceOp(op, norm), success();
      // The scale multiplied into the deviation first.
      auto scaled = factor.getDefiningOp<MulOp>();
      if (!scaled)
        continue;
      for (auto [root, scale] : {std::pair(scaled.getLhs(), scaled.getRhs()), std::pair(scaled.getRhs(), scaled.getLhs())})
        if (auto inverse = deviation<RsqrtOp>(root))
          if (Value norm = normalized(rewriter, op.getLoc(), value, *inverse))
            return rewriter.replaceOpWithNewOp<MulOp>(op, norm, scale), success();
    }
    return rewriter.notifyMatchFailure(op, "no factor is the inverse deviation of the other");
  }
};

struct RaiseNormQuotient : OpRewritePattern<DivOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DivOp op, PatternRewriter &rewriter) const override {
    if (auto inverse = deviation<SqrtOp>(op.getRhs()))
      if (Value norm = normalized(rewriter, op.getLoc(), op.getLhs(), *inverse))
        return rewriter.replaceOp(op, norm), success();
    return rewriter.notifyMatchFailure(op, "the divisor is not the deviation of the dividend");
  }
};

template <typename Norm>
Norm normOf(Value value) {
  auto norm = value.getDefiningOp<Norm>();
  // The other results stay right: they do not depend on scale and bias.
  return norm && value == norm.getY() && value.hasOneUse() ? norm : Norm();
}

struct AbsorbScale : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &rewriter) const override {
    for (auto [value, factor] : {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())}) {
      if (auto norm = normOf<LayerNormOp>(value); norm && isSplatClose(norm.getScale(), 1.0) && isSplatClose(norm.getBias(), 0.0))
        if (Value scale = replicatedBefore(factor, norm.getAxis())) {
          auto scaled = LayerNormOp::create(rewriter, norm.getLoc(), norm.getX(), scale, norm.getBias(), norm.getAxis(), norm.getEpsilon());
          rewriter.replaceOp(op, scaled.getY());
          return success();
        }
      if (auto norm = normOf<RmsNormOp>(value); norm && isSplatClose(norm.getScale(), 1.0))
        if (Value scale = replicatedBefore(factor, norm.getAxis())) {
          auto scaled = RmsNormOp::create(rewriter, norm.getLoc(), norm.getX(), scale, norm.getAxis(), norm.getEpsilon());
          rewriter.replaceOp(op, scaled.getY());
          return success();
        }
    }
    return rewriter.notifyMatchFailure(op, "not a scale of a normalization");
  }
};

// What is centered sums to zero: the mean's own share of the gradient of a variance.
struct SumOfCentered : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    int64_t rank = op.getX().getType().getRank(), axis = op.getDims().empty() ? rank : op.getDims().front();
    if (op.getKind() != ReduceKind::sum || axis == rank || !llvm::equal(op.getDims(), llvm::seq<int64_t>(axis, rank)))
      return rewriter.notifyMatchFailure(op, "not a sum over the last dimensions");
    Product product = productOf(op.getX());
    int64_t centered = 0;
    for (Value factor : product.factors)
      if (typeOf(factor).getRank() == rank && centeredOf(factor, axis))
        ++centered;
      else if (!replicated(factor, llvm::to_vector(llvm::seq<int64_t>(axis, rank))))
        return rewriter.notifyMatchFailure(op, "another factor varies along the sum");
    if (centered != 1)
      return rewriter.notifyMatchFailure(op, "not of one value minus its mean");
    rewriter.replaceOp(op, TensorBuilder(rewriter, op.getLoc()).zeros(op.getType()));
    return success();
  }
};

struct AbsorbBias : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    for (auto [value, term] : {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())})
      if (auto norm = normOf<LayerNormOp>(value); norm && isSplatClose(norm.getBias(), 0.0))
        if (Value bias = replicatedBefore(term, norm.getAxis())) {
          auto shifted = LayerNormOp::create(rewriter, norm.getLoc(), norm.getX(), norm.getScale(), bias, norm.getAxis(), norm.getEpsilon());
          rewriter.replaceOp(op, shifted.getY());
          return success();
        }
    return rewriter.notifyMatchFailure(op, "not a bias of a normalization");
  }
};

} // namespace

void mlir::raf::populateRaiseNorm(RewritePatternSet &patterns) {
  patterns.add<AbsorbBias, AbsorbScale, RaiseNormProduct, RaiseNormQuotient, SumOfCentered>(patterns.getContext());
}
