// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Losses that backends know as a whole; the others are composed by raf-attach-loss.

#ifndef RAF_DIALECTS_RAF_LOSS_TD
#define RAF_DIALECTS_RAF_LOSS_TD

include "dialects/raf/Base.td"

def RAF_CrossEntropyOp : RAF_InferredOp<"cross_entropy"> {
  let summary = "mean softmax cross entropy with integer labels";
  let description = [{
    With lse[n] = ln(sum over c of e^logits[n, c]) and s the label smoothing: loss = mean over the rows whose label is not `ignore_index` of
    lse[n] - (1 - s) * logits[n, labels[n]] - s * mean over c of logits[n, c]. The mean over no row is NaN, as in PyTorch. A label outside [0, c) makes the loss NaN.

    Example:
    ```mlir
    %loss, %lse = raf.cross_entropy %x, %l ignore_index = -100 label_smoothing = 0.0 : tensor<4x8xf32>, tensor<4xi64> -> tensor<f32>, tensor<4xf32>
    ```
  }];
  let arguments = (ins RAF_FloatTensor:$logits, RAF_IndexTensor:$labels, I64Attr:$ignore_index, F64Attr:$label_smoothing);
  let results = (outs RAF_FloatTensor:$loss, RAF_FloatTensor:$lse);
  let assemblyFormat = "$logits `,` $labels `ignore_index` `=` $ignore_index `label_smoothing` `=` $label_smoothing attr-dict `:` type($logits) `,` type($labels) `->` type($loss) `,` type($lse)";
}

def RAF_CrossEntropyGradOp : RAF_InferredOp<"cross_entropy_grad"> {
  let summary = "gradient of cross_entropy with respect to the logits";
  let description = [{
    dlogits[n, c] = dloss / rows * (e^(logits[n, c] - lse[n]) - (1 - s) * [c = labels[n]] - s / C), 0 in ignored rows; rows is the number of rows that count.

    Example:
    ```mlir
    %dx = raf.cross_entropy_grad %dloss, %x, %l, %lse ignore_index = -100 label_smoothing = 0.0 : tensor<f32>, tensor<4x8xf32>, tensor<4xi64>, tensor<4xf32> -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins RAF_FloatTensor:$dloss, RAF_FloatTensor:$logits, RAF_IndexTensor:$labels, RAF_FloatTensor:$lse, I64Attr:$ignore_index, F64Attr:$label_smoothing);
  let results = (outs RAF_FloatTensor:$dlogits);
  let assemblyFormat = "$dloss `,` $logits `,` $labels `,` $lse `ignore_index` `=` $ignore_index `label_smoothing` `=` $label_smoothing attr-dict `:` type($dloss) `,` type($logits) `,` type($labels) `,` type($lse) `->` type($dlogits)";
}

def RAF_LinearCrossEntropyOp : RAF_InferredOp<"linear_cross_entropy"> {
  let summary = "cross entropy of a matrix product";
  let description = [{
    `raf.cross_entropy` of the logits x w + bias, x [n, d], w [d, c] or with `transpose_w` [c, d], without the logits of all rows at once. Loss and lse are in f32
    for 16-bit floats.

    Example:
    ```mlir
    %loss, %lse = raf.linear_cross_entropy %x, %w, %l transpose_w ignore_index = -100 label_smoothing = 0.0
      : (tensor<4x8xf32>, tensor<16x8xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins RAF_FloatTensor:$x, RAF_FloatTensor:$w, RAF_IndexTensor:$labels, Optional<RAF_FloatTensor>:$bias, UnitAttr:$transpose_w, I64Attr:$ignore_index,
                       F64Attr:$label_smoothing);
  let results = (outs RAF_FloatTensor:$loss, RAF_FloatTensor:$lse);
  let assemblyFormat = [{$x `,` $w `,` $labels (`bias` $bias^)? (`transpose_w` $transpose_w^)? `ignore_index` `=` $ignore_index `label_smoothing` `=` $label_smoothing attr-dict
                         `:` functional-type(operands, results)}];
}

def RAF_LinearCrossEntropyGradOp : RAF_InferredOp<"linear_cross_entropy_grad"> {
  let summary = "cross entropy of a matrix product, and its gradients";
  let description = [{
    The results of `raf.linear_cross_entropy`, then with dlogits the result of `raf.cross_entropy_grad`: dx = dlogits w^T, dw = x^T dlogits (transposed with
    `transpose_w`) and, if there is a bias, dbias = the sum of dlogits over the rows. Value and gradients come from the same logits: where this op can stand in
    for `raf.linear_cross_entropy`, raf-simplify lets it, and the product that makes them is computed once.

    Example:
    ```mlir
    %loss, %lse, %dx, %dw = raf.linear_cross_entropy_grad %dloss, %x, %w, %l transpose_w ignore_index = -100 label_smoothing = 0.0
      : (tensor<f32>, tensor<4x8xf32>, tensor<16x8xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>, tensor<4x8xf32>, tensor<16x8xf32>)
    ```
  }];
  let arguments = (ins RAF_FloatTensor:$dloss, RAF_FloatTensor:$x, RAF_FloatTensor:$w, RAF_IndexTensor:$labels, Optional<RAF_FloatTensor>:$bias, UnitAttr:$transpose_w,
                       I64Attr:$ignore_index, F64Attr:$label_smoothing);
  let results = (outs RAF_FloatTensor:$loss, RAF_FloatTensor:$lse, RAF_FloatTensor:$dx, RAF_FloatTensor:$dw, Optional<RAF_FloatTensor>:$dbias);
  let assemblyFormat = [{$dloss `,` $x `,` $w `,` $labels (`bias` $bias^)? (`transpose_w` $transpose_w^)? `ignore_index` `=` $ignore_index `label_smoothing` `=` $label_smoothing
                         attr-dict `:` functional-type(operands, results)}];
}

#endif // RAF_DIALECTS_RAF_LOSS_TD
