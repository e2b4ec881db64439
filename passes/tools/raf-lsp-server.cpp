// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// raf-lsp-server: the language server of .mlir files with RAF's dialects, for editors.

#include "passes/registerAll.h"
#include "passes/tools/Tools.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LLVM.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int rafLspServerMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::raf::registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
