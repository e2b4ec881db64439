// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search is greedy on the fullest moment: among the values that wait there between two uses, one is computed again for its later uses, with as much of what it is computed from as has died, or kept alive
// for it. The choice is the one that takes most off the bytes above the target for its cost. Walks to falling targets, and straight to each of a row of targets, leave a set of
// solutions; runs that turned out to be unnecessary are taken out again.
#include "passes/remat/Edits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir::raf;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

constexpr int64_t kWork = 1'500'000'000; // nanoseconds altogether, about
constexpr int64_t kCheapWork = 150'000'000; // the same of a search that everybody pays for
constexpr int kHalvings = 5;              // of the range of targets in that search
constexpr int64_t kExactNs = 120;        // of a run in an exact measurement
constexpr size_t kCandidates = 40;       // values tried at a moment
constexpr int kTargets = 16;             // walked to straight
constexpr int kSteps = 256;              // at most, of a walk step by step
constexpr int kDepths[] = {0, 1, 2, 4, 1 << 20}; // how far back what has died is computed again

/// What a change would make of the bytes alive at each moment, looked at only where it differs.
class Window {
public:
  void resize(size_t moments) {
    change.assign(moments + 2, 0);
    clear();
  }

  void add(int64_t from, int64_t to, int64_t bytes) {
    if (from > to || bytes == 0)
      return;
    change[from] += bytes;
    change[to + 1] -= bytes;
    low = std::min(low, from);
    high = std::max(high, to);
  }

  /// How much more there is above the target, summed over the moments; *most: the most bytes at a moment that differs.
  double finish(ArrayRef<int64_t> profile, int64_t target, int64_t *most = nullptr) {
    int64_t sum = 0, above = 0;
    for (int64_t t = low; t <= high; ++t) {
      sum += change[t];
      change[t] = 0;
      above += std::max<int64_t>(0, profile[t] + sum - target) - std::max<int64_t>(0, profile[t] - target);
      if (most && sum != 0)
        *most = std::max(*most, profile[t] + sum);
    }
    if (low <= high)
      change[high + 1] = 0;
    clear();
    return above;
  }

  int64_t length() const { return std::max<int64_t>(0, high - low + 1); }

private:
  void clear() {
    low = std::numeric_limits<int64_t>::max();
    high = -1;
  }

  SmallVector<int64_t> change;
  int64_t low, high;
};

class Searcher {
public:
  Searcher(const Line &line, ArrayRef<Rerun> reruns) : line(line), reruns(reruns), edits(line, reruns) {
    exact = std::clamp<size_t>(2000 / (line.ops.size() + 1), 4, 64);
  }

  std::vector<Solution> find(int64_t enough) {
    Solution start = getStart();
    if (start.fits(line, enough))
      return std::move(found);
    for (double exponent : {1.0, 0.5})
      stepFrom(start, exponent);
    // Straight to targets: what helps little at once may help most in the end.
    int64_t least = leastPeak();
    for (int i = 1; i <= kTargets; ++i)
      goTo(start, static_cast<int64_t>(start.peak * std::pow(double(least) / start.peak, double(i) / kTargets)));
    return frontier();
  }

  std::vector<Solution> findCheap(double slack, int64_t others) {
    Solution start = getStart();
    if (start.peak < others / 100)
      return std::move(found);
    mostWork = kCheapWork;
    mostCost = (1 + slack) * start.cost;
    // Runs that are taken out again may bring a walk back.
    giveUp = (1 + 1.5 * slack) * start.cost;
    stepFrom(start, 0.5);
    int64_t reached = leastPeak(), beyond = 0;
    for (int i = 0; i < kHalvings; ++i) {
      int64_t target = (reached + beyond) / 2;
      (goTo(start, target) ? reached : beyond) = target;
    }
    return frontier();
  }

private:
  Solution getStart() {
    Solution start;
    start.runs = runOnce(line);
    start.values = line.values;
    measure(start, 0);
    add(start);
    return start;
  }

