// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The precision phase: 16-bit floats where they are enough.
#ifndef RAF_PASSES_PRECISION_PASSES_H
#define RAF_PASSES_PRECISION_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::raf {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/precision/Passes.h.inc"

void registerPrecisionExtensions(DialectRegistry &registry);

} // namespace mlir::raf

#endif // RAF_PASSES_PRECISION_PASSES_H
