// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// raf-opt: reads MLIR, runs passes, prints MLIR.

#include "passes/registerAll.h"
#include "passes/tools/Tools.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int rafOptMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::raf::registerAllDialects(registry);
  mlir::raf::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "RAF optimizer driver\n", registry));
}
