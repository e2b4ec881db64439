// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_CUBLAS_ENUMS_TD
#define RAF_DIALECTS_CUBLAS_ENUMS_TD

include "mlir/IR/EnumAttr.td"

// The numbers are those of raf::rt::plan::Activation and BiasGradient.
class Cublas_Enum<string name, string sum, list<I32EnumAttrCase> cases> : I32EnumAttr<name, sum, cases> {
  let cppNamespace = "::mlir::raf::cublas";
  let genSpecializedAttr = 0;
}

def Cublas_Activation : Cublas_Enum<"Activation", "function applied to a product", [
  I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"relu", 1>, I32EnumAttrCase<"gelu_tanh", 2>]>;

def Cublas_BiasGradient : Cublas_Enum<"BiasGradient", "what a product also sums up", [
  I32EnumAttrCase<"of_result", 1>, I32EnumAttrCase<"of_rhs", 2>, I32EnumAttrCase<"of_lhs", 3>]>;

#endif // RAF_DIALECTS_CUBLAS_ENUMS_TD
