// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_DNNL_NORM_TD
#define RAF_DIALECTS_DNNL_NORM_TD

include "dialects/dnnl/Attrs.td"

def Dnnl_BatchNormOp : Dnnl_Op<"batch_norm", "Y", [], [AttrSizedOperandSegments]> {
  let summary = "batch normalization in training, with an optional relu";
  let description = [{
    y = (x - mean) / sqrt(variance + epsilon) * scale + shift over all dimensions but the features; mean and variance (the mean of squared deviations) are results. With
    `mask` y = max(that, 0), where NaN stays NaN, and the mask is the library's own record for `dnnl.batch_norm_grad`.

    Example:
    ```mlir
    %y, %m, %r = dnnl.batch_norm ins(%x, %s, %b : tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>) outs(%d, %e, %f : tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>)
                   epsilon = 1.0e-5 -> tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>
    ```
  }];
  let arguments = !con((ins Dnnl_Tensor:$x, Dnnl_Tensor:$scale, Dnnl_Tensor:$shift, Dnnl_Tensor:$y, Dnnl_Tensor:$mean, Dnnl_Tensor:$variance, Optional<Dnnl_Bytes>:$mask),
                       DnnlWorkspace, (ins F64Attr:$epsilon, DefaultValuedAttr<RAF_LayoutAttr, "::mlir::raf::Layout::channels_first">:$layout));
  let assemblyFormat = !strconcat([{ `ins` `(` $x `,` $scale `,` $shift `:` type($x) `,` type($scale) `,` type($shift) `)` `outs` `(` $y `,` $mean `,` $variance `:` type($y) `,` type($mean) `,` type($variance) `)` (`mask` `(` $mask^ `:` type($mask) `)`)? }], DnnlWorkspaceFormat, [{ `epsilon` `=` $epsilon (`layout` `=` $layout^)? }], DnnlEnd);
}

def Dnnl_BatchNormGradOp : Dnnl_Op<"batch_norm_grad", "Dx", ["getMayAlias"], [AttrSizedOperandSegments]> {
  let summary = "gradient of batch_norm with respect to x, scale and shift";
  let description = [{
    The gradients of `dnnl.batch_norm`, which gave mean, variance and, with a relu, the mask.

    Example:
    ```mlir
    %dx, %ds, %db = dnnl.batch_norm_grad ins(%x, %m, %r, %dy, %s : tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8x2x2xf32>, tensor<8xf32>)
                      outs(%d, %e, %f : tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>) epsilon = 1.0e-5 -> tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>
    ```
  }];
  let arguments = !con((ins Dnnl_Tensor:$x, Dnnl_Tensor:$mean, Dnnl_Tensor:$variance, Dnnl_Tensor:$dy, Dnnl_Tensor:$scale, Optional<Dnnl_Bytes>:$mask,
                            Dnnl_Tensor:$dx, Dnnl_Tensor:$dscale, Dnnl_Tensor:$dshift),
                       DnnlWorkspace, (ins F64Attr:$epsilon, DefaultValuedAttr<RAF_LayoutAttr, "::mlir::raf::Layout::channels_first">:$layout));
  let assemblyFormat = !strconcat([{ `ins` `(` $x `,` $mean `,` $variance `,` $dy `,` $scale `:` type($x) `,` type($mean) `,` type($variance) `,` type($dy) `,` type($scale) `)` (`mask` `(` $mask^ `:` type($mask) `)`)?
                                    `outs` `(` $dx `,` $dscale `,` $dshift `:` type($dx) `,` type($dscale) `,` type($dshift) `)` }],
                                 DnnlWorkspaceFormat, [{ `epsilon` `=` $epsilon (`layout` `=` $layout^)? }], DnnlEnd);
}

#endif // RAF_DIALECTS_DNNL_NORM_TD
