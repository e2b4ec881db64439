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
  Parts pick(Value mask, Parts x, ArrayRef<int64_t> dims) {
    return mapParts(x, [&](Value part) { return b.sum(keep(mask, part), dims); });
  }
  Parts column(Parts x, Value j) { return pick(where(2, CompareKind::eq, j), x, {2}); }
  Parts row(Parts x, Value j) { return pick(where(1, CompareKind::eq, j), x, {1}); }
  Parts element(Parts x, Value j) { return pick(b.fold<AndOp>(where(1, CompareKind::eq, j), where(2, CompareKind::eq, j)), x, {1, 2}); }
  Parts spread(Parts x, ArrayRef<int64_t> dims) {
    return mapParts(x, [&](Value part) { return b.broadcast(part, type.clone(TensorBuilder::typeOf(part).getElementType()), dims); });
  }
  Parts downRows(Parts vector) { return spread(vector, {0, 1}); }
  Parts alongColumns(Parts vector) { return spread(vector, {0, 2}); }
  Parts everywhere(Parts scalars) { return spread(scalars, {0}); }
  Parts product(Parts vector, Parts other) { return multiplyParts(b, downRows(vector), alongColumns(other)); }
  Parts keepParts(Value mask, Parts x) {
    return mapParts(x, [&](Value part) { return keep(mask, part); });
  }
  Parts choose(Value mask, Parts x, Parts y) { return {b.select(mask, x.real, y.real), x.imag ? b.select(mask, x.imag, y.imag) : Value()}; }
  // The numbers of the rows as [count, rows].
  Value rowNumbers() { return b.iota(RankedTensorType::get({count, rows}, index.getElementType()), 1); }
  // v^H x of column vectors v, as [count, columns].
  Parts project(Parts v, Parts x) {
    return mapParts(multiplyParts(b, downRows(conjugateParts(b, v)), x), [&](Value part) { return b.sum(part, {1}); });
  }
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

// Parts at a position among values of which `isComplex` says whether each has two.
static Parts partsAt(ArrayRef<Value> values, unsigned position, bool isComplex) {
  return isComplex ? Parts{values[2 * position], values[2 * position + 1]} : Parts{values[position], {}};
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
  Columns c(b, TensorBuilder::typeOf(matrices->real));
  bool isComplex = static_cast<bool>(matrices->imag);
  int64_t steps = std::min(c.rows, c.columns);
  Value pivots = b.zeros(RankedTensorType::get({c.count, steps}, b.getBuilder().getI32Type()));
  auto body = [&](Value j, ArrayRef<Value> carried) -> SmallVector<Value> {
    Parts a = partsAt(carried, 0, isComplex);
    // The largest element at or below the diagonal by the sum of its parts; the first of equal ones.
    Value numbers = c.rowNumbers(), diagonal = b.broadcast(j, numbers.getType(), {});
    Parts column = c.column(a, j);
    Value size = b.abs(column.real);
    if (isComplex)
      size = b.add(size, b.abs(column.imag));
    Value candidates = b.select(b.compare(CompareKind::lt, numbers, diagonal), b.splatLike(size, -1.0), size);
    Value pivot = b.fold<ArgReduceOp>(RankedTensorType::get({c.count}, c.index.getElementType()), ReduceKind::max, candidates, 1);
    Value chosen = b.broadcast(pivot, numbers.getType(), {0});
    Value order = b.select(b.compare(CompareKind::eq, numbers, diagonal), chosen, b.select(b.compare(CompareKind::eq, numbers, chosen), diagonal, numbers));
    Value places = b.broadcast(order, c.index, {0, 1});
    a = mapParts(a, [&](Value part) { return b.fold<TakeAlongAxisOp>(part, places, 1); });
    Parts head = c.element(a, j);
    Value isZero = b.compare(CompareKind::eq, head.real, 0.0);
    if (isComplex)
      isZero = b.fold<AndOp>(isZero, b.compare(CompareKind::eq, head.imag, 0.0));
    Value below = c.where(1, CompareKind::gt, j), here = c.where(2, CompareKind::eq, j), right = c.where(2, CompareKind::gt, j);
    Parts divisor = c.everywhere({b.select(isZero, b.splatLike(head.real, 1.0), head.real), head.imag});
    Parts factors = isComplex ? divideParts(b, a, divisor) : Parts{b.div(a.real, divisor.real), {}};
    a = c.choose(b.fold<AndOp>(below, here), factors, a);
    Parts update = c.product(c.column(a, j), c.row(a, j));
    SmallVector<Value> next = flattenParts(subtractParts(b, a, c.keepParts(b.fold<AndOp>(below, right), update)));
    next.push_back(writePlace(b, carried.back(), j, b.add(pivot, 1.0)));
    return next;
  };
  SmallVector<Value> initial = flattenParts(*matrices);
  initial.push_back(pivots);
  SmallVector<Value> results = c.loop(steps, /*backward=*/false, initial, body);
  RankedTensorType type = importer.resultType(op, 0), places = importer.resultType(op, 1), info = importer.resultType(op, 2);
  if (type.getNumElements() != c.type.getNumElements() || places.getNumElements() != c.count * steps || info.getNumElements() != c.count)
    return op.emitOpError() << "needs results for the factors, the exchanged rows and the outcome, got " << op.getResultTypes();
  importer.setParts(op, 0, reshapeParts(b, partsAt(results, 0, isComplex), type.getShape()));
  importer.setResult(op, 1, b.reshape(convertValue(b, results.back(), false, places.getElementType(), false), places.getShape()));
  importer.setResult(op, 2, b.zeros(info));
  return success();
}

