// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_PASSES_GRAPH_RANGES_H
#define RAF_PASSES_GRAPH_RANGES_H

#include "mlir/IR/PatternMatch.h"
#include <optional>

namespace mlir::raf {

/// Elements of a tensor that follow each other in row-major order.
struct ElementRange {
  Value base;
  int64_t offset, length;
};

/// What a slice, reshaped or not, takes of another tensor, if that is such a range.
std::optional<ElementRange> elementRange(Value value);

/// Products of slices of one tensor with one matrix become slices of one product.
void hoistSharedProducts(Operation *root, RewriterBase &rewriter);

/// What joins some of the parts that another concatenation joins, in its order, becomes a slice of that one.
void shareConcatenations(Operation *root, RewriterBase &rewriter);

} // namespace mlir::raf

#endif // RAF_PASSES_GRAPH_RANGES_H
