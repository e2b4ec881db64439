// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_DNNL_REORDER_TD
#define RAF_DIALECTS_DNNL_REORDER_TD

include "dialects/dnnl/Attrs.td"

def Dnnl_ReorderOp : Dnnl_Op<"reorder", "Dst"> {
  let summary = "weights brought into a layout of the library";
  let description = [{
    dst holds src, read through its view or lying in `src_layout`, in the packed layout: what products and convolutions would otherwise make of their weights each time, made once for all that
    want it.

    Example:
    ```mlir
    %y = dnnl.reorder ins(%w : tensor<1024x256xf32>) outs(%d : tensor<1048576xi8>) layout = <[256, 1024], strides = [1024, 16384], blocks = [16, 64] of [0, 1]>
           {src_view = #dnnl.view<[256, 1024], strides = [1, 256]>} -> tensor<1048576xi8>
    ```
  }];
  let arguments = !con((ins Dnnl_Tensor:$src, Dnnl_Bytes:$dst), DnnlWorkspace, (ins Dnnl_BlockedAttr:$layout, OptionalAttr<Dnnl_ViewAttr>:$src_view, OptionalAttr<Dnnl_BlockedAttr>:$src_layout));
  let assemblyFormat = !strconcat([{ `ins` `(` $src `:` type($src) `)` `outs` `(` $dst `:` type($dst) `)` }], DnnlWorkspaceFormat, [{ `layout` `=` $layout }], DnnlEnd);
}

#endif // RAF_DIALECTS_DNNL_REORDER_TD
