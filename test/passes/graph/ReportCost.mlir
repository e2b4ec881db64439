// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-report-cost -o /dev/null | FileCheck %s --check-prefix=SUMS
// RUN: raf-opt %s -raf-report-cost=annotate | FileCheck %s --check-prefix=ANNOTATE

// SUMS: "flops": 2176
// SUMS: "op": "raf.matmul"
// SUMS-NEXT: "count": 1
// SUMS-NEXT: "flops": 1024
// SUMS-NEXT: "bytes": 896
// SUMS: "op": "raf.relu"
// SUMS-NEXT: "count": 2
// SUMS-NEXT: "flops": 128

// ANNOTATE-NOT: {{^}}{
// ANNOTATE: raf.matmul {{.*}} {raf.flops = 1024 : i64}
// ANNOTATE: raf.relu {{.*}} {raf.flops = 64 : i64}
// ANNOTATE: raf.reshape
// ANNOTATE-NOT: raf.flops
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<64xf32> {
  %0 = raf.matmul %x, %w : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %1 = raf.relu %0 : tensor<4x16xf32>
  %2 = raf.relu %1 : tensor<4x16xf32>
  %3 = raf.reshape %2 : tensor<4x16xf32> to tensor<64xf32>
  return %3 : tensor<64xf32>
}

// A launch costs what its kernel's body does: here 10 iterations of exp, an addition and a multiplication; %t is read at 10 computed positions only, and %o is read before
// it is written.
// ANNOTATE: raf.launch @gather {{.*}} {raf.bytes = 200 : i64, raf.flops = 30 : i64, raf.read_inits = array<i64: 0>}
// ANNOTATE: raf.launch @fill {{.*}} {raf.bytes = 40 : i64, raf.flops = 0 : i64, raf.read_inits = array<i64>}
// ANNOTATE: dnnl.matmul {{.*}} {raf.bytes = 896 : i64, raf.flops = 1024 : i64}
#id = affine_map<(i) -> (i)>
func.func private @gather(%i: tensor<10xi64>, %t: tensor<1000xf32>, %o: tensor<10xf32>) -> tensor<10xf32> attributes {raf.kernel} {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%i : tensor<10xi64>) outs(%o : tensor<10xf32>) {
  ^bb0(%a: i64, %b: f32):
    %p = arith.index_cast %a : i64 to index
    %v = tensor.extract %t[%p] : tensor<1000xf32>
    %e = math.exp %v : f32
    %s = arith.addf %e, %b : f32
    %m = arith.mulf %s, %s : f32
    linalg.yield %m : f32
  } -> tensor<10xf32>
  return %r : tensor<10xf32>
}
func.func private @fill(%o: tensor<10xf32>) -> tensor<10xf32> attributes {raf.kernel} {
  %c = arith.constant 1.0 : f32
  %r = linalg.fill ins(%c : f32) outs(%o : tensor<10xf32>) -> tensor<10xf32>
  return %r : tensor<10xf32>
}
func.func @launches(%i: tensor<10xi64>, %t: tensor<1000xf32>, %o: tensor<10xf32>, %a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>, %w: tensor<64xi8>)
    -> (tensor<10xf32>, tensor<4x16xf32>) {
  %0 = raf.launch @gather ins(%i, %t : tensor<10xi64>, tensor<1000xf32>) outs(%o : tensor<10xf32>) -> tensor<10xf32>
  %1 = raf.launch @fill outs(%0 : tensor<10xf32>) -> tensor<10xf32>
  %2:2 = dnnl.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) workspace(%w : tensor<64xi8>) -> tensor<4x16xf32>, tensor<64xi8>
  return %1, %2#0 : tensor<10xf32>, tensor<4x16xf32>
}
