// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of a line of ops with a low peak. An op that frees at least as much as it allocates runs as soon as it can; one that allocates more than it frees runs as late as it can. Sweeps
// forward and backward in turn do that, and of the best orders that they find the one wins whose buffers fit into the smallest arena.
#include "passes/memory/Timeline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <functional>
#include <limits>
#include <queue>

using namespace mlir::raf;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

constexpr int kRounds = 8;
constexpr size_t kPacked = 4;    // orders whose arenas are compared
constexpr int64_t kTall = 16;    // an op that takes more than this part of the peak for itself may be put off
constexpr size_t kFollowers = 4; // ops that go with it, at most
constexpr unsigned kTried = 256; // ops that are put off, at most: each takes time that grows with the length of the line

using Order = SmallVector<unsigned>;

struct Quality {
  int64_t peak, area; // area: how much is alive, summed over the moments
  bool operator<(const Quality &other) const { return std::pair(peak, area) < std::pair(other.peak, other.area); }
};

class Orderer {
public:
  explicit Orderer(const Line &line) : line(line), runs(runOnce(line)), makerOf(line.values), usersOf(line.values), bytesOf(line.values), earlier(size()), later(size()) {
    for (auto [i, op] : llvm::enumerate(line.ops)) {
      for (auto [k, made] : llvm::enumerate(op.makes)) {
        makerOf[op.firstValue + k] = i;
        // What lies in another value's buffer costs nothing of its own: that buffer lives on.
        bytesOf[op.firstValue + k] = made.escapes ? 0 : llvm::alignTo(made.over >= 0 ? bytesOf[op.reads[made.over]] : made.bytes, kArenaAlignment);
      }
      for (int64_t value : op.reads) {
        usersOf[value].push_back(i);
        earlier[i].push_back(makerOf[value]);
      }
      llvm::append_range(earlier[i], op.before);
      llvm::sort(earlier[i]);
      earlier[i].erase(llvm::unique(earlier[i]), earlier[i].end());
      for (unsigned other : earlier[i])
        later[other].push_back(i);
    }
  }

  Order find(bool late) {
    Order given = llvm::to_vector(llvm::seq<unsigned>(0, size()));
    improve(given);
    improve(sweepForward(given, /*greedy=*/true));
    // A low peak is of use only as far as the buffers can be packed.
    llvm::stable_sort(found, [](const Found &a, const Found &b) { return a.quality < b.quality; });
    if (found.size() > kPacked)
      found.resize(kPacked);
    if (llvm::none_of(found, [&](const Found &entry) { return entry.order == given; }))
      found.push_back({measure(given), given});
    const Found *best = nullptr;
    int64_t bytes = std::numeric_limits<int64_t>::max();
    for (const Found &entry : found) {
      if (entry.quality.peak >= bytes)
        continue;
      SmallVector<Lifetime> buffers = getBuffers(line, runs, entry.order, line.values);
      if (int64_t arena = pack(buffers); arena < bytes) {
        bytes = arena;
        best = &entry;
      }
    }
    if (!late)
      return best->order;
    Order latest = putOff(best->order);
    SmallVector<Lifetime> buffers = getBuffers(line, runs, latest, line.values);
    return pack(buffers, bytes) <= bytes ? latest : best->order;
  }

private:
  size_t size() const { return line.ops.size(); }

  SmallVector<int64_t> getAlive(const Order &order) const { return getProfile(getBuffers(line, runs, order, line.values), order.size()); }

  /// The op and those that come after it, if nothing but the end of the line comes after these; empty otherwise.
  SmallVector<unsigned> getLast(unsigned op) const {
    SmallVector<unsigned> unit = {op};
    for (size_t i = 0; i < unit.size(); ++i)
      for (unsigned other : later[unit[i]])
        if (other != size() - 1 && !llvm::is_contained(unit, other)) {
          if (unit.size() > kFollowers)
            return {};
          unit.push_back(other);
        }
    return unit;
  }

  /// Below the peak, which other passes may lower, moments count too: what takes much memory only while it runs, and of which nobody waits for the result (gradients of weights, with their
  /// updates), runs where the least is alive beside it, as long as what waits for it does not cost as much elsewhere.
  Order putOff(Order order) const {
    SmallVector<int64_t> alive = getAlive(order);
    int64_t tall = *llvm::max_element(alive) / kTall;
    unsigned tried = 0;
    for (size_t place = size() - 1; place-- > 0;) {
      const LineOp &op = line.ops[order[place]];
      int64_t own = op.scratch;
      for (size_t k = 0; k < op.makes.size(); ++k)
        own += bytesOf[op.firstValue + k];
      SmallVector<unsigned> unit = own > tall ? getLast(order[place]) : SmallVector<unsigned>();
      if (unit.empty())
        continue;
      if (++tried > kTried)
        break;
      auto isOfUnit = [&](unsigned other) { return llvm::is_contained(unit, other); };
      Order others;
      llvm::copy_if(llvm::drop_begin(order, place), std::back_inserter(others), [&](unsigned other) { return !isOfUnit(other); });
      llvm::sort(unit, [&](unsigned a, unsigned b) { return llvm::find(order, a) < llvm::find(order, b); });
      // Where the others leave most room.
      Order without(order.begin(), order.begin() + place);
      llvm::append_range(without, others);
      SmallVector<int64_t> room = getAlive(without);
      size_t best = place;
      for (size_t i = place; i < without.size(); ++i)
        if (room[i] < room[best])
          best = i;
      Order next(without.begin(), without.begin() + best);
      llvm::append_range(next, unit);
      next.append(without.begin() + best, without.end());
      SmallVector<int64_t> then = getAlive(next);
      auto most = [&](ArrayRef<int64_t> profile) { return *llvm::max_element(profile.drop_front(place)); };
      if (most(then) >= most(alive))
        continue;
      order = std::move(next);
      alive = std::move(then);
    }
    return order;
  }

