// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_CUBLAS_ATTRS_TD
#define RAF_DIALECTS_CUBLAS_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "dialects/cublas/Base.td"
include "dialects/cublas/Enums.td"

def Cublas_ActivationAttr : EnumAttr<Cublas_Dialect, Cublas_Activation, "activation">;
def Cublas_BiasGradientAttr : EnumAttr<Cublas_Dialect, Cublas_BiasGradient, "bias_gradient">;

def Cublas_ViewAttr : AttrDef<Cublas_Dialect, "View"> {
  let mnemonic = "view";
  let summary = "how a dense tensor is read or written";
  let description = [{
    Logical dimensions and the distance in elements between neighbours along each, as `#dnnl.view`.

    Example: `#cublas.view<[8, 4], strides = [1, 8]>` reads a tensor<4x8xf32> as its transpose.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$dims, ArrayRefParameter<"int64_t">:$strides);
  let assemblyFormat = "`<` `[` $dims `]` `,` `strides` `=` `[` $strides `]` `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The position after the last element that the view touches.
    int64_t getExtent() const;
  }];
}

#endif // RAF_DIALECTS_CUBLAS_ATTRS_TD
