// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-map-to-gpu --canonicalize --cse -split-input-file | FileCheck %s

// Tiles that a product reads come into shared memory as vectors, and all threads meet before it. Its result is in registers, two columns of two rows a thread; rows are
// combined by four shuffles each.
// CHECK: gpu.launch_func @raf_kernels::@product blocks in (%c3{{.*}}) threads in (%c128
// CHECK-LABEL: gpu.func @product(
// CHECK-SAME: workgroup(%[[A:.*]] : memref<192xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %[[B:.*]] : memref<384xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 3, 1, 1>
// CHECK-DAG:  gpu.block_id x
// CHECK:      vector.load %{{.*}} {alignment = 16 : i64} : memref<384xf32>, vector<4xf32>
// CHECK:      vector.store %{{.*}}, %[[A]]
// CHECK:      vector.store %{{.*}}, %[[B]]
// CHECK-NOT:  memref.store
// CHECK:      gpu.barrier
// CHECK:      scf.for {{.*}} -> (f32, f32, f32, f32)
// CHECK-COUNT-4: vector.load
// CHECK-COUNT-16: arith.mulf
// CHECK-NOT:  gpu.barrier
// CHECK-COUNT-8: gpu.shuffle
// CHECK-COUNT-4: memref.store
// CHECK-NOT:  memref.store
// CHECK:      gpu.return
func.func @main(%x: memref<3x16x8xf32>, %w: memref<32x8xf32>, %y: memref<3x16x32xf32>) {
  raf.launch @product ins(%x, %w : memref<3x16x8xf32>, memref<32x8xf32>) outs(%y : memref<3x16x32xf32>)
  return
}
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func private @product(%x: tensor<3x16x8xf32>, %w: tensor<32x8xf32>, %y: tensor<3x16x32xf32>) -> tensor<3x16x32xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %0 = scf.forall (%i) in (3) shared_outs(%out = %y) -> (tensor<3x16x32xf32>) {
    %a = tensor.extract_slice %x[%i, 0, 0] [1, 16, 8] [1, 1, 1] : tensor<3x16x8xf32> to tensor<16x8xf32>
    %b = tensor.extract_slice %w[0, 0] [32, 8] [1, 1] : tensor<32x8xf32> to tensor<32x8xf32>
    %e = tensor.empty() : tensor<16x32xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
    %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                         iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<16x8xf32>, tensor<32x8xf32>) outs(%f : tensor<16x32xf32>) {
    ^bb0(%l: f32, %r: f32, %s: f32):
      %1 = arith.mulf %l, %r : f32
      %2 = arith.addf %s, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<16x32xf32>
    %re = tensor.empty() : tensor<16xf32>
    %rf = linalg.fill ins(%least : f32) outs(%re : tensor<16xf32>) -> tensor<16xf32>
    %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<16x32xf32>) outs(%rf : tensor<16xf32>) {
    ^bb0(%v: f32, %s: f32):
      %1 = arith.maximumf %s, %v : f32
      linalg.yield %1 : f32
    } -> tensor<16xf32>
    %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %m : tensor<16x32xf32>, tensor<16xf32>) outs(%e : tensor<16x32xf32>) {
    ^bb0(%v: f32, %s: f32, %o: f32):
      %1 = arith.subf %v, %s : f32
      linalg.yield %1 : f32
    } -> tensor<16x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %out[%i, 0, 0] [1, 16, 32] [1, 1, 1] : tensor<16x32xf32> into tensor<3x16x32xf32>
    }
  }
  return %0 : tensor<3x16x32xf32>
}

// -----

