// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a module to what an executable consists of. The runtime loads and runs it (runtime/include/raf_executable.h).

#ifndef PASSES_HOST_JIT_COMPILE_H
#define PASSES_HOST_JIT_COMPILE_H

#include "passes/host/jit/Diagnostics.h"
#include "runtime/include/raf_runtime.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::raf {

/// Parses a module from text or bytecode and runs a pass pipeline over it. Null after an error.
OwningOpRef<ModuleOp> runPipeline(llvm::StringRef source, llvm::StringRef pipeline, MLIRContext &context, Diagnostics &diagnostics);

/// A context with everything registered.
std::unique_ptr<MLIRContext> createContext();

/// While in scope, the number of threads that a compilation of this thread uses; 0 follows the process.
class UseThreads {
public:
  explicit UseThreads(int64_t threads) : before(raf_rt_use_num_threads(threads)) {}
  ~UseThreads() { raf_rt_use_num_threads(before); }
  UseThreads(const UseThreads &) = delete;
  UseThreads &operator=(const UseThreads &) = delete;

private:
  int64_t before;
};

/// Kernels for a device, as its driver takes them.
struct CompiledImage {
  std::string kind;   // sim, ptx, cubin
  std::string target; // the chip; for sim the same again
  std::string bytes;
};

struct CompiledStep {
  /// A JSON object: what raf-lower-host wrote, and "target", "runtime_abi", "raf_version" and "num_threads".
  std::string manifest;
  /// ELF objects that define raf_init and raf_run.
  std::vector<std::string> objects;
  std::vector<CompiledImage> images;
};

/// Runs the passes and LLVM with the options of a JSON object (Options.h). Nothing after an error, which is in `diagnostics`.
std::optional<CompiledStep> compile(llvm::StringRef source, llvm::StringRef options, Diagnostics &diagnostics);

} // namespace mlir::raf

#endif // PASSES_HOST_JIT_COMPILE_H
