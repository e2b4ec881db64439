// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointwise kernels walk their operands as they lie in memory, not row by row.
#ifndef RAF_PASSES_CODEGEN_CPU_FLATKERNELS_H
#define RAF_PASSES_CODEGEN_CPU_FLATKERNELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::raf {

/// Joins adjacent loops of a kernel of pointwise ops, the innermost ones among them, where every operand has both or neither: its arguments get fewer dimensions, so that tiles
/// begin with a vector wherever rows do. Loops stay whose indices are used for something else than an element's number. Whether the kernel has changed.
bool flattenKernel(func::FuncOp kernel);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_FLATKERNELS_H
