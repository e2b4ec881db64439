// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-convert-to-linalg | FileCheck %s

// One generic, the splat a constant of its body.
// CHECK-LABEL: func.func @scale
// CHECK-NOT:     raf.constant
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<4x8xf32>) outs(%[[E]] : tensor<4x8xf32>)
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[C:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %[[Y:.*]] = arith.mulf %[[X]], %[[C]] : f32
// CHECK-NEXT:      linalg.yield %[[Y]]
func.func @scale(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c = raf.constant dense<2.0> : tensor<4x8xf32>
  %y = raf.mul %x, %c : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @relu_bf16
// CHECK:           %[[X:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:           %[[Y:.*]] = arith.maximumf %[[X]], %{{.*}} : f32
// CHECK:           arith.truncf %[[Y]] : f32 to bf16
func.func @relu_bf16(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %y = raf.relu %x : tensor<8xbf16>
  return %y : tensor<8xbf16>
}

// i1 is stored as i8; the caller's type is noted.
// CHECK-LABEL: func.func @mask
// CHECK-SAME:      %arg0: tensor<8xi8> {raf.element = i1}, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xi8> {raf.element = i1})
// CHECK:           %[[P:.*]] = arith.trunci %{{.*}} : i8 to i1
// CHECK:           arith.select %[[P]], %{{.*}}, %{{.*}} : f32
// CHECK:           %[[Q:.*]] = arith.cmpf ogt
// CHECK:           arith.extui %[[Q]] : i1 to i8
func.func @mask(%m: tensor<8xi1>, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xi1>) {
  %z = raf.constant dense<0.0> : tensor<8xf32>
  %y = raf.select %m, %x, %z : tensor<8xf32>
  %q = raf.compare gt %y, %x : tensor<8xf32> -> tensor<8xi1>
  return %y, %q : tensor<8xf32>, tensor<8xi1>
}

// Neither 0 nor -1 reaches the hardware's division.
// CHECK-LABEL: func.func @divide
// CHECK:           %[[ZERO:.*]] = arith.cmpi eq
// CHECK:           %[[MINUS:.*]] = arith.cmpi eq
// CHECK:           %[[TRAPS:.*]] = arith.ori %[[ZERO]], %[[MINUS]] : i1
// CHECK:           %[[D:.*]] = arith.select %[[TRAPS]]
// CHECK:           arith.divsi %{{.*}}, %[[D]] : i32
func.func @divide(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
  %q = raf.div %x, %y : tensor<8xi32>
  return %q : tensor<8xi32>
}

// Between the 16-bit formats by way of f32.
// CHECK-LABEL: func.func @cast
// CHECK:           arith.extf %{{.*}} : bf16 to f32
// CHECK-NEXT:      arith.truncf %{{.*}} : f32 to f16
// CHECK:           arith.cmpf une, %{{.*}}, %{{.*}} : f16
func.func @cast(%x: tensor<8xbf16>) -> tensor<8xi1> {
  %y = raf.cast %x : tensor<8xbf16> to tensor<8xf16>
  %z = raf.cast %y : tensor<8xf16> to tensor<8xi1>
  return %z : tensor<8xi1>
}

// Calls pass booleans as they are stored.
// CHECK-LABEL: func.func @call
// CHECK:         call @callee(%arg0) : (tensor<8xi8>) -> tensor<8xi8>
func.func private @callee(tensor<8xi1>) -> tensor<8xi1>
func.func @call(%m: tensor<8xi1>) -> tensor<8xi1> {
  %y = func.call @callee(%m) : (tensor<8xi1>) -> tensor<8xi1>
  return %y : tensor<8xi1>
}
