// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the threads of a block do together in a program on tiles: bring tiles into shared memory, multiply them, combine the columns of rows.
#ifndef RAF_PASSES_CODEGEN_GPU_TILEPRODUCT_H
#define RAF_PASSES_CODEGEN_GPU_TILEPRODUCT_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::raf {

/// Thread (y, x) of a block has the rows y + i * kDown and the columns x + j * kAcross of a tile. The threads of a row are neighbours, in one warp.
class ThreadGrid {
public:
  static constexpr int64_t kDown = 8, kAcross = 16, kThreads = kDown * kAcross;

  ThreadGrid(OpBuilder &builder, Location loc);

  /// The `number`-th row (dim 0) or column of the thread, one within the tile. Where there may be none, `inside` becomes the test for it.
  Value position(int64_t dim, int64_t number, int64_t size, Value *inside = nullptr);
  Value insideAcross(int64_t number, int64_t size);
  Value isFirstAcross();
  /// Each thread's value combined with those of its row.
  Value combineAcross(Value value, function_ref<Value(Value, Value)> combine);
  Value multiplyAdd(Value a, int64_t factor, Value b);
  Value linear() const { return thread; }

private:
  Value constant(int64_t value);

  OpBuilder &builder;
  Location loc;
  Value thread, down, across;
};

/// A tile in shared memory, by rows.
struct SharedTile {
  Value memory;
  RankedTensorType type;
  int64_t pitch = 0; ///< from row to row: whole vectors, and neighbouring rows begin in other banks

  static SharedTile create(gpu::GPUFuncOp func, Location loc, RankedTensorType type);
  int64_t elementBytes() const { return (type.getElementTypeBitWidth() + 7) / 8; }
  int64_t bytes() const { return type.getDimSize(0) * pitch * elementBytes(); }
};

/// Which tiles of shared memory were written or read since the threads last met.
class Barriers {
public:
  explicit Barriers(OpBuilder &builder) : builder(&builder) {}

  void beforeWrite(Value memory) {
    if (read.contains(memory))
      meet(memory.getLoc());
    written.insert(memory);
  }
  void beforeRead(Value memory) {
    if (written.contains(memory))
      meet(memory.getLoc());
    read.insert(memory);
  }
  void noteRead(Value memory) { read.insert(memory); }
  /// The state is this one or the other.
  void join(const Barriers &other) {
    written.insert(other.written.begin(), other.written.end());
    read.insert(other.read.begin(), other.read.end());
  }

private:
  void meet(Location loc) {
    gpu::BarrierOp::create(*builder, loc);
    written.clear();
    read.clear();
  }

  OpBuilder *builder;
  SetVector<Value> written, read;
};

/// A box of a buffer, which is seen as one row of elements.
struct BoxAccess {
  BoxAccess(OpBuilder &builder, Location loc, Value buffer, OffsetSizeAndStrideOpInterface box, const IRMapping &scalars);
  /// All of the buffer.
  BoxAccess(OpBuilder &builder, Location loc, Value buffer);
  Value address(OpBuilder &builder, Location loc, ArrayRef<Value> at) const;
  /// Elements that an access may have at once along the last dimension of the tile.
  int64_t vectorWidth(RankedTensorType tile) const;

  Value buffer, first;
  SmallVector<int64_t> strides; ///< by dimension of the tile
  int64_t factor = 1;           ///< `first` is a multiple of that
};

/// Every thread copies its share of the box.
void bringTile(OpBuilder &builder, Location loc, ThreadGrid &threads, const BoxAccess &box, const SharedTile &tile);

/// A product of two tiles of two dimensions.
struct TileProduct {
  linalg::GenericOp op;
  unsigned a, b;                     ///< the inputs with the rows and the columns of the result
  bool rowsOfA, columnsOfB;          ///< whether the result's dimension is the first one of the input
  int64_t depth;

  static std::optional<TileProduct> match(linalg::GenericOp op);
  /// The thread's elements, added to `sums`.
  SmallVector<Value> emit(OpBuilder &builder, ThreadGrid &threads, const SharedTile &a, const SharedTile &b, SmallVector<Value> sums) const;
};

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_TILEPRODUCT_H
