// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointwise arithmetic with StableHLO's conventions, for all families: sums and products of i1 are logical, unsigned integers order by their unsigned value, and
// integer arithmetic on constants gives constants.
#ifndef RAF_PASSES_IMPORT_STABLEHLO_ELEMENTWISE_H
#define RAF_PASSES_IMPORT_STABLEHLO_ELEMENTWISE_H

#include "passes/import-stablehlo/Importer.h"

namespace mlir::raf::stablehlo {

Value addValues(TensorBuilder &b, Value lhs, Value rhs);
Value multiplyValues(TensorBuilder &b, Value lhs, Value rhs);
Value extremum(TensorBuilder &b, bool isMax, Value lhs, Value rhs, bool isUnsigned);
/// `kind` is one of the six signed comparisons.
Value compareValues(TensorBuilder &b, CompareKind kind, Value lhs, Value rhs, bool isUnsigned);
Value selectValues(TensorBuilder &b, Value pred, Value onTrue, Value onFalse);
Value convertValue(TensorBuilder &b, Value x, bool fromUnsigned, Type element, bool toUnsigned);
Value powerValues(TensorBuilder &b, Value lhs, Value rhs, bool isUnsigned);
/// A scalar replicated to the shape of `like`; a tensor as it is.
Value replicateScalar(TensorBuilder &b, Value x, Value like);
Value intSplat(TensorBuilder &b, Type type, const APInt &value);
/// The value of an integer constant whose elements are all the same.
std::optional<APInt> constantInt(Value value);

/// Operands and results have one shape (the types may differ); operands have one type.
LogicalResult checkSameShapes(Operation &op);
LogicalResult checkSameTypes(Operation &op);

//===-- complex numbers ------------------------------------------------------------------------------------------===//

Parts addParts(TensorBuilder &b, Parts lhs, Parts rhs);
Parts subtractParts(TensorBuilder &b, Parts lhs, Parts rhs);
Parts multiplyParts(TensorBuilder &b, Parts lhs, Parts rhs);
/// Of complex numbers.
Parts divideParts(TensorBuilder &b, Parts lhs, Parts rhs);
/// Applies a function that moves elements without computing on them to each part that there is.
template <typename Function>
Parts mapParts(Parts parts, Function function) {
  return {parts.real ? function(parts.real) : Value(), parts.imag ? function(parts.imag) : Value()};
}

Parts complexSqrt(TensorBuilder &b, Parts z);
Parts complexTan(TensorBuilder &b, Parts z);
Parts complexAsin(TensorBuilder &b, Parts z);
Parts complexAcos(TensorBuilder &b, Parts z);
Parts complexAtan(TensorBuilder &b, Parts z);
Parts complexAsinh(TensorBuilder &b, Parts z);
Parts complexAcosh(TensorBuilder &b, Parts z);
Parts complexAtanh(TensorBuilder &b, Parts z);
Parts complexSinh(TensorBuilder &b, Parts z);
Parts complexCosh(TensorBuilder &b, Parts z);

void addComplexHandlers(HandlerTable &table);
void addBitHandlers(HandlerTable &table);

} // namespace mlir::raf::stablehlo

#endif // RAF_PASSES_IMPORT_STABLEHLO_ELEMENTWISE_H
