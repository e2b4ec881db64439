// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_PASSES_CONTROL_FLOW_PASSES_H
#define RAF_PASSES_CONTROL_FLOW_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::raf {
#define GEN_PASS_DECL
#include "passes/control-flow/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/control-flow/Passes.h.inc"
} // namespace mlir::raf

#endif // RAF_PASSES_CONTROL_FLOW_PASSES_H
