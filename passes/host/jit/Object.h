// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_HOST_JIT_OBJECT_H
#define PASSES_HOST_JIT_OBJECT_H

#include "passes/host/jit/Options.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::raf {

/// Takes a module of the LLVM dialect to an object file for this machine.
llvm::Expected<std::string> emitObject(ModuleOp module, const ExecutableOptions &options);

} // namespace mlir::raf

#endif // PASSES_HOST_JIT_OBJECT_H
