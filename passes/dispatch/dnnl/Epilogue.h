// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops after a matmul or convolution that its kernel can compute before it stores.
#ifndef RAF_PASSES_DISPATCH_DNNL_EPILOGUE_H
#define RAF_PASSES_DISPATCH_DNNL_EPILOGUE_H

#include "passes/dispatch/dnnl/Library.h"

namespace mlir::raf::dispatch {

/// An operand of a product as a view; only its batch dimensions may be broadcast. `slices`: it may be a part of a value that a library stores.
TracedView traceOperand(Value value, bool transpose, bool slices = false);

/// The value of a constant tensor with equal elements, broadcast or not.
std::optional<double> splatValue(Value value);

/// One op of the chain that starts at a result, each the only user of the one before.
struct ChainLink {
  Operation *op;
  /// None for a transpose or reshape, which only changes where elements are stored.
  std::optional<dnnl::PostOpKind> kind;
  dnnl::PostOpAttr postOp;
  /// The other operand of a binary op, as a view with the dimensions of the result where the chain starts.
  TracedView operand;
};

/// The longest chain from the result; `moves` allows transposes and reshapes in it.
SmallVector<ChainLink> findChain(Value result, bool moves);

/// What a prefix of a chain means for the op at its start.
struct Epilogue {
  Value result;                        // the last value covered
  std::optional<View> store;           // the result as a view with the first value's dimensions
  std::optional<TracedView> bias;      // added first, along the feature dimension only
  SmallVector<Attribute> postOps;
  SmallVector<TracedView> operands;    // of the binary post-ops
  Value accumulator;                   // what the destination holds before, with a sum
};

/// `feature` is the dimension of the bias.
std::optional<Epilogue> describe(Value first, ArrayRef<ChainLink> chain, int64_t feature);

/// Replaces the op with result y, and as much of the chain after it as the library has a kernel for, by what `build` makes before the op given to it; returns how
/// many ops of the chain went. `build` may decline a chain by returning null.
FailureOr<unsigned> fuse(Operation *op, Value y, SmallVector<ChainLink> chain, int64_t feature, RewriterBase &rewriter, std::string &reason,
                         function_ref<PlanOpInterface(Operation *, const Epilogue &)> build);

} // namespace mlir::raf::dispatch

#endif // RAF_PASSES_DISPATCH_DNNL_EPILOGUE_H
