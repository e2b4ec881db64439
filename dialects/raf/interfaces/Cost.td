// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_RAF_INTERFACES_COST_TD
#define RAF_DIALECTS_RAF_INTERFACES_COST_TD

include "mlir/IR/OpBase.td"

def CostOpInterface : OpInterface<"CostOpInterface"> {
  let description = [{
    Arithmetic of an op. Bytes follow from the operand and result types.
  }];
  let cppNamespace = "::mlir::raf";
  let methods = [
    InterfaceMethod<[{
      Floating-point operations of one execution; a multiply-add counts as two.
    }], "int64_t", "getFlops">
  ];
}

#endif // RAF_DIALECTS_RAF_INTERFACES_COST_TD
