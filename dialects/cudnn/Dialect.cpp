// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cudnn/Ops.h"
#include "dialects/dnnl/Encode.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::cudnn;

#include "dialects/cudnn/Dialect.cpp.inc"
#include "dialects/cudnn/Enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/cudnn/Attrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/cudnn/Ops.cpp.inc"

void CudnnDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/cudnn/Attrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/cudnn/Ops.cpp.inc"
      >();
}
