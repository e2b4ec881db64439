// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: x86
// RUN: raf-opt %s --raf-tile-kernels='vector-bits=512 stream-bytes=1024' --canonicalize --cse | FileCheck %s
// RUN: raf-opt %s --raf-tile-kernels='vector-bits=512 stream-bytes=1000000' --canonicalize --cse | FileCheck %s --check-prefix=SMALL

// SMALL-NOT: nontemporal
// SMALL-NOT: sfence

// Up to the first aligned vector, then in pieces of one length that are computed in a buffer of their own, while what later ones read is fetched, in pieces of a vector, and at last
// what is left, which no piece holds; at both ends under masks. The line that the row shares with the next one is fetched first. After the last tile others may read the result.
// CHECK-LABEL: func.func private @streamed_tiles(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<9x700xf32> {llvm.noalias}, %[[G:[a-z0-9]+]]: memref<700xf32> {llvm.noalias}, %[[Y:[a-z0-9]+]]: memref<9x700xf32> {llvm.noalias})
// CHECK-DAG:   %[[PIECE:.*]] = memref.alloca() {alignment = 64 : i64} : memref<256xf32>
// CHECK:       scf.for
// CHECK:         memref.prefetch %[[Y]][%{{.*}}, %c699], write
// CHECK:         %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index
// CHECK:         arith.andi %{{.*}}, %c63
// CHECK:         scf.for %{{.*}} = %c0 to %[[FIRST:.*]] step %c1 {
// CHECK:           memref.store %{{.*}}, %[[Y]]
// CHECK:         } {llvm.loop_annotation = #[[MASKED:.*]]}
// CHECK:         scf.for %{{.*}} = %[[FIRST]] to %[[LAST:.*]] step %c64
// CHECK:           memref.prefetch %[[X]]{{.*}}, read
// CHECK:           scf.for %[[I:.*]] = %c0 to %c64 step %c1 {
// CHECK:             memref.store %{{.*}}, %[[PIECE]][%[[I]]]
// CHECK-COUNT-4:   vector.store %{{.*}}, %[[Y]]{{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK:         scf.for %{{.*}} = %[[LAST]] to %[[REST:.*]] step %c16
// CHECK:           scf.for %[[I:.*]] = %c0 to %c16 step %c1 {
// CHECK:             memref.store %{{.*}}, %[[PIECE]][%[[I]]]
// CHECK-COUNT-1:   vector.store %{{.*}}, %[[Y]]{{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK:         scf.for %{{.*}} = %[[REST]] to %c700 step %c1 {
// CHECK:           memref.store %{{.*}}, %[[Y]]
// CHECK:         } {llvm.loop_annotation = #[[MASKED]]}
// CHECK:       llvm.call_intrinsic "llvm.x86.sse.sfence"
func.func private @streamed(%x: tensor<9x700xf32>, %g: tensor<700xf32>, %y: tensor<9x700xf32>) -> tensor<9x700xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %g : tensor<9x700xf32>, tensor<700xf32>) outs(%y : tensor<9x700xf32>) {
  ^bb0(%a: f32, %f: f32, %b: f32):
    %e = arith.mulf %a, %f : f32
    linalg.yield %e : f32
  } -> tensor<9x700xf32>
  return %0 : tensor<9x700xf32>
}

// What is read where it is written, by the same op or by another one of the kernel, is in the caches.
// CHECK-LABEL: func.func private @in_place_tiles(
// CHECK-NOT:     nontemporal
// CHECK-NOT:     sfence
// CHECK:         return
func.func private @in_place(%y: tensor<9x700xf32>) -> tensor<9x700xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%y : tensor<9x700xf32>) {
  ^bb0(%b: f32):
    %e = math.exp %b : f32
    linalg.yield %e : f32
  } -> tensor<9x700xf32>
  return %0 : tensor<9x700xf32>
}

