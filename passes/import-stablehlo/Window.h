// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows that slide over all dimensions of a tensor, and those that raf's pools have.
#ifndef RAF_PASSES_IMPORT_STABLEHLO_WINDOW_H
#define RAF_PASSES_IMPORT_STABLEHLO_WINDOW_H

#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Importer.h"

namespace mlir::raf::stablehlo {

struct SlidingWindow {
  /// One element a dimension; `spread` is the dilation of the tensor, `dilations` that of the window.
  IntList sizes, strides, low, high, spread, dilations;
  /// How many positions the window has in each dimension; 0 where it does not fit.
  SmallVector<int64_t> resultShape;

  static FailureOr<SlidingWindow> read(Operation &op, ArrayRef<int64_t> shape);
  /// Whether the window does more in a dimension than to take each element by itself.
  bool moves(size_t d) const;
};

/// A tensor seen as [batch, channels, spatial...] or [batch, spatial..., channels], with the window in the spatial dimensions.
struct PoolView {
  Layout layout;
  IntList kernel, strides, low, high, dilations;
  SmallVector<int64_t> order, shape, result, orderedInput, orderedResult;

  Value enter(TensorBuilder &b, Value x) const;
  Value enterResult(TensorBuilder &b, Value y) const;
  Value leave(TensorBuilder &b, Value y) const;
  Value leaveInput(TensorBuilder &b, Value dx) const;
};
/// Nothing when raf's pools do not have the window.
std::optional<PoolView> viewAsPool(TensorBuilder &b, const SlidingWindow &window, RankedTensorType type);

void addSelectAndScatterHandler(HandlerTable &table);

} // namespace mlir::raf::stablehlo

#endif // RAF_PASSES_IMPORT_STABLEHLO_WINDOW_H
