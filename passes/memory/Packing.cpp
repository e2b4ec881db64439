// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/memory/Packing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <map>
#include <random>

using namespace mlir::raf;
using llvm::ArrayRef;
using llvm::MutableArrayRef;
using llvm::SmallVector;

using Order = SmallVector<unsigned>;

namespace mlir::raf {
namespace {

int64_t aligned(int64_t bytes) { return llvm::alignTo(bytes, kArenaAlignment); }


/// Which blocks are alive together with each.
class Neighbours {
public:
  explicit Neighbours(ArrayRef<Lifetime> blocks) : lists(blocks.size()) {
    Order byStart = llvm::to_vector(llvm::seq<unsigned>(0, blocks.size()));
    llvm::stable_sort(byStart, [&](unsigned a, unsigned b) { return blocks[a].first < blocks[b].first; });
    SmallVector<unsigned> alive;
    for (unsigned i : byStart) {
      llvm::erase_if(alive, [&](unsigned j) { return blocks[j].last < blocks[i].first; });
      for (unsigned j : alive) {
        lists[i].push_back(j);
        lists[j].push_back(i);
      }
      alive.push_back(i);
    }
  }

  ArrayRef<unsigned> operator[](unsigned i) const { return lists[i]; }

  size_t pairs() const {
    size_t count = 0;
    for (const auto &list : lists)
      count += list.size();
    return count;
  }

private:
  std::vector<SmallVector<unsigned>> lists;
};

/// Which of the gaps that hold a block it is put into.
enum class Gap { smallest, lowest };

/// Places the blocks one after the other, each into a gap between its placed neighbours. Returns the end.
int64_t placeInOrder(MutableArrayRef<Lifetime> blocks, const Neighbours &neighbours, ArrayRef<unsigned> order, Gap choice) {
  for (Lifetime &block : blocks)
    block.offset = -1;
  int64_t end = 0;
  SmallVector<std::pair<int64_t, int64_t>> taken;
  for (unsigned i : order) {
    taken.clear();
    for (unsigned j : neighbours[i])
      if (blocks[j].offset >= 0)
        taken.emplace_back(blocks[j].offset, blocks[j].offset + aligned(blocks[j].bytes));
    llvm::sort(taken);
    int64_t bytes = aligned(blocks[i].bytes), cursor = 0, best = -1, bestGap = std::numeric_limits<int64_t>::max();
    for (auto [begin, stop] : taken) {
      if (int64_t gap = begin - cursor; gap >= bytes && gap < bestGap) {
        best = cursor;
        bestGap = gap;
        if (choice == Gap::lowest)
          break;
      }
      cursor = std::max(cursor, stop);
    }
    blocks[i].offset = best >= 0 ? best : cursor;
    end = std::max(end, blocks[i].offset + bytes);
  }
  return end;
}

/// Grows a skyline over time: at its lowest stretch the block that lasts longest is placed; where none fits, the stretch rises to its lower neighbour.
void placeBySkyline(MutableArrayRef<Lifetime> blocks) {
  struct Stretch {
    int64_t first, last, height;
  };
  int64_t first = std::numeric_limits<int64_t>::max(), last = 0;
  for (const Lifetime &block : blocks) {
    first = std::min(first, block.first);
    last = std::max(last, block.last);
  }
  std::vector<Stretch> skyline = {{first, last, 0}};
  Order waiting = llvm::to_vector(llvm::seq<unsigned>(0, blocks.size()));
  llvm::stable_sort(waiting, [&](unsigned a, unsigned b) {
    return std::pair(blocks[a].last - blocks[a].first, blocks[a].bytes) > std::pair(blocks[b].last - blocks[b].first, blocks[b].bytes);
  });
  while (!waiting.empty()) {
    auto lowest = llvm::min_element(skyline, [](const Stretch &a, const Stretch &b) { return a.height < b.height; });
    auto fitting = llvm::find_if(waiting, [&](unsigned i) { return blocks[i].first >= lowest->first && blocks[i].last <= lowest->last; });
    if (fitting == waiting.end()) {
      bool hasLeft = lowest != skyline.begin(), hasRight = lowest + 1 != skyline.end();
      auto left = lowest - hasLeft, right = lowest + hasRight;
      if (hasLeft && (!hasRight || left->height <= right->height)) {
        left->last = lowest->last;
        lowest = skyline.erase(lowest) - 1;
      } else {
        right->first = lowest->first;
        lowest = skyline.erase(lowest);
      }
      // Two stretches of one height are one.
      if (lowest + 1 != skyline.end() && (lowest + 1)->height == lowest->height) {
        lowest->last = (lowest + 1)->last;
        skyline.erase(lowest + 1);
      }
      continue;
    }
    Lifetime &block = blocks[*fitting];
    waiting.erase(fitting);
    block.offset = lowest->height;
    Stretch before = {lowest->first, block.first - 1, lowest->height}, after = {block.last + 1, lowest->last, lowest->height};
    *lowest = {block.first, block.last, lowest->height + aligned(block.bytes)};
    if (after.first <= after.last)
      lowest = skyline.insert(lowest + 1, after) - 1;
    if (before.first <= before.last)
      skyline.insert(lowest, before);
  }
}

} // namespace
} // namespace mlir::raf

int64_t mlir::raf::getLowerBound(ArrayRef<Lifetime> blocks, int64_t *moment) {
  std::map<int64_t, int64_t> change;
  for (const Lifetime &block : blocks) {
    change[block.first] += aligned(block.bytes);
    change[block.last + 1] -= aligned(block.bytes);
  }
  int64_t alive = 0, most = 0;
  for (auto [when, difference] : change) {
    alive += difference;
    if (alive > most) {
      most = alive;
      if (moment)
        *moment = when;
    }
  }
  return most;
}

