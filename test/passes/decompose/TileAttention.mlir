// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-tile-attention --canonicalize --cse --split-input-file | FileCheck %s

// A block has 64 rows of one head and walks over the keys that they see; maximum, sum and result are carried. Heads that were split off are read where they lie, and written as they are joined.
// CHECK-LABEL: func.func @causal
// CHECK-SAME:    %[[X:.+]]: tensor<2x128x768xf32>
// CHECK-NOT:     tensor<{{.*}}128x128x
// CHECK:         %[[Y:.+]]:2 = raf.kernel ins(%[[X]] : tensor<2x128x768xf32>) outs({{.*}} : tensor<2x128x4x64xf32>, tensor<2x4x128xf32>) attributes {label = "attention"}
// CHECK:           scf.forall (%{{.+}}) in (16)
// CHECK:             %[[Q:.+]] = tensor.extract_slice %{{.+}}[%{{.+}}, %{{.+}}, %{{.+}}] [1, 64, 64] [1, 1, 1] : tensor<2x128x768xf32> to tensor<64x64xf32>
// CHECK:             scf.for %{{.+}} = %c0 to %{{.+}} step %c1 iter_args({{.*}}) -> (tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>)
// CHECK:               %[[K:.+]] = tensor.extract_slice {{.*}} to tensor<32x64xf32>
// CHECK:               raf.matmul %[[Q]], %[[K]] transpose_rhs : tensor<64x64xf32>, tensor<32x64xf32> -> tensor<64x32xf32>
// CHECK:               raf.reduce max
// CHECK:               scf.yield
// CHECK:             tensor.parallel_insert_slice %{{.+}} into %{{.+}}[%{{.+}}, %{{.+}}, %{{.+}}, 0] [1, 64, 1, 64] [1, 1, 1, 1] : tensor<64x64xf32> into tensor<2x128x4x64xf32>
// CHECK:             tensor.parallel_insert_slice %{{.+}} [1, 1, 64] [1, 1, 1] : tensor<64xf32> into tensor<2x4x128xf32>
// CHECK:         raf.reshape %[[Y]]#0 : tensor<2x128x4x64xf32> to tensor<2x128x256xf32>
func.func @causal(%x: tensor<2x128x768xf32>) -> tensor<2x128x256xf32> {
  %0 = raf.slice %x starts = [0, 0, 0] limits = [2, 128, 256] strides = [1, 1, 1] : tensor<2x128x768xf32> -> tensor<2x128x256xf32>
  %1 = raf.slice %x starts = [0, 0, 256] limits = [2, 128, 512] strides = [1, 1, 1] : tensor<2x128x768xf32> -> tensor<2x128x256xf32>
  %2 = raf.slice %x starts = [0, 0, 512] limits = [2, 128, 768] strides = [1, 1, 1] : tensor<2x128x768xf32> -> tensor<2x128x256xf32>
  %3 = raf.reshape %0 : tensor<2x128x256xf32> to tensor<2x128x4x64xf32>
  %4 = raf.reshape %1 : tensor<2x128x256xf32> to tensor<2x128x4x64xf32>
  %5 = raf.reshape %2 : tensor<2x128x256xf32> to tensor<2x128x4x64xf32>
  %q = raf.transpose %3 permutation = [0, 2, 1, 3] : tensor<2x128x4x64xf32> -> tensor<2x4x128x64xf32>
  %k = raf.transpose %4 permutation = [0, 2, 1, 3] : tensor<2x128x4x64xf32> -> tensor<2x4x128x64xf32>
  %v = raf.transpose %5 permutation = [0, 2, 1, 3] : tensor<2x128x4x64xf32> -> tensor<2x4x128x64xf32>
  %y, %lse = raf.attention %q, %k, %v scale = 0.125 causal : (tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>) -> (tensor<2x4x128x64xf32>, tensor<2x4x128xf32>)
  %6 = raf.transpose %y permutation = [0, 2, 1, 3] : tensor<2x4x128x64xf32> -> tensor<2x128x4x64xf32>
  %7 = raf.reshape %6 : tensor<2x128x4x64xf32> to tensor<2x128x256xf32>
  return %7 : tensor<2x128x256xf32>
}

// -----

