// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dnnl dialect: its definition, type constraints and the op class that families share.

#ifndef RAF_DIALECTS_DNNL_BASE_TD
#define RAF_DIALECTS_DNNL_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/raf/Enums.td"
include "dialects/raf/interfaces/Plan.td"

def Dnnl_Dialect : Dialect {
  let name = "dnnl";
  let cppNamespace = "::mlir::raf::dnnl";
  let summary = "Operators that oneDNN executes";
  let description = [{
    Ops of destination style on static tensors, and after bufferization on memrefs. Each states one plan of the runtime (`runtime/include/raf_dnnl.h`): what
    it does is fixed by its operands and attributes, and which of oneDNN's kernels runs is decided when the plan is made.

    The optional last destination, `workspace`, is scratch memory of the size that the library asks for.
  }];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
  let useDefaultAttributePrinterParser = 1;
}

def Dnnl_Tensor : AnyTypeOf<[StaticShapeTensorOf<[F32, BF16, F16]>, StaticShapeMemRefOf<[F32, BF16, F16]>], "static tensor or memref of f32, bf16 or f16">;
def Dnnl_Bytes : AnyTypeOf<[StaticShapeTensorOf<[I8]>, StaticShapeMemRefOf<[I8]>], "static tensor or memref of bytes">;

def Dnnl_Weights : AnyTypeOf<[Dnnl_Tensor, Dnnl_Bytes], "static tensor or memref of f32, bf16 or f16, or of the bytes of packed weights">;

// The destinations are the operands from `firstInit` on, `workspace` the last of them.
class Dnnl_Op<string mnemonic, string firstInit, list<string> planMethods = [], list<Trait> traits = []>
    : Op<Dnnl_Dialect, mnemonic, !listconcat([DestinationStyleOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                              DeclareOpInterfaceMethods<PlanOpInterface, planMethods>], traits)> {
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      unsigned first = get}] # firstInit # [{Mutable().getOperandNumber();
      return ::mlir::MutableOperandRange(getOperation(), first, getNumOperands() - first);
    }
    /// The size that the plan records for the workspace.
    int64_t getWorkspaceBytes() { return getWorkspace() ? ::llvm::cast<::mlir::ShapedType>(getWorkspace().getType()).getNumElements() : -1; }
  }];
}

defvar DnnlWorkspace = (ins Optional<Dnnl_Bytes>:$workspace);
defvar DnnlWorkspaceFormat = [{ (`workspace` `(` $workspace^ `:` type($workspace) `)`)? }];
defvar DnnlEnd = [{ attr-dict (`->` type($outputs)^)?}];

#endif // RAF_DIALECTS_DNNL_BASE_TD
