// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of one linalg.generic while they are written: LoopNest.cpp orders and joins them, Nest.cpp writes them from the outermost to the innermost one, whose iterations
// are streamed, drawn, fetched for or cut.
#ifndef RAF_PASSES_CODEGEN_CPU_NEST_H
#define RAF_PASSES_CODEGEN_CPU_NEST_H

#include "passes/codegen-cpu/BodyPatterns.h"
#include "passes/codegen-cpu/KernelBuffers.h"
#include "passes/codegen-cpu/Prefetch.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::raf {

/// Loops around the body of an op, and what is known at the point where code is written.
class Nest {
public:
  /// A tensor operand of the op: where it is and how the loops index it.
  struct Access {
    AffineMap map;
    KernelBuffers::Place place;
  };

  Nest(OpBuilder &builder, linalg::GenericOp op, const TileSpace &space, ArrayRef<TileRange> ranges, ArrayRef<Stream> streams = {});

  // Emits the loops around `body`. It gets, per access, the indices of the element and, per output, the value that the innermost reductions keep, or null.
  void emit(SmallVectorImpl<Access> &accesses, ArrayRef<unsigned> outputs, bool carries, function_ref<SmallVector<Value>(ArrayRef<SmallVector<Value>>, ArrayRef<Value>)> body);

  /// Index of a loop of the op at the current point.
  Value indexOf(int64_t loop) const { return indices[loop]; }

  /// The value of an op of the body at the current point where that is known without computing it, or null.
  Value known(Operation *inner) const;

  /// Computes a value of the body at the current point, from the op's inputs there. `scalars` has the kernel's own.
  Value compute(Value value, ArrayRef<Access> accesses);

  /// Inputs go beyond the tile by as much as a vector along the rows of the result: it writes the vectors that begin in it.
  void setOverhang() { hasOverhang = true; }

  /// Whether terms of several iterations are added at the current point, in the order of these.
  bool addsRows() const { return rows > 1; }

  /// Where the body may be computed in part.
  void setScalars(const IRMapping &values) { scalars = &values; }

private:
  // Adjacent loops that run as one.
  struct Loop {
    SmallVector<int64_t> loops; // of the op
    bool reduction = false;
    int64_t size = 0; // static trip count
    Value length;     // instead of the size, when the last tile is shorter
    Value offset;     // of the first iteration, for a loop that tiles cut
  };

  void makeLoops(ArrayRef<Access> accesses);

  // Whether the inner loop continues the outer one in the memory of every operand.
  bool canJoin(const Loop &outer, const Loop &inner, ArrayRef<Access> accesses);

  // The loop that walks memory with stride one in most operands goes innermost; of the others, reductions go inside.
  void order(ArrayRef<Access> accesses);

  // Whether the loop's next element is the next one in memory.
  static bool walksInARow(const Access &access, int64_t loop);

  // Where a piece of the result is computed.
  Value staging(const Access &access);

  // Fetches what the inputs' pieces have some pieces later: the processor fetches no further than to the end of a page, and such a loop computes too long to see past that.
  void fetchAhead(ArrayRef<Access> accesses, ArrayRef<unsigned> outputs, int64_t count);

  // The line in which a streamed row ends and the next one begins goes through the caches: a store that waits for it would hold up all that follow.
  void fetchLastLine(Value end, ArrayRef<Access> accesses, function_ref<void(Value)> at);
  static bool unitCoefficient(AffineExpr expr, int64_t loop);

  // Buffers are contiguous, so the dimensions that a joined loop walks are one dimension.
  void joinMemrefs(SmallVectorImpl<Access> &accesses);
  SmallVector<Value> elementIndices(const Access &access);
  SmallVector<Value> emitLevel(size_t level, size_t carryFrom, bool carry, ArrayRef<Access> accesses, ArrayRef<unsigned> outputs, ValueRange carried,
                               function_ref<SmallVector<Value>(ArrayRef<SmallVector<Value>>, ArrayRef<Value>)> body);

  // Of a reduction around an innermost loop over a piece of each row: how many rows are added at a time, one after the other to each sum. The processor sees no piece coming where
  // another ends, so it is to wait for several at the same time. Whole rows it fetches faster one by one.
  int64_t rowsAtATime(size_t level, ArrayRef<Access> accesses, ArrayRef<unsigned> outputs);

  // Whether the loop walks the elements of the draw one by one, and has blocks of them.
  bool drawsInARow(const Loop &loop);

  // The places from .. from + blocks * kRandomBlock: all that share a counter in one iteration, in pieces that lie one after the other.
  SmallVector<Value> drawBlocks(Value from, int64_t blocks, ArrayRef<Access> accesses, ValueRange initial, function_ref<void(Value)> at, function_ref<SmallVector<Value>(ValueRange)> next);

  // The iteration in which the loop's index is `cut`, kept between `from` and `to`.
  Value within(int64_t cut, Value offset, Value from, Value to);
  SmallVector<Value> emitFor(Value from, Value to, int64_t step, ValueRange initial, function_ref<SmallVector<Value>(Value, ValueRange)> body, bool masked = false);

  OpBuilder &builder;
  linalg::GenericOp op;
  Location loc;
  ArrayRef<Stream> streams;
  SmallVector<int64_t> sizes, steps;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<Value> offsets, lengths, indices, local;
  SmallVector<Loop> loops;
  SmallVector<unsigned> held; // numbers of the outputs that the innermost reductions keep in registers
  bool usesIndex = false, alone = false; // alone: in its kernel's stage
  bool hasOverhang = false;
  const IRMapping *scalars = nullptr;
  struct Streamed {
    unsigned output; // number of the access
    int64_t vectorBits;
    Value piece;
  };
  static constexpr int64_t kStreamPiece = 256, kWholePiece = 64; // elements
  SmallVector<Streamed> streamed;
  Value pieceStart; // of the innermost loop, while a piece is computed
  int64_t rows = 1; // that run at a time at the current point, from `firstRow` on
  Value firstRow;
  std::optional<Draw> draw;
  Value counter; // of the draw at the current point, and its word, where they are known
  int64_t block = 0, word = 0;
  Value words, lane; // those of all counters of two blocks, and the number of the current one in its block
};

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_NEST_H
