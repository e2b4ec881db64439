// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_NCCL_ENUMS_TD
#define RAF_DIALECTS_NCCL_ENUMS_TD

include "mlir/IR/EnumAttr.td"

// The numbers are those of raf::rt::plan::Reduction.
def Nccl_Reduction : I32EnumAttr<"Reduction", "how the values of the ranks become one", [
  I32EnumAttrCase<"sum", 1>, I32EnumAttrCase<"product", 2>, I32EnumAttrCase<"max", 3>, I32EnumAttrCase<"min", 4>, I32EnumAttrCase<"mean", 5>]> {
  let cppNamespace = "::mlir::raf::nccl";
  let genSpecializedAttr = 0;
}

#endif // RAF_DIALECTS_NCCL_ENUMS_TD
