// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op class and attribute of the dnnl dialect.
#ifndef RAF_DIALECTS_DNNL_OPS_H
#define RAF_DIALECTS_DNNL_OPS_H

#include "dialects/dnnl/Dialect.h"
#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"

#include "dialects/dnnl/Enums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/dnnl/Attrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/dnnl/Ops.h.inc"

#endif // RAF_DIALECTS_DNNL_OPS_H
