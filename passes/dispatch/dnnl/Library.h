// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the implementations of oneDNN share: questions to the library, and the making of ops.
#ifndef RAF_PASSES_DISPATCH_DNNL_LIBRARY_H
#define RAF_PASSES_DISPATCH_DNNL_LIBRARY_H

#include "dialects/dnnl/Ops.h"
#include "dialects/raf/Ops.h"
#include "passes/dispatch/Implementation.h"
#include "passes/dispatch/View.h"

namespace mlir::raf::dispatch {

/// Whether oneDNN takes tensors of this element type at all.
bool isLegalElement(Type element, std::string &reason);
/// Whether no dimension is empty.
bool isLegalShape(Type type, std::string &reason);
bool areLegalTypes(ValueRange values, std::string &reason);

/// Asks whether the op's library has a fast implementation of the op and gives the op the workspace that it needs. If not, the reason is stated.
FailureOr<PlanOpInterface> complete(PlanOpInterface op, RewriterBase &rewriter, std::string &reason);
/// Completes a forward op and what `build` makes for each of its gradients, before it: the library keeps for a gradient what raf does not, so that it has all of them
/// or none. Returns the forward op, then its gradients; if one fails, all are erased and the reason is stated.
FailureOr<SmallVector<PlanOpInterface>> completeWithGradients(PlanOpInterface forward, ArrayRef<Operation *> grads,
                                                              function_ref<PlanOpInterface(Operation *grad, PlanOpInterface forward)> build, RewriterBase &rewriter,
                                                              std::string &reason);
/// A destination for what the library records in the forward op that `build` makes with it; null if it cannot record there.
Value makeRecord(RewriterBase &rewriter, Location loc, function_ref<PlanOpInterface(Value record)> build);

Value emptyTensor(RewriterBase &rewriter, Location loc, Type type);
/// Replaces the op, which has one result, by one of the library, if that has a kernel.
FailureOr<unsigned> replaceBy(Operation *op, PlanOpInterface candidate, RewriterBase &rewriter, std::string &reason);
/// The gradients of a pool, if nothing else reads its indices.
FailureOr<SmallVector<Operation *>> gradientsOf(raf::MaxPoolOp pool, std::string &reason);
/// The attribute of a view, null when a tensor of that shape is read so without one.
dnnl::ViewAttr viewAttr(MLIRContext *context, const View &view, ArrayRef<int64_t> shape);

FailureOr<unsigned> applyMatmul(Operation *op, RewriterBase &rewriter, std::string &reason);
/// Whether generated code is known to compute the product faster: many small ones at once.
std::optional<std::string> isSlowerMatmul(Operation *op);
FailureOr<unsigned> applyConv(Operation *op, RewriterBase &rewriter, std::string &reason);
FailureOr<unsigned> applyConvInputGrad(Operation *op, RewriterBase &rewriter, std::string &reason);
FailureOr<unsigned> applyConvWeightGrad(Operation *op, RewriterBase &rewriter, std::string &reason);
FailureOr<unsigned> applyMaxPool(Operation *op, RewriterBase &rewriter, std::string &reason);
FailureOr<unsigned> applyAvgPool(Operation *op, RewriterBase &rewriter, std::string &reason);
FailureOr<unsigned> applyAvgPoolGrad(Operation *op, RewriterBase &rewriter, std::string &reason);
FailureOr<unsigned> applyBatchNorm(Operation *op, RewriterBase &rewriter, std::string &reason);

} // namespace mlir::raf::dispatch

#endif // RAF_PASSES_DISPATCH_DNNL_LIBRARY_H
