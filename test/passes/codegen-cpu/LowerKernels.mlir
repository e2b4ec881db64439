// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-lower-kernels=bf16=arithmetic | FileCheck %s

// CHECK: llvm.func @raf_rt_parallel_for(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)

// Buffers are bare pointers; fma is an instruction, not a call, or the loop would not be vectorized.
// CHECK-LABEL: llvm.func internal @tiles(
// CHECK-SAME: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr)
// CHECK: llvm.cond_br
// CHECK: llvm.intr.fma
// CHECK-NOT: func.call
func.func private @tiles(%begin: index, %end: index, %x: memref<8xf32>) attributes {raf.tiles} {
  %c1 = arith.constant 1 : index
  %s = arith.constant 2.0 : f32
  scf.for %i = %begin to %end step %c1 {
    %a = memref.load %x[%i] : memref<8xf32>
    %e = math.fma %a, %s, %s : f32
    memref.store %e, %x[%i] : memref<8xf32>
  }
  return
}

// No more tiles than one thread should do: a call.
// CHECK-LABEL: llvm.func @few(
// CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i64)
// CHECK-DAG: %[[ALL:.*]] = llvm.mlir.constant(8 : i64)
// CHECK: llvm.call @tiles(%[[ZERO]], %[[ALL]], %{{.*}})
// CHECK-NOT: @raf_rt_parallel_for
func.func private @few(%x: memref<8xf32>) attributes {raf.kernel} {
  raf.parallel_for @tiles tiles = 8 grain = 8 (%x) : memref<8xf32>
  return
}

// CHECK-LABEL: llvm.func @many(
// CHECK: %[[ENV:.*]] = llvm.alloca
// CHECK: llvm.store %{{.*}}, %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK: %[[BODY:.*]] = llvm.mlir.addressof @tiles_trampoline
// CHECK: %[[GRAIN:.*]] = llvm.mlir.constant(2 : i64)
// CHECK: llvm.call @raf_rt_parallel_for(%{{.*}}, %[[BODY]], %[[ENV]], %{{.*}}, %[[GRAIN]])
func.func private @many(%x: memref<8xf32>) attributes {raf.kernel} {
  raf.parallel_for @tiles tiles = 8 grain = 2 (%x) : memref<8xf32>
  return
}

// Conversions of bf16 are shifts and sums: no call for each element. Those of f16 are instructions.
// CHECK-LABEL: llvm.func @bf16(
// CHECK-NOT: llvm.fpext
// CHECK-NOT: llvm.fptrunc {{.*}} to bf16
// CHECK: llvm.shl
// CHECK: llvm.lshr
// CHECK: llvm.fptrunc {{.*}} : f32 to f16
// CHECK: llvm.return
func.func private @bf16(%x: memref<8xbf16>, %y: memref<8xf16>) attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<8xbf16>
  %b = arith.extf %a : bf16 to f32
  %c = arith.addf %b, %b : f32
  %d = arith.truncf %c : f32 to bf16
  memref.store %d, %x[%c0] : memref<8xbf16>
  %e = arith.truncf %c : f32 to f16
  memref.store %e, %y[%c0] : memref<8xf16>
  return
}

// What is no kernel is left alone.
// CHECK-LABEL: func.func @host(%{{.*}}: memref<8xf32>)
// CHECK-NEXT: raf.launch @few
func.func @host(%x: memref<8xf32>) {
  raf.launch @few outs(%x : memref<8xf32>)
  return
}

// CHECK-LABEL: llvm.func private @tiles_trampoline(
// CHECK-SAME: %[[E:.*]]: !llvm.ptr, %[[B:.*]]: i64, %[[N:.*]]: i64)
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[E]][0]
// CHECK: %[[P:.*]] = llvm.load %[[SLOT]]
// CHECK: llvm.call @tiles(%[[B]], %[[N]], %[[P]])
