// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dispatch/cudnn/Library.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;

// The layout that an axis of features means, if the library has it.
template <typename Op>
static std::optional<Layout> layoutOf(Op norm, std::string &reason) {
  auto type = cast<RankedTensorType>(norm.getX().getType());
  llvm::raw_string_ostream stream(reason);
  if (Type statistic = getElementTypeOrSelf(norm.getMean()); !statistic.isF32()) {
    stream << "cuDNN keeps statistics in f32, got " << statistic;
    return std::nullopt;
  }
  int64_t axis = norm.getAxis(), rank = type.getRank();
  if (rank >= 2 && (axis == 1 || axis == rank - 1))
    return axis == 1 ? Layout::channels_first : Layout::channels_last;
  stream << "cuDNN normalizes with the features in dimension 1 or last, got axis " << axis;
  return std::nullopt;
}

FailureOr<unsigned> mlir::raf::dispatch::applyCudnnBatchNorm(Operation *op, RewriterBase &rewriter, std::string &reason) {
  auto norm = cast<raf::BatchNormOp>(op);
  std::optional<Layout> layout = layoutOf(norm, reason);
  if (!layout)
    return failure();
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  Type type = norm.getX().getType();
  auto feature = cast<RankedTensorType>(norm.getMean().getType());
  auto empty = [&](Type type) { return emptyTensor(rewriter, loc, type); };
  auto candidate = cudnn::BatchNormOp::create(rewriter, loc, TypeRange{type, feature, feature}, norm.getX(), norm.getScale(), norm.getBias(), empty(type), empty(feature), empty(feature),
                                              /*workspace=*/Value(), norm.getEpsilon(), *layout);
  FailureOr<PlanOpInterface> completed = complete(candidate, rewriter, reason);
  if (failed(completed)) {
    rewriter.eraseOp(candidate);
    return failure();
  }
  Value y = (*completed)->getResult(0), mean = (*completed)->getResult(1), rstd = (*completed)->getResult(2);
  // The library's running variance is of the unbiased one, so the statistics are updated from what it returns: small sums, which code generation fuses.
  double epsilon = norm.getEpsilon().convertToDouble(), momentum = norm.getMomentum().convertToDouble();
  rewriter.setInsertionPointAfter(*completed);
  auto splat = [&](double value) -> Value {
    return raf::ConstantOp::create(rewriter, loc, DenseElementsAttr::get(feature, rewriter.getFloatAttr(feature.getElementType(), value)));
  };
  auto running = [&](Value old, Value now) -> Value {
    Value kept = raf::MulOp::create(rewriter, loc, old, splat(momentum)), added = raf::MulOp::create(rewriter, loc, now, splat(1 - momentum));
    return raf::AddOp::create(rewriter, loc, kept, added);
  };
  Value newMean, newVariance;
  if (!norm.getNewRunningMean().use_empty())
    newMean = running(norm.getRunningMean(), mean);
  if (!norm.getNewRunningVar().use_empty()) {
    Value inverse = raf::DivOp::create(rewriter, loc, splat(1), raf::MulOp::create(rewriter, loc, rstd, rstd));
    // Rounding may take a variance of nearly 0 below it.
    Value variance = raf::MaximumOp::create(rewriter, loc, raf::SubOp::create(rewriter, loc, inverse, splat(epsilon)), splat(0));
    newVariance = running(norm.getRunningVar(), variance);
  }
  for (auto [from, to] : {std::pair(norm.getY(), y), std::pair(norm.getNewRunningMean(), newMean), std::pair(norm.getNewRunningVar(), newVariance), std::pair(norm.getMean(), mean),
                          std::pair(norm.getRstd(), rstd)})
    if (to)
      rewriter.replaceAllUsesWith(from, to);
  rewriter.eraseOp(op);
  return 0u;
}

FailureOr<unsigned> mlir::raf::dispatch::applyCudnnBatchNormGrad(Operation *op, RewriterBase &rewriter, std::string &reason) {
  auto grad = cast<raf::BatchNormGradOp>(op);
  std::optional<Layout> layout = layoutOf(grad, reason);
  if (!layout)
    return failure();
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  Type type = grad.getX().getType(), feature = grad.getMean().getType();
  auto empty = [&](Type type) { return emptyTensor(rewriter, loc, type); };
  auto candidate = cudnn::BatchNormGradOp::create(rewriter, loc, TypeRange{type, feature, feature}, grad.getX(), grad.getDy(), grad.getScale(), grad.getMean(), grad.getRstd(), empty(type),
                                                  empty(feature), empty(feature), /*workspace=*/Value(), *layout);
  if (failed(replaceResults(op, candidate, 3, rewriter, reason)))
    return failure();
  return 0u;
}
