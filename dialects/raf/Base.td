// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The raf dialect: its definition, type constraints and the op classes that families share.

#ifndef RAF_DIALECTS_RAF_BASE_TD
#define RAF_DIALECTS_RAF_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def RAF_Dialect : Dialect {
  let name = "raf";
  let cppNamespace = "::mlir::raf";
  let summary = "Tensor operators of deep-learning training";
  let description = [{
    Operators on statically shaped builtin tensors. Broadcasting is explicit, randomness is a function of
    (seed, step, op id, element index), and every differentiable operator has a gradient rule in `passes/autodiff`
    and a decomposition in `passes/decompose`.

    A model is a module with one `func.func @main`. Each argument has a `raf.role` (`input`, `target`, `param`, `buffer`,
    `state`, `lr`, `step` or `seed`) and a `raf.name`; a result that overwrites a donated argument names it by
    `raf.alias`.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
}

def RAF_Float : AnyTypeOf<[F64, F32, F16, BF16], "floating-point type">;
def RAF_Integer : AnyTypeOf<[I64, I32, I16, I8, I1], "signless integer type">;
def RAF_Tensor : StaticShapeTensorOf<[F64, F32, F16, BF16, I64, I32, I16, I8, I1]>;
def RAF_FloatTensor : StaticShapeTensorOf<[F64, F32, F16, BF16]>;
def RAF_NumberTensor : StaticShapeTensorOf<[F64, F32, F16, BF16, I64, I32, I16, I8]>;
def RAF_IntTensor : StaticShapeTensorOf<[I64, I32, I16, I8, I1]>;
def RAF_WideIntTensor : StaticShapeTensorOf<[I64, I32, I16, I8]>;
def RAF_IndexTensor : StaticShapeTensorOf<[I64, I32]>;
def RAF_Word32Tensor : StaticShapeTensorOf<[I32]>;
def RAF_BoolTensor : StaticShapeTensorOf<[I1]>;
def RAF_ScalarFloat : TensorRankOf<[F64, F32], [0]>;
def RAF_ScalarIndex : TensorRankOf<[I64, I32], [0]>;
def RAF_ScalarInt : TensorRankOf<[I64], [0]>, BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getI64Type())">;

class RAF_Op<string mnemonic, list<Trait> traits = []> : Op<RAF_Dialect, mnemonic, !listconcat([Pure], traits)>;

// Pointwise: all operands and results have one shape.
class RAF_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : RAF_Op<mnemonic, !listconcat([Elementwise, SameOperandsAndResultShape], traits)>;

class RAF_UnaryOp<string mnemonic, Type type, string sum, string maths, list<Trait> traits = []>
    : RAF_ElementwiseOp<mnemonic, !listconcat([SameOperandsAndResultType], traits)> {
  let summary = sum;
  let description = maths # "\n\nExample:\n```mlir\n%y = raf." # mnemonic # " %x : tensor<4x8xf32>\n```";
  let arguments = (ins type:$x);
  let results = (outs type:$y);
  let assemblyFormat = "$x attr-dict `:` type($y)";
}

class RAF_BinaryOp<string mnemonic, Type type, string sum, string maths, list<Trait> traits = []>
    : RAF_ElementwiseOp<mnemonic, !listconcat([SameOperandsAndResultType], traits)> {
  let summary = sum;
  let description = maths # "\n\nExample:\n```mlir\n%y = raf." # mnemonic # " %a, %b : tensor<4x8xf32>\n```";
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$y);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($y)";
}

// Ops whose result types follow from operands and attributes.
class RAF_InferredOp<string mnemonic, list<Trait> traits = []> : RAF_Op<mnemonic, !listconcat([InferTypeOpAdaptor], traits)>;

// The inferred element type is that of the operands; of 16-bit floats the result may also be the f32 in which they are summed.
class RAF_ProductOp<string mnemonic, list<Trait> traits = []> : RAF_Op<mnemonic, !listconcat([InferTypeOpAdaptorWithIsCompatible], traits)>;

#endif // RAF_DIALECTS_RAF_BASE_TD
