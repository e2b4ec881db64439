// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the threads of a block have of tiles, in registers and in shared memory, and how it comes there.
#ifndef RAF_PASSES_CODEGEN_GPU_TILEMEMORY_H
#define RAF_PASSES_CODEGEN_GPU_TILEMEMORY_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::raf {

/// Which elements of a tile a thread has. In the plain grid, thread (y, x) has the rows y + i * kDown and the columns x + j * kAcross; the threads of a row are neighbours, in one warp.
/// For matrix instructions the warps are a grid, `warpsDown` of them one below the other: a warp has 16 rows of every 16 * warpsDown and 8 columns of every 8 * warpsAcross, and a thread of
/// it what the sums of mma.sync are: of 16 rows lane / 4 and 8 after it, of 8 columns the two at lane % 4 * 2.
class ThreadGrid {
public:
  static constexpr int64_t kDown = 8, kAcross = 16, kThreads = kDown * kAcross, kWarps = kThreads / 32;
  /// Rows and columns of the sums of mma.sync, and the bytes of a row of an operand at one step of the depth.
  static constexpr int64_t kMatrixRows = 16, kMatrixColumns = 8, kStepBytes = 32;

  /// `warpsDown` is 0 for the plain grid.
  ThreadGrid(OpBuilder &builder, Location loc, int64_t warpsDown);

  /// Elements of a thread along a dimension: 0 goes down, 1 across.
  static int64_t share(int64_t dim, int64_t size, int64_t warpsDown);
  int64_t share(int64_t dim, int64_t size) const { return share(dim, size, warpsDown); }
  /// The `number`-th row (dim 0) or column of the thread, one within the tile. Where there may be none, `inside` becomes the test for it.
  Value position(int64_t dim, int64_t number, int64_t size, Value *inside = nullptr);
  Value insideAcross(int64_t number, int64_t size);
  /// The number of the thread's elements of a tile of at most two dimensions.
  int64_t registersOf(RankedTensorType type) const;
  /// Where element `number` of them is; within the tile even if there is none, and then `inside` says so.
  struct Place {
    SmallVector<Value> at;
    Value inside;
  };
  Place placeOf(RankedTensorType type, int64_t number);
  /// The elements of a tile of two dimensions that `element` makes, given the number of one in its row and where it is: one row in each iteration of a loop.
  SmallVector<Value> byRows(RankedTensorType type, function_ref<Value(int64_t, ArrayRef<Value>)> element);
  Value isFirst();
  Value isFirstAcross();
  /// Each thread's value combined with those of its row in the warp.
  Value combineAcross(Value value, function_ref<Value(Value, Value)> combine);
  Value multiplyAdd(Value a, int64_t factor, Value b);
  Value linear() const { return thread; }

  bool hasMatrices() const { return warpsDown > 0; }
  int64_t numWarpsDown() const { return warpsDown; }
  /// Warps that have columns of the same rows.
  int64_t numWarpsAcross() const { return hasMatrices() ? kWarps / warpsDown : 1; }
  // Where several warps have parts of a row: what each has of the thread's rows goes to shared memory, and all of it comes back combined, in the order of the warps.
  void storeParts(ArrayRef<Value> parts, int64_t rows, Value memory);
  void combineParts(MutableArrayRef<Value> parts, int64_t rows, Value memory, function_ref<Value(Value, Value)> combine);
  // Of the thread, for matrix instructions: where its warp is, and its number within that.
  Value warpDown, warpAcross, lane;

private:
  Value constant(int64_t value);

  OpBuilder &builder;
  Location loc;
  int64_t warpsDown;
  Value thread, down, across;
};

/// A tile in shared memory, by rows.
struct SharedTile {
  Value memory;
  RankedTensorType type;
  int64_t rows = 0, columns = 0; ///< that there is room for
  int64_t pitch = 0;             ///< from row to row: whole vectors, and neighbouring rows begin in other banks

  Value slot;                    ///< of one with two places, the element at which the one begins that is meant

  /// For matrix instructions, rows and columns are filled up to whole ones.
  static SharedTile describe(RankedTensorType type, bool forMatrices);
  static SharedTile create(gpu::GPUFuncOp func, Location loc, RankedTensorType type, bool forMatrices);
  int64_t elementBytes() const { return (type.getElementTypeBitWidth() + 7) / 8; }
  int64_t bytes() const { return numElements() * elementBytes(); }
  bool isFilledUp() const { return rows != type.getDimSize(0) || columns != type.getDimSize(1); }
  int64_t numElements() const { return rows * pitch; }
  /// Every thread writes its share of zeros, everywhere in the memory.
  void clear(OpBuilder &builder, Location loc, ThreadGrid &threads) const;
};

/// Which tiles of shared memory, and which arguments, were written or read since the threads last met.
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

  void meet(Location loc) {
    gpu::BarrierOp::create(*builder, loc);
    written.clear();
    read.clear();
  }

private:
  OpBuilder *builder;
  SetVector<Value> written, read;
};

/// A box of a buffer, which is seen as one row of elements.
struct BoxAccess {
  BoxAccess(OpBuilder &builder, Location loc, Value buffer, OffsetSizeAndStrideOpInterface box, const IRMapping &scalars);
  /// What is known of it in advance, without values.
  static BoxAccess describe(MemRefType type, OffsetSizeAndStrideOpInterface box);
  /// All of the buffer.
  BoxAccess(OpBuilder &builder, Location loc, Value buffer);
  Value address(OpBuilder &builder, Location loc, ArrayRef<Value> at) const;
  /// Elements that an access may have at once along the last dimension of the tile.
  int64_t vectorWidth(RankedTensorType tile) const;

  Value buffer, first;
  SmallVector<int64_t> strides; ///< by dimension of the tile
  int64_t factor = 16;          ///< `first` is a multiple of that

private:
  BoxAccess() = default;
};

/// Every thread copies its share of the box.
void bringTile(OpBuilder &builder, Location loc, ThreadGrid &threads, const BoxAccess &box, const SharedTile &tile);

/// Tiles that a loop brings asynchronously, each while the iteration before computes: they have two places in shared memory.
class CopiesAhead {
public:
  /// Whether the box can come so: its position is computed of numbers that are known before the iteration, and pieces of 4 bytes and more can be copied.
  static bool isPossible(scf::ForOp loop, tensor::ExtractSliceOp slice, MemRefType buffer);

  explicit CopiesAhead(scf::ForOp loop) : loop(loop) {}
  void add(tensor::ExtractSliceOp slice, Value buffer, const SharedTile &tile) { copies.push_back({slice, buffer, tile}); }
  SmallVector<Value> tiles() const { return llvm::map_to_vector(copies, [](const Copy &copy) { return Value(copy.slice->getResult(0)); }); }
  /// Starts those of the iteration, if it `exists`, as one group.
  void start(OpBuilder &builder, Location loc, ThreadGrid &threads, Value iteration, Value parity, Value exists, const IRMapping &scalars) const;
  static void wait(OpBuilder &builder, Location loc);

private:
  struct Copy {
    Operation *slice;
    Value buffer;
    SharedTile tile;
  };
  scf::ForOp loop;
  SmallVector<Copy> copies;
};

/// Reads and writes elements that follow one another, at a multiple of their number.
SmallVector<Value> loadElements(OpBuilder &builder, Location loc, int64_t count, Value memory, Value at);
void storeElements(OpBuilder &builder, Location loc, ValueRange elements, Value memory, Value at);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_TILEMEMORY_H
