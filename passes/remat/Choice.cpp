// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of the solutions to take: by how many bytes their buffers need once they are packed.
#include "passes/remat/Search.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir::raf;
using llvm::ArrayRef;
using llvm::SmallVector;

SmallVector<Lifetime> Solution::getBuffers(const Line &line) const {
  return mlir::raf::getBuffers(line, runs, llvm::to_vector(llvm::seq<unsigned>(0, runs.size())), values);
}

bool Solution::fits(const Line &line, int64_t bytes) const {
  if (peak > bytes)
    return false;
  SmallVector<Lifetime> buffers = getBuffers(line);
  return pack(buffers, bytes) <= bytes;
}

std::optional<Solution> mlir::raf::choose(const Line &line, ArrayRef<Solution> solutions, int64_t bytes, int64_t *least) {
  for (const Solution &solution : solutions)
    if (solution.fits(line, bytes))
      return solution;
  *least = std::numeric_limits<int64_t>::max();
  for (const Solution &solution : llvm::reverse(solutions))
    if (solution.peak < *least) {
      SmallVector<Lifetime> buffers = solution.getBuffers(line);
      *least = std::min(*least, pack(buffers));
    }
  return std::nullopt;
}

const Solution &mlir::raf::chooseWorthwhile(const Line &line, ArrayRef<Solution> solutions, int64_t others) {
  const Solution &first = solutions.front();
  SmallVector<std::pair<double, const Solution *>> ranked;
  for (const Solution &solution : solutions)
    ranked.emplace_back(double(others + solution.peak) / (others + first.peak) + solution.cost / first.cost, &solution);
  llvm::stable_sort(ranked, [](auto &a, auto &b) { return a.first < b.first; });
  // Buffers that cannot be packed tightly would make the saving a smaller one.
  for (auto [score, solution] : ranked) {
    SmallVector<Lifetime> buffers = solution->getBuffers(line);
    int64_t enough = solution->peak + solution->peak / 100;
    if (solution == &first || pack(buffers, enough) <= enough)
      return *solution;
  }
  return first;
}
