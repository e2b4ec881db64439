// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with loops of their own.
#ifndef RAF_PASSES_CODEGEN_SEQUENTIALKERNEL_H
#define RAF_PASSES_CODEGEN_SEQUENTIALKERNEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::raf {

/// Replaces the tensor function `kernel`, which has loops of its own (scatters, scans), by one on buffers of the same name: bufferized as it is, for one thread. Returns that.
FailureOr<func::FuncOp> emitSequentialKernel(func::FuncOp kernel);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_SEQUENTIALKERNEL_H
