// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_REMAT_TIMES_H
#define PASSES_REMAT_TIMES_H

#include "passes/graph/TimeModel.h"

#include "mlir/IR/SymbolTable.h"

namespace mlir::raf {

/// Nanoseconds of a kernel or library call: `raf.time_ns` if it has been measured, otherwise the larger of its arithmetic and its bytes at the machine's speed, and a call.
double getTime(Operation *op, SymbolTable &symbols, const Machine &machine);

/// What running a launch takes less where nobody reads a result, for each of them; empty where that is not known to be anything.
SmallVector<double, 2> getTimesOfResults(Operation *op, SymbolTable &symbols, const Machine &machine);

} // namespace mlir::raf

#endif // PASSES_REMAT_TIMES_H
