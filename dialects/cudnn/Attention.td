// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_CUDNN_ATTENTION_TD
#define RAF_DIALECTS_CUDNN_ATTENTION_TD

include "dialects/cudnn/Base.td"

def Cudnn_AttentionOp : Cudnn_Op<"attention", 3, [AttrSizedOperandSegments], "getYMutable().getOperandNumber()"> {
  let summary = "scaled dot-product attention";
  let description = [{
    y and lse as in `raf.attention`, without dropout, in bf16 or f16. `causal` takes as many keys as queries or more.

    Example:
    ```mlir
    %y:2 = cudnn.attention ins(%q, %q, %q : tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>) outs(%d, %l : tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>)
           scale = 0.25 -> tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>
    ```
  }];
  let arguments = !con((ins Cudnn_Tensor:$q, Cudnn_Tensor:$k, Cudnn_Tensor:$v, Optional<Cudnn_Tensor>:$bias, Cudnn_Tensor:$y, Cudnn_Feature:$lse), CudnnWorkspace,
                       (ins F64Attr:$scale, UnitAttr:$causal));
  let assemblyFormat = !strconcat([{ `ins` `(` $q `,` $k `,` $v `:` type($q) `,` type($k) `,` type($v) `)` (`bias` `(` $bias^ `:` type($bias) `)`)? `outs` `(` $y `,` $lse `:` type($y) `,` type($lse) `)` }], CudnnWorkspaceFormat,
                                 [{ `scale` `=` $scale (`causal` $causal^)? attr-dict (`->` type($outputs)^)? }]);
}

def Cudnn_AttentionGradOp : Cudnn_Op<"attention_grad", 6, [AttrSizedOperandSegments], "getDqMutable().getOperandNumber()"> {
  let summary = "gradient of attention";
  let description = [{
    The gradients of q, k and v, from the result y, the lse and the gradient dy of `cudnn.attention`.

    Example:
    ```mlir
    %g:3 = cudnn.attention_grad ins(%q, %q, %q, %y, %l, %y : tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>, tensor<2x4x8x16xbf16>)
             outs(%a, %b, %c : tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>) scale = 0.25
             -> tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>
    ```
  }];
  let arguments = !con((ins Cudnn_Tensor:$q, Cudnn_Tensor:$k, Cudnn_Tensor:$v, Cudnn_Tensor:$y, Cudnn_Feature:$lse, Cudnn_Tensor:$dy, Optional<Cudnn_Tensor>:$bias,
                        Cudnn_Tensor:$dq, Cudnn_Tensor:$dk, Cudnn_Tensor:$dv), CudnnWorkspace, (ins F64Attr:$scale, UnitAttr:$causal));
  let assemblyFormat = !strconcat([{ `ins` `(` $q `,` $k `,` $v `,` $y `,` $lse `,` $dy `:` type($q) `,` type($k) `,` type($v) `,` type($y) `,` type($lse) `,` type($dy) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)? `outs` `(` $dq `,` $dk `,` $dv `:` type($dq) `,` type($dk) `,` type($dv) `)` }], CudnnWorkspaceFormat, [{ `scale` `=` $scale (`causal` $causal^)? attr-dict (`->` type($outputs)^)? }]);
}

#endif // RAF_DIALECTS_CUDNN_ATTENTION_TD
