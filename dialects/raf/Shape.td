// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants and operators that move elements without computing on them.

#ifndef RAF_DIALECTS_RAF_SHAPE_TD
#define RAF_DIALECTS_RAF_SHAPE_TD

include "dialects/raf/Base.td"

def RAF_ConstantOp : RAF_Op<"constant", [ConstantLike, AllTypesMatch<["value", "y"]>, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "constant tensor";
  let description = [{
    Example:
    ```mlir
    %y = raf.constant dense<1.0> : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def RAF_IotaOp : RAF_Op<"iota"> {
  let summary = "index along a dimension";
  let description = [{
    y[i_0, ..., i_n] = i_dim.

    Example:
    ```mlir
    %y = raf.iota dim = 1 : tensor<4x8xi64>
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let results = (outs RAF_NumberTensor:$y);
  let assemblyFormat = "`dim` `=` $dim attr-dict `:` type($y)";
  let hasVerifier = 1;
}

def RAF_BroadcastOp : RAF_Op<"broadcast", [AllElementTypesMatch<["x", "y"]>]> {
  let summary = "replication along new or size-1 dimensions";
  let description = [{
    Dimension k of x becomes dimension dims[k] of y (increasing); it has the same size or size 1.

    Example:
    ```mlir
    %y = raf.broadcast %v dims = [1] : tensor<8xf32> to tensor<4x8xf32>
    ```
  }];
  let arguments = (ins RAF_Tensor:$x, DenseI64ArrayAttr:$dims);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$x `dims` `=` $dims attr-dict `:` type($x) `to` type($y)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def RAF_ReshapeOp : RAF_Op<"reshape", [AllElementTypesMatch<["x", "y"]>]> {
  let summary = "same elements in row-major order under another shape";
  let description = [{
    Example:
    ```mlir
    %y = raf.reshape %x : tensor<4x8xf32> to tensor<32xf32>
    ```
  }];
  let arguments = (ins RAF_Tensor:$x);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `to` type($y)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def RAF_TransposeOp : RAF_InferredOp<"transpose"> {
  let summary = "permutation of the dimensions";
  let description = [{
    Dimension k of y is dimension permutation[k] of x.

    Example:
    ```mlir
    %y = raf.transpose %x permutation = [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins RAF_Tensor:$x, DenseI64ArrayAttr:$permutation);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$x `permutation` `=` $permutation attr-dict `:` type($x) `->` type($y)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def RAF_SliceOp : RAF_InferredOp<"slice"> {
  let summary = "strided box of a tensor";
  let description = [{
    y[i] = x[starts + i * strides]; dimension k has ceil((limits[k] - starts[k]) / strides[k]) elements; strides are positive.

    Example:
    ```mlir
    %y = raf.slice %x starts = [0, 2] limits = [4, 8] strides = [1, 2] : tensor<4x8xf32> -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins RAF_Tensor:$x, DenseI64ArrayAttr:$starts, DenseI64ArrayAttr:$limits, DenseI64ArrayAttr:$strides);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$x `starts` `=` $starts `limits` `=` $limits `strides` `=` $strides attr-dict `:` type($x) `->` type($y)";
  let hasFolder = 1;
}

def RAF_PadOp : RAF_InferredOp<"pad"> {
  let summary = "padding with a constant, at the edges and between elements";
  let description = [{
    Dimension k has low[k] + size + (size - 1) * interior[k] + high[k] elements (an empty dimension has low[k] + high[k]); a negative
    low or high crops.

    Example:
    ```mlir
    %y = raf.pad %x low = [1, 0] high = [1, 0] interior = [0, 1] value = 0.0 : tensor<4x8xf32> -> tensor<6x15xf32>
    ```
  }];
  let arguments = (ins RAF_Tensor:$x, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high, DenseI64ArrayAttr:$interior, F64Attr:$value);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$x `low` `=` $low `high` `=` $high `interior` `=` $interior `value` `=` $value attr-dict `:` type($x) `->` type($y)";
  let hasFolder = 1;
}

def RAF_ConcatOp : RAF_InferredOp<"concat"> {
  let summary = "tensors joined along a dimension";
  let description = [{
    Example:
    ```mlir
    %y = raf.concat %a, %b axis = 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
    ```
  }];
  let arguments = (ins Variadic<RAF_Tensor>:$inputs, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$inputs `axis` `=` $axis attr-dict `:` functional-type($inputs, $y)";
  let hasFolder = 1;
}

def RAF_ReverseOp : RAF_Op<"reverse", [SameOperandsAndResultType]> {
  let summary = "reversal along dimensions";
  let description = [{
    y[..., i_k, ...] = x[..., size_k - 1 - i_k, ...] for each k in dims.

    Example:
    ```mlir
    %y = raf.reverse %x dims = [1] : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins RAF_Tensor:$x, DenseI64ArrayAttr:$dims);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$x `dims` `=` $dims attr-dict `:` type($y)";
  let hasVerifier = 1;
}

def RAF_BarrierOp : RAF_InferredOp<"barrier"> {
  let summary = "values that are recomputed are not merged with what they came from";
  let description = [{
    Each result equals its operand, but nothing is simplified or merged across: what is computed from a result is not taken from what was computed from the operand. It is how a
    program says that a value is to be computed again rather than kept. The gradient passes through.

    Example:
    ```mlir
    %y, %z = raf.barrier %x, %v : tensor<4x8xf32>, tensor<8xf32>
    ```
  }];
  let arguments = (ins Variadic<RAF_Tensor>:$inputs);
  let results = (outs Variadic<RAF_Tensor>:$outputs);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
}

#endif // RAF_DIALECTS_RAF_SHAPE_TD