  /// Step by step: each time a little below what there is.
  void stepFrom(const Solution &start, double exponent) {
    int64_t step = std::max<int64_t>(kArenaAlignment, start.peak / kSteps);
    Solution current = start;
    while (std::optional<Solution> next = walk(current, current.peak - step, exponent)) {
      prune(*next, next->peak);
      add(*next);
      current = std::move(*next);
    }
  }

  /// Whether there is a solution within the target that does not cost too much.
  bool goTo(const Solution &start, int64_t target) {
    bool reached = false;
    for (double exponent : {1.0, 0.5})
      if (std::optional<Solution> next = walk(start, target, exponent)) {
        prune(*next, target);
        reached |= next->cost <= mostCost;
        add(*next);
      }
    return reached;
  }

  int64_t leastPeak() const {
    int64_t least = std::numeric_limits<int64_t>::max();
    for (const Solution &solution : found)
      least = std::min(least, solution.peak);
    return least;
  }

  /// A solution with what is alive when.
  struct State {
    Uses uses;
    SmallVector<int64_t> profile; // bytes alive at each moment
    SmallVector<int64_t> across;  // those of them that were there before the moment
    int64_t fullest = 0;
  };

  State look(const Solution &solution) {
    work += 2 * kExactNs * solution.runs.size();
    size_t moments = solution.runs.size();
    SmallVector<Lifetime> buffers = solution.getBuffers(line);
    State state{Uses(line, solution), getProfile(buffers, moments), {}, 0};
    llvm::erase_if(buffers, [](const Lifetime &buffer) { return buffer.first == buffer.last; });
    for (Lifetime &buffer : buffers)
      ++buffer.first;
    state.across = getProfile(buffers, moments);
    state.fullest = llvm::max_element(state.profile) - state.profile.begin();
    window.resize(moments);
    return state;
  }

  /// Sets peak and cost; returns the bytes above the target, summed over the moments.
  double measure(Solution &solution, int64_t target) {
    work += kExactNs * solution.runs.size();
    SmallVector<int64_t> profile = getProfile(solution.getBuffers(line), solution.runs.size());
    solution.peak = 0;
    solution.cost = 0;
    double excess = 0;
    for (auto [moment, bytes] : llvm::enumerate(profile)) {
      solution.peak = std::max(solution.peak, bytes);
      excess += std::max<int64_t>(0, bytes - target);
      solution.cost += reruns[solution.runs[moment].op].cost;
    }
    solution.cost -= getUnread(solution);
    return excess;
  }

  /// What the runs take less because nobody reads some of what they make.
  double getUnread(const Solution &solution) const {
    std::vector<bool> read(solution.values);
    for (const Run &run : solution.runs)
      for (int64_t value : run.reads)
        read[value] = true;
    double less = 0;
    for (const Run &run : solution.runs)
      for (auto [k, cost] : llvm::enumerate(reruns[run.op].unread))
        less += read[run.firstValue + k] ? 0 : cost;
    return less;
  }

  void add(const Solution &solution) {
    if (solution.cost <= mostCost)
      found.push_back(solution);
  }

  std::vector<Solution> frontier() {
    llvm::stable_sort(found, [](const Solution &a, const Solution &b) { return std::pair(a.cost, a.peak) < std::pair(b.cost, b.peak); });
    std::vector<Solution> kept;
    for (Solution &solution : found)
      if (kept.empty() || solution.peak < kept.back().peak)
        kept.push_back(std::move(solution));
    return kept;
  }

  struct Idea {
    double score;
    int64_t value;
    int depth;
  };

