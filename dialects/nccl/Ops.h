// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op class and attribute of the nccl dialect.
#ifndef RAF_DIALECTS_NCCL_OPS_H
#define RAF_DIALECTS_NCCL_OPS_H

#include "dialects/nccl/Dialect.h"
#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"

#include "dialects/nccl/Enums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/nccl/Attrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/nccl/Ops.h.inc"

#endif // RAF_DIALECTS_NCCL_OPS_H
