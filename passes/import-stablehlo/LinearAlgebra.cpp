// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Triangular factors and systems, by halves: the two diagonal blocks by the same rule, the block between them by matrix products.
#include "passes/import-stablehlo/LinearAlgebra.h"
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Shape.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

static constexpr int64_t kMaxOrder = 1024;

//===-- matrices -------------------------------------------------------------------------------------------------===//

Parts mlir::raf::stablehlo::conjugateParts(TensorBuilder &b, Parts x) { return {x.real, x.imag ? b.neg(x.imag) : Value()}; }

static Parts swapLast(TensorBuilder &b, Parts x) {
  SmallVector<int64_t> permutation = dimRange(0, TensorBuilder::typeOf(x.real).getRank());
  std::swap(permutation[permutation.size() - 1], permutation[permutation.size() - 2]);
  return mapParts(x, [&](Value part) { return b.transpose(part, permutation); });
}

Parts mlir::raf::stablehlo::adjoint(TensorBuilder &b, Parts x) { return conjugateParts(b, swapLast(b, x)); }

Parts mlir::raf::stablehlo::matmulParts(TensorBuilder &b, Parts x, Parts y) {
  if (!x.imag)
    return {b.matmul(x.real, y.real), {}};
  return {b.sub(b.matmul(x.real, y.real), b.matmul(x.imag, y.imag)), b.add(b.matmul(x.real, y.imag), b.matmul(x.imag, y.real))};
}

Value mlir::raf::stablehlo::squareMagnitude(TensorBuilder &b, Parts z) {
  Value square = b.square(z.real);
  return z.imag ? b.add(square, b.square(z.imag)) : square;
}

Parts mlir::raf::stablehlo::reshapeParts(TensorBuilder &b, Parts x, ArrayRef<int64_t> shape) {
  return mapParts(x, [&](Value part) { return b.reshape(part, shape); });
}

FailureOr<Parts> mlir::raf::stablehlo::readMatrices(Importer &importer, Operation &op, TensorBuilder &b) {
  Parts a = importer.operandParts(op, 0);
  RankedTensorType type = TensorBuilder::typeOf(a.real);
  int64_t rank = type.getRank();
  if (rank < 2 || type.getNumElements() == 0 || !isFloat(a.real))
    return op.emitOpError() << "needs matrices of floating-point or complex numbers that are not empty, got " << op.getOperand(0).getType(), failure();
  return reshapeParts(b, a, {product(type.getShape().drop_back(2)), type.getDimSize(rank - 2), type.getDimSize(rank - 1)});
}

SmallVector<std::string> mlir::raf::stablehlo::lapackNames(StringRef real, StringRef complex) {
  SmallVector<std::string> names;
  for (auto [kind, routine] : {std::pair("s", real), std::pair("d", real), std::pair("c", complex), std::pair("z", complex)})
    names.push_back(("custom_call.lapack_" + StringRef(kind) + routine + "_ffi").str());
  return names;
}

char mlir::raf::stablehlo::readLetter(Operation &op, StringRef name, char missing) {
  auto config = dyn_cast_or_null<DictionaryAttr>(op.getAttr("mhlo.backend_config"));
  auto letter = config ? config.getAs<IntegerAttr>(name) : IntegerAttr();
  return letter ? static_cast<char>(letter.getValue().getLimitedValue(127)) : missing;
}

static Parts block(TensorBuilder &b, Parts x, int64_t row, int64_t rowEnd, int64_t column, int64_t columnEnd) {
  int64_t rank = TensorBuilder::typeOf(x.real).getRank();
  return mapParts(x, [&](Value part) { return sliceDim(b, sliceDim(b, part, rank - 2, row, rowEnd), rank - 1, column, columnEnd); });
}

static Parts join(TensorBuilder &b, Parts first, Parts second, int64_t dimFromEnd) {
  int64_t dim = TensorBuilder::typeOf(first.real).getRank() - dimFromEnd;
  return {concatenate(b, {first.real, second.real}, dim), first.imag ? concatenate(b, {first.imag, second.imag}, dim) : Value()};
}
static Parts stack(TensorBuilder &b, Parts top, Parts bottom) { return join(b, top, bottom, 2); }
static Parts beside(TensorBuilder &b, Parts left, Parts right) { return join(b, left, right, 1); }

//===-- factors and systems --------------------------------------------------------------------------------------===//

