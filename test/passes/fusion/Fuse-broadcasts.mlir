// RUN: raf-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(raf-fuse))' | FileCheck %s

// One condition chooses the results of two updates that have nothing else in common: each has it in its own kernel, and nothing as large as the parameters is stored.
#id = affine_map<(d0, d1) -> (d0, d1)>
#scalar = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: @chosen_updates
// CHECK-COUNT-2: raf.kernel ins({{.*}} : tensor<i8>, tensor<512x512xf32>, tensor<512x512xf32>) outs({{.*}} : tensor<512x512xf32>)
// CHECK-NOT: raf.kernel
func.func @chosen_updates(%finite: tensor<i8>, %a: tensor<512x512xf32>, %da: tensor<512x512xf32>, %b: tensor<512x512xf32>, %db: tensor<512x512xf32>)
    -> (tensor<512x512xf32>, tensor<512x512xf32>) {
  %zero = arith.constant 0 : i8
  %mask = tensor.empty() : tensor<512x512xi8>
  %empty = tensor.empty() : tensor<512x512xf32>
  %all = linalg.generic {indexing_maps = [#scalar, #id], iterator_types = ["parallel", "parallel"]} ins(%finite : tensor<i8>) outs(%mask : tensor<512x512xi8>) {
  ^bb0(%in: i8, %out: i8):
    linalg.yield %in : i8
  } -> tensor<512x512xi8>
  %new_a = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%all, %a, %da : tensor<512x512xi8>, tensor<512x512xf32>, tensor<512x512xf32>) outs(%empty : tensor<512x512xf32>) {
  ^bb0(%c: i8, %p: f32, %d: f32, %out: f32):
    %next = arith.subf %p, %d : f32
    %is = arith.cmpi ne, %c, %zero : i8
    %r = arith.select %is, %next, %p : f32
    linalg.yield %r : f32
  } -> tensor<512x512xf32>
  %new_b = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%all, %b, %db : tensor<512x512xi8>, tensor<512x512xf32>, tensor<512x512xf32>) outs(%empty : tensor<512x512xf32>) {
  ^bb0(%c: i8, %p: f32, %d: f32, %out: f32):
    %next = arith.subf %p, %d : f32
    %is = arith.cmpi ne, %c, %zero : i8
    %r = arith.select %is, %next, %p : f32
    linalg.yield %r : f32
  } -> tensor<512x512xf32>
  return %new_a, %new_b : tensor<512x512xf32>, tensor<512x512xf32>
}

// -----

// A transpose is not free to read: its users share the one that is made.
#id = affine_map<(d0, d1) -> (d0, d1)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: @shared_transpose
// CHECK: raf.kernel ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>)
// CHECK-NOT: raf.kernel
func.func @shared_transpose(%x: tensor<512x512xf32>, %a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> (tensor<512x512xf32>, tensor<512x512xf32>) {
  %empty = tensor.empty() : tensor<512x512xf32>
  %t = linalg.generic {indexing_maps = [#swapped, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x512xf32>) outs(%empty : tensor<512x512xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<512x512xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%t, %a : tensor<512x512xf32>, tensor<512x512xf32>) outs(%empty : tensor<512x512xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<512x512xf32>
  %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%t, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%empty : tensor<512x512xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %s = arith.mulf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<512x512xf32>
  return %y, %z : tensor<512x512xf32>, tensor<512x512xf32>
}

// -----

// Positions: two kernels that count columns make their own, instead of reading 8 bytes for each.
#id = affine_map<(d0, d1) -> (d0, d1)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: @shared_positions
// CHECK-COUNT-2: raf.kernel ins(%{{.*}} : tensor<512x512xf32>)
func.func @shared_positions(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> (tensor<512x512xf32>, tensor<512x512xf32>) {
  %positions = tensor.empty() : tensor<512x512xi64>
  %empty = tensor.empty() : tensor<512x512xf32>
  %i = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%positions : tensor<512x512xi64>) {
  ^bb0(%out: i64):
    %n = linalg.index 1 : index
    %c = arith.index_cast %n : index to i64
    linalg.yield %c : i64
  } -> tensor<512x512xi64>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%i, %a : tensor<512x512xi64>, tensor<512x512xf32>) outs(%empty : tensor<512x512xf32>) {
  ^bb0(%n: i64, %x: f32, %out: f32):
    %f = arith.sitofp %n : i64 to f32
    %s = arith.addf %f, %x : f32
    linalg.yield %s : f32
  } -> tensor<512x512xf32>
  %z = linalg.generic {indexing_maps = [#swapped, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%i, %b : tensor<512x512xi64>, tensor<512x512xf32>) outs(%empty : tensor<512x512xf32>) {
  ^bb0(%n: i64, %x: f32, %out: f32):
    %f = arith.sitofp %n : i64 to f32
    %s = arith.mulf %f, %x : f32
    linalg.yield %s : f32
  } -> tensor<512x512xf32>
  return %y, %z : tensor<512x512xf32>, tensor<512x512xf32>
}
