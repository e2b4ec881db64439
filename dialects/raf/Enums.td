// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_RAF_ENUMS_TD
#define RAF_DIALECTS_RAF_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "dialects/raf/Base.td"

class RAF_Enum<string name, string sum, list<I32EnumAttrCase> cases> : I32EnumAttr<name, sum, cases> {
  let cppNamespace = "::mlir::raf";
  let genSpecializedAttr = 0;
}
class RAF_EnumAttr<EnumAttrInfo info, string mnemonic> : EnumAttr<RAF_Dialect, info, mnemonic>;

def RAF_CompareKind : RAF_Enum<"CompareKind", "comparison", [
  I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>, I32EnumAttrCase<"lt", 2>,
  I32EnumAttrCase<"le", 3>, I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>,
  I32EnumAttrCase<"ult", 6>, I32EnumAttrCase<"ule", 7>, I32EnumAttrCase<"ugt", 8>, I32EnumAttrCase<"uge", 9>]>;
def RAF_CompareKindAttr : RAF_EnumAttr<RAF_CompareKind, "compare_kind">;

def RAF_ReduceKind : RAF_Enum<"ReduceKind", "reduction", [
  I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"prod", 1>, I32EnumAttrCase<"max", 2>, I32EnumAttrCase<"min", 3>]>;
def RAF_ReduceKindAttr : RAF_EnumAttr<RAF_ReduceKind, "reduce_kind">;

def RAF_ScatterKind : RAF_Enum<"ScatterKind", "what a scatter does with the old and the new element", [
  I32EnumAttrCase<"set", 0>, I32EnumAttrCase<"mul", 1>, I32EnumAttrCase<"max", 2>, I32EnumAttrCase<"min", 3>]>;
def RAF_ScatterKindAttr : RAF_EnumAttr<RAF_ScatterKind, "scatter_kind">;

def RAF_GeluKind : RAF_Enum<"GeluKind", "form of GELU", [I32EnumAttrCase<"erf", 0>, I32EnumAttrCase<"tanh", 1>]>;
def RAF_GeluKindAttr : RAF_EnumAttr<RAF_GeluKind, "gelu_kind">;

def RAF_Layout : RAF_Enum<"Layout", "order of the feature and spatial dimensions", [
  I32EnumAttrCase<"channels_first", 0>, I32EnumAttrCase<"channels_last", 1>]>;
def RAF_LayoutAttr : RAF_EnumAttr<RAF_Layout, "layout">;

#endif // RAF_DIALECTS_RAF_ENUMS_TD