// Keys of a group of heads: the last tile ends where they do, and what it shares with the one before is masked, or not written again.
// CHECK-LABEL: func.func @gradient
// CHECK:         %[[DQ:.+]] = raf.kernel {{.*}} attributes {label = "attention_query_grad"}
// CHECK:           scf.forall (%{{.+}}) in (8)
// CHECK:             tensor.extract_slice %{{.+}}[%{{.+}}, 0] [%{{.+}}, 12] [1, 1] : tensor<64x12xbf16> to tensor<?x12xbf16>
// CHECK:         %[[DKV:.+]]:2 = raf.kernel {{.*}} attributes {label = "attention_key_grad"}
// CHECK:           scf.forall (%{{.+}}) in (3)
// CHECK:             scf.for
// CHECK:               scf.for
// CHECK:                 arith.cmpi sge
// CHECK:                 raf.matmul %{{.+}}, %{{.+}} transpose_lhs : tensor<64x32xbf16>, tensor<64x12xbf16> -> tensor<32x12xf32>
// CHECK:         return %[[DQ]], %[[DKV]]#0, %[[DKV]]#1
func.func @gradient(%q: tensor<1x4x100x12xbf16>, %k: tensor<1x1x70x12xbf16>, %v: tensor<1x1x70x12xbf16>, %dy: tensor<1x4x100x12xbf16>, %lse: tensor<1x4x100xf32>, %delta: tensor<1x4x100xf32>)
    -> (tensor<1x4x100x12xbf16>, tensor<1x1x70x12xbf16>, tensor<1x1x70x12xbf16>) {
  %dq, %dk, %dv = raf.attention_grad %q, %k, %v, %dy, %lse, %delta scale = 0.125
    : (tensor<1x4x100x12xbf16>, tensor<1x1x70x12xbf16>, tensor<1x1x70x12xbf16>, tensor<1x4x100x12xbf16>, tensor<1x4x100xf32>, tensor<1x4x100xf32>)
    -> (tensor<1x4x100x12xbf16>, tensor<1x1x70x12xbf16>, tensor<1x1x70x12xbf16>)
  return %dq, %dk, %dv : tensor<1x4x100x12xbf16>, tensor<1x1x70x12xbf16>, tensor<1x1x70x12xbf16>
}

// -----

// Heads so wide that no tile of one row fits stay what they are; so do empty ones.
// CHECK-LABEL: func.func @stays
// CHECK-NOT:     raf.kernel
// CHECK:         raf.attention
// CHECK:         raf.attention
func.func @stays(%q: tensor<1x1x4x8192xf32>, %n: tensor<0x1x4x8xf32>) -> (tensor<1x1x4x8192xf32>, tensor<0x1x4x8xf32>) {
  %y, %lse = raf.attention %q, %q, %q scale = 0.125 : (tensor<1x1x4x8192xf32>, tensor<1x1x4x8192xf32>, tensor<1x1x4x8192xf32>) -> (tensor<1x1x4x8192xf32>, tensor<1x1x4xf32>)
  %z, %none = raf.attention %n, %n, %n scale = 0.125 : (tensor<0x1x4x8xf32>, tensor<0x1x4x8xf32>, tensor<0x1x4x8xf32>) -> (tensor<0x1x4x8xf32>, tensor<0x1x4xf32>)
  return %y, %z : tensor<1x1x4x8192xf32>, tensor<0x1x4x8xf32>
}

// -----

// A bias of keys, such as a padding mask, is a row of the tile.
// CHECK-LABEL: func.func @mask
// CHECK:         %[[ROW:.+]] = tensor.extract_slice %{{.+}}[%{{.+}}, 0, 0, %{{.+}}] [1, 1, 1, 32] [1, 1, 1, 1] : tensor<2x1x1x64xf32> to tensor<32xf32>
// CHECK:         raf.broadcast %[[ROW]] dims = [1] : tensor<32xf32> to tensor<64x32xf32>
func.func @mask(%q: tensor<2x4x64x16xf32>, %m: tensor<2x1x1x64xf32>) -> tensor<2x4x64x16xf32> {
  %y, %lse = raf.attention %q, %q, %q bias %m scale = 0.25 : (tensor<2x4x64x16xf32>, tensor<2x4x64x16xf32>, tensor<2x4x64x16xf32>, tensor<2x1x1x64xf32>) -> (tensor<2x4x64x16xf32>, tensor<2x4x64xf32>)
  return %y : tensor<2x4x64x16xf32>
}
