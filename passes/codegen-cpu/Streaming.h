// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results that are written past the caches.
#ifndef RAF_PASSES_CODEGEN_CPU_STREAMING_H
#define RAF_PASSES_CODEGEN_CPU_STREAMING_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::raf {

/// How many elements, from the one at `indices` on, lie before the next address that is a multiple of a vector's bytes.
Value elementsToVector(OpBuilder &builder, Location loc, Value memref, ValueRange indices, int64_t vectorBits);

/// Writes `count` elements of a one-dimensional buffer to `memref` from `indices` on, along its last dimension: whole aligned vectors with non-temporal stores, and what is left
/// before and behind them under a mask.
void emitStream(OpBuilder &builder, Location loc, Value from, Value memref, ValueRange indices, Value count, int64_t vectorBits);

/// The same of `count` elements, a number of whole vectors, where the first of them begins a vector.
void emitWholeStream(OpBuilder &builder, Location loc, Value from, Value memref, ValueRange indices, int64_t count, int64_t vectorBits);

/// Lets other threads see what was streamed before what is written from here on: non-temporal stores are not ordered among other ones.
void emitStreamFence(OpBuilder &builder, Location loc);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_STREAMING_H