// A single block has no loop. The columns past the end take part in no sum, and are not written; part of a tile is written where it says.
// CHECK-LABEL: gpu.func @ragged(
// CHECK-NOT:  gpu.block_id
// CHECK:      arith.cmpi ult
// CHECK:      arith.select
// CHECK-COUNT-4: gpu.shuffle xor
// CHECK:      %[[AT:.*]] = arith.subi %{{.*}}, %c2
// CHECK:      arith.cmpi ult, %[[AT]], %c3
// CHECK:      scf.if
// CHECK:        memref.store
func.func @main(%x: memref<5x7xf32>, %y: memref<5xf32>) {
  raf.launch @ragged ins(%x : memref<5x7xf32>) outs(%y : memref<5xf32>)
  return
}
func.func private @ragged(%x: tensor<5x7xf32>, %y: tensor<5xf32>) -> tensor<5xf32> attributes {raf.kernel} {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zeros = raf.constant dense<0.0> : tensor<5xf32>
  %a = tensor.extract_slice %x[0, 0] [5, 7] [1, 1] : tensor<5x7xf32> to tensor<5x7xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<5x7xf32>) outs(%zeros : tensor<5xf32>) {
  ^bb0(%v: f32, %o: f32):
    %1 = arith.addf %o, %v : f32
    linalg.yield %1 : f32
  } -> tensor<5xf32>
  %part = tensor.extract_slice %s[%c2] [%c3] [1] : tensor<5xf32> to tensor<?xf32>
  %0 = tensor.insert_slice %part into %y[0] [%c3] [1] : tensor<?xf32> into tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// Arguments that a product reads whole come into shared memory like parts of them; what it is added to is read as the thread's elements.
