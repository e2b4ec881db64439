// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counted loops that carry values, as the kernels of both targets write them.
#ifndef RAF_PASSES_CODEGEN_EMITFOR_H
#define RAF_PASSES_CODEGEN_EMITFOR_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::raf {

/// A loop from `from` to `to` in steps of `step`. The body gets the index and the carried values, which are `initial` at first, and returns the next ones.
scf::ForOp emitFor(OpBuilder &builder, Location loc, Value from, Value to, int64_t step, ValueRange initial, function_ref<SmallVector<Value>(Value, ValueRange)> body);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_EMITFOR_H
