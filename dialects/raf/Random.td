// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counter-based randomness: Philox4x32-10 (Salmon et al., SC'11) with key = seed and counter = (element index, step, op id), and the Threefry of JAX programs.

#ifndef RAF_DIALECTS_RAF_RANDOM_TD
#define RAF_DIALECTS_RAF_RANDOM_TD

include "dialects/raf/Base.td"

def RAF_RandomUniformOp : RAF_Op<"random_uniform"> {
  let summary = "uniform numbers in [0, 1)";
  let description = [{
    y[i] = (w >> 8) * 2^-24, w word (i / 16) mod 4 of Philox(key = seed; counter = (c low, c high, step, op_id)), i the row-major index and c = (i / 64) * 16 + i mod 16: a
    function of its operands, so that a mask can be recomputed instead of kept; 16 counters serve 64 places in a row. With an offset, i is offset + the sum over dimensions
    k of i_k strides[k]: a box of a larger tensor of numbers. f16 and bf16 have the upper 11 and 8 bits of w, as rounding could give 1.

    Example:
    ```mlir
    %y = raf.random_uniform %seed, %step op_id = 3 : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins RAF_ScalarInt:$seed, RAF_ScalarInt:$step, I64Attr:$op_id, Optional<RAF_ScalarInt>:$offset,
                       DefaultValuedAttr<DenseI64ArrayAttr, "::llvm::ArrayRef<int64_t>{}">:$strides);
  let results = (outs RAF_FloatTensor:$y);
  let assemblyFormat = "$seed `,` $step `op_id` `=` $op_id (`offset` `=` $offset^ `strides` `=` $strides)? attr-dict `:` type($y)";
  let builders = [OpBuilder<(ins "::mlir::Type":$y, "::mlir::Value":$seed, "::mlir::Value":$step, "uint64_t":$op_id),
                            [{ build($_builder, $_state, y, seed, step, op_id, ::mlir::Value(), ::llvm::ArrayRef<int64_t>()); }]>];
  let hasVerifier = 1;
}

def RAF_DropoutOp : RAF_Op<"dropout", [AllTypesMatch<["x", "y"]>]> {
  let summary = "dropout";
  let description = [{
    y[i] = u[i] >= ratio ? x[i] / (1 - ratio) : 0, with u the random_uniform of the same seed, step and op_id. `raf-inference` makes it the identity.

    Example:
    ```mlir
    %y = raf.dropout %x, %seed, %step ratio = 0.1 op_id = 3 : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins RAF_FloatTensor:$x, RAF_ScalarInt:$seed, RAF_ScalarInt:$step, F64Attr:$ratio, I64Attr:$op_id);
  let results = (outs RAF_FloatTensor:$y);
  let assemblyFormat = "$x `,` $seed `,` $step `ratio` `=` $ratio `op_id` `=` $op_id attr-dict `:` type($y)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def RAF_ThreefryOp : RAF_ElementwiseOp<"threefry", [SameOperandsAndResultType]> {
  let summary = "a word of Threefry2x32-20";
  let description = [{
    y[i] = word `word` of Threefry2x32-20 (Salmon et al., SC'11) with key = (key0[i], key1[i]) and counter = (counter0[i], counter1[i]): the generator behind
    `jax.random`. How indices become counters, and words numbers, is for the ops around it to say.

    Example:
    ```mlir
    %y = raf.threefry %k0, %k1, %c0, %c1 word = 0 : tensor<4x8xi32>
    ```
  }];
  let arguments = (ins RAF_Word32Tensor:$key0, RAF_Word32Tensor:$key1, RAF_Word32Tensor:$counter0, RAF_Word32Tensor:$counter1,
                   ConfinedAttr<I64Attr, [IntMinValue<0>, IntMaxValue<1>]>:$word);
  let results = (outs RAF_Word32Tensor:$y);
  let assemblyFormat = "$key0 `,` $key1 `,` $counter0 `,` $counter1 `word` `=` $word attr-dict `:` type($y)";
}

#endif // RAF_DIALECTS_RAF_RANDOM_TD
