// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LU and QR factors with LAPACK's conventions, column by column: what a column does is masked with comparisons of row and column numbers, so that all columns are
// one loop.
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/LinearAlgebra.h"
#include "passes/import-stablehlo/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

static constexpr int64_t kMaxUnrolledColumns = 8;

namespace {
// Matrices [count, rows, columns].
struct Columns {
  TensorBuilder &b;
  RankedTensorType type, index;
  int64_t count, rows, columns;

  Columns(TensorBuilder &b, RankedTensorType type)
      : b(b), type(type), index(type.clone(b.getBuilder().getI32Type())), count(type.getDimSize(0)), rows(type.getDimSize(1)), columns(type.getDimSize(2)) {}

  // Runs body(column number as tensor<i32>, carried) for each number in [0, steps), or from the last to the first.
  SmallVector<Value> loop(int64_t steps, bool backward, SmallVector<Value> carried, llvm::function_ref<SmallVector<Value>(Value, ArrayRef<Value>)> body);
  Value whole(Value scalar) { return b.broadcast(scalar, index, {}); }
  // Where the row or column number compares with j.
  Value where(int64_t dim, CompareKind kind, Value j) { return b.compare(kind, b.iota(index, dim), whole(j)); }
  Value keep(Value mask, Value x) { return b.select(mask, x, b.splatLike(x, 0)); }
  // Column j as [count, rows] and row j as [count, columns]; a sum over one element is exact.
  Value column(Value x, Value j) { return b.sum(keep(where(2, CompareKind::eq, j), x), {2}); }
  Value row(Value x, Value j) { return b.sum(keep(where(1, CompareKind::eq, j), x), {1}); }
  Value element(Value x, Value j) { return b.sum(keep(b.fold<AndOp>(where(1, CompareKind::eq, j), where(2, CompareKind::eq, j)), x), {1, 2}); }
  Value downRows(Value vector) { return b.broadcast(vector, RankedTensorType::get(type.getShape(), TensorBuilder::typeOf(vector).getElementType()), {0, 1}); }
  Value alongColumns(Value vector) { return b.broadcast(vector, RankedTensorType::get(type.getShape(), TensorBuilder::typeOf(vector).getElementType()), {0, 2}); }
  Value everywhere(Value scalars) { return b.broadcast(scalars, RankedTensorType::get(type.getShape(), TensorBuilder::typeOf(scalars).getElementType()), {0}); }
  Value product(Value vector, Value other) { return b.mul(downRows(vector), alongColumns(other)); }
};
} // namespace

SmallVector<Value> Columns::loop(int64_t steps, bool backward, SmallVector<Value> carried, llvm::function_ref<SmallVector<Value>(Value, ArrayRef<Value>)> body) {
  OpBuilder &builder = b.getBuilder();
  RankedTensorType scalar = RankedTensorType::get({}, builder.getI32Type());
  if (steps <= kMaxUnrolledColumns) {
    for (int64_t step = 0; step < steps; ++step)
      carried = body(b.splat(scalar, static_cast<double>(backward ? steps - 1 - step : step)), carried);
    return carried;
  }
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, b.getLoc(), value); };
  auto loop = b.create<scf::ForOp>(constant(0), constant(steps), constant(1), carried);
  OpBuilder::InsertionGuard guard(builder);
  if (!loop.getBody()->empty())
    loop.getBody()->getTerminator()->erase();
  builder.setInsertionPointToStart(loop.getBody());
  Value number = arith::IndexCastOp::create(builder, b.getLoc(), builder.getI32Type(), loop.getInductionVar());
  Value j = tensor::FromElementsOp::create(builder, b.getLoc(), scalar, number);
  if (backward)
    j = b.sub(static_cast<double>(steps - 1), j);
  scf::YieldOp::create(builder, b.getLoc(), body(j, SmallVector<Value>(loop.getRegionIterArgs())));
  return SmallVector<Value>(loop.getResults());
}

// The operand as [count, rows, columns].
static FailureOr<Value> readMatrices(Importer &importer, Operation &op, TensorBuilder &b) {
  Value a = importer.operand(op, 0);
  RankedTensorType type = TensorBuilder::typeOf(a);
  int64_t rank = type.getRank();
  if (rank < 2 || type.getNumElements() == 0 || !isFloat(a))
    return op.emitOpError() << "needs floating-point matrices that are not empty, got " << op.getOperand(0).getType(), failure();
  return b.reshape(a, {product(type.getShape().drop_back(2)), type.getDimSize(rank - 2), type.getDimSize(rank - 1)});
}

