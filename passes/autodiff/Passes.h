// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The autodiff phase: reverse-mode differentiation of @main and the gradient rules of the raf dialect.
#ifndef RAF_PASSES_AUTODIFF_PASSES_H
#define RAF_PASSES_AUTODIFF_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::raf {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/autodiff/Passes.h.inc"

/// Attaches the gradient rules of all op families.
void registerAutodiffExtensions(DialectRegistry &registry);

} // namespace mlir::raf

#endif // RAF_PASSES_AUTODIFF_PASSES_H
