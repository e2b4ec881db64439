// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-plan-memory | FileCheck %s
// RUN: raf-opt %s --raf-plan-memory=share=false | FileCheck %s --check-prefix=APART
// RUN: raf-opt %s --raf-plan-memory | raf-opt --raf-plan-memory | FileCheck %s

func.func private @f(memref<32xf32>, memref<32xf32>) attributes {raf.kernel}
func.func private @g(memref<4x8xf32>, memref<3xi1>) attributes {raf.kernel}

// CHECK: module attributes {raf.memory = {activations = 256 : i64, arena_bytes = 256 : i64, buffers = 3 : i64, constants = 16 : i64, inputs = 0 : i64, lower_bound = 256 : i64, outputs = 128 : i64,
// CHECK-SAME: params = 128 : i64, scalars = 8 : i64, states = 0 : i64, unshared_bytes = 448 : i64, workspace = 0 : i64}}
// APART: arena_bytes = 448 : i64
memref.global "private" constant @c : memref<2xi64> = dense<[1, 2]>

// A view keeps its buffer alive.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[ARENA:[a-z0-9]+]]: memref<256xi8> {raf.arena}
// CHECK: %[[O0:.+]] = arith.constant 0 : index
// CHECK: %[[A:.+]] = memref.view %[[ARENA]][%[[O0]]][] : memref<256xi8> to memref<32xf32>
// CHECK: memref.reinterpret_cast %[[A]]
// CHECK: %[[O1:.+]] = arith.constant 128 : index
// CHECK: memref.view %[[ARENA]][%[[O1]]][] : memref<256xi8> to memref<32xf32>
// CHECK: memref.view %[[ARENA]]{{.+}} to memref<3xi1>
func.func @main(%w: memref<32xf32> {raf.role = "param"}, %m: memref<3xi8> {raf.role = "buffer"}, %s: memref<i64> {raf.role = "step"}, %r: memref<32xf32> {raf.result = 0 : i64}) {
  %a = memref.alloc() : memref<32xf32>
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [4, 8], strides: [8, 1] : memref<32xf32> to memref<4x8xf32>
  raf.launch @f ins(%w : memref<32xf32>) outs(%a : memref<32xf32>)
  %b = memref.alloc() : memref<32xf32>
  raf.launch @f ins(%a : memref<32xf32>) outs(%b : memref<32xf32>)
  raf.launch @f ins(%b : memref<32xf32>) outs(%r : memref<32xf32>)
  %c = memref.alloc() : memref<3xi1>
  raf.launch @g ins(%v : memref<4x8xf32>) outs(%c : memref<3xi1>)
  %d = memref.alloc() : memref<32xf32>
  raf.launch @f ins(%w : memref<32xf32>) outs(%d : memref<32xf32>)
  return
}
