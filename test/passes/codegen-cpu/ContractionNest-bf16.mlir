// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llc
// RUN: raf-opt %s --raf-tile-kernels="vector-bits=512 bf16-dot=native" --canonicalize --cse | FileCheck %s
// RUN: raf-opt %s --raf-tile-kernels="vector-bits=512 bf16-dot=emulated" --canonicalize --cse | FileCheck %s --check-prefix=EMULATED
// RUN: raf-opt %s --raf-tile-kernels="vector-bits=512 bf16-dot=none" --canonicalize --cse | FileCheck %s --check-prefix=NONE
// RUN: raf-opt %s --raf-tile-kernels="vector-bits=256 bf16-dot=native" --canonicalize --cse | FileCheck %s --check-prefix=NONE
// RUN: raf-opt %s --raf-tile-kernels="vector-bits=512 bf16-dot=native" --canonicalize --cse --raf-lower-kernels=bf16=native | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -O2 -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids -S | llc -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids | FileCheck %s --check-prefix=ASM

// Pairs along the depth: 37 are 19 of them, the last with a zero. Rows of a lie along the depth, so that pairs are copied; rows of b are brought together.
// CHECK-LABEL: func.func private @product_tiles(
// CHECK-DAG: %[[A:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2x10x48xi32>
// CHECK-DAG: %[[B:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2x32x32xi32>
// CHECK:     arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<16xbf16>
// CHECK:     arith.shli %{{.*}} : vector<16xi32>
// CHECK:     vector.store %{{.*}}, %[[B]]
// CHECK:     vector.maskedload %{{.*}} : memref<20x37xbf16>, vector<32xi1>, vector<32xbf16> into vector<32xbf16>
// CHECK:     vector.bitcast %{{.*}} : vector<32xbf16> to vector<16xi32>
// CHECK:     scf.for %{{.*}} = %c0 to %c19
// CHECK:       llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%{{.*}}) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// EMULATED-LABEL: func.func private @product_tiles(
// EMULATED-NOT:   call_intrinsic
// EMULATED:       %[[HIGH:.*]] = vector.fma
// EMULATED:       vector.fma %{{.*}}, %{{.*}}, %[[HIGH]] : vector<16xf32>
// NONE-LABEL: func.func private @product_tiles(
// NONE-NOT:   memref<{{.*}}xi32>
// NONE:       arith.extf
// NONE:       vector.fma
// ASM-COUNT-20: vdpbf16ps %zmm
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>
func.func @product(%a: tensor<20x37xbf16>, %b: tensor<37x50xbf16>, %y: tensor<20x50xf32>) -> tensor<20x50xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%y : tensor<20x50xf32>) -> tensor<20x50xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<20x37xbf16>, tensor<37x50xbf16>) outs(%f : tensor<20x50xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %p = arith.mulf %lw, %rw : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<20x50xf32>
  return %0 : tensor<20x50xf32>
}

// Other types are summed one by one.
// CHECK-LABEL: func.func private @mixed_tiles(
// CHECK-NOT: call_intrinsic
// CHECK: return
func.func private @mixed(%a: tensor<20x37xbf16>, %b: tensor<37x50xf32>, %y: tensor<20x50xf32>) -> tensor<20x50xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#a, #b, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<20x37xbf16>, tensor<37x50xf32>) outs(%y : tensor<20x50xf32>) {
  ^bb0(%l: bf16, %r: f32, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %p = arith.mulf %lw, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<20x50xf32>
  return %0 : tensor<20x50xf32>
}
