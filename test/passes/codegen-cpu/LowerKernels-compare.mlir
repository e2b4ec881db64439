// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-lower-kernels | FileCheck %s

// 24 bits over 2^24 are at least 0.1 where the word is at least ceil(0.1 * 2^24) * 2^8.
// CHECK-LABEL: llvm.func @mask(
// CHECK-DAG: %[[BOUND:.*]] = llvm.mlir.constant(429496832 : i32) : i32
// CHECK: %[[W:.*]] = llvm.load
// CHECK: llvm.icmp "uge" %[[W]], %[[BOUND]] : i32
// CHECK-NOT: llvm.fcmp
func.func @mask(%w: memref<8xi32>, %y: memref<8xi8>) attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %eight = arith.constant 8 : i32
  %unit = arith.constant 5.96046448E-8 : f32
  %ratio = arith.constant 1.000000e-01 : f32
  %a = memref.load %w[%c0] : memref<8xi32>
  %kept = arith.shrui %a, %eight : i32
  %f = arith.sitofp %kept : i32 to f32
  %u = arith.mulf %f, %unit : f32
  %m = arith.cmpf oge, %u, %ratio : f32
  %m_byte = arith.extui %m : i1 to i8
  memref.store %m_byte, %y[%c0] : memref<8xi8>
  return
}

// 28 bits are more than an f32 holds, a factor of 3 is none of the exponent, and nothing is below 0: they stay.
// CHECK-LABEL: llvm.func @others(
// CHECK-COUNT-3: llvm.fcmp
func.func @others(%w: memref<8xi32>, %y: memref<8xi8>) attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %four = arith.constant 4 : i32
  %eight = arith.constant 8 : i32
  %unit = arith.constant 5.96046448E-8 : f32
  %three = arith.constant 3.0 : f32
  %ratio = arith.constant 1.000000e-01 : f32
  %zero = arith.constant 0.0 : f32
  %a = memref.load %w[%c0] : memref<8xi32>
  %kept = arith.shrui %a, %eight : i32
  %wide = arith.shrui %a, %four : i32
  %f = arith.sitofp %kept : i32 to f32
  %g = arith.sitofp %wide : i32 to f32
  %u = arith.mulf %f, %unit : f32
  %v = arith.mulf %g, %unit : f32
  %t = arith.mulf %f, %three : f32
  %m = arith.cmpf oge, %v, %ratio : f32
  %n = arith.cmpf oge, %t, %ratio : f32
  %o = arith.cmpf olt, %u, %zero : f32
  %m_byte = arith.extui %m : i1 to i8
  memref.store %m_byte, %y[%c0] : memref<8xi8>
  %n_byte = arith.extui %n : i1 to i8
  memref.store %n_byte, %y[%c1] : memref<8xi8>
  %o_byte = arith.extui %o : i1 to i8
  memref.store %o_byte, %y[%c2] : memref<8xi8>
  return
}
