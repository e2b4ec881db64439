// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_HOST_JIT_OBJECT_H
#define PASSES_HOST_JIT_OBJECT_H

#include "passes/host/jit/Options.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mlir::raf {

/// Takes a module of the LLVM dialect to object files for this machine. A large module becomes several, which are compiled in parallel; how many depends on the
/// module alone.
llvm::Expected<std::vector<std::string>> emitObjects(ModuleOp module, const ExecutableOptions &options);

/// The same as one object.
llvm::Expected<std::string> emitObject(ModuleOp module, const ExecutableOptions &options);

} // namespace mlir::raf

#endif // PASSES_HOST_JIT_OBJECT_H
