// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the body of a linalg.generic says about its loops: elements that share a random draw, sums of which only one iteration adds something.
#ifndef RAF_PASSES_CODEGEN_CPU_BODYPATTERNS_H
#define RAF_PASSES_CODEGEN_CPU_BODYPATTERNS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::raf {

/// The ops of a body's one random draw that are marked (passes/decompose/Random.h).
struct Draw {
  Operation *element = nullptr, *counter = nullptr, *word = nullptr;
};

/// None where the body draws no number, or several ones.
std::optional<Draw> drawOf(linalg::GenericOp op);

/// How much the integer of the body grows with each iteration of a loop; none where that is not known.
std::optional<int64_t> growthOf(Value value, int64_t loop, linalg::GenericOp op);

/// The value that the index of the loop must have for the iteration to add something: all results are y + (index == value ? x : 0). Otherwise null.
Value onlyIteration(linalg::GenericOp op, int64_t loop);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_BODYPATTERNS_H
