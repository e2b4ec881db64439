// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_HOST_PASSES_TD
#define PASSES_HOST_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerHostPass : Pass<"raf-lower-host", "::mlir::ModuleOp"> {
  let summary = "turn the planned step into the two functions that the runtime calls";
  let description = [{
    @main, on buffers with `raf.memory`, becomes

    - `raf_init(ctx) -> i64`, which creates one library plan for each different (kind, words) and returns the first status that is not 0;
    - `raf_run(ctx, args, arena)`, which calls the kernels and executes the plans in order and returns early when one fails (the runtime keeps the message).

    `args` is a table of the addresses of @main's arguments and then of the results that are not aliased. Kernels are functions of the LLVM dialect already
    (`raf-lower-kernels`) or still on memrefs, which become bare pointers here and are lowered by what follows. Their pointers are marked
    `noalias` where every call passes buffers that do not overlap, and the module gets `raf.manifest`, a JSON object that describes arguments, results, memory
    and the ops of the step.

    With `device`, kernels are `gpu.launch_func`s of a `gpu.module`, which what follows makes an image of, and all addresses are the device's: `raf_init` asks for each kernel by its name
    and uploads the constants, `raf_run` launches, executes plans and copies on the device's stream, and reads back what the host decides by (conditions of regions).
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"profile", "profile", "bool", "false", "call the runtime's profile hooks around each op">,
    Option<"device", "device", "std::string", "\"\"", "the driver whose device kernels and buffers are on (raf_cuda.h): cuda or cuda-sim">
  ];
  let statistics = [
    Statistic<"numCalls", "num-calls", "Ops of the step">,
    Statistic<"numPlans", "num-plans", "Different library plans">
  ];
}

#endif // PASSES_HOST_PASSES_TD
