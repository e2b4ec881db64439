// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_PASSES_CONTROL_FLOW_PASSES_H
#define RAF_PASSES_CONTROL_FLOW_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::raf {
#define GEN_PASS_DECL
#include "passes/control-flow/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/control-flow/Passes.h.inc"

/// Gives the bodies of loops the rows that they read and write an iteration instead of whole tensors, where they see no more.
void sliceLoopOperands(ModuleOp module, int64_t align);
} // namespace mlir::raf

#endif // RAF_PASSES_CONTROL_FLOW_PASSES_H
