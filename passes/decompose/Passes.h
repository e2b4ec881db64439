// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From raf to linalg: high-level raf ops become simple ones, and those become linalg.generic on tensors.
#ifndef PASSES_DECOMPOSE_PASSES_H
#define PASSES_DECOMPOSE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::raf {

#define GEN_PASS_DECL
#include "passes/decompose/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/decompose/Passes.h.inc"

/// Attaches the DecomposableOpInterface models.
void registerDecomposeExtensions(DialectRegistry &registry);

} // namespace mlir::raf

#endif // PASSES_DECOMPOSE_PASSES_H
