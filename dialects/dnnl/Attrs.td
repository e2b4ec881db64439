// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_DNNL_ATTRS_TD
#define RAF_DIALECTS_DNNL_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "dialects/dnnl/Base.td"
include "dialects/dnnl/Enums.td"

def Dnnl_ViewAttr : AttrDef<Dnnl_Dialect, "View"> {
  let mnemonic = "view";
  let summary = "how a dense tensor is read or written";
  let description = [{
    Logical dimensions and the distance in elements between neighbours along each. Transposes, split and merged dimensions and broadcast operands are only a choice of
    these numbers, so they cost nothing. Slices of operands are too: `offset` is the position of the first element.

    Example: `#dnnl.view<[8, 4], strides = [1, 8]>` reads a tensor<4x8xf32> as its transpose, `#dnnl.view<[4, 2], strides = [8, 1], offset = 6>` its last two columns.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$dims, ArrayRefParameter<"int64_t">:$strides, DefaultValuedParameter<"int64_t", "0">:$offset);
  let assemblyFormat = "`<` `[` $dims `]` `,` `strides` `=` `[` $strides `]` (`,` `offset` `=` $offset^)? `>`";
  let builders = [AttrBuilder<(ins "ArrayRef<int64_t>":$dims, "ArrayRef<int64_t>":$strides), [{ return $_get($_ctxt, dims, strides, 0); }]>];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The position after the last element that the view touches.
    int64_t getExtent() const;
  }];
}

def Dnnl_BlockedAttr : AttrDef<Dnnl_Dialect, "Blocked"> {
  let mnemonic = "blocked";
  let summary = "a packed layout of the library";
  let description = [{
    How weights of the logical dimensions `dims` lie in a buffer: dimension `of[i]` is cut in blocks of `blocks[i]` elements, the last of which are innermost, and
    `strides` are the distances between whole blocks. Only layouts that the library has names for can be used.

    Example: `#dnnl.blocked<[256, 1024], strides = [1024, 16384], blocks = [16, 64] of [0, 1]>`: 16 x 64 elements lie together, the blocks of 64 columns below one another.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$dims, ArrayRefParameter<"int64_t">:$strides, ArrayRefParameter<"int64_t">:$blocks, ArrayRefParameter<"int64_t">:$block_dims);
  let assemblyFormat = "`<` `[` $dims `]` `,` `strides` `=` `[` $strides `]` `,` `blocks` `=` `[` $blocks `]` `of` `[` $block_dims `]` `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The elements that a buffer must have room for.
    int64_t getExtent() const;
  }];
}

def Dnnl_PostOpAttr : AttrDef<Dnnl_Dialect, "PostOp"> {
  let mnemonic = "post_op";
  let summary = "operation on a result before it is stored";
  let description = [{
    With v the value so far: `relu` max(v, 0), where NaN stays NaN and -infinity becomes NaN, `gelu_erf`, `gelu_tanh`, `tanh`, `sigmoid`, `silu`, `linear` alpha * v + beta; `add`, `sub` and `mul` with the
    next operand of the op; `sum` v + alpha * (what the destination held).

    Example: `#dnnl.post_op<relu>`, `#dnnl.post_op<linear, alpha = 5.0e-01 : f64, beta = 0.0 : f64>`
  }];
  let parameters = (ins EnumParameter<Dnnl_PostOpKind>:$kind, OptionalParameter<"::mlir::FloatAttr">:$alpha, OptionalParameter<"::mlir::FloatAttr">:$beta);
  let assemblyFormat = "`<` $kind (`,` `alpha` `=` $alpha^)? (`,` `beta` `=` $beta^)? `>`";
  let builders = [AttrBuilder<(ins "PostOpKind":$kind), [{ return $_get($_ctxt, kind, ::mlir::FloatAttr(), ::mlir::FloatAttr()); }]>];
  let extraClassDeclaration = [{
    /// Whether it takes an operand of the op.
    bool isBinary() const { return getKind() == PostOpKind::add || getKind() == PostOpKind::sub || getKind() == PostOpKind::mul; }
  }];
}

def Dnnl_PostOps : TypedArrayAttrBase<Dnnl_PostOpAttr, "array of post-ops">;
def Dnnl_Views : TypedArrayAttrBase<Dnnl_ViewAttr, "array of views">;

#endif // RAF_DIALECTS_DNNL_ATTRS_TD
