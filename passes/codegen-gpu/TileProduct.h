// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the threads of a block do together in a program on tiles: they multiply tiles.
#ifndef RAF_PASSES_CODEGEN_GPU_TILEPRODUCT_H
#define RAF_PASSES_CODEGEN_GPU_TILEPRODUCT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/codegen-gpu/TileMemory.h"

namespace mlir::raf {

/// A product of two tiles of two dimensions.
struct TileProduct {
  linalg::GenericOp op;
  unsigned a, b;                     ///< the inputs with the rows and the columns of the result
  bool rowsOfA, columnsOfB;          ///< whether the result's dimension is the first one of the input
  int64_t depth;

  static std::optional<TileProduct> match(linalg::GenericOp op);
  /// Whether matrix instructions compute it: of 16-bit floats, or of f32 with `tf32`, with sums of f32, and no size so small that most of an instruction would be wasted.
  bool fitsMatrices(bool tf32) const;
  /// How many warps are one below the other if all products of the kernel are for matrix instructions, so that threads have few sums; with fewer, more share the columns of a row. Else 0.
  static int64_t chooseWarps(func::FuncOp kernel, bool tf32);
  /// Whether the thread's elements of `a` are those that the instructions want of it, so that it need not be in shared memory.
  bool takesRegisters(const ThreadGrid &threads) const;
  /// The thread's elements, added to `sums`.
  SmallVector<Value> emit(OpBuilder &builder, ThreadGrid &threads, const SharedTile &a, const SharedTile &b, SmallVector<Value> sums) const;
  /// The same by matrix instructions; `a` comes from registers unless there are none.
  SmallVector<Value> emitMatrices(OpBuilder &builder, ThreadGrid &threads, ArrayRef<Value> registers, const SharedTile &a, const SharedTile &b, SmallVector<Value> sums) const;
};

/// Neither LLVM nor the assembler unrolls the loop, but by `unroll`.
void keepRolled(scf::ForOp loop, int64_t unroll = 1);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_TILEPRODUCT_H
