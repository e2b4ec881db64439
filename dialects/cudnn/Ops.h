// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op class of the cudnn dialect.
#ifndef RAF_DIALECTS_CUDNN_OPS_H
#define RAF_DIALECTS_CUDNN_OPS_H

#include "dialects/cudnn/Dialect.h"
#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"

#include "dialects/cudnn/Enums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/cudnn/Attrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/cudnn/Ops.h.inc"

#endif // RAF_DIALECTS_CUDNN_OPS_H
