// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cublas/Ops.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::cublas;

#include "dialects/cublas/Dialect.cpp.inc"
#include "dialects/cublas/Enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/cublas/Attrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/cublas/Ops.cpp.inc"

void CublasDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/cublas/Attrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/cublas/Ops.cpp.inc"
      >();
}

LogicalResult ViewAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> dims, ArrayRef<int64_t> strides) {
  if (dims.size() != strides.size())
    return emitError() << "view must have as many strides as dimensions, got " << strides.size() << " and " << dims.size();
  for (auto [dim, stride] : llvm::zip(dims, strides))
    if (dim < 1 || stride < 1)
      return emitError() << "view must have positive dimensions and strides, got " << dim << " and " << stride;
  return success();
}

int64_t ViewAttr::getExtent() const {
  int64_t last = 0;
  for (auto [dim, stride] : llvm::zip(getDims(), getStrides()))
    last += (dim - 1) * stride;
  return last + 1;
}
