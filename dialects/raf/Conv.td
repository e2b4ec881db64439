// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions with one to three spatial dimensions, and their gradients.

#ifndef RAF_DIALECTS_RAF_CONV_TD
#define RAF_DIALECTS_RAF_CONV_TD

include "dialects/raf/Base.td"
include "dialects/raf/Enums.td"

defvar ConvAttrs = (ins DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pad_low, DenseI64ArrayAttr:$pad_high, DenseI64ArrayAttr:$dilations,
                        DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$groups,
                        DefaultValuedAttr<RAF_LayoutAttr, "::mlir::raf::Layout::channels_first">:$layout);
defvar ConvFormat = [{ `strides` `=` $strides `pad_low` `=` $pad_low `pad_high` `=` $pad_high `dilations` `=` $dilations
                      (`groups` `=` $groups^)? (`layout` `=` $layout^)? attr-dict `:` functional-type(operands, $y)}];

def RAF_ConvOp : RAF_ProductOp<"conv"> {
  let summary = "convolution (cross-correlation)";
  let description = [{
    y[n, o, p] = sum over c, r of x[n, c, p * strides + r * dilations - pad_low] * w[o, c, r]; positions outside x count as 0. x is [n, c, spatial...]
    (`channels_first`) or [n, spatial..., c]; w is [o, c / groups, spatial...] in both layouts; y has x's layout. Output channel o of group g sees the input channels of group g.
    16-bit floats accumulate in f32, and the result may be that f32; so for the gradients.

    Example:
    ```mlir
    %y = raf.conv %x, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
    ```
  }];
  let arguments = !con((ins RAF_FloatTensor:$x, RAF_FloatTensor:$w), ConvAttrs);
  let results = (outs RAF_FloatTensor:$y);
  let assemblyFormat = !strconcat("$x `,` $w", ConvFormat);
}

def RAF_ConvInputGradOp : RAF_Op<"conv_input_grad"> {
  let summary = "gradient of a convolution with respect to its input (transposed convolution)";
  let description = [{
    The transpose of the linear map x -> conv(x, w) applied to dy, with the attributes of that convolution; the result has the shape of x.

    Example:
    ```mlir
    %y = raf.conv_input_grad %dy, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x4x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x3x8x8xf32>
    ```
  }];
  let arguments = !con((ins RAF_FloatTensor:$dy, RAF_FloatTensor:$w), ConvAttrs);
  let results = (outs RAF_FloatTensor:$y);
  let assemblyFormat = !strconcat("$dy `,` $w", ConvFormat);
  let hasVerifier = 1;
}

def RAF_ConvWeightGradOp : RAF_Op<"conv_weight_grad"> {
  let summary = "gradient of a convolution with respect to its weights";
  let description = [{
    The transpose of the linear map w -> conv(x, w) applied to dy, with the attributes of that convolution; the result has the shape of w.

    Example:
    ```mlir
    %y = raf.conv_weight_grad %x, %dy strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<4x3x3x3xf32>
    ```
  }];
  let arguments = !con((ins RAF_FloatTensor:$x, RAF_FloatTensor:$dy), ConvAttrs);
  let results = (outs RAF_FloatTensor:$y);
  let assemblyFormat = !strconcat("$x `,` $dy", ConvFormat);
  let hasVerifier = 1;
}

#endif // RAF_DIALECTS_RAF_CONV_TD
