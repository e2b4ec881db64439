// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/registerAll.h"

#include "mlir/IR/DialectRegistry.h"

#include <mutex>

// These files are made by passes/CMakeLists.txt from the calls of raf_add_dialect and raf_add_phase.
#include "passes/all-headers.inc"

void mlir::raf::registerAllDialects(DialectRegistry &registry) {
  registerUpstreamDialects(registry);
#include "passes/all-dialects.inc"
#include "passes/all-extensions.inc"
}

void mlir::raf::registerAllPasses() {
  // MLIR's bindings and raf._core both register in one process, and MLIR aborts at the second time.
  static std::once_flag once;
  std::call_once(once, [] {
    registerUpstreamPasses();
#include "passes/all-passes.inc"
  });
}
