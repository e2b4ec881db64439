// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dispatch/cudnn/Library.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;

template <typename Op>
static bool isLegal(Op op, std::string &reason) {
  if (op.getLayout() != Layout::channels_last)
    reason = "cuDNN pools with channels last; with channels first its gradients want x and y, and do not say which of equal maxima is meant";
  else if (!llvm::all_of(op.getDilations(), [](int64_t dilation) { return dilation == 1; }))
    reason = "cuDNN pools dense windows, without dilation";
  else
    return true;
  return false;
}

// The indices are the library's own, so the gradients that read them must be the library's too.
FailureOr<unsigned> mlir::raf::dispatch::applyCudnnMaxPool(Operation *op, RewriterBase &rewriter, std::string &reason) {
  auto pool = cast<raf::MaxPoolOp>(op);
  if (!isLegal(pool, reason))
    return failure();
  FailureOr<SmallVector<Operation *>> grads = gradientsOf(pool, reason);
  if (failed(grads))
    return failure();
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(pool.getY().getType());
  rewriter.setInsertionPoint(op);
  SmallVector<Type> types{type};
  Value indices;
  if (!grads->empty()) {
    types.push_back(RankedTensorType::get({type.getNumElements()}, rewriter.getI8Type()));
    indices = emptyTensor(rewriter, loc, types.back());
  }
  auto forward = cudnn::MaxPoolOp::create(rewriter, loc, types, pool.getX(), emptyTensor(rewriter, loc, type), indices, /*workspace=*/Value(), pool.getKernel(), pool.getStrides(),
                                          pool.getPadLow(), pool.getPadHigh());
  auto backward = [&](Operation *op, PlanOpInterface made) -> PlanOpInterface {
    auto grad = cast<raf::MaxPoolGradOp>(op);
    Type type = grad.getDx().getType();
    return cudnn::MaxPoolGradOp::create(rewriter, grad.getLoc(), TypeRange(type), grad.getDy(), made->getResult(1), emptyTensor(rewriter, loc, type), /*workspace=*/Value(),
                                        grad.getKernel(), grad.getStrides(), grad.getPadLow(), grad.getPadHigh());
  };
  FailureOr<SmallVector<PlanOpInterface>> made = completeWithGradients(forward, *grads, backward, rewriter, reason);
  if (failed(made))
    return failure();
  for (auto [grad, gradient] : llvm::zip(*grads, llvm::drop_begin(*made)))
    rewriter.replaceOp(grad, gradient->getResult(0));
  rewriter.replaceAllUsesWith(pool.getY(), made->front()->getResult(0));
  rewriter.eraseOp(op);
  return static_cast<unsigned>(grads->size());
}

template <typename To, typename From>
static FailureOr<unsigned> applyAverage(From op, RewriterBase &rewriter, std::string &reason) {
  if (!isLegal(op, reason))
    return failure();
  Type type = op.getType();
  rewriter.setInsertionPoint(op);
  auto candidate = To::create(rewriter, op.getLoc(), TypeRange(type), op->getOperand(0), emptyTensor(rewriter, op.getLoc(), type), /*workspace=*/Value(), op.getKernel(),
                              op.getStrides(), op.getPadLow(), op.getPadHigh(), op.getCountIncludePad());
  return replaceBy(op, candidate, rewriter, reason);
}

FailureOr<unsigned> mlir::raf::dispatch::applyCudnnAvgPool(Operation *op, RewriterBase &rewriter, std::string &reason) {
  return applyAverage<cudnn::AvgPoolOp>(cast<raf::AvgPoolOp>(op), rewriter, reason);
}
FailureOr<unsigned> mlir::raf::dispatch::applyCudnnAvgPoolGrad(Operation *op, RewriterBase &rewriter, std::string &reason) {
  return applyAverage<cudnn::AvgPoolGradOp>(cast<raf::AvgPoolGradOp>(op), rewriter, reason);
}
