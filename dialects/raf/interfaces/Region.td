// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_RAF_INTERFACES_REGION_TD
#define RAF_DIALECTS_RAF_INTERFACES_REGION_TD

include "mlir/IR/OpBase.td"

def RegionCallOpInterface : OpInterface<"RegionCallOpInterface"> {
  let description = [{
    An op of destination style whose regions are functions of the module: each is a piece of the step with a memory plan of its own, whose arena is the op's workspace.
  }];
  let cppNamespace = "::mlir::raf";
  let methods = [
    InterfaceMethod<[{
      The functions that the op calls.
    }], "::llvm::SmallVector<::mlir::FlatSymbolRefAttr>", "getRegionFunctions">,
    InterfaceMethod<[{
      The memory of the functions, to be set once their plans are made.
    }], "::mlir::MutableOperandRange", "getWorkspaceMutable">
  ];
}

#endif // RAF_DIALECTS_RAF_INTERFACES_REGION_TD
