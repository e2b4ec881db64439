// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place that knows every dialect and pass that RAF's tools and Python module offer.

#ifndef PASSES_REGISTERALL_H
#define PASSES_REGISTERALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::raf {

/// Registers RAF's dialects, the upstream dialects they lower through, and the external interface models of all of them.
void registerAllDialects(DialectRegistry &registry);

/// Registers RAF's passes and pipelines and the upstream passes that are useful beside them. May be called more than once.
void registerAllPasses();

// The upstream parts, in files of their own because they take long to compile and never change.
void registerUpstreamDialects(DialectRegistry &registry);
void registerUpstreamPasses();

} // namespace mlir::raf

#endif // PASSES_REGISTERALL_H
