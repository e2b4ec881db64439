// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigenvalues of symmetric matrices by Jacobi rotations. In a round, row k of the upper half is paired with row k of the lower half and all pairs are rotated at
// once; then the rows move on as in a round-robin tournament, so that a sweep of n - 1 rounds meets every pair and ends in the first order.
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/LinearAlgebra.h"
#include "passes/import-stablehlo/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

// Convergence is quadratic; f64 needs about seven sweeps at order 100.
static constexpr int64_t kSweeps = 12, kMaxOrder = 512;

namespace {
// Matrices [count, order, order] of even order.
struct Jacobi {
  TensorBuilder &b;
  int64_t count, order, half;

  // The diagonal of a square block, as [count, half].
  Value diagonal(Value block) {
    RankedTensorType type = TensorBuilder::typeOf(block), index = type.clone(b.getBuilder().getI32Type());
    return b.sum(b.select(b.compare(CompareKind::eq, b.iota(index, 1), b.iota(index, 2)), block, b.zeros(type)), {2});
  }
  Value upper(Value x, int64_t dim) { return sliceDim(b, x, dim, 0, half); }
  Value lower(Value x, int64_t dim) { return sliceDim(b, x, dim, half, order); }
  // Rotates the halves of a dimension, and moves their members on.
  Value rotate(Value x, int64_t dim, Value cosine, Value sine) {
    Value top = upper(x, dim), bottom = lower(x, dim);
    auto scale = [&](Value factor, Value part) { return b.mul(b.broadcast(factor, part.getType(), {0, dim}), part); };
    Value first = b.sub(scale(cosine, top), scale(sine, bottom)), second = b.add(scale(sine, top), scale(cosine, bottom));
    if (half == 1)
      return concatenate(b, {first, second}, dim);
    SmallVector<Value> moved = {sliceDim(b, first, dim, 0, 1), sliceDim(b, second, dim, 0, 1)};
    if (half > 2)
      moved.push_back(sliceDim(b, first, dim, 1, half - 1));
    moved.append({sliceDim(b, second, dim, 1, half), sliceDim(b, first, dim, half - 1, half)});
    return concatenate(b, moved, dim);
  }
  SmallVector<Value> round(Value a, Value vectors) {
    Value top = upper(a, 1), p = diagonal(upper(top, 2)), q = diagonal(lower(lower(a, 1), 2)), off = diagonal(lower(top, 2));
    Value isDone = b.compare(CompareKind::eq, off, 0.0), divisor = b.select(isDone, b.splatLike(off, 1.0), b.mul(off, 2.0));
    Value ratio = b.div(b.sub(q, p), divisor), size = b.abs(ratio);
    Value tangent = b.div(1.0, b.add(size, b.sqrt(b.add(b.square(size), 1.0))));
    tangent = b.select(b.compare(CompareKind::lt, ratio, 0.0), b.neg(tangent), tangent);
    tangent = b.select(isDone, b.splatLike(tangent, 0.0), tangent);
    Value cosine = b.div(1.0, b.sqrt(b.add(b.square(tangent), 1.0))), sine = b.mul(cosine, tangent);
    return {rotate(rotate(a, 1, cosine, sine), 2, cosine, sine), rotate(vectors, 2, cosine, sine)};
  }
};
} // namespace

// syevd: eigenvectors as columns, eigenvalues in ascending order, and 0.
static LogicalResult lapackEigen(Importer &importer, Operation &op, TensorBuilder &b) {
  Value a = importer.operand(op, 0);
  RankedTensorType type = TensorBuilder::typeOf(a), values = importer.resultType(op, 1), info = importer.resultType(op, 2);
  int64_t rank = type.getRank(), n = rank < 2 ? 0 : type.getShape().back();
  if (rank < 2 || type.getDimSize(rank - 2) != n || type.getNumElements() == 0 || !isFloat(a) || values.getShape() != type.getShape().drop_back() ||
      values.getElementType() != type.getElementType() || info.getShape() != type.getShape().drop_back(2))
    return op.emitOpError() << "needs square floating-point matrices that are not empty, and results that fit them, got " << op.getOperand(0).getType();
  if (n > kMaxOrder)
    return importer.unsupported(op, "of order above 512");
  Jacobi jacobi{b, type.getNumElements() / (n * n), n + n % 2, (n + n % 2) / 2};
  a = b.reshape(a, {jacobi.count, n, n});
  RankedTensorType square = RankedTensorType::get({jacobi.count, jacobi.order, jacobi.order}, type.getElementType()), index = square.clone(b.getBuilder().getI32Type());
  Value isDiagonal = b.compare(CompareKind::eq, b.iota(index, 1), b.iota(index, 2));
  if (n % 2 != 0) {
    // An eigenvalue above all others makes the order even, and is left out at the end.
    Value bound = b.add(b.sum(b.abs(a), {1, 2}), 1.0);
    Value isLast = b.fold<AndOp>(isDiagonal, b.compare(CompareKind::eq, b.iota(index, 1), static_cast<double>(n)));
    a = b.select(isLast, b.broadcast(bound, square, {0}), b.pad(a, {0, 0, 0}, {0, 1, 1}, {0, 0, 0}));
  }
  Value vectors = b.select(isDiagonal, b.splat(square, 1.0), b.zeros(square));
  OpBuilder &builder = b.getBuilder();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, b.getLoc(), value); };
  auto loop = b.create<scf::ForOp>(constant(0), constant(n == 1 ? 0 : kSweeps * (jacobi.order - 1)), constant(1), ValueRange{a, vectors});
  {
    OpBuilder::InsertionGuard guard(builder);
    if (!loop.getBody()->empty())
      loop.getBody()->getTerminator()->erase();
    builder.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(builder, b.getLoc(), jacobi.round(loop.getRegionIterArg(0), loop.getRegionIterArg(1)));
  }
  Value eigenvalues = jacobi.diagonal(loop.getResult(0)), places = ascendingOrder(b, eigenvalues);
  eigenvalues = sliceDim(b, b.fold<TakeAlongAxisOp>(eigenvalues, places, 1), 1, 0, n);
  vectors = b.fold<TakeAlongAxisOp>(loop.getResult(1), b.broadcast(places, index, {0, 2}), 2);
  vectors = sliceDim(b, sliceDim(b, vectors, 1, 0, n), 2, 0, n);
  importer.setResult(op, 0, b.reshape(vectors, type.getShape()));
  importer.setResult(op, 1, b.reshape(eigenvalues, values.getShape()));
  importer.setResult(op, 2, b.zeros(info));
  return success();
}

void mlir::raf::stablehlo::addEigenHandlers(HandlerTable &table) {
  for (StringRef kind : {"s", "d"})
    table.add(("custom_call.lapack_" + kind + "syevd_ffi").str(), {lapackEigen, 1, 3, 0});
}
