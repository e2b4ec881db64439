// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decompositions that work by blocks of rows (slices along the first dimension), so that what is large is never there as a whole.
#ifndef RAF_PASSES_DECOMPOSE_ROWLOOP_H
#define RAF_PASSES_DECOMPOSE_ROWLOOP_H

#include "dialects/raf/TensorBuilder.h"

namespace mlir::raf {

/// Bytes that a block of an intermediate value should have: what stays in the caches of a core or two between the ops that make and read it.
inline constexpr int64_t kBlockBytes = 1 << 20;

/// Rows [position * rows, (position + 1) * rows) of x. What only moves elements within rows is done to the block, so that a transposed or split tensor is cut before
/// it is moved.
Value rowsOf(TensorBuilder &b, Value x, Value position, int64_t rows);

/// Computes in iteration `position` (a 0-d i64 tensor) the rows at `position` of each result of rows, given the values carried along; returns those rows, then the values to carry on.
using RowBody = function_ref<SmallVector<Value>(TensorBuilder &b, Value position, ValueRange carried)>;

/// A loop of `trips` iterations over blocks of rows: the results of the given types, of which each iteration makes the `rows[k]` next rows, then the carried values. A result whose
/// last rows no iteration makes starts as `tails[k]`, which holds them at its end; others start without contents (null).
SmallVector<Value> buildRowLoop(TensorBuilder &b, int64_t trips, ArrayRef<RankedTensorType> types, ArrayRef<int64_t> rows, ValueRange carried, RowBody body, ArrayRef<Value> tails = {});

} // namespace mlir::raf

#endif // RAF_PASSES_DECOMPOSE_ROWLOOP_H
