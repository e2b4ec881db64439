// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_HOST_JIT_OPTIONS_H
#define PASSES_HOST_JIT_OPTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace mlir::raf {

/// What decides how a module is compiled.
struct ExecutableOptions {
  /// The passes, as raf-opt --pass-pipeline takes them.
  std::string pipeline;
  /// Of LLVM: 0, 1 or 2.
  int64_t optLevel = 2;
  /// Preferred bits of a vector; 0 chooses for this CPU.
  int64_t vectorWidth = 0;
  /// Threads of the process's steps; 0 leaves the number as it is.
  int64_t numThreads = 0;

  /// From a JSON object: "pipeline" is the name of a registered pipeline or a whole pipeline text; "opt_level", "vector_width" and "num_threads" are the fields
  /// above; all other keys, and "opt_level", are options of the named pipeline, with "-" for "_".
  static llvm::Expected<ExecutableOptions> parse(llvm::StringRef json);
};

} // namespace mlir::raf

#endif // PASSES_HOST_JIT_OPTIONS_H
