// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_DNNL_MATMUL_TD
#define RAF_DIALECTS_DNNL_MATMUL_TD

include "dialects/dnnl/Attrs.td"

def Dnnl_MatmulOp : Dnnl_Op<"matmul", "Dst", ["readsInit"], [AttrSizedOperandSegments]> {
  let summary = "(batched) matrix product with a bias and further operations on the result";
  let description = [{
    dst = post_ops(lhs * rhs + bias). Through its view, lhs is [batch..., m, k], rhs [batch..., k, n] and dst [batch..., m, n]; a batch dimension of lhs or rhs may be 1.
    Without a view a tensor is read as it is. With `rhs_layout` rhs is what `dnnl.reorder` has made of a matrix [k, n], the same for all batches. bias and the operands of binary post-ops have dst's dimensions or 1 each; a bias of one dimension runs along n.

    Example:
    ```mlir
    %y = dnnl.matmul ins(%a, %b : tensor<4x8xf32>, tensor<16x8xf32>) bias(%v : tensor<16xf32>) outs(%x : tensor<4x16xf32>)
           post_ops = [#dnnl.post_op<relu>] {rhs_view = #dnnl.view<[8, 16], strides = [1, 8]>} -> tensor<4x16xf32>
    ```
  }];
  let arguments = !con((ins Dnnl_Tensor:$lhs, Dnnl_Weights:$rhs, Optional<Dnnl_Tensor>:$bias, Variadic<Dnnl_Tensor>:$post_operands, Dnnl_Tensor:$dst), DnnlWorkspace,
                       (ins DefaultValuedAttr<Dnnl_PostOps, "{}">:$post_ops, OptionalAttr<Dnnl_ViewAttr>:$lhs_view, OptionalAttr<Dnnl_ViewAttr>:$rhs_view,
                            OptionalAttr<Dnnl_ViewAttr>:$bias_view, OptionalAttr<Dnnl_Views>:$post_operand_views, OptionalAttr<Dnnl_ViewAttr>:$dst_view,
                            OptionalAttr<Dnnl_BlockedAttr>:$rhs_layout));
  let assemblyFormat = !strconcat([{ `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)` (`bias` `(` $bias^ `:` type($bias) `)`)?
                                    (`post_operands` `(` $post_operands^ `:` type($post_operands) `)`)?
                                    `outs` `(` $dst `:` type($dst) `)` }],
                                 DnnlWorkspaceFormat, [{ (`post_ops` `=` $post_ops^)? }], DnnlEnd);
}

#endif // RAF_DIALECTS_DNNL_MATMUL_TD
