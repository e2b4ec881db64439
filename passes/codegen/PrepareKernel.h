// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The form in which code generation takes kernels.
#ifndef RAF_PASSES_CODEGEN_PREPAREKERNEL_H
#define RAF_PASSES_CODEGEN_PREPAREKERNEL_H

#include "passes/fusion/TileSpace.h"

namespace mlir::raf {

/// memref of the tensor's shape and element type; other types stay.
Type bufferType(Type type);

/// Whether the function is a kernel on tensors with a body, which code generation has to lower.
bool isTensorKernel(func::FuncOp func);

/// What code generation relies on, or an error: one block, a destination for each result, ops on tensors of static shape.
LogicalResult checkKernel(func::FuncOp kernel);

/// Every op of a tileable kernel becomes a linalg.generic, results that are arguments as they came are copied, and reductions do not share start values. Returns the stages.
FailureOr<SmallVector<TileSpace>> prepareKernel(func::FuncOp kernel);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_PREPAREKERNEL_H