// x of l x = y, with l [..., n, n] lower triangular and y [..., n, m].
static Parts solveLower(TensorBuilder &b, Parts l, Parts y, bool isUnit) {
  RankedTensorType type = TensorBuilder::typeOf(y.real);
  int64_t order = TensorBuilder::typeOf(l.real).getShape().back(), half = order / 2, columns = type.getShape().back();
  if (order == 1) {
    Parts divisor = mapParts(l, [&](Value part) { return b.broadcast(part, type, dimRange(0, type.getRank())); });
    return isUnit ? y : y.imag ? divideParts(b, y, divisor) : Parts{b.div(y.real, divisor.real), {}};
  }
  Parts top = solveLower(b, block(b, l, 0, half, 0, half), block(b, y, 0, half, 0, columns), isUnit);
  Parts rest = subtractParts(b, block(b, y, half, order, 0, columns), matmulParts(b, block(b, l, half, order, 0, half), top));
  return stack(b, top, solveLower(b, block(b, l, half, order, half, order), rest, isUnit));
}

// l of l l^H = a, reading the lower triangle of a.
static Parts choleskyLower(TensorBuilder &b, Parts a) {
  RankedTensorType type = TensorBuilder::typeOf(a.real);
  int64_t order = type.getShape().back(), half = order / 2;
  if (order == 1)
    return {b.sqrt(a.real), a.imag ? b.zeros(type) : Value()};
  Parts top = choleskyLower(b, block(b, a, 0, half, 0, half));
  Parts left = adjoint(b, solveLower(b, top, adjoint(b, block(b, a, half, order, 0, half)), false));
  Parts bottom = choleskyLower(b, subtractParts(b, block(b, a, half, order, half, order), matmulParts(b, left, adjoint(b, left))));
  SmallVector<int64_t> corner(type.getShape());
  corner[corner.size() - 2] = half;
  corner.back() = order - half;
  Value zeros = b.zeros(type.clone(corner));
  return stack(b, beside(b, top, {zeros, a.imag ? zeros : Value()}), beside(b, left, bottom));
}

static LogicalResult checkMatrix(Operation &op, RankedTensorType type) {
  if (type.getRank() >= 2 && type.getShape().back() == type.getShape()[type.getRank() - 2] && type.getNumElements() > 0 && isa<FloatType>(type.getElementType()))
    return success();
  return op.emitOpError() << "needs square floating-point matrices that are not empty, got " << op.getOperand(0).getType();
}

static bool readFlag(Operation &op, StringRef name) {
  auto flag = dyn_cast_or_null<BoolAttr>(op.getAttr(name));
  return flag && flag.getValue();
}

static LogicalResult cholesky(Importer &importer, Operation &op, TensorBuilder &b) {
  Parts a = importer.operandParts(op, 0);
  if (failed(checkMatrix(op, TensorBuilder::typeOf(a.real))))
    return failure();
  if (TensorBuilder::typeOf(a.real).getShape().back() > kMaxOrder)
    return importer.unsupported(op, "of order above 1024");
  bool isLower = readFlag(op, "lower");
  Parts l = choleskyLower(b, isLower ? a : adjoint(b, a));
  importer.setParts(op, 0, isLower ? l : adjoint(b, l));
  return success();
}

namespace {
struct Triangle {
  bool isLower, isUnit, fromLeft, transposes, conjugates;
};
} // namespace

