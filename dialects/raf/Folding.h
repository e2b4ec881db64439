// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions that folders ask about constants and types.
#ifndef RAF_DIALECTS_RAF_FOLDING_H
#define RAF_DIALECTS_RAF_FOLDING_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"

namespace mlir::raf {

/// Whether the attribute is a tensor with all elements equal to value (floating point or integer).
inline bool isSplat(Attribute attribute, double value) {
  auto splat = llvm::dyn_cast_or_null<SplatElementsAttr>(attribute);
  if (!splat)
    return false;
  if (llvm::isa<FloatType>(splat.getElementType()))
    return splat.getSplatValue<APFloat>().convertToDouble() == value;
  if (splat.getElementType().isInteger(1))
    return splat.getSplatValue<bool>() == (value != 0.0);
  return splat.getSplatValue<APInt>().getSExtValue() == static_cast<int64_t>(value);
}

/// Whether the value is a constant with all elements equal to number.
inline bool isSplatConstant(Value value, double number) {
  Attribute constant;
  return matchPattern(value, m_Constant(&constant)) && isSplat(constant, number);
}

/// Whether every value of `from` is a value of `to`.
inline bool isExactConversion(FloatType from, FloatType to) {
  return APFloat::semanticsPrecision(from.getFloatSemantics()) <= APFloat::semanticsPrecision(to.getFloatSemantics()) &&
         APFloat::semanticsMaxExponent(from.getFloatSemantics()) <= APFloat::semanticsMaxExponent(to.getFloatSemantics());
}

} // namespace mlir::raf

#endif // RAF_DIALECTS_RAF_FOLDING_H
