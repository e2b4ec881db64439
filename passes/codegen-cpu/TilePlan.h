// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a kernel's tile space is cut: which dimensions are looped over, and in what steps.
#ifndef RAF_PASSES_CODEGEN_CPU_TILEPLAN_H
#define RAF_PASSES_CODEGEN_CPU_TILEPLAN_H

#include "passes/fusion/TileSpace.h"

namespace mlir::raf {

/// Iterations of a few operations that outweigh waking a thread.
constexpr int64_t kThreadWork = 1 << 15;

/// Of a kernel's raf.parallel_for: the work of one of its tiles.
constexpr llvm::StringLiteral kWorkAttr = "raf.work";

struct TilePlan {
  struct Dim {
    int64_t index; // in the tile space
    int64_t size;  // of the dimension
    int64_t step;  // of the tile; the last tile may be smaller
    int64_t count() const { return (size + step - 1) / step; }
  };
  SmallVector<Dim> dims; // outermost first; dimensions of the space that are not listed lie whole inside a tile
  int64_t tiles = 1;
  /// Tiles that one thread should do at least, so that handing them out costs little beside them.
  int64_t grain = 1;
  /// Iterations of a few operations in a tile.
  int64_t tileWork = kThreadWork;
};

/// Rows of row-wise kernels one by one, chunks of columns when reductions run over the rows, and otherwise tiles of a few thousand elements; at least 64 tiles where
/// there is work for them. Where anything is summed
/// results do not depend on the machine: no plan cuts what is summed. For values of at least `streamBytes`, which come from memory, pointwise kernels have other blocks, and
/// sums over rows pieces as wide as `threads` leave: a processor fetches ahead at full speed only where it sees long ones.
TilePlan planTiles(const TileSpace &space, int64_t streamBytes, int64_t threads);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_TILEPLAN_H