// Writes a vector of one value a matrix into place j of [count, steps].
static Value writePlace(TensorBuilder &b, Value vectors, Value j, Value values) {
  RankedTensorType type = TensorBuilder::typeOf(vectors);
  RankedTensorType index = type.clone(b.getBuilder().getI32Type());
  Value here = b.compare(CompareKind::eq, b.iota(index, 1), b.broadcast(j, index, {}));
  return b.select(here, b.broadcast(values, type, {0}), vectors);
}

// getrf: the factors in one matrix, the row (from 1) that each row was exchanged with, and 0.
static LogicalResult lapackLu(Importer &importer, Operation &op, TensorBuilder &b) {
  auto matrices = readMatrices(importer, op, b);
  if (failed(matrices))
    return failure();
  Columns c(b, TensorBuilder::typeOf(*matrices));
  int64_t steps = std::min(c.rows, c.columns);
  Value pivots = b.zeros(RankedTensorType::get({c.count, steps}, b.getBuilder().getI32Type()));
  auto body = [&](Value j, ArrayRef<Value> carried) -> SmallVector<Value> {
    Value a = carried[0];
    // The largest element at or below the diagonal; the first of equal ones.
    RankedTensorType vector = RankedTensorType::get({c.count, c.rows}, b.getBuilder().getI32Type());
    Value numbers = b.iota(vector, 1), diagonal = b.broadcast(j, vector, {});
    Value column = b.abs(c.column(a, j));
    Value candidates = b.select(b.compare(CompareKind::lt, numbers, diagonal), b.splatLike(column, -1.0), column);
    Value pivot = b.fold<ArgReduceOp>(RankedTensorType::get({c.count}, vector.getElementType()), ReduceKind::max, candidates, 1);
    Value chosen = b.broadcast(pivot, vector, {0});
    Value order = b.select(b.compare(CompareKind::eq, numbers, diagonal), chosen, b.select(b.compare(CompareKind::eq, numbers, chosen), diagonal, numbers));
    a = b.fold<TakeAlongAxisOp>(a, b.broadcast(order, c.index, {0, 1}), 1);
    Value head = c.element(a, j), isZero = b.compare(CompareKind::eq, head, 0.0);
    Value below = c.where(1, CompareKind::gt, j), here = c.where(2, CompareKind::eq, j), right = c.where(2, CompareKind::gt, j);
    Value factors = b.div(a, c.everywhere(b.select(isZero, b.splatLike(head, 1.0), head)));
    a = b.select(b.fold<AndOp>(below, here), factors, a);
    Value update = c.product(c.column(a, j), c.row(a, j));
    a = b.sub(a, c.keep(b.fold<AndOp>(below, right), update));
    return {a, writePlace(b, carried[1], j, b.add(pivot, 1.0))};
  };
  SmallVector<Value> results = c.loop(steps, /*backward=*/false, {*matrices, pivots}, body);
  RankedTensorType type = importer.resultType(op, 0), places = importer.resultType(op, 1), info = importer.resultType(op, 2);
  if (type.getNumElements() != c.type.getNumElements() || places.getNumElements() != c.count * steps || info.getNumElements() != c.count)
    return op.emitOpError() << "needs results for the factors, the exchanged rows and the outcome, got " << op.getResultTypes();
  importer.setResult(op, 0, b.reshape(results[0], type.getShape()));
  importer.setResult(op, 1, b.reshape(convertValue(b, results[1], false, places.getElementType(), false), places.getShape()));
  importer.setResult(op, 2, b.zeros(info));
  return success();
}

