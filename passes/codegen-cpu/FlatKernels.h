// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointwise kernels walk their operands as they lie in memory, not row by row.
#ifndef RAF_PASSES_CODEGEN_CPU_FLATKERNELS_H
#define RAF_PASSES_CODEGEN_CPU_FLATKERNELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

namespace mlir::raf {

/// Of each argument of a kernel, the dimensions that became one; nothing for an argument that is as it was.
using JoinedDimensions = SmallVector<SmallVector<ReassociationIndices>>;

/// Joins adjacent loops of a kernel of pointwise ops, the innermost ones among them, where every operand has both or neither: its arguments get fewer dimensions, so that tiles
/// begin with a vector wherever rows do. Loops stay whose indices are used for something else than an element's number.
JoinedDimensions flattenKernel(func::FuncOp kernel);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_FLATKERNELS_H
