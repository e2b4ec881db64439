// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products and attention.

#ifndef RAF_DIALECTS_RAF_CONTRACTION_TD
#define RAF_DIALECTS_RAF_CONTRACTION_TD

include "dialects/raf/Base.td"

def RAF_MatmulOp : RAF_ProductOp<"matmul"> {
  let summary = "(batched) matrix product";
  let description = [{
    y[b, m, n] = sum over k of a[b, m, k] * c[b, k, n]; `transpose_lhs` reads a as [b, k, m], `transpose_rhs` reads c as [b, n, k]. Both operands
    have the same leading (batch) dimensions and the same element type. 16-bit floats accumulate in f32, and the result may be that f32.

    Example:
    ```mlir
    %y = raf.matmul %a, %b transpose_rhs : tensor<4x8xf32>, tensor<16x8xf32> -> tensor<4x16xf32>
    ```
  }];
  let arguments = (ins RAF_NumberTensor:$lhs, RAF_NumberTensor:$rhs, UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let results = (outs RAF_NumberTensor:$y);
  let assemblyFormat = [{$lhs `,` $rhs (`transpose_lhs` $transpose_lhs^)? (`transpose_rhs` $transpose_rhs^)? attr-dict `:` type($lhs) `,` type($rhs) `->` type($y)}];
  let hasCanonicalizer = 1;
}

def RAF_AttentionOp : RAF_InferredOp<"attention", [AttrSizedOperandSegments]> {
  let summary = "scaled dot-product attention";
  let description = [{
    y = dropout(softmax(scale * q k^T + bias)) v over the last dimension of the scores. q is [b, h, t, d], k [b, g, s, d], v [b, g, s, e] with h a multiple of g
    (each group of h / g query heads shares a key head). `bias` (optional, [1|b, 1|h, 1|t, s]) is added to the scores; `causal` masks s > t + (S - T). `dropout` drops
    the weights that `raf.dropout` would drop from a tensor [b, h, t, s] of weights. lse[b, h, t] is the logarithm of the sum of e^score over a row, in f32 for 16-bit floats:
    what the gradient needs to compute the weights again.

    Example:
    ```mlir
    %y, %lse = raf.attention %q, %q, %q dropout(%seed, %step) ratio = 0.1 op_id = 3 scale = 0.25 causal
      : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<i64>, tensor<i64>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
    ```
  }];
  let arguments = (ins RAF_FloatTensor:$q, RAF_FloatTensor:$k, RAF_FloatTensor:$v, Optional<RAF_FloatTensor>:$bias, Optional<RAF_ScalarInt>:$seed,
                       Optional<RAF_ScalarInt>:$step, DefaultValuedAttr<F64Attr, "0.0">:$ratio, DefaultValuedAttr<I64Attr, "0">:$op_id, F64Attr:$scale,
                       UnitAttr:$causal);
  let results = (outs RAF_FloatTensor:$y, RAF_FloatTensor:$lse);
  let assemblyFormat = [{$q `,` $k `,` $v (`bias` $bias^)? (`dropout` `(` $seed^ `,` $step `)` `ratio` `=` $ratio `op_id` `=` $op_id)? `scale` `=` $scale (`causal` $causal^)?
                         attr-dict `:` functional-type(operands, results)}];
}

def RAF_AttentionGradOp : RAF_InferredOp<"attention_grad", [AttrSizedOperandSegments]> {
  let summary = "gradient of attention";
  let description = [{
    With p = e^(scores - lse) the weights of `raf.attention`, m the factors 0 or 1 / (1 - ratio) of its dropout and `delta` [b, h, t] the sum of dy y over a row less the
    gradient of lse: dv = (m p)^T dy, ds = p (m (dy v^T) - delta), dq = scale * ds k, dk = scale * ds^T q, each summed over what shares it. With `bias_grad`, which
    needs a bias [1|b, 1|h, t, s], the last result is dbias, the sum of ds over the dimensions in which the bias is 1.

    Example:
    ```mlir
    %dq, %dk, %dv = raf.attention_grad %q, %q, %q, %q, %s, %s scale = 0.25 causal
      : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>)
      -> (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>)
    ```
  }];
  let arguments = (ins RAF_FloatTensor:$q, RAF_FloatTensor:$k, RAF_FloatTensor:$v, RAF_FloatTensor:$dy, RAF_FloatTensor:$lse, RAF_FloatTensor:$delta,
                       Optional<RAF_FloatTensor>:$bias, Optional<RAF_ScalarInt>:$seed, Optional<RAF_ScalarInt>:$step, DefaultValuedAttr<F64Attr, "0.0">:$ratio,
                       DefaultValuedAttr<I64Attr, "0">:$op_id, F64Attr:$scale, UnitAttr:$causal, UnitAttr:$bias_grad);
  let results = (outs RAF_FloatTensor:$dq, RAF_FloatTensor:$dk, RAF_FloatTensor:$dv, Optional<RAF_FloatTensor>:$dbias);
  let assemblyFormat = [{$q `,` $k `,` $v `,` $dy `,` $lse `,` $delta (`bias` $bias^)? (`dropout` `(` $seed^ `,` $step `)` `ratio` `=` $ratio `op_id` `=` $op_id)?
                         `scale` `=` $scale (`causal` $causal^)? (`bias_grad` $bias_grad^)? attr-dict `:` functional-type(operands, results)}];
}

#endif // RAF_DIALECTS_RAF_CONTRACTION_TD
