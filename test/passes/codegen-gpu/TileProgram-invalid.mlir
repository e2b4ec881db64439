// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-map-to-gpu -split-input-file -verify-diagnostics

// expected-error @below {{'func.func' op is a program on tiles and must have one loop over at most 2^31 - 1 blocks}}
func.func private @plane(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {raf.kernel} {
  %0 = scf.forall (%i, %j) in (4, 4) shared_outs(%out = %y) -> (tensor<4x4xf32>) {
    %a = tensor.extract_slice %x[%i, %j] [1, 1] [1, 1] : tensor<4x4xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a into %out[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<4x4xf32>
    }
  }
  return %0 : tensor<4x4xf32>
}

// -----

func.func private @columns(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {raf.kernel} {
  %a = tensor.extract_slice %x[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> to tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  // expected-error @below {{'linalg.generic' op is in a program on tiles and must read rows as rows and columns as columns}}
  %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  %0 = tensor.insert_slice %t into %y[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func private @reversed(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %0 = scf.forall (%i) in (1) shared_outs(%out = %y) -> (tensor<4xf32>) {
    %a = tensor.extract_slice %x[0] [4] [1] : tensor<4xf32> to tensor<4xf32>
    // expected-error @below {{'raf.reverse' op is in a program on tiles and cannot be shared by threads}}
    %r = raf.reverse %a dims = [0] : tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %out[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'func.func' op is a program on tiles and must make result 0 of its destination, argument 1}}
func.func private @swapped(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {raf.kernel} {
  %0:2 = scf.forall (%i) in (4) shared_outs(%a = %y, %b = %z) -> (tensor<4xf32>, tensor<4xf32>) {
    %v = tensor.extract_slice %x[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %a[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      tensor.parallel_insert_slice %v into %b[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0#1, %0#0 : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @below {{'func.func' op is a program on tiles and must make result 0 of its destination, argument 1}}
func.func private @input(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %0 = scf.forall (%i) in (4) shared_outs(%a = %x) -> (tensor<4xf32>) {
    %v = tensor.extract_slice %x[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %a[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}

// -----

func.func private @dropped(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %v = tensor.extract_slice %x[0] [4] [1] : tensor<4xf32> to tensor<4xf32>
  // expected-error @below {{'scf.forall' op is in a program on tiles and must have results that are returned, each once}}
  %0:2 = scf.forall (%i) in (4) shared_outs(%a = %y, %b = %x) -> (tensor<4xf32>, tensor<4xf32>) {
    %w = tensor.extract_slice %x[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %a[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      tensor.parallel_insert_slice %w into %b[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  %1 = tensor.insert_slice %v into %z[%c0] [4] [1] : tensor<4xf32> into tensor<4xf32>
  return %0#0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @below {{'func.func' op is a program on tiles and must have a destination for each of its 2 results, got 1 arguments}}
func.func private @few(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {raf.kernel} {
  %0 = scf.forall (%i) in (4) shared_outs(%a = %x) -> (tensor<4xf32>) {
    %v = tensor.extract_slice %x[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %a[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0, %0 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func private @buffers(%x: tensor<4xf32>, %m: memref<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %z = arith.constant 0.0 : f32
  // expected-error @below {{'linalg.fill' op is in a program on tiles and must work on tensors}}
  linalg.fill ins(%z : f32) outs(%m : memref<4xf32>)
  %a = tensor.extract_slice %x[0] [4] [1] : tensor<4xf32> to tensor<4xf32>
  %0 = tensor.insert_slice %a into %y[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Nothing has been written to what loops, sums and numbers start from.
func.func private @carried(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{'scf.for' op is in a program on tiles and must read what the program has made, or an argument of at most two dimensions}}
  %l = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %e) -> (tensor<4xf32>) {
    %a = tensor.extract_slice %x[0] [4] [1] : tensor<4xf32> to tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  %0 = tensor.insert_slice %l into %y[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @yielded(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = tensor.extract_slice %x[0] [4] [1] : tensor<4xf32> to tensor<4xf32>
  // expected-error @below {{'scf.for' op is in a program on tiles and must read what the program has made, or an argument of at most two dimensions}}
  %l = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %a) -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  %0 = tensor.insert_slice %l into %y[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @number(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %e = tensor.empty() : tensor<f32>
  // expected-error @below {{'tensor.extract' op is in a program on tiles and must read what the program has made, or an argument of at most two dimensions}}
  %v = tensor.extract %e[] : tensor<f32>
  %m = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%v : f32) outs(%m : tensor<4xf32>) -> tensor<4xf32>
  %0 = tensor.insert_slice %f into %y[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @sums(%x: tensor<4x4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %a = tensor.extract_slice %x[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> to tensor<4x4xf32>
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{'linalg.generic' op is in a program on tiles and must read what the program has made, or an argument of at most two dimensions}}
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %1 = arith.addf %o, %v : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %0 = tensor.insert_slice %s into %y[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @product(%x: tensor<16x8xf32>, %y: tensor<16x16xf32>) -> tensor<16x16xf32> attributes {raf.kernel} {
  %a = tensor.extract_slice %x[0, 0] [16, 8] [1, 1] : tensor<16x8xf32> to tensor<16x8xf32>
  %e = tensor.empty() : tensor<16x8xf32>
  %z = arith.constant 0.0 : f32
  %m = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%m : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-error @below {{'linalg.generic' op is in a program on tiles and must read what the program has made, or an argument}}
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %e : tensor<16x8xf32>, tensor<16x8xf32>) outs(%f : tensor<16x16xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %1 = arith.mulf %l, %r : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<16x16xf32>
  %0 = tensor.insert_slice %p into %y[0, 0] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
