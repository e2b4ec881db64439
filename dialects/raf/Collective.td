// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communication among the devices that run one program (SPMD).

#ifndef RAF_DIALECTS_RAF_COLLECTIVE_TD
#define RAF_DIALECTS_RAF_COLLECTIVE_TD

include "dialects/raf/Base.td"
include "dialects/raf/Enums.td"

// Lists of device numbers: groups, or pairs of a source and a target.
def RAF_DeviceLists : TypedArrayAttrBase<DenseI64ArrayAttr, "lists of device numbers">;

// Without memory effects, so that an unused one may go; but not speculatable, as all devices of a group must take part in it or none.
class RAF_CollectiveOp<string mnemonic, list<Trait> traits = []> : Op<RAF_Dialect, mnemonic, !listconcat([NoMemoryEffect], traits)> {
  let hasVerifier = 1;
  let hasFolder = 1;
}

def RAF_DeviceIdOp : RAF_Op<"device_id"> {
  let summary = "number of the device that runs the program";
  let description = [{
    A number in [0, N), N the module attribute `raf.num_devices`. Groups and pairs of collectives name devices by it.

    Example:
    ```mlir
    %y = raf.device_id : tensor<i32>
    ```
  }];
  let results = (outs RAF_ScalarIndex:$y);
  let assemblyFormat = "attr-dict `:` type($y)";
  let hasFolder = 1;
}

def RAF_AllReduceOp : RAF_CollectiveOp<"all_reduce", [AllTypesMatch<["x", "y"]>]> {
  let summary = "reduction over the devices of a group";
  let description = [{
    Each device of a group gets the sum, product, maximum or minimum of the x of all devices of the group. Groups have equal sizes and no device in common.

    Gradients are those of the sum of the losses of all devices: the transpose of a sum is a sum; equal extrema share the gradient evenly.

    Example:
    ```mlir
    %y = raf.all_reduce sum %x groups = [[0, 1], [2, 3]] : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins RAF_ReduceKindAttr:$kind, RAF_NumberTensor:$x, RAF_DeviceLists:$groups);
  let results = (outs RAF_NumberTensor:$y);
  let assemblyFormat = "$kind $x `groups` `=` custom<DeviceLists>($groups) attr-dict `:` type($y)";
}

def RAF_AllGatherOp : RAF_CollectiveOp<"all_gather"> {
  let summary = "concatenation over the devices of a group";
  let description = [{
    Each device of a group gets the x of all devices of the group, concatenated along `dim` in the group's order.

    Example:
    ```mlir
    %y = raf.all_gather %x dim = 0 groups = [[0, 1], [2, 3]] : tensor<4x8xf32> -> tensor<8x8xf32>
    ```
  }];
  let arguments = (ins RAF_Tensor:$x, ConfinedAttr<I64Attr, [IntNonNegative]>:$dim, RAF_DeviceLists:$groups);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$x `dim` `=` $dim `groups` `=` custom<DeviceLists>($groups) attr-dict `:` type($x) `->` type($y)";
}

def RAF_ReduceScatterOp : RAF_CollectiveOp<"reduce_scatter"> {
  let summary = "reduction over the devices of a group, of which each gets one piece";
  let description = [{
    Device k of a group gets piece k of what `raf.all_reduce` would give, cut into equal pieces along `dim`.

    Example:
    ```mlir
    %y = raf.reduce_scatter sum %x dim = 0 groups = [[0, 1], [2, 3]] : tensor<4x8xf32> -> tensor<2x8xf32>
    ```
  }];
  let arguments = (ins RAF_ReduceKindAttr:$kind, RAF_NumberTensor:$x, ConfinedAttr<I64Attr, [IntNonNegative]>:$dim, RAF_DeviceLists:$groups);
  let results = (outs RAF_NumberTensor:$y);
  let assemblyFormat = "$kind $x `dim` `=` $dim `groups` `=` custom<DeviceLists>($groups) attr-dict `:` type($x) `->` type($y)";
}

def RAF_AllToAllOp : RAF_CollectiveOp<"all_to_all"> {
  let summary = "exchange of pieces among the devices of a group";
  let description = [{
    x is cut into as many equal pieces along `split_dim` as the group has devices; piece k goes to device k, which concatenates what it gets along `concat_dim`
    in the order of the senders.

    Example:
    ```mlir
    %y = raf.all_to_all %x split_dim = 0 concat_dim = 1 groups = [[0, 1]] : tensor<4x8xf32> -> tensor<2x16xf32>
    ```
  }];
  let arguments = (ins RAF_Tensor:$x, ConfinedAttr<I64Attr, [IntNonNegative]>:$split_dim, ConfinedAttr<I64Attr, [IntNonNegative]>:$concat_dim,
                       RAF_DeviceLists:$groups);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$x `split_dim` `=` $split_dim `concat_dim` `=` $concat_dim `groups` `=` custom<DeviceLists>($groups) attr-dict `:` type($x) `->` type($y)";
}

def RAF_CollectivePermuteOp : RAF_CollectiveOp<"collective_permute", [AllTypesMatch<["x", "y"]>]> {
  let summary = "messages from device to device";
  let description = [{
    For each pair (source, target) the target gets the x of the source; a device that is no target gets zeros. No device is a source twice, nor a target.

    Example:
    ```mlir
    %y = raf.collective_permute %x pairs = [[0, 1], [1, 0]] : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins RAF_Tensor:$x, RAF_DeviceLists:$pairs);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$x `pairs` `=` custom<DeviceLists>($pairs) attr-dict `:` type($y)";
}

def RAF_CollectiveBroadcastOp : RAF_CollectiveOp<"collective_broadcast", [AllTypesMatch<["x", "y"]>]> {
  let summary = "the value of the first device of a group for all of it";
  let description = [{
    Each device of a group gets the x of the group's first device; a device in no group gets zeros.

    Example:
    ```mlir
    %y = raf.collective_broadcast %x groups = [[0, 1], [2, 3]] : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins RAF_Tensor:$x, RAF_DeviceLists:$groups);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$x `groups` `=` custom<DeviceLists>($groups) attr-dict `:` type($y)";
}

#endif // RAF_DIALECTS_RAF_COLLECTIVE_TD
