// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators on the bits of numbers: bitcast_convert and reduce_precision.
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Elementwise.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

static Value toBits(TensorBuilder &b, Value x) {
  RankedTensorType type = TensorBuilder::typeOf(x);
  return b.fold<BitcastOp>(type.clone(b.getBuilder().getIntegerType(type.getElementTypeBitWidth())), x);
}

// Consecutive elements of the last dimension become one wider element, the first in the lowest bits.
static Value joinBits(TensorBuilder &b, Value x, unsigned width) {
  RankedTensorType type = TensorBuilder::typeOf(x);
  int64_t last = type.getRank() - 1, count = type.getDimSize(last);
  unsigned narrow = type.getElementTypeBitWidth();
  Value result;
  for (int64_t k = 0; k < count; ++k) {
    SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape()), strides(type.getRank(), 1);
    starts[last] = k;
    limits[last] = k + 1;
    Value piece = convertValue(b, b.reshape(b.slice(x, starts, limits, strides), type.getShape().drop_back()), true, b.getBuilder().getIntegerType(width), true);
    if (k > 0)
      piece = b.fold<ShiftLeftOp>(piece, intSplat(b, piece.getType(), APInt(width, k * narrow)));
    result = result ? b.fold<OrOp>(result, piece) : piece;
  }
  return result;
}

// Each element becomes a row of narrower ones.
static Value splitBits(TensorBuilder &b, Value x, unsigned width) {
  RankedTensorType type = TensorBuilder::typeOf(x);
  unsigned wide = type.getElementTypeBitWidth();
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(1);
  SmallVector<Value> pieces;
  for (unsigned k = 0; k < wide / width; ++k) {
    Value shifted = k == 0 ? x : b.fold<ShiftRightLogicalOp>(x, intSplat(b, type, APInt(wide, k * width)));
    pieces.push_back(b.reshape(convertValue(b, shifted, true, b.getBuilder().getIntegerType(width), true), shape));
  }
  return b.fold<ConcatOp>(ValueRange(pieces), type.getRank());
}

static LogicalResult bitcastConvert(Importer &importer, Operation &op, TensorBuilder &b) {
  Value x = importer.operand(op, 0);
  RankedTensorType from = TensorBuilder::typeOf(x), to = importer.resultType(op);
  if (from == to)
    return importer.setResult(op, x), success();
  int64_t fromWidth = from.getElementTypeBitWidth(), toWidth = to.getElementTypeBitWidth();
  SmallVector<int64_t> expected(from.getShape());
  if (fromWidth > toWidth)
    expected.push_back(fromWidth / toWidth);
  bool valid = fromWidth > 1 && toWidth > 1;
  if (fromWidth < toWidth) {
    valid &= !expected.empty() && expected.back() == toWidth / fromWidth;
    if (valid)
      expected.pop_back();
  }
  if (!valid || to.getShape() != ArrayRef(expected))
    return op.emitOpError() << "needs a result with the same bits, from " << op.getOperand(0).getType() << " got " << op.getResult(0).getType();
  if (from.getNumElements() == 0)
    return importer.setResult(op, b.zeros(to)), success();
  Value bits = toBits(b, x);
  if (fromWidth < toWidth)
    bits = joinBits(b, bits, toWidth);
  else if (fromWidth > toWidth)
    bits = splitBits(b, bits, toWidth);
  importer.setResult(op, b.fold<BitcastOp>(to, bits));
  return success();
}

