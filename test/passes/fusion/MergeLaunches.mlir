// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --split-input-file --raf-merge-launches | FileCheck %s
// RUN: raf-opt %s --split-input-file --raf-merge-launches="cache-bytes=1024 launch-bytes=0" --remarks-filter=raf-merge-launches -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: raf-opt %s --split-input-file --raf-merge-launches --remarks-filter=raf-merge-launches -o /dev/null 2>&1 | FileCheck %s --check-prefix=PEAK

// Updates of two parameters, with the op between them that makes the second gradient: one launch, where the second was. What both read is passed once.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[P0:[a-z0-9]+]]: memref<64xf32>, %[[P1:[a-z0-9]+]]: memref<32xf32>, %[[LR:[a-z0-9]+]]: memref<f32>
// CHECK: %[[G0:.*]] = memref.alloc() : memref<64xf32>
// CHECK: %[[G1:.*]] = memref.alloc() : memref<32xf32>
// CHECK: raf.launch @gradient64
// CHECK-NEXT: raf.launch @gradient32
// CHECK-NEXT: raf.launch @launches ins(%[[G0]], %[[LR]], %[[G1]] : {{.*}}) outs(%[[P0]], %[[P1]] : memref<64xf32>, memref<32xf32>)
// CHECK-NEXT: return
// CHECK: func.func private @launches(%[[A:[a-z0-9]+]]: memref<64xf32>, %[[B:[a-z0-9]+]]: memref<f32>, %[[C:[a-z0-9]+]]: memref<32xf32>, %[[D:[a-z0-9]+]]: memref<64xf32>, %[[E:[a-z0-9]+]]: memref<32xf32>) attributes {raf.kernel}
// CHECK-NEXT: raf.launch @update64 ins(%[[A]], %[[B]] : {{.*}}) outs(%[[D]] : memref<64xf32>)
// CHECK-NEXT: raf.launch @update32 ins(%[[C]], %[[B]] : {{.*}}) outs(%[[E]] : memref<32xf32>)
// CHECK-NEXT: return
#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
// REMARK: 2 kernels in one launch
func.func @main(%p0: memref<64xf32>, %p1: memref<32xf32>, %lr: memref<f32>, %x: memref<512xf32>) {
  %g0 = memref.alloc() : memref<64xf32>
  %g1 = memref.alloc() : memref<32xf32>
  %large = memref.alloc() : memref<512xf32>
  memref.copy %x, %large : memref<512xf32> to memref<512xf32>
  memref.copy %large, %x : memref<512xf32> to memref<512xf32>
  raf.launch @gradient64 ins(%p0 : memref<64xf32>) outs(%g0 : memref<64xf32>)
  raf.launch @update64 ins(%g0, %lr : memref<64xf32>, memref<f32>) outs(%p0 : memref<64xf32>)
  raf.launch @gradient32 ins(%p1 : memref<32xf32>) outs(%g1 : memref<32xf32>)
  raf.launch @update32 ins(%g1, %lr : memref<32xf32>, memref<f32>) outs(%p1 : memref<32xf32>)
  return
}
// Loops of their own: no kernel of tiles.
func.func private @gradient64(%p: tensor<64xf32>, %g: tensor<64xf32>) -> tensor<64xf32> attributes {raf.kernel} {
  %c = arith.constant 0 : index
  %x = tensor.extract %p[%c] : tensor<64xf32>
  %0 = tensor.insert %x into %g[%c] : tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func private @gradient32(%p: tensor<32xf32>, %g: tensor<32xf32>) -> tensor<32xf32> attributes {raf.kernel} {
  %c = arith.constant 0 : index
  %x = tensor.extract %p[%c] : tensor<32xf32>
  %0 = tensor.insert %x into %g[%c] : tensor<32xf32>
  return %0 : tensor<32xf32>
}
func.func private @update64(%g: tensor<64xf32>, %lr: tensor<f32>, %p: tensor<64xf32>) -> tensor<64xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #scalar, #id], iterator_types = ["parallel"]} ins(%g, %lr : tensor<64xf32>, tensor<f32>) outs(%p : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.mulf %a, %b : f32
    %r = arith.subf %c, %s : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func private @update32(%g: tensor<32xf32>, %lr: tensor<f32>, %p: tensor<32xf32>) -> tensor<32xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #scalar, #id], iterator_types = ["parallel"]} ins(%g, %lr : tensor<32xf32>, tensor<f32>) outs(%p : tensor<32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.mulf %a, %b : f32
    %r = arith.subf %c, %s : f32
    linalg.yield %r : f32
  } -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// -----

// What is made is needed before the next launch, by a copy and by the launch itself.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-3: raf.launch @double
// REMARK: what it makes is needed before
// REMARK: what it makes is needed before
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  raf.launch @double ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  raf.launch @double ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  raf.launch @double ins(%a : memref<8xf32>) outs(%z : memref<8xf32>)
  return
}
func.func private @double(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// The first gradient would be alive with the large buffer, at the peak: that update does not wait.
// CHECK-LABEL: func.func @main
// CHECK: raf.launch @double ins(%{{.*}}) outs(%arg1
// CHECK: memref.copy
// CHECK: raf.launch @double ins(%{{.*}}) outs(%arg2
// PEAK: more memory would be alive at once
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>, %big: memref<64xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %large = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  raf.launch @double ins(%a : memref<8xf32>) outs(%y : memref<8xf32>)
  memref.copy %big, %large : memref<64xf32> to memref<64xf32>
  memref.copy %large, %big : memref<64xf32> to memref<64xf32>
  raf.launch @double ins(%x : memref<8xf32>) outs(%z : memref<8xf32>)
  return
}
func.func private @double(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// With small caches the gradient would have left them.
// CHECK-LABEL: func.func @main
// CHECK: raf.launch @launches
// REMARK-COUNT-2: what it reads would have left the caches
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>, %big: memref<640xf32>, %other: memref<640xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  raf.launch @double ins(%a : memref<8xf32>) outs(%y : memref<8xf32>)
  memref.copy %big, %other : memref<640xf32> to memref<640xf32>
  raf.launch @double ins(%x : memref<8xf32>) outs(%z : memref<8xf32>)
  memref.copy %y, %x : memref<8xf32> to memref<8xf32>
  return
}
func.func private @double(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
