// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_PASSES_PRECISION_PASSES_TD
#define RAF_PASSES_PRECISION_PASSES_TD

include "mlir/Pass/PassBase.td"

def AutoCastPass : Pass<"raf-auto-cast", "::mlir::ModuleOp"> {
  let summary = "compute in 16-bit floats where the policy allows it";
  let description = [{
    For f32 programs, between `raf-autodiff` and `raf-apply-optimizer`. Signatures stay as they are: parameters, gradients, optimizer state and the loss are f32.

    Each op's policy (`CastPolicyOpInterface`) says whether it computes on `type`, keeps f32, or follows its operands. What follows, and whether a product's result is `type` or
    the f32 in which it was summed, is chosen so that the fewest elements are converted: a minimum cut. Every value is converted at most once, before its first use; so each
    parameter is converted once a step. An op with a constant that `type` cannot hold exactly keeps f32.

    `override` changes policies: `<pattern>=f32|compute|follow`, where the pattern is the name of an op, as `raf.softmax`, or of source nodes (their locations), as `layer1.*`; gradients
    have the names of the nodes that they belong to. Of several that match the last one counts.
  }];
  let options = [
    Option<"type", "type", "std::string", "\"bf16\"", "bf16 or f16">,
    ListOption<"override", "override", "std::string", "Policies by name of op or node, as raf.softmax=f32">,
    Option<"checkOverrides", "check-overrides", "bool", "true", "Report overrides that match nothing">,
  ];
  let statistics = [
    Statistic<"numNarrow", "narrow ops", "Ops that compute on 16-bit floats">,
    Statistic<"numCasts", "casts", "Conversions that were placed">,
  ];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
}

def ScaleLossPass : Pass<"raf-scale-loss", "::mlir::ModuleOp"> {
  let summary = "multiply the loss by a scale that is part of the state";
  let description = [{
    Before `raf-autodiff{of=scaled_loss}`: adds the states `loss_scale` (f32) and `good_steps` (i64) and a result `scaled_loss`. Gradients that f16 would make 0 become large enough
    to be numbers. The scale must begin with a power of two.
  }];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
}

def UnscaleGradientsPass : Pass<"raf-unscale-gradients", "::mlir::ModuleOp"> {
  let summary = "divide the gradients by the scale of the loss";
  let description = [{
    Before `raf-apply-optimizer`, so that whatever that does with gradients (decay, norms, its check) sees them as they are. The result `scaled_loss` is dropped.
  }];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
}

def UpdateLossScalePass : Pass<"raf-update-loss-scale", "::mlir::ModuleOp"> {
  let summary = "halve the scale of the loss after an overflow, double it after many good steps";
  let description = [{
    After `raf-apply-optimizer{guard=gradients}`, whose result `finite` says whether a step changed anything. If it did not and the loss itself is finite, gradients overflowed: the
    scale is halved, down to 1. After `growth-interval` good steps in a row it is doubled, up to 2^24.
  }];
  let options = [
    Option<"growthInterval", "growth-interval", "int64_t", "2000", "Good steps in a row after which the scale is doubled">,
  ];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
}

def WidenProductsPass : Pass<"raf-widen-products", "::mlir::ModuleOp"> {
  let summary = "compute products of 16-bit floats on f32";
  let description = [{
    For CPUs without instructions for the type, where a library takes several times as long for such a product as for one of f32. Before `raf-dispatch`: operands of matrix products and
    convolutions are converted to f32, results are rounded to the type that they had. So every number is what the 16-bit product would give (its sums are f32 too), with two exceptions:
    an f32 argument that was rounded only for the product is read as it is, and biases and activations right after a product are computed before the rounding, as libraries do.
    Max pooling too is done before the rounding, which gives the same maxima and needs no 16-bit copy of what is pooled, nor of the gradient that products read in f32.
    Activations are kept in 16 bits.
  }];
  let options = [
    ListOption<"types", "types", "std::string", "bf16, f16">
  ];
  let statistics = [
    Statistic<"numProducts", "products", "Products that are computed on f32">,
  ];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
}

def KeepCastsPass : Pass<"raf-keep-casts", "::mlir::ModuleOp"> {
  let summary = "keep the 16-bit copies of parameters between steps";
  let description = [{
    After everything that changes the parameters of a step. An f32 parameter that is converted to a 16-bit type becomes two arguments: itself, the master weight, and its copy, of role `copy`
    and named as type and parameter (`bf16:w`), which takes the place of the conversion. Where the step updates the parameter, it gives the copy too, as a result that overwrites the argument
    (`raf.alias`): the conversion is fused into the kernel that makes the new parameter, and the next step begins with it. It is made of what the step really keeps: if a guard leaves the
    parameter as it is, the copy is one of the old value. A frozen parameter's copy is only read.

    Whoever runs the step fills the copies before the first one, and again whenever a parameter was changed by others. A step then reads 4 bytes less a parameter, and
    holds 2 more between its end and the next one's start.
  }];
  let statistics = [Statistic<"kept", "kept", "Conversions replaced by an argument">];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
}

#endif // RAF_PASSES_PRECISION_PASSES_TD