// CHECK-LABEL: gpu.func @whole(
// CHECK-SAME: workgroup(%[[A:.*]] : memref<192xf32, #gpu.address_space<workgroup>> {{.*}}, %[[B:.*]] : memref<192xf32, #gpu.address_space<workgroup>>
// CHECK-COUNT-2: memref.load %arg2
// CHECK:      vector.store %{{.*}}, %[[A]]
// CHECK:      vector.store %{{.*}}, %[[B]]
// CHECK:      gpu.barrier
// CHECK:      scf.for
// CHECK-COUNT-2: memref.store %{{.*}} : memref<256xf32>
func.func @main(%x: memref<16x8xf32>, %w: memref<16x8xf32>, %z: memref<16x16xf32>, %y: memref<16x16xf32>) {
  raf.launch @whole ins(%x, %w, %z : memref<16x8xf32>, memref<16x8xf32>, memref<16x16xf32>) outs(%y : memref<16x16xf32>)
  return
}
func.func private @whole(%x: tensor<16x8xf32>, %w: tensor<16x8xf32>, %z: tensor<16x16xf32>, %y: tensor<16x16xf32>) -> tensor<16x16xf32> attributes {raf.kernel} {
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<16x8xf32>, tensor<16x8xf32>) outs(%z : tensor<16x16xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %1 = arith.mulf %l, %r : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<16x16xf32>
  %0 = tensor.insert_slice %p into %y[0, 0] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// -----

// An argument in another is no program on tiles.
// CHECK-LABEL: gpu.func @copy(
// CHECK-SAME: known_block_size = array<i32: 1, 1, 1>
func.func @main(%x: memref<2x4xf32>, %y: memref<4x4xf32>) {
  raf.launch @copy ins(%x : memref<2x4xf32>) outs(%y : memref<4x4xf32>)
  return
}
func.func private @copy(%x: tensor<2x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {raf.kernel} {
  %0 = tensor.insert_slice %x into %y[1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// Products of 16-bit floats are of matrix instructions: each of four warps has 16 rows, a thread two of them and two of every 8 columns. Rows are combined by two shuffles each, and
// neighbours are written together. What fills the columns of one operand and the rows of the other up to whole instructions is 0.
// CHECK-LABEL: gpu.func @matrices(
// CHECK-SAME: workgroup(%[[A:.*]] : memref<2560xbf16, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %[[B:.*]] : memref<768xbf16, #gpu.address_space<workgroup>>
// CHECK:      vector.store %cst{{.*}}, %[[A]][%{{.*}}] {alignment = 16 : i64}
// CHECK:      vector.store %cst{{.*}}, %[[B]][%{{.*}}] {alignment = 16 : i64}
// CHECK:      gpu.barrier
// CHECK:      gpu.barrier
// CHECK:      scf.for
// CHECK-DAG:    nvgpu.ldmatrix %[[A]][%{{.*}}] {numTiles = 4 : i32, transpose = false} : {{.*}} -> vector<4x2xbf16>
// CHECK-DAG:    nvgpu.ldmatrix %[[B]][%{{.*}}] {numTiles = 4 : i32, transpose = true} : {{.*}} -> vector<4x2xbf16>
// CHECK-COUNT-2: nvgpu.mma.sync(%{{.*}}, %{{.*}}, %{{.*}}) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NOT:  nvgpu.mma.sync
// CHECK:      } {llvm.loop_annotation = #{{.*}}}
// CHECK-COUNT-4: gpu.shuffle
// CHECK-NOT:  gpu.shuffle
// CHECK-COUNT-4: vector.store %{{.*}} {alignment = 8 : i64} : memref<1024xf32>, vector<2xf32>
// CHECK:      gpu.return
func.func @main(%x: memref<64x24xbf16>, %w: memref<24x16xbf16>, %z: memref<64x16xf32>, %y: memref<64xf32>) {
  raf.launch @matrices ins(%x, %w : memref<64x24xbf16>, memref<24x16xbf16>) outs(%z, %y : memref<64x16xf32>, memref<64xf32>)
  return
}
func.func private @matrices(%x: tensor<64x24xbf16>, %w: tensor<24x16xbf16>, %z: tensor<64x16xf32>, %y: tensor<64xf32>) -> (tensor<64x16xf32>, tensor<64xf32>) attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<64x24xbf16>, tensor<24x16xbf16>) outs(%f : tensor<64x16xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %1 = arith.extf %l : bf16 to f32
    %2 = arith.extf %r : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<64x16xf32>
  %re = tensor.empty() : tensor<64xf32>
  %rf = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<64x16xf32>) outs(%rf : tensor<64xf32>) {
  ^bb0(%v: f32, %s: f32):
    %1 = arith.addf %s, %v : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %0 = tensor.insert_slice %p into %z[0, 0] [64, 16] [1, 1] : tensor<64x16xf32> into tensor<64x16xf32>
  %1 = tensor.insert_slice %m into %y[0] [64] [1] : tensor<64xf32> into tensor<64xf32>
  return %0, %1 : tensor<64x16xf32>, tensor<64xf32>
}

// -----

// Of few rows two warps share each: what both have of a row's sum meets in shared memory.
// CHECK-LABEL: gpu.func @shared_rows(
// CHECK-SAME: %[[PARTS:[a-z0-9_]+]] : memref<64xf32, #gpu.address_space<workgroup>>
// CHECK-COUNT-4: nvgpu.mma.sync
// CHECK-NOT:  nvgpu.mma.sync
// CHECK-COUNT-4: gpu.shuffle
// CHECK-COUNT-2: memref.store %{{.*}}, %[[PARTS]]
// CHECK:      gpu.barrier
// CHECK-COUNT-4: memref.load %[[PARTS]]
// CHECK:      gpu.return
func.func @main(%x: memref<32x16xbf16>, %w: memref<16x64xbf16>, %z: memref<32x64xf32>, %y: memref<32xf32>) {
  raf.launch @shared_rows ins(%x, %w : memref<32x16xbf16>, memref<16x64xbf16>) outs(%z, %y : memref<32x64xf32>, memref<32xf32>)
  return
}
func.func private @shared_rows(%x: tensor<32x16xbf16>, %w: tensor<16x64xbf16>, %z: tensor<32x64xf32>, %y: tensor<32xf32>) -> (tensor<32x64xf32>, tensor<32xf32>) attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<32x16xbf16>, tensor<16x64xbf16>) outs(%f : tensor<32x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %1 = arith.extf %l : bf16 to f32
    %2 = arith.extf %r : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<32x64xf32>
  %re = tensor.empty() : tensor<32xf32>
  %rf = linalg.fill ins(%zero : f32) outs(%re : tensor<32xf32>) -> tensor<32xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<32x64xf32>) outs(%rf : tensor<32xf32>) {
  ^bb0(%v: f32, %s: f32):
    %1 = arith.addf %s, %v : f32
    linalg.yield %1 : f32
  } -> tensor<32xf32>
  %0 = tensor.insert_slice %p into %z[0, 0] [32, 64] [1, 1] : tensor<32x64xf32> into tensor<32x64xf32>
  %1 = tensor.insert_slice %m into %y[0] [32] [1] : tensor<32xf32> into tensor<32xf32>
  return %0, %1 : tensor<32x64xf32>, tensor<32xf32>
}

// -----

// With less than 16 of something most of an instruction would be wasted.
// CHECK-LABEL: gpu.func @small(
// CHECK-NOT:  nvgpu
// CHECK:      gpu.return
func.func @main(%x: memref<64x64xbf16>, %w: memref<64x8xbf16>, %z: memref<64x8xf32>, %y: memref<64xf32>) {
  raf.launch @small ins(%x, %w : memref<64x64xbf16>, memref<64x8xbf16>) outs(%z, %y : memref<64x8xf32>, memref<64xf32>)
  return
}
func.func private @small(%x: tensor<64x64xbf16>, %w: tensor<64x8xbf16>, %z: tensor<64x8xf32>, %y: tensor<64xf32>) -> (tensor<64x8xf32>, tensor<64xf32>) attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<64x64xbf16>, tensor<64x8xbf16>) outs(%f : tensor<64x8xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %1 = arith.extf %l : bf16 to f32
    %2 = arith.extf %r : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<64x8xf32>
  %re = tensor.empty() : tensor<64xf32>
  %rf = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<64x8xf32>) outs(%rf : tensor<64xf32>) {
  ^bb0(%v: f32, %s: f32):
    %1 = arith.addf %s, %v : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %0 = tensor.insert_slice %p into %z[0, 0] [64, 8] [1, 1] : tensor<64x8xf32> into tensor<64x8xf32>
  %1 = tensor.insert_slice %m into %y[0] [64] [1] : tensor<64xf32> into tensor<64xf32>
  return %0, %1 : tensor<64x8xf32>, tensor<64xf32>
}


