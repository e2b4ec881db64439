// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and functions that complex tensors have too.
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/SpecialFunctions.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

Parts mlir::raf::stablehlo::addParts(TensorBuilder &b, Parts lhs, Parts rhs) {
  return {addValues(b, lhs.real, rhs.real), lhs.imag ? b.add(lhs.imag, rhs.imag) : Value()};
}

Parts mlir::raf::stablehlo::subtractParts(TensorBuilder &b, Parts lhs, Parts rhs) {
  return {b.sub(lhs.real, rhs.real), lhs.imag ? b.sub(lhs.imag, rhs.imag) : Value()};
}

Parts mlir::raf::stablehlo::multiplyParts(TensorBuilder &b, Parts lhs, Parts rhs) {
  if (!lhs.imag)
    return {multiplyValues(b, lhs.real, rhs.real), {}};
  return {b.sub(b.mul(lhs.real, rhs.real), b.mul(lhs.imag, rhs.imag)), b.add(b.mul(lhs.real, rhs.imag), b.mul(lhs.imag, rhs.real))};
}

// The divisor is scaled by its larger part, so that no square overflows (Smith, CACM 5(8), 1962).
Parts mlir::raf::stablehlo::divideParts(TensorBuilder &b, Parts lhs, Parts rhs) {
  Value scale = b.maximum(b.abs(rhs.real), b.abs(rhs.imag));
  Value real = b.div(rhs.real, scale), imag = b.div(rhs.imag, scale);
  Value norm = b.add(b.mul(rhs.real, real), b.mul(rhs.imag, imag));
  return {b.div(b.add(b.mul(lhs.real, real), b.mul(lhs.imag, imag)), norm), b.div(b.sub(b.mul(lhs.imag, real), b.mul(lhs.real, imag)), norm)};
}

// sqrt(re^2 + im^2) without overflow, with the gradient 0 at 0.
static Value magnitude(TensorBuilder &b, Parts z) {
  Value real = b.abs(z.real), imag = b.abs(z.imag), most = b.maximum(real, imag), least = b.minimum(real, imag);
  Value divisor = b.select(b.compare(CompareKind::eq, most, 0.0), b.splatLike(most, 1.0), most);
  Value infinite = b.compare(CompareKind::eq, most, std::numeric_limits<double>::infinity());
  return b.select(infinite, most, b.mul(most, b.sqrt(b.add(b.square(b.div(least, divisor)), 1.0))));
}

static Value sinhValue(TensorBuilder &b, Value x) { return b.mul(b.sub(b.exp(x), b.exp(b.neg(x))), 0.5); }
static Value coshValue(TensorBuilder &b, Value x) { return b.mul(b.add(b.exp(x), b.exp(b.neg(x))), 0.5); }
static Value tangent(TensorBuilder &b, Value x) { return b.div(b.fold<SinOp>(x), b.fold<CosOp>(x)); }

