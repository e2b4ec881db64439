// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves of elements that several families need.
#ifndef RAF_PASSES_IMPORT_STABLEHLO_SHAPE_H
#define RAF_PASSES_IMPORT_STABLEHLO_SHAPE_H

#include "passes/import-stablehlo/Importer.h"

namespace mlir::raf::stablehlo {

/// Padding with a scalar that need not be a constant. low, high and interior must be valid for x.
Value padWith(TensorBuilder &b, Value x, Value scalar, ArrayRef<int64_t> low, ArrayRef<int64_t> high, ArrayRef<int64_t> interior);
/// Elements [start, limit) of one dimension.
Value sliceDim(TensorBuilder &b, Value x, int64_t dim, int64_t start, int64_t limit, int64_t stride = 1);
Value concatenate(TensorBuilder &b, ValueRange pieces, int64_t dim);
/// Whether the tensor is a constant whose elements are all `value`.
bool isConstantSplat(Value tensor, double value);
/// A constant of floating-point or integer elements, all the same, as a number that is exact in f64.
std::optional<double> constantNumber(Value tensor);
/// The elements of a short constant of integers: sizes that are operands.
std::optional<SmallVector<int64_t>> constantList(Value list);
/// An index of the source as i32 or i64, whose order is the signed one.
Value toIndex(TensorBuilder &b, Value index, bool isUnsigned, bool wide = false);
/// The positions in the last dimension from the least key to the largest, in i32.
Value ascendingOrder(TensorBuilder &b, Value keys);
/// The permutation that brings dims to the front, the others following in order.
SmallVector<int64_t> dimsFirst(int64_t rank, ArrayRef<int64_t> dims);
SmallVector<int64_t> dimsLast(int64_t rank, ArrayRef<int64_t> dims);
SmallVector<int64_t> inversePermutation(ArrayRef<int64_t> permutation);
int64_t product(ArrayRef<int64_t> sizes);

} // namespace mlir::raf::stablehlo

#endif // RAF_PASSES_IMPORT_STABLEHLO_SHAPE_H
