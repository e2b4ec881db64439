// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_PASSES_IMPORT_STABLEHLO_PASSES_TD
#define RAF_PASSES_IMPORT_STABLEHLO_PASSES_TD

include "mlir/Pass/PassBase.td"

def ImportStablehloPass : Pass<"import-stablehlo", "::mlir::ModuleOp"> {
  let summary = "turn a StableHLO program in generic form into a model in raf ops";
  let description = [{
    The module holds unregistered `stablehlo`, `chlo`, `sdy` and `mhlo` ops in generic form (`raf-opt --allow-unregistered-dialect`). It becomes one function
    `@main` of raf ops: calls are expanded, unsigned integers are signless with unsigned operators, a complex tensor is two real ones (at the boundary one with a
    last dimension of 2), and counted loops with little to do are unrolled.

    ```mlir
    %1 = "stablehlo.add"(%0, %arg1) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    ```
    becomes
    ```mlir
    %1 = raf.add %0, %arg1 : tensor<4xi32>
    ```

    An argument keeps its `raf.role` (else it is an `input`) and its `raf.name` (else that of its location); a result is named after `jax.result_info`, and
    `tf.aliasing_output` of an argument becomes `raf.alias` of the result. Whatever cannot be imported is one error that lists every kind of operator, how
    often it occurs and where.
  }];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [Statistic<"numOps", "imported", "Number of operators imported, with those of calls and unrolled loops">];
}

#endif // RAF_PASSES_IMPORT_STABLEHLO_PASSES_TD
