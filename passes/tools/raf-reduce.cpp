// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// raf-reduce: shrinks a module for as long as a given script still finds it interesting.

#include "passes/registerAll.h"
#include "passes/tools/Tools.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int rafReduceMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::raf::registerAllDialects(registry);
  mlir::raf::registerAllPasses();
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
