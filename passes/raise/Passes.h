// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_PASSES_RAISE_PASSES_H
#define RAF_PASSES_RAISE_PASSES_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::raf {
#define GEN_PASS_DECL
#include "passes/raise/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/raise/Passes.h.inc"

/// Patterns of raf-raise, one function a file.
void populateRaiseAttention(RewritePatternSet &patterns);
void populateRaiseCrossEntropy(RewritePatternSet &patterns);
void populateRaiseIndexing(RewritePatternSet &patterns);
void populateRaiseNorm(RewritePatternSet &patterns);
void populateRaisePointwise(RewritePatternSet &patterns);
void populateRaiseRandom(RewritePatternSet &patterns);
void populateRaiseScan(RewritePatternSet &patterns);
void populateRaiseSoftmax(RewritePatternSet &patterns);
} // namespace mlir::raf

#endif // RAF_PASSES_RAISE_PASSES_H
