// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of one kernel.
#ifndef RAF_PASSES_CODEGEN_CPU_KERNELEMITTER_H
#define RAF_PASSES_CODEGEN_CPU_KERNELEMITTER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/codegen-cpu/FlatKernels.h"
#include "passes/codegen-cpu/Contraction.h"

namespace mlir::raf {

/// Replaces the tensor function `kernel` by one on buffers of the same name that runs, stage by stage, `<name>_tiles` over all tiles. Every op of the body is a
/// linalg.generic; a value that a later stage reads is returned. Its buffers have the `types`, of which the kernel's tensors have some dimensions `joined`.
LogicalResult emitTiledKernel(func::FuncOp kernel, ArrayRef<Type> types, const JoinedDimensions &joined, ArrayRef<TileSpace> stages, const CpuModel &cpu);

/// Replaces the body of a kernel that launches others, each lowered by `emitTiledKernel`: stage by stage one parallel loop over the tiles of all of them, in ranges of equal work.
LogicalResult emitLaunches(func::FuncOp kernel, SymbolTable &symbols);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_KERNELEMITTER_H
