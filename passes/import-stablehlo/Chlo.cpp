// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The chlo operators, by published formulas.
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Shape.h"
#include "passes/import-stablehlo/SpecialFunctions.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

static constexpr double kPi = 3.14159265358979324, kLogTwo = 0.693147180559945309, kInfinity = std::numeric_limits<double>::infinity();

static Value erf(TensorBuilder &b, Value x) { return b.fold<ErfOp>(x); }
static Value tangent(TensorBuilder &b, Value x) { return b.div(b.fold<SinOp>(x), b.fold<CosOp>(x)); }

// Beyond 1 with the factor 1/2 inside, as e^x overflows before sinh x does; e^x - 1 where e^x and e^-x would cancel.
static Value sinh(TensorBuilder &b, Value x) {
  Value isSmall = b.compare(CompareKind::lt, b.abs(x), 1.0);
  Value grown = b.fold<Expm1Op>(b.select(isSmall, x, b.splatLike(x, 0.0)));
  Value small = b.mul(b.add(grown, b.div(grown, b.add(grown, 1.0))), 0.5);
  return b.select(isSmall, small, b.sub(b.exp(b.sub(x, kLogTwo)), b.exp(b.sub(b.neg(x), kLogTwo))));
}
static Value cosh(TensorBuilder &b, Value x) { return b.add(b.exp(b.sub(x, kLogTwo)), b.exp(b.sub(b.neg(x), kLogTwo))); }
static Value rootOfOneMinusSquare(TensorBuilder &b, Value x) { return b.sqrt(b.mul(b.sub(1.0, x), b.add(x, 1.0))); }
static Value asin(TensorBuilder &b, Value x) { return b.mul(b.fold<Atan2Op>(x, b.add(rootOfOneMinusSquare(b, x), 1.0)), 2.0); }
static Value acos(TensorBuilder &b, Value x) {
  Value isEnd = b.compare(CompareKind::eq, x, -1.0);
  return b.select(isEnd, b.splatLike(x, kPi), b.mul(b.fold<Atan2Op>(rootOfOneMinusSquare(b, x), b.add(x, 1.0)), 2.0));
}
static Value atan(TensorBuilder &b, Value x) { return b.fold<Atan2Op>(x, b.splatLike(x, 1.0)); }
static Value acosh(TensorBuilder &b, Value x) {
  Value isLarge = b.compare(CompareKind::gt, x, 1e9), small = b.select(isLarge, b.splatLike(x, 2.0), x);
  Value root = b.sqrt(b.mul(b.add(small, 1.0), b.sub(small, 1.0)));
  return b.select(isLarge, b.add(b.log(x), kLogTwo), b.log(b.add(small, root)));
}
static Value atanh(TensorBuilder &b, Value x) { return b.mul(b.sub(b.log1p(x), b.log1p(b.neg(x))), 0.5); }

static Value isInfinite(TensorBuilder &b, Value x) { return b.compare(CompareKind::eq, b.abs(x), kInfinity); }
static Value isPositiveInfinite(TensorBuilder &b, Value x) { return b.compare(CompareKind::eq, x, kInfinity); }
static Value isNegativeInfinite(TensorBuilder &b, Value x) { return b.compare(CompareKind::eq, x, -kInfinity); }

// 16-bit floats are computed in f32.
template <Value (*function)(TensorBuilder &, Value), Parts (*complex)(TensorBuilder &, Parts) = nullptr>
static LogicalResult unary(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)))
    return failure();
  Parts z = importer.operandParts(op, 0);
  if constexpr (complex != nullptr)
    if (z.imag)
      return importer.setParts(op, 0, complex(b, z)), success();
  Value x = z.real;
  if (!isFloat(x))
    return op.emitOpError() << "needs a floating-point operand, got " << op.getOperand(0).getType();
  Type element = TensorBuilder::typeOf(x).getElementType();
  bool isNarrow = element.getIntOrFloatBitWidth() < 32;
  Value y = function(b, isNarrow ? b.cast(x, b.getBuilder().getF32Type()) : x);
  importer.setResult(op, isNarrow && isFloat(y) ? b.cast(y, element) : y);
  return success();
}

