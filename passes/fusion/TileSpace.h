// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops can run in one loop over common tiles. Shared by raf-fuse, which forms groups, and codegen, which tiles them.
#ifndef RAF_PASSES_FUSION_TILESPACE_H
#define RAF_PASSES_FUSION_TILESPACE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::raf {

/// A set of linalg ops with common tile dimensions: dimension t of the tile space runs along the parallel loop loops[op][t] of each op, and a value that is
/// made and read inside the set is made and read by the same tile.
struct TileSpace {
  SmallVector<int64_t> sizes;
  llvm::MapVector<linalg::LinalgOp, SmallVector<int64_t>> loops;

  int64_t rank() const { return sizes.size(); }
  /// Number of points of the space.
  int64_t extent() const;
  /// Iterations of all ops together.
  int64_t work() const;
};

/// Iterations of the op's loop nest.
int64_t iterations(linalg::LinalgOp op);

/// Whether the op multiplies and accumulates far more than it moves (matrix products, convolutions).
bool isContraction(linalg::LinalgOp op);

/// The space of one op: every parallel loop along which each operand can be cut into boxes.
TileSpace tileSpaceOf(linalg::LinalgOp op);

/// The space of both sets: the dimensions that correspond through every value which one set makes and the other reads or, when there is none, through the inputs that
/// both read; in that case \p strict refuses to lose a dimension, and without it an input that is the same along a dimension says nothing of that. Fails with a reason when the sets have
/// nothing in common.
FailureOr<TileSpace> merge(const TileSpace &a, const TileSpace &b, bool strict, StringRef &reason);

/// Sets of ops up to this many iterations may form one kernel without a common dimension: it runs as a single tile.
constexpr int64_t kSingleTileWork = 1 << 14;

/// The tile space of all the ops, which must have one.
FailureOr<TileSpace> tileSpaceOf(ArrayRef<linalg::LinalgOp> ops);

/// A kernel runs in stages, one after the other: a stage may read whatever an earlier one has made. An op's stage is its attribute, or that of the op before it.
constexpr llvm::StringLiteral kStageAttr = "raf.stage";

/// The linalg ops of a kernel's block by stage.
SmallVector<SmallVector<linalg::LinalgOp>> stagesOf(Block &block);

/// Whether code generation runs the kernel tile by tile; one with loops of its own it takes as it is, on one thread.
bool isTileable(func::FuncOp kernel);

/// Whether an op that starts from the value takes its place, so that it needs none of its own.
bool isInPlace(Value value);

/// Bytes of what the ops of a kernel keep to themselves, for one point of the space: what is neither returned nor in the place of what an op makes of it.
int64_t keptBytes(const TileSpace &space);

/// `expr` at a tile: the box [offset, offset + size) that it covers is linear in the loops with coefficients >= 0.
bool isSliceable(AffineExpr expr);

} // namespace mlir::raf

#endif // RAF_PASSES_FUSION_TILESPACE_H
