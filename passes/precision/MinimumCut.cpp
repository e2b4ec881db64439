// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/precision/MinimumCut.h"

#include <algorithm>

using namespace mlir::raf;

unsigned MinimumCut::addNode() {
  outgoing.emplace_back();
  return outgoing.size() - 1;
}

void MinimumCut::addEdge(unsigned from, unsigned to, int64_t capacity) {
  if (from == to || capacity == 0)
    return;
  outgoing[from].push_back(edges.size());
  edges.push_back({to, capacity});
  outgoing[to].push_back(edges.size());
  edges.push_back({from, 0});
}

// Distances from the source along edges with capacity left; whether the sink is reached.
bool MinimumCut::layer(unsigned source, unsigned sink) {
  depth.assign(outgoing.size(), -1);
  depth[source] = 0;
  std::vector<unsigned> queue{source};
  for (size_t head = 0; head < queue.size(); ++head)
    for (unsigned edge : outgoing[queue[head]])
      if (unsigned to = edges[edge].to; edges[edge].left > 0 && depth[to] < 0) {
        depth[to] = depth[queue[head]] + 1;
        queue.push_back(to);
      }
  return depth[sink] >= 0;
}

// Sends flow along one path of increasing depth; 0 if there is none left. The path is kept explicitly: chains of ops are too long for recursion.
int64_t MinimumCut::push(unsigned source, unsigned sink) {
  std::vector<unsigned> path;
  unsigned node = source;
  while (node != sink) {
    if (next[node] < outgoing[node].size()) {
      unsigned edge = outgoing[node][next[node]];
      if (edges[edge].left > 0 && depth[edges[edge].to] == depth[node] + 1) {
        path.push_back(edge);
        node = edges[edge].to;
      } else {
        ++next[node];
      }
    } else {
      if (path.empty())
        return 0;
      node = edges[path.back() ^ 1].to;
      path.pop_back();
      ++next[node];
    }
  }
  int64_t amount = infinity;
  for (unsigned edge : path)
    amount = std::min(amount, edges[edge].left);
  for (unsigned edge : path) {
    edges[edge].left -= amount;
    edges[edge ^ 1].left += amount;
  }
  return amount;
}

std::vector<bool> MinimumCut::solve(unsigned source, unsigned sink) {
  while (layer(source, sink)) {
    next.assign(outgoing.size(), 0);
    while (push(source, sink) > 0)
      continue;
  }
  std::vector<bool> reached(outgoing.size());
  for (size_t node = 0; node < outgoing.size(); ++node)
    reached[node] = depth[node] >= 0;
  return reached;
}