// -----

// Tiles that a loop brings come asynchronously while the iteration before computes, into the other of two places: one barrier an iteration, after which all have computed with what is
// overwritten. A launch asks for the memory. The tile that stays the same is brought once.
// CHECK: gpu.launch_func @raf_kernels::@ahead {{.*}} dynamic_shared_memory_size %c1536_i32
// CHECK-LABEL: gpu.func @ahead(
// CHECK-SAME: workgroup(%[[W:[a-z0-9_]+]] : memref<384xbf16
// CHECK:      %[[D:.*]] = gpu.dynamic_shared_memory
// CHECK:      %[[X:.*]] = memref.view %[[D]][%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<768xbf16, #gpu.address_space<workgroup>>
// CHECK:      vector.store %{{.*}}, %[[W]]
// CHECK:      nvgpu.device_async_copy %{{.*}}, %[[X]][%{{.*}}], 8 {bypassL1}
// CHECK:      nvvm.cp.async.commit.group
// CHECK:      scf.for
// CHECK-NEXT:   nvvm.cp.async.wait.group 0
// CHECK-NEXT:   gpu.barrier
// CHECK:        scf.if
// CHECK:          nvgpu.device_async_copy %{{.*}}, %[[X]][%{{.*}}], 8 {bypassL1}
// CHECK:        nvvm.cp.async.commit.group
// CHECK-NOT:    gpu.barrier
// CHECK-DAG:    nvgpu.ldmatrix %[[X]]
// CHECK-DAG:    nvgpu.ldmatrix %[[W]]
// CHECK:        nvgpu.mma.sync
// CHECK-NOT:    gpu.barrier
// CHECK:        scf.yield
func.func @main(%x: memref<64x16xbf16>, %w: memref<16x16xbf16>, %y: memref<16x16xf32>) {
  raf.launch @ahead ins(%x, %w : memref<64x16xbf16>, memref<16x16xbf16>) outs(%y : memref<16x16xf32>)
  return
}
func.func private @ahead(%x: tensor<64x16xbf16>, %w: tensor<16x16xbf16>, %y: tensor<16x16xf32>) -> tensor<16x16xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %b = tensor.extract_slice %w[0, 0] [16, 16] [1, 1] : tensor<16x16xbf16> to tensor<16x16xbf16>
  %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %f) -> (tensor<16x16xf32>) {
    %at = arith.muli %i, %c16 : index
    %a = tensor.extract_slice %x[%at, 0] [16, 16] [1, 1] : tensor<64x16xbf16> to tensor<16x16xbf16>
    %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                         iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<16x16xbf16>, tensor<16x16xbf16>) outs(%sum : tensor<16x16xf32>) {
    ^bb0(%l: bf16, %r: bf16, %o: f32):
      %1 = arith.extf %l : bf16 to f32
      %2 = arith.extf %r : bf16 to f32
      %3 = arith.mulf %1, %2 : f32
      %4 = arith.addf %o, %3 : f32
      linalg.yield %4 : f32
    } -> tensor<16x16xf32>
    scf.yield %p : tensor<16x16xf32>
  }
  %0 = tensor.insert_slice %s into %y[0, 0] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// -----

