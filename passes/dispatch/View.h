// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors read through transposes, reshapes and broadcasts without moving an element.
#ifndef RAF_PASSES_DISPATCH_VIEW_H
#define RAF_PASSES_DISPATCH_VIEW_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::raf::dispatch {

/// Dimensions, strides in elements and the position of the first element; a broadcast dimension has stride 0.
struct View {
  SmallVector<int64_t> dims, strides;
  int64_t offset = 0;

  static View dense(ArrayRef<int64_t> shape);
  View transposed(ArrayRef<int64_t> permutation) const;
  /// The same elements in row-major order under another shape, when strides can say it.
  std::optional<View> reshaped(ArrayRef<int64_t> shape) const;
  /// The part of this shape that begins at `starts`.
  View sliced(ArrayRef<int64_t> starts, ArrayRef<int64_t> shape) const;
  /// Dimension k becomes dimension map[k] of the shape, repeated along the others.
  View broadcast(ArrayRef<int64_t> map, ArrayRef<int64_t> shape) const;
  void swapLastTwo();
  bool hasBroadcast() const;
  /// Broadcast dimensions become dimensions of 1, and the strides of dimensions of 1, which mean nothing, those of a dense tensor.
  View normalized() const;

  bool operator==(const View &other) const { return dims == other.dims && strides == other.strides && offset == other.offset; }
};

/// A value as a view of another one.
struct TracedView {
  Value base;
  View view;
};

/// What a view may also go through, beside transposes and reshapes.
struct Through {
  bool broadcasts, slices; ///< slices that leave out no elements between those they take
};

/// Goes back through as many ops as a view can express.
TracedView trace(Value value, Through through);

/// Whether the value is in memory as a whole, whoever reads it: no kernel computes it in passing. Then what reads a part of it need not copy that.
bool isStored(Value value);

/// The elements that an operand of a product has, found in another tensor under some shape by the loops of who reads them.
struct Read {
  Value base;
  SmallVector<int64_t> shape;
  AffineMap map;
};

/// How loops of generated code read a product's operand where it lies: through transposes and reshapes, and slices of what is stored. `loops` are the numbers, among so many, of those along its
/// dimensions. None where it is no view, or one that would be packed element by element, or whose dimensions are parts of others that no shape of the base has.
std::optional<Read> readWhereItLies(Value operand, ArrayRef<int64_t> loops, int64_t numLoops);

/// For a view of the result of `moves` (transposes and reshapes applied in order), the view that has the dimensions of what they were applied to.
std::optional<View> pullBack(View view, ArrayRef<Operation *> moves);

} // namespace mlir::raf::dispatch

#endif // RAF_PASSES_DISPATCH_VIEW_H
