// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_DIALECTS_NCCL_OPS_TD
#define RAF_DIALECTS_NCCL_OPS_TD

include "dialects/nccl/Attrs.td"

defvar NcclInOut = [{ `ins` `(` $x `:` type($x) `)` `outs` `(` $y `:` type($y) `)` }];
defvar NcclEnd = [{ `ranks` `=` $ranks attr-dict (`->` type($outputs)^)? }];

def Nccl_AllReduceOp : Nccl_Op<"all_reduce", "1", ["getMayAlias"]> {
  let summary = "reduction over the ranks";
  let description = [{
    y = the sum, product, maximum, minimum or mean over the ranks of x. y may be x's buffer.

    Example:
    ```mlir
    %0 = nccl.all_reduce sum ins(%x : tensor<8x4xf32>) outs(%y : tensor<8x4xf32>) ranks = 4 -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Nccl_ReductionAttr:$reduction, Nccl_Tensor:$x, Nccl_Tensor:$y, Nccl_Ranks:$ranks);
  let assemblyFormat = !strconcat("$reduction", NcclInOut, NcclEnd);
}

def Nccl_AllGatherOp : Nccl_Op<"all_gather", "1"> {
  let summary = "concatenation over the ranks";
  let description = [{
    y = the values x of all ranks behind each other, rank 0 first.

    Example:
    ```mlir
    %0 = nccl.all_gather ins(%x : tensor<2x4xf32>) outs(%y : tensor<8x4xf32>) ranks = 4 -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Nccl_Tensor:$x, Nccl_Tensor:$y, Nccl_Ranks:$ranks);
  let assemblyFormat = !strconcat(NcclInOut, NcclEnd);
}

def Nccl_ReduceScatterOp : Nccl_Op<"reduce_scatter", "1"> {
  let summary = "reduction over the ranks, of which each gets one part";
  let description = [{
    On rank r, y = part r of the reduction over the ranks of x.

    Example:
    ```mlir
    %0 = nccl.reduce_scatter mean ins(%x : tensor<8x4xf32>) outs(%y : tensor<2x4xf32>) ranks = 4 -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Nccl_ReductionAttr:$reduction, Nccl_Tensor:$x, Nccl_Tensor:$y, Nccl_Ranks:$ranks);
  let assemblyFormat = !strconcat("$reduction", NcclInOut, NcclEnd);
}

def Nccl_BroadcastOp : Nccl_Op<"broadcast", "1", ["getMayAlias"]> {
  let summary = "the value of one rank for all";
  let description = [{
    y = x of rank `root`. y may be x's buffer.

    Example:
    ```mlir
    %0 = nccl.broadcast ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) root = 0 ranks = 4 -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Nccl_Tensor:$x, Nccl_Tensor:$y, Nccl_Rank:$root, Nccl_Ranks:$ranks);
  let assemblyFormat = !strconcat(NcclInOut, "`root` `=` $root", NcclEnd);
}

def Nccl_AllToAllOp : Nccl_Op<"all_to_all", "1"> {
  let summary = "exchange of parts among the ranks";
  let description = [{
    Part s of y = part r of x of rank s, on rank r.

    Example:
    ```mlir
    %0 = nccl.all_to_all ins(%x : tensor<8x4xf32>) outs(%y : tensor<8x4xf32>) ranks = 4 -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Nccl_Tensor:$x, Nccl_Tensor:$y, Nccl_Ranks:$ranks);
  let assemblyFormat = !strconcat(NcclInOut, NcclEnd);
}

def Nccl_SendOp : Nccl_Op<"send", "getOperation()->getNumOperands()"> {
  let summary = "a value for another rank";
  let description = [{
    Rank `peer` receives x. It waits until that happens, so two ranks must not both send to each other before they receive.

    Example:
    ```mlir
    nccl.send ins(%x : tensor<8xf32>) peer = 1 ranks = 4
    ```
  }];
  let arguments = (ins Nccl_Tensor:$x, Nccl_Rank:$peer, Nccl_Ranks:$ranks);
  let assemblyFormat = !strconcat([{ `ins` `(` $x `:` type($x) `)` `peer` `=` $peer }], NcclEnd);
}

def Nccl_ReceiveOp : Nccl_Op<"receive", "0"> {
  let summary = "a value of another rank";
  let description = [{
    y = what rank `peer` sends.

    Example:
    ```mlir
    %0 = nccl.receive outs(%y : tensor<8xf32>) peer = 0 ranks = 4 -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Nccl_Tensor:$y, Nccl_Rank:$peer, Nccl_Ranks:$ranks);
  let assemblyFormat = !strconcat([{ `outs` `(` $y `:` type($y) `)` `peer` `=` $peer }], NcclEnd);
}

#endif // RAF_DIALECTS_NCCL_OPS_TD
