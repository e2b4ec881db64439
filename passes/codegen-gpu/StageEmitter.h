// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of one stage of a kernel.
#ifndef RAF_PASSES_CODEGEN_GPU_STAGEEMITTER_H
#define RAF_PASSES_CODEGEN_GPU_STAGEEMITTER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/codegen-gpu/Lanes.h"

namespace mlir::raf {

/// Fills the body of `func`, whose arguments are the buffers of the tensor function `kernel`, with the stage that the plan spreads: op by op, each thread its share of the
/// points and of the loops within them.
LogicalResult emitStage(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan);

/// Where the code of a stage goes that shares its kernel with others: the buffers of its arguments there, the number of the block among its own, and the op before which it stands.
struct StagePlace {
  SmallVector<Value> buffers;
  Value block;
  Operation *before;
};
LogicalResult emitStage(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const StagePlace &place);

/// Every value that the stage reads must have a place: one of an earlier stage is a result of the kernel.
LogicalResult checkOperands(func::FuncOp kernel, const StagePlan &plan);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_STAGEEMITTER_H
