// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourier transforms as products with the matrix of roots of unity; a length with factors p q takes p transforms of length q, twiddles, and q of length p.
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Contraction.h"
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Shape.h"

#include <cmath>

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

// Up to this length one product is taken; a prime length above kMaxPrime would need a matrix of its square.
static constexpr int64_t kDirect = 64, kMaxPrime = 2048;

// e^(sign 2 pi i r c / n) at row r and column c.
static Parts roots(TensorBuilder &b, Type element, int64_t rows, int64_t columns, int64_t n, int sign) {
  SmallVector<APFloat> real, imag;
  auto add = [&](SmallVector<APFloat> &list, double value) {
    APFloat number(value);
    bool lost;
    number.convert(cast<FloatType>(element).getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
    list.push_back(number);
  };
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      double angle = sign * 2.0 * 3.14159265358979324 * static_cast<double>(row * column % n) / static_cast<double>(n);
      add(real, std::cos(angle));
      add(imag, std::sin(angle));
    }
  RankedTensorType type = RankedTensorType::get({rows, columns}, element);
  return {b.create<ConstantOp>(DenseElementsAttr::get(type, real)), b.create<ConstantOp>(DenseElementsAttr::get(type, imag))};
}

static int64_t factorOf(int64_t n) {
  for (int64_t factor = static_cast<int64_t>(std::sqrt(static_cast<double>(n))); factor > 1; --factor)
    if (n % factor == 0)
      return factor;
  return 1;
}

static int64_t largestPrime(int64_t n) {
  int64_t largest = 1;
  for (int64_t p = 2; p * p <= n; ++p)
    while (n % p == 0)
      n /= largest = p;
  return std::max(largest, n);
}

// Transforms the last dimension of [rows, n].
static Parts transformRows(TensorBuilder &b, Parts x, int sign) {
  RankedTensorType type = TensorBuilder::typeOf(x.real);
  int64_t rows = type.getDimSize(0), n = type.getDimSize(1), p = n <= kDirect ? 1 : factorOf(n), q = n / p;
  if (p == 1)
    return contractParts(b, x, roots(b, type.getElementType(), n, n, n, sign), {{}, {}, {1}, {0}});
  // Index j = j1 q' + ... : x[rows, q, p] with j = jq p + jp; transforms over jq, then twiddles e^(jp kq / n), then transforms over jp give k = kq + q kp.
  Parts inner = mapParts(x, [&](Value part) { return b.reshape(b.transpose(b.reshape(part, {rows, q, p}), {0, 2, 1}), {rows * p, q}); });
  inner = mapParts(transformRows(b, inner, sign), [&](Value part) { return b.reshape(part, {rows, p, q}); });
  Parts twiddles = mapParts(roots(b, type.getElementType(), p, q, n, sign), [&](Value part) { return b.broadcast(part, TensorBuilder::typeOf(inner.real), {1, 2}); });
  if (!inner.imag)
    inner.imag = b.zeros(inner.real.getType());
  Parts outer = mapParts(multiplyParts(b, inner, twiddles), [&](Value part) { return b.reshape(b.transpose(part, {0, 2, 1}), {rows * q, p}); });
  return mapParts(transformRows(b, outer, sign), [&](Value part) { return b.reshape(b.transpose(b.reshape(part, {rows, q, p}), {0, 2, 1}), {rows, n}); });
}

static Parts transformDim(TensorBuilder &b, Parts x, int64_t dim, int sign) {
  RankedTensorType type = TensorBuilder::typeOf(x.real);
  SmallVector<int64_t> permutation = dimsLast(type.getRank(), {dim}), ordered;
  for (int64_t d : permutation)
    ordered.push_back(type.getDimSize(d));
  int64_t n = type.getDimSize(dim), rows = type.getNumElements() / n;
  Parts flat = mapParts(x, [&](Value part) { return b.reshape(b.transpose(part, permutation), {rows, n}); });
  return mapParts(transformRows(b, flat, sign), [&](Value part) { return b.transpose(b.reshape(part, ordered), inversePermutation(permutation)); });
}

