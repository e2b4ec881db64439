// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_RAF_INTERFACES_PLAN_TD
#define RAF_DIALECTS_RAF_INTERFACES_PLAN_TD

include "mlir/IR/OpBase.td"

def PlanOpInterface : OpInterface<"PlanOpInterface"> {
  let description = [{
    An op of destination style that a library of the runtime executes. The plan is made once, when an executable is loaded, from `kind` and `words`
    (`runtime/include/raf_dnnl.h`); a step executes it on the addresses of its buffers. Ops with equal kind and words may share one plan.

    A workspace is a destination like any other: a byte tensor whose old and new contents nobody reads. The methods answer alike on tensors and on
    memrefs, so any such op is bufferized and lowered by one rule.
  }];
  let cppNamespace = "::mlir::raf";
  let methods = [
    InterfaceMethod<[{
      The number of the kind of plan.
    }], "int64_t", "getPlanKind">,
    InterfaceMethod<[{
      The encoded plan.
    }], "::llvm::SmallVector<int64_t>", "getPlanWords">,
    InterfaceMethod<[{
      The operands in the order of the plan's buffers. A null value stands for a null address: the plan has that buffer, but it is empty.
    }], "::llvm::SmallVector<::mlir::Value>", "getPlanBuffers">,
    InterfaceMethod<[{
      Whether the old contents of a destination (counted among the destinations) are read.
    }], "bool", "readsInit", (ins "int64_t":$init), "", "return false;">,
    InterfaceMethod<[{
      Pairs (operand number, destination counted among the destinations): the two may share one buffer, as if the library had read each element of the operand
      before it writes over it.
    }], "::llvm::SmallVector<std::pair<int64_t, int64_t>>", "getMayAlias", (ins), "", "return {};">
  ];
}

#endif // RAF_DIALECTS_RAF_INTERFACES_PLAN_TD