Reflectors mlir::raf::stablehlo::householder(TensorBuilder &b, Parts matrices) {
  Columns c(b, TensorBuilder::typeOf(matrices.real));
  bool isComplex = static_cast<bool>(matrices.imag);
  int64_t steps = std::min(c.rows, c.columns);
  Value none = b.zeros(RankedTensorType::get({c.count, steps}, c.type.getElementType()));
  Parts taus{none, isComplex ? none : Value()};
  auto body = [&](Value j, ArrayRef<Value> carried) -> SmallVector<Value> {
    Parts a = partsAt(carried, 0, isComplex), taus = partsAt(carried, 1, isComplex), head = c.element(a, j);
    Value numbers = c.rowNumbers(), diagonal = b.broadcast(j, numbers.getType(), {});
    Parts tail = c.keepParts(b.compare(CompareKind::gt, numbers, diagonal), c.column(a, j));
    Value square = b.sum(squareMagnitude(b, tail), {1});
    // The new head is real: its imaginary part has to go as well.
    if (isComplex)
      square = b.add(square, b.square(head.imag));
    Value isDone = b.compare(CompareKind::eq, square, 0.0);
    Value norm = b.sqrt(b.select(isDone, b.splatLike(square, 1.0), b.add(b.square(head.real), square)));
    Value beta = b.select(isDone, head.real, b.select(b.compare(CompareKind::lt, head.real, 0.0), norm, b.neg(norm)));
    auto guarded = [&](Value x) { return b.select(isDone, b.splatLike(x, 1.0), x); };
    Value divisor = guarded(beta), zero = b.splatLike(beta, 0.0);
    Parts tau{b.select(isDone, zero, b.div(b.sub(beta, head.real), divisor)), isComplex ? b.select(isDone, zero, b.neg(b.div(head.imag, divisor))) : Value()};
    Parts scale{guarded(b.sub(head.real, beta)), head.imag};
    scale = mapParts(scale, [&](Value part) { return b.broadcast(part, tail.real.getType(), {0}); });
    Parts v = isComplex ? divideParts(b, tail, scale) : Parts{b.div(tail.real, scale.real), {}};
    Parts reflector{b.select(b.compare(CompareKind::eq, numbers, diagonal), b.splatLike(v.real, 1.0), v.real), v.imag};
    Parts update = multiplyParts(b, c.product(reflector, c.project(reflector, a)), c.everywhere(conjugateParts(b, tau)));
    a = subtractParts(b, a, c.keepParts(c.where(2, CompareKind::gt, j), update));
    Value here = c.where(2, CompareKind::eq, j);
    a = c.choose(b.fold<AndOp>(here, c.where(1, CompareKind::gt, j)), c.downRows(v), a);
    a = c.choose(b.fold<AndOp>(here, c.where(1, CompareKind::eq, j)), c.everywhere({beta, isComplex ? zero : Value()}), a);
    taus = {writePlace(b, taus.real, j, tau.real), isComplex ? writePlace(b, taus.imag, j, tau.imag) : Value()};
    return flattenParts({a, taus});
  };
  SmallVector<Value> results = c.loop(steps, /*backward=*/false, flattenParts({matrices, taus}), body);
  return {partsAt(results, 0, isComplex), partsAt(results, 1, isComplex)};
}

