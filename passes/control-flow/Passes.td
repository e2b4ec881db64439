// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_PASSES_CONTROL_FLOW_PASSES_TD
#define RAF_PASSES_CONTROL_FLOW_PASSES_TD

include "mlir/Pass/PassBase.td"

def OutlineRegionsPass : Pass<"raf-outline-regions", "::mlir::ModuleOp"> {
  let summary = "Make the regions of loops and branches functions of their own";
  let description = [{
    `scf.for`, `scf.while`, `scf.if` and `scf.index_switch` on tensors in `@main` become `raf.for`, `raf.while` and `raf.case` on private functions, innermost first. A function is a
    straight line as `@main` is, so every later pass sees no regions: it fuses, bufferizes and plans each function by itself. What a region uses from outside becomes an
    argument; constants are made again inside. Carried values are donated (`raf.alias`), so an iteration updates them in place. Of a tensor of which iteration i reads or
    writes nothing but rows [i n, (i + 1) n), the function gets those rows alone (`sliced`), and nothing is copied.

    Indices cross between scf and tensors in three forms: `tensor.extract %t[]` of a 0-d tensor as a condition or, cast to index, as the case; `tensor.from_elements` of an
    induction variable; and constant bounds. A loop whose trip count is not constant has to be an `scf.while`.
  }];
  let options = [Option<"align", "align", "int64_t", "1", "what the bytes between the rows of two trips have to be a multiple of for the function to get its rows alone">];
  let statistics = [Statistic<"outlined", "outlined", "Regions made functions">];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::func::FuncDialect"];
}

#endif // RAF_PASSES_CONTROL_FLOW_PASSES_TD
