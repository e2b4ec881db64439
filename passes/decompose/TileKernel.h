// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose body is a program on tiles: a parallel loop over blocks, in which ops of small static shapes follow one another, and loops carry tiles.
#ifndef RAF_PASSES_DECOMPOSE_TILEKERNEL_H
#define RAF_PASSES_DECOMPOSE_TILEKERNEL_H

#include "dialects/raf/TensorBuilder.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::raf {

/// Builds a raf.kernel around an scf.forall. Tiles have at most two dimensions; operands are read in boxes of one or two dimensions, results written so.
class TileKernel {
public:
  TileKernel(OpBuilder &builder, Location loc, StringRef label, ArrayRef<RankedTensorType> results, int64_t blocks)
      : outer(builder), b(builder, loc), label(label), results(results), blocks(blocks) {}

  /// Bytes that a row of a tile takes at most where programs keep it, and rows where it has some: matrix instructions need whole ones.
  static int64_t rowBytes(int64_t columns, int64_t elementBytes) { return llvm::alignTo(columns * elementBytes, 32) + 16; }
  static int64_t rowsOf(int64_t rows) { return rows < 16 ? rows : llvm::alignTo(rows, 16); }

  /// What the program reads: through transposes, slices and reshapes where boxes of it are boxes of what those read.
  void addInput(Value x);
  /// The kernel with that body, which gets the number of its block; returns what replaces the values `of`.
  SmallVector<Value> build(function_ref<void(Value block)> body, ValueRange of);

  // In the body:
  TensorBuilder &tensors() { return b; }
  /// An input that is not read in boxes.
  Value inside(Value input) { return inputs.lookup(input); }
  /// The box of an input, with its dimensions `kept`; those that are not there are not kept. All others are 1.
  Value load(Value x, ArrayRef<Value> offsets, ArrayRef<int64_t> sizes, ArrayRef<int64_t> kept);
  /// Writes a tile, whose dimensions are the `kept` ones of the result, at the offsets. The first `skip` rows and columns are left out; null: none.
  void store(unsigned number, Value tile, ArrayRef<Value> offsets, ArrayRef<int64_t> kept, ArrayRef<Value> skip);
  SmallVector<Value> loop(Value from, Value to, ValueRange carried, function_ref<SmallVector<Value>(Value, ValueRange)> body);

  // Positions. Divisions are of numbers >= 0.
  Value index(int64_t value);
  Value add(Value a, Value c);
  Value add(Value a, int64_t c) { return add(a, index(c)); }
  Value sub(Value a, Value c);
  Value mul(Value a, int64_t factor);
  Value div(Value a, int64_t divisor);
  Value rem(Value a, int64_t divisor);
  Value minimum(Value a, int64_t c);
  Value maximum(Value a, int64_t c);

private:
  struct Written {
    unsigned number;
    Value tile;
    SmallVector<OpFoldResult> offsets, sizes;
  };

  OpBuilder &outer;
  TensorBuilder b;
  StringRef label;
  SmallVector<RankedTensorType> results;
  int64_t blocks;
  llvm::MapVector<Value, Value> inputs; ///< the argument for each
  SmallVector<Written> written;
  SmallVector<bool> swapped; ///< results that are made with dimensions 1 and 2 exchanged
};

} // namespace mlir::raf

#endif // RAF_PASSES_DECOMPOSE_TILEKERNEL_H
