// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of one linalg.generic inside a tile.
#ifndef RAF_PASSES_CODEGEN_CPU_LOOPNEST_H
#define RAF_PASSES_CODEGEN_CPU_LOOPNEST_H

#include "passes/codegen-cpu/Prefetch.h"
#include "passes/codegen-cpu/Transposition.h"

namespace mlir::raf {

/// Emits scalar loops over the tile's part of the op: the loop that is contiguous in most operands innermost, adjacent loops that are contiguous in all joined, and
/// innermost reductions carried in registers. A single loop fetches the streams beside its work; staged inputs
/// are read where they are staged.
LogicalResult emitLoopNest(OpBuilder &builder, linalg::GenericOp op, const TileSpace &space, ArrayRef<TileRange> ranges, const KernelBuffers &buffers,
                           ArrayRef<Stream> streams = {}, ArrayRef<StagedInput> staged = {});

/// Emits a copy of the tile's part of a result from one place to another.
void emitCopy(OpBuilder &builder, linalg::GenericOp op, OpResult value, const TileSpace &space, ArrayRef<TileRange> ranges, const KernelBuffers::Place &from,
              const KernelBuffers::Place &to);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_LOOPNEST_H
