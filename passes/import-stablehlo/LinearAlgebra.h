// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices are the last two dimensions of tensors, of real numbers or in two parts of complex ones.
#ifndef RAF_PASSES_IMPORT_STABLEHLO_LINEARALGEBRA_H
#define RAF_PASSES_IMPORT_STABLEHLO_LINEARALGEBRA_H

#include "passes/import-stablehlo/Importer.h"

namespace mlir::raf::stablehlo {

Parts conjugateParts(TensorBuilder &b, Parts x);
/// Rows and columns exchanged, of complex numbers conjugated.
Parts adjoint(TensorBuilder &b, Parts x);
Parts matmulParts(TensorBuilder &b, Parts x, Parts y);
/// |z|^2.
Value squareMagnitude(TensorBuilder &b, Parts z);
/// Operand 0 as [count, rows, columns]; fails for what are no matrices.
FailureOr<Parts> readMatrices(Importer &importer, Operation &op, TensorBuilder &b);
/// x in the shape of a result, which must have as many elements.
Parts reshapeParts(TensorBuilder &b, Parts x, ArrayRef<int64_t> shape);
/// The names of LAPACK's function for matrices of real (or of complex) numbers, in single and in double precision.
SmallVector<std::string> lapackNames(StringRef real, StringRef complex);
/// A letter of the call's configuration, such as 'L' for uplo.
char readLetter(Operation &op, StringRef name, char missing);

/// R and below it the reflectors 1 - tau v v^H, v with 1 on the diagonal; [count, rows, columns] and [count, min(rows, columns)].
struct Reflectors {
  Parts packed, taus;
};
Reflectors householder(TensorBuilder &b, Parts matrices);
/// The product of the reflectors, as many columns as `packed` has.
Parts multiplyReflectors(TensorBuilder &b, const Reflectors &reflectors);

/// LU and QR, in Factorization.cpp.
void addFactorizationHandlers(HandlerTable &table);
/// Eigenvalues, in Eigen.cpp.
void addEigenHandlers(HandlerTable &table);
/// Singular values, in SingularValues.cpp.
void addSingularValueHandlers(HandlerTable &table);

} // namespace mlir::raf::stablehlo

#endif // RAF_PASSES_IMPORT_STABLEHLO_LINEARALGEBRA_H
