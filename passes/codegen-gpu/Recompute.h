// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_PASSES_CODEGEN_GPU_RECOMPUTE_H
#define RAF_PASSES_CODEGEN_GPU_RECOMPUTE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::raf {

/// Computes the value again in each op that reads it instead of keeping it; the only reader of what its maker itself overwrites goes before the maker. Fails, keeping all values, where it is a
/// reduction's or would be computed from memory that has been overwritten by then.
LogicalResult recompute(OpResult value);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_RECOMPUTE_H
