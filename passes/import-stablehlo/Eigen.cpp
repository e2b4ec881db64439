// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigenvalues of symmetric and Hermitian matrices by Jacobi rotations.
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Jacobi.h"
#include "passes/import-stablehlo/LinearAlgebra.h"
#include "passes/import-stablehlo/Shape.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

// The diagonal of square blocks, as [count, n].
static Parts diagonal(TensorBuilder &b, Parts block) {
  return mapParts(block, [&](Value part) {
    RankedTensorType type = TensorBuilder::typeOf(part), index = type.clone(b.getBuilder().getI32Type());
    return b.sum(b.select(b.compare(CompareKind::eq, b.iota(index, 1), b.iota(index, 2)), part, b.zeros(type)), {2});
  });
}

namespace {
// a [count, n, n] = vectors diag(values) vectors^H.
struct Eigen {
  Parts vectors;
  Value values;

  SmallVector<Value> all() const { return flattenParts({vectors, {values, {}}}); }
  static Eigen read(ValueRange all) { return all.size() == 3 ? Eigen{{all[0], all[1]}, all[2]} : Eigen{{all[0], {}}, all[1]}; }
};
} // namespace

static Eigen decompose(TensorBuilder &b, Parts a) {
  RankedTensorType type = TensorBuilder::typeOf(a.real);
  int64_t n = type.getDimSize(2);
  Jacobi jacobi{b, type.getDimSize(0), n + n % 2, (n + n % 2) / 2};
  RankedTensorType square = type.clone({jacobi.count, jacobi.order, jacobi.order}), index = square.clone(b.getBuilder().getI32Type());
  Value isDiagonal = b.compare(CompareKind::eq, b.iota(index, 1), b.iota(index, 2));
  if (n % 2 != 0) {
    // An eigenvalue above all others makes the order even, and is left out at the end.
    Value sum = b.sum(b.abs(a.real), {1, 2});
    if (a.imag)
      sum = b.add(sum, b.sum(b.abs(a.imag), {1, 2}));
    Value isLast = b.fold<AndOp>(isDiagonal, b.compare(CompareKind::eq, b.iota(index, 1), static_cast<double>(n)));
    a = mapParts(a, [&](Value part) { return b.pad(part, {0, 0, 0}, {0, 1, 1}, {0, 0, 0}); });
    a.real = b.select(isLast, b.broadcast(b.add(sum, 1.0), square, {0}), a.real);
  }
  Parts vectors{b.select(isDiagonal, b.splat(square, 1.0), b.zeros(square)), a.imag ? b.zeros(square) : Value()};
  if (n > 1) {
    SmallVector<Parts> found = jacobi.sweep({a, vectors}, [&](ArrayRef<Parts> carried) -> SmallVector<Parts> {
      Parts a = carried[0], vectors = carried[1], top = jacobi.upper(a, 1);
      Value p = diagonal(b, jacobi.upper(top, 2)).real, q = diagonal(b, jacobi.lower(jacobi.lower(a, 1), 2)).real;
      auto [off, factor] = jacobi.turn(diagonal(b, jacobi.lower(top, 2)));
      if (factor) {
        a = jacobi.scaleLower(jacobi.scaleLower(a, 2, factor), 1, conjugateParts(b, factor));
        vectors = jacobi.scaleLower(vectors, 2, factor);
      }
      auto [cosine, sine] = jacobi.rotation(p, q, off);
      return {jacobi.rotate(jacobi.rotate(a, 1, cosine, sine), 2, cosine, sine), jacobi.rotate(vectors, 2, cosine, sine)};
    });
    a = found[0];
    vectors = found[1];
  }
  Value eigenvalues = diagonal(b, a).real, places = ascendingOrder(b, eigenvalues);
  eigenvalues = sliceDim(b, b.fold<TakeAlongAxisOp>(eigenvalues, places, 1), 1, 0, n);
  Value columns = b.broadcast(places, index, {0, 2});
  vectors = mapParts(vectors, [&](Value part) { return sliceDim(b, sliceDim(b, b.fold<TakeAlongAxisOp>(part, columns, 2), 1, 0, n), 2, 0, n); });
  return {vectors, eigenvalues};
}

// With G = v^H da v the derivatives are diag G of the values and v W of the vectors, W the rest of G by the differences of the values: zero where those are equal.
static Parts gradient(TensorBuilder &b, const Eigen &f, const Eigen &d) {
  RankedTensorType square = TensorBuilder::typeOf(f.vectors.real), index = square.clone(b.getBuilder().getI32Type());
  Value gap = b.sub(b.broadcast(f.values, square, {0, 2}), b.broadcast(f.values, square, {0, 1})), isZero = b.compare(CompareKind::eq, gap, 0.0);
  Value inverse = b.select(isZero, b.zeros(square), b.div(1.0, b.select(isZero, b.splatLike(gap, 1.0), gap)));
  Parts inner = mapParts(matmulParts(b, adjoint(b, f.vectors), d.vectors), [&](Value part) { return b.mul(part, inverse); });
  Value isDiagonal = b.compare(CompareKind::eq, b.iota(index, 1), b.iota(index, 2));
  inner.real = b.add(inner.real, b.select(isDiagonal, b.broadcast(d.values, square, {0, 2}), b.zeros(square)));
  return matmulParts(b, matmulParts(b, f.vectors, inner), adjoint(b, f.vectors));
}

static Eigen callDecompose(Importer &importer, TensorBuilder &b, Parts a) {
  unsigned count = a.imag ? 2 : 1;
  auto read = [](ValueRange values) { return values.size() == 2 ? Parts{values[0], values[1]} : Parts{values[0], {}}; };
  auto forward = [&](TensorBuilder &b, ValueRange values) { return decompose(b, read(values)).all(); };
  auto backward = [&](TensorBuilder &b, ValueRange values) {
    Eigen found = callDecompose(importer, b, read(values.take_front(count)));
    return flattenParts(gradient(b, found, Eigen::read(values.drop_front(count))));
  };
  return Eigen::read(importer.callWithGradient("eigh", b, flattenParts(a), forward, backward));
}

// syevd and heevd: eigenvectors as columns, eigenvalues in ascending order, and 0.
static LogicalResult lapackEigen(Importer &importer, Operation &op, TensorBuilder &b) {
  auto matrices = readMatrices(importer, op, b);
  if (failed(matrices))
    return failure();
  RankedTensorType type = TensorBuilder::typeOf(importer.operandParts(op, 0).real), values = importer.resultType(op, 1), info = importer.resultType(op, 2);
  int64_t n = type.getShape().back();
  if (type.getDimSize(type.getRank() - 2) != n || values.getShape() != type.getShape().drop_back() || values.getElementType() != type.getElementType() ||
      isComplex(op.getResult(1).getType()) || info.getShape() != type.getShape().drop_back(2))
    return op.emitOpError() << "needs square floating-point matrices that are not empty, and results that fit them, got " << op.getOperand(0).getType();
  if (n > kMaxJacobiOrder)
    return importer.unsupported(op, "of order above 512");
  Eigen found = callDecompose(importer, b, *matrices);
  importer.setParts(op, 0, reshapeParts(b, found.vectors, type.getShape()));
  importer.setResult(op, 1, b.reshape(found.values, values.getShape()));
  importer.setResult(op, 2, b.zeros(info));
  return success();
}

void mlir::raf::stablehlo::addEigenHandlers(HandlerTable &table) {
  for (const std::string &name : lapackNames("syevd", "heevd"))
    table.add(name, {lapackEigen, 1, 3, 0, Complex::handled});
}
