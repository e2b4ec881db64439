// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_DECOMPOSE_PASSES_TD
#define PASSES_DECOMPOSE_PASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposeOps : Pass<"raf-decompose-ops"> {
  let summary = "rewrite high-level raf ops in simpler raf ops";
  let description = [{
    Replaces every op that implements `DecomposableOpInterface` by its decomposition, again and again until none is left. Ops that a decomposition
    leaves behind (such as the softmax of an attention) are decomposed too.
  }];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    ListOption<"keep", "keep", "std::string", "Ops that stay whole, by name (raf.softmax)">,
    ListOption<"only", "only", "std::string", "The only ops to decompose, by name; empty means all">
  ];
  let statistics = [Statistic<"numDecomposed", "num-decomposed", "Ops decomposed">];
}

def ConvertToLinalg : Pass<"raf-convert-to-linalg"> {
  let summary = "lower simple raf ops to linalg on tensors";
  let description = [{
    `raf.reshape`, constants that are not scalars of a body, and ops of other dialects stay. Ops that no lowering knows are an error, which lists all of them.
  }];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

#endif // PASSES_DECOMPOSE_PASSES_TD