  /// Computes values again until the peak is within the target.
  std::optional<Solution> walk(Solution current, int64_t target, double exponent) {
    double excess = measure(current, target);
    auto scoreOf = [&](double gain, double cost) {
      cost = std::max(cost, 1e-9 * current.cost + 1e-12);
      return gain > 0 ? gain / std::pow(cost, exponent) : gain * cost;
    };
    while (current.peak > target) {
      if (work > mostWork || current.cost > giveUp)
        return std::nullopt;
      State state = look(current);
      SmallVector<Idea> ideas;
      for (int64_t value : candidates(current, state.uses, state.fullest)) {
        double before = -1;
        for (int depth : kDepths) {
          std::optional<std::pair<double, double>> effect = estimate(current, state, value, depth, target);
          if (!effect)
            break;
          if (effect->second == before)
            continue;
          before = effect->second;
          ideas.push_back({scoreOf(-effect->first, effect->second), value, depth});
        }
      }
      llvm::stable_sort(ideas, [](const Idea &a, const Idea &b) { return a.score > b.score; });
      std::optional<Solution> best;
      double bestScore = 0, bestExcess = 0;
      for (auto [number, idea] : llvm::enumerate(ideas)) {
        if (number >= exact && (best || number >= 8 * exact))
          break;
        Solution next = current;
        if (!edits.recompute(next, state.uses, idea.value, state.fullest, idea.depth))
          continue;
        double now = measure(next, target);
        double score = scoreOf(excess - now, next.cost - current.cost);
        if (now >= excess || score <= bestScore)
          continue;
        bestScore = score;
        bestExcess = now;
        best = std::move(next);
      }
      if (!best)
        return std::nullopt;
      current = std::move(*best);
      excess = bestExcess;
    }
    return current;
  }

  /// About how much a recomputation adds to the bytes above the target, and what it costs. Values that take over each other's buffers are counted apart.
  std::optional<std::pair<double, double>> estimate(const Solution &solution, const State &state, int64_t value, int depth, int64_t target) {
    const Uses &uses = state.uses;
    const Uses::Value &wanted = uses.values[value];
    int64_t place = *llvm::upper_bound(wanted.at, state.fullest), next = solution.values;
    std::vector<Run> added;
    llvm::DenseMap<int64_t, int64_t> fresh;
    if (!edits.rerun(solution, uses, wanted.origin, place, depth, added, fresh, next))
      return std::nullopt;
    const Run &old = solution.runs[wanted.maker];
    int64_t level = state.across[place];
    SmallVector<int64_t> kept; // values that are used after the new runs
    for (size_t k = 0; k < line.ops[old.op].makes.size(); ++k) {
      const Uses::Value &from = uses.values[old.firstValue + k];
      if (from.last() < place)
        continue;
      kept.push_back(fresh.lookup(line.ops[old.op].firstValue + k));
      window.add(from.lastBefore(place) + 1, place - 1, -from.bytes);
      level -= from.bytes;
    }
    // In the new runs: what is read is there until its last reader.
    llvm::SmallDenseMap<int64_t, int64_t> lastReader;
    for (auto [i, run] : llvm::enumerate(added))
      for (int64_t read : run.reads)
        lastReader[read] = i;
    SmallVector<int64_t> change(added.size() + 1, 0);
    double cost = 0;
    for (auto [read, last] : lastReader) {
      if (read >= solution.values || uses.values[read].last() >= place)
        continue;
      window.add(uses.values[read].last() + 1, place - 1, uses.values[read].bytes);
      change[0] += uses.values[read].bytes;
      change[last + 1] -= uses.values[read].bytes;
    }
    for (auto [i, run] : llvm::enumerate(added)) {
      const LineOp &op = line.ops[run.op];
      cost += reruns[run.op].cost;
      for (auto [k, made] : llvm::enumerate(op.makes)) {
        if (made.over >= 0)
          continue;
        auto reader = lastReader.find(run.firstValue + k);
        int64_t last = reader == lastReader.end() ? int64_t(i) : reader->second;
        int64_t bytes = llvm::alignTo(made.bytes, kArenaAlignment);
        change[i] += bytes;
        if (!llvm::is_contained(kept, run.firstValue + int64_t(k)))
          change[last + 1] -= bytes;
      }
    }
    work += 50 * added.size() + window.length();
    double excess = window.finish(state.profile, target);
    for (auto [i, run] : llvm::enumerate(added)) {
      level += change[i];
      excess += std::max<int64_t>(0, level + line.ops[run.op].scratch - target);
    }
    return std::pair(excess, cost);
  }

