// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of products over dimensions of two tensors.
#ifndef RAF_PASSES_IMPORT_STABLEHLO_CONTRACTION_H
#define RAF_PASSES_IMPORT_STABLEHLO_CONTRACTION_H

#include "passes/import-stablehlo/Importer.h"

namespace mlir::raf::stablehlo {

struct ContractionDims {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContracting, rhsContracting;
};

/// The dimensions of the result are the batch dimensions, the free ones of lhs and those of rhs. Both have one element type and valid dims.
Value contract(TensorBuilder &b, Value lhs, Value rhs, const ContractionDims &dims);
Parts contractParts(TensorBuilder &b, Parts lhs, Parts rhs, const ContractionDims &dims);

} // namespace mlir::raf::stablehlo

#endif // RAF_PASSES_IMPORT_STABLEHLO_CONTRACTION_H