// The other half of the spectrum of a real signal: conjugates, in each transformed dimension but the last from the other end.
static Parts mirrorSpectrum(TensorBuilder &b, Parts x, ArrayRef<int64_t> dims, int64_t length) {
  int64_t last = dims.back(), half = TensorBuilder::typeOf(x.real).getDimSize(last);
  auto mirror = [&](Value part) {
    Value tail = b.fold<ReverseOp>(sliceDim(b, part, last, 1, length - half + 1), ArrayRef<int64_t>{last});
    for (int64_t dim : dims.drop_back()) {
      int64_t size = TensorBuilder::typeOf(tail).getDimSize(dim);
      if (size > 1)
        tail = concatenate(b, {sliceDim(b, tail, dim, 0, 1), b.fold<ReverseOp>(sliceDim(b, tail, dim, 1, size), ArrayRef<int64_t>{dim})}, dim);
    }
    return tail;
  };
  if (length == half)
    return x;
  return {concatenate(b, {x.real, mirror(x.real)}, last), concatenate(b, {x.imag, b.neg(mirror(x.imag))}, last)};
}

static LogicalResult fft(Importer &importer, Operation &op, TensorBuilder &b) {
  Parts x = importer.operandParts(op, 0);
  RankedTensorType type = TensorBuilder::typeOf(x.real);
  StringRef kind = readEnum(op, "fft_type");
  auto lengths = readInts(op, "fft_length", -1);
  if (failed(lengths))
    return failure();
  int64_t count = lengths->size(), rank = type.getRank();
  bool fromReal = kind == "RFFT", toReal = kind == "IRFFT", inverse = kind == "IFFT" || toReal;
  if ((!fromReal && !inverse && kind != "FFT") || count < 1 || count > 3 || count > rank || !isFloat(x.real) || static_cast<bool>(x.imag) == fromReal)
    return op.emitOpError() << "needs an fft_type of FFT, IFFT, RFFT or IRFFT, one to three lengths and an operand of that kind, got " << op.getAttr("fft_type") << ", "
                            << op.getAttr("fft_length") << " and " << op.getOperand(0).getType();
  SmallVector<int64_t> dims = dimRange(rank - count, rank);
  int64_t total = 1;
  for (auto [dim, length] : llvm::zip(dims, *lengths)) {
    int64_t expected = toReal && dim == rank - 1 ? length / 2 + 1 : length;
    if (length < 1 || length > (1 << 24) || type.getDimSize(dim) != expected)
      return op.emitOpError() << "fft_length must fit dimension " << dim << " of " << op.getOperand(0).getType() << ", got " << length;
    if (largestPrime(length) > kMaxPrime)
      return importer.unsupported(op, "of a length with a prime factor above 2048");
    total *= length;
  }
  if (type.getNumElements() == 0)
    return importer.unsupported(op, "of an empty tensor");
  if (toReal)
    x = mirrorSpectrum(b, x, dims, lengths->back());
  for (int64_t dim : llvm::reverse(dims)) {
    x = transformDim(b, x, dim, inverse ? 1 : -1);
    // A real signal has half a spectrum, so that the other dimensions have half of the work.
    if (fromReal && dim == rank - 1)
      x = mapParts(x, [&](Value part) { return sliceDim(b, part, dim, 0, lengths->back() / 2 + 1); });
  }
  if (inverse)
    x = mapParts(x, [&](Value part) { return b.mul(part, 1.0 / static_cast<double>(total)); });
  importer.setParts(op, 0, {x.real, toReal ? Value() : x.imag});
  return success();
}

void mlir::raf::stablehlo::addFftHandlers(HandlerTable &table) { table.add("stablehlo.fft", {fft, 1, 1, 0, Complex::handled}); }
