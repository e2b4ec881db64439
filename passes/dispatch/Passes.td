// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_PASSES_DISPATCH_PASSES_TD
#define RAF_PASSES_DISPATCH_PASSES_TD

include "mlir/Pass/PassBase.td"

def DispatchPass : Pass<"raf-dispatch", "::mlir::ModuleOp"> {
  let summary = "Give operators to the libraries that execute them";
  let description = [{
    For each raf op the implementations registered for it are tried, the highest preference first; the first legal one replaces the op, together with the ops around it
    that it covers (bias, activation, residual). What no library takes stays a raf op, for code generation.

    The attribute `raf.dispatch = ["dnnl", "codegen"]` on an op, or on any op around it, lists the only choices allowed for it, in order. `prefer`, `forbid` and
    `force` say the same for the whole module: preferred libraries are tried first, forbidden ones never, and an op that a forced library implements in principle but
    not in this case is an error. An attribute overrides the options. `codegen` stands for code generation.

    Each choice that is declined is reported as a remark of the category `raf-dispatch`, with the reason.
  }];
  let options = [
    ListOption<"libraries", "libraries", "std::string", "The libraries to use; default: all">,
    ListOption<"prefer", "prefer", "std::string", "Libraries to try first, in order">,
    ListOption<"forbid", "forbid", "std::string", "Libraries never to use">,
    ListOption<"force", "force", "std::string", "Libraries that must take every op that they implement">
  ];
  let statistics = [
    Statistic<"dispatched", "dispatched", "Ops given to a library">,
    Statistic<"fused", "fused", "Further ops covered by them">,
    Statistic<"declined", "declined", "Choices that were declined">
  ];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::raf::dnnl::DnnlDialect", "::mlir::tensor::TensorDialect"];
}

#endif // RAF_PASSES_DISPATCH_PASSES_TD
