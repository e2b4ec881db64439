// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the source says by other operators is written with those before it is read.
#ifndef RAF_PASSES_IMPORT_STABLEHLO_PREPARE_H
#define RAF_PASSES_IMPORT_STABLEHLO_PREPARE_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::raf::stablehlo {

/// chlo.broadcast_X becomes X of operands that are broadcast to the shape of the result.
void expandBroadcasts(ModuleOp module);
/// A tuple becomes its elements, wherever it is an operand, a result or an argument.
LogicalResult flattenTuples(ModuleOp module);

} // namespace mlir::raf::stablehlo

#endif // RAF_PASSES_IMPORT_STABLEHLO_PREPARE_H
