// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a choice of raf-fuse costs: bytes that kernels move, and the arithmetic of computing something twice. Forward and backward are one program here, so what a forward kernel
// stores for the backward pass counts like any other value.
#ifndef RAF_PASSES_FUSION_COSTMODEL_H
#define RAF_PASSES_FUSION_COSTMODEL_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::raf {

/// Bytes of a tensor in memory.
int64_t bytesOf(Value tensor);

/// Operations of the body for one element, in multiplications; nothing if one of them has a body or reads at a computed position.
std::optional<int64_t> scalarWork(linalg::GenericOp op);

/// Whether computing the op's body once more for another consumer costs less than a store and a load.
bool isCheap(Operation *op);

/// Whether an operand is next to nothing beside the result: a number, or a row or column that is repeated.
bool isSmallBeside(Value operand, Value result);

/// A value as a cheap pointwise function of one large tensor, or of none (null): `ops`, in order, compute it from that and from what is next to nothing beside it.
struct Recomputation {
  Value from;
  SmallVector<linalg::GenericOp> ops;
};

/// How a reader can compute the op's result itself, if reading `from` instead moves no more bytes and the arithmetic takes less time than a store and a load.
std::optional<Recomputation> recomputationOf(linalg::GenericOp op);

} // namespace mlir::raf

#endif // RAF_PASSES_FUSION_COSTMODEL_H
