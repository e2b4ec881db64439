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

namespace mlir::raf {
namespace {

int64_t aligned(int64_t bytes) { return llvm::alignTo(bytes, kArenaAlignment); }

using Order = SmallVector<unsigned>;

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

/// Places the blocks one after the other, each into the smallest gap between its placed neighbours that holds it. Gives up at `limit`.
int64_t placeInOrder(MutableArrayRef<Lifetime> blocks, const Neighbours &neighbours, ArrayRef<unsigned> order, int64_t limit) {
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
      }
      cursor = std::max(cursor, stop);
    }
    blocks[i].offset = best >= 0 ? best : cursor;
    end = std::max(end, blocks[i].offset + bytes);
    if (end >= limit)
      return end;
  }
  return end;
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

int64_t mlir::raf::pack(MutableArrayRef<Lifetime> blocks) {
  if (blocks.empty())
    return 0;
  Neighbours neighbours(blocks);
  int64_t bound = getLowerBound(blocks), best = std::numeric_limits<int64_t>::max();
  SmallVector<int64_t> offsets(blocks.size());
  auto attempt = [&](ArrayRef<unsigned> order) {
    int64_t end = placeInOrder(blocks, neighbours, order, best);
    if (end < best) {
      best = end;
      for (auto [offset, block] : llvm::zip(offsets, blocks))
        offset = block.offset;
      return true;
    }
    return false;
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
  Order leader = orders.front();
  for (const Order &order : orders)
    if (best > bound && attempt(order))
      leader = order;
  // Then look around the best order, for about a tenth of a second: move a block that ends at the top of the arena forward, or swap two. The generator's seed is
  // fixed, so a plan is reproducible.
  std::mt19937 random(1);
  int64_t tries = std::clamp<int64_t>(1'000'000 / static_cast<int64_t>(neighbours.pairs() + 1), 0, 400);
  for (int64_t i = 0; i < tries && best > bound; ++i) {
    Order order = leader;
    if (i % 2 == 0) {
      SmallVector<unsigned> top;
      for (auto [position, block] : llvm::enumerate(order))
        if (offsets[block] + aligned(blocks[block].bytes) == best)
          top.push_back(position);
      if (top.empty())
        continue;
      unsigned position = top[random() % top.size()];
      std::rotate(order.begin() + random() % (position + 1), order.begin() + position, order.begin() + position + 1);
    } else {
      std::swap(order[random() % order.size()], order[random() % order.size()]);
    }
    if (attempt(order))
      leader = order;
  }
  for (auto [offset, block] : llvm::zip(offsets, blocks))
    block.offset = offset;
  return best;
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
