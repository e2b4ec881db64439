// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The root file: every family of the dialect.

#ifndef RAF_DIALECTS_CUDNN_OPS_TD
#define RAF_DIALECTS_CUDNN_OPS_TD

include "dialects/cudnn/Attention.td"
include "dialects/cudnn/Conv.td"
include "dialects/cudnn/Norm.td"
include "dialects/cudnn/Pool.td"

#endif // RAF_DIALECTS_CUDNN_OPS_TD
