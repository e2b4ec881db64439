// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How one stage of a kernel is spread over blocks and threads.
#ifndef RAF_PASSES_CODEGEN_GPU_STAGEPLAN_H
#define RAF_PASSES_CODEGEN_GPU_STAGEPLAN_H

#include "passes/codegen-gpu/Access.h"
#include "passes/fusion/TileSpace.h"

namespace mlir::raf {

/// Bytes of shared memory that a block may have on every device without asking for more.
constexpr int64_t kSharedBytes = 48 << 10;

/// Where a value that the stage computes lives. A value may be in registers and in memory.
struct ValueHome {
  bool registers = false;                // one element a point, known to each of its threads
  SmallVector<int64_t, 1> destinations;  // arguments of the kernel that it is returned in
  int64_t sharedElements = 0;            // for each point, in shared memory; 0: not there
};

struct OpPlan {
  linalg::GenericOp op;
  SmallVector<int64_t> sizes;               // of the loops
  SmallVector<int64_t> dims;                // by loop: its dimension of the space, or -1 where it runs within a point
  SmallVector<int64_t> parallel, reduction; // loops longer than 1 that run within a point
  SmallVector<Access, 0> inputs, outputs;
  SmallVector<Access, 0> starts;             // what the destinations hold before, where the body reads it
  SmallVector<bool> indexed;                // by loop: whether the body uses its index

  auto accesses() const { return llvm::concat<const Access>(inputs, starts, outputs); }
  /// Iterations within a point.
  int64_t work() const;
  /// Whether the loops can be joined in every operand.
  bool canJoin(int64_t outer, int64_t inner) const;
};

/// A point of the tile space has `lanes` threads, a block `points` points. With one lane and no loops within a point, a thread does `width` neighbouring points.
struct StagePlan {
  const TileSpace *space = nullptr;
  SmallVector<OpPlan, 0> ops;     // without those that only fill, unless what they fill is returned
  llvm::MapVector<Value, ValueHome> homes;
  SmallVector<Axis> axes;        // of the space's dimensions, outermost first
  int64_t points = 1, lanes = 1, width = 1;
  bool lanesFastest = true;      // neighbouring threads are lanes of a point, or points
  int64_t sharedBytes = 0;

  int64_t threads() const { return points * lanes; }
  int64_t blocks() const;
};

/// The scalar with which the op fills its result, or null when it does something else.
Value fillValue(Value tensor);

StagePlan planStage(func::FuncOp kernel, const TileSpace &space);

/// Loops in the order in which they walk through the op's largest operand, so that the last one is contiguous, joined where they can be.
SmallVector<Axis> orderedAxes(const OpPlan &op, ArrayRef<int64_t> loops);

/// Elements that a thread handles at once along a loop, so that the accesses that are contiguous along it are of 16 bytes. The other loops in `moving` have an index.
int64_t vectorWidth(const OpPlan &op, int64_t loop, int64_t size, ArrayRef<int64_t> moving);

/// Whether `width` elements along the loop are one aligned access.
bool isVector(const Access &access, int64_t loop, int64_t width, ArrayRef<int64_t> moving);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_STAGEPLAN_H
