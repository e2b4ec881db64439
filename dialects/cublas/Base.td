// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cublas dialect: its definition and type constraints.

#ifndef RAF_DIALECTS_CUBLAS_BASE_TD
#define RAF_DIALECTS_CUBLAS_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/raf/interfaces/Plan.td"

def Cublas_Dialect : Dialect {
  let name = "cublas";
  let cppNamespace = "::mlir::raf::cublas";
  let summary = "Matrix products that cuBLASLt executes";
  let description = [{
    Ops of destination style on static tensors, and after bufferization on memrefs. Each states one plan of the runtime (`runtime/include/raf_cuda_plans.h`);
    which of the library's algorithms runs is decided when the plan is made on a device.

    The optional last destination, `workspace`, is scratch memory; the algorithm is chosen among those that its size allows.
  }];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
  let useDefaultAttributePrinterParser = 1;
}

def Cublas_Tensor : AnyTypeOf<[StaticShapeTensorOf<[F32, F64, BF16, F16]>, StaticShapeMemRefOf<[F32, F64, BF16, F16]>], "static tensor or memref of f32, f64, bf16 or f16">;
// What is multiplied may have 8 bits.
def Cublas_Operand : AnyTypeOf<[StaticShapeTensorOf<[F32, F64, BF16, F16, F8E4M3FN, F8E5M2]>, StaticShapeMemRefOf<[F32, F64, BF16, F16, F8E4M3FN, F8E5M2]>],
                               "static tensor or memref of f32, f64, bf16, f16, f8E4M3FN or f8E5M2">;
def Cublas_Scale : AnyTypeOf<[StaticShapeTensorOf<[F32]>, StaticShapeMemRefOf<[F32]>], "static tensor or memref of f32">;
def Cublas_Bytes : AnyTypeOf<[StaticShapeTensorOf<[I8]>, StaticShapeMemRefOf<[I8]>], "static tensor or memref of bytes">;

#endif // RAF_DIALECTS_CUBLAS_BASE_TD