template <Value (*function)(TensorBuilder &, Value, Value)>
static LogicalResult binary(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)) || failed(checkSameTypes(op)))
    return failure();
  Value x = importer.operand(op, 0), y = importer.operand(op, 1);
  if (!isFloat(x))
    return op.emitOpError() << "needs floating-point operands, got " << op.getOperand(0).getType();
  Type element = TensorBuilder::typeOf(x).getElementType(), wide = element.getIntOrFloatBitWidth() < 32 ? b.getBuilder().getF32Type() : element;
  importer.setResult(op, b.cast(function(b, b.cast(x, wide), b.cast(y, wide)), element));
  return success();
}

static LogicalResult square(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)))
    return failure();
  Parts x = importer.operandParts(op, 0);
  importer.setParts(op, 0, multiplyParts(b, x, x));
  return success();
}

static LogicalResult conjugate(Importer &importer, Operation &op, TensorBuilder &b) {
  Parts x = importer.operandParts(op, 0);
  importer.setParts(op, 0, {x.real, x.imag ? b.neg(x.imag) : Value()});
  return success();
}

// The bits of a floating-point number are its magnitude and a sign: a step away from zero adds one to them, a step toward zero takes one off.
static LogicalResult nextAfter(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)) || failed(checkSameTypes(op)))
    return failure();
  Value x = importer.operand(op, 0), target = importer.operand(op, 1);
  if (!isFloat(x))
    return op.emitOpError() << "needs floating-point operands, got " << op.getOperand(0).getType();
  RankedTensorType type = TensorBuilder::typeOf(x);
  unsigned width = type.getElementTypeBitWidth();
  RankedTensorType bitsType = type.clone(b.getBuilder().getIntegerType(width));
  Value bits = b.fold<BitcastOp>(bitsType, x), one = intSplat(b, bitsType, APInt(width, 1));
  Value isZero = b.compare(CompareKind::eq, x, 0.0), grows = b.compare(CompareKind::gt, target, x), isPositive = b.compare(CompareKind::gt, x, 0.0);
  Value away = b.fold<NotOp>(b.fold<XorOp>(grows, isPositive));
  Value moved = b.select(away, b.add(bits, one), b.sub(bits, one));
  Value fromZero = b.select(grows, one, b.fold<OrOp>(one, intSplat(b, bitsType, APInt::getSignMask(width))));
  Value result = b.fold<BitcastOp>(type, b.select(isZero, fromZero, moved));
  result = b.select(b.compare(CompareKind::eq, x, target), target, result);
  Value isNan = b.fold<OrOp>(b.fold<IsNanOp>(x), b.fold<IsNanOp>(target));
  importer.setResult(op, b.select(isNan, b.splatLike(x, std::numeric_limits<double>::quiet_NaN()), result));
  return success();
}

// The upper half of the product of two words: up to 32 bits in 64, else in halves of the words.
static LogicalResult multiplyHigh(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)) || failed(checkSameTypes(op)))
    return failure();
  Value x = importer.operand(op, 0), y = importer.operand(op, 1);
  if (isFloat(x) || isBool(x))
    return op.emitOpError() << "needs integers, got " << op.getOperand(0).getType();
  bool isUnsigned = stablehlo::isUnsigned(op.getOperand(0).getType());
  RankedTensorType type = TensorBuilder::typeOf(x);
  unsigned width = type.getElementTypeBitWidth();
  auto shift = [&](Value value, unsigned bits) { return b.fold<ShiftRightLogicalOp>(value, b.splatLike(value, bits)); };
  if (width < 64) {
    auto widen = [&](Value value) { return convertValue(b, value, isUnsigned, b.getBuilder().getI64Type(), isUnsigned); };
    importer.setResult(op, convertValue(b, shift(b.mul(widen(x), widen(y)), width), false, type.getElementType(), false));
    return success();
  }
  auto low = [&](Value value) { return b.fold<AndOp>(value, intSplat(b, type, APInt(64, 0xFFFFFFFF))); };
  Value xl = low(x), xh = shift(x, 32), yl = low(y), yh = shift(y, 32);
  Value middle = b.add(b.mul(xh, yl), shift(b.mul(xl, yl), 32)), other = b.add(b.mul(xl, yh), low(middle));
  Value high = b.add(b.add(b.mul(xh, yh), shift(middle, 32)), shift(other, 32));
  // A negative word is 2^64 less than its bits say.
  auto correction = [&](Value sign, Value factor) { return b.select(b.compare(CompareKind::lt, sign, 0.0), factor, b.splatLike(factor, 0)); };
  importer.setResult(op, isUnsigned ? high : b.sub(b.sub(high, correction(x, y)), correction(y, x)));
  return success();
}

