// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of a matrix product inside a tile: packed parts of the operands, sums in vector registers.
#ifndef RAF_PASSES_CODEGEN_CPU_CONTRACTIONNEST_H
#define RAF_PASSES_CODEGEN_CPU_CONTRACTIONNEST_H

#include "passes/codegen-cpu/Contraction.h"
#include "passes/codegen-cpu/KernelBuffers.h"

namespace mlir::raf {

/// Emits, for each part of the depth: copies of the tile's parts of a and b in the order in which they will be read, then for each block of y a loop over the depth
/// with one outer product of a column of a and a row of b. Blocks at the edges are computed whole and stored in part.
void emitContraction(OpBuilder &builder, Contraction product, const ContractionPlan &plan, const TileSpace &space, ArrayRef<TileRange> ranges,
                     const KernelBuffers &buffers);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_CONTRACTIONNEST_H
