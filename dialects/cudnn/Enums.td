// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_CUDNN_ENUMS_TD
#define RAF_DIALECTS_CUDNN_ENUMS_TD

include "mlir/IR/EnumAttr.td"

// The numbers are those of raf::rt::plan::PostOpKind, which has none for none.
def Cudnn_Activation : I32EnumAttr<"Activation", "function applied to a convolution", [
  I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"relu", 1>, I32EnumAttrCase<"gelu_erf", 2>, I32EnumAttrCase<"gelu_tanh", 3>, I32EnumAttrCase<"tanh", 4>,
  I32EnumAttrCase<"sigmoid", 5>, I32EnumAttrCase<"silu", 6>]> {
  let cppNamespace = "::mlir::raf::cudnn";
  let genSpecializedAttr = 0;
}

#endif // RAF_DIALECTS_CUDNN_ENUMS_TD
