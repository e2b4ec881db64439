// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the passes say about their choices.

#ifndef PASSES_HOST_JIT_EXPLAIN_H
#define PASSES_HOST_JIT_EXPLAIN_H

#include "passes/host/jit/Diagnostics.h"

#include <optional>
#include <string>

namespace mlir::raf {

/// Runs the passes that `compile` would run with these options and gives a JSON object: `remarks`, a list of {pass, kind, name, function, message, reason, nodes} in the
/// order of the passes, and `manifest`. Nothing after an error.
std::optional<std::string> explain(llvm::StringRef source, llvm::StringRef options, Diagnostics &diagnostics);

} // namespace mlir::raf

#endif // PASSES_HOST_JIT_EXPLAIN_H
