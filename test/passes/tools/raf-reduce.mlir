// RUN: raf-reduce %s --reduction-tree="traversal-mode=0 test=%S/Inputs/has-mulf.sh" | FileCheck %s

// CHECK: arith.mulf
// CHECK-NOT: @unrelated
func.func private @unrelated(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  return %0 : f32
}

func.func @kept(%x: f32) -> f32 {
  %0 = arith.mulf %x, %x : f32
  return %0 : f32
}
