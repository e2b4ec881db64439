// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and branches of the step, each region a function of its own: the form between raf-outline-regions and host code. Before it they are scf ops on tensors.

#ifndef RAF_DIALECTS_RAF_CONTROLFLOW_TD
#define RAF_DIALECTS_RAF_CONTROLFLOW_TD

include "dialects/raf/Base.td"
include "dialects/raf/interfaces/Region.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"

defvar RegionCallFormat = [{ (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $inits^ `:` type($inits) `)`)? (`workspace` `(` $workspace^ `:` type($workspace) `)`)?
                  attr-dict (`->` type($outputs)^)?}];

class RAF_RegionCallOp<string mnemonic>
    : Op<RAF_Dialect, mnemonic, [AttrSizedOperandSegments, DestinationStyleOpInterface, RegionCallOpInterface,
                                 DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let hasVerifier = 1;
}

def RAF_ForOp : RAF_RegionCallOp<"for"> {
  let summary = "counted loop over an outlined body";
  let description = [{
    Calls `body(i, inputs..., carried...) -> carried` for i = 0, ..., trips - 1, i a 0-d i64 tensor. The destinations are the carried values: they hold those of the first
    iteration and then, like the results, those after the last. `workspace` is the memory of the body, known once that is planned.

    `sliced` numbers operands of which an iteration sees a part only, in place: if the body takes n rows (along the first dimension) of operand k, iteration i gets the
    rows from i * n on.

    Example:
    ```mlir
    func.func private @double(tensor<i64>, tensor<4x8xf32>) -> tensor<4x8xf32>
    func.func @loop(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %y = raf.for @double trips = 3 outs(%x : tensor<4x8xf32>) -> tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$body, ConfinedAttr<I64Attr, [IntNonNegative]>:$trips,
                       DefaultValuedAttr<DenseI64ArrayAttr, "::llvm::ArrayRef<int64_t>{}">:$sliced, Variadic<AnyShaped>:$inputs, Variadic<AnyShaped>:$inits,
                       Optional<AnyMemRef>:$workspace);
  let assemblyFormat = !strconcat("$body `trips` `=` $trips (`sliced` `=` $sliced^)?", RegionCallFormat);
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitsMutable(); }
    ::llvm::SmallVector<::mlir::FlatSymbolRefAttr> getRegionFunctions() { return {getBodyAttr()}; }
  }];
}

def RAF_WhileOp : RAF_RegionCallOp<"while"> {
  let summary = "loop over an outlined condition and body";
  let description = [{
    While `condition(inputs..., carried...) -> tensor<i1>` is true, calls `body(inputs..., carried...) -> carried`. Destinations and workspace are as in `raf.for`.

    Example:
    ```mlir
    func.func private @small(tensor<4x8xf32>) -> tensor<i1>
    func.func private @double(tensor<4x8xf32>) -> tensor<4x8xf32>
    func.func @loop(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %y = raf.while @small do @double outs(%x : tensor<4x8xf32>) -> tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$condition, FlatSymbolRefAttr:$body, Variadic<AnyShaped>:$inputs, Variadic<AnyShaped>:$inits, Optional<AnyMemRef>:$workspace);
  let assemblyFormat = !strconcat("$condition `do` $body", RegionCallFormat);
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitsMutable(); }
    ::llvm::SmallVector<::mlir::FlatSymbolRefAttr> getRegionFunctions() { return {getConditionAttr(), getBodyAttr()}; }
  }];
}

def RAF_CaseOp : RAF_RegionCallOp<"case"> {
  let summary = "choice among outlined branches";
  let description = [{
    Calls `branches[i](inputs...) -> results` for i the value of the first input, a 0-d integer tensor that is not passed on; an index outside chooses the last branch.
    The destinations take the results; what they held is not read.

    Example:
    ```mlir
    func.func private @same(tensor<4x8xf32>) -> tensor<4x8xf32>
    func.func private @double(tensor<4x8xf32>) -> tensor<4x8xf32>
    func.func @choose(%i: tensor<i32>, %x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %z = raf.case [@same, @double] ins(%i, %x : tensor<i32>, tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) -> tensor<4x8xf32>
      return %z : tensor<4x8xf32>
    }
    ```
  }];
  let arguments = (ins TypedArrayAttrBase<FlatSymbolRefAttr, "functions">:$branches, Variadic<AnyShaped>:$inputs, Variadic<AnyShaped>:$inits,
                       Optional<AnyMemRef>:$workspace);
  let assemblyFormat = !strconcat("$branches", RegionCallFormat);
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitsMutable(); }
    ::llvm::SmallVector<::mlir::FlatSymbolRefAttr> getRegionFunctions() { return ::llvm::to_vector(getBranches().getAsRange<::mlir::FlatSymbolRefAttr>()); }
  }];
}

#endif // RAF_DIALECTS_RAF_CONTROLFLOW_TD
