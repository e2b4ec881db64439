// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions over dimensions and scans.

#ifndef RAF_DIALECTS_RAF_REDUCTION_TD
#define RAF_DIALECTS_RAF_REDUCTION_TD

include "dialects/raf/Base.td"
include "dialects/raf/Enums.td"

def RAF_ReduceOp : RAF_InferredOp<"reduce"> {
  let summary = "reduction over dimensions";
  let description = [{
    The dimensions dims (increasing) are reduced and dropped. An empty `sum` is 0, `prod` 1, `max` the lowest and `min` the highest value.
    `max` and `min` give NaN if any element is; equal extrema share the gradient evenly. 16-bit floats are summed in f32.

    Example:
    ```mlir
    %y = raf.reduce sum %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    ```
  }];
  let arguments = (ins RAF_ReduceKindAttr:$kind, RAF_NumberTensor:$x, DenseI64ArrayAttr:$dims);
  let results = (outs RAF_NumberTensor:$y);
  let assemblyFormat = "$kind $x `dims` `=` $dims attr-dict `:` type($x) `->` type($y)";
  let hasFolder = 1;
}

def RAF_ArgReduceOp : RAF_Op<"arg_reduce"> {
  let summary = "index of the largest or smallest element";
  let description = [{
    Index along `axis` of the first maximum (`max`) or minimum (`min`); the axis is dropped. The first NaN counts as the extremum.

    Example:
    ```mlir
    %y = raf.arg_reduce max %x axis = 1 : tensor<4x8xf32> -> tensor<4xi64>
    ```
  }];
  let arguments = (ins RAF_ReduceKindAttr:$kind, RAF_NumberTensor:$x, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis);
  let results = (outs RAF_IndexTensor:$y);
  let assemblyFormat = "$kind $x `axis` `=` $axis attr-dict `:` type($x) `->` type($y)";
  let hasVerifier = 1;
}

def RAF_CumsumOp : RAF_Op<"cumsum", [SameOperandsAndResultType]> {
  let summary = "running sum";
  let description = [{
    y[i] = sum of x[j] over j <= i along `axis` (j < i if `exclusive`; from the end if `reverse`).

    Example:
    ```mlir
    %y = raf.cumsum %x axis = 1 : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins RAF_NumberTensor:$x, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis, UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs RAF_NumberTensor:$y);
  let assemblyFormat = "$x `axis` `=` $axis (`exclusive` $exclusive^)? (`reverse` $reverse^)? attr-dict `:` type($y)";
  let hasVerifier = 1;
}

#endif // RAF_DIALECTS_RAF_REDUCTION_TD