static Parts complexExp(TensorBuilder &b, Parts z) {
  Value scale = b.exp(z.real);
  return {b.mul(scale, b.fold<CosOp>(z.imag)), b.mul(scale, b.fold<SinOp>(z.imag))};
}
static Parts complexExpm1(TensorBuilder &b, Parts z) {
  Value half = b.fold<SinOp>(b.mul(z.imag, 0.5));
  return {b.sub(b.mul(b.fold<Expm1Op>(z.real), b.fold<CosOp>(z.imag)), b.mul(b.square(half), 2.0)), b.mul(b.exp(z.real), b.fold<SinOp>(z.imag))};
}
static Parts complexLog(TensorBuilder &b, Parts z) { return {b.log(magnitude(b, z)), b.fold<Atan2Op>(z.imag, z.real)}; }
static Parts complexLog1p(TensorBuilder &b, Parts z) {
  Value square = b.add(b.mul(z.real, b.add(z.real, 2.0)), b.square(z.imag));
  return {b.mul(b.log1p(square), 0.5), b.fold<Atan2Op>(z.imag, b.add(z.real, 1.0))};
}
// The larger part comes from (|z| + |re|) / 2, where nothing cancels; the smaller one is im / (2 larger).
Parts mlir::raf::stablehlo::complexSqrt(TensorBuilder &b, Parts z) {
  Value large = b.sqrt(b.mul(b.add(magnitude(b, z), b.abs(z.real)), 0.5));
  Value isZero = b.compare(CompareKind::eq, large, 0.0);
  Value small = b.div(b.abs(z.imag), b.mul(b.select(isZero, b.splatLike(large, 1.0), large), 2.0));
  Value left = b.compare(CompareKind::lt, z.real, 0.0);
  Value real = b.select(left, small, large), imag = b.select(left, large, small);
  return {real, b.select(b.compare(CompareKind::lt, z.imag, 0.0), b.neg(imag), imag)};
}
static Parts one(TensorBuilder &b, Parts z) { return {b.splatLike(z.real, 1.0), b.splatLike(z.real, 0.0)}; }
static Parts complexRsqrt(TensorBuilder &b, Parts z) { return divideParts(b, one(b, z), complexSqrt(b, z)); }
static Parts complexSin(TensorBuilder &b, Parts z) {
  return {b.mul(b.fold<SinOp>(z.real), coshValue(b, z.imag)), b.mul(b.fold<CosOp>(z.real), sinhValue(b, z.imag))};
}
static Parts complexCos(TensorBuilder &b, Parts z) {
  return {b.mul(b.fold<CosOp>(z.real), coshValue(b, z.imag)), b.neg(b.mul(b.fold<SinOp>(z.real), sinhValue(b, z.imag)))};
}
static Parts complexTanh(TensorBuilder &b, Parts z) {
  Value real = b.fold<TanhOp>(z.real), imag = tangent(b, z.imag);
  return divideParts(b, {real, imag}, {b.splatLike(real, 1.0), b.mul(real, imag)});
}
Parts mlir::raf::stablehlo::complexTan(TensorBuilder &b, Parts z) {
  Parts turned = complexTanh(b, {b.neg(z.imag), z.real});
  return {turned.imag, b.neg(turned.real)};
}
static Parts complexLogistic(TensorBuilder &b, Parts z) {
  Parts decay = complexExp(b, {b.neg(z.real), b.neg(z.imag)});
  return divideParts(b, one(b, z), {b.add(decay.real, 1.0), decay.imag});
}
static Parts complexCbrt(TensorBuilder &b, Parts z) {
  Parts log = complexLog(b, z);
  return complexExp(b, {b.mul(log.real, 1.0 / 3.0), b.mul(log.imag, 1.0 / 3.0)});
}
static Parts complexSign(TensorBuilder &b, Parts z) {
  Value size = magnitude(b, z), isZero = b.compare(CompareKind::eq, size, 0.0);
  Value divisor = b.select(isZero, b.splatLike(size, 1.0), size);
  return {b.div(z.real, divisor), b.div(z.imag, divisor)};
}
static Parts complexPower(TensorBuilder &b, Parts z, Parts w) {
  Parts result = complexExp(b, multiplyParts(b, w, complexLog(b, z)));
  auto isZero = [&](Parts parts) {
    return b.fold<AndOp>(b.compare(CompareKind::eq, parts.real, 0.0), b.compare(CompareKind::eq, parts.imag, 0.0));
  };
  Value zeroBase = isZero(z), zeroExponent = isZero(w), zero = b.splatLike(z.real, 0.0);
  Value real = b.select(zeroExponent, b.splatLike(z.real, 1.0), b.select(zeroBase, zero, result.real));
  return {real, b.select(b.fold<OrOp>(zeroBase, zeroExponent), zero, result.imag)};
}

//===-- inverse functions ----------------------------------------------------------------------------------------===//

// Kahan, Branch Cuts for Complex Elementary Functions (1987): products of square roots, so that nothing cancels and each side of a cut has its value.
static Parts roots(TensorBuilder &b, Value real, Value imag) { return complexSqrt(b, {real, imag}); }
static Parts timesI(TensorBuilder &b, Parts z) { return {b.neg(z.imag), z.real}; }
static Parts overI(TensorBuilder &b, Parts z) { return {z.imag, b.neg(z.real)}; }

