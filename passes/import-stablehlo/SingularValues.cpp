// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Singular values by rotations of pairs of columns until all are orthogonal (Hestenes, 1958): the lengths of the columns are the singular values, their directions the
// left vectors, the rotations the right ones. That finds the small singular values as exactly as the large ones.
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Jacobi.h"
#include "passes/import-stablehlo/LinearAlgebra.h"
#include "passes/import-stablehlo/Shape.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

namespace {
// u [count, rows, k], s [count, n], v [count, n, n].
struct Decomposition {
  Parts u;
  Value s;
  Parts v;

  SmallVector<Value> values() const { return flattenParts({u, {s, {}}, v}); }
  static Decomposition read(ValueRange values) {
    bool isComplex = values.size() == 5;
    auto at = [&](unsigned index) { return isComplex ? Parts{values[index], values[index + 1]} : Parts{values[index], {}}; };
    return {at(0), values[isComplex ? 2 : 1], at(isComplex ? 3 : 2)};
  }
};
} // namespace

static Value columnSums(TensorBuilder &b, Value x) { return b.sum(x, {1}); }

// Of matrices with at least as many rows as columns; with `all` u is square.
static Decomposition decompose(TensorBuilder &b, Parts a, bool all) {
  RankedTensorType type = TensorBuilder::typeOf(a.real);
  int64_t count = type.getDimSize(0), rows = type.getDimSize(1), n = type.getDimSize(2);
  Jacobi jacobi{b, count, n + n % 2, (n + n % 2) / 2};
  // Squares must neither overflow nor vanish.
  Value largest = b.reduce(ReduceKind::max, b.abs(a.real), {1, 2});
  if (a.imag)
    largest = b.maximum(largest, b.reduce(ReduceKind::max, b.abs(a.imag), {1, 2}));
  Value scale = b.select(b.compare(CompareKind::gt, largest, 0.0), largest, b.splatLike(largest, 1.0));
  a = mapParts(a, [&](Value part) { return b.div(part, b.broadcast(scale, type, {0})); });
  // A column of zeros makes the order even. It never turns, and stays behind all others.
  a = mapParts(a, [&](Value part) { return b.pad(part, {0, 0, 0}, {0, 0, n % 2}, {0, 0, 0}); });
  RankedTensorType square = RankedTensorType::get({count, jacobi.order, jacobi.order}, type.getElementType()), index = square.clone(b.getBuilder().getI32Type());
  Value isDiagonal = b.compare(CompareKind::eq, b.iota(index, 1), b.iota(index, 2));
  Parts v{b.select(isDiagonal, b.splat(square, 1.0), b.zeros(square)), a.imag ? b.zeros(square) : Value()};
  if (n > 1) {
    SmallVector<Parts> found = jacobi.sweep({a, v}, [&](ArrayRef<Parts> carried) -> SmallVector<Parts> {
      Parts a = carried[0], v = carried[1], top = jacobi.upper(a, 2), bottom = jacobi.lower(a, 2);
      Value p = columnSums(b, squareMagnitude(b, top)), q = columnSums(b, squareMagnitude(b, bottom));
      Parts product = mapParts(multiplyParts(b, conjugateParts(b, top), bottom), [&](Value part) { return columnSums(b, part); });
      auto [off, factor] = jacobi.turn(product);
      auto [cosine, sine] = jacobi.rotation(p, q, off);
      return {jacobi.rotate(jacobi.scaleLower(a, 2, factor), 2, cosine, sine), jacobi.rotate(jacobi.scaleLower(v, 2, factor), 2, cosine, sine)};
    });
    a = found[0];
    v = found[1];
  }
  Value lengths = b.sqrt(columnSums(b, squareMagnitude(b, a))), places = ascendingOrder(b, b.neg(lengths));
  auto sorted = [&](Parts x) {
    return mapParts(x, [&](Value part) {
      RankedTensorType whole = TensorBuilder::typeOf(part);
      Value columns = b.broadcast(places, whole.clone(b.getBuilder().getI32Type()), {0, 2});
      return sliceDim(b, b.fold<TakeAlongAxisOp>(part, columns, 2), 2, 0, n);
    });
  };
  Value s = sliceDim(b, b.fold<TakeAlongAxisOp>(lengths, places, 1), 1, 0, n);
  a = sorted(a);
  v = mapParts(sorted(v), [&](Value part) { return sliceDim(b, part, 1, 0, n); });
  Value isZero = b.compare(CompareKind::eq, s, 0.0), divisor = b.broadcast(b.select(isZero, b.splatLike(s, 1.0), s), type, {0, 2});
  a = mapParts(a, [&](Value part) { return b.div(part, divisor); });
  // The directions as columns of a product of reflectors: that is orthogonal too where a singular value vanishes, and has as many more columns as are wanted.
  int64_t width = all ? rows : n;
  a = mapParts(a, [&](Value part) { return b.pad(part, {0, 0, 0}, {0, 0, width - n}, {0, 0, 0}); });
  Reflectors reflectors = householder(b, a);
  RankedTensorType wide = RankedTensorType::get({count, rows, width}, type.getElementType()), places32 = wide.clone(b.getBuilder().getI32Type());
  Value onDiagonal = b.compare(CompareKind::eq, b.iota(places32, 1), b.iota(places32, 2));
  Value corner = columnSums(b, b.select(onDiagonal, reflectors.packed.real, b.zeros(wide)));
  Value sign = b.select(b.compare(CompareKind::lt, corner, 0.0), b.splatLike(corner, -1.0), b.splatLike(corner, 1.0));
  Parts u = mapParts(multiplyReflectors(b, reflectors), [&](Value part) { return b.mul(part, b.broadcast(sign, wide, {0, 2})); });
  return {u, b.mul(s, b.broadcast(scale, s.getType(), {0})), v};
}

