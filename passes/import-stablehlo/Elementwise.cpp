// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Elementwise.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

LogicalResult mlir::raf::stablehlo::checkSameShapes(Operation &op) {
  Type first = op.getOperand(0).getType();
  for (Type type : llvm::concat<const Type>(SmallVector<Type>(op.getOperandTypes()), SmallVector<Type>(op.getResultTypes())))
    if (cast<RankedTensorType>(type).getShape() != cast<RankedTensorType>(first).getShape())
      return op.emitOpError() << "needs operands and results of one shape, got " << first << " and " << type;
  return success();
}

LogicalResult mlir::raf::stablehlo::checkSameTypes(Operation &op) {
  Type first = op.getOperand(0).getType();
  for (Type type : op.getOperandTypes())
    if (type != first)
      return op.emitOpError() << "needs operands of one type, got " << first << " and " << type;
  return success();
}

Value mlir::raf::stablehlo::intSplat(TensorBuilder &b, Type type, const APInt &value) {
  auto tensor = cast<RankedTensorType>(type);
  return b.create<ConstantOp>(DenseElementsAttr::get(tensor, value.zextOrTrunc(tensor.getElementTypeBitWidth())));
}

static LogicalResult refuseOperands(Operation &op, StringRef needed) {
  return op.emitOpError() << "needs " << needed << ", got " << op.getOperand(0).getType();
}

//===-- constants of integers ------------------------------------------------------------------------------------===//

std::optional<APInt> mlir::raf::stablehlo::constantInt(Value value) {
  DenseElementsAttr elements;
  if (!value || !matchPattern(value, m_Constant(&elements)) || !elements.isSplat() || !elements.getElementType().isInteger())
    return std::nullopt;
  return elements.getSplatValue<APInt>();
}

// Integer arithmetic on constants is done here, so that indices and the counters of unrolled loops are known.
static std::optional<APInt> foldIntegers(StringRef name, bool isUnsigned, const APInt &a, const APInt &b) {
  if (name == "add")
    return a + b;
  if (name == "subtract")
    return a - b;
  if (name == "multiply")
    return a * b;
  if (name == "and")
    return a & b;
  if (name == "or")
    return a | b;
  if (name == "xor")
    return a ^ b;
  if (name == "maximum")
    return isUnsigned ? llvm::APIntOps::umax(a, b) : llvm::APIntOps::smax(a, b);
  if (name == "minimum")
    return isUnsigned ? llvm::APIntOps::umin(a, b) : llvm::APIntOps::smin(a, b);
  return std::nullopt;
}

static Value foldBinary(TensorBuilder &b, StringRef name, bool isUnsigned, Value lhs, Value rhs) {
  std::optional<APInt> left = constantInt(lhs), right = left ? constantInt(rhs) : std::nullopt;
  if (!left || !right || left->getBitWidth() == 1)
    return {};
  std::optional<APInt> result = foldIntegers(name, isUnsigned, *left, *right);
  return result ? intSplat(b, lhs.getType(), *result) : Value();
}

static bool compareIntegers(CompareKind kind, const APInt &a, const APInt &b) {
  switch (kind) {
  case CompareKind::eq:
    return a == b;
  case CompareKind::ne:
    return a != b;
  case CompareKind::lt:
    return a.slt(b);
  case CompareKind::le:
    return a.sle(b);
  case CompareKind::gt:
    return a.sgt(b);
  case CompareKind::ge:
    return a.sge(b);
  case CompareKind::ult:
    return a.ult(b);
  case CompareKind::ule:
    return a.ule(b);
  case CompareKind::ugt:
    return a.ugt(b);
  case CompareKind::uge:
    return a.uge(b);
  }
  return false;
}

//===-- values ---------------------------------------------------------------------------------------------------===//

Value mlir::raf::stablehlo::compareValues(TensorBuilder &b, CompareKind kind, Value lhs, Value rhs, bool isUnsigned) {
  static const CompareKind unsignedKinds[] = {CompareKind::eq, CompareKind::ne, CompareKind::ult, CompareKind::ule, CompareKind::ugt, CompareKind::uge};
  // As numbers false < true, but a signed bit that is set is -1.
  if (isBool(lhs)) {
    Type byte = b.getBuilder().getI8Type();
    lhs = b.cast(lhs, byte);
    rhs = b.cast(rhs, byte);
  } else if (isUnsigned) {
    kind = unsignedKinds[static_cast<int>(kind)];
  }
  std::optional<APInt> left = constantInt(lhs), right = left ? constantInt(rhs) : std::nullopt;
  if (left && right)
    return intSplat(b, TensorBuilder::typeOf(lhs).clone(b.getBuilder().getI1Type()), APInt(1, compareIntegers(kind, *left, *right)));
  return b.compare(kind, lhs, rhs);
}