int64_t mlir::raf::packApart(MutableArrayRef<Lifetime> blocks) {
  int64_t end = 0;
  for (Lifetime &block : blocks) {
    block.offset = end;
    end += aligned(block.bytes);
  }
  return end;
}

/// Sets the offsets of blocks in their canonical form.
static int64_t packCanonical(MutableArrayRef<Lifetime> blocks, int64_t enough) {
  Neighbours neighbours(blocks);
  int64_t bound = getLowerBound(blocks), stop = std::max(bound, enough), best = std::numeric_limits<int64_t>::max();
  SmallVector<int64_t> offsets(blocks.size());
  Order leader;
  auto attempt = [&](ArrayRef<unsigned> order, Gap choice) {
    int64_t end = placeInOrder(blocks, neighbours, order, choice);
    if (end < best) {
      best = end;
      for (auto [offset, block] : llvm::zip(offsets, blocks))
        offset = block.offset;
      leader.assign(order.begin(), order.end());
    }
  };
  auto sorted = [&](auto key) {
    Order order = llvm::to_vector(llvm::seq<unsigned>(0, blocks.size()));
    llvm::stable_sort(order, [&](unsigned a, unsigned b) { return key(blocks[a]) > key(blocks[b]); });
    return order;
  };
  // Orders that are good on one program or another: the greatest first, the longest lived first, both together, and time in either direction.
  SmallVector<Order> orders = {
      sorted([](const Lifetime &b) { return std::pair(b.bytes, b.last - b.first); }),
      sorted([](const Lifetime &b) { return std::pair(b.last - b.first, b.bytes); }),
      sorted([](const Lifetime &b) { return double(b.bytes) * double(b.last - b.first + 1); }),
      sorted([](const Lifetime &b) { return std::pair(-b.first, b.bytes); }),
      sorted([](const Lifetime &b) { return std::pair(b.last, b.bytes); }),
  };
  for (Gap choice : {Gap::smallest, Gap::lowest})
    for (const Order &order : orders)
      if (best > stop)
        attempt(order, choice);
  if (best > stop) {
    placeBySkyline(blocks);
    // A plan is also an order: from the bottom up, each block finds a place at least as low.
    orders.push_back(sorted([](const Lifetime &b) { return -b.offset; }));
    attempt(orders.back(), Gap::lowest);
  }
  // Then in rounds, for at most about a tenth of a second: the blocks that end above the bound are placed earlier in the next round. Some moves are to a random place, so that
  // rounds do not repeat; the generator's seed is fixed, so that plans do.
  std::mt19937 random(1);
  int64_t rounds = std::clamp<int64_t>(2'000'000 / static_cast<int64_t>(neighbours.pairs() + 1), 0, 2000);
  Order order = leader;
  for (int64_t i = 0; i < rounds && best > stop; ++i) {
    if (i % 20 == 19)
      order = i % 40 == 19 ? leader : orders[random() % orders.size()];
    Order high, low;
    for (unsigned block : order)
      (blocks[block].offset < 0 || blocks[block].offset + aligned(blocks[block].bytes) > bound ? high : low).push_back(block);
    order = low;
    for (unsigned block : high)
      order.insert(order.begin() + random() % (order.size() / (1 + i % 4) + 1), block);
    attempt(order, i % 2 == 0 ? Gap::smallest : Gap::lowest);
  }
  for (auto [offset, block] : llvm::zip(offsets, blocks))
    block.offset = offset;
  return best;
}

int64_t mlir::raf::pack(MutableArrayRef<Lifetime> blocks, int64_t enough) {
  if (blocks.empty())
    return 0;
  // Equal lifetimes give an equal arena whatever the order of the blocks and the numbers of the moments: who predicts a plan gets the plan's own bytes.
  SmallVector<int64_t> moments;
  for (const Lifetime &block : blocks) {
    moments.push_back(block.first);
    moments.push_back(block.last);
  }
  llvm::sort(moments);
  moments.erase(llvm::unique(moments), moments.end());
  auto rank = [&](int64_t moment) { return llvm::lower_bound(moments, moment) - moments.begin(); };
  Order order = llvm::to_vector(llvm::seq<unsigned>(0, blocks.size()));
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return std::tuple(blocks[a].first, blocks[a].last, blocks[a].bytes) < std::tuple(blocks[b].first, blocks[b].last, blocks[b].bytes);
  });
  SmallVector<Lifetime> canonical;
  for (unsigned i : order)
    canonical.push_back({blocks[i].bytes, rank(blocks[i].first), rank(blocks[i].last)});
  int64_t bytes = packCanonical(canonical, enough);
  for (auto [i, block] : llvm::zip(order, canonical))
    blocks[i].offset = block.offset;
  return bytes;
}

std::pair<int64_t, int64_t> mlir::raf::findConflict(ArrayRef<Lifetime> blocks, int64_t bytes) {
  // Swept by address, so that it shares nothing with the way plans are made.
  Order order = llvm::to_vector(llvm::seq<unsigned>(0, blocks.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) { return blocks[a].offset < blocks[b].offset; });
  SmallVector<unsigned> open;
  for (unsigned i : order) {
    if (blocks[i].offset < 0 || blocks[i].offset % kArenaAlignment != 0 || blocks[i].offset + blocks[i].bytes > bytes)
      return {i, i};
    llvm::erase_if(open, [&](unsigned j) { return blocks[j].offset + blocks[j].bytes <= blocks[i].offset; });
    for (unsigned j : open)
      if (blocks[i].bytes > 0 && blocks[i].meets(blocks[j]))
        return {j, i};
    if (blocks[i].bytes > 0)
      open.push_back(i);
  }
  return {-1, -1};
}
