// The upstream passes that lowering needs are registered, with the interface models that they ask for.
// RUN: raf-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --convert-linalg-to-loops \
// RUN:   --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-to-llvm --reconcile-unrealized-casts | FileCheck %s
// RUN: raf-opt %s --inline --canonicalize --cse --sccp --symbol-dce --linalg-fuse-elementwise-ops --verify-roundtrip -o /dev/null

// CHECK-LABEL: llvm.func @scale
// CHECK: llvm.fmul
// CHECK-NOT: unrealized_conversion_cast
func.func @scale(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c = arith.constant 2.0 : f32
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.mulf %a, %c : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
