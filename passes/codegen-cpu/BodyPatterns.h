// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the body of a linalg.generic says about its loops: elements that share a random draw, sums of which only one iteration adds something.
#ifndef RAF_PASSES_CODEGEN_CPU_BODYPATTERNS_H
#define RAF_PASSES_CODEGEN_CPU_BODYPATTERNS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::raf {

/// The ops of a body's one random draw that are marked (passes/decompose/Random.h).
struct Draw {
  Operation *element = nullptr, *counter = nullptr, *word = nullptr;
  Operation *bits = nullptr;    ///< null where they cannot be computed by `drawWords`
  SmallVector<Value, 4> words;  ///< of a counter
};

/// None where the body draws no number, or several ones.
std::optional<Draw> drawOf(linalg::GenericOp op);

/// The words of the counters of one block after the other, from `first` (i64) on, as vectors of i32: those of a block follow each other. `scalar` gives the values of the body that
/// are the same for all of them.
SmallVector<Value> drawWords(ImplicitLocOpBuilder &b, const Draw &draw, Value first, int64_t blocks, function_ref<Value(Value)> scalar);

/// How much the integer of the body grows with each iteration of a loop; none where that is not known.
std::optional<int64_t> growthOf(Value value, int64_t loop, linalg::GenericOp op);

/// The value that the index of the loop must have for the iteration to add something: all results are y + (index == value ? x : 0). Otherwise null.
Value onlyIteration(linalg::GenericOp op, int64_t loop);

/// Where branches of the body change as the index of the loop grows: [index < cut] for each of the ascending numbers. Empty where there are none, or so many that a loop for each part would be
/// too much code.
SmallVector<int64_t> branchCuts(linalg::GenericOp op, int64_t loop);

/// Whether a copy of the body for each of several iterations of the loops computes the same bits as a body by itself: no sum of two products, of which the code generator may take either as
/// the one that is not rounded, no product of what is the same in all iterations, which would be computed once, and no function, which becomes both.
bool contractsAlike(linalg::GenericOp op, ArrayRef<int64_t> loops);

/// In the builder's block the branches on [index < cut] are taken for an index below `below`, and above all cuts that are smaller.
void takeBranches(OpBuilder &builder, Value index, int64_t below);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_BODYPATTERNS_H
