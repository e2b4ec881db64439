// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What products on tensor cores have in common: steps of the depth on their way through shared memory, and fragments of sums on their way to the epilogue.
#ifndef RAF_PASSES_CODEGEN_GPU_STAGEDPRODUCT_H
#define RAF_PASSES_CODEGEN_GPU_STAGEDPRODUCT_H

#include "passes/codegen-gpu/ProductEmitter.h"

namespace mlir::raf {

/// Three steps of the depth lie in shared memory: while one is computed with, the others are under way.
///
/// An operand lies there in chunks of 16 bytes. It keeps the order that it has in global memory: rows of chunks along the depth, or lines of the depth with chunks along the rows. Where a
/// chunk goes is the instruction's choice.
class StagedProductEmitter : public ProductEmitter {
public:
  using ProductEmitter::ProductEmitter;
  virtual ~StagedProductEmitter() = default;

  void run();

  static constexpr int64_t kSteps = 3;

protected:
  static constexpr int64_t kWarp = 32, kChunkBytes = 16;
  // Sums are fragments of 16 x 8, of which a warp has four side by side in each group.
  static constexpr int64_t kFragmentRows = 16, kFragmentColumns = 8, kGroupColumns = 32;

  // One operand.
  struct Side {
    const Access *access;
    ArrayRef<Axis> rows;
    int64_t size, tile;                   // rows altogether, and of a block
    Value buffer, shared;
    bool alongDepth;                      // how it lies in shared memory
    int64_t width;                        // elements that are neighbours in global memory
    bool isAsync;
    // Of what the thread brings, by chunk: where it goes, its place along the depth, and by access where the row begins.
    SmallVector<Value> places, depths;
    SmallVector<SmallVector<Value>> starts;
  };

  /// The warp's part of the tile, and its groups of fragments.
  struct Groups {
    Value row, column;            // of the first
    int64_t count, rows, columns; // how many, and from one to the next
  };

  /// Chunks of a row in one step of the depth.
  virtual int64_t rowChunks() const = 0;
  /// The block's shared memory.
  virtual Value allocate(int64_t bytes);
  /// The place of a chunk in its slot, in elements: of a row, or of a line of the depth.
  virtual Value placeOf(const Side &side, Value row, Value depthChunk) = 0;
  virtual Value placeOfLine(const Side &side, Value rowChunk, Value depth) = 0;
  virtual Groups groups(Value warp) = 0;
  /// Called once the sides are there. What the loop carries of the sums.
  virtual SmallVector<Value> start() = 0;
  /// The step in the slot has come for this thread; all threads meet next, before anything is written over the step before.
  virtual void arrive(Value slot) {}
  virtual SmallVector<Value> multiplyStep(Value slot, ValueRange sums) = 0;
  /// Whether the multiplication is only begun, so that what comes next had better follow it.
  virtual bool isMultiplicationAsync() const { return false; }
  /// Of each group, one after the other, its four fragments: as vectors of 2 x 2, the rows eight apart.
  virtual SmallVector<Value> fragments(ValueRange sums) = 0;

  int64_t bits() const { return element.getIntOrFloatBitWidth(); }
  int64_t slotSize(const Side &side) const { return side.tile * depthStep; }
  Value div(Value value, int64_t by);
  Value rem(Value value, int64_t by);
  Value exclusiveOr(Value x, Value y);
  Value isBelow(Value value, int64_t limit);

  Type element;
  int64_t chunk = 0, depthStep = 0; // elements
  Value memory, lane;
  Side a, b;
  Groups group;

private:
  Side side(unsigned input, ArrayRef<Axis> rows, Value first, int64_t size, int64_t tile, int64_t offset);
  void forEachAccess(const Side &side, Value from, function_ref<void(int64_t, int64_t, Value, Value)> body);
  Value addressAt(const Side &side, Value start, Value depth);
  bool hasTail() const { return product.numDepth % depthStep != 0; }
  void copy(const Side &side, Value from, Value slot);
  SmallVector<Value> load(const Side &side, Value from, bool isAhead);
  void store(const Side &side, ArrayRef<Value> chunks, Value slot);
  void commit();
  SmallVector<Value> multiplyAll();
  void storeSums(ArrayRef<Value> sums, Value warp);
};

/// The product by instructions of warpgroups (wgmma.mma_async).
void emitWarpgroupProduct(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const Product &product);
/// Bytes that a block of such a product keeps in dynamic shared memory.
int64_t warpgroupBytes(const Product &product);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_STAGEDPRODUCT_H
