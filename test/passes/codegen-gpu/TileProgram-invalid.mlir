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

// -----

// Of a long computation, elements are made in a loop of rows.
func.func private @rows(%y: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {raf.kernel} {
  %number = tensor.empty() : tensor<f32>
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-error @below {{'linalg.generic' op is in a program on tiles and must read what the program has made}}
  %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%number : tensor<f32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%v: f32, %o: f32):
    %1 = arith.addf %v, %v : f32 %2 = arith.addf %1, %v : f32 %3 = arith.addf %2, %v : f32 %4 = arith.addf %3, %v : f32 %5 = arith.addf %4, %v : f32 %6 = arith.addf %5, %v : f32
    %7 = arith.addf %6, %v : f32 %8 = arith.addf %7, %v : f32 %9 = arith.addf %8, %v : f32 %10 = arith.addf %9, %v : f32 %11 = arith.addf %10, %v : f32 %12 = arith.addf %11, %v : f32
    %13 = arith.addf %12, %v : f32 %14 = arith.addf %13, %v : f32 %15 = arith.addf %14, %v : f32 %16 = arith.addf %15, %v : f32 %17 = arith.addf %16, %v : f32 %18 = arith.addf %17, %v : f32
    %19 = arith.addf %18, %v : f32 %20 = arith.addf %19, %v : f32 %21 = arith.addf %20, %v : f32 %22 = arith.addf %21, %v : f32 %23 = arith.addf %22, %v : f32 %24 = arith.addf %23, %v : f32
    %25 = arith.addf %24, %v : f32 %26 = arith.addf %25, %v : f32 %27 = arith.addf %26, %v : f32 %28 = arith.addf %27, %v : f32 %29 = arith.addf %28, %v : f32 %30 = arith.addf %29, %v : f32
    %31 = arith.addf %30, %v : f32 %32 = arith.addf %31, %v : f32 %33 = arith.addf %32, %v : f32 %34 = arith.addf %33, %v : f32 %35 = arith.addf %34, %v : f32 %36 = arith.addf %35, %v : f32
    %37 = arith.addf %36, %v : f32 %38 = arith.addf %37, %v : f32 %39 = arith.addf %38, %v : f32 %40 = arith.addf %39, %v : f32 %41 = arith.addf %40, %v : f32 %42 = arith.addf %41, %v : f32
    %43 = arith.addf %42, %v : f32 %44 = arith.addf %43, %v : f32 %45 = arith.addf %44, %v : f32 %46 = arith.addf %45, %v : f32 %47 = arith.addf %46, %v : f32 %48 = arith.addf %47, %v : f32
    %49 = arith.addf %48, %v : f32 %50 = arith.addf %49, %v : f32 %51 = arith.addf %50, %v : f32 %52 = arith.addf %51, %v : f32 %53 = arith.addf %52, %v : f32 %54 = arith.addf %53, %v : f32
    %55 = arith.addf %54, %v : f32 %56 = arith.addf %55, %v : f32 %57 = arith.addf %56, %v : f32 %58 = arith.addf %57, %v : f32 %59 = arith.addf %58, %v : f32 %60 = arith.addf %59, %v : f32
    %61 = arith.addf %60, %v : f32 %62 = arith.addf %61, %v : f32 %63 = arith.addf %62, %v : f32 %64 = arith.addf %63, %v : f32 %65 = arith.addf %64, %v : f32 %66 = arith.addf %65, %v : f32
    linalg.yield %66 : f32
  } -> tensor<64x64xf32>
  %written = tensor.insert_slice %t into %y[0, 0] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<64x64xf32>
  return %written : tensor<64x64xf32>
}

// -----

// Other blocks may have written what is read.
func.func private @read_whole(%x: tensor<4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {raf.kernel} {
  %0 = scf.forall (%i) in (4) shared_outs(%out = %y) -> (tensor<4x4xf32>) {
    %zeros = raf.constant dense<0.0> : tensor<4xf32>
    // expected-error @below {{'linalg.generic' op is in a program on tiles and must read no more of a destination than the one box that is written there, and before it is, got argument 1}}
    %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%out : tensor<4x4xf32>) outs(%zeros : tensor<4xf32>) {
    ^bb0(%v: f32, %o: f32):
      %1 = arith.addf %o, %v : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %out[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<4x4xf32>
    }
  }
  return %0 : tensor<4x4xf32>
}

// -----

// The argument is the same memory. Threads read across what others write, too.
func.func private @read_argument(%x: tensor<4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %0 = scf.forall (%i) in (4) shared_outs(%out = %y) -> (tensor<4x4xf32>) {
    // expected-error @below {{'tensor.extract_slice' op is in a program on tiles and must read no more of a destination than the one box that is written there, and before it is, got argument 1}}
    %s = tensor.extract_slice %y[%c0, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %out[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<4x4xf32>
    }
  }
  return %0 : tensor<4x4xf32>
}

// -----

func.func private @gathered(%x: tensor<4xindex>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %0 = scf.forall (%i) in (2) shared_outs(%out = %y) -> (tensor<4xf32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %a = tensor.extract_slice %x[%at] [2] [1] : tensor<4xindex> to tensor<2xindex>
    %e = tensor.empty() : tensor<2xf32>
    %g = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<2xindex>) outs(%e : tensor<2xf32>) {
    ^bb0(%v: index, %o: f32):
      // expected-error @below {{'tensor.extract' op is in a program on tiles and must read no more of a destination than the one box that is written there, and before it is, got argument 1}}
      %1 = tensor.extract %out[%v] : tensor<4xf32>
      linalg.yield %1 : f32
    } -> tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %g into %out[%at] [2] [1] : tensor<2xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}

// -----

// Of two boxes one may lie over the other.
func.func private @two_boxes(%x: tensor<2xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %a = tensor.extract_slice %x[0] [2] [1] : tensor<2xf32> to tensor<2xf32>
  // expected-error @below {{'tensor.extract_slice' op is in a program on tiles and must read no more of a destination than the one box that is written there, and before it is, got argument 1}}
  %b = tensor.extract_slice %y[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %0 = tensor.insert_slice %a into %y[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %1 = tensor.insert_slice %b into %0[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func private @read_after(%x: tensor<2xf32>, %y: tensor<4xf32>, %z: tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>) attributes {raf.kernel} {
  %a = tensor.extract_slice %x[0] [2] [1] : tensor<2xf32> to tensor<2xf32>
  %0 = tensor.insert_slice %a into %y[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  // expected-error @below {{'tensor.extract_slice' op is in a program on tiles and must read no more of a destination than the one box that is written there, and before it is, got argument 1}}
  %b = tensor.extract_slice %y[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %1 = tensor.insert_slice %b into %z[0] [2] [1] : tensor<2xf32> into tensor<2xf32>
  return %0, %1 : tensor<4xf32>, tensor<2xf32>
}
