// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How decompositions are written: one function an op, attached as an external model of DecomposableOpInterface. One file a family.
#ifndef RAF_PASSES_DECOMPOSE_DECOMPOSITIONS_H
#define RAF_PASSES_DECOMPOSE_DECOMPOSITIONS_H

#include "dialects/raf/TensorBuilder.h"
#include "dialects/raf/interfaces/Interfaces.h"

namespace mlir::raf {

// One function a family, called by registerDecomposeExtensions.
void attachContractionDecompositions(MLIRContext *context);
void attachElementwiseDecompositions(MLIRContext *context);
void attachLossDecompositions(MLIRContext *context);
void attachNormDecompositions(MLIRContext *context);
void attachOptimizerDecompositions(MLIRContext *context);
void attachRandomDecompositions(MLIRContext *context);

/// An external model whose rule is a function `SmallVector<Value> rule(Op, TensorBuilder &)` that gives the values of the results.
template <typename Op, SmallVector<Value> (*rule)(Op, TensorBuilder &)>
struct Decomposition : DecomposableOpInterface::ExternalModel<Decomposition<Op, rule>, Op> {
  FailureOr<SmallVector<Value>> decompose(Operation *op, OpBuilder &builder) const {
    TensorBuilder tensors(builder, op->getLoc());
    return rule(llvm::cast<Op>(op), tensors);
  }
};

} // namespace mlir::raf

#endif // RAF_PASSES_DECOMPOSE_DECOMPOSITIONS_H
