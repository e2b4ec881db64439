// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the values of a kernel live while a tile runs.
#ifndef RAF_PASSES_CODEGEN_CPU_KERNELBUFFERS_H
#define RAF_PASSES_CODEGEN_CPU_KERNELBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "passes/codegen-cpu/TilePlan.h"
#include "passes/codegen/PrepareKernel.h"

namespace mlir::raf {

/// The part of one dimension of the tile space that the current tile covers; without length it is `step` long.
struct TileRange {
  int64_t spaceDim, step;
  Value offset, length;
};

/// A value is in an argument of the kernel, whole, or in a temporary of a tile's size.
class KernelBuffers {
public:
  struct Place {
    Value memref;
    /// For a temporary: by dimension of the value, whether the tile cuts it, so that indices count from the tile's start.
    SmallVector<bool> local;
    /// Not 0: a result that is written past the caches (Streaming.h), by vectors of as many bits.
    int64_t streamBits = 0;
  };

  KernelBuffers(func::FuncOp kernel, ValueRange arguments, const TileSpace &space, const TilePlan &plan);

  /// Allocates the temporaries on the stack, once for all tiles, and copies the kernel's scalar constants.
  void allocateTemporaries(OpBuilder &builder);

  /// Marks results of at least `leastBytes` that only one op of the kernel writes and none reads: of those the caches would hold little when they are read next, and the
  /// memory of each line would be fetched before it is overwritten. Whether there are any.
  bool streamResults(int64_t leastBytes, int64_t vectorBits);

  /// An error where the temporaries of a tile are too large for a stack, or an op of the stage reads or writes a value that has no place: one that nothing has computed, or that
  /// another stage keeps to itself.
  LogicalResult check();

  /// The kernel's scalars in the new function.
  const IRMapping &scalars() const { return scalarMapping; }

  /// Where to read or write a tensor value of the kernel.
  const Place &operator[](Value value) const;

  /// What a destination holds before the op runs, when that is in another place than the op's result: to be copied first.
  std::optional<Value> initialValue(linalg::GenericOp op, unsigned result) const;

  /// Writes the values that the kernel returns without having computed them in their destination.
  void emitCopies(OpBuilder &builder, const TileSpace &space, ArrayRef<TileRange> ranges) const;

private:
  void place(linalg::GenericOp op, unsigned result);

  func::FuncOp kernel;
  ValueRange arguments;
  const TileSpace &space;
  const TilePlan &plan;
  unsigned numInputs;
  DenseMap<Value, Value> sameAs;      // value -> the value or destination argument whose place it shares
  SmallVector<Value> temporaries;     // values with a place of their own
  int64_t stackBytes = 0;             // that they take
  SmallVector<std::pair<Value, unsigned>> copies; // returned value -> number of the destination
  DenseMap<Value, Place> places;
  IRMapping scalarMapping;
};

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_KERNELBUFFERS_H
