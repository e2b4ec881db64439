// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_CUDNN_CONV_TD
#define RAF_DIALECTS_CUDNN_CONV_TD

include "dialects/cudnn/Base.td"

// As in the raf dialect the attributes describe the forward convolution in all three ops, but w has the layout of the activations: [o, c / groups, spatial...] or
// [o, spatial..., c / groups].
defvar CudnnConvAttrs = (ins DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pad_low, DenseI64ArrayAttr:$pad_high, DenseI64ArrayAttr:$dilations,
                             DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$groups,
                             DefaultValuedAttr<RAF_LayoutAttr, "::mlir::raf::Layout::channels_first">:$layout, UnitAttr:$tf32);
defvar CudnnConvFormat = [{ (`workspace` `(` $workspace^ `:` type($workspace) `)`)?
                           `strides` `=` $strides `pad_low` `=` $pad_low `pad_high` `=` $pad_high `dilations` `=` $dilations
                           (`groups` `=` $groups^)? (`layout` `=` $layout^)? attr-dict (`->` type($outputs)^)? }];

def Cudnn_ConvOp : Cudnn_Op<"conv", 2, [AttrSizedOperandSegments], "getDstMutable().getOperandNumber()"> {
  let summary = "convolution with a bias, a sum and an activation";
  let description = [{
    dst = activation(conv(x, w) + bias + addend), with the convolution of `raf.conv` and w in the layout of x. `bias` has a number for each output channel, the addend lies as dst
    does. relu gives 0 for NaN.

    Example:
    ```mlir
    %y = cudnn.conv ins(%x, %w : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%d : tensor<2x4x8x8xf32>)
           strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x4x8x8xf32>
    %z = cudnn.conv ins(%u, %v : tensor<2x8x8x16xbf16>, tensor<8x3x3x16xbf16>) bias(%b : tensor<8xbf16>) outs(%e : tensor<2x8x8x8xbf16>) activation = relu
           strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last -> tensor<2x8x8x8xbf16>
    ```
  }];
  let arguments = !con((ins Cudnn_Tensor:$x, Cudnn_Tensor:$w, Optional<Cudnn_Tensor>:$bias, Optional<Cudnn_Tensor>:$addend, Cudnn_Tensor:$dst, Optional<Cudnn_Bytes>:$workspace,
                        DefaultValuedAttr<Cudnn_ActivationAttr, "::mlir::raf::cudnn::Activation::none">:$activation), CudnnConvAttrs);
  let assemblyFormat = !strconcat([{ `ins` `(` $x `,` $w `:` type($x) `,` type($w) `)` (`bias` `(` $bias^ `:` type($bias) `)`)? (`addend` `(` $addend^ `:` type($addend) `)`)?
    `outs` `(` $dst `:` type($dst) `)` (`activation` `=` $activation^)? }], CudnnConvFormat);
}

def Cudnn_ConvInputGradOp : Cudnn_Op<"conv_input_grad"> {
  let summary = "gradient of a convolution with respect to its input";
  let description = [{
    As `raf.conv_input_grad`, with w in the layout of dy.

    Example:
    ```mlir
    %y = cudnn.conv_input_grad ins(%dy, %w : tensor<2x4x8x8xf32>, tensor<4x3x3x3xf32>) outs(%d : tensor<2x3x8x8xf32>)
           strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x3x8x8xf32>
    ```
  }];
  let arguments = !con((ins Cudnn_Tensor:$dy, Cudnn_Tensor:$w, Cudnn_Tensor:$dx, Optional<Cudnn_Bytes>:$workspace), CudnnConvAttrs);
  let assemblyFormat = !strconcat([{ `ins` `(` $dy `,` $w `:` type($dy) `,` type($w) `)` `outs` `(` $dx `:` type($dx) `)` }], CudnnConvFormat);
}

def Cudnn_ConvWeightGradOp : Cudnn_Op<"conv_weight_grad"> {
  let summary = "gradient of a convolution with respect to its weights";
  let description = [{
    As `raf.conv_weight_grad`, with dw in the layout of x.

    Example:
    ```mlir
    %y = cudnn.conv_weight_grad ins(%x, %dy : tensor<2x3x8x8xf32>, tensor<2x4x8x8xf32>) outs(%d : tensor<4x3x3x3xf32>)
           strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<4x3x3x3xf32>
    ```
  }];
  let arguments = !con((ins Cudnn_Tensor:$x, Cudnn_Tensor:$dy, Cudnn_Tensor:$dw, Optional<Cudnn_Bytes>:$workspace), CudnnConvAttrs);
  let assemblyFormat = !strconcat([{ `ins` `(` $x `,` $dy `:` type($x) `,` type($dy) `)` `outs` `(` $dw `:` type($dw) `)` }], CudnnConvFormat);
}

#endif // RAF_DIALECTS_CUDNN_CONV_TD
