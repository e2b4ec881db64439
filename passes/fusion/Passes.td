// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_PASSES_FUSION_PASSES_TD
#define RAF_PASSES_FUSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def FusePass : Pass<"raf-fuse", "func::FuncOp"> {
  let summary = "Gather linalg ops that can share one loop over tiles into raf.kernel regions";
  let description = [{
    Every linalg op ends up in a `raf.kernel`. Two groups of ops become one when they have a common tile space (see TileSpace.h): values made and read by the
    same tile then stay in cache or registers, and inputs that both read are loaded once. A merge must not make a cycle, and must keep enough
    parallelism. Inside each kernel, pointwise ops are then fused into their consumers where nothing costly is computed twice.

    ```mlir
    %e = linalg.exp ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %s = linalg.generic {... sum over d1 ...} ins(%e : tensor<4x8xf32>) outs(%z : tensor<4xf32>) ...
    ```
    becomes
    ```mlir
    %s = raf.kernel ins(%x : tensor<4x8xf32>) outs(%1 : tensor<4xf32>) { ... } -> tensor<4xf32>
    ```
  }];
  let options = [
    Option<"enable", "enable", "bool", /*default=*/"true", "false: each op is a kernel of its own (the oracle of fusion)">,
    Option<"epilogues", "epilogues", "bool", /*default=*/"false", "Pointwise ops on what a product makes go with it however small that is: on a device a launch costs more than they do">,
    Option<"stages", "stages", "bool", /*default=*/"true", "A kernel may have stages, one after the other; false on a device, where each stage would be a launch of its own and keep others waiting">,
  ];
  let statistics = [
    Statistic<"kernels", "kernels", "Number of kernels made">,
    Statistic<"fusedOps", "fused-ops", "Number of ops that share their kernel with another">,
  ];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::tensor::TensorDialect", "::mlir::linalg::LinalgDialect", "::mlir::arith::ArithDialect"];
}

def IsolateCopiesPass : Pass<"raf-isolate-copies", "func::FuncOp"> {
  let summary = "Put slices and concatenations of neighbouring elements into kernels of their own";
  let description = [{
    Rows of a tensor, and tensors joined by rows, are ranges of memory: where their operands lie in memory anyway, whoever reads them, nothing has to be copied, and raf-elide-copies
    makes them views. Fused with other ops they could not become that. Runs before raf-convert-to-linalg. `raf.copies` says what is copied: for each input the first element that is
    read, where it goes, and how many there are.

    ```mlir
    %y = raf.slice %x starts = [0, 0] limits = [2, 8] strides = [1, 1] : tensor<4x8xf32> -> tensor<2x8xf32>
    ```
    becomes, where %x is the result of a product,
    ```mlir
    %y = raf.kernel ins(%x : tensor<4x8xf32>) outs(%0 : tensor<2x8xf32>) attributes {raf.copies = array<i64: 0, 0, 16>} { ... } -> tensor<2x8xf32>
    ```
  }];
  let statistics = [Statistic<"isolated", "isolated", "Copies that got a kernel of their own">];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::tensor::TensorDialect"];
}

def ElideCopiesPass : Pass<"raf-elide-copies", "ModuleOp"> {
  let summary = "Make views of slices, and write what is concatenated where it belongs";
  let description = [{
    On buffers, before they are placed. The result of a kernel that only copies (`raf.copies`) lies inside the buffer that it is copied from; what a concatenation joins is computed inside
    its result. Both where neither side is written while the other is still needed. A slice keeps all of its tensor alive, and a concatenation is alive from its first part on: two
    percent of memory may be spent for a percent of the time that raf-rematerialize has modelled (`raf.rematerialization`); without that, and where that keeps to a budget, no more
    may be alive at once than before.

    ```mlir
    raf.launch @rows ins(%x : memref<4x8xf32>) outs(%y : memref<2x8xf32>)
    ```
    becomes
    ```mlir
    %bytes = memref.alloc() : memref<128xi8>
    %x = memref.view %bytes[%c0][] : memref<128xi8> to memref<4x8xf32>
    %y = memref.view %bytes[%c0][] : memref<128xi8> to memref<2x8xf32>
    ```
  }];
  let statistics = [
    Statistic<"elided", "elided", "Number of copies that are views now">,
    Statistic<"kept", "kept", "Number of kernels that still copy">,
  ];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect"];
}

