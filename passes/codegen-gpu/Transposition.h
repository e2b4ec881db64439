// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is read across the order in which it is written, by tiles in shared memory.
#ifndef RAF_PASSES_CODEGEN_GPU_TRANSPOSITION_H
#define RAF_PASSES_CODEGEN_GPU_TRANSPOSITION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "passes/codegen-gpu/StagePlan.h"

namespace mlir::raf {

/// A pointwise op whose results are contiguous along one axis, `across`, and some of whose inputs, `crossed`, are along another one, `down`.
struct Transposition {
  const OpPlan *op;
  SmallVector<unsigned> crossed;
  Axis across, down;
  SmallVector<Axis> others;
  int64_t numOthers = 1;

  int64_t blocks() const;
  static int64_t threads();
};

/// The stage as a transposition of some size.
std::optional<Transposition> matchTransposition(const StagePlan &plan);

/// Fills the body of `func`, whose arguments are the buffers of the tensor function `kernel`.
void emitTransposition(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const Transposition &transposition);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_TRANSPOSITION_H