Parts mlir::raf::stablehlo::complexAsin(TensorBuilder &b, Parts z) {
  Parts above = roots(b, b.add(z.real, 1.0), z.imag), below = roots(b, b.sub(1.0, z.real), b.neg(z.imag));
  Value real = b.sub(b.mul(above.real, below.real), b.mul(above.imag, below.imag)), imag = b.sub(b.mul(below.real, above.imag), b.mul(below.imag, above.real));
  return {b.fold<Atan2Op>(z.real, real), realAsinh(b, imag)};
}
Parts mlir::raf::stablehlo::complexAcos(TensorBuilder &b, Parts z) {
  Parts above = roots(b, b.add(z.real, 1.0), z.imag), below = roots(b, b.sub(1.0, z.real), b.neg(z.imag));
  Value imag = b.sub(b.mul(above.real, below.imag), b.mul(above.imag, below.real));
  return {b.mul(b.fold<Atan2Op>(below.real, above.real), 2.0), realAsinh(b, imag)};
}
Parts mlir::raf::stablehlo::complexAcosh(TensorBuilder &b, Parts z) {
  Parts above = roots(b, b.add(z.real, 1.0), z.imag), below = roots(b, b.sub(z.real, 1.0), z.imag);
  Value real = b.add(b.mul(below.real, above.real), b.mul(below.imag, above.imag));
  return {realAsinh(b, real), b.mul(b.fold<Atan2Op>(below.imag, above.real), 2.0)};
}
Parts mlir::raf::stablehlo::complexAsinh(TensorBuilder &b, Parts z) { return overI(b, complexAsin(b, timesI(b, z))); }
Parts mlir::raf::stablehlo::complexAtanh(TensorBuilder &b, Parts z) {
  Value rest = b.sub(1.0, z.real), square = b.square(z.imag);
  Value real = b.mul(b.log1p(b.div(b.mul(z.real, 4.0), b.add(b.square(rest), square))), 0.25);
  Value imag = b.fold<Atan2Op>(b.mul(z.imag, 2.0), b.sub(b.mul(rest, b.add(z.real, 1.0)), square));
  return {real, b.mul(imag, 0.5)};
}
Parts mlir::raf::stablehlo::complexAtan(TensorBuilder &b, Parts z) { return overI(b, complexAtanh(b, timesI(b, z))); }
Parts mlir::raf::stablehlo::complexSinh(TensorBuilder &b, Parts z) {
  return {b.mul(sinhValue(b, z.real), b.fold<CosOp>(z.imag)), b.mul(coshValue(b, z.real), b.fold<SinOp>(z.imag))};
}
Parts mlir::raf::stablehlo::complexCosh(TensorBuilder &b, Parts z) {
  return {b.mul(coshValue(b, z.real), b.fold<CosOp>(z.imag)), b.mul(sinhValue(b, z.real), b.fold<SinOp>(z.imag))};
}

//===-- handlers -------------------------------------------------------------------------------------------------===//

template <typename Op>
static Value realOp(TensorBuilder &b, Value x) {
  return b.fold<Op>(x);
}

// A function of floating-point or complex numbers.
template <Value (*real)(TensorBuilder &, Value), Parts (*complex)(TensorBuilder &, Parts)>
static LogicalResult function(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)))
    return failure();
  Parts z = importer.operandParts(op, 0);
  if (!isFloat(z.real))
    return op.emitOpError() << "needs a floating-point or complex operand, got " << op.getOperand(0).getType();
  importer.setParts(op, 0, z.imag ? complex(b, z) : Parts{real(b, z.real), {}});
  return success();
}

static LogicalResult absolute(Importer &importer, Operation &op, TensorBuilder &b) {
  Parts z = importer.operandParts(op, 0);
  if (failed(checkSameShapes(op)) || isBool(z.real))
    return op.emitOpError() << "needs numbers, got " << op.getOperand(0).getType();
  importer.setResult(op, z.imag ? magnitude(b, z) : b.abs(z.real));
  return success();
}

