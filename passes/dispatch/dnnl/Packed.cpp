// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dispatch/dnnl/Packed.h"

#include "dialects/dnnl/Encode.h"
#include "runtime/include/raf_runtime.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;

dnnl::BlockedAttr WantedLayouts::of(PlanOpInterface op) {
  SmallVector<int64_t> words = op.getPlanWords();
  auto [found, isNew] = known.try_emplace({op.getPlanKind(), DenseI64ArrayAttr::get(op.getContext(), words)});
  if (!isNew)
    return found->second;
  int64_t layout[64], length = 0;
  if (raf_rt_dnnl_packed(op.getPlanKind(), words.data(), words.size(), layout, std::size(layout), &length) != RAF_RT_OK || length == 0)
    return {};
  dnnl::plan::Reader reader(layout, length);
  dnnl::plan::Tensor tensor;
  reader(tensor);
  return found->second = dnnl::BlockedAttr::get(op.getContext(), tensor.dims, tensor.strides, tensor.blocks, tensor.blockDims);
}

FailureOr<PlanOpInterface> mlir::raf::dispatch::withWeights(PlanOpInterface op, Value weights, dnnl::BlockedAttr layout, RewriterBase &rewriter) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  TypeRange type = TypeRange(op->getResultTypes()).take_front();
  Operation *by;
  if (auto matmul = dyn_cast<dnnl::MatmulOp>(op.getOperation()))
    by = dnnl::MatmulOp::create(rewriter, loc, type, matmul.getLhs(), weights, matmul.getBias(), matmul.getPostOperands(), matmul.getDst(), Value(), matmul.getPostOps(),
                                matmul.getLhsViewAttr(), dnnl::ViewAttr(), matmul.getBiasViewAttr(), matmul.getPostOperandViewsAttr(), matmul.getDstViewAttr(), layout);
  else if (auto conv = dyn_cast<dnnl::ConvOp>(op.getOperation()))
    by = dnnl::ConvOp::create(rewriter, loc, type, conv.getX(), weights, conv.getBias(), conv.getPostOperands(), conv.getDst(), Value(), conv.getStrides(), conv.getPadLow(),
                              conv.getPadHigh(), conv.getDilations(), conv.getGroups(), conv.getLayout(), conv.getPostOps(), layout);
  else if (auto grad = dyn_cast<dnnl::ConvInputGradOp>(op.getOperation()))
    by = dnnl::ConvInputGradOp::create(rewriter, loc, type, grad.getDy(), weights, grad.getDx(), Value(), grad.getStrides(), grad.getPadLow(), grad.getPadHigh(),
                                       grad.getDilations(), grad.getGroups(), grad.getLayout(), layout);
  else {
    auto own = cast<dnnl::ConvWeightGradOp>(op.getOperation());
    by = dnnl::ConvWeightGradOp::create(rewriter, loc, TypeRange(weights.getType()), own.getX(), own.getDy(), weights, Value(), own.getStrides(), own.getPadLow(),
                                        own.getPadHigh(), own.getDilations(), own.getGroups(), own.getLayout(), layout);
  }
  by->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  std::string reason;
  FailureOr<PlanOpInterface> completed = complete(cast<PlanOpInterface>(by), rewriter, reason);
  if (failed(completed))
    rewriter.eraseOp(by);
  return completed;
}