// A transposed or upper triangular system is a lower one after rows and columns are exchanged or reversed, one from the right is that of the transposes.
static LogicalResult solve(Importer &importer, Operation &op, TensorBuilder &b, Triangle triangle) {
  Parts a = importer.operandParts(op, 0), y = importer.operandParts(op, 1);
  RankedTensorType matrix = TensorBuilder::typeOf(a.real), right = TensorBuilder::typeOf(y.real);
  if (failed(checkMatrix(op, matrix)))
    return failure();
  int64_t rank = matrix.getRank(), order = matrix.getShape().back();
  if (right.getRank() != rank || getElementTypeOrSelf(op.getOperand(0).getType()) != getElementTypeOrSelf(op.getOperand(1).getType()) ||
      right.getShape().drop_back(2) != matrix.getShape().drop_back(2) || right.getDimSize(triangle.fromLeft ? rank - 2 : rank - 1) != order)
    return op.emitOpError() << "needs right-hand sides that fit the matrices, got " << op.getOperandTypes();
  if (order > kMaxOrder)
    return importer.unsupported(op, "of order above 1024");
  if (right.getNumElements() == 0)
    return importer.setParts(op, 0, y), success();
  // Only the triangle that is named may be read.
  bool isLower = triangle.isLower;
  if (triangle.conjugates)
    a = conjugateParts(b, a);
  if (triangle.transposes == triangle.fromLeft) {
    a = swapLast(b, a);
    isLower = !isLower;
  }
  if (!triangle.fromLeft)
    y = swapLast(b, y);
  auto reverse = [&](Parts x, ArrayRef<int64_t> dims) {
    return mapParts(x, [&](Value part) { return b.fold<ReverseOp>(part, dims); });
  };
  if (!isLower) {
    a = reverse(a, {rank - 2, rank - 1});
    y = reverse(y, {rank - 2});
  }
  Parts x = solveLower(b, a, y, triangle.isUnit);
  if (!isLower)
    x = reverse(x, {rank - 2});
  importer.setParts(op, 0, triangle.fromLeft ? x : swapLast(b, x));
  return success();
}

static LogicalResult triangularSolve(Importer &importer, Operation &op, TensorBuilder &b) {
  StringRef transposed = readEnum(op, "transpose_a");
  bool isAdjoint = transposed == "ADJOINT";
  return solve(importer, op, b, {readFlag(op, "lower"), readFlag(op, "unit_diagonal"), readFlag(op, "left_side"), transposed == "TRANSPOSE" || isAdjoint, isAdjoint});
}

//===-- LAPACK as JAX calls it on the CPU ------------------------------------------------------------------------===//

static LogicalResult lapackSolve(Importer &importer, Operation &op, TensorBuilder &b) {
  char transposed = readLetter(op, "trans_x", 'N');
  return solve(importer, op, b,
               {readLetter(op, "uplo", 'L') == 'L', readLetter(op, "diag", 'N') == 'U', readLetter(op, "side", 'L') == 'L', transposed != 'N', transposed == 'C'});
}

// The result `index` has one integer for each matrix: 0 when all went well.
static LogicalResult checkInfo(Importer &importer, Operation &op, unsigned index, RankedTensorType matrix) {
  RankedTensorType info = importer.resultType(op, index);
  if (info.getShape() == matrix.getShape().drop_back(2) && isa<IntegerType>(info.getElementType()) && !info.getElementType().isInteger(1))
    return success();
  return op.emitOpError() << "needs a result " << index << " with one integer for each matrix, got " << op.getResult(index).getType();
}

// potrf: the factor, with the other triangle as it was, and 0 or what failed.
static LogicalResult lapackCholesky(Importer &importer, Operation &op, TensorBuilder &b) {
  Parts a = importer.operandParts(op, 0);
  RankedTensorType type = TensorBuilder::typeOf(a.real);
  if (failed(checkMatrix(op, type)) || failed(checkInfo(importer, op, 1, type)))
    return failure();
  if (type.getShape().back() > kMaxOrder)
    return importer.unsupported(op, "of order above 1024");
  bool isLower = readLetter(op, "uplo", 'L') == 'L';
  Parts l = choleskyLower(b, isLower ? a : adjoint(b, a));
  int64_t rank = type.getRank();
  Value failed = b.reduce(ReduceKind::max, b.cast(b.fold<IsNanOp>(l.real), b.getBuilder().getI8Type()), {rank - 2, rank - 1});
  importer.setParts(op, 0, isLower ? l : adjoint(b, l));
  importer.setResult(op, 1, b.cast(failed, importer.resultType(op, 1).getElementType()));
  return success();
}

void mlir::raf::stablehlo::addLinearAlgebraHandlers(HandlerTable &table) {
  table.add("stablehlo.cholesky", {cholesky, 1, 1, 0, Complex::handled});
  table.add("stablehlo.triangular_solve", {triangularSolve, 2, 1, 0, Complex::handled});
  for (const std::string &name : lapackNames("potrf", "potrf"))
    table.add(name, {lapackCholesky, 1, 2, 0, Complex::handled});
  for (const std::string &name : lapackNames("trsm", "trsm"))
    table.add(name, {lapackSolve, 2, 1, 0, Complex::handled});
  addFactorizationHandlers(table);
  addEigenHandlers(table);
  addSingularValueHandlers(table);
}
