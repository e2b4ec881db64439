// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which groups of ops depend on which, while groups merge. Knows nothing of MLIR.
#ifndef RAF_PASSES_FUSION_GROUPGRAPH_H
#define RAF_PASSES_FUSION_GROUPGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace mlir::raf {

/// A graph without cycles whose nodes can be merged. It is kept in a topological order, so that a merge looks only at what lies between the two nodes there.
class GroupGraph {
public:
  /// A new node after all others; returns its number.
  unsigned add();
  /// `before` was added earlier than `after`.
  void addEdge(unsigned before, unsigned after);

  /// Makes one node of two, known as `into`; false, and nothing changes, if a path from one to the other leads through a third.
  bool merge(unsigned into, unsigned from);

  void forEachPredecessor(unsigned node, llvm::function_ref<void(unsigned)> callback) const { forEach(predecessors, node, callback); }

private:
  using Lists = std::vector<llvm::SmallVector<unsigned, 4>>;

  // What was found from one of the two nodes that are to be merged.
  struct Search {
    llvm::SmallVector<unsigned> found, waiting;
    bool isOver() const { return waiting.empty(); }
  };

  unsigned find(unsigned node) const;
  /// The neighbours of a node, those that have merged seen as the node that they are now; a node can be called more than once.
  void forEach(const Lists &lists, unsigned node, llvm::function_ref<void(unsigned)> callback) const;
  /// Looks at the neighbours of one node that waits; false if they close a path from `start` to `end` through a third node.
  bool advance(Search &search, const Lists &lists, unsigned start, unsigned end, std::vector<unsigned> &own, const std::vector<unsigned> &other);
  void reorder(unsigned first, unsigned last, unsigned merged, const Search &below, const Search &above);

  Lists predecessors, successors;
  mutable std::vector<unsigned> mergedInto; // itself for a node that has not been merged into another
  std::vector<unsigned> order;              // nodes in topological order, with gaps where nodes have gone
  std::vector<unsigned> position;           // of a node in `order`
  std::vector<unsigned> seenBelow, seenAbove; // the number of the merge that last found the node, from either end
  unsigned merges = 0;
};

} // namespace mlir::raf

#endif // RAF_PASSES_FUSION_GROUPGRAPH_H
