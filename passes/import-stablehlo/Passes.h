// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The import-stablehlo phase: from StableHLO in generic form to a model in raf ops.
#ifndef RAF_PASSES_IMPORT_STABLEHLO_PASSES_H
#define RAF_PASSES_IMPORT_STABLEHLO_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::raf {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/import-stablehlo/Passes.h.inc"

} // namespace mlir::raf

#endif // RAF_PASSES_IMPORT_STABLEHLO_PASSES_H