// Rounds to a format with fewer bits, in the bits of the wider one: to nearest even, then beyond the largest exponent infinity, below the smallest a signed zero.
static Value roundToFormat(TensorBuilder &b, Value x, unsigned exponentBits, unsigned mantissaBits) {
  auto floating = cast<FloatType>(getElementTypeOrSelf(x.getType()));
  unsigned width = floating.getWidth(), mantissa = floating.getFPMantissaWidth() - 1, exponent = width - 1 - mantissa;
  Value bits = toBits(b, x);
  auto splat = [&](const APInt &value) { return intSplat(b, bits.getType(), value); };
  if (mantissaBits < mantissa) {
    unsigned dropped = mantissa - mantissaBits;
    Value last = b.fold<AndOp>(b.fold<ShiftRightLogicalOp>(bits, splat(APInt(width, dropped))), splat(APInt(width, 1)));
    Value bias = b.add(last, splat(APInt::getLowBitsSet(width, dropped - 1)));
    bits = b.fold<AndOp>(b.add(bits, bias), splat(~APInt::getLowBitsSet(width, dropped)));
  }
  if (exponentBits < exponent) {
    APInt mask = APInt::getBitsSet(width, mantissa, width - 1), signMask = APInt::getSignMask(width);
    uint64_t bias = (uint64_t(1) << (exponent - 1)) - 1, reduced = (uint64_t(1) << (exponentBits - 1)) - 1;
    Value field = b.fold<AndOp>(bits, splat(mask)), sign = b.fold<AndOp>(bits, splat(signMask));
    Value large = b.compare(CompareKind::gt, field, splat(APInt(width, bias + reduced).shl(mantissa)));
    Value small = b.compare(CompareKind::le, field, splat(APInt(width, bias - reduced).shl(mantissa)));
    bits = b.select(large, b.fold<OrOp>(sign, splat(mask)), b.select(small, sign, bits));
  }
  return b.select(b.fold<IsNanOp>(x), x, b.fold<BitcastOp>(x.getType(), bits));
}

// The formats that raf has are conversions there and back, which have a gradient. XLA makes zeros of what rounds below the least normal f16.
static Value roundByCast(TensorBuilder &b, Value x, int64_t exponentBits, int64_t mantissaBits) {
  Type element = getElementTypeOrSelf(x.getType());
  bool isHalf = exponentBits == 5 && mantissaBits == 10, isBrain = exponentBits == 8 && mantissaBits == 7;
  if (!element.isF32() || (!isHalf && !isBrain))
    return {};
  Value rounded = b.cast(b.cast(x, isHalf ? Type(b.getBuilder().getF16Type()) : Type(b.getBuilder().getBF16Type())), element);
  if (isBrain)
    return rounded;
  Value vanishes = b.compare(CompareKind::lt, b.abs(x), 0x1p-14 - 0x1p-26);
  return b.select(vanishes, b.mul(rounded, 0.0), rounded);
}

static LogicalResult reducePrecision(Importer &importer, Operation &op, TensorBuilder &b) {
  auto exponent = readInt(op, "exponent_bits"), mantissa = readInt(op, "mantissa_bits");
  Value x = importer.operand(op, 0);
  if (failed(exponent) || failed(mantissa))
    return failure();
  if (!isFloat(x) || *exponent < 1 || *exponent > 11 || *mantissa < 0)
    return op.emitOpError() << "needs a floating-point operand, 1 to 11 exponent bits and at least 0 mantissa bits, got " << op.getOperand(0).getType() << ", "
                            << *exponent << " and " << *mantissa;
  if (Value rounded = roundByCast(b, x, *exponent, *mantissa))
    return importer.setResult(op, rounded), success();
  // Bits have no gradient; rounding has that of what it is nearly, the identity, rounded alike.
  std::string name = ("reduce_precision." + Twine(*exponent) + "." + Twine(*mantissa)).str();
  importer.setResult(op, importer.callSelfAdjoint(name, b, x, [&](TensorBuilder &at, Value value) { return roundToFormat(at, value, *exponent, std::min<int64_t>(*mantissa, 64)); }));
  return success();
}

void mlir::raf::stablehlo::addBitHandlers(HandlerTable &table) {
  table.add("stablehlo.bitcast_convert", {bitcastConvert, 1, 1, 0, Complex::refused, true});
  table.add("stablehlo.reduce_precision", {reducePrecision, 1, 1, 0, Complex::refused, true});
}
