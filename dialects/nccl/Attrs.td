// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_NCCL_ATTRS_TD
#define RAF_DIALECTS_NCCL_ATTRS_TD

include "mlir/IR/EnumAttr.td"
include "dialects/nccl/Base.td"
include "dialects/nccl/Enums.td"

def Nccl_ReductionAttr : EnumAttr<Nccl_Dialect, Nccl_Reduction, "reduction">;

#endif // RAF_DIALECTS_NCCL_ATTRS_TD
