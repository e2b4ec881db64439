// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel copies that does nothing else: a range of elements of each input into its one destination.

#ifndef RAF_PASSES_FUSION_COPIES_H
#define RAF_PASSES_FUSION_COPIES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::raf {

/// For each input: the first element that is read, where it goes, and how many there are, in row-major order. Together they fill the destination.
struct CopiedRanges {
  /// On a raf.kernel, then on its function.
  static constexpr llvm::StringLiteral kAttribute = "raf.copies";

  struct Range {
    int64_t from, to, length;
  };
  SmallVector<Range> ranges;

  void add(int64_t from, int64_t to, int64_t length) { ranges.push_back({from, to, length}); }

  DenseI64ArrayAttr attribute(Builder &builder) const {
    SmallVector<int64_t> numbers;
    for (const Range &range : ranges)
      numbers.append({range.from, range.to, range.length});
    return builder.getDenseI64ArrayAttr(numbers);
  }

  static CopiedRanges of(Operation *op) {
    CopiedRanges result;
    if (auto numbers = op->getAttrOfType<DenseI64ArrayAttr>(kAttribute))
      for (int64_t i = 0; i + 2 < numbers.size(); i += 3)
        result.add(numbers[i], numbers[i + 1], numbers[i + 2]);
    return result;
  }
};

} // namespace mlir::raf

#endif // RAF_PASSES_FUSION_COPIES_H
