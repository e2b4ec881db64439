// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The optimizer phase: parameter updates.
#ifndef RAF_PASSES_OPTIMIZER_PASSES_H
#define RAF_PASSES_OPTIMIZER_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::raf {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/optimizer/Passes.h.inc"

} // namespace mlir::raf

#endif // RAF_PASSES_OPTIMIZER_PASSES_H
