// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The unit of code generation.

#ifndef RAF_DIALECTS_RAF_KERNEL_TD
#define RAF_DIALECTS_RAF_KERNEL_TD

include "dialects/raf/Base.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"

def RAF_KernelOp : Op<RAF_Dialect, "kernel", [IsolatedFromAbove, AttrSizedOperandSegments, SingleBlock, DestinationStyleOpInterface,
                                              DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a group of linalg ops that code generation turns into one kernel";
  let description = [{
    The region's arguments are the inputs, then the destinations; it yields the new contents of the destinations. Results alias the destinations, as
    in every op of destination style. Made by `raf-fuse`, turned into a function by `raf-outline-kernels`.

    Example:
    ```mlir
    %y = raf.kernel ins(%a : tensor<4x8xf32>) outs(%x : tensor<4x8xf32>) {
    ^bb0(%in: tensor<4x8xf32>, %out: tensor<4x8xf32>):
      %r = linalg.exp ins(%in : tensor<4x8xf32>) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
      raf.yield %r : tensor<4x8xf32>
    } -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, Variadic<AnyShaped>:$inits, OptionalAttr<StrAttr>:$label);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{(`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $inits^ `:` type($inits) `)`)? attr-dict-with-keyword $body (`->` type($outputs)^)?}];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitsMutable(); }
  }];
}

def RAF_YieldOp : Op<RAF_Dialect, "yield", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "end of a kernel region";
  let description = [{
    See `raf.kernel`.
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def RAF_LaunchOp : Op<RAF_Dialect, "launch", [AttrSizedOperandSegments, DestinationStyleOpInterface,
                                              DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "execution of an outlined kernel";
  let description = [{
    The callee is a private function with the attribute `raf.kernel` whose arguments are the inputs, then the destinations. `may_alias` lists pairs (input, destination)
    that may share one buffer: the kernel has read each element of the input before it writes over it.

    Example:
    ```mlir
    func.func private @exp(tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> attributes {raf.kernel}
    func.func @launch_exp(%a: tensor<4x8xf32>, %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %y = raf.launch @exp ins(%a : tensor<4x8xf32>) outs(%x : tensor<4x8xf32>) may_alias = [0, 0] -> tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$inputs, Variadic<AnyShaped>:$inits, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$may_alias);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let assemblyFormat = [{$callee (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $inits^ `:` type($inits) `)`)? (`may_alias` `=` $may_alias^)? attr-dict
                         (`->` type($outputs)^)?}];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitsMutable(); }
  }];
}

def RAF_ParallelForOp : Op<RAF_Dialect, "parallel_for", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "execution of all tiles of a kernel";
  let description = [{
    Calls `body(begin, end, arguments...)` on ranges that cover [0, tiles), each at least `grain` long but the last, in parallel. The tiles are independent.

    Example:
    ```mlir
    func.func private @exp_tiles(index, index, memref<4x8xf32>)
    func.func @exp_all(%x: memref<4x8xf32>) {
      raf.parallel_for @exp_tiles tiles = 4 grain = 2 (%x) : memref<4x8xf32>
      return
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$body, ConfinedAttr<I64Attr, [IntNonNegative]>:$tiles, ConfinedAttr<I64Attr, [IntPositive]>:$grain, Variadic<AnyType>:$arguments);
  let assemblyFormat = "$body `tiles` `=` $tiles `grain` `=` $grain `(` $arguments `)` attr-dict `:` type($arguments)";
}

#endif // RAF_DIALECTS_RAF_KERNEL_TD
