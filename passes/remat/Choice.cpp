// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of the solutions to take: by how many bytes their buffers need once they are packed.
#include "passes/remat/Search.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir::raf;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Of a search that everybody pays for: packing one takes up to a tenth of a second.
static constexpr size_t kPackedSolutions = 8;

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
  auto scoreOf = [&](const Solution &solution, int64_t bytes) { return double(others + bytes) / (others + first.peak) + solution.cost / first.cost; };
  SmallVector<std::pair<double, const Solution *>> ranked;
  for (const Solution &solution : solutions)
    ranked.emplace_back(scoreOf(solution, solution.peak), &solution);
  llvm::stable_sort(ranked, [](auto &a, auto &b) { return a.first < b.first; });
  // Buffers may need more once they are packed, never less: the best is found when no other could be better without gaps.
  const Solution *best = &first;
  SmallVector<Lifetime> asItIs = first.getBuffers(line);
  double bestScore = scoreOf(first, pack(asItIs));
  for (auto [score, solution] : llvm::ArrayRef(ranked).take_front(kPackedSolutions)) {
    if (score >= bestScore)
      break;
    SmallVector<Lifetime> buffers = solution->getBuffers(line);
    if (double packed = scoreOf(*solution, pack(buffers)); packed < bestScore) {
      bestScore = packed;
      best = solution;
    }
  }
  return *best;
}
