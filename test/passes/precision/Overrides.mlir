// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-auto-cast="override=raf.softmax=compute" | FileCheck %s --check-prefix=OP
// RUN: raf-opt %s --raf-auto-cast="override=raf.matmul=f32" | FileCheck %s --check-prefix=F32
// RUN: raf-opt %s --raf-auto-cast="override=raf.matmul=f32,layer1*=compute" | FileCheck %s --check-prefix=NODE
// RUN: not raf-opt %s --raf-auto-cast="override=raf.conv=f32,layer9=compute" 2>&1 | FileCheck %s --check-prefix=UNUSED
// RUN: raf-opt %s --raf-auto-cast="override=raf.conv=f32 check-overrides=false" | FileCheck %s --check-prefix=UNCHECKED
// RUN: not raf-opt %s --raf-auto-cast="override=raf.softmax=f16,raf.exp,[=f32" 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not raf-opt %s --raf-auto-cast="type=f8" 2>&1 | FileCheck %s --check-prefix=TYPE

// OP: raf.softmax {{.*}} : tensor<4x4xbf16>
// F32-NOT: bf16
// The gradient of a node goes with it.
// NODE: raf.matmul {{.*}} : tensor<4x4xbf16>, tensor<4x4xbf16>
// NODE: raf.matmul {{.*}} : tensor<4x4xf32>, tensor<4x4xf32>
// NODE: raf.matmul {{.*}} : tensor<4x4xbf16>, tensor<4x4xbf16>
// UNCHECKED: raf.softmax {{.*}} : tensor<4x4xf32>
// UNUSED: error: raf-auto-cast: override 'raf.conv' matches no op of the program that works on f32 tensors
// UNUSED: error: raf-auto-cast: override 'layer9' matches no source node of the program
// WRONG: error: raf-auto-cast: override must be <op or node>=f32|compute|follow, got 'raf.softmax=f16'
// WRONG: error: raf-auto-cast: override must be <op or node>=f32|compute|follow, got 'raf.exp'
// WRONG: error: raf-auto-cast: override has a pattern that cannot be read, '['
// TYPE: error: raf-auto-cast: type must be bf16 or f16, got 'f8'
func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %a = raf.matmul %x, %w : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32> loc("layer1.0")
  %s = raf.softmax %a axis = 1 : tensor<4x4xf32> loc("layer1.1")
  %b = raf.matmul %s, %w : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32> loc("layer2.0")
  %g = raf.matmul %x, %b transpose_lhs : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32> loc(fused<"grad">["layer1.0"])
  return %b, %g : tensor<4x4xf32>, tensor<4x4xf32>
}
