// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Folding.h"
#include "dialects/raf/Ops.h"
#include "passes/dispatch/dnnl/Library.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;

namespace {
// Small sums over features, which code generation fuses.
struct FeatureMaths {
  RewriterBase &rewriter;
  Location loc;
  RankedTensorType type;

  Value splat(double value) {
    return raf::ConstantOp::create(rewriter, loc, DenseElementsAttr::get(type, rewriter.getFloatAttr(type.getElementType(), value)));
  }
  Value running(Value old, Value now, double momentum) {
    Value kept = raf::MulOp::create(rewriter, loc, old, splat(momentum)), added = raf::MulOp::create(rewriter, loc, now, splat(1.0 - momentum));
    return raf::AddOp::create(rewriter, loc, kept, added);
  }
  Value rstd(Value variance, double epsilon) { return raf::RsqrtOp::create(rewriter, loc, raf::AddOp::create(rewriter, loc, variance, splat(epsilon))); }
};
} // namespace

// The gradient that dy was before the gradient of this relu's result was cut to 0 where the result is not positive; null if dy is something else.
static Value beforeRelu(Value dy, raf::ReluOp relu) {
  auto select = dy.getDefiningOp<raf::SelectOp>();
  auto compare = select ? select.getPred().getDefiningOp<raf::CompareOp>() : raf::CompareOp();
  bool fits = compare && compare.getKind() == CompareKind::gt && compare.getLhs() == relu.getY() && isSplatConstant(compare.getRhs(), 0.0) &&
              isSplatConstant(select.getOnFalse(), 0.0);
  return fits ? select.getOnTrue() : Value();
}

// raf keeps 1 / sqrt(variance + epsilon), the library the variance: its gradients must see the latter, so they are taken together with the forward op.
FailureOr<unsigned> mlir::raf::dispatch::applyBatchNorm(Operation *op, RewriterBase &rewriter, std::string &reason) {
  auto norm = cast<raf::BatchNormOp>(op);
  auto type = cast<RankedTensorType>(norm.getX().getType());
  if (!areLegalTypes(op->getOperands(), reason))
    return failure();
  if (Type statistic = getElementTypeOrSelf(norm.getMean().getType()); !statistic.isF32()) {
    llvm::raw_string_ostream(reason) << "oneDNN keeps statistics in f32, got " << statistic;
    return failure();
  }
  int64_t axis = norm.getAxis(), rank = type.getRank();
  if (rank < 2 || rank > 5 || (axis != 1 && axis != rank - 1)) {
    llvm::raw_string_ostream(reason) << "oneDNN normalizes tensors of rank 2 to 5 with the features in dimension 1 or last, got rank " << rank << " and axis " << axis;
    return failure();
  }
  Layout layout = axis == 1 ? Layout::channels_first : Layout::channels_last;
  double epsilon = norm.getEpsilon().convertToDouble(), momentum = norm.getMomentum().convertToDouble();

  SmallVector<Operation *> grads;
  for (Operation *user : norm.getRstd().getUsers()) {
    auto grad = dyn_cast<raf::BatchNormGradOp>(user);
    if (grad && grad.getRstd() == norm.getRstd() && grad.getMean() == norm.getMean() && grad.getX() == norm.getX() && grad.getAxis() == norm.getAxis())
      grads.push_back(grad);
  }

  // A relu that alone reads y is computed with it. The gradients then need its mask, so they must all be gradients through that relu.
  raf::ReluOp relu;
  if (norm.getY().hasOneUse() && !grads.empty())
    relu = dyn_cast<raf::ReluOp>(*norm.getY().user_begin());
  if (relu && !llvm::all_of(grads, [&](Operation *grad) { return beforeRelu(cast<raf::BatchNormGradOp>(grad).getDy(), relu); }))
    relu = {};

  Location loc = op->getLoc();
  auto feature = cast<RankedTensorType>(norm.getMean().getType());
  rewriter.setInsertionPoint(op);
  auto empty = [&](Type type) { return emptyTensor(rewriter, loc, type); };
  auto forward = [&](Value mask) -> PlanOpInterface {
    SmallVector<Type> types{type, feature, feature};
    if (mask)
      types.push_back(mask.getType());
    return dnnl::BatchNormOp::create(rewriter, loc, types, norm.getX(), norm.getScale(), norm.getBias(), empty(type), empty(feature), empty(feature), mask, Value(),
                                     llvm::APFloat(epsilon), layout);
  };
  Value mask = relu ? makeRecord(rewriter, loc, forward) : Value();
  if (!mask)
    relu = {};
  auto backward = [&](Operation *op, PlanOpInterface norm) -> PlanOpInterface {
    auto grad = cast<raf::BatchNormGradOp>(op);
    Value dy = relu ? beforeRelu(grad.getDy(), relu) : Value(grad.getDy());
    return dnnl::BatchNormGradOp::create(rewriter, grad.getLoc(), TypeRange{type, feature, feature}, grad.getX(), norm->getResult(1), norm->getResult(2), dy, grad.getScale(),
                                         relu ? norm->getResult(3) : Value(), empty(type), empty(feature), empty(feature), Value(), llvm::APFloat(epsilon), layout);
  };
  FailureOr<SmallVector<PlanOpInterface>> made = completeWithGradients(forward(mask), grads, backward, rewriter, reason);
  if (failed(made))
    return failure();
  PlanOpInterface completed = made->front();
  Value y = completed->getResult(0), mean = completed->getResult(1), variance = completed->getResult(2);
  for (auto [grad, gradient] : llvm::zip(grads, llvm::drop_begin(*made)))
    rewriter.replaceOp(grad, gradient->getResults().take_front(3));

  rewriter.setInsertionPointAfter(completed);
  FeatureMaths maths{rewriter, loc, feature};
  if (relu)
    rewriter.replaceOp(relu, y);
  else
    rewriter.replaceAllUsesWith(norm.getY(), y);
  rewriter.replaceAllUsesWith(norm.getMean(), mean);
  if (!norm.getNewRunningMean().use_empty())
    rewriter.replaceAllUsesWith(norm.getNewRunningMean(), maths.running(norm.getRunningMean(), mean, momentum));
  if (!norm.getNewRunningVar().use_empty())
    rewriter.replaceAllUsesWith(norm.getNewRunningVar(), maths.running(norm.getRunningVar(), variance, momentum));
  if (!norm.getRstd().use_empty())
    rewriter.replaceAllUsesWith(norm.getRstd(), maths.rstd(variance, epsilon));
  rewriter.eraseOp(op);
  return static_cast<unsigned>(grads.size() + (relu ? 1 : 0));
}
