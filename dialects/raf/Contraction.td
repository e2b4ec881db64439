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

def RAF_AttentionOp : RAF_InferredOp<"attention"> {
  let summary = "scaled dot-product attention";
  let description = [{
    y = softmax(scale * q k^T + bias) v over the last dimension of the scores. q is [b, h, t, d], k [b, g, s, d], v [b, g, s, e] with h a multiple of g
    (each group of h / g query heads shares a key head). `bias` (optional, [1|b, 1|h, t, s]) is added to the scores; `causal` masks s > t + (S - T).

    Example:
    ```mlir
    %y = raf.attention %q, %q, %q scale = 0.25 causal : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
    ```
  }];
  let arguments = (ins RAF_FloatTensor:$q, RAF_FloatTensor:$k, RAF_FloatTensor:$v, Optional<RAF_FloatTensor>:$bias, F64Attr:$scale, UnitAttr:$causal);
  let results = (outs RAF_FloatTensor:$y);
  let assemblyFormat = [{$q `,` $k `,` $v (`bias` $bias^)? `scale` `=` $scale (`causal` $causal^)? attr-dict `:` functional-type(operands, $y)}];
}

#endif // RAF_DIALECTS_RAF_CONTRACTION_TD
