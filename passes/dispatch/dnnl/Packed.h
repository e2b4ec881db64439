// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights in layouts of oneDNN: which it wants, and its ops on them.
#ifndef RAF_PASSES_DISPATCH_DNNL_PACKED_H
#define RAF_PASSES_DISPATCH_DNNL_PACKED_H

#include "passes/dispatch/dnnl/Library.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::raf::dispatch {

/// Asks the library once for each different plan.
class WantedLayouts {
public:
  /// The layout that the library would copy the op's weights into; null if it reads them as they lie.
  dnnl::BlockedAttr of(PlanOpInterface op);

private:
  DenseMap<std::pair<int64_t, Attribute>, dnnl::BlockedAttr> known;
};

/// A product, a convolution or its gradient as `op`, on `weights` in this layout, before it and with the workspace that it then needs; a gradient of weights is written into them. Nothing
/// is left behind where the library cannot compute it.
FailureOr<PlanOpInterface> withWeights(PlanOpInterface op, Value weights, dnnl::BlockedAttr layout, RewriterBase &rewriter);

} // namespace mlir::raf::dispatch

#endif // RAF_PASSES_DISPATCH_DNNL_PACKED_H
