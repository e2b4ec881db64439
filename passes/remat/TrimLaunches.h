// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_REMAT_TRIMLAUNCHES_H
#define PASSES_REMAT_TRIMLAUNCHES_H

#include "dialects/raf/Ops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::raf {

/// Whether the launch could do without making the result, if nobody read it: there are others, it lies in memory of its own, and the kernel itself has no use for it.
bool canTrim(LaunchOp launch, func::FuncOp kernel, unsigned result);

/// Launches of which not every result is read run kernels that make only the others.
void trimLaunches(func::FuncOp func, SymbolTable &symbols);

} // namespace mlir::raf

#endif // PASSES_REMAT_TRIMLAUNCHES_H
