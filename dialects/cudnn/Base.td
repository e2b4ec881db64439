// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cudnn dialect: its definition, type constraints and the op class that families share.

#ifndef RAF_DIALECTS_CUDNN_BASE_TD
#define RAF_DIALECTS_CUDNN_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/cudnn/Enums.td"
include "dialects/raf/Enums.td"
include "dialects/raf/interfaces/Plan.td"

def Cudnn_Dialect : Dialect {
  let name = "cudnn";
  let cppNamespace = "::mlir::raf::cudnn";
  let summary = "Operators that cuDNN executes";
  let description = [{
    Ops of destination style on static tensors, and after bufferization on memrefs. Each states one plan of the runtime (`runtime/include/raf_cuda_plans.h`);
    which of the library's engines runs is decided when the plan is made on a device.

    The optional last destination, `workspace`, is scratch memory; the engine is chosen among those that its size allows.
  }];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
  let useDefaultAttributePrinterParser = 1;
}

def Cudnn_ActivationAttr : EnumAttr<Cudnn_Dialect, Cudnn_Activation, "activation">;

def Cudnn_Tensor : AnyTypeOf<[StaticShapeTensorOf<[F32, BF16, F16]>, StaticShapeMemRefOf<[F32, BF16, F16]>], "static tensor or memref of f32, bf16 or f16">;
def Cudnn_Bytes : AnyTypeOf<[StaticShapeTensorOf<[I8]>, StaticShapeMemRefOf<[I8]>], "static tensor or memref of bytes">;

def Cudnn_Feature : AnyTypeOf<[StaticShapeTensorOf<[F32]>, StaticShapeMemRefOf<[F32]>], "static tensor or memref of f32">;

// Operands that are read, then, from the one numbered `first`, the destinations and the workspace.
class Cudnn_Op<string mnemonic, int inputs = 2, list<Trait> traits = [], string first = !cast<string>(inputs)>
    : Op<Cudnn_Dialect, mnemonic, !listconcat([DestinationStyleOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<PlanOpInterface>], traits)> {
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return ::mlir::MutableOperandRange(getOperation(), }] # first # [{, getNumOperands() - }] # first # [{); }
    /// The size that the plan records for the workspace.
    int64_t getWorkspaceBytes() { return getWorkspace() ? ::llvm::cast<::mlir::ShapedType>(getWorkspace().getType()).getNumElements() : -1; }
  }];
  let extraClassDefinition = [{
    void $cppClass::getEffects(::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects) {
      ::mlir::raf::dnnl::destinationEffects(*this, effects);
    }
  }];
}
defvar CudnnWorkspace = (ins Optional<Cudnn_Bytes>:$workspace);
defvar CudnnWorkspaceFormat = [{ (`workspace` `(` $workspace^ `:` type($workspace) `)`)? }];

#endif // RAF_DIALECTS_CUDNN_BASE_TD