Value mlir::raf::stablehlo::selectValues(TensorBuilder &b, Value pred, Value onTrue, Value onFalse) {
  if (std::optional<APInt> known = constantInt(pred))
    return known->isZero() ? onFalse : onTrue;
  return b.select(pred, onTrue, onFalse);
}

Value mlir::raf::stablehlo::extremum(TensorBuilder &b, bool isMax, Value lhs, Value rhs, bool isUnsigned) {
  if (isBool(lhs))
    return isMax ? b.fold<OrOp>(lhs, rhs) : b.fold<AndOp>(lhs, rhs);
  if (Value known = foldBinary(b, isMax ? "maximum" : "minimum", isUnsigned, lhs, rhs))
    return known;
  if (isUnsigned)
    return selectValues(b, compareValues(b, isMax ? CompareKind::gt : CompareKind::lt, lhs, rhs, true), lhs, rhs);
  return isMax ? b.maximum(lhs, rhs) : b.minimum(lhs, rhs);
}

Value mlir::raf::stablehlo::addValues(TensorBuilder &b, Value lhs, Value rhs) {
  if (isBool(lhs))
    return b.fold<OrOp>(lhs, rhs);
  Value known = foldBinary(b, "add", false, lhs, rhs);
  return known ? known : b.add(lhs, rhs);
}

Value mlir::raf::stablehlo::multiplyValues(TensorBuilder &b, Value lhs, Value rhs) {
  if (isBool(lhs))
    return b.fold<AndOp>(lhs, rhs);
  Value known = foldBinary(b, "multiply", false, lhs, rhs);
  return known ? known : b.mul(lhs, rhs);
}

Value mlir::raf::stablehlo::convertValue(TensorBuilder &b, Value x, bool fromUnsigned, Type element, bool toUnsigned) {
  Type from = getElementTypeOrSelf(x.getType());
  if (from == element)
    return x;
  auto fromInteger = dyn_cast<IntegerType>(from), toInteger = dyn_cast<IntegerType>(element);
  if (std::optional<APInt> known = fromInteger && toInteger ? constantInt(x) : std::nullopt) {
    unsigned width = toInteger.getWidth();
    APInt value = width == 1 ? APInt(1, !known->isZero()) : fromUnsigned || known->getBitWidth() == 1 ? known->zextOrTrunc(width) : known->sextOrTrunc(width);
    return intSplat(b, TensorBuilder::typeOf(x).clone(element), value);
  }
  bool isUnsigned = fromInteger ? fromUnsigned : toUnsigned;
  return b.fold<CastOp>(TensorBuilder::typeOf(x).clone(element), x, isUnsigned);
}

//===-- handlers -------------------------------------------------------------------------------------------------===//

template <typename Op>
static LogicalResult unary(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)))
    return failure();
  Value x = importer.operand(op, 0);
  if (!isFloat(x))
    return refuseOperands(op, "a floating-point operand");
  importer.setResult(op, b.fold<Op>(x));
  return success();
}

template <typename Op>
static LogicalResult unaryNumber(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)))
    return failure();
  Value x = importer.operand(op, 0);
  if (isBool(x))
    return refuseOperands(op, "numbers");
  importer.setResult(op, b.fold<Op>(x));
  return success();
}

template <typename Op>
static LogicalResult unaryInteger(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)))
    return failure();
  Value x = importer.operand(op, 0);
  if (isFloat(x) || (isBool(x) && !std::is_same_v<Op, NotOp>))
    return refuseOperands(op, "integers");
  importer.setResult(op, b.fold<Op>(x));
  return success();
}

// A function of one floating-point value that is composed of raf ops.
template <Value (*function)(TensorBuilder &, Value)>
static LogicalResult composed(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)))
    return failure();
  Value x = importer.operand(op, 0);
  if (!isFloat(x))
    return refuseOperands(op, "a floating-point operand");
  importer.setResult(op, function(b, x));
  return success();
}

