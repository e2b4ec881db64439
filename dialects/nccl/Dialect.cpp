// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/nccl/Ops.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::nccl;

#include "dialects/nccl/Dialect.cpp.inc"
#include "dialects/nccl/Enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/nccl/Attrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/nccl/Ops.cpp.inc"

void NcclDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/nccl/Attrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/nccl/Ops.cpp.inc"
      >();
}
