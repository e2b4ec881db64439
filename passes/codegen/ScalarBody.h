// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalars of one element of a linalg.generic.
#ifndef RAF_PASSES_CODEGEN_SCALARBODY_H
#define RAF_PASSES_CODEGEN_SCALARBODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::raf {

/// The floating-point freedom that kernels have: contraction everywhere, reassociation of what a reduction accumulates, unless its order is to stay, and any 0 for an extremum.
/// `cloned` is the copy of `original`, an op of the body.
void setFastMath(linalg::GenericOp op, Operation *cloned, Operation *original, bool reassociates = true);

/// Copies the body, whose arguments and scalars `mapping` knows, and returns what it yields. `indexOf` gives the index of a loop; an element that is read at a computed position is
/// loaded from the buffer that `bufferOf` gives for its tensor. Where `known` gives the result of an op, the op is not needed.
SmallVector<Value> cloneBody(OpBuilder &builder, linalg::GenericOp op, IRMapping mapping, function_ref<Value(int64_t)> indexOf, function_ref<Value(Value)> bufferOf,
                             function_ref<Value(Operation *)> known = nullptr, bool reassociates = true);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_SCALARBODY_H