static Value isFinite(TensorBuilder &b, Value x) { return b.compare(CompareKind::lt, b.abs(x), std::numeric_limits<double>::infinity()); }

// Halves go away from zero. |x| - floor(|x|) is exact, |x| + 0.5 is not.
static Value roundAwayFromZero(TensorBuilder &b, Value x) {
  Value magnitude = b.abs(x), whole = b.fold<FloorOp>(magnitude);
  Value up = b.cast(b.compare(CompareKind::ge, b.sub(magnitude, whole), 0.5), TensorBuilder::typeOf(x).getElementType());
  return b.mul(b.fold<SignOp>(x), b.add(whole, up));
}

enum class Binary { add, subtract, remainder, maximum, minimum };

template <Binary kind>
static LogicalResult arithmetic(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)) || failed(checkSameTypes(op)))
    return failure();
  Value lhs = importer.operand(op, 0), rhs = importer.operand(op, 1), result;
  bool isUnsigned = stablehlo::isUnsigned(op.getOperand(0).getType());
  if (isBool(lhs) && (kind == Binary::subtract || kind == Binary::remainder))
    return refuseOperands(op, "numbers");
  switch (kind) {
  case Binary::add:
    result = addValues(b, lhs, rhs);
    break;
  case Binary::subtract:
    result = foldBinary(b, "subtract", false, lhs, rhs);
    result = result ? result : b.sub(lhs, rhs);
    break;
  case Binary::remainder:
    result = isUnsigned ? b.fold<RemUnsignedOp>(lhs, rhs) : b.fold<RemOp>(lhs, rhs);
    break;
  case Binary::maximum:
  case Binary::minimum:
    result = extremum(b, kind == Binary::maximum, lhs, rhs, isUnsigned);
    break;
  }
  importer.setResult(op, result);
  return success();
}

template <typename Op>
static LogicalResult floatBinary(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)) || failed(checkSameTypes(op)))
    return failure();
  Value lhs = importer.operand(op, 0);
  if (!isFloat(lhs))
    return refuseOperands(op, "floating-point operands");
  importer.setResult(op, b.fold<Op>(lhs, importer.operand(op, 1)));
  return success();
}

template <typename Op>
static LogicalResult bitwise(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)) || failed(checkSameTypes(op)))
    return failure();
  Value lhs = importer.operand(op, 0), rhs = importer.operand(op, 1);
  constexpr bool logical = std::is_same_v<Op, AndOp> || std::is_same_v<Op, OrOp> || std::is_same_v<Op, XorOp>;
  if (isFloat(lhs) || (isBool(lhs) && !logical))
    return refuseOperands(op, "integers");
  Value known = logical ? foldBinary(b, op.getName().stripDialect(), false, lhs, rhs) : Value();
  importer.setResult(op, known ? known : b.fold<Op>(lhs, rhs));
  return success();
}

// An integer power by squaring; the exponent has at most as many steps as it has bits. A negative exponent gives 1 / x^n rounded toward zero.
static Value integerPower(TensorBuilder &b, Value base, Value exponent, bool isUnsigned) {
  Value one = b.splatLike(base, 1), result = one, square = base, bits = exponent;
  std::optional<APInt> known = constantInt(exponent);
  unsigned steps = known ? std::max(1u, known->getActiveBits()) : TensorBuilder::typeOf(base).getElementTypeBitWidth() - (isUnsigned ? 0 : 1);
  for (unsigned step = 0; step < steps; ++step) {
    Value isSet = compareValues(b, CompareKind::ne, known ? intSplat(b, base.getType(), APInt(known->getBitWidth(), (*known)[step])) : b.fold<AndOp>(bits, one),
                                b.splatLike(base, 0), true);
    result = selectValues(b, isSet, b.mul(result, square), result);
    if (step + 1 == steps)
      break;
    square = b.mul(square, square);
    bits = known ? bits : b.fold<ShiftRightLogicalOp>(bits, one);
  }
  if (isUnsigned || (known && known->isNonNegative()))
    return result;
  // 1 stays 1, -1 alternates, anything larger vanishes; the loop above has taken the low bit, which decides the sign.
  Value isUnit = b.compare(CompareKind::eq, b.abs(base), 1);
  Value isOdd = b.compare(CompareKind::ne, b.fold<AndOp>(exponent, one), 0);
  Value inverse = b.select(isUnit, b.select(isOdd, base, one), b.splatLike(base, 0));
  return b.select(b.compare(CompareKind::lt, exponent, 0), inverse, result);
}

