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

static Value block(TensorBuilder &b, Value x, int64_t row, int64_t rowEnd, int64_t column, int64_t columnEnd) {
  int64_t rank = TensorBuilder::typeOf(x).getRank();
  return sliceDim(b, sliceDim(b, x, rank - 2, row, rowEnd), rank - 1, column, columnEnd);
}

static Value swapLast(TensorBuilder &b, Value x) {
  SmallVector<int64_t> permutation = dimRange(0, TensorBuilder::typeOf(x).getRank());
  std::swap(permutation[permutation.size() - 1], permutation[permutation.size() - 2]);
  return b.transpose(x, permutation);
}

static Value stack(TensorBuilder &b, Value top, Value bottom) { return concatenate(b, {top, bottom}, TensorBuilder::typeOf(top).getRank() - 2); }
static Value beside(TensorBuilder &b, Value left, Value right) { return concatenate(b, {left, right}, TensorBuilder::typeOf(left).getRank() - 1); }

// x of l x = y, with l [..., n, n] lower triangular and y [..., n, m].
static Value solveLower(TensorBuilder &b, Value l, Value y, bool isUnit) {
  RankedTensorType type = TensorBuilder::typeOf(y);
  int64_t order = TensorBuilder::typeOf(l).getShape().back(), half = order / 2, columns = type.getShape().back();
  if (order == 1)
    return isUnit ? y : b.div(y, b.broadcast(l, type, dimRange(0, type.getRank())));
  Value top = solveLower(b, block(b, l, 0, half, 0, half), block(b, y, 0, half, 0, columns), isUnit);
  Value rest = b.sub(block(b, y, half, order, 0, columns), b.matmul(block(b, l, half, order, 0, half), top));
  return stack(b, top, solveLower(b, block(b, l, half, order, half, order), rest, isUnit));
}

// l of l l^T = a, reading the lower triangle of a.
static Value choleskyLower(TensorBuilder &b, Value a) {
  RankedTensorType type = TensorBuilder::typeOf(a);
  int64_t order = type.getShape().back(), half = order / 2;
  if (order == 1)
    return b.sqrt(a);
  Value top = choleskyLower(b, block(b, a, 0, half, 0, half));
  Value left = swapLast(b, solveLower(b, top, swapLast(b, block(b, a, half, order, 0, half)), false));
  Value bottom = choleskyLower(b, b.sub(block(b, a, half, order, half, order), b.matmul(left, left, false, true)));
  SmallVector<int64_t> corner(type.getShape());
  corner[corner.size() - 2] = half;
  corner.back() = order - half;
  return stack(b, beside(b, top, b.zeros(type.clone(corner))), beside(b, left, bottom));
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
  Value a = importer.operand(op, 0);
  if (failed(checkMatrix(op, TensorBuilder::typeOf(a))))
    return failure();
  if (TensorBuilder::typeOf(a).getShape().back() > kMaxOrder)
    return importer.unsupported(op, "of order above 1024");
  bool isLower = readFlag(op, "lower");
  Value l = choleskyLower(b, isLower ? a : swapLast(b, a));
  importer.setResult(op, isLower ? l : swapLast(b, l));
  return success();
}

namespace {
struct Triangle {
  bool isLower, isUnit, fromLeft, transposes;
};
} // namespace

