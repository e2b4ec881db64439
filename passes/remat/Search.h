// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops of a line to run again, and where, so that less is alive at once. Knows nothing of MLIR.

#ifndef PASSES_REMAT_SEARCH_H
#define PASSES_REMAT_SEARCH_H

#include "passes/memory/Timeline.h"

#include <limits>
#include <optional>

namespace mlir::raf {

/// What running an op again takes.
struct Rerun {
  double cost = 0;      // of one run
  bool allowed = false; // the op writes nothing but values of its own
  llvm::SmallVector<double, 2> unread = {}; // what a run takes less, for each value of which nobody reads what it made; empty: nothing
};

/// A way to run the line: runs in their order, some ops more than once.
struct Solution {
  std::vector<Run> runs;
  int64_t values = 0;
  int64_t peak = 0;
  double cost = 0;

  llvm::SmallVector<Lifetime> getBuffers(const Line &line) const;

  /// Whether its buffers, once they are packed, need at most so many bytes.
  bool fits(const Line &line, int64_t bytes) const;
};

/// Solutions of which none has both a lower peak and a lower cost than another, the cheapest first. The first is the line as it is, or in an order that costs no more and needs less. They do not depend on any budget, so that
/// choosing the cheapest that fits is monotone in the budget; where the first fits into `bytes`, it is the only one. Equal input gives equal output.
std::vector<Solution> findSolutions(const Line &line, llvm::ArrayRef<Rerun> reruns, int64_t bytes);

/// Those of a short search that cost at most `slack` of the line's cost more than the line. There is none if the buffers are less than a percent of `others`, the bytes that are held besides.
std::vector<Solution> findCheapSolutions(const Line &line, llvm::ArrayRef<Rerun> reruns, double slack, int64_t others);

/// The cheapest solution whose buffers fit into so many bytes. Without one, *least is what the smallest needs.
std::optional<Solution> choose(const Line &line, llvm::ArrayRef<Solution> solutions, int64_t bytes, int64_t *least);

/// The solution with the least sum of bytes and cost, both relative to those of the first: a percent of time has to save more than a percent of the bytes, of which `others` are held besides the buffers.
const Solution &chooseWorthwhile(const Line &line, llvm::ArrayRef<Solution> solutions, int64_t others);

} // namespace mlir::raf

#endif // PASSES_REMAT_SEARCH_H
