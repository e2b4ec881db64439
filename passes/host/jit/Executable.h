// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A training step that can be run: generated code, its library plans, its arena, and the addresses that it works on.

#ifndef PASSES_HOST_JIT_EXECUTABLE_H
#define PASSES_HOST_JIT_EXECUTABLE_H

#include "passes/host/jit/Diagnostics.h"
#include "passes/host/jit/Loader.h"
#include "runtime/include/raf_runtime.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/JSON.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mlir::raf {

/// Parses a module from text or bytecode and runs a pass pipeline over it. Null after an error.
OwningOpRef<ModuleOp> runPipeline(llvm::StringRef source, llvm::StringRef pipeline, MLIRContext &context, Diagnostics &diagnostics);

/// A context with everything registered.
std::unique_ptr<MLIRContext> createContext();

/// While in scope, the number of threads that a compilation, a load or a step of this thread uses; 0 follows the process.
class UseThreads {
public:
  explicit UseThreads(int64_t threads) : before(raf_rt_use_num_threads(threads)) {}
  ~UseThreads() { raf_rt_use_num_threads(before); }
  UseThreads(const UseThreads &) = delete;
  UseThreads &operator=(const UseThreads &) = delete;

private:
  int64_t before;
};

class Executable {
public:
  /// Null after an error, which is in `diagnostics`.
  static std::unique_ptr<Executable> compile(llvm::StringRef source, llvm::StringRef options, Diagnostics &diagnostics);
  /// Refuses what is damaged, of another version, or for another CPU.
  static std::unique_ptr<Executable> deserialize(llvm::StringRef bytes, Diagnostics &diagnostics);
  ~Executable();

  std::string serialize() const;

  /// A JSON object: what raf-lower-host wrote, and "target", "runtime_abi" and "raf_version".
  const std::string &manifest() const { return manifestText; }

  /// Arguments of @main come first, then the results that are not aliased.
  llvm::Error bind(int64_t index, uintptr_t address);
  llvm::Error run();

  raf_rt_context *context() { return ctx; }
  void *arenaAddress() const { return arena; }
  int64_t arenaBytes() const { return bytesOfArena; }

private:
  Executable() = default;
  static std::unique_ptr<Executable> compileHere(llvm::StringRef source, llvm::StringRef options, Diagnostics &diagnostics);
  static std::unique_ptr<Executable> deserializeHere(llvm::StringRef bytes, Diagnostics &diagnostics);
  llvm::Error load();
  llvm::Error describeBuffers(const llvm::json::Object &manifest);
  llvm::Error checkOverlaps();

  struct Buffer {
    std::string name;
    int64_t bytes = 0;
    int64_t alignment = 1;
    bool written = false;
    bool changed = false; // since the last check
  };

  std::string manifestText;
  std::vector<std::string> objects;
  int64_t numThreads = 0;
  std::unique_ptr<LoadedObject> code;
  raf_rt_context *ctx = nullptr;
  raf_rt_entry entry = nullptr;
  void *arena = nullptr;
  int64_t bytesOfArena = 0;
  std::mutex mutex; // of what follows
  std::vector<Buffer> buffers;
  std::vector<void *> addresses;
  std::vector<size_t> changed;
  bool checked = false;
};

} // namespace mlir::raf

#endif // PASSES_HOST_JIT_EXECUTABLE_H
