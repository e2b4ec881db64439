// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op class and attribute of the cublas dialect.
#ifndef RAF_DIALECTS_CUBLAS_OPS_H
#define RAF_DIALECTS_CUBLAS_OPS_H

#include "dialects/cublas/Dialect.h"
#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"

#include "dialects/cublas/Enums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/cublas/Attrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/cublas/Ops.h.inc"

namespace mlir::raf::cublas {
/// The bytes that a forward product with these dimensions and this activation keeps for the gradient.
int64_t keptBytes(ArrayRef<int64_t> dims, Type element, Activation activation);
} // namespace mlir::raf::cublas

#endif // RAF_DIALECTS_CUBLAS_OPS_H