// With G = u^H da v the derivatives are ds = diag G, du = u W and dv = v X for skew W and X, of which W s - s X is the rest of G. Vectors of equal singular values may
// turn in their plane, and those beyond all singular values: they are taken not to.
static Parts gradient(TensorBuilder &b, const Decomposition &f, const Decomposition &d) {
  RankedTensorType values = TensorBuilder::typeOf(f.s);
  int64_t n = values.getDimSize(1), rows = TensorBuilder::typeOf(f.u.real).getDimSize(1), width = TensorBuilder::typeOf(f.u.real).getDimSize(2);
  RankedTensorType square = RankedTensorType::get({values.getDimSize(0), n, n}, values.getElementType()), tall = square.clone({values.getDimSize(0), rows, n});
  auto scale = [&](Parts x, Value factor) {
    return mapParts(x, [&](Value part) { return b.mul(part, factor); });
  };
  auto columns = [&](Parts x, int64_t first, int64_t last) {
    return mapParts(x, [&](Value part) { return sliceDim(b, part, 2, first, last); });
  };
  auto skew = [&](Parts x) { return subtractParts(b, x, adjoint(b, x)); };
  Value across = b.broadcast(f.s, square, {0, 2}), down = b.broadcast(f.s, square, {0, 1}), gap = b.sub(b.square(across), b.square(down));
  auto inverse = [&](Value x) {
    Value isZero = b.compare(CompareKind::eq, x, 0.0);
    return b.select(isZero, b.splatLike(x, 0.0), b.div(1.0, b.select(isZero, b.splatLike(x, 1.0), x)));
  };
  Parts u = columns(f.u, 0, n), du = columns(d.u, 0, n), p = matmulParts(b, adjoint(b, u), du), q = matmulParts(b, adjoint(b, f.v), d.v);
  Parts inner = scale(addParts(b, scale(skew(p), across), scale(skew(q), down)), inverse(gap));
  RankedTensorType index = square.clone(b.getBuilder().getI32Type());
  Value isDiagonal = b.compare(CompareKind::eq, b.iota(index, 1), b.iota(index, 2)), zeros = b.zeros(square);
  inner.real = b.add(inner.real, b.select(isDiagonal, b.broadcast(d.s, square, {0, 2}), zeros));
  if (inner.imag)
    inner.imag = b.add(inner.imag, b.select(isDiagonal, b.mul(p.imag, inverse(across)), zeros));
  Parts total = matmulParts(b, u, inner);
  if (rows > n) {
    Parts outside = subtractParts(b, du, matmulParts(b, u, p));
    if (width > n)
      outside = subtractParts(b, outside, matmulParts(b, columns(f.u, n, width), matmulParts(b, adjoint(b, columns(d.u, n, width)), u)));
    total = addParts(b, total, scale(outside, inverse(b.broadcast(f.s, tall, {0, 2}))));
  }
  return matmulParts(b, total, adjoint(b, f.v));
}

