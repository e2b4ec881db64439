// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes at computed positions. An index outside [0, size) is clamped on reading and dropped on writing; importers resolve negative indices.

#ifndef RAF_DIALECTS_RAF_INDEXING_TD
#define RAF_DIALECTS_RAF_INDEXING_TD

include "dialects/raf/Base.td"

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

#endif // RAF_DIALECTS_RAF_INDEXING_TD
