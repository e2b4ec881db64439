// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that is fetched while a tile computes.

#ifndef RAF_PASSES_CODEGEN_CPU_PREFETCH_H
#define RAF_PASSES_CODEGEN_CPU_PREFETCH_H

#include "passes/codegen-cpu/KernelBuffers.h"

namespace mlir::raf {

/// A stretch of an argument that a loop fetches piece by piece beside its own work.
struct Stream {
  linalg::GenericOp pass; ///< whose loop fetches it
  Value memref;     ///< one-dimensional
  Value start;      ///< first element
  int64_t elements; ///< of the stretch
  bool written;
};

/// A tile that walks its rows several times waits for memory in its first pass and leaves memory idle in the others. So the most costly pass after the one that reads an
/// input first fetches what the next tile reads of it, and the most costly pass before the one that writes an output fetches where this tile writes it.
SmallVector<Stream> planPrefetch(OpBuilder &builder, const TileSpace &space, const TilePlan &plan, Value tile, const KernelBuffers &buffers);

/// Fetches the part of the streams that belongs to the iterations [from, from + count) of `total`.
void emitPrefetch(OpBuilder &builder, Location loc, ArrayRef<Stream> streams, Value from, int64_t count, int64_t total);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_PREFETCH_H
