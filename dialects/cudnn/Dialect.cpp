// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cudnn/Ops.h"
#include "dialects/dnnl/Encode.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::cudnn;

#include "dialects/cudnn/Dialect.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/cudnn/Ops.cpp.inc"

void CudnnDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/cudnn/Ops.cpp.inc"
      >();
}
