// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cuDNN takes. As cuBLASLt it is not asked, but judged by what the runtime knows of it.
#ifndef RAF_PASSES_DISPATCH_CUDNN_LIBRARY_H
#define RAF_PASSES_DISPATCH_CUDNN_LIBRARY_H

#include "dialects/cudnn/Ops.h"
#include "dialects/raf/Ops.h"
#include "passes/dispatch/dnnl/Library.h"

namespace mlir::raf::dispatch {

FailureOr<unsigned> applyCudnnBatchNorm(Operation *op, RewriterBase &rewriter, std::string &reason);
FailureOr<unsigned> applyCudnnBatchNormGrad(Operation *op, RewriterBase &rewriter, std::string &reason);
FailureOr<unsigned> applyCudnnMaxPool(Operation *op, RewriterBase &rewriter, std::string &reason);
FailureOr<unsigned> applyCudnnAvgPool(Operation *op, RewriterBase &rewriter, std::string &reason);
FailureOr<unsigned> applyCudnnAvgPoolGrad(Operation *op, RewriterBase &rewriter, std::string &reason);
FailureOr<unsigned> applyCudnnAttention(Operation *op, RewriterBase &rewriter, std::string &reason);
FailureOr<unsigned> applyCudnnAttentionGrad(Operation *op, RewriterBase &rewriter, std::string &reason, StringRef chip);

/// Replaces the first results of the op by those of the candidate, if the library takes it; otherwise the candidate is erased.
LogicalResult replaceResults(Operation *op, PlanOpInterface candidate, unsigned results, RewriterBase &rewriter, std::string &reason);

} // namespace mlir::raf::dispatch

#endif // RAF_PASSES_DISPATCH_CUDNN_LIBRARY_H
