// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_PASSES_GRAPH_EVALUATE_H
#define RAF_PASSES_GRAPH_EVALUATE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mlir::raf {

/// The result of an op of one result on these operands, or null when the op has no rule here or the result would have more than maxElements elements that differ.
/// Floating-point arithmetic is done in f64 and rounded once to the element type.
DenseElementsAttr evaluate(Operation *op, ArrayRef<DenseElementsAttr> operands, int64_t maxElements);

} // namespace mlir::raf

#endif // RAF_PASSES_GRAPH_EVALUATE_H
