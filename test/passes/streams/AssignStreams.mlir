// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-assign-streams=streams=3 -raf-check-streams -split-input-file | FileCheck %s
// RUN: raf-opt %s -raf-assign-streams=streams=1 -split-input-file | FileCheck %s --check-prefix=ONE
// ONE-NOT: raf.stream
// ONE-NOT: raf.wait
// RUN: not raf-opt %s -raf-assign-streams=streams=65 -split-input-file 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: raf-assign-streams: streams must be between 1 and 64, got 65

module attributes {gpu.container_module, raf.memory = {}} {
  gpu.module @k {
    gpu.func @map(%x: memref<1024xf32>, %y: memref<1024xf32>) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %x[%c0] : memref<1024xf32>
      memref.store %v, %y[%c0] : memref<1024xf32>
      gpu.return
    }
    gpu.func @join(%x: memref<1024xf32>, %y: memref<1024xf32>, %z: memref<1024xf32>) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %x[%c0] : memref<1024xf32>
      %w = memref.load %y[%c0] : memref<1024xf32>
      %s = arith.addf %v, %w : f32
      memref.store %s, %z[%c0] : memref<1024xf32>
      gpu.return
    }
  }

  // Two branches of the same length and their sum: one wait. Both read %x, which orders nothing.
  // CHECK-LABEL: func.func @main
  // CHECK: gpu.launch_func @k::@map {{.*}} args(%[[X:[a-z0-9]+]] : memref<1024xf32>, %[[A:[a-z0-9_]+]] : memref<1024xf32>){{$}}
  // CHECK: gpu.launch_func @k::@map {{.*}} args(%[[X]] : memref<1024xf32>, %[[B:[a-z0-9_]+]] : memref<1024xf32>) {raf.stream = 1 : i64}
  // CHECK: gpu.launch_func @k::@map {{.*}} args(%[[A]] : memref<1024xf32>, %[[A]] : memref<1024xf32>) {raf.record = 0 : i64}
  // CHECK: gpu.launch_func @k::@map {{.*}} args(%[[B]] : memref<1024xf32>, %[[B]] : memref<1024xf32>) {raf.stream = 1 : i64}
  // CHECK: gpu.launch_func @k::@join {{.*}} {raf.stream = 1 : i64, raf.wait = array<i64: 0>}
  func.func @main(%x: memref<1024xf32>, %y: memref<1024xf32> {raf.result}, %arena: memref<8192xi8> {raf.arena}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4096 = arith.constant 4096 : index
    %a = memref.view %arena[%c0][] : memref<8192xi8> to memref<1024xf32>
    %b = memref.view %arena[%c4096][] : memref<8192xi8> to memref<1024xf32>
    gpu.launch_func @k::@map blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<1024xf32>, %a : memref<1024xf32>)
    gpu.launch_func @k::@map blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<1024xf32>, %b : memref<1024xf32>)
    gpu.launch_func @k::@map blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<1024xf32>, %a : memref<1024xf32>)
    gpu.launch_func @k::@map blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<1024xf32>, %b : memref<1024xf32>)
    gpu.launch_func @k::@join blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<1024xf32>, %b : memref<1024xf32>, %y : memref<1024xf32>)
    return
  }
}

// -----

// %b lies where half of %a was, which the second op reads on its stream: what writes %b waits for that, though no value says so.
module attributes {gpu.container_module, raf.memory = {}} {
  gpu.module @k {
    gpu.func @map(%x: memref<1024xf32>, %y: memref<1024xf32>) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %x[%c0] : memref<1024xf32>
      memref.store %v, %y[%c0] : memref<1024xf32>
      gpu.return
    }
    gpu.func @long(%x: memref<4000000xf32>, %y: memref<4000000xf32>) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %x[%c0] : memref<4000000xf32>
      memref.store %v, %y[%c0] : memref<4000000xf32>
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @main
  // CHECK: gpu.launch_func @k::@map
  // CHECK-NEXT: gpu.launch_func @k::@long {{.*}} {raf.stream = 1 : i64}
  // CHECK-NEXT: gpu.launch_func @k::@map {{.*}} : memref<1024xf32>){{$}}
  // CHECK-NEXT: gpu.launch_func @k::@map {{.*}} {raf.record = 0 : i64}
  // CHECK-NEXT: gpu.launch_func @k::@long {{.*}}raf.wait = array<i64: 0>
  func.func @main(%x: memref<1024xf32>, %y: memref<1024xf32> {raf.result}, %u: memref<4000000xf32>, %w: memref<4000000xf32> {raf.result}, %arena: memref<16004096xi8> {raf.arena}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2048 = arith.constant 2048 : index
    %a = memref.view %arena[%c0][] : memref<16004096xi8> to memref<1024xf32>
    %b = memref.view %arena[%c2048][] : memref<16004096xi8> to memref<4000000xf32>
    gpu.launch_func @k::@map blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<1024xf32>, %a : memref<1024xf32>)
    gpu.launch_func @k::@long blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%u : memref<4000000xf32>, %w : memref<4000000xf32>)
    gpu.launch_func @k::@map blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<1024xf32>, %y : memref<1024xf32>)
    gpu.launch_func @k::@map blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<1024xf32>, %y : memref<1024xf32>)
    gpu.launch_func @k::@long blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<4000000xf32>, %b : memref<4000000xf32>)
    return
  }
}
