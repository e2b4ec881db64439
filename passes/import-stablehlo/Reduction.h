// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions by a function of two scalars, or of two tuples of them.
#ifndef RAF_PASSES_IMPORT_STABLEHLO_REDUCTION_H
#define RAF_PASSES_IMPORT_STABLEHLO_REDUCTION_H

#include "passes/import-stablehlo/Importer.h"

namespace mlir::raf::stablehlo {

/// The name without dialect of the op (add, multiply, maximum, minimum, and, or) that makes result `index` of a region on n + n scalars of its arguments
/// index and n + index; empty when the region does something else.
StringRef matchCombiner(Region &region, unsigned index);
/// Whether combining with the constant leaves every value as it is.
bool isIdentity(StringRef combiner, Value init, bool isUnsigned);
/// Applies such a combiner.
Value combine(TensorBuilder &b, StringRef combiner, Value lhs, Value rhs, bool isUnsigned);
/// Flips the sign bit, which makes the signed order of integers the unsigned one and back.
Value flipSign(TensorBuilder &b, Value x);
/// The operands' counts and types: n tensors of one shape, then n scalars. Gives the tensors, converted to the element types of the scalars, and the scalars.
struct Reduced {
  SmallVector<Parts> inputs, inits;
  SmallVector<int64_t> shape;
};
FailureOr<Reduced> readReduced(Importer &importer, Operation &op, TensorBuilder &b);

} // namespace mlir::raf::stablehlo

#endif // RAF_PASSES_IMPORT_STABLEHLO_REDUCTION_H
