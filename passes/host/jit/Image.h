// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_HOST_JIT_IMAGE_H
#define PASSES_HOST_JIT_IMAGE_H

#include "passes/host/jit/Compile.h"
#include "passes/host/jit/Options.h"

namespace mlir::raf {

/// Kernels for a device, as its driver takes them.
struct CompiledImage {
  std::string kind; // "sim"
  std::string bytes;
};

/// Takes the modules of kernels that have the attribute raf.image out of a lowered module and compiles them.
llvm::Expected<std::vector<CompiledImage>> takeImages(ModuleOp module, const ExecutableOptions &options);

/// Runs the passes of the options and returns the images of the result. Nothing after an error, which is in `diagnostics`.
std::optional<std::vector<CompiledImage>> compileImages(llvm::StringRef source, llvm::StringRef options, Diagnostics &diagnostics);

} // namespace mlir::raf

#endif // PASSES_HOST_JIT_IMAGE_H
