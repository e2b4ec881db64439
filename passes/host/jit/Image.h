// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_HOST_JIT_IMAGE_H
#define PASSES_HOST_JIT_IMAGE_H

#include "passes/host/jit/Compile.h"
#include "passes/host/jit/Options.h"

namespace mlir::raf {

/// Takes the kernels out of a lowered module: modules with the attribute raf.image, which are compiled, and gpu.binary.
llvm::Expected<std::vector<CompiledImage>> takeImages(ModuleOp module, const ExecutableOptions &options);

/// Runs the passes of the options and returns the images of the result. Nothing after an error, which is in `diagnostics`.
std::optional<std::vector<CompiledImage>> compileImages(llvm::StringRef source, llvm::StringRef options, Diagnostics &diagnostics);

} // namespace mlir::raf

#endif // PASSES_HOST_JIT_IMAGE_H
