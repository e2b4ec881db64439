// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes at computed positions. An index outside [0, size) is clamped on reading and dropped on writing; importers resolve negative indices.

#ifndef RAF_DIALECTS_RAF_INDEXING_TD
#define RAF_DIALECTS_RAF_INDEXING_TD

include "dialects/raf/Base.td"
include "dialects/raf/Enums.td"

def RAF_GatherOp : RAF_InferredOp<"gather"> {
  let summary = "slices taken at indices along a dimension";
  let description = [{
    y[a, i, b] = x[a, indices[i], b] with a the dimensions before `axis` and b those after; an index outside is clamped. An embedding is a gather along axis 0.

    Example:
    ```mlir
    %y = raf.gather %x, %i axis = 0 : tensor<4x8xf32>, tensor<2x3xi64> -> tensor<2x3x8xf32>
    ```
  }];
  let arguments = (ins RAF_Tensor:$x, RAF_IndexTensor:$indices, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$x `,` $indices `axis` `=` $axis attr-dict `:` type($x) `,` type($indices) `->` type($y)";
}

def RAF_ScatterAddOp : RAF_Op<"scatter_add", [AllTypesMatch<["x", "y"]>, AllElementTypesMatch<["x", "updates"]>]> {
  let summary = "slices added at indices along a dimension";
  let description = [{
    y = x, then y[a, indices[i], b] += updates[a, i, b] for each i in row-major order; an index outside is dropped. The transpose of gather.

    Example:
    ```mlir
    %y = raf.scatter_add %x, %i, %u axis = 0 : tensor<4x8xf32>, tensor<2x3xi64>, tensor<2x3x8xf32>
    ```
  }];
  let arguments = (ins RAF_NumberTensor:$x, RAF_IndexTensor:$indices, RAF_NumberTensor:$updates, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis);
  let results = (outs RAF_NumberTensor:$y);
  let assemblyFormat = "$x `,` $indices `,` $updates `axis` `=` $axis attr-dict `:` type($x) `,` type($indices) `,` type($updates)";
  let hasVerifier = 1;
}

def RAF_ScatterOp : RAF_Op<"scatter", [AllTypesMatch<["x", "y"]>, AllElementTypesMatch<["x", "updates"]>]> {
  let summary = "slices combined at indices along a dimension";
  let description = [{
    y = x, then y[a, indices[i], b] = f(y[a, indices[i], b], updates[a, i, b]) for each i in row-major order; f is the update (`set`), the product (`mul`), the
    larger (`max`) or the smaller (`min`). An index outside is dropped. Where an element is set twice the last one stands. Sums are `raf.scatter_add`, which is linear.

    Example:
    ```mlir
    %y = raf.scatter set %x, %i, %u axis = 0 : tensor<4x8xf32>, tensor<2x3xi64>, tensor<2x3x8xf32>
    ```
  }];
  let arguments = (ins RAF_ScatterKindAttr:$kind, RAF_Tensor:$x, RAF_IndexTensor:$indices, RAF_Tensor:$updates, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$kind $x `,` $indices `,` $updates `axis` `=` $axis attr-dict `:` type($x) `,` type($indices) `,` type($updates)";
  let hasVerifier = 1;
}

def RAF_TakeAlongAxisOp : RAF_InferredOp<"take_along_axis"> {
  let summary = "elements taken at indices along a dimension";
  let description = [{
    y[a, i, b] = x[a, indices[a, i, b], b]; indices has the shape of x but for `axis`; an index outside is clamped.

    Example:
    ```mlir
    %y = raf.take_along_axis %x, %i axis = 1 : tensor<4x8xf32>, tensor<4x3xi64> -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins RAF_Tensor:$x, RAF_IndexTensor:$indices, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$x `,` $indices `axis` `=` $axis attr-dict `:` type($x) `,` type($indices) `->` type($y)";
}

def RAF_AddAlongAxisOp : RAF_Op<"add_along_axis", [AllTypesMatch<["x", "y"]>, AllElementTypesMatch<["x", "updates"]>]> {
  let summary = "elements added at indices along a dimension";
  let description = [{
    y = x, then y[a, indices[a, i, b], b] += updates[a, i, b] for each i in order; an index outside is dropped. The transpose of take_along_axis.

    Example:
    ```mlir
    %y = raf.add_along_axis %x, %i, %u axis = 1 : tensor<4x8xf32>, tensor<4x3xi64>, tensor<4x3xf32>
    ```
  }];
  let arguments = (ins RAF_NumberTensor:$x, RAF_IndexTensor:$indices, RAF_NumberTensor:$updates, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis);
  let results = (outs RAF_NumberTensor:$y);
  let assemblyFormat = "$x `,` $indices `,` $updates `axis` `=` $axis attr-dict `:` type($x) `,` type($indices) `,` type($updates)";
  let hasVerifier = 1;
}

def RAF_DynamicSliceOp : RAF_Op<"dynamic_slice", [AllElementTypesMatch<["x", "y"]>]> {
  let summary = "box of a tensor at a position known at run time";
  let description = [{
    y[i] = x[start + i], where each start is clamped so that the box lies in x. One start a dimension.

    Example:
    ```mlir
    %y = raf.dynamic_slice %x[%n, %n] : tensor<4x8xf32>, tensor<i64> -> tensor<2x8xf32>
    ```
  }];
  let arguments = (ins RAF_Tensor:$x, Variadic<RAF_ScalarIndex>:$starts);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$x `[` $starts `]` attr-dict `:` type($x) `` custom<StartsType>(ref($starts), type($starts)) `->` type($y)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def RAF_DynamicUpdateSliceOp : RAF_Op<"dynamic_update_slice", [AllTypesMatch<["x", "y"]>, AllElementTypesMatch<["x", "update"]>]> {
  let summary = "tensor with a box replaced at a position known at run time";
  let description = [{
    y = x, then y[start + i] = update[i], where each start is clamped so that the box lies in x. One start a dimension.

    Example:
    ```mlir
    %y = raf.dynamic_update_slice %x, %x[%n, %n] : tensor<4x8xf32>, tensor<4x8xf32>, tensor<i64>
    ```
  }];
  let arguments = (ins RAF_Tensor:$x, RAF_Tensor:$update, Variadic<RAF_ScalarIndex>:$starts);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$x `,` $update `[` $starts `]` attr-dict `:` type($x) `,` type($update) `` custom<StartsType>(ref($starts), type($starts))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // RAF_DIALECTS_RAF_INDEXING_TD
