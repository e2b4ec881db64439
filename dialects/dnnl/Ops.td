// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The root file: every family of the dialect.

#ifndef RAF_DIALECTS_DNNL_OPS_TD
#define RAF_DIALECTS_DNNL_OPS_TD

include "dialects/dnnl/Conv.td"
include "dialects/dnnl/Matmul.td"
include "dialects/dnnl/Norm.td"
include "dialects/dnnl/Pool.td"
include "dialects/dnnl/Reorder.td"

#endif // RAF_DIALECTS_DNNL_OPS_TD
