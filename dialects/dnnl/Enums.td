// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_DNNL_ENUMS_TD
#define RAF_DIALECTS_DNNL_ENUMS_TD

include "mlir/IR/EnumAttr.td"

// The numbers are those of raf::rt::plan::PostOpKind.
def Dnnl_PostOpKind : I32EnumAttr<"PostOpKind", "operation on a result before it is stored", [
  I32EnumAttrCase<"relu", 1>, I32EnumAttrCase<"gelu_erf", 2>, I32EnumAttrCase<"gelu_tanh", 3>, I32EnumAttrCase<"tanh", 4>, I32EnumAttrCase<"sigmoid", 5>,
  I32EnumAttrCase<"silu", 6>, I32EnumAttrCase<"linear", 7>, I32EnumAttrCase<"add", 20>, I32EnumAttrCase<"sub", 21>, I32EnumAttrCase<"mul", 22>,
  I32EnumAttrCase<"sum", 30>]> {
  let cppNamespace = "::mlir::raf::dnnl";
  let genSpecializedAttr = 0;
}

#endif // RAF_DIALECTS_DNNL_ENUMS_TD