// A tile without dimensions is one number. All threads read it, and one of them writes it.
// CHECK-LABEL: gpu.func @numbers(
// CHECK:      %[[I:.*]] = gpu.block_id x
// CHECK:      %[[V:.*]] = memref.load %{{.*}}[%[[I]]] : memref<8xf32>
// CHECK:      %[[N:.*]] = arith.negf %[[V]] : f32
// CHECK:      scf.if
// CHECK-NEXT:   memref.store %[[N]], %{{.*}}[%[[I]]] : memref<8xf32>
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  raf.launch @numbers ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
func.func private @numbers(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel} {
  %0 = scf.forall (%i) in (8) shared_outs(%out = %y) -> (tensor<8xf32>) {
    %a = tensor.extract_slice %x[%i] [1] [1] : tensor<8xf32> to tensor<f32>
    %v = tensor.extract %a[] : tensor<f32>
    %n = arith.negf %v : f32
    %r = tensor.from_elements %n : tensor<f32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %out[%i] [1] [1] : tensor<f32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// -----

// A tile of one dimension that is added to rows: each thread has it at its columns, once.
// CHECK-LABEL: gpu.func @row(
// CHECK-COUNT-2: memref.load %{{.*}}[%{{.*}}] : memref<32xf32>
// CHECK-NOT:  memref.load {{.*}} : memref<32xf32>
// CHECK-COUNT-4: arith.addf
// CHECK-COUNT-4: memref.store
// CHECK-NOT:  memref.store
func.func @main(%x: memref<16x32xf32>, %r: memref<32xf32>, %y: memref<16x32xf32>) {
  raf.launch @row ins(%x, %r : memref<16x32xf32>, memref<32xf32>) outs(%y : memref<16x32xf32>)
  return
}
func.func private @row(%x: tensor<16x32xf32>, %r: tensor<32xf32>, %y: tensor<16x32xf32>) -> tensor<16x32xf32> attributes {raf.kernel} {
  %a = tensor.extract_slice %x[0, 0] [16, 32] [1, 1] : tensor<16x32xf32> to tensor<16x32xf32>
  %b = tensor.extract_slice %r[0] [32] [1] : tensor<32xf32> to tensor<32xf32>
  %e = tensor.empty() : tensor<16x32xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<16x32xf32>, tensor<32xf32>) outs(%e : tensor<16x32xf32>) {
  ^bb0(%v: f32, %w: f32, %o: f32):
    %1 = arith.addf %v, %w : f32
    linalg.yield %1 : f32
  } -> tensor<16x32xf32>
  %0 = tensor.insert_slice %s into %y[0, 0] [16, 32] [1, 1] : tensor<16x32xf32> into tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}

// -----

// A block may read what it writes before that. Of a row all threads across have the number and one writes it, so they meet.
// CHECK-LABEL: gpu.func @in_place(
// CHECK:      memref.load %{{.*}} : memref<12xf32>
// CHECK:      arith.addf
// CHECK:      gpu.barrier
// CHECK:      memref.store {{.*}} : memref<12xf32>
func.func @main(%x: memref<4xf32>, %y: memref<3x4xf32>) {
  raf.launch @in_place ins(%x : memref<4xf32>) outs(%y : memref<3x4xf32>)
  return
}
func.func private @in_place(%x: tensor<4xf32>, %y: tensor<3x4xf32>) -> tensor<3x4xf32> attributes {raf.kernel} {
  %0 = scf.forall (%i) in (3) shared_outs(%out = %y) -> (tensor<3x4xf32>) {
    %old = tensor.extract_slice %out[%i, 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %old : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%v: f32, %w: f32, %o: f32):
      %1 = arith.addf %v, %w : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %out[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<3x4xf32>
    }
  }
  return %0 : tensor<3x4xf32>
}