// A transposed or upper triangular system is a lower one after rows and columns are exchanged or reversed, one from the right is that of the transposes.
static LogicalResult solve(Importer &importer, Operation &op, TensorBuilder &b, Triangle triangle) {
  Value a = importer.operand(op, 0), y = importer.operand(op, 1);
  RankedTensorType matrix = TensorBuilder::typeOf(a), right = TensorBuilder::typeOf(y);
  if (failed(checkMatrix(op, matrix)))
    return failure();
  int64_t rank = matrix.getRank(), order = matrix.getShape().back();
  if (right.getRank() != rank || right.getElementType() != matrix.getElementType() || right.getShape().drop_back(2) != matrix.getShape().drop_back(2) ||
      right.getDimSize(triangle.fromLeft ? rank - 2 : rank - 1) != order)
    return op.emitOpError() << "needs right-hand sides that fit the matrices, got " << op.getOperandTypes();
  if (order > kMaxOrder)
    return importer.unsupported(op, "of order above 1024");
  if (right.getNumElements() == 0)
    return importer.setResult(op, y), success();
  // Only the triangle that is named may be read.
  bool isLower = triangle.isLower;
  if (triangle.transposes == triangle.fromLeft) {
    a = swapLast(b, a);
    isLower = !isLower;
  }
  if (!triangle.fromLeft)
    y = swapLast(b, y);
  if (!isLower) {
    a = b.fold<ReverseOp>(a, ArrayRef<int64_t>{rank - 2, rank - 1});
    y = b.fold<ReverseOp>(y, ArrayRef<int64_t>{rank - 2});
  }
  Value x = solveLower(b, a, y, triangle.isUnit);
  if (!isLower)
    x = b.fold<ReverseOp>(x, ArrayRef<int64_t>{rank - 2});
  importer.setResult(op, triangle.fromLeft ? x : swapLast(b, x));
  return success();
}

static LogicalResult triangularSolve(Importer &importer, Operation &op, TensorBuilder &b) {
  StringRef transposed = readEnum(op, "transpose_a");
  return solve(importer, op, b,
               {readFlag(op, "lower"), readFlag(op, "unit_diagonal"), readFlag(op, "left_side"), transposed == "TRANSPOSE" || transposed == "ADJOINT"});
}

//===-- LAPACK as JAX calls it on the CPU ------------------------------------------------------------------------===//

// A letter of the call's configuration, such as 'L' for uplo.
static char readLetter(Operation &op, StringRef name, char missing) {
  auto config = dyn_cast_or_null<DictionaryAttr>(op.getAttr("mhlo.backend_config"));
  auto letter = config ? config.getAs<IntegerAttr>(name) : IntegerAttr();
  return letter ? static_cast<char>(letter.getValue().getLimitedValue(127)) : missing;
}

static LogicalResult lapackSolve(Importer &importer, Operation &op, TensorBuilder &b) {
  return solve(importer, op, b,
               {readLetter(op, "uplo", 'L') == 'L', readLetter(op, "diag", 'N') == 'U', readLetter(op, "side", 'L') == 'L', readLetter(op, "trans_x", 'N') != 'N'});
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
  Value a = importer.operand(op, 0);
  RankedTensorType type = TensorBuilder::typeOf(a);
  if (failed(checkMatrix(op, type)) || failed(checkInfo(importer, op, 1, type)))
    return failure();
  if (type.getShape().back() > kMaxOrder)
    return importer.unsupported(op, "of order above 1024");
  bool isLower = readLetter(op, "uplo", 'L') == 'L';
  Value l = choleskyLower(b, isLower ? a : swapLast(b, a));
  int64_t rank = type.getRank();
  Value failed = b.reduce(ReduceKind::max, b.cast(b.fold<IsNanOp>(l), b.getBuilder().getI8Type()), {rank - 2, rank - 1});
  importer.setResult(op, 0, isLower ? l : swapLast(b, l));
  importer.setResult(op, 1, b.cast(failed, importer.resultType(op, 1).getElementType()));
  return success();
}

void mlir::raf::stablehlo::addLinearAlgebraHandlers(HandlerTable &table) {
  table.add("stablehlo.cholesky", {cholesky, 1, 1, 0});
  table.add("stablehlo.triangular_solve", {triangularSolve, 2, 1, 0});
  for (StringRef kind : {"s", "d"}) {
    table.add(("custom_call.lapack_" + kind + "potrf_ffi").str(), {lapackCholesky, 1, 2, 0});
    table.add(("custom_call.lapack_" + kind + "trsm_ffi").str(), {lapackSolve, 2, 1, 0});
  }
  addFactorizationHandlers(table);
  addEigenHandlers(table);
}
