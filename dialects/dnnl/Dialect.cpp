// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dnnl/Encode.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dnnl;

#include "dialects/dnnl/Dialect.cpp.inc"
#include "dialects/dnnl/Enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/dnnl/Attrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/dnnl/Ops.cpp.inc"

void DnnlDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/dnnl/Attrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/dnnl/Ops.cpp.inc"
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
