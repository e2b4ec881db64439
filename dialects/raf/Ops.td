// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All ops of the raf dialect, one file a family.

#ifndef RAF_DIALECTS_RAF_OPS_TD
#define RAF_DIALECTS_RAF_OPS_TD

include "dialects/raf/Base.td"
include "dialects/raf/Enums.td"
include "dialects/raf/Elementwise.td"
include "dialects/raf/Shape.td"
include "dialects/raf/Reduction.td"
include "dialects/raf/Contraction.td"
include "dialects/raf/Conv.td"
include "dialects/raf/Pool.td"
include "dialects/raf/Norm.td"
include "dialects/raf/Indexing.td"
include "dialects/raf/Random.td"
include "dialects/raf/Loss.td"
include "dialects/raf/Optimizer.td"
include "dialects/raf/ControlFlow.td"
include "dialects/raf/Collective.td"
include "dialects/raf/Kernel.td"

#endif // RAF_DIALECTS_RAF_OPS_TD
