// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are programs on tiles: a parallel loop over blocks, whose body has ops on tiles one after the other, and loops that carry tiles.
#ifndef RAF_PASSES_CODEGEN_GPU_TILEPROGRAM_H
#define RAF_PASSES_CODEGEN_GPU_TILEPROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::raf {

/// Whether the kernel is a program on tiles: its results are written in boxes, by an scf.forall, or by what is left of one that had a single block.
bool isTileProgram(func::FuncOp kernel);

/// The number of its blocks, or null where the loop over them has not one dimension.
std::optional<int64_t> blocksOfTileProgram(func::FuncOp kernel);

/// Whether each result is made of its destination and returned; an error otherwise.
LogicalResult checkTileProgram(func::FuncOp kernel);

/// Writes the program into `func`, whose arguments are buffers of the kernel's arguments: a block of the loop is a block of threads.
/// With `tf32`, products of f32 may round their operands. Returns the bytes of dynamic shared memory that a launch has to ask for.
FailureOr<int64_t> emitTileProgram(gpu::GPUFuncOp func, func::FuncOp kernel, bool tf32);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_TILEPROGRAM_H
