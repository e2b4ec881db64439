// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pooling windows and their gradients.

#ifndef RAF_DIALECTS_RAF_POOL_TD
#define RAF_DIALECTS_RAF_POOL_TD

include "dialects/raf/Base.td"
include "dialects/raf/Enums.td"

defvar PoolAttrs = (ins DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pad_low, DenseI64ArrayAttr:$pad_high, DenseI64ArrayAttr:$dilations,
                        DefaultValuedAttr<RAF_LayoutAttr, "::mlir::raf::Layout::channels_first">:$layout);
defvar PoolFormat = [{ `kernel` `=` $kernel `strides` `=` $strides `pad_low` `=` $pad_low `pad_high` `=` $pad_high `dilations` `=` $dilations
                      (`layout` `=` $layout^)? attr-dict `:` functional-type(operands, results)}];

def RAF_MaxPoolOp : RAF_InferredOp<"max_pool"> {
  let summary = "largest element of each window";
  let description = [{
    y = the maximum over the window (padding never wins); `indices` = the row-major position of the first maximum in the spatial plane of x, which the gradient follows.

    Example:
    ```mlir
    %y, %i = raf.max_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>)
    ```
  }];
  let arguments = !con((ins RAF_FloatTensor:$x), PoolAttrs);
  let results = (outs RAF_FloatTensor:$y, StaticShapeTensorOf<[I32]>:$indices);
  let assemblyFormat = !strconcat("$x", PoolFormat);
}

def RAF_MaxPoolGradOp : RAF_Op<"max_pool_grad"> {
  let summary = "gradient of max_pool with respect to its input";
  let description = [{
    dx[p] = sum of dy over the windows whose `indices` name p; the attributes are those of the max_pool, the result has the shape of its input.

    Example:
    ```mlir
    %dx = raf.max_pool_grad %dy, %i kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>) -> (tensor<2x3x8x8xf32>)
    ```
  }];
  let arguments = !con((ins RAF_FloatTensor:$dy, StaticShapeTensorOf<[I32]>:$indices), PoolAttrs);
  let results = (outs RAF_FloatTensor:$dx);
  let assemblyFormat = !strconcat("$dy `,` $indices", PoolFormat);
  let hasVerifier = 1;
}

def RAF_AvgPoolOp : RAF_InferredOp<"avg_pool"> {
  let summary = "mean of each window";
  let description = [{
    y = sum over the window / number of its elements; with `count_include_pad` padding counts as elements of value 0.

    Example:
    ```mlir
    %y = raf.avg_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>)
    ```
  }];
  let arguments = !con((ins RAF_FloatTensor:$x), PoolAttrs, (ins UnitAttr:$count_include_pad));
  let results = (outs RAF_FloatTensor:$y);
  let assemblyFormat = !strconcat("$x (`count_include_pad` $count_include_pad^)?", PoolFormat);
}

def RAF_AvgPoolGradOp : RAF_Op<"avg_pool_grad"> {
  let summary = "gradient of avg_pool with respect to its input";
  let description = [{
    The transpose of the linear map avg_pool, with its attributes; the result has the shape of its input.

    Example:
    ```mlir
    %dx = raf.avg_pool_grad %dy kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x4x4xf32>) -> (tensor<2x3x8x8xf32>)
    ```
  }];
  let arguments = !con((ins RAF_FloatTensor:$dy), PoolAttrs, (ins UnitAttr:$count_include_pad));
  let results = (outs RAF_FloatTensor:$dx);
  let assemblyFormat = !strconcat("$dy (`count_include_pad` $count_include_pad^)?", PoolFormat);
  let hasVerifier = 1;
}

#endif // RAF_DIALECTS_RAF_POOL_TD