Value mlir::raf::stablehlo::powerValues(TensorBuilder &b, Value lhs, Value rhs, bool isUnsigned) {
  return isFloat(lhs) ? b.fold<PowOp>(lhs, rhs) : integerPower(b, lhs, rhs, isUnsigned);
}

// The order of IEEE 754 totalOrder: -NaN < -inf < ... < -0 < 0 < ... < NaN, as integers whose bits below the sign are complemented for negative numbers.
static Value totalOrderKey(TensorBuilder &b, Value x) {
  RankedTensorType type = TensorBuilder::typeOf(x);
  unsigned width = type.getElementTypeBitWidth();
  RankedTensorType integer = type.clone(b.getBuilder().getIntegerType(width));
  Value bits = b.fold<BitcastOp>(integer, x);
  Value negative = b.compare(CompareKind::lt, bits, 0.0);
  return b.select(negative, b.fold<XorOp>(bits, intSplat(b, integer, APInt::getSignedMaxValue(width))), bits);
}

static LogicalResult compare(Importer &importer, Operation &op, TensorBuilder &b) {
  static const llvm::StringMap<CompareKind> kinds = {{"EQ", CompareKind::eq}, {"NE", CompareKind::ne}, {"LT", CompareKind::lt},
                                                     {"LE", CompareKind::le}, {"GT", CompareKind::gt}, {"GE", CompareKind::ge}};
  if (failed(checkSameShapes(op)) || failed(checkSameTypes(op)))
    return failure();
  auto it = kinds.find(readEnum(op, "comparison_direction"));
  if (it == kinds.end())
    return op.emitOpError() << "needs a comparison_direction of EQ, NE, LT, LE, GT or GE, got " << op.getAttr("comparison_direction");
  CompareKind kind = it->second;
  Parts lhs = importer.operandParts(op, 0), rhs = importer.operandParts(op, 1);
  if (lhs.imag) {
    if (kind != CompareKind::eq && kind != CompareKind::ne)
      return op.emitOpError() << "of complex numbers must be EQ or NE";
    Value real = b.compare(kind, lhs.real, rhs.real), imag = b.compare(kind, lhs.imag, rhs.imag);
    importer.setResult(op, kind == CompareKind::eq ? b.fold<AndOp>(real, imag) : b.fold<OrOp>(real, imag));
    return success();
  }
  if (isFloat(lhs.real) && readEnum(op, "compare_type") == "TOTALORDER") {
    lhs.real = totalOrderKey(b, lhs.real);
    rhs.real = totalOrderKey(b, rhs.real);
  }
  importer.setResult(op, compareValues(b, kind, lhs.real, rhs.real, isUnsigned(op.getOperand(0).getType())));
  return success();
}

Value mlir::raf::stablehlo::replicateScalar(TensorBuilder &b, Value x, Value like) {
  RankedTensorType type = TensorBuilder::typeOf(x), wanted = TensorBuilder::typeOf(like);
  return type.getRank() == 0 ? b.broadcast(x, type.clone(wanted.getShape()), {}) : x;
}

static LogicalResult select(Importer &importer, Operation &op, TensorBuilder &b) {
  Value pred = importer.operand(op, 0), onTrue = importer.operand(op, 1), onFalse = importer.operand(op, 2);
  pred = replicateScalar(b, pred, onTrue);
  if (!isBool(pred) || op.getOperand(1).getType() != op.getOperand(2).getType() ||
      TensorBuilder::typeOf(pred).getShape() != TensorBuilder::typeOf(onTrue).getShape())
    return op.emitOpError() << "needs a predicate of i1 and two values of one type and shape, got " << op.getOperandTypes();
  importer.setResult(op, selectValues(b, pred, onTrue, onFalse));
  return success();
}

static LogicalResult clamp(Importer &importer, Operation &op, TensorBuilder &b) {
  Value x = importer.operand(op, 1);
  Value low = replicateScalar(b, importer.operand(op, 0), x), high = replicateScalar(b, importer.operand(op, 2), x);
  if (low.getType() != x.getType() || high.getType() != x.getType())
    return op.emitOpError() << "needs bounds that are scalars or have the type of the operand, got " << op.getOperandTypes();
  bool isUnsigned = stablehlo::isUnsigned(op.getOperand(1).getType());
  importer.setResult(op, extremum(b, false, extremum(b, true, low, x, isUnsigned), high, isUnsigned));
  return success();
}

