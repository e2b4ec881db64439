// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_RAF_INTERFACES_DIFFERENTIABLE_TD
#define RAF_DIALECTS_RAF_INTERFACES_DIFFERENTIABLE_TD

include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let description = [{
    Reverse-mode rule of an op. Attached as an external model in passes/autodiff, one file a family.
  }];
  let cppNamespace = "::mlir::raf";
  let methods = [
    InterfaceMethod<[{
      Builds the vector-Jacobian product. `cotangents` has one value a result, null where the result has no influence. For each operand k with
      wanted[k], the rule sets grads[k] (null means zero). Values of the forward op (operands, results) may be used freely: what is kept or recomputed is decided later.
    }], "::llvm::LogicalResult", "buildVJP", (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$cotangents, "::llvm::ArrayRef<bool>":$wanted,
        "::llvm::MutableArrayRef<::mlir::Value>":$grads)>
  ];
}

#endif // RAF_DIALECTS_RAF_INTERFACES_DIFFERENTIABLE_TD
