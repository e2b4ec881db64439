// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape and type rules, shared by verifiers, builders and importers. Each returns the result type, or reports at `loc` (when there is one) and fails.
#ifndef RAF_DIALECTS_RAF_INFER_SHAPES_H
#define RAF_DIALECTS_RAF_INFER_SHAPES_H

#include "dialects/raf/Ops.h"

namespace mlir::raf {

using MaybeLoc = std::optional<Location>;
using MaybeType = FailureOr<RankedTensorType>;
using Ints = ArrayRef<int64_t>;

/// Whether a product of which `inferred` is the type in the operands' element type may have the type `actual`: the same, or f32 for 16-bit floats.
bool isProductType(Type inferred, Type actual);

/// The window of a convolution or pool over the spatial dimensions.
struct Window {
  Ints kernel, strides, padLow, padHigh, dilations;
};

/// Positions of the batch, feature and spatial dimensions in a tensor of the given layout and rank.
struct LayoutDims {
  int64_t batch, feature, firstSpatial, spatialRank;
  LayoutDims(Layout layout, int64_t rank)
      : batch(0), feature(layout == Layout::channels_first ? 1 : rank - 1), firstSpatial(layout == Layout::channels_first ? 2 : 1), spatialRank(rank - 2) {}
};

/// Checks that dims are increasing and inside the rank.
LogicalResult checkDims(MaybeLoc loc, StringRef op, StringRef attribute, Ints dims, int64_t rank);
/// Checks axis < rank.
LogicalResult checkAxis(MaybeLoc loc, StringRef op, int64_t axis, int64_t rank);
/// Output size of each spatial dimension; also checks the attribute lengths and values.
FailureOr<SmallVector<int64_t>> inferWindow(MaybeLoc loc, StringRef op, Ints spatial, const Window &window);

MaybeType inferReduce(MaybeLoc loc, StringRef op, RankedTensorType x, Ints dims);
MaybeType inferTranspose(MaybeLoc loc, RankedTensorType x, Ints permutation);
MaybeType inferSlice(MaybeLoc loc, RankedTensorType x, Ints starts, Ints limits, Ints strides);
MaybeType inferPad(MaybeLoc loc, RankedTensorType x, Ints low, Ints high, Ints interior);
MaybeType inferConcat(MaybeLoc loc, ArrayRef<RankedTensorType> inputs, int64_t axis);
MaybeType inferMatmul(MaybeLoc loc, RankedTensorType lhs, RankedTensorType rhs, bool transposeLhs, bool transposeRhs);
MaybeType inferConv(MaybeLoc loc, StringRef op, RankedTensorType x, RankedTensorType w, Ints strides, Ints padLow, Ints padHigh, Ints dilations, int64_t groups,
                    Layout layout);
MaybeType inferPool(MaybeLoc loc, StringRef op, RankedTensorType x, const Window &window, Layout layout);
MaybeType inferGather(MaybeLoc loc, StringRef op, RankedTensorType x, RankedTensorType indices, int64_t axis);
MaybeType inferTakeAlongAxis(MaybeLoc loc, StringRef op, RankedTensorType x, RankedTensorType indices, int64_t axis);

} // namespace mlir::raf

#endif // RAF_DIALECTS_RAF_INFER_SHAPES_H
