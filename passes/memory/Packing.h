// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Placing blocks with known lifetimes in one address range. Knows nothing of MLIR.

#ifndef PASSES_MEMORY_PACKING_H
#define PASSES_MEMORY_PACKING_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace mlir::raf {

struct Lifetime {
  int64_t bytes;
  int64_t first, last; // the moments at which it is alive, both included
  int64_t offset = -1;

  bool meets(const Lifetime &other) const { return first <= other.last && other.first <= last; }
};

constexpr int64_t kArenaAlignment = 64;

/// The most bytes alive at one moment, each block counted with its alignment; *moment is the first such moment.
int64_t getLowerBound(llvm::ArrayRef<Lifetime> blocks, int64_t *moment = nullptr);

/// Sets the offsets, so that blocks alive together are apart, and returns the bytes of the range. The search ends as soon as the range is no larger than `enough`.
int64_t pack(llvm::MutableArrayRef<Lifetime> blocks, int64_t enough = 0);

/// The same with every block apart from every other.
int64_t packApart(llvm::MutableArrayRef<Lifetime> blocks);

/// The indices of two blocks that are alive together and overlap, or that are misplaced (then twice the same); {-1, -1} if the plan is right.
std::pair<int64_t, int64_t> findConflict(llvm::ArrayRef<Lifetime> blocks, int64_t bytes);

} // namespace mlir::raf

#endif // PASSES_MEMORY_PACKING_H
