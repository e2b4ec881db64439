// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the threads of a point do together.
#ifndef RAF_PASSES_CODEGEN_GPU_LANES_H
#define RAF_PASSES_CODEGEN_GPU_LANES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "passes/codegen-gpu/StagePlan.h"

namespace mlir::raf {

/// A thread of a kernel: its point within the block, and its number among those of the point.
struct Lanes {
  gpu::GPUFuncOp func;
  const StagePlan *plan;
  Value thread, point, lane;
};

/// Of each accumulator of a reduction, the op that adds something to it, when the threads of a point can do parts of it: the sum of parts is the same op of them.
std::optional<SmallVector<Operation *>> combiners(linalg::GenericOp op);

/// The combiner of two values, which are of the accumulator's type.
Value combine(OpBuilder &builder, linalg::GenericOp op, Operation *combiner, Value a, Value b);

/// What a copy of the combiner adds to the accumulator.
Value termOf(linalg::GenericOp op, Operation *combiner, Value combined);

/// What the lanes of a point have found, combined in an order that depends on nothing; every lane gets it. To be called by all threads of the block.
Value combineLanes(OpBuilder &builder, const Lanes &lanes, linalg::GenericOp op, Operation *combiner, Value part);

/// A memref in the block's shared memory.
Value sharedMemory(const Lanes &lanes, Location loc, int64_t elements, Type element);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_LANES_H
