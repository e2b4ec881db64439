// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making and improving the body of a kernel.
#ifndef RAF_PASSES_FUSION_KERNELBODY_H
#define RAF_PASSES_FUSION_KERNELBODY_H

#include "dialects/raf/Ops.h"
#include "mlir/IR/Builders.h"

namespace mlir::raf {

/// On a reduction that makes parts for many threads: it is merged with nothing that would leave it fewer.
constexpr llvm::StringLiteral kPartialAttr = "raf.partial";

/// Moves `ops` (in dominance order) into a new kernel at the builder's position and replaces the uses of their results outside.
KernelOp makeKernel(OpBuilder &builder, ArrayRef<Operation *> ops);

/// Whether the pointwise op that makes a value can be part of the only op that reads it, so that the value takes no memory at all. What is a kernel's own and is not computed in
/// its reader, code generation puts on the stack, as much of it as one tile makes.
bool isComputedInReader(OpOperand &use);

/// Replaces the kernel by one kernel for each of its ops, which pass their values to each other in memory. Returns how many there are.
int64_t split(OpBuilder &builder, KernelOp kernel);

/// Fuses pointwise ops of the kernel into their consumers where nothing costly is then computed twice. Leaves the kernel as it was when the result would have no
/// common tile space.
void fusePointwise(KernelOp kernel);

/// Makes one op of pointwise ops over the same loops that share values, such as the new moments and the new parameter of Adam: what they share is loaded and computed
/// once, and an input may be overwritten in place, since all of them have read it then.
void mergeSiblings(KernelOp kernel);

/// Whether \p next can be a further stage of \p kernel: it directly follows, and finishes what the kernel began (a small op on the kernel's results) or reduces just what the
/// kernel reads or makes.
bool canChain(KernelOp kernel, KernelOp next);

/// Makes \p next a further stage of \p kernel; returns the kernel of both.
KernelOp chain(OpBuilder &builder, KernelOp kernel, KernelOp next);

} // namespace mlir::raf

#endif // RAF_PASSES_FUSION_KERNELBODY_H
