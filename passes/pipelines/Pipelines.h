// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The named pipelines. The command line and Python build them from the same options.
#ifndef RAF_PASSES_PIPELINES_PIPELINES_H
#define RAF_PASSES_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::raf {

/// What the pipelines of all targets have.
template <typename Derived>
struct StepPipelineOptions : PassPipelineOptions<Derived> {
  template <typename T>
  using Option = mlir::detail::PassOptions::Option<T>;
  template <typename T>
  using ListOption = mlir::detail::PassOptions::ListOption<T>;

  Option<int64_t> optLevel{*this, "opt-level", llvm::cl::desc("0: each op a kernel, nothing shared or in place, no library (the oracle of the others; on CUDA devices scatters and scans are computed as at the others); 1: no libraries "
                                                              "unless named; 2: everything"),
                           llvm::cl::init(2)};
  ListOption<std::string> libraries{*this, "libraries", llvm::cl::desc("Libraries that may take ops (dnnl on CPUs, cublas and cudnn on CUDA devices); empty: none")};
  ListOption<std::string> prefer{*this, "prefer", llvm::cl::desc("Libraries to try first")};
  ListOption<std::string> forbid{*this, "forbid", llvm::cl::desc("Libraries never to use")};
  ListOption<std::string> force{*this, "force", llvm::cl::desc("Libraries that must take every op that they implement")};
  ListOption<std::string> skip{*this, "skip", llvm::cl::desc("Optimizations to leave out, by the name of their pass: "
                                                                   "raf-simplify, raf-constant-fold, raf-merge-products, raf-layout, raf-store-layouts, raf-pack-weights, raf-fuse, raf-schedule, raf-inplace, raf-elide-copies, raf-merge-launches")};
  Option<int64_t> memoryBudget{*this, "memory-budget", llvm::cl::desc("Bytes that the step may hold altogether, from level 1 on; values are computed again where that takes it; 0: any number"),
                               llvm::cl::init(0)};
  Option<int64_t> memorySlack{*this, "memory-slack", llvm::cl::desc("Without a budget, from level 1 on: percent of the step's modelled time that computing values again may add where it saves memory"),
                              llvm::cl::init(0)};
  Option<bool> profile{*this, "profile", llvm::cl::desc("Call the runtime's profile hooks around each kernel and library call"), llvm::cl::init(false)};
};

/// Options of `raf-cpu`.
struct CpuPipelineOptions : StepPipelineOptions<CpuPipelineOptions> {
  ListOption<std::string> widen{*this, "widen", llvm::cl::desc("Types (bf16, f16) whose products libraries compute on f32; none; default: those that this CPU cannot multiply")};
  Option<std::string> measurements{*this, "measurements", llvm::cl::desc("File of measured times by which raf-dispatch chooses"), llvm::cl::init("")};
  Option<std::string> blocks{*this, "blocks", llvm::cl::desc("Blocks of generated products that do not name theirs: narrow, wide, deep; default: those that fit the CPU"), llvm::cl::init("")};
  Option<bool> storeLayouts{*this, "store-layouts", llvm::cl::desc("Whoever binds the arguments knows of raf.stored: weights of convolutions may lie in the library's blocks between steps"), llvm::cl::init(false)};
  ListOption<std::string> storedAs{*this, "stored-as", llvm::cl::desc("With store-layouts: how other programs keep the weights (layouts of raf-store-layouts)")};
  Option<bool> questions{*this, "questions", llvm::cl::desc("Stop at the dispatch and list what it would have measured"), llvm::cl::init(false)};
};

/// Options of `raf-cuda`.
struct CudaPipelineOptions : StepPipelineOptions<CudaPipelineOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("What kernels are compiled for: sm_80, sm_86, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_120, sm_120a, or sim, the simulated GPU of the runtime"), llvm::cl::init("sm_80")};
  Option<int64_t> streams{*this, "streams", llvm::cl::desc("Streams that independent ops of the step may be spread over, 1 to 64"), llvm::cl::init(1)};
  Option<bool> libraryRelu{*this, "library-relu", llvm::cl::desc("cuBLASLt may compute relu, although its relu gives 0 for NaN"), llvm::cl::init(false)};
  Option<bool> tf32{*this, "tf32", llvm::cl::desc("Products and convolutions may round f32 operands to tf32, in libraries and in generated kernels"), llvm::cl::init(false)};
  Option<std::string> simulate{*this, "simulate", llvm::cl::desc("With the chip sim: the chip whose kernels it runs; default: sm_80"), llvm::cl::init("")};
  ListOption<std::string> check{*this, "check", llvm::cl::desc("With the chip sim: what is checked at each access (bounds, memory, races, or none); default: all")};
};

/// From a training or inference module of raf ops to the LLVM dialect. Fails, with the reason in `errors`, where a pass of it is not registered.
LogicalResult buildCpuPipeline(OpPassManager &manager, const CpuPipelineOptions &options, llvm::raw_ostream &errors);

/// The same for a CUDA device: host code in the LLVM dialect, and beside it the kernels' image.
LogicalResult buildCudaPipeline(OpPassManager &manager, const CudaPipelineOptions &options, llvm::raw_ostream &errors);

void registerPipelines();

} // namespace mlir::raf

#endif // RAF_PASSES_PIPELINES_PIPELINES_H
