// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel function on tensors costs, counted in its body.

#ifndef PASSES_GRAPH_KERNELCOST_H
#define PASSES_GRAPH_KERNELCOST_H

#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::raf {

/// Floating-point operations of one execution of a kernel, or of an op inside of one: a fused multiply-add counts as two, any other scalar function as one, conversions and choices as none. A loop whose bounds are not
/// constants counts as one iteration.
int64_t countFlops(Operation *kernel);

/// Bytes that one execution reads and writes at least: each argument once, or as much of it as the ops that read it look at; a destination twice when it is
/// read.
int64_t countBytes(func::FuncOp kernel, unsigned numInputs);

/// Whether the kernel depends on what the destination held before.
bool readsDestination(BlockArgument destination);

} // namespace mlir::raf

#endif // PASSES_GRAPH_KERNELCOST_H
