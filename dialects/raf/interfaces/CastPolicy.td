// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_RAF_INTERFACES_CASTPOLICY_TD
#define RAF_DIALECTS_RAF_INTERFACES_CASTPOLICY_TD

include "mlir/IR/OpBase.td"

def CastPolicyOpInterface : OpInterface<"CastPolicyOpInterface"> {
  let description = [{
    What an op of f32 tensors becomes in mixed precision. Attached as an external model in passes/precision. An op without it keeps f32, which is always right.
  }];
  let cppNamespace = "::mlir::raf";
  let methods = [
    InterfaceMethod<[{
      Whether the op computes on the 16-bit type, keeps f32, or follows its operands.
    }], "::mlir::raf::CastPolicy", "getCastPolicy">,
    InterfaceMethod<[{
      Whether an operand stays f32 whatever the others become: the parameters and statistics of a normalization.
    }], "bool", "keepsOperand", (ins "unsigned":$operand), "", "return false;">,
    InterfaceMethod<[{
      Whether a result stays f32 whatever the operands become.
    }], "bool", "keepsResult", (ins "unsigned":$result), "", "return false;">,
    InterfaceMethod<[{
      Whether the result may be f32 although the operands have the 16-bit type: the op sums in f32 anyway.
    }], "bool", "mayWiden", (ins), "", "return false;">
  ];
}

#endif // RAF_DIALECTS_RAF_INTERFACES_CASTPOLICY_TD
