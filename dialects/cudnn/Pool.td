// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_CUDNN_POOL_TD
#define RAF_DIALECTS_CUDNN_POOL_TD

include "dialects/cudnn/Base.td"

// Activations have their channels last, which the library's graphs want of pools; windows are dense.
defvar CudnnPoolAttrs = (ins DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pad_low, DenseI64ArrayAttr:$pad_high);
defvar CudnnPoolFormat = [{ `kernel` `=` $kernel `strides` `=` $strides `pad_low` `=` $pad_low `pad_high` `=` $pad_high attr-dict (`->` type($outputs)^)? }];

def Cudnn_MaxPoolOp : Cudnn_Op<"max_pool", 1, [AttrSizedOperandSegments]> {
  let summary = "largest element of each window";
  let description = [{
    As `raf.max_pool` with channels last; `indices` (optional) is the place of the maximum within its window, for `cudnn.max_pool_grad`.

    Example:
    ```mlir
    %y:2 = cudnn.max_pool ins(%x : tensor<2x8x8x3xf32>) outs(%d : tensor<2x4x4x3xf32>) indices(%i : tensor<96xi8>)
             kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] -> tensor<2x4x4x3xf32>, tensor<96xi8>
    ```
  }];
  let arguments = !con((ins Cudnn_Tensor:$x, Cudnn_Tensor:$y, Optional<Cudnn_Bytes>:$indices), CudnnWorkspace, CudnnPoolAttrs);
  let assemblyFormat = !strconcat([{ `ins` `(` $x `:` type($x) `)` `outs` `(` $y `:` type($y) `)` (`indices` `(` $indices^ `:` type($indices) `)`)? }], CudnnWorkspaceFormat,
                                 CudnnPoolFormat);
}

def Cudnn_MaxPoolGradOp : Cudnn_Op<"max_pool_grad", 2> {
  let summary = "gradient of max_pool with respect to its input";
  let description = [{
    dx = the sum of dy over the windows whose maximum is at that place, according to the `indices` of `cudnn.max_pool`.

    Example:
    ```mlir
    %dx = cudnn.max_pool_grad ins(%dy, %i : tensor<2x4x4x3xf32>, tensor<96xi8>) outs(%d : tensor<2x8x8x3xf32>)
            kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] -> tensor<2x8x8x3xf32>
    ```
  }];
  let arguments = !con((ins Cudnn_Tensor:$dy, Cudnn_Bytes:$indices, Cudnn_Tensor:$dx), CudnnWorkspace, CudnnPoolAttrs);
  let assemblyFormat = !strconcat([{ `ins` `(` $dy `,` $indices `:` type($dy) `,` type($indices) `)` `outs` `(` $dx `:` type($dx) `)` }], CudnnWorkspaceFormat, CudnnPoolFormat);
}

def Cudnn_AvgPoolOp : Cudnn_Op<"avg_pool", 1> {
  let summary = "mean of each window";
  let description = [{
    As `raf.avg_pool` with channels last.

    Example:
    ```mlir
    %y = cudnn.avg_pool ins(%x : tensor<2x8x8x3xf32>) outs(%d : tensor<2x4x4x3xf32>)
           kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] -> tensor<2x4x4x3xf32>
    ```
  }];
  let arguments = !con((ins Cudnn_Tensor:$x, Cudnn_Tensor:$y), CudnnWorkspace, CudnnPoolAttrs, (ins UnitAttr:$count_include_pad));
  let assemblyFormat = !strconcat([{ `ins` `(` $x `:` type($x) `)` `outs` `(` $y `:` type($y) `)` }], CudnnWorkspaceFormat, CudnnPoolFormat);
}

def Cudnn_AvgPoolGradOp : Cudnn_Op<"avg_pool_grad", 1> {
  let summary = "gradient of avg_pool with respect to its input";
  let description = [{
    As `raf.avg_pool_grad` with channels last.

    Example:
    ```mlir
    %dx = cudnn.avg_pool_grad ins(%dy : tensor<2x4x4x3xf32>) outs(%d : tensor<2x8x8x3xf32>)
            kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] -> tensor<2x8x8x3xf32>
    ```
  }];
  let arguments = !con((ins Cudnn_Tensor:$dy, Cudnn_Tensor:$dx), CudnnWorkspace, CudnnPoolAttrs, (ins UnitAttr:$count_include_pad));
  let assemblyFormat = !strconcat([{ `ins` `(` $dy `:` type($dy) `)` `outs` `(` $dx `:` type($dx) `)` }], CudnnWorkspaceFormat, CudnnPoolFormat);
}

#endif // RAF_DIALECTS_CUDNN_POOL_TD
