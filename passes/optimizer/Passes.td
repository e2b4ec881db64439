// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_PASSES_OPTIMIZER_PASSES_TD
#define RAF_PASSES_OPTIMIZER_PASSES_TD

include "mlir/Pass/PassBase.td"

def ApplyOptimizerPass : Pass<"raf-apply-optimizer", "::mlir::ModuleOp"> {
  let summary = "turn the gradient results of @main into parameter updates";
  let description = [{
    Each result with `raf.grad_of` becomes the new value of that parameter (`raf.alias`); the optimizer's states become arguments of role `state` and results that
    alias them. One argument of role `lr` (f32, or f64 when a parameter is f64) and, for the Adam family, one of role `step` (an existing one is used) are added.
    With `guard` every result that overwrites an argument becomes a `raf.select` on whether the loss (and all gradients) are finite, and a result `finite` (i1) says so. The
    gradients must then live until the last of them is known.

    `clip-norm` multiplies every gradient by min(1, clip-norm / norm), where norm is the root of the sum of squares of all gradients: what a guard looks at, and what weight decay is
    added to, see Pascanu et al., arXiv 1211.5063. Gradients that are not finite make the norm so too.
  }];
  let options = [
    Option<"optimizer", "optimizer", "std::string", "\"sgd\"", "sgd, adam or adamw">,
    Option<"momentum", "momentum", "double", "0.0", "sgd: factor of the velocity, in [0, 1)">,
    Option<"nesterov", "nesterov", "bool", "false", "sgd: look ahead by the velocity">,
    Option<"weightDecay", "weight-decay", "double", "0.0", "Pull towards zero: part of the gradient, or with adamw apart from it">,
    Option<"beta1", "beta1", "double", "0.9", "adam, adamw: decay of the first moment, in [0, 1)">,
    Option<"beta2", "beta2", "double", "0.999", "adam, adamw: decay of the second moment, in [0, 1)">,
    Option<"epsilon", "epsilon", "double", "1e-8", "adam, adamw: added to the root of the second moment">,
    Option<"clipNorm", "clip-norm", "double", "0.0", "Scale all gradients down together where the norm of all of them is above this; 0: never">,
    Option<"guard", "guard", "std::string", "\"none\"", "none, loss or gradients: a step in which these are not finite overwrites nothing">,
    ListOption<"noDecay", "no-decay", "std::string", "Names of parameters without weight decay">,
  ];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
}

#endif // RAF_PASSES_OPTIMIZER_PASSES_TD