static LogicalResult constantLike(Importer &importer, Operation &op, TensorBuilder &b) {
  RankedTensorType type = importer.resultType(op);
  auto value = dyn_cast_or_null<TypedAttr>(op.getAttr("value"));
  if (!value || value.getType() != type.getElementType() || !isa<FloatAttr, IntegerAttr>(value))
    return op.emitOpError() << "needs an attribute 'value' of the element type of the result, got " << op.getAttr("value");
  importer.setResult(op, b.create<ConstantOp>(DenseElementsAttr::get(type, Attribute(value))));
  return success();
}

// With static shapes they were written by other operators before.
static LogicalResult malformedBroadcast(Importer &, Operation &op, TensorBuilder &) { return op.emitOpError() << "needs operands and a result of static shapes"; }

void mlir::raf::stablehlo::addChloHandlers(HandlerTable &table) {
  auto add = [&](StringRef name, Handler handler, int operands = 1, Complex complex = Complex::refused) {
    table.add(("chlo." + name).str(), {handler, operands, 1, 0, complex, true});
  };
  add("square", square, 1, Complex::handled);
  add("conj", conjugate, 1, Complex::handled);
  add("erf", unary<erf>);
  add("erfc", unary<complementaryErf>);
  add("erf_inv", unary<inverseErf>);
  add("bessel_i1e", unary<besselI1e>);
  add("mulhi", multiplyHigh, 2);
  add("lgamma", unary<logGamma>);
  add("digamma", unary<digamma>);
  add("tan", unary<tangent, complexTan>, 1, Complex::handled);
  add("sinh", unary<sinh, complexSinh>, 1, Complex::handled);
  add("cosh", unary<cosh, complexCosh>, 1, Complex::handled);
  add("asin", unary<asin, complexAsin>, 1, Complex::handled);
  add("acos", unary<acos, complexAcos>, 1, Complex::handled);
  add("atan", unary<atan, complexAtan>, 1, Complex::handled);
  add("asinh", unary<realAsinh, complexAsinh>, 1, Complex::handled);
  add("acosh", unary<acosh, complexAcosh>, 1, Complex::handled);
  add("atanh", unary<atanh, complexAtanh>, 1, Complex::handled);
  add("is_inf", unary<isInfinite>);
  add("is_pos_inf", unary<isPositiveInfinite>);
  add("is_neg_inf", unary<isNegativeInfinite>);
  add("next_after", nextAfter, 2);
  add("zeta", binary<hurwitzZeta>, 2);
  add("polygamma", binary<polygamma>, 2);
  add("constant_like", constantLike);
  table.add("chlo.constant", *table.find("stablehlo.constant"));
  for (StringRef name : {"add", "and", "atan2", "compare", "complex", "divide", "maximum", "minimum", "multiply", "next_after", "or", "polygamma", "power", "remainder",
                         "select", "shift_left", "shift_right_arithmetic", "shift_right_logical", "subtract", "xor", "zeta"})
    add(("broadcast_" + name).str(), malformedBroadcast, name == "select" ? 3 : 2, Complex::handled);
  // As JAX exports some of them for old readers.
  for (StringRef name : {"erf", "tan", "sinh", "cosh", "asin", "acos", "atan", "asinh", "acosh", "atanh", "lgamma", "digamma", "erf_inv"})
    if (const HandlerInfo *info = table.find(("chlo." + name).str()))
      table.add(("custom_call.mhlo." + name).str(), *info);
}