Parts mlir::raf::stablehlo::multiplyReflectors(TensorBuilder &b, const Reflectors &reflectors) {
  Columns c(b, TensorBuilder::typeOf(reflectors.packed.real));
  bool isComplex = static_cast<bool>(reflectors.packed.imag);
  RankedTensorType places = TensorBuilder::typeOf(reflectors.taus.real).clone(b.getBuilder().getI32Type());
  int64_t steps = places.getDimSize(1);
  Parts identity{c.keep(b.compare(CompareKind::eq, b.iota(c.index, 1), b.iota(c.index, 2)), b.splat(c.type, 1)), isComplex ? b.zeros(c.type) : Value()};
  auto body = [&](Value j, ArrayRef<Value> carried) -> SmallVector<Value> {
    Parts q = partsAt(carried, 0, isComplex);
    Value numbers = c.rowNumbers(), diagonal = b.broadcast(j, numbers.getType(), {});
    Parts tail = c.keepParts(b.compare(CompareKind::gt, numbers, diagonal), c.column(reflectors.packed, j));
    Parts reflector{b.select(b.compare(CompareKind::eq, numbers, diagonal), b.splatLike(tail.real, 1.0), tail.real), tail.imag};
    Parts tau = c.pick(b.compare(CompareKind::eq, b.iota(places, 1), b.broadcast(j, places, {})), reflectors.taus, {1});
    return flattenParts(subtractParts(b, q, multiplyParts(b, c.product(reflector, c.project(reflector, q)), c.everywhere(tau))));
  };
  return partsAt(c.loop(steps, /*backward=*/true, flattenParts(identity), body), 0, isComplex);
}

static LogicalResult lapackQr(Importer &importer, Operation &op, TensorBuilder &b) {
  auto matrices = readMatrices(importer, op, b);
  if (failed(matrices))
    return failure();
  Reflectors found = householder(b, *matrices);
  RankedTensorType type = importer.resultType(op, 0), places = importer.resultType(op, 1);
  if (type.getNumElements() != TensorBuilder::typeOf(found.packed.real).getNumElements() || places.getNumElements() != TensorBuilder::typeOf(found.taus.real).getNumElements())
    return op.emitOpError() << "needs results for the factors and the scales of the reflectors, got " << op.getResultTypes();
  importer.setParts(op, 0, reshapeParts(b, found.packed, type.getShape()));
  importer.setParts(op, 1, reshapeParts(b, found.taus, places.getShape()));
  return success();
}

static LogicalResult lapackQ(Importer &importer, Operation &op, TensorBuilder &b) {
  auto matrices = readMatrices(importer, op, b);
  if (failed(matrices))
    return failure();
  RankedTensorType type = TensorBuilder::typeOf(matrices->real);
  Parts taus = importer.operandParts(op, 1);
  RankedTensorType given = TensorBuilder::typeOf(taus.real);
  int64_t count = type.getDimSize(0), steps = given.getRank() == 0 ? 0 : given.getShape().back();
  if (given.getNumElements() != count * steps || steps > std::min(type.getDimSize(1), type.getDimSize(2)) ||
      getElementTypeOrSelf(op.getOperand(0).getType()) != getElementTypeOrSelf(op.getOperand(1).getType()))
    return op.emitOpError() << "needs the scales of at most as many reflectors as there are rows and columns, got " << op.getOperandTypes();
  if (importer.resultType(op).getNumElements() != type.getNumElements())
    return op.emitOpError() << "needs a result of the type of the operand, got " << op.getResult(0).getType();
  Parts q = multiplyReflectors(b, {*matrices, reshapeParts(b, taus, {count, steps})});
  importer.setParts(op, 0, reshapeParts(b, q, importer.resultType(op).getShape()));
  return success();
}

void mlir::raf::stablehlo::addFactorizationHandlers(HandlerTable &table) {
  for (const std::string &name : lapackNames("getrf", "getrf"))
    table.add(name, {lapackLu, 1, 3, 0, Complex::handled});
  for (const std::string &name : lapackNames("geqrf", "geqrf"))
    table.add(name, {lapackQr, 1, 2, 0, Complex::handled});
  for (const std::string &name : lapackNames("orgqr", "ungqr"))
    table.add(name, {lapackQ, 2, 1, 0, Complex::handled});
}
