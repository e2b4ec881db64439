// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Minimum cut of a flow network (Dinic, 1970).
#ifndef RAF_PASSES_PRECISION_MINIMUMCUT_H
#define RAF_PASSES_PRECISION_MINIMUMCUT_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <limits>
#include <vector>

namespace mlir::raf {

class MinimumCut {
public:
  static constexpr int64_t infinity = std::numeric_limits<int64_t>::max() / 4;

  /// A new node; nodes are numbered from 0.
  unsigned addNode();
  /// Cutting `from` (on the source's side) from `to` (on the sink's) costs `capacity`.
  void addEdge(unsigned from, unsigned to, int64_t capacity);
  /// Whether each node is on the source's side of the cheapest cut; of several, of the one with the fewest nodes there.
  std::vector<bool> solve(unsigned source, unsigned sink);

private:
  struct Edge {
    unsigned to;
    int64_t left;
  };
  bool layer(unsigned source, unsigned sink);
  int64_t push(unsigned source, unsigned sink);

  /// Edge i and i ^ 1 are each other's reverse.
  std::vector<Edge> edges;
  std::vector<llvm::SmallVector<unsigned, 4>> outgoing;
  std::vector<int> depth;
  std::vector<unsigned> next;
};

} // namespace mlir::raf

#endif // RAF_PASSES_PRECISION_MINIMUMCUT_H