static LogicalResult sign(Importer &importer, Operation &op, TensorBuilder &b) {
  Parts z = importer.operandParts(op, 0);
  if (failed(checkSameShapes(op)) || isBool(z.real))
    return op.emitOpError() << "needs numbers, got " << op.getOperand(0).getType();
  importer.setParts(op, 0, z.imag ? complexSign(b, z) : Parts{b.fold<SignOp>(z.real), {}});
  return success();
}

static LogicalResult multiply(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)) || failed(checkSameTypes(op)))
    return failure();
  importer.setParts(op, 0, multiplyParts(b, importer.operandParts(op, 0), importer.operandParts(op, 1)));
  return success();
}

static LogicalResult divide(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)) || failed(checkSameTypes(op)))
    return failure();
  Parts lhs = importer.operandParts(op, 0), rhs = importer.operandParts(op, 1);
  if (isBool(lhs.real))
    return op.emitOpError() << "needs numbers, got " << op.getOperand(0).getType();
  Parts result;
  if (lhs.imag)
    result = divideParts(b, lhs, rhs);
  else
    result.real = isUnsigned(op.getOperand(0).getType()) ? b.fold<DivUnsignedOp>(lhs.real, rhs.real) : b.div(lhs.real, rhs.real);
  importer.setParts(op, 0, result);
  return success();
}

static LogicalResult power(Importer &importer, Operation &op, TensorBuilder &b) {
  if (failed(checkSameShapes(op)) || failed(checkSameTypes(op)))
    return failure();
  Parts lhs = importer.operandParts(op, 0), rhs = importer.operandParts(op, 1);
  if (isBool(lhs.real))
    return op.emitOpError() << "needs numbers, got " << op.getOperand(0).getType();
  importer.setParts(op, 0, lhs.imag ? complexPower(b, lhs, rhs) : Parts{powerValues(b, lhs.real, rhs.real, isUnsigned(op.getOperand(0).getType())), {}});
  return success();
}

static LogicalResult makeComplex(Importer &importer, Operation &op, TensorBuilder &) {
  if (failed(checkSameShapes(op)) || failed(checkSameTypes(op)))
    return failure();
  importer.setParts(op, 0, {importer.operand(op, 0), importer.operand(op, 1)});
  return success();
}

static LogicalResult realPart(Importer &importer, Operation &op, TensorBuilder &) {
  importer.setParts(op, 0, {importer.operandParts(op, 0).real, {}});
  return success();
}

static LogicalResult imagPart(Importer &importer, Operation &op, TensorBuilder &b) {
  Parts z = importer.operandParts(op, 0);
  importer.setParts(op, 0, {z.imag ? z.imag : b.zeros(z.real.getType()), {}});
  return success();
}

void mlir::raf::stablehlo::addComplexHandlers(HandlerTable &table) {
  auto add = [&](StringRef name, Handler handler, int operands = 1) {
    table.add(("stablehlo." + name).str(), {handler, operands, 1, 0, Complex::handled, true});
  };
  add("abs", absolute);
  add("sign", sign);
  add("multiply", multiply, 2);
  add("divide", divide, 2);
  add("power", power, 2);
  add("complex", makeComplex, 2);
  add("real", realPart);
  add("imag", imagPart);
  add("exponential", function<realOp<ExpOp>, complexExp>);
  add("exponential_minus_one", function<realOp<Expm1Op>, complexExpm1>);
  add("log", function<realOp<LogOp>, complexLog>);
  add("log_plus_one", function<realOp<Log1pOp>, complexLog1p>);
  add("sqrt", function<realOp<SqrtOp>, complexSqrt>);
  add("rsqrt", function<realOp<RsqrtOp>, complexRsqrt>);
  add("cbrt", function<realOp<CbrtOp>, complexCbrt>);
  add("sine", function<realOp<SinOp>, complexSin>);
  add("cosine", function<realOp<CosOp>, complexCos>);
  add("tan", function<tangent, complexTan>);
  add("tanh", function<realOp<TanhOp>, complexTanh>);
  add("logistic", function<realOp<SigmoidOp>, complexLogistic>);
}