// As a function with its gradient: that of the iterations is not defined where columns are orthogonal.
static Decomposition callDecompose(Importer &importer, TensorBuilder &b, Parts a, bool all) {
  std::string name = all ? "svd.full" : "svd";
  auto read = [](ValueRange values) { return values.size() == 2 ? Parts{values[0], values[1]} : Parts{values[0], {}}; };
  auto forward = [&](TensorBuilder &b, ValueRange values) { return decompose(b, read(values), all).values(); };
  unsigned count = a.imag ? 2 : 1;
  auto backward = [&](TensorBuilder &b, ValueRange values) {
    Decomposition found = callDecompose(importer, b, read(values.take_front(count)), all);
    return flattenParts(gradient(b, found, Decomposition::read(values.drop_front(count))));
  };
  return Decomposition::read(importer.callWithGradient(name, b, flattenParts(a), forward, backward));
}

// gesdd and gesvd: the operand, which they may overwrite, the singular values in descending order, u, v^H, and 0. The mode is 'A' for square u and v^H, 'S' for as many
// vectors as there are singular values, 'N' for none.
static LogicalResult lapackSvd(Importer &importer, Operation &op, TensorBuilder &b) {
  auto matrices = readMatrices(importer, op, b);
  if (failed(matrices))
    return failure();
  RankedTensorType type = TensorBuilder::typeOf(matrices->real);
  int64_t rows = type.getDimSize(1), columns = type.getDimSize(2), least = std::min(rows, columns);
  char mode = readLetter(op, "mode", 'N');
  SmallVector<RankedTensorType> results;
  for (unsigned i = 0; i < 5; ++i)
    results.push_back(importer.resultType(op, i));
  auto ends = [](RankedTensorType result, ArrayRef<int64_t> sizes) {
    return result.getRank() >= static_cast<int64_t>(sizes.size()) && result.getShape().take_back(sizes.size()) == sizes;
  };
  int64_t wide = mode == 'A' ? rows : least, tall = mode == 'A' ? columns : least;
  bool fits = mode == 'N' || (mode != 'A' && mode != 'S' ? false : ends(results[2], {rows, wide}) && ends(results[3], {tall, columns}));
  if (!fits || !ends(results[1], {least}) || isComplex(op.getResult(1).getType()) || results[1].getNumElements() != type.getDimSize(0) * least)
    return op.emitOpError() << "needs a mode of 'A', 'S' or 'N' and results that fit the matrices, got " << op.getOperand(0).getType() << " and " << op.getResultTypes();
  if (least > kMaxJacobiOrder)
    return importer.unsupported(op, "of more than 512 singular values");
  bool isTall = rows >= columns;
  Decomposition found = callDecompose(importer, b, isTall ? *matrices : adjoint(b, *matrices), mode == 'A');
  importer.setParts(op, 0, importer.operandParts(op, 0));
  importer.setResult(op, 1, b.reshape(found.s, results[1].getShape()));
  importer.setResult(op, 4, b.zeros(results[4]));
  if (mode == 'N') {
    for (unsigned i : {2, 3})
      importer.setParts(op, i, {b.zeros(results[i]), isComplex(op.getResult(i).getType()) ? b.zeros(results[i]) : Value()});
    return success();
  }
  importer.setParts(op, 2, reshapeParts(b, isTall ? found.u : found.v, results[2].getShape()));
  importer.setParts(op, 3, reshapeParts(b, adjoint(b, isTall ? found.v : found.u), results[3].getShape()));
  return success();
}

void mlir::raf::stablehlo::addSingularValueHandlers(HandlerTable &table) {
  for (StringRef routine : {"gesdd", "gesvd"})
    for (const std::string &name : lapackNames(routine, routine))
      table.add(name, {lapackSvd, 1, 5, 0, Complex::handled});
}
