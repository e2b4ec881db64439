// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_PASSES_GRAPH_PASSES_TD
#define RAF_PASSES_GRAPH_PASSES_TD

include "mlir/Pass/PassBase.td"

def SimplifyPass : Pass<"raf-simplify"> {
  let summary = "Algebraic simplification of raf ops";
  let description = [{
    Rewrites that give the same numbers with less work: signs move together, what is repeated by a broadcast is computed once, products with a shared
    weight become one product over all rows, and sums of products become one product over what they sum. Together with the folds and canonicalizations of the ops.

    Floating point: a rewrite may change the sign of a zero, and where a sum of many terms is taken it may change their order; otherwise results are bit for bit those of
    the ops as written. So x - x and x * 0 stay for floating-point numbers (x may be infinite or NaN) and fold for integers.
  }];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
}

def FuseLossPass : Pass<"raf-fuse-loss"> {
  let summary = "Join cross entropy with the product that makes its logits";
  let description = [{
    `raf.cross_entropy` of x w (+ bias), where nothing else reads the logits, becomes `raf.linear_cross_entropy`, which never has all logits at once: where there are many
    classes, they are the largest tensor of a step. To be run on a forward model with its loss, before it is differentiated. Logits of fewer than `min-bytes` (counted in
    the type of arithmetic) stay as they are: those fit caches, and fusion has more to gain from the ops by themselves.
  }];
  let options = [Option<"minBytes", "min-bytes", "int64_t", "8388608", "Bytes of logits from which on they are worth avoiding">];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
}

def LayoutPass : Pass<"raf-layout"> {
  let summary = "Compute convolutional nets channels_last";
  let description = [{
    Turns every convolution from channels_first to channels_last, with pools, normalizations and pointwise ops between them. Transposes are left only where
    activations meet what cannot be reordered: the inputs, the results and a flatten.
  }];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
}

def MergeProductsPass : Pass<"raf-merge-products"> {
  let summary = "Make one product of several that share an operand, or that are summed";
  let description = [{
    x a, x b, x c with the operands side by side, as the queries, keys and values of attention or the gates of a recurrence; a w, b w with the operands below each other; and a u + b v as
    one product of their depths joined, as the gradient of an input that several products read. Results are slices, of which rows are views (raf-elide-copies).

    A model of time decides: a launch, and arithmetic or traffic, whichever takes longer, for each product; for the merged one the copies of operands that cannot be computed where they
    belong, and of columns that their readers cannot read in place. Operands that several groups join, as the weights of an unrolled recurrence, are joined once. The speeds, and the model,
    are those of raf-rematerialize: products of 16-bit floats take half the time of f32. A device on which launches cost more gets a larger `launch-ns`.

    ```mlir
    %q = raf.matmul %x, %a transpose_rhs : tensor<1x8xf32>, tensor<8x8xf32> -> tensor<1x8xf32>
    %k = raf.matmul %x, %b transpose_rhs : tensor<1x8xf32>, tensor<8x8xf32> -> tensor<1x8xf32>
    ```
    becomes
    ```mlir
    %w = raf.concat %a, %b axis = 0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %y = raf.matmul %x, %w transpose_rhs : tensor<1x8xf32>, tensor<16x8xf32> -> tensor<1x16xf32>
    %q = raf.slice %y starts = [0, 0] limits = [1, 8] strides = [1, 1] : tensor<1x16xf32> -> tensor<1x8xf32>
    %k = raf.slice %y starts = [0, 8] limits = [1, 16] strides = [1, 1] : tensor<1x16xf32> -> tensor<1x8xf32>
    ```
  }];
  let options = [
    Option<"launchNs", "launch-ns", "int64_t", "1000", "modelled time of a launch">,
    Option<"flopsPerNs", "flops-per-ns", "int64_t", "200", "modelled speed of arithmetic on f32">,
    Option<"bytesPerNs", "bytes-per-ns", "int64_t", "20", "modelled bandwidth of memory">,
  ];
  let statistics = [Statistic<"merged", "merged", "Products saved">];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
}

def ConstantFoldPass : Pass<"raf-constant-fold"> {
  let summary = "Evaluate ops on constants";
  let description = [{
    Ops whose operands are all constant are evaluated, as long as the result has at most `max-elements` elements (a constant with equal elements counts as one).
  }];
  let options = [Option<"maxElements", "max-elements", "int64_t", "65536", "Largest constant to make">];
  let statistics = [Statistic<"folded", "folded", "Ops evaluated">];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
}

def ReportCostPass : Pass<"raf-report-cost", "::mlir::ModuleOp"> {
  let summary = "Print the arithmetic and memory traffic of each op";
  let description = [{
    Prints one JSON object to standard output: `ops`, a list of {op, count, flops, bytes} by op name, most arithmetic first, and their totals `flops` and `bytes`. Bytes are
    those of operands and results. The module is not changed. With `annotate` nothing is printed: each op that has a cost gets an attribute `raf.flops`.
    Kernel launches, counted in the kernel's body, and library calls get `raf.bytes` too, launches also `raf.read_inits`: the destinations whose old contents the kernel reads.
  }];
  let options = [
    Option<"annotate", "annotate", "bool", "false", "Give each op its operations as an attribute instead of printing sums">,
  ];
}

#endif // RAF_PASSES_GRAPH_PASSES_TD
