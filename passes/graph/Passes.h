// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_PASSES_GRAPH_PASSES_H
#define RAF_PASSES_GRAPH_PASSES_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::raf {
#define GEN_PASS_DECL
#include "passes/graph/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/graph/Passes.h.inc"

void registerGraphExtensions(DialectRegistry &registry);

/// Patterns of raf-simplify.
void populateAlgebraPatterns(RewritePatternSet &patterns);
void populateShapePatterns(RewritePatternSet &patterns);
void populateContractionPatterns(RewritePatternSet &patterns);
void populateIndexingPatterns(RewritePatternSet &patterns);
void populatePoolPatterns(RewritePatternSet &patterns);
void populateRecurrencePatterns(RewritePatternSet &patterns);
void populateLossPatterns(RewritePatternSet &patterns);
} // namespace mlir::raf

#endif // RAF_PASSES_GRAPH_PASSES_H
