// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/remat/Edits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::raf;
using llvm::ArrayRef;
using llvm::SmallVector;

Uses::Uses(const Line &line, const Solution &solution)
    : values(solution.values), instances(line.values), firstRun(line.ops.size(), std::numeric_limits<int64_t>::max()) {
  for (auto [index, run] : llvm::enumerate(solution.runs)) {
    int64_t position = index;
    const LineOp &op = line.ops[run.op];
    firstRun[run.op] = std::min(firstRun[run.op], position);
    for (int64_t value : run.reads)
      values[value].at.push_back(position);
    for (auto [k, made] : llvm::enumerate(op.makes)) {
      Value &value = values[run.firstValue + k];
      value.origin = op.firstValue + k;
      value.maker = position;
      value.number = k;
      value.bytes = made.over >= 0 || made.escapes ? 0 : llvm::alignTo(made.bytes, kArenaAlignment);
      instances[value.origin].push_back(run.firstValue + k);
      if (made.over >= 0)
        values[run.reads[made.over]].overwritten = position;
    }
  }
}

int64_t Uses::instanceBefore(const Value &value, int64_t position) const {
  int64_t before = -1;
  for (int64_t instance : instances[value.origin])
    if (values[instance].maker < position && values[instance].overwritten > value.at.back())
      before = instance;
  return before;
}

Edits::Edits(const Line &line, ArrayRef<Rerun> reruns) : line(line), reruns(reruns), makerOf(line.values) {
  for (auto [i, op] : llvm::enumerate(line.ops))
    for (size_t k = 0; k < op.makes.size(); ++k)
      makerOf[op.firstValue + k] = i;
}

bool Edits::recompute(Solution &solution, const Uses &uses, int64_t value, int64_t moment, int depth) const {
  const Uses::Value &wanted = uses.values[value];
  int64_t place = *llvm::upper_bound(wanted.at, moment);
  std::vector<Run> added;
  llvm::DenseMap<int64_t, int64_t> fresh; // of the values of the line
  if (!rerun(solution, uses, wanted.origin, place, depth, added, fresh, solution.values))
    return false;
  // What was made at the same time as the value is taken from the new run too.
  const Run &old = solution.runs[wanted.maker];
  for (size_t k = 0; k < line.ops[old.op].makes.size(); ++k) {
    int64_t from = old.firstValue + k, to = fresh.lookup(line.ops[old.op].firstValue + k);
    for (int64_t use : uses.values[from].at)
      if (use >= place)
        llvm::replace(solution.runs[use].reads, from, to);
  }
  solution.runs.insert(solution.runs.begin() + place, std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
  removeUnused(solution);
  return true;
}

bool Edits::rerun(const Solution &solution, const Uses &uses, int64_t origin, int64_t place, int depth, std::vector<Run> &added, llvm::DenseMap<int64_t, int64_t> &fresh,
           int64_t &nextValue) const {
  unsigned number = makerOf[origin];
  const LineOp &op = line.ops[number];
  if (!reruns[number].allowed || added.size() > line.ops.size())
    return false;
  // An argument that it reads must still have its old contents.
  if (llvm::any_of(op.overwriters, [&](unsigned overwriter) { return uses.firstRun[overwriter] < place; }))
    return false;
  Run run;
  run.op = number;
  for (auto [k, read] : llvm::enumerate(op.reads)) {
    bool lost = llvm::any_of(op.makes, [&](const MadeValue &made) { return made.over == static_cast<int64_t>(k); });
    auto known = fresh.find(read);
    if (!lost && known != fresh.end()) {
      run.reads.push_back(known->second);
      continue;
    }
    int64_t kept = -1;
    bool alive = false;
    for (int64_t instance : uses.instances[read]) {
      const Uses::Value &value = uses.values[instance];
      if (value.maker >= place || value.overwritten < place)
        continue;
      bool lives = !value.at.empty() && value.at.back() >= place;
      if (kept < 0 || lives || !alive)
        kept = instance;
      alive |= lives;
    }
    bool foreign = line.ops[makerOf[read]].makes[read - line.ops[makerOf[read]].firstValue].bytes == 0;
    if (!lost && kept >= 0 && (alive || foreign || depth == 0 || !reruns[makerOf[read]].allowed)) {
      run.reads.push_back(kept);
      continue;
    }
    // What the run overwrites must be a value of its own.
    llvm::DenseMap<int64_t, int64_t> own;
    if (!rerun(solution, uses, read, place, std::max(0, depth - 1), added, lost ? own : fresh, nextValue)) {
      if (lost || kept < 0)
        return false;
      run.reads.push_back(kept);
      continue;
    }
    run.reads.push_back((lost ? own : fresh).lookup(read));
  }
  run.firstValue = nextValue;
  for (size_t k = 0; k < op.makes.size(); ++k)
    fresh[op.firstValue + k] = run.firstValue + k;
  nextValue += op.makes.size();
  added.push_back(std::move(run));
  return true;
}

void Edits::removeUnused(Solution &solution) const {
  std::vector<bool> used(solution.values), keep(solution.runs.size(), true);
  bool all = true;
  for (size_t i = solution.runs.size(); i-- > 0;) {
    const Run &run = solution.runs[i];
    size_t count = line.ops[run.op].makes.size();
    bool needed = !reruns[run.op].allowed;
    for (size_t k = 0; k < count; ++k)
      needed |= used[run.firstValue + k];
    keep[i] = needed;
    all &= needed;
    if (needed)
      for (int64_t value : run.reads)
        used[value] = true;
  }
  if (all)
    return;
  size_t kept = 0;
  for (size_t i = 0; i < solution.runs.size(); ++i)
    if (keep[i]) {
      if (kept != i)
        solution.runs[kept] = std::move(solution.runs[i]);
      ++kept;
    }
  solution.runs.resize(kept);
}

std::optional<Solution> Edits::without(const Solution &solution, const Uses &uses, int64_t position) const {
  const Run &run = solution.runs[position];
  const LineOp &op = line.ops[run.op];
  Solution next = solution;
  for (auto [k, made] : llvm::enumerate(op.makes)) {
    const Uses::Value &value = uses.values[run.firstValue + k];
    if (value.at.empty())
      continue;
    if (value.overwritten != std::numeric_limits<int64_t>::max())
      return std::nullopt;
    int64_t before = uses.instanceBefore(value, position);
    if (before < 0)
      return std::nullopt;
    for (int64_t use : value.at)
      llvm::replace(next.runs[use].reads, run.firstValue + static_cast<int64_t>(k), before);
  }
  next.runs.erase(next.runs.begin() + position);
  removeUnused(next);
  return next;
}
