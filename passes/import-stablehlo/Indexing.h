// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dimension numbers that gather and scatter share, and positions computed from them.
#ifndef RAF_PASSES_IMPORT_STABLEHLO_INDEXING_H
#define RAF_PASSES_IMPORT_STABLEHLO_INDEXING_H

#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Importer.h"

namespace mlir::raf::stablehlo {

/// Windows of an operand at positions that an index tensor holds. Gather reads them, scatter writes them. "Items" is the tensor of the windows: the result of
/// gather, the updates of scatter.
struct Windows {
  SmallVector<int64_t> operandShape, itemsShape;
  /// Dimensions of the items that run within a window, in the order of the operand's window dimensions; the others run over the indices.
  IntList offsetDims;
  /// Operand dimensions that a window has not: of size 1, or given by a dimension of the indices.
  IntList collapsed, operandBatching, indicesBatching;
  /// Operand dimension of each component of an index, and where the components are in the index tensor.
  IntList indexMap;
  int64_t indexVectorDim = 0;
  /// Size of the window in each operand dimension.
  IntList sizes;

  /// Operand dimensions that a window has.
  IntList windowDims() const;
  /// Dimensions of the items that are not in offsetDims.
  IntList batchDims() const { return otherDims(itemsShape.size(), offsetDims); }
  /// Checks everything against each other and the indices.
  LogicalResult check(Operation &op, RankedTensorType indices) const;
  /// The operand's axis if each window is everything at one position of it; -1 otherwise.
  int64_t axis() const;
  /// The axis if each window is one element, the other dimensions being given by dimensions of the indices; -1 otherwise.
  int64_t batchedAxis() const;
};

/// A component of the indices: the indices without the dimension that holds the components.
Value indexComponent(TensorBuilder &b, Value indices, const Windows &windows, int64_t component);
/// For take_along_axis and its like: indices of the operand's shape but for the axis, and the permutation that takes a tensor of that shape, with the axis
/// split into `extra`, to the items.
struct AlongAxis {
  Value indices;
  SmallVector<int64_t> splitShape, permutation;
};
AlongAxis indicesAlongAxis(TensorBuilder &b, Value indices, const Windows &windows, int64_t axis);

/// The operand as rows: the last dimensions, which all windows have whole, are the elements of a row.
struct Rows {
  /// Number of rows, elements in a row, and how many operand dimensions number rows.
  int64_t count, width, rank;
  /// Row of each element of the items but for the dimensions inside a row, which are last: i32 or i64.
  Value positions;
  /// i1 of the same shape, whether the window lies inside; null when starts are clamped.
  Value inside;
  /// The permutation from [positions..., row dimensions...] to the items.
  SmallVector<int64_t> permutation;
};
Rows computeRows(TensorBuilder &b, Value indices, const Windows &windows, bool clamp);

} // namespace mlir::raf::stablehlo

#endif // RAF_PASSES_IMPORT_STABLEHLO_INDEXING_H
