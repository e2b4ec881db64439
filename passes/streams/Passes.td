// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_STREAMS_PASSES_TD
#define PASSES_STREAMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssignStreamsPass : Pass<"raf-assign-streams", "::mlir::ModuleOp"> {
  let summary = "spread the ops of a device's step over streams";
  let description = [{
    Works on @main after `raf-plan-memory` and `raf-map-to-gpu`. Ops keep their order, and each is given a stream (`raf.stream`, 0 if absent) on which it can begin earliest: by the bytes that ops move
    and the products that they compute, with a price on waiting for another stream. Where an op touches memory that an op of another stream touched before, and one of the two writes it, that one
    records an event (`raf.record`) and this one waits for it (`raf.wait`), unless a wait before it orders the two already. Memory is bytes: two values to which the plan gave one place in the arena
    conflict as one value does. No wait can be left out.

    A step begins on stream 0 and ends when all streams are done, which the runtime sees to. Ops that call regions run on stream 0, and so does what is in their regions;
    collectives share the last stream.

    Before:
    ```mlir
    gpu.launch_func @k::@a blocks in (...) threads in (...) args(%x, %p)
    gpu.launch_func @k::@b blocks in (...) threads in (...) args(%y, %q)
    gpu.launch_func @k::@c blocks in (...) threads in (...) args(%p, %q, %r)
    ```
    After:
    ```mlir
    gpu.launch_func @k::@a blocks in (...) threads in (...) args(%x, %p)
    gpu.launch_func @k::@b blocks in (...) threads in (...) args(%y, %q) {raf.record = 0, raf.stream = 1}
    gpu.launch_func @k::@c blocks in (...) threads in (...) args(%p, %q, %r) {raf.wait = array<i64: 0>}
    ```
  }];
  let options = [
    Option<"streams", "streams", "int64_t", "2", "how many streams there may be, 1 to 64">
  ];
  let statistics = [
    Statistic<"numStreams", "num-streams", "Streams used">,
    Statistic<"numElsewhere", "num-elsewhere", "Ops on other streams than the first">,
    Statistic<"numWaits", "num-waits", "Waits for events">
  ];
}

def CheckStreamsPass : Pass<"raf-check-streams", "::mlir::ModuleOp"> {
  let summary = "prove that the waits for events of a step suffice";
  let description = [{
    Knows nothing of how streams were assigned. From the order of each stream and the recorded and awaited events it works out what has run before each op whatever the device does, and
    demands that of every two ops that touch a byte, one of them writing, the first has run. An error names both ops, their streams and the bytes.

    What a kernel reads and writes is what its body does to its arguments; an argument that it does anything else with counts as written.
  }];
  let statistics = [Statistic<"numPairs", "num-pairs", "Pairs of ops of different streams that had to be ordered">];
}

#endif // PASSES_STREAMS_PASSES_TD
