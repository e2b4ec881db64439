// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_DECOMPOSE_LINALG_SCATTER_H
#define PASSES_DECOMPOSE_LINALG_SCATTER_H

#include "mlir/Transforms/DialectConversion.h"

namespace mlir::raf::lower {

/// In place of the loop nests of populateIndexing: ops that compute each element of the result by itself.
void populateByResult(const TypeConverter &types, RewritePatternSet &patterns);

} // namespace mlir::raf::lower

#endif // PASSES_DECOMPOSE_LINALG_SCATTER_H