def RecomputeMasksPass : Pass<"raf-recompute-masks", "func::FuncOp"> {
  let summary = "Compute masks again that are made of a seed and places, instead of keeping them";
  let description = [{
    A mask of dropout is a function of a key and the places of its elements, and so are a causal mask and a window. One that is read on both sides of a library call or a product, by the
    forward and by the backward pass, would be kept in between; here each side gets the ops that make it, which become part of the kernel that reads it. The bits are the same. Runs
    directly before raf-fuse: `cse` would join them again.

    ```mlir
    %mask = linalg.generic {... random bits of %key, compared with the rate ...}
    %y = linalg.generic {... select ...} ins(%mask, %x)
    %z = dnnl.matmul %y, %w
    %dy = linalg.generic {... select ...} ins(%mask, %dz)
    ```
    becomes
    ```mlir
    %mask = linalg.generic {...}
    %y = linalg.generic {... select ...} ins(%mask, %x)
    %z = dnnl.matmul %y, %w
    %again = linalg.generic {...}
    %dy = linalg.generic {... select ...} ins(%again, %dz)
    ```
  }];
  let statistics = [Statistic<"numCopies", "copies", "Masks that are computed again">];
  let dependentDialects = ["::mlir::tensor::TensorDialect", "::mlir::linalg::LinalgDialect"];
}

def OutlineKernelsPass : Pass<"raf-outline-kernels", "ModuleOp"> {
  let summary = "Turn each raf.kernel region into a private function, equal ones into one";
  let description = [{
    Kernels are equal when their bodies are, up to locations. Each launch says which inputs may share a buffer with which destination.

    ```mlir
    %y = raf.kernel ins(%a : T) outs(%0 : T) { ... } -> T
    ```
    becomes
    ```mlir
    %y = raf.launch @kernel_0 ins(%a : T) outs(%0 : T) may_alias = [0, 0] -> T
    func.func private @kernel_0(%in: T, %out: T) -> T attributes {raf.kernel} { ... }
    ```
  }];
  let statistics = [
    Statistic<"outlined", "outlined", "Number of kernel functions">,
    Statistic<"reused", "reused", "Number of kernels that were equal to an earlier one">,
  ];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::func::FuncDialect"];
}

def MergeLaunchesPass : Pass<"raf-merge-launches", "ModuleOp"> {
  let summary = "Make one launch of independent kernels, above all of the updates of many parameters";
  let description = [{
    On buffers, before they are placed. A kernel of launches runs the stages of all its parts in parallel loops over the tiles of all of them, cut into ranges of equal work. A launch waits
    for a later one where no op between needs its results, where no more memory is alive at the peak (an update keeps its gradient alive, so with a high peak at the
    end of the backward pass there are several groups), and where what it reads from the caches now, and could not any more, is less than what a launch costs. Products keep their launches.
    Buffers that live longer can make the arena larger although no more of them are alive at once: beyond the slack, only small ones may live longer.

    ```mlir
    raf.launch @update ins(%g0 : memref<8xf32>) outs(%p0 : memref<8xf32>)
    raf.launch @update ins(%g1 : memref<8xf32>) outs(%p1 : memref<8xf32>)
    ```
    becomes
    ```mlir
    raf.launch @launches ins(%g0, %g1 : memref<8xf32>, memref<8xf32>) outs(%p0, %p1 : memref<8xf32>, memref<8xf32>)
    func.func private @launches(%g0: memref<8xf32>, %g1: memref<8xf32>, %p0: memref<8xf32>, %p1: memref<8xf32>) attributes {raf.kernel} {
      raf.launch @update ins(%g0 : memref<8xf32>) outs(%p0 : memref<8xf32>)
      raf.launch @update ins(%g1 : memref<8xf32>) outs(%p1 : memref<8xf32>)
      return
    }
    ```
  }];
  let options = [
    Option<"cacheBytes", "cache-bytes", "int64_t", /*default=*/"2 << 20", "What has been touched within so many bytes of traffic is in the caches">,
    Option<"launchBytes", "launch-bytes", "int64_t", /*default=*/"64 << 10", "Bytes that memory gives in the time of a launch">,
    Option<"slackPercent", "slack-percent", "int64_t", /*default=*/"0", "By so much of the arena buffers may fit less well, although no more of them are alive at once">,
    Option<"slackBytes", "slack-bytes", "int64_t", /*default=*/"0", "By so many bytes they may in any case: a process holds whole pages">,
  ];
  let statistics = [Statistic<"saved", "saved", "Number of launches saved">];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::func::FuncDialect"];
}

#endif // RAF_PASSES_FUSION_PASSES_TD
