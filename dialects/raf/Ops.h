// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op class of the raf dialect.
#ifndef RAF_DIALECTS_RAF_OPS_H
#define RAF_DIALECTS_RAF_OPS_H

#include "dialects/raf/Dialect.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/raf/Enums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/raf/Attrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/raf/Elementwise.h.inc"
#define GET_OP_CLASSES
#include "dialects/raf/Shape.h.inc"
#define GET_OP_CLASSES
#include "dialects/raf/Reduction.h.inc"
#define GET_OP_CLASSES
#include "dialects/raf/Contraction.h.inc"
#define GET_OP_CLASSES
#include "dialects/raf/Conv.h.inc"
#define GET_OP_CLASSES
#include "dialects/raf/Pool.h.inc"
#define GET_OP_CLASSES
#include "dialects/raf/Norm.h.inc"
#define GET_OP_CLASSES
#include "dialects/raf/Indexing.h.inc"
#define GET_OP_CLASSES
#include "dialects/raf/Random.h.inc"
#define GET_OP_CLASSES
#include "dialects/raf/Loss.h.inc"
#define GET_OP_CLASSES
#include "dialects/raf/Optimizer.h.inc"
#define GET_OP_CLASSES
#include "dialects/raf/ControlFlow.h.inc"
#define GET_OP_CLASSES
#include "dialects/raf/Collective.h.inc"
#define GET_OP_CLASSES
#include "dialects/raf/Kernel.h.inc"

#endif // RAF_DIALECTS_RAF_OPS_H
