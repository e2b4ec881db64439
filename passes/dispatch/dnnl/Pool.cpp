// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "passes/dispatch/dnnl/Library.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;

static bool haveOneWindow(raf::MaxPoolOp pool, raf::MaxPoolGradOp grad) {
  return pool.getKernel() == grad.getKernel() && pool.getStrides() == grad.getStrides() && pool.getPadLow() == grad.getPadLow() &&
         pool.getPadHigh() == grad.getPadHigh() && pool.getDilations() == grad.getDilations() && pool.getLayout() == grad.getLayout() &&
         pool.getX().getType() == grad.getDx().getType();
}

FailureOr<SmallVector<Operation *>> mlir::raf::dispatch::gradientsOf(raf::MaxPoolOp pool, std::string &reason) {
  SmallVector<Operation *> grads;
  for (OpOperand &use : pool.getIndices().getUses()) {
    auto grad = dyn_cast<raf::MaxPoolGradOp>(use.getOwner());
    if (!grad || !haveOneWindow(pool, grad)) {
      reason = "the indices are used by more than the gradient of this pool";
      return failure();
    }
    grads.push_back(grad);
  }
  return grads;
}

// The library records the maxima in a form of its own, so the gradients that read `indices` must be the library's too.
FailureOr<unsigned> mlir::raf::dispatch::applyMaxPool(Operation *op, RewriterBase &rewriter, std::string &reason) {
  auto pool = cast<raf::MaxPoolOp>(op);
  if (!areLegalTypes({pool.getX(), pool.getY()}, reason))
    return failure();
  FailureOr<SmallVector<Operation *>> grads = gradientsOf(pool, reason);
  if (failed(grads))
    return failure();

  Location loc = op->getLoc();
  auto forward = [&](Value indices) -> PlanOpInterface {
    SmallVector<Type> types{pool.getY().getType()};
    if (indices)
      types.push_back(indices.getType());
    return dnnl::MaxPoolOp::create(rewriter, loc, types, pool.getX(), emptyTensor(rewriter, loc, pool.getY().getType()), indices, Value(), pool.getKernel(),
                                   pool.getStrides(), pool.getPadLow(), pool.getPadHigh(), pool.getDilations(), pool.getLayout());
  };
  rewriter.setInsertionPoint(op);
  Value indices;
  if (!grads->empty() && !(indices = makeRecord(rewriter, loc, forward))) {
    reason = "oneDNN cannot record the maxima of this pool";
    return failure();
  }
  auto backward = [&](Operation *op, PlanOpInterface pool) -> PlanOpInterface {
    auto grad = cast<raf::MaxPoolGradOp>(op);
    Type type = grad.getDx().getType();
    return dnnl::MaxPoolGradOp::create(rewriter, grad.getLoc(), TypeRange(type), grad.getDy(), pool->getResult(1), emptyTensor(rewriter, loc, type), Value(), grad.getKernel(),
                                       grad.getStrides(), grad.getPadLow(), grad.getPadHigh(), grad.getDilations(), grad.getLayout());
  };
  FailureOr<SmallVector<PlanOpInterface>> made = completeWithGradients(forward(indices), *grads, backward, rewriter, reason);
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
  Type type = op.getType();
  if (!areLegalTypes({op->getOperand(0), op->getResult(0)}, reason))
    return failure();
  rewriter.setInsertionPoint(op);
  auto candidate = To::create(rewriter, op.getLoc(), TypeRange(type), op->getOperand(0), emptyTensor(rewriter, op.getLoc(), type), Value(), op.getKernel(),
                              op.getStrides(), op.getPadLow(), op.getPadHigh(), op.getDilations(), op.getLayout(), op.getCountIncludePad());
  return replaceBy(op, candidate, rewriter, reason);
}

FailureOr<unsigned> mlir::raf::dispatch::applyAvgPool(Operation *op, RewriterBase &rewriter, std::string &reason) {
  return applyAverage<dnnl::AvgPoolOp>(cast<raf::AvgPoolOp>(op), rewriter, reason);
}
FailureOr<unsigned> mlir::raf::dispatch::applyAvgPoolGrad(Operation *op, RewriterBase &rewriter, std::string &reason) {
  return applyAverage<dnnl::AvgPoolGradOp>(cast<raf::AvgPoolGradOp>(op), rewriter, reason);
}
