// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_DIALECTS_NCCL_DIALECT_H
#define RAF_DIALECTS_NCCL_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"

#include "dialects/nccl/Dialect.h.inc"

#endif // RAF_DIALECTS_NCCL_DIALECT_H
