// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_PASSES_AUTODIFF_PASSES_TD
#define RAF_PASSES_AUTODIFF_PASSES_TD

include "mlir/Pass/PassBase.td"

def AutodiffPass : Pass<"raf-autodiff", "::mlir::ModuleOp"> {
  let summary = "append the gradients of a result of @main";
  let description = [{
    Reverse-mode differentiation of the result named `of` with respect to arguments: one new result an argument, named `grad:<argument>` with
    `raf.grad_of = <argument index>`. Only ops that lie between those arguments and the result are differentiated, by their DifferentiableOpInterface; an op
    without a rule is decomposed first, and if it cannot be, it is an error: all such ops are reported. Calls are inlined first.

    The pass can be run on its own output. When `of` is not the loss, the results are named `grad:<of>:<argument>`; when it is no scalar, its cotangent becomes an
    argument named `cotangent:<of>`: `of=grad:w wrt=w` makes a Hessian-vector product.
  }];
  let options = [
    ListOption<"wrt", "wrt", "std::string", "Names of the arguments; all parameters that are not frozen by default">,
    Option<"of", "of", "std::string", "\"loss\"", "Name of the result to differentiate">,
  ];
  let statistics = [
    Statistic<"numDifferentiated", "ops differentiated", "Ops whose gradient rule was applied">,
    Statistic<"numDecomposed", "ops decomposed", "Ops decomposed because they have no rule of their own">,
    Statistic<"numAccumulations", "accumulations", "Additions of cotangents of values with several uses">,
  ];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def EraseStopGradientPass : Pass<"raf-erase-stop-gradient"> {
  let summary = "remove raf.stop_gradient";
  let description = [{
    What raf.stop_gradient says is for raf-autodiff; once nothing is differentiated any more it is the identity.
  }];
}

#endif // RAF_PASSES_AUTODIFF_PASSES_TD
