// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the loops of an op walk through memory.
#ifndef RAF_PASSES_CODEGEN_GPU_ACCESS_H
#define RAF_PASSES_CODEGEN_GPU_ACCESS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::raf {

/// The position of an operand's element in its memory: offset + strides * loops + rest.
struct Access {
  Value tensor; // null for a scalar operand
  int64_t offset = 0;
  SmallVector<int64_t> strides;                     // by loop of the op
  SmallVector<std::pair<AffineExpr, int64_t>> rest; // what is not linear in the loops, with its factor

  bool isLinearIn(int64_t loop) const {
    return llvm::none_of(rest, [&](const auto &term) { return term.first.isFunctionOfDim(loop); });
  }
  int64_t elementBytes() const { return (cast<RankedTensorType>(tensor.getType()).getElementTypeBitWidth() + 7) / 8; }
  int64_t elements() const { return cast<RankedTensorType>(tensor.getType()).getNumElements(); }
};

/// The access of a tensor of the given strides through an indexing map.
Access accessOf(Value tensor, AffineMap map, ArrayRef<int64_t> strides);

/// Strides of a contiguous tensor.
SmallVector<int64_t> contiguousStrides(ArrayRef<int64_t> shape);

/// Loops that run as one: an index of all of them is an index of the last one.
struct Axis {
  SmallVector<int64_t> loops;
  int64_t size = 1;
  int64_t carrier() const { return loops.back(); }
};

/// Joins neighbours of the given order, outermost first, where the inner one continues the outer one.
SmallVector<Axis> joinLoops(ArrayRef<int64_t> order, ArrayRef<int64_t> sizes, function_ref<bool(int64_t outer, int64_t inner)> continues);

/// Whether the loop `inner` continues `outer` in the memory of the access.
bool continues(const Access &access, int64_t outer, int64_t inner, int64_t innerSize);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_ACCESS_H
