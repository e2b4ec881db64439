// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_CUDNN_NORM_TD
#define RAF_DIALECTS_CUDNN_NORM_TD

include "dialects/cudnn/Base.td"

defvar CudnnLayout = (ins DefaultValuedAttr<RAF_LayoutAttr, "::mlir::raf::Layout::channels_first">:$layout);
defvar CudnnNormEnd = [{ (`layout` `=` $layout^)? attr-dict (`->` type($outputs)^)? }];

def Cudnn_BatchNormOp : Cudnn_Op<"batch_norm", 3> {
  let summary = "batch normalization in training";
  let description = [{
    y = (x - mean) * rstd * scale + bias with the statistics of x as in `raf.batch_norm`. Running statistics are left to others: the library's variance is the unbiased one.

    Example:
    ```mlir
    %y:3 = cudnn.batch_norm ins(%x, %s, %b : tensor<2x8x4x4xbf16>, tensor<8xf32>, tensor<8xf32>) outs(%d, %m, %r : tensor<2x8x4x4xbf16>, tensor<8xf32>, tensor<8xf32>)
           epsilon = 1.0e-5 -> tensor<2x8x4x4xbf16>, tensor<8xf32>, tensor<8xf32>
    ```
  }];
  let arguments = !con((ins Cudnn_Tensor:$x, Cudnn_Feature:$scale, Cudnn_Feature:$bias, Cudnn_Tensor:$y, Cudnn_Feature:$mean, Cudnn_Feature:$rstd), CudnnWorkspace,
                       (ins F64Attr:$epsilon), CudnnLayout);
  let assemblyFormat = !strconcat([{ `ins` `(` $x `,` $scale `,` $bias `:` type($x) `,` type($scale) `,` type($bias) `)`
    `outs` `(` $y `,` $mean `,` $rstd `:` type($y) `,` type($mean) `,` type($rstd) `)` }], CudnnWorkspaceFormat, [{ `epsilon` `=` $epsilon }], CudnnNormEnd);
}

def Cudnn_BatchNormGradOp : Cudnn_Op<"batch_norm_grad", 5> {
  let summary = "gradient of batch_norm with respect to x, scale and bias";
  let description = [{
    As `raf.batch_norm_grad`.

    Example:
    ```mlir
    %g:3 = cudnn.batch_norm_grad ins(%x, %dy, %s, %m, %r : tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
             outs(%d, %e, %f : tensor<2x8x4x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8x4x4xf32>, tensor<8xf32>, tensor<8xf32>
    ```
  }];
  let arguments = !con((ins Cudnn_Tensor:$x, Cudnn_Tensor:$dy, Cudnn_Feature:$scale, Cudnn_Feature:$mean, Cudnn_Feature:$rstd, Cudnn_Tensor:$dx, Cudnn_Feature:$dscale,
                        Cudnn_Feature:$dbias), CudnnWorkspace, CudnnLayout);
  let assemblyFormat = !strconcat([{ `ins` `(` $x `,` $dy `,` $scale `,` $mean `,` $rstd `:` type($x) `,` type($dy) `,` type($scale) `,` type($mean) `,` type($rstd) `)`
    `outs` `(` $dx `,` $dscale `,` $dbias `:` type($dx) `,` type($dscale) `,` type($dbias) `)` }], CudnnWorkspaceFormat, CudnnNormEnd);
}

#endif // RAF_DIALECTS_CUDNN_NORM_TD
