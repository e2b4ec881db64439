// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes of a solution: a run more, or one less.

#ifndef PASSES_REMAT_EDITS_H
#define PASSES_REMAT_EDITS_H

#include "passes/remat/Search.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::raf {

/// Where the values of a solution are made and used.
struct Uses {
  struct Value {
    int64_t origin = -1, maker = -1, number = 0; // the value of the line, the position of its run, which of the run's
    int64_t overwritten = std::numeric_limits<int64_t>::max();
    int64_t bytes = 0; // of a buffer of its own
    llvm::SmallVector<int64_t, 4> at; // positions of its uses, rising

    /// The last moment before the position at which it is needed.
    int64_t lastBefore(int64_t position) const {
      auto *next = llvm::lower_bound(at, position);
      return next == at.begin() ? maker : *(next - 1);
    }
    int64_t last() const { return at.empty() ? maker : at.back(); }
  };
  std::vector<Value> values;
  std::vector<llvm::SmallVector<int64_t, 2>> instances; // of each value of the line, in order
  std::vector<int64_t> firstRun;                  // of each op of the line

  Uses(const Line &line, const Solution &solution);

  /// The instance that is there before the run at the position and still whole when the value is used for the last time, or -1.
  int64_t instanceBefore(const Value &value, int64_t position) const;
};

/// Of the solutions of one line.
class Edits {
public:
  Edits(const Line &line, llvm::ArrayRef<Rerun> reruns);

  /// Runs the maker of the value again before its first use after the moment, for it and the uses that follow of all that the maker makes.
  bool recompute(Solution &solution, const Uses &uses, int64_t value, int64_t moment, int depth) const;

  /// Appends a run of the maker of the line's value, after runs of what it needs. `fresh` has what they make, by value of the line.
  bool rerun(const Solution &solution, const Uses &uses, int64_t origin, int64_t place, int depth, std::vector<Run> &added, llvm::DenseMap<int64_t, int64_t> &fresh,
             int64_t &nextValue) const;

  /// The solution without the run at the position, whose values come from the run before.
  std::optional<Solution> without(const Solution &solution, const Uses &uses, int64_t position) const;

private:
  /// Takes out runs of which nothing is used, where they may be left out.
  void removeUnused(Solution &solution) const;

  const Line &line;
  llvm::ArrayRef<Rerun> reruns;
  std::vector<unsigned> makerOf; // each value of the line
};

} // namespace mlir::raf

#endif // PASSES_REMAT_EDITS_H
