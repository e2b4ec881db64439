// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_MEMORY_PASSES_TD
#define PASSES_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def InplacePass : Pass<"raf-inplace", "::mlir::ModuleOp"> {
  let summary = "choose the destinations of the ops of the step";
  let description = [{
    Works on @main after `raf-outline-kernels`. A result with `raf.alias` is computed straight into the donated argument when everything that reads the old
    value can run first (the schedule is changed where that takes it, and updates run as early as they can, so that gradients die young); otherwise `raf-bufferize-host` copies it there at the end. Then a destination that is a
    `tensor.empty` becomes the operand that dies at the op, where the op says that the two may share a buffer.

    Before:
    ```mlir
    %e = tensor.empty() : tensor<8xf32>
    %new = raf.launch @sgd ins(%w, %g : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) may_alias = [0, 0] -> tensor<8xf32>
    return %new : tensor<8xf32>   // {raf.alias = 0}
    ```
    After:
    ```mlir
    %new = raf.launch @sgd ins(%w, %g : tensor<8xf32>, tensor<8xf32>) outs(%w : tensor<8xf32>) may_alias = [0, 0] -> tensor<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect", "::mlir::raf::RAFDialect"];
  let options = [
    Option<"donate", "donate", "bool", "true", "compute results with `raf.alias` in their donated argument">,
    Option<"reuse", "reuse", "bool", "true", "let a destination take the buffer of a dying operand">
  ];
  let statistics = [
    Statistic<"numDonated", "num-donated", "Results computed in their donated argument">,
    Statistic<"numNotDonated", "num-not-donated", "Results that have to be copied into their donated argument">,
    Statistic<"numReused", "num-reused", "Destinations that took the buffer of a dying operand">,
    Statistic<"numMoved", "num-moved", "Ops that changed places">
  ];
}

def SchedulePass : Pass<"raf-schedule", "::mlir::ModuleOp"> {
  let summary = "order the ops of the step for a low peak of memory";
  let description = [{
    Runs between `raf-inplace{reuse=false}`, which gives donated arguments to the results that overwrite them, and `raf-inplace{donate=false}`. Ops that free memory move up to where their operands are ready,
    ops that take memory down to their first reader, in sweeps over the line forward and backward, as long as the peak or the sum of what is alive falls. Of the orders with
    the lowest peaks the one with the smallest arena wins, which is never larger than that of the order given. In it, ops that take much memory only while they run, and for whose results nobody waits (a
    gradient of a weight and its update), are put off to where the least is alive: the peak may be elsewhere, but `raf-rematerialize` lowers that one and would pay for these. Equal input gives equal output, and the time grows with n log n, and n for each op put off. What must come first stays first: the makers of operands, and the readers of what an op overwrites.

    Before:
    ```mlir
    %a = raf.launch @wide ins(%x : tensor<8xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
    %b = raf.launch @wide ins(%y : tensor<8xf32>) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
    %c = raf.launch @sum ins(%a : tensor<64xf32>) outs(%e2 : tensor<f32>) -> tensor<f32>
    %d = raf.launch @sum ins(%b : tensor<64xf32>) outs(%e3 : tensor<f32>) -> tensor<f32>
    ```
    After, `%a` dies before `%b` is made:
    ```mlir
    %a = raf.launch @wide ins(%x : tensor<8xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
    %c = raf.launch @sum ins(%a : tensor<64xf32>) outs(%e2 : tensor<f32>) -> tensor<f32>
    %b = raf.launch @wide ins(%y : tensor<8xf32>) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
    %d = raf.launch @sum ins(%b : tensor<64xf32>) outs(%e3 : tensor<f32>) -> tensor<f32>
    ```
  }];
  let options = [Option<"putOff", "put-off", "bool", /*default=*/"true", "Put gradients of weights off to where the least is alive: of no use where one launch updates all parameters">];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
  let statistics = [
    Statistic<"numMoved", "num-moved", "Ops that changed places">,
    Statistic<"peakBytes", "peak-bytes", "Most bytes alive at once in @main">
  ];
}

def BufferizeHostPass : Pass<"raf-bufferize-host", "::mlir::ModuleOp"> {
  let summary = "turn @main from tensors into buffers";
  let description = [{
    @main is a straight line of ops of destination style, so one walk decides everything: an op writes into the buffer of its destination unless somebody still
    reads what is there. Results become further arguments (`raf.result = <index>`), except those with `raf.alias`, which end up in their argument. The
    description of the results stays on the function as `raf.results`. Constants become globals. A copy is made only where the program needs two values in one
    place; each one is counted.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::raf::RAFDialect"];
  let statistics = [
    Statistic<"numBuffers", "num-buffers", "Buffers allocated">,
    Statistic<"numCopies", "num-copies", "Copies made">
  ];
}

def PlanMemoryPass : Pass<"raf-plan-memory", "::mlir::ModuleOp"> {
  let summary = "give every buffer of the step an offset in one arena";
  let description = [{
    Each `memref.alloc` of @main becomes a view of a new last argument, the arena (`raf.arena`), at a fixed 64-byte aligned offset. Buffers that are never alive
    together may overlap. Several orders of placement are tried and the smallest arena wins; the plan is checked before it is used. The module gets

    ```mlir
    raf.memory = {arena_bytes, lower_bound, unshared_bytes, activations, workspace, params, states, buffers, inputs, outputs, scalars, constants}
    ```
    in bytes: `arena_bytes` = `activations` + `workspace`, where `workspace` is what library calls need at the fullest moment; `lower_bound` is the most that is
    alive at once, below which no plan can be.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::raf::RAFDialect"];
  let options = [
    Option<"share", "share", "bool", "true", "let buffers that are never alive together overlap; false is the oracle that tests compare with">
  ];
  let statistics = [
    Statistic<"arenaBytes", "arena-bytes", "Bytes of the arena">,
    Statistic<"lowerBound", "lower-bound", "Most bytes alive at once">
  ];
}

#endif // PASSES_MEMORY_PASSES_TD
