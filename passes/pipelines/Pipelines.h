// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The named pipelines. The command line and Python build them from the same options.
#ifndef RAF_PASSES_PIPELINES_PIPELINES_H
#define RAF_PASSES_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::raf {

/// Options of `raf-cpu`.
struct CpuPipelineOptions : PassPipelineOptions<CpuPipelineOptions> {
  Option<int64_t> optLevel{*this, "opt-level", llvm::cl::desc("0: each op a kernel, nothing shared or in place, no library (the oracle of the others); 1: no libraries "
                                                              "unless named; 2: everything"),
                           llvm::cl::init(2)};
  ListOption<std::string> libraries{*this, "libraries", llvm::cl::desc("Libraries that may take ops (dnnl); empty: none")};
  ListOption<std::string> prefer{*this, "prefer", llvm::cl::desc("Libraries to try first")};
  ListOption<std::string> forbid{*this, "forbid", llvm::cl::desc("Libraries never to use")};
  ListOption<std::string> force{*this, "force", llvm::cl::desc("Libraries that must take every op that they implement")};
  ListOption<std::string> skip{*this, "skip", llvm::cl::desc("Optimizations to leave out, by the name of their pass: "
                                                                   "raf-simplify, raf-constant-fold, raf-layout, raf-pack-weights, raf-fuse, raf-schedule, raf-inplace, raf-merge-launches")};
  ListOption<std::string> widen{*this, "widen", llvm::cl::desc("Types (bf16, f16) whose products libraries compute on f32; none; default: those that this CPU cannot multiply")};
  Option<std::string> measurements{*this, "measurements", llvm::cl::desc("File of measured times by which raf-dispatch chooses"), llvm::cl::init("")};
  Option<bool> questions{*this, "questions", llvm::cl::desc("Stop at the dispatch and list what it would have measured"), llvm::cl::init(false)};
  Option<int64_t> memoryBudget{*this, "memory-budget", llvm::cl::desc("Bytes that the step may hold altogether, from level 1 on; values are computed again where that takes it; 0: any number"),
                               llvm::cl::init(0)};
  Option<int64_t> memorySlack{*this, "memory-slack", llvm::cl::desc("Without a budget, from level 1 on: percent of the step's modelled time that computing values again may add where it saves memory"),
                              llvm::cl::init(0)};
  Option<bool> profile{*this, "profile", llvm::cl::desc("Call the runtime's profile hooks around each kernel and library call"), llvm::cl::init(false)};
};

/// From a training or inference module of raf ops to the LLVM dialect. Fails, with the reason in `errors`, where a pass of it is not registered.
LogicalResult buildCpuPipeline(OpPassManager &manager, const CpuPipelineOptions &options, llvm::raw_ostream &errors);

void registerPipelines();

} // namespace mlir::raf

#endif // RAF_PASSES_PIPELINES_PIPELINES_H
