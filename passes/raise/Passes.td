// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_PASSES_RAISE_PASSES_TD
#define RAF_PASSES_RAISE_PASSES_TD

include "mlir/Pass/PassBase.td"

def RaisePass : Pass<"raf-raise"> {
  let summary = "Recognize high-level operators in the simple ops that they were written in";
  let description = [{
    Programs that were lowered by another framework spell softmax, normalizations, activations and losses out. As whole ops they have one gradient rule each, keep less for the
    backward pass, and become one kernel. Recognized are the forms that JAX and Flax write, after `canonicalize` and `raf-simplify`:

    - softmax and log_softmax along one dimension, with the maximum (or what guards it against infinities) subtracted, and their gradients;
    - layer_norm and rms_norm over the last dimensions, the variance as the mean of squared deviations or as mean(x^2) - mean(x)^2, with scale and bias where there are any;
      a backward pass then uses their statistics, and its sums of what is centered are zero;
    - attention: softmax of scaled products of queries and keys, with a bias or a mask, or causal, times values, as dot products, as einsum orders them, or with dimensions of
      size 1 and groups of heads that share a key as jax.nn.dot_product_attention has them, computed in f32 or in f32 of
      16-bit floats; not if the weights are used by more;
    - gelu in both forms and its gradient, sigmoid, silu, and functions with the gradient of relu;
    - Threefry2x32-20, the generator behind jax.random;
    - cumsum by halves, as jax.lax.associative_scan writes it;
    - products of one_hot and a table, which are rows of the table, and their gradients, which add rows to those of their labels; one element of each row, by its place;
    - the cross entropy of integer labels over all rows, mean or sum, by log_softmax or, as optax writes it, by logsumexp.

    What is matched has to be used by nothing else where the op would compute it again. Gradients become what raf-autodiff gives for the operator.
  }];
  let statistics = [Statistic<"numRaised", "raised", "Operators recognized">];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
}

#endif // RAF_PASSES_RAISE_PASSES_TD
