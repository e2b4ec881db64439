// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_PASSES_IMPORT_STABLEHLO_LINEARALGEBRA_H
#define RAF_PASSES_IMPORT_STABLEHLO_LINEARALGEBRA_H

#include "passes/import-stablehlo/Importer.h"

namespace mlir::raf::stablehlo {

/// LU and QR, in Factorization.cpp.
void addFactorizationHandlers(HandlerTable &table);
/// Eigenvalues, in Eigen.cpp.
void addEigenHandlers(HandlerTable &table);

} // namespace mlir::raf::stablehlo

#endif // RAF_PASSES_IMPORT_STABLEHLO_LINEARALGEBRA_H