// geqrf: R and below it the reflectors 1 - tau v v^T, v with 1 on the diagonal, and tau.
static LogicalResult lapackQr(Importer &importer, Operation &op, TensorBuilder &b) {
  auto matrices = readMatrices(importer, op, b);
  if (failed(matrices))
    return failure();
  Columns c(b, TensorBuilder::typeOf(*matrices));
  int64_t steps = std::min(c.rows, c.columns);
  Value taus = b.zeros(RankedTensorType::get({c.count, steps}, c.type.getElementType()));
  auto body = [&](Value j, ArrayRef<Value> carried) -> SmallVector<Value> {
    Value a = carried[0], head = c.element(a, j);
    RankedTensorType vector = RankedTensorType::get({c.count, c.rows}, b.getBuilder().getI32Type());
    Value numbers = b.iota(vector, 1), diagonal = b.broadcast(j, vector, {});
    Value tail = c.keep(b.compare(CompareKind::gt, numbers, diagonal), c.column(a, j));
    Value square = b.sum(b.square(tail), {1}), isDone = b.compare(CompareKind::eq, square, 0.0);
    Value norm = b.sqrt(b.select(isDone, b.splatLike(square, 1.0), b.add(b.square(head), square)));
    Value beta = b.select(isDone, head, b.select(b.compare(CompareKind::lt, head, 0.0), norm, b.neg(norm)));
    auto guarded = [&](Value x) { return b.select(isDone, b.splatLike(x, 1.0), x); };
    Value tau = b.select(isDone, b.splatLike(beta, 0.0), b.div(b.sub(beta, head), guarded(beta)));
    Value scale = guarded(b.sub(head, beta));
    Value v = b.div(tail, b.broadcast(scale, tail.getType(), {0}));
    Value reflector = b.select(b.compare(CompareKind::eq, numbers, diagonal), b.splatLike(v, 1.0), v);
    Value projected = b.sum(b.mul(c.downRows(reflector), a), {1});
    Value update = b.mul(c.product(reflector, projected), c.everywhere(tau));
    a = b.sub(a, c.keep(c.where(2, CompareKind::gt, j), update));
    Value here = c.where(2, CompareKind::eq, j);
    a = b.select(b.fold<AndOp>(here, c.where(1, CompareKind::gt, j)), c.downRows(v), a);
    a = b.select(b.fold<AndOp>(here, c.where(1, CompareKind::eq, j)), c.everywhere(beta), a);
    return {a, writePlace(b, carried[1], j, tau)};
  };
  SmallVector<Value> results = c.loop(steps, /*backward=*/false, {*matrices, taus}, body);
  RankedTensorType type = importer.resultType(op, 0), places = importer.resultType(op, 1);
  if (type.getNumElements() != c.type.getNumElements() || places.getNumElements() != c.count * steps)
    return op.emitOpError() << "needs results for the factors and the scales of the reflectors, got " << op.getResultTypes();
  importer.setResult(op, 0, b.reshape(results[0], type.getShape()));
  importer.setResult(op, 1, b.reshape(results[1], places.getShape()));
  return success();
}

// orgqr: the product of the reflectors, as many columns as the operand has.
static LogicalResult lapackQ(Importer &importer, Operation &op, TensorBuilder &b) {
  auto matrices = readMatrices(importer, op, b);
  if (failed(matrices))
    return failure();
  Columns c(b, TensorBuilder::typeOf(*matrices));
  Value taus = importer.operand(op, 1);
  int64_t steps = TensorBuilder::typeOf(taus).getRank() == 0 ? 0 : TensorBuilder::typeOf(taus).getShape().back();
  if (TensorBuilder::typeOf(taus).getNumElements() != c.count * steps || steps > std::min(c.rows, c.columns) ||
      getElementTypeOrSelf(taus.getType()) != c.type.getElementType())
    return op.emitOpError() << "needs the scales of at most as many reflectors as there are rows and columns, got " << op.getOperandTypes();
  taus = b.reshape(taus, {c.count, steps});
  Value one = b.splat(c.type, 1), identity = c.keep(b.compare(CompareKind::eq, b.iota(c.index, 1), b.iota(c.index, 2)), one);
  auto body = [&](Value j, ArrayRef<Value> carried) -> SmallVector<Value> {
    RankedTensorType vector = RankedTensorType::get({c.count, c.rows}, b.getBuilder().getI32Type());
    Value numbers = b.iota(vector, 1), diagonal = b.broadcast(j, vector, {});
    Value tail = c.keep(b.compare(CompareKind::gt, numbers, diagonal), c.column(*matrices, j));
    Value reflector = b.select(b.compare(CompareKind::eq, numbers, diagonal), b.splatLike(tail, 1.0), tail);
    RankedTensorType places = RankedTensorType::get({c.count, steps}, b.getBuilder().getI32Type());
    Value tau = b.sum(c.keep(b.compare(CompareKind::eq, b.iota(places, 1), b.broadcast(j, places, {})), taus), {1});
    Value projected = b.sum(b.mul(c.downRows(reflector), carried[0]), {1});
    return {b.sub(carried[0], b.mul(c.product(reflector, projected), c.everywhere(tau)))};
  };
  Value q = c.loop(steps, /*backward=*/true, {identity}, body).front();
  if (importer.resultType(op).getNumElements() != c.type.getNumElements())
    return op.emitOpError() << "needs a result of the type of the operand, got " << op.getResult(0).getType();
  importer.setResult(op, b.reshape(q, importer.resultType(op).getShape()));
  return success();
}

void mlir::raf::stablehlo::addFactorizationHandlers(HandlerTable &table) {
  for (StringRef kind : {"s", "d"}) {
    table.add(("custom_call.lapack_" + kind + "getrf_ffi").str(), {lapackLu, 1, 3, 0});
    table.add(("custom_call.lapack_" + kind + "geqrf_ffi").str(), {lapackQr, 1, 2, 0});
    table.add(("custom_call.lapack_" + kind + "orgqr_ffi").str(), {lapackQ, 2, 1, 0});
  }
}
