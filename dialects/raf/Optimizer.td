// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameter updates. Each returns the new parameter, then the new states; all tensors of an update have the parameter's type.

#ifndef RAF_DIALECTS_RAF_OPTIMIZER_TD
#define RAF_DIALECTS_RAF_OPTIMIZER_TD

include "dialects/raf/Base.td"

def RAF_SgdUpdateOp : RAF_InferredOp<"sgd_update"> {
  let summary = "stochastic gradient descent";
  let description = [{
    g' = g + weight_decay * p; with a velocity: v' = momentum * v + g', u = nesterov ? g' + momentum * v' : v'; without: u = g'. p' = p - lr * u.

    Example:
    ```mlir
    %p1, %v1 = raf.sgd_update %a, %b, %lr, %x momentum = 0.9 weight_decay = 0.0 : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    ```
  }];
  let arguments = (ins RAF_FloatTensor:$param, RAF_FloatTensor:$grad, RAF_ScalarFloat:$lr, Optional<RAF_FloatTensor>:$velocity,
                       F64Attr:$momentum, F64Attr:$weight_decay, UnitAttr:$nesterov);
  let results = (outs RAF_FloatTensor:$new_param, Optional<RAF_FloatTensor>:$new_velocity);
  let assemblyFormat = "$param `,` $grad `,` $lr (`,` $velocity^)? `momentum` `=` $momentum `weight_decay` `=` $weight_decay (`nesterov` $nesterov^)? attr-dict `:` functional-type(operands, results)";
}

def RAF_AdamUpdateOp : RAF_InferredOp<"adam_update"> {
  let summary = "Adam and AdamW";
  let description = [{
    With t the 1-based step: g' = g + weight_decay * p unless `decoupled`; m' = beta1 * m + (1 - beta1) * g'; v' = beta2 * v + (1 - beta2) * g'^2;
    p' = p * (1 - lr * weight_decay if `decoupled`) - lr * (m' / (1 - beta1^t)) / (sqrt(v' / (1 - beta2^t)) + epsilon).
    Sources: Kingma and Ba, arXiv 1412.6980; Loshchilov and Hutter, arXiv 1711.05101.

    Example:
    ```mlir
    %p1, %m1, %v1 = raf.adam_update %a, %b, %x, %x, %lr, %step beta1 = 0.9 beta2 = 0.999 epsilon = 1.0e-8 weight_decay = 0.01 decoupled : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<i64>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    ```
  }];
  let arguments = (ins RAF_FloatTensor:$param, RAF_FloatTensor:$grad, RAF_FloatTensor:$m, RAF_FloatTensor:$v, RAF_ScalarFloat:$lr, RAF_ScalarInt:$step,
                       F64Attr:$beta1, F64Attr:$beta2, F64Attr:$epsilon, F64Attr:$weight_decay, UnitAttr:$decoupled);
  let results = (outs RAF_FloatTensor:$new_param, RAF_FloatTensor:$new_m, RAF_FloatTensor:$new_v);
  let assemblyFormat = "$param `,` $grad `,` $m `,` $v `,` $lr `,` $step `beta1` `=` $beta1 `beta2` `=` $beta2 `epsilon` `=` $epsilon `weight_decay` `=` $weight_decay (`decoupled` $decoupled^)? attr-dict `:` functional-type(operands, results)";
}

#endif // RAF_DIALECTS_RAF_OPTIMIZER_TD
