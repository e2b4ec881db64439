// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands that lie in memory across the result.

#ifndef RAF_PASSES_CODEGEN_CPU_TRANSPOSITION_H
#define RAF_PASSES_CODEGEN_CPU_TRANSPOSITION_H

#include "passes/codegen-cpu/KernelBuffers.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::raf {

/// An input whose neighbours in memory are not those of the result: element after element along the loop `along` in the input, along `across` in the result.
struct Crossing {
  int64_t along, across;
};

/// None where the op has reductions, where the input is contiguous as the result is, or where one of the loops is too short for blocks.
std::optional<Crossing> crossingOf(linalg::GenericOp op, OpOperand &input);

/// The tiles of a kernel of pointwise ops with such inputs are blocks along both loops: then each line of memory is read and written once. Those of results
/// of `streamBytes` are longer in its rows. None for other kernels.
std::optional<TilePlan> planBlocks(const TileSpace &space, int64_t streamBytes);

/// Makes the columns of a square block of its rows, vectors as long as there are rows: exchanges the off-diagonal quarters of ever smaller squares.
void transposeRows(ImplicitLocOpBuilder &b, MutableArrayRef<Value> rows);

/// The tile's part of an input, transposed.
struct StagedInput {
  OpOperand *input;
  AffineMap map;
  KernelBuffers::Place place;
  int64_t overhang = 0; ///< so many elements more along the result's rows, up to their end
};

/// Transposes the tile's parts of the op's crossing inputs, block by block in vectors of `vectorBits`. Where rows of a streamed result begin and end within vectors the parts go
/// beyond the tile by a vector: then the tile can write the vectors that begin in it, and none in part.
SmallVector<StagedInput> stageCrossings(OpBuilder &builder, linalg::GenericOp op, const TileSpace &space, ArrayRef<TileRange> ranges, const KernelBuffers &buffers, int64_t vectorBits);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_TRANSPOSITION_H