static LogicalResult convert(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)))
    return failure();
  Parts x = importer.operandParts(op, 0);
  RankedTensorType type = importer.resultType(op);
  bool from = isUnsigned(op.getOperand(0).getType()), to = isUnsigned(op.getResult(0).getType());
  Parts y;
  y.real = convertValue(b, x.real, from, type.getElementType(), to);
  if (isComplex(op.getResult(0).getType()))
    y.imag = x.imag ? convertValue(b, x.imag, from, type.getElementType(), to) : b.zeros(type);
  importer.setParts(op, 0, y);
  return success();
}

static LogicalResult constant(Importer &importer, Operation &op, TensorBuilder &b) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(op.getAttr("value"));
  if (!elements)
    return op.emitOpError() << "needs a dense attribute 'value', got " << op.getAttr("value");
  if (elements.getType() != op.getResult(0).getType())
    return op.emitOpError() << "needs a value of the type of the result, expected " << op.getResult(0).getType() << ", got " << elements.getType();
  RankedTensorType type = importer.resultType(op);
  Parts parts;
  auto make = [&](DenseElementsAttr value) -> Value { return b.create<ConstantOp>(value.isSplat() ? cast<ElementsAttr>(value.resizeSplat(type)) : value); };
  if (auto complex = dyn_cast<ComplexType>(elements.getElementType())) {
    SmallVector<APFloat> real, imag;
    for (const auto &value : elements.getValues<std::complex<APFloat>>()) {
      real.push_back(value.real());
      imag.push_back(value.imag());
    }
    RankedTensorType scalar = RankedTensorType::get(elements.getType().getShape(), complex.getElementType());
    parts = {make(DenseElementsAttr::get(scalar, real)), make(DenseElementsAttr::get(scalar, imag))};
  } else {
    if (auto integer = dyn_cast<IntegerType>(elements.getElementType()); integer && !integer.isSignless())
      elements = elements.bitcast(type.getElementType());
    parts.real = make(elements);
  }
  importer.setParts(op, 0, parts);
  return success();
}

void mlir::raf::stablehlo::addElementwiseHandlers(HandlerTable &table) {
  auto add = [&](StringRef name, Handler handler, int operands, Complex complex = Complex::refused) {
    table.add(("stablehlo." + name).str(), {handler, operands, 1, 0, complex, true});
  };
  add("constant", constant, 0, Complex::handled);
  add("floor", unary<FloorOp>, 1);
  add("ceil", unary<CeilOp>, 1);
  add("round_nearest_even", unary<RoundOp>, 1);
  add("round_nearest_afz", composed<roundAwayFromZero>, 1);
  add("is_finite", composed<isFinite>, 1);
  add("negate", unaryNumber<NegOp>, 1, Complex::eachPart);
  add("not", unaryInteger<NotOp>, 1);
  add("popcnt", unaryInteger<PopcountOp>, 1);
  add("count_leading_zeros", unaryInteger<CountLeadingZerosOp>, 1);
  add("add", arithmetic<Binary::add>, 2, Complex::eachPart);
  add("subtract", arithmetic<Binary::subtract>, 2, Complex::eachPart);
  add("remainder", arithmetic<Binary::remainder>, 2);
  add("maximum", arithmetic<Binary::maximum>, 2);
  add("minimum", arithmetic<Binary::minimum>, 2);
  add("atan2", floatBinary<Atan2Op>, 2);
  add("and", bitwise<AndOp>, 2);
  add("or", bitwise<OrOp>, 2);
  add("xor", bitwise<XorOp>, 2);
  add("shift_left", bitwise<ShiftLeftOp>, 2);
  add("shift_right_logical", bitwise<ShiftRightLogicalOp>, 2);
  add("shift_right_arithmetic", bitwise<ShiftRightArithmeticOp>, 2);
  add("compare", compare, 2, Complex::handled);
  add("select", select, 3, Complex::eachPart);
  add("clamp", clamp, 3);
  add("convert", convert, 1, Complex::handled);
  addComplexHandlers(table);
  addBitHandlers(table);
}
