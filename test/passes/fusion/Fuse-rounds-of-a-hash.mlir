// RUN: raf-opt %s --raf-convert-to-linalg --canonicalize --raf-fuse | FileCheck %s

// The rounds of a hash: each value is read twice in the next round, so there are 2^40 paths through it. Computing cheap values anew where they are read ends.
// CHECK-LABEL: func.func @main
// CHECK: raf.kernel
func.func @main(%a0: tensor<64xi32>, %b0: tensor<64xi32>) -> tensor<64xi32> {
  %a1 = raf.add %a0, %b0 : tensor<64xi32>
  %b1 = raf.sub %a1, %b0 : tensor<64xi32>
  %a2 = raf.add %a1, %b1 : tensor<64xi32>
  %b2 = raf.sub %a2, %b1 : tensor<64xi32>
  %a3 = raf.add %a2, %b2 : tensor<64xi32>
  %b3 = raf.sub %a3, %b2 : tensor<64xi32>
  %a4 = raf.add %a3, %b3 : tensor<64xi32>
  %b4 = raf.sub %a4, %b3 : tensor<64xi32>
  %a5 = raf.add %a4, %b4 : tensor<64xi32>
  %b5 = raf.sub %a5, %b4 : tensor<64xi32>
  %a6 = raf.add %a5, %b5 : tensor<64xi32>
  %b6 = raf.sub %a6, %b5 : tensor<64xi32>
  %a7 = raf.add %a6, %b6 : tensor<64xi32>
  %b7 = raf.sub %a7, %b6 : tensor<64xi32>
  %a8 = raf.add %a7, %b7 : tensor<64xi32>
  %b8 = raf.sub %a8, %b7 : tensor<64xi32>
  %a9 = raf.add %a8, %b8 : tensor<64xi32>
  %b9 = raf.sub %a9, %b8 : tensor<64xi32>
  %a10 = raf.add %a9, %b9 : tensor<64xi32>
  %b10 = raf.sub %a10, %b9 : tensor<64xi32>
  %a11 = raf.add %a10, %b10 : tensor<64xi32>
  %b11 = raf.sub %a11, %b10 : tensor<64xi32>
  %a12 = raf.add %a11, %b11 : tensor<64xi32>
  %b12 = raf.sub %a12, %b11 : tensor<64xi32>
  %a13 = raf.add %a12, %b12 : tensor<64xi32>
  %b13 = raf.sub %a13, %b12 : tensor<64xi32>
  %a14 = raf.add %a13, %b13 : tensor<64xi32>
  %b14 = raf.sub %a14, %b13 : tensor<64xi32>
  %a15 = raf.add %a14, %b14 : tensor<64xi32>
  %b15 = raf.sub %a15, %b14 : tensor<64xi32>
  %a16 = raf.add %a15, %b15 : tensor<64xi32>
  %b16 = raf.sub %a16, %b15 : tensor<64xi32>
  %a17 = raf.add %a16, %b16 : tensor<64xi32>
  %b17 = raf.sub %a17, %b16 : tensor<64xi32>
  %a18 = raf.add %a17, %b17 : tensor<64xi32>
  %b18 = raf.sub %a18, %b17 : tensor<64xi32>
  %a19 = raf.add %a18, %b18 : tensor<64xi32>
  %b19 = raf.sub %a19, %b18 : tensor<64xi32>
  %a20 = raf.add %a19, %b19 : tensor<64xi32>
  %b20 = raf.sub %a20, %b19 : tensor<64xi32>
  %a21 = raf.add %a20, %b20 : tensor<64xi32>
  %b21 = raf.sub %a21, %b20 : tensor<64xi32>
  %a22 = raf.add %a21, %b21 : tensor<64xi32>
  %b22 = raf.sub %a22, %b21 : tensor<64xi32>
  %a23 = raf.add %a22, %b22 : tensor<64xi32>
  %b23 = raf.sub %a23, %b22 : tensor<64xi32>
  %a24 = raf.add %a23, %b23 : tensor<64xi32>
  %b24 = raf.sub %a24, %b23 : tensor<64xi32>
  %a25 = raf.add %a24, %b24 : tensor<64xi32>
  %b25 = raf.sub %a25, %b24 : tensor<64xi32>
  %a26 = raf.add %a25, %b25 : tensor<64xi32>
  %b26 = raf.sub %a26, %b25 : tensor<64xi32>
  %a27 = raf.add %a26, %b26 : tensor<64xi32>
  %b27 = raf.sub %a27, %b26 : tensor<64xi32>
  %a28 = raf.add %a27, %b27 : tensor<64xi32>
  %b28 = raf.sub %a28, %b27 : tensor<64xi32>
  %a29 = raf.add %a28, %b28 : tensor<64xi32>
  %b29 = raf.sub %a29, %b28 : tensor<64xi32>
  %a30 = raf.add %a29, %b29 : tensor<64xi32>
  %b30 = raf.sub %a30, %b29 : tensor<64xi32>
  %a31 = raf.add %a30, %b30 : tensor<64xi32>
  %b31 = raf.sub %a31, %b30 : tensor<64xi32>
  %a32 = raf.add %a31, %b31 : tensor<64xi32>
  %b32 = raf.sub %a32, %b31 : tensor<64xi32>
  %a33 = raf.add %a32, %b32 : tensor<64xi32>
  %b33 = raf.sub %a33, %b32 : tensor<64xi32>
  %a34 = raf.add %a33, %b33 : tensor<64xi32>
  %b34 = raf.sub %a34, %b33 : tensor<64xi32>
  %a35 = raf.add %a34, %b34 : tensor<64xi32>
  %b35 = raf.sub %a35, %b34 : tensor<64xi32>
  %a36 = raf.add %a35, %b35 : tensor<64xi32>
  %b36 = raf.sub %a36, %b35 : tensor<64xi32>
  %a37 = raf.add %a36, %b36 : tensor<64xi32>
  %b37 = raf.sub %a37, %b36 : tensor<64xi32>
  %a38 = raf.add %a37, %b37 : tensor<64xi32>
  %b38 = raf.sub %a38, %b37 : tensor<64xi32>
  %a39 = raf.add %a38, %b38 : tensor<64xi32>
  %b39 = raf.sub %a39, %b38 : tensor<64xi32>
  %a40 = raf.add %a39, %b39 : tensor<64xi32>
  %b40 = raf.sub %a40, %b39 : tensor<64xi32>
  return %b40 : tensor<64xi32>
}
