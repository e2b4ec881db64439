// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_PASSES_FRONTEND_PASSES_TD
#define RAF_PASSES_FRONTEND_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyModelPass : Pass<"raf-verify-model", "::mlir::ModuleOp"> {
  let summary = "check that @main is a forward model";
  let description = [{
    A forward model is a function @main of one block on statically shaped tensors. Each argument has a `raf.name` of its own and a `raf.role`: input, target, param
    (with `raf.frozen` if it is not trained), buffer, seed or step; seed and step are `tensor<i64>`. Results are the outputs, then the new values of buffers with
    `raf.alias = <argument index>`; each has a `raf.name` of its own. An output may have `raf.alias` too: the index of an input that is donated to it. Everything that is not so is reported.
  }];
}

def CheckDevicesPass : Pass<"raf-check-devices", "::mlir::ModuleOp"> {
  let summary = "check that the program runs on one device";
  let description = [{
    Code is generated for one process with one device. A program with collectives, which needs several, is refused with the number that it needs and the
    places of the collectives.
  }];
}

def AttachLossPass : Pass<"raf-attach-loss", "::mlir::ModuleOp"> {
  let summary = "make a loss of an output of @main";
  let description = [{
    The loss becomes result 0, named `loss`; its target becomes the last argument, of role `target`. Results that alias buffers stay, other outputs go unless they are kept.
    16-bit outputs are converted to f32 first.

    `cross_entropy`: softmax cross entropy of logits with labels, of the logits' shape without the class axis; with `dense-target` the target has the logits'
    shape and holds probabilities. `mse`, `l1`, `huber`: mean over all elements. `bce_with_logits`: mean binary cross entropy of sigmoid(output). `output`: the
    output is the loss already.
  }];
  let options = [
    Option<"loss", "loss", "std::string", "\"\"", "cross_entropy, mse, l1, huber, bce_with_logits or output">,
    Option<"output", "output", "std::string", "\"0\"", "The output that the loss is made of: its name or its index">,
    Option<"keepOutputs", "keep-outputs", "bool", "false", "Keep the outputs as results after the loss">,
    Option<"targetType", "target-type", "std::string", "\"\"", "Element type of the target: f64, f32, f16, bf16, i64, i32 or i1; by default i64 for labels, else the output's">,
    Option<"classAxis", "class-axis", "int64_t", "1", "cross_entropy: axis of the classes in the logits; negative counts from the last">,
    Option<"denseTarget", "dense-target", "bool", "false", "cross_entropy: the target holds a probability for each class">,
    Option<"labelSmoothing", "label-smoothing", "double", "0.0", "cross_entropy: share of the target that is spread over all classes, in [0, 1]">,
    Option<"ignoreIndex", "ignore-index", "int64_t", "-100", "cross_entropy: label of rows that do not count">,
    Option<"delta", "delta", "double", "1.0", "huber: where the loss turns from quadratic to linear">,
  ];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
}

def InferencePass : Pass<"raf-inference", "::mlir::ModuleOp"> {
  let summary = "turn a forward model in training form into its inference form";
  let description = [{
    Batch normalization becomes an affine function of the running statistics, dropout the identity. Results that alias buffers go, and so do seed and step
    arguments that nothing uses any more. With `outputs` the others are those of the model with these numbers, in this order.
  }];
  let options = [ListOption<"outputs", "outputs", "int64_t", "which outputs to keep; none named: all">];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
}

#endif // RAF_PASSES_FRONTEND_PASSES_TD