// CHECK-LABEL: func.func private @read_again_tiles(
// CHECK-NOT:     nontemporal
// CHECK:         return
func.func private @read_again(%x: tensor<9x700xf32>, %y: tensor<9x700xf32>, %s: tensor<9xf32>) -> (tensor<9x700xf32>, tensor<9xf32>) attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<9x700xf32>) outs(%y : tensor<9x700xf32>) {
  ^bb0(%a: f32, %b: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  } -> tensor<9x700xf32>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%s : tensor<9xf32>) {
  ^bb0(%b: f32):
    linalg.yield %zero : f32
  } -> tensor<9xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<9x700xf32>) outs(%fill : tensor<9xf32>) {
  ^bb0(%a: f32, %b: f32):
    %e = arith.addf %a, %b : f32
    linalg.yield %e : f32
  } -> tensor<9xf32>
  return %0, %1 : tensor<9x700xf32>, tensor<9xf32>
}

// Rows that all begin and end with a vector share no line.
// CHECK-LABEL: func.func private @whole_vectors_tiles(
// CHECK-NOT:     memref.prefetch %{{.*}}, write
// CHECK:         nontemporal
func.func private @whole_vectors(%x: tensor<704xf32>, %y: tensor<9x704xf32>) -> tensor<9x704xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<704xf32>) outs(%y : tensor<9x704xf32>) {
  ^bb0(%a: f32, %b: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  } -> tensor<9x704xf32>
  return %0 : tensor<9x704xf32>
}

// A body that branches on where its loop is, as a concatenation's does, is split there, in each piece of what is streamed: no loop branches.
// What is left of a piece before and behind whole vectors, if anything, goes out under masks.
// CHECK-LABEL: func.func private @concat_tiles(
// CHECK-NOT:     scf.if
// CHECK:         scf.if %{{.*}} {
// CHECK:           %[[MASK:.*]] = arith.cmpi
// CHECK-NEXT:      %[[PART:.*]] = vector.maskedload %{{.*}}, %[[MASK]]
// CHECK:           vector.maskedstore %{{.*}}, %[[MASK]], %[[PART]]
// CHECK-NEXT:    }
// CHECK-NOT:     scf.if
// CHECK:         nontemporal
// CHECK:         scf.if %{{.*}} {
// CHECK:           vector.maskedstore
// CHECK-NOT:     scf.if
// CHECK:         return
func.func private @concat(%a: tensor<4x300xf32>, %b: tensor<4x400xf32>, %y: tensor<4x700xf32>) -> tensor<4x700xf32> attributes {raf.kernel} {
  %c300 = arith.constant 300 : index
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%y : tensor<4x700xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %left = arith.cmpi ult, %j, %c300 : index
    %v = scf.if %left -> (f32) {
      %l = tensor.extract %a[%i, %j] : tensor<4x300xf32>
      scf.yield %l : f32
    } else {
      %k = arith.subi %j, %c300 : index
      %r = tensor.extract %b[%i, %k] : tensor<4x400xf32>
      scf.yield %r : f32
    }
    linalg.yield %v : f32
  } -> tensor<4x700xf32>
  return %0 : tensor<4x700xf32>
}

// A tile of a transposition whose rows begin and end within vectors writes the vectors that begin in it: its parts of the input go beyond it by a vector, and only the first and the last tile
// of a row write some in part.
// CHECK-LABEL: func.func private @flipped_tiles(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<300x90xf32> {llvm.noalias}, %[[Y:[a-z0-9]+]]: memref<90x300xf32> {llvm.noalias})
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<64x288xf32>
// CHECK:         arith.minui %{{.*}}, %c272
// CHECK-COUNT-64: vector.shuffle
// CHECK:         %[[LAST:.*]] = arith.cmpi ule
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq
// CHECK:         scf.if %[[LAST]] {
// CHECK:           memref.prefetch %[[Y]]{{.*}}, write
// CHECK:         }
// CHECK:         %[[HEAD:.*]] = arith.select %[[FIRST]], %[[ALIGNED:.*]], %c0
// CHECK:         scf.for %{{.*}} = %c0 to %[[HEAD]]
// CHECK:         scf.for %{{.*}} = %[[ALIGNED]] to
// CHECK-COUNT-4:   vector.store %{{.*}}, %[[Y]]{{.*}} {alignment = 64 : i64, nontemporal = true}
func.func private @flipped(%x: tensor<300x90xf32>, %y: tensor<90x300xf32>) -> tensor<90x300xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<300x90xf32>) outs(%y : tensor<90x300xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<90x300xf32>
  return %0 : tensor<90x300xf32>
}