  /// Values that are alive at the moment only for later uses, the ones with most bytes for their cost first.
  SmallVector<int64_t> candidates(const Solution &solution, const Uses &uses, int64_t moment) const {
    SmallVector<std::pair<double, int64_t>> ranked;
    for (auto [number, value] : llvm::enumerate(uses.values)) {
      if (value.maker < 0 || value.maker >= moment || value.at.empty() || value.at.back() <= moment || llvm::is_contained(value.at, moment))
        continue;
      const LineOp &op = line.ops[solution.runs[value.maker].op];
      const Rerun &rerun = reruns[solution.runs[value.maker].op];
      if (!rerun.allowed || op.makes[value.number].bytes == 0)
        continue;
      ranked.emplace_back(-double(op.makes[value.number].bytes) / (rerun.cost + 1e-12), number);
    }
    llvm::sort(ranked);
    if (ranked.size() > kCandidates)
      ranked.resize(kCandidates);
    return llvm::map_to_vector(ranked, [](auto &entry) { return entry.second; });
  }

  /// Takes out runs, the most expensive first, without which the peak stays within the target: their values come from the run before.
  void prune(Solution &solution, int64_t target) {
    for (bool changed = true; changed && work <= mostWork;) {
      changed = false;
      State state = look(solution);
      const Uses &uses = state.uses;
      SmallVector<std::pair<double, int64_t>> order;
      for (auto [position, run] : llvm::enumerate(solution.runs))
        if (size_t count = line.ops[run.op].makes.size(); count > 0 && uses.instances[line.ops[run.op].firstValue].size() > 1)
          order.emplace_back(-reruns[run.op].cost, position);
      llvm::sort(order);
      for (auto [cost, position] : order) {
        if (!mayDoWithout(solution, state, position, target))
          continue;
        std::optional<Solution> next = edits.without(solution, uses, position);
        if (!next)
          continue;
        measure(*next, target);
        if (next->peak > target || next->cost >= solution.cost)
          continue;
        solution = std::move(*next);
        changed = true;
        break;
      }
    }
  }

  /// About whether the peak stays within the target if the run is left out.
  bool mayDoWithout(const Solution &solution, const State &state, int64_t position, int64_t target) {
    const Uses &uses = state.uses;
    const Run &run = solution.runs[position];
    bool possible = true;
    for (size_t k = 0; k < line.ops[run.op].makes.size(); ++k) {
      const Uses::Value &value = uses.values[run.firstValue + k];
      if (value.at.empty())
        continue;
      int64_t before = uses.instanceBefore(value, position);
      possible &= before >= 0;
      if (before >= 0)
        window.add(uses.values[before].last() + 1, position - 1, value.bytes);
    }
    auto release = [&](auto &self, const Run &run, int64_t at, int depth) -> void {
      for (int64_t read : run.reads) {
        const Uses::Value &value = uses.values[read];
        if (value.maker < 0 || value.at.back() != at)
          continue;
        window.add(value.lastBefore(at) + 1, std::min(at, position - 1), -value.bytes);
        if (value.at.size() == 1 && depth < 64 && uses.instances[value.origin].size() > 1) {
          window.add(value.maker, value.maker, -value.bytes);
          self(self, solution.runs[value.maker], value.maker, depth + 1);
        }
      }
    };
    release(release, run, position, 0);
    work += window.length();
    int64_t most = 0;
    window.finish(state.profile, target, &most);
    return possible && most <= target;
  }

  const Line &line;
  ArrayRef<Rerun> reruns;
  Edits edits;
  size_t exact; // ideas that are measured exactly
  std::vector<Solution> found;
  Window window;
  int64_t work = 0, mostWork = kWork;
  double mostCost = std::numeric_limits<double>::infinity(); // of what is kept
  double giveUp = std::numeric_limits<double>::infinity();   // of a walk
};

} // namespace

std::vector<Solution> mlir::raf::findSolutions(const Line &line, ArrayRef<Rerun> reruns, int64_t bytes) { return Searcher(line, reruns).find(bytes); }

std::vector<Solution> mlir::raf::findCheapSolutions(const Line &line, ArrayRef<Rerun> reruns, double slack, int64_t others) {
  return Searcher(line, reruns).findCheap(slack, others);
}
