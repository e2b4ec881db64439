// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_DNNL_POOL_TD
#define RAF_DIALECTS_DNNL_POOL_TD

include "dialects/dnnl/Attrs.td"

defvar DnnlPoolAttrs = (ins DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pad_low, DenseI64ArrayAttr:$pad_high,
                            DenseI64ArrayAttr:$dilations, DefaultValuedAttr<RAF_LayoutAttr, "::mlir::raf::Layout::channels_first">:$layout);
defvar DnnlPoolFormat = [{ `kernel` `=` $kernel `strides` `=` $strides `pad_low` `=` $pad_low `pad_high` `=` $pad_high `dilations` `=` $dilations
                          (`layout` `=` $layout^)? }];

def Dnnl_MaxPoolOp : Dnnl_Op<"max_pool", "Y", [], [AttrSizedOperandSegments]> {
  let summary = "largest element of each window";
  let description = [{
    As `raf.max_pool`; `indices` (optional) is the library's own record of the maxima, which only `dnnl.max_pool_grad` understands.

    Example:
    ```mlir
    %y, %i = dnnl.max_pool ins(%x : tensor<2x3x8x8xf32>) outs(%d : tensor<2x3x4x4xf32>) indices(%w : tensor<96xi8>)
               kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] -> tensor<2x3x4x4xf32>, tensor<96xi8>
    ```
  }];
  let arguments = !con((ins Dnnl_Tensor:$x, Dnnl_Tensor:$y, Optional<Dnnl_Bytes>:$indices), DnnlWorkspace, DnnlPoolAttrs);
  let assemblyFormat = !strconcat([{ `ins` `(` $x `:` type($x) `)` `outs` `(` $y `:` type($y) `)` (`indices` `(` $indices^ `:` type($indices) `)`)? }], DnnlWorkspaceFormat, DnnlPoolFormat, DnnlEnd);
}

def Dnnl_MaxPoolGradOp : Dnnl_Op<"max_pool_grad", "Dx"> {
  let summary = "gradient of max_pool with respect to its input";
  let description = [{
    dx = the sum of dy over the windows whose maximum is at that place, according to the `indices` of `dnnl.max_pool`.

    Example:
    ```mlir
    %dx = dnnl.max_pool_grad ins(%dy, %i : tensor<2x3x4x4xf32>, tensor<96xi8>) outs(%d : tensor<2x3x8x8xf32>)
            kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] -> tensor<2x3x8x8xf32>
    ```
  }];
  let arguments = !con((ins Dnnl_Tensor:$dy, Dnnl_Bytes:$indices, Dnnl_Tensor:$dx), DnnlWorkspace, DnnlPoolAttrs);
  let assemblyFormat = !strconcat([{ `ins` `(` $dy `,` $indices `:` type($dy) `,` type($indices) `)` `outs` `(` $dx `:` type($dx) `)` }],
                                 DnnlWorkspaceFormat, DnnlPoolFormat, DnnlEnd);
}

def Dnnl_AvgPoolOp : Dnnl_Op<"avg_pool", "Y"> {
  let summary = "mean of each window";
  let description = [{
    As `raf.avg_pool`.

    Example:
    ```mlir
    %y = dnnl.avg_pool ins(%x : tensor<2x3x8x8xf32>) outs(%d : tensor<2x3x4x4xf32>)
           kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] -> tensor<2x3x4x4xf32>
    ```
  }];
  let arguments = !con((ins Dnnl_Tensor:$x, Dnnl_Tensor:$y), DnnlWorkspace, DnnlPoolAttrs, (ins UnitAttr:$count_include_pad));
  let assemblyFormat = !strconcat([{ `ins` `(` $x `:` type($x) `)` `outs` `(` $y `:` type($y) `)` }],
                                 DnnlWorkspaceFormat, DnnlPoolFormat, DnnlEnd);
}

def Dnnl_AvgPoolGradOp : Dnnl_Op<"avg_pool_grad", "Dx"> {
  let summary = "gradient of avg_pool with respect to its input";
  let description = [{
    As `raf.avg_pool_grad`.

    Example:
    ```mlir
    %dx = dnnl.avg_pool_grad ins(%dy : tensor<2x3x4x4xf32>) outs(%d : tensor<2x3x8x8xf32>)
            kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] -> tensor<2x3x8x8xf32>
    ```
  }];
  let arguments = !con((ins Dnnl_Tensor:$dy, Dnnl_Tensor:$dx), DnnlWorkspace, DnnlPoolAttrs, (ins UnitAttr:$count_include_pad));
  let assemblyFormat = !strconcat([{ `ins` `(` $dy `:` type($dy) `)` `outs` `(` $dx `:` type($dx) `)` }],
                                 DnnlWorkspaceFormat, DnnlPoolFormat, DnnlEnd);
}

#endif // RAF_DIALECTS_DNNL_POOL_TD
