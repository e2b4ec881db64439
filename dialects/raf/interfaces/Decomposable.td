// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_RAF_INTERFACES_DECOMPOSABLE_TD
#define RAF_DIALECTS_RAF_INTERFACES_DECOMPOSABLE_TD

include "mlir/IR/OpBase.td"

def DecomposableOpInterface : OpInterface<"DecomposableOpInterface"> {
  let description = [{
    Definition of an op by simpler raf ops. Attached as an external model in passes/decompose, one file a family.
  }];
  let cppNamespace = "::mlir::raf";
  let methods = [
    InterfaceMethod<[{
      Builds the equivalent of the op and returns one value a result.
    }], "::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>>", "decompose", (ins "::mlir::OpBuilder &":$builder)>
  ];
}

#endif // RAF_DIALECTS_RAF_INTERFACES_DECOMPOSABLE_TD
