// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_DNNL_CONV_TD
#define RAF_DIALECTS_DNNL_CONV_TD

include "dialects/dnnl/Attrs.td"

// As in the raf dialect: the attributes describe the forward convolution in all three ops, w is [o, c / groups, spatial...] in both layouts.
defvar DnnlConvAttrs = (ins DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pad_low, DenseI64ArrayAttr:$pad_high, DenseI64ArrayAttr:$dilations,
                            DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$groups,
                            DefaultValuedAttr<RAF_LayoutAttr, "::mlir::raf::Layout::channels_first">:$layout);
defvar DnnlConvFormat = [{ `strides` `=` $strides `pad_low` `=` $pad_low `pad_high` `=` $pad_high `dilations` `=` $dilations
                          (`groups` `=` $groups^)? (`layout` `=` $layout^)? }];

def Dnnl_ConvOp : Dnnl_Op<"conv", "Dst", ["readsInit"], [AttrSizedOperandSegments]> {
  let summary = "convolution with a bias and further operations on the result";
  let description = [{
    dst = post_ops(conv(x, w) + bias), with conv as in `raf.conv`. bias has one element an output channel; operands of post-ops have dst's type. With
    `w_layout` w holds the weights in that layout: the bytes that `dnnl.reorder` has made, or a tensor of as many elements. Weights of f32 beside x of 16 bits are rounded to x's type.

    Example:
    ```mlir
    %y = dnnl.conv ins(%x, %w : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) bias(%v : tensor<4xf32>) outs(%d : tensor<2x4x8x8xf32>)
           strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] post_ops = [#dnnl.post_op<relu>] -> tensor<2x4x8x8xf32>
    ```
  }];
  let arguments = !con((ins Dnnl_Tensor:$x, Dnnl_Weights:$w, Optional<Dnnl_Tensor>:$bias, Variadic<Dnnl_Tensor>:$post_operands, Dnnl_Tensor:$dst), DnnlWorkspace,
                       DnnlConvAttrs, (ins DefaultValuedAttr<Dnnl_PostOps, "{}">:$post_ops, OptionalAttr<Dnnl_BlockedAttr>:$w_layout));
  let assemblyFormat = !strconcat([{ `ins` `(` $x `,` $w `:` type($x) `,` type($w) `)` (`bias` `(` $bias^ `:` type($bias) `)`)?
                                    (`post_operands` `(` $post_operands^ `:` type($post_operands) `)`)?
                                    `outs` `(` $dst `:` type($dst) `)` }],
                                 DnnlWorkspaceFormat, DnnlConvFormat, [{ (`post_ops` `=` $post_ops^)? }], DnnlEnd);
}

def Dnnl_ConvInputGradOp : Dnnl_Op<"conv_input_grad", "Dx"> {
  let summary = "gradient of a convolution with respect to its input";
  let description = [{
    As `raf.conv_input_grad`, with w as in `dnnl.conv`.

    Example:
    ```mlir
    %y = dnnl.conv_input_grad ins(%dy, %w : tensor<2x4x8x8xf32>, tensor<4x3x3x3xf32>) outs(%d : tensor<2x3x8x8xf32>)
           strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x3x8x8xf32>
    ```
  }];
  let arguments = !con((ins Dnnl_Tensor:$dy, Dnnl_Weights:$w, Dnnl_Tensor:$dx), DnnlWorkspace, DnnlConvAttrs, (ins OptionalAttr<Dnnl_BlockedAttr>:$w_layout));
  let assemblyFormat = !strconcat([{ `ins` `(` $dy `,` $w `:` type($dy) `,` type($w) `)` `outs` `(` $dx `:` type($dx) `)` }],
                                 DnnlWorkspaceFormat, DnnlConvFormat, DnnlEnd);
}

def Dnnl_ConvWeightGradOp : Dnnl_Op<"conv_weight_grad", "Dw"> {
  let summary = "gradient of a convolution with respect to its weights";
  let description = [{
    As `raf.conv_weight_grad`. With `w_layout` dw is a tensor of the layout's elements, written in that layout.

    Example:
    ```mlir
    %y = dnnl.conv_weight_grad ins(%x, %dy : tensor<2x3x8x8xf32>, tensor<2x4x8x8xf32>) outs(%d : tensor<4x3x3x3xf32>)
           strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<4x3x3x3xf32>
    ```
  }];
  let arguments = !con((ins Dnnl_Tensor:$x, Dnnl_Tensor:$dy, Dnnl_Tensor:$dw), DnnlWorkspace, DnnlConvAttrs, (ins OptionalAttr<Dnnl_BlockedAttr>:$w_layout));
  let assemblyFormat = !strconcat([{ `ins` `(` $x `,` $dy `:` type($x) `,` type($dy) `)` `outs` `(` $dw `:` type($dw) `)` }],
                                 DnnlWorkspaceFormat, DnnlConvFormat, DnnlEnd);
}

#endif // RAF_DIALECTS_DNNL_CONV_TD
