// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop nests on buffers, shared among threads.
#ifndef RAF_PASSES_CODEGEN_CPU_SPLITLOOPS_H
#define RAF_PASSES_CODEGEN_CPU_SPLITLOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::raf {

/// Splits `kernel`, loops on buffers as emitSequentialKernel writes them, along a dimension of the buffer that it writes, if in all its accesses there the index is that of one loop
/// over the whole dimension (a scatter's columns, say): then iterations touch no element in common, and each element sees what it saw in one thread, in the same order. The kernel
/// runs `<name>_tiles` over ranges of that dimension in parallel. False, with the reason: it runs on one thread.
bool splitLoops(func::FuncOp kernel, StringRef &reason);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_SPLITLOOPS_H
