// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_REMAT_PASSES_TD
#define PASSES_REMAT_PASSES_TD

include "mlir/Pass/PassBase.td"

def RematerializePass : Pass<"raf-rematerialize", "::mlir::ModuleOp"> {
  let summary = "run ops of the step again so that it fits into a budget of bytes";
  let description = [{
    Runs after `raf-schedule`, where the ops are kernels and library calls and every buffer is known: what fusion recomputes anyway is inside the kernels, and what the pass predicts is what
    `raf-plan-memory` finds. The budget covers all that the step holds: arguments (parameters, states, inputs ...), results, constants and the arena.

    Values that wait for later readers are freed, and their makers run again before those readers, from the nearest values that are alive. Such a run calls the same kernel or library plan on the
    same operands. Costs are those of `raf.time_ns` on an op where it was measured, otherwise modelled: a launch, and its arithmetic or its bytes, whichever takes longer. Arithmetic on
    bf16 takes half the time of f32 in library calls and products, and none but f32's elsewhere.

    Without a budget, `slack` says how many percent of the modelled time may be added: of the solutions within it, the one is taken that saves most memory for its time, both in relation to what
    they were. A percent of time that saves less than a percent of what the process holds, 64 MiB for itself and the step, is not spent.

    The set of solutions does not depend on the budget, and the cheapest that fits is taken. So a smaller budget never gives a larger peak, nor a step that is modelled as faster. If none fits,
    the error names the least budget for which there is one.

    Before, with a budget that lets one `%a` wait:
    ```mlir
    %a = raf.launch @wide ins(%x : tensor<8xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
    %b = raf.launch @next ins(%a : tensor<64xf32>) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
    %c = raf.launch @large ins(%b : tensor<8xf32>) outs(%e2 : tensor<8xf32>) -> tensor<8xf32>
    %d = raf.launch @last ins(%c, %a : tensor<8xf32>, tensor<64xf32>) outs(%e3 : tensor<8xf32>) -> tensor<8xf32>
    ```
    After:
    ```mlir
    %a = raf.launch @wide ins(%x : tensor<8xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
    %b = raf.launch @next ins(%a : tensor<64xf32>) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
    %c = raf.launch @large ins(%b : tensor<8xf32>) outs(%e2 : tensor<8xf32>) -> tensor<8xf32>
    %e4 = tensor.empty() : tensor<64xf32>
    %a2 = raf.launch @wide ins(%x : tensor<8xf32>) outs(%e4 : tensor<64xf32>) -> tensor<64xf32>
    %d = raf.launch @last ins(%c, %a2 : tensor<8xf32>, tensor<64xf32>) outs(%e3 : tensor<8xf32>) -> tensor<8xf32>
    ```
    The module gets `raf.rematerialization = {budget, recomputed, step_ns, recompute_ns}`, without the budget where there is none: the runs that were added, the modelled time of the step without them, and what they add to it.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect", "::mlir::raf::RAFDialect"];
  let options = [
    Option<"budget", "budget", "int64_t", "0", "bytes; 0 is no budget">,
    Option<"slack", "slack", "int64_t", "0", "without a budget: percent of the step's modelled time that may be added">,
    Option<"launchNs", "launch-ns", "int64_t", "1000", "modelled time of a launch">,
    Option<"flopsPerNs", "flops-per-ns", "int64_t", "200", "modelled speed of arithmetic on f32">,
    Option<"bytesPerNs", "bytes-per-ns", "int64_t", "20", "modelled bandwidth of memory">
  ];
  let statistics = [
    Statistic<"numRecomputed", "num-recomputed", "Runs of ops that were added">,
    Statistic<"peakBytes", "peak-bytes", "Bytes of the step with everything that it holds">
  ];
}

#endif // PASSES_REMAT_PASSES_TD
