// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nccl dialect: its definition, type constraints and the op class that its ops share.

#ifndef RAF_DIALECTS_NCCL_BASE_TD
#define RAF_DIALECTS_NCCL_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/raf/interfaces/Plan.td"

def Nccl_Dialect : Dialect {
  let name = "nccl";
  let cppNamespace = "::mlir::raf::nccl";
  let summary = "Collectives that NCCL executes";
  let description = [{
    Ops of destination style on static tensors, and after bufferization on memrefs. Each states one plan of the runtime (`runtime/include/raf_cuda_plans.h`), which all
    `ranks` processes of a group execute: the same ops in the same order, each with a value of its own. Parts are those of the first dimension.
  }];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
  let useDefaultAttributePrinterParser = 1;
}

defvar NcclElements = [F32, F64, BF16, F16, I32, I8];
def Nccl_Tensor : AnyTypeOf<[StaticShapeTensorOf<NcclElements>, StaticShapeMemRefOf<NcclElements>], "static tensor or memref of f32, f64, bf16, f16, i32 or i8">;
defvar Nccl_Ranks = ConfinedAttr<I64Attr, [IntPositive]>;
defvar Nccl_Rank = ConfinedAttr<I64Attr, [IntNonNegative]>;

class Nccl_Op<string mnemonic, string firstInit, list<string> planMethods = [], list<Trait> traits = []>
    : Op<Nccl_Dialect, mnemonic, !listconcat([DestinationStyleOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                              DeclareOpInterfaceMethods<PlanOpInterface, planMethods>], traits)> {
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      unsigned first = }] # firstInit # [{;
      return ::mlir::MutableOperandRange(getOperation(), first, getOperation()->getNumOperands() - first);
    }
  }];
}

#endif // RAF_DIALECTS_NCCL_BASE_TD
