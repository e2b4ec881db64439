// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frontend phase: from a forward model to a training or inference graph.
#ifndef RAF_PASSES_FRONTEND_PASSES_H
#define RAF_PASSES_FRONTEND_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::raf {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/frontend/Passes.h.inc"

} // namespace mlir::raf

#endif // RAF_PASSES_FRONTEND_PASSES_H
