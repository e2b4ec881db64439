// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_CUBLAS_MATMUL_TD
#define RAF_DIALECTS_CUBLAS_MATMUL_TD

include "dialects/cublas/Attrs.td"

def Cublas_MatmulOp : Op<Cublas_Dialect, "matmul", [AttrSizedOperandSegments, DestinationStyleOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                                    DeclareOpInterfaceMethods<PlanOpInterface, ["readsInit"]>]> {
  let summary = "(batched) matrix product with a bias, an activation or the gradient of one";
  let description = [{
    Through its view, lhs is [batch..., m, k], rhs [batch..., k, n] and dst [batch..., m, n]; a batch dimension of lhs or rhs may be 1. Without a view a tensor is read as
    it is.

    - Forward: dst = activation(alpha * lhs * rhs + bias + addend), or with `accumulate` + what dst held before. The addend lies as dst does. `bias` has one dimension, n. With `keep` the
      product also stores what the gradient of the activation needs: the signs of a relu, or a gelu's argument. Its size is that which the verifier states.
    - Gradient, with `kept`: dst = alpha * lhs * rhs * activation'(what was kept), and with `bias_grad` the sums of dst along its rows.
    - `bias_gradient = of_rhs` or `of_lhs` sums an operand over k into `bias_grad` in passing: the gradient of a bias beside that of a weight.

    gelu is the tanh approximation. A relu gives 0 for NaN.

    Operands of 8 bits, f8E4M3FN or f8E5M2, have a factor each, one f32 on the device: lhs stands for `lhs_scale` * lhs. Both are contiguous along k, and dst has 16 or 32 bits. Devices
    have them from sm_89 on.

    Example:
    ```mlir
    %y:2 = cublas.matmul ins(%a, %b : tensor<4x8xf32>, tensor<16x8xf32>) bias(%v : tensor<16xf32>) outs(%x : tensor<4x16xf32>) keep(%k : tensor<256xi8>)
             activation = gelu_tanh {rhs_view = #cublas.view<[8, 16], strides = [1, 8]>} -> tensor<4x16xf32>, tensor<256xi8>
    %z = cublas.matmul ins(%p, %q : tensor<4x16xf8E4M3FN>, tensor<16x16xf8E5M2>) lhs_scale(%s : tensor<f32>) rhs_scale(%t : tensor<f32>) outs(%w : tensor<4x16xbf16>)
            {rhs_view = #cublas.view<[16, 16], strides = [1, 16]>} -> tensor<4x16xbf16>
    ```
  }];
  let arguments = (ins Cublas_Operand:$lhs, Cublas_Operand:$rhs, Optional<Cublas_Scale>:$lhs_scale, Optional<Cublas_Scale>:$rhs_scale, Optional<Cublas_Tensor>:$bias,
                       Optional<Cublas_Tensor>:$addend, Optional<Cublas_Bytes>:$kept, Cublas_Tensor:$dst,
                       Optional<Cublas_Tensor>:$bias_grad, Optional<Cublas_Bytes>:$keep, Optional<Cublas_Bytes>:$workspace,
                       DefaultValuedAttr<Cublas_ActivationAttr, "::mlir::raf::cublas::Activation::none">:$activation,
                       OptionalAttr<Cublas_BiasGradientAttr>:$bias_gradient, OptionalAttr<F64Attr>:$alpha, UnitAttr:$accumulate, UnitAttr:$tf32,
                       OptionalAttr<Cublas_ViewAttr>:$lhs_view, OptionalAttr<Cublas_ViewAttr>:$rhs_view, OptionalAttr<Cublas_ViewAttr>:$dst_view);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)` (`lhs_scale` `(` $lhs_scale^ `:` type($lhs_scale) `)`)? (`rhs_scale` `(` $rhs_scale^ `:` type($rhs_scale) `)`)?
    (`bias` `(` $bias^ `:` type($bias) `)`)? (`addend` `(` $addend^ `:` type($addend) `)`)? (`kept` `(` $kept^ `:` type($kept) `)`)?
    `outs` `(` $dst `:` type($dst) `)` (`bias_grad` `(` $bias_grad^ `:` type($bias_grad) `)`)? (`keep` `(` $keep^ `:` type($keep) `)`)?
    (`workspace` `(` $workspace^ `:` type($workspace) `)`)?
    (`activation` `=` $activation^)? (`bias_gradient` `=` $bias_gradient^)? attr-dict (`->` type($outputs)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      unsigned first = getDstMutable().getOperandNumber();
      return ::mlir::MutableOperandRange(getOperation(), first, getNumOperands() - first);
    }
  }];
}

#endif // RAF_DIALECTS_CUBLAS_MATMUL_TD