  Quality measure(const Order &order) const {
    SmallVector<Lifetime> buffers = getBuffers(line, runs, order, line.values);
    int64_t peak = 0, area = 0;
    for (int64_t bytes : getProfile(buffers, order.size())) {
      peak = std::max(peak, bytes);
      area += bytes >> 6;
    }
    return {peak, area};
  }

  /// Whether the order is better than every one before.
  bool keep(const Order &order) {
    Quality quality = measure(order);
    bool better = llvm::all_of(found, [&](const Found &entry) { return quality < entry.quality; });
    if (llvm::none_of(found, [&](const Found &entry) { return entry.order == order; }))
      found.push_back({quality, order});
    return better;
  }

  void improve(Order order) {
    keep(order);
    for (int round = 0; round < kRounds; ++round) {
      order = sweepBackward(order);
      bool better = keep(order);
      order = sweepForward(order, /*greedy=*/false);
      better |= keep(order);
      if (!better && round > 0)
        return;
    }
  }

  /// The ready ops by key, then by position. An op is pushed again when its key has fallen; the first of its entries counts.
  struct Queue {
    using Entry = std::tuple<int64_t, int64_t, unsigned>; // key, position, op
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> entries;
    std::vector<bool> ready, done;
    explicit Queue(size_t size) : ready(size), done(size) {}
    void push(int64_t key, int64_t position, unsigned op) { entries.emplace(key, position, op); }
    int64_t pop() {
      while (!entries.empty()) {
        unsigned op = std::get<2>(entries.top());
        entries.pop();
        if (!done[op]) {
          done[op] = true;
          return op;
        }
      }
      return -1;
    }
  };

  /// Pushes the ops that wait for none; returns for how many each one waits.
  std::vector<int64_t> seed(Queue &queue, ArrayRef<SmallVector<unsigned, 4>> before, llvm::function_ref<void(unsigned)> push) const {
    std::vector<int64_t> waiting(size());
    for (auto [op, others] : llvm::enumerate(before)) {
      waiting[op] = others.size();
      if (others.empty()) {
        queue.ready[op] = true;
        push(op);
      }
    }
    return waiting;
  }

  Order sweepForward(const Order &base, bool greedy) const {
    std::vector<int64_t> position(size()), usesLeft(line.values);
    for (auto [i, op] : llvm::enumerate(base))
      position[op] = i;
    for (int64_t value = 0; value < line.values; ++value)
      usesLeft[value] = usersOf[value].size();
    auto change = [&](unsigned op) {
      int64_t bytes = 0;
      for (size_t k = 0; k < line.ops[op].makes.size(); ++k)
        if (int64_t value = line.ops[op].firstValue + k; !usersOf[value].empty())
          bytes += bytesOf[value];
      for (int64_t value : line.ops[op].reads)
        if (usesLeft[value] == 1)
          bytes -= bytesOf[value];
      return bytes;
    };
    Queue queue(size());
    auto push = [&](unsigned op) {
      int64_t bytes = change(op);
      queue.push(greedy ? bytes : bytes > 0, position[op], op);
    };
    std::vector<int64_t> waiting = seed(queue, earlier, push);
    Order order;
    for (int64_t op; (op = queue.pop()) >= 0;) {
      order.push_back(op);
      for (int64_t value : line.ops[op].reads)
        if (--usesLeft[value] == 1)
          for (unsigned user : usersOf[value])
            if (queue.ready[user] && !queue.done[user])
              push(user);
      for (unsigned other : later[op])
        if (--waiting[other] == 0) {
          queue.ready[other] = true;
          push(other);
        }
    }
    return order;
  }

  Order sweepBackward(const Order &base) const {
    std::vector<int64_t> position(size());
    std::vector<bool> alive(line.values);
    for (auto [i, op] : llvm::enumerate(base))
      position[op] = i;
    auto change = [&](unsigned op) {
      int64_t bytes = 0;
      for (int64_t value : line.ops[op].reads)
        if (!alive[value])
          bytes += bytesOf[value];
      for (size_t k = 0; k < line.ops[op].makes.size(); ++k)
        if (int64_t value = line.ops[op].firstValue + k; !usersOf[value].empty())
          bytes -= bytesOf[value];
      return bytes;
    };
    Queue queue(size());
    auto push = [&](unsigned op) { queue.push(change(op) > 0, -position[op], op); };
    std::vector<int64_t> waiting = seed(queue, later, push);
    Order order;
    for (int64_t op; (op = queue.pop()) >= 0;) {
      order.push_back(op);
      for (int64_t value : line.ops[op].reads) {
        if (alive[value])
          continue;
        alive[value] = true;
        for (unsigned user : usersOf[value])
          if (queue.ready[user] && !queue.done[user])
            push(user);
      }
      for (unsigned other : earlier[op])
        if (--waiting[other] == 0) {
          queue.ready[other] = true;
          push(other);
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

  const Line &line;
  std::vector<Run> runs;
  std::vector<unsigned> makerOf;
  std::vector<SmallVector<unsigned, 2>> usersOf;
  std::vector<int64_t> bytesOf;
  std::vector<SmallVector<unsigned, 4>> earlier, later;
  struct Found {
    Quality quality;
    Order order;
  };
  std::vector<Found> found;
};

} // namespace

SmallVector<unsigned> mlir::raf::findOrder(const Line &line, bool late) { return Orderer(line).find(late); }
