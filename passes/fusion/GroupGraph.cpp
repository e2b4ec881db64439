// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/fusion/GroupGraph.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir::raf;

static constexpr unsigned kGap = ~0u;

unsigned GroupGraph::add() {
  unsigned node = order.size();
  order.push_back(node);
  position.push_back(node);
  mergedInto.push_back(node);
  seenBelow.push_back(0);
  seenAbove.push_back(0);
  predecessors.emplace_back();
  successors.emplace_back();
  return node;
}

void GroupGraph::addEdge(unsigned before, unsigned after) {
  assert(before < after && "the order of creation is a topological one");
  successors[before].push_back(after);
  predecessors[after].push_back(before);
}

unsigned GroupGraph::find(unsigned node) const {
  while (mergedInto[node] != node)
    node = mergedInto[node] = mergedInto[mergedInto[node]];
  return node;
}

void GroupGraph::forEach(const Lists &lists, unsigned node, llvm::function_ref<void(unsigned)> callback) const {
  for (unsigned neighbour : lists[node])
    if (unsigned now = find(neighbour); now != node)
      callback(now);
}

bool GroupGraph::advance(Search &search, const Lists &lists, unsigned start, unsigned end, std::vector<unsigned> &own, const std::vector<unsigned> &other) {
  auto [low, high] = std::minmax(position[start], position[end]);
  unsigned node = search.waiting.pop_back_val();
  bool open = true;
  forEach(lists, node, [&](unsigned next) {
    if (next == end) {
      open &= node == start; // the edge between the two is no obstacle
      return;
    }
    // No path between the two leaves the stretch between them.
    if (position[next] < low || position[next] > high || own[next] == merges)
      return;
    open &= other[next] != merges;
    own[next] = merges;
    search.found.push_back(next);
    search.waiting.push_back(next);
  });
  return open;
}

bool GroupGraph::merge(unsigned into, unsigned from) {
  ++merges;
  unsigned first = into, last = from;
  if (position[first] > position[last])
    std::swap(first, last);
  // From both ends at once, until nothing is left to find from one of them: that suffices, and is often little.
  Search below{{}, {first}}, above{{}, {last}};
  while (!below.isOver() && !above.isOver())
    if (!advance(below, successors, first, last, seenBelow, seenAbove) || !advance(above, predecessors, last, first, seenAbove, seenBelow))
      return false;
  reorder(first, last, into, below, above);
  mergedInto[from] = into;
  for (Lists *lists : {&predecessors, &successors}) {
    (*lists)[into].append((*lists)[from]);
    (*lists)[from].clear();
  }
  return true;
}

void GroupGraph::reorder(unsigned first, unsigned last, unsigned merged, const Search &below, const Search &above) {
  // What comes before the last node goes before the merged one, or what comes after the first one goes after it; all else may stay on the other side of it.
  bool knowsBelow = below.isOver();
  const std::vector<unsigned> &seen = knowsBelow ? seenBelow : seenAbove;
  llvm::SmallVector<unsigned> before, after;
  unsigned begin = position[first], end = position[last] + 1;
  for (unsigned at = begin; at < end; ++at) {
    unsigned node = order[at];
    if (node == kGap || node == first || node == last)
      continue;
    bool moves = seen[node] == merges;
    (moves == knowsBelow ? after : before).push_back(node);
  }
  unsigned at = begin;
  auto put = [&](unsigned node) {
    order[at] = node;
    position[node] = at++;
  };
  llvm::for_each(before, put);
  put(merged);
  llvm::for_each(after, put);
  std::fill(order.begin() + at, order.begin() + end, kGap);
}
