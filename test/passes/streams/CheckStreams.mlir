// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-check-streams -split-input-file -verify-diagnostics

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @map(%x: memref<4xf32>, %y: memref<4xf32>) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %x[%c0] : memref<4xf32>
      memref.store %v, %y[%c0] : memref<4xf32>
      gpu.return
    }
  }
  // A good one: the second wait orders the first op too, since the stream between has waited for it.
  func.func @main(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>, %w: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@map blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32>, %y : memref<4xf32>) {raf.stream = 1, raf.record = 0}
    gpu.launch_func @k::@map blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<4xf32>, %z : memref<4xf32>) {raf.stream = 2, raf.wait = array<i64: 0>, raf.record = 0}
    gpu.launch_func @k::@map blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%z : memref<4xf32>, %y : memref<4xf32>) {raf.wait = array<i64: 0>}
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @map(%x: memref<4xf32>, %y: memref<4xf32>) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %x[%c0] : memref<4xf32>
      memref.store %v, %y[%c0] : memref<4xf32>
      gpu.return
    }
  }
  // The same with a wait less.
  func.func @main(%x: memref<4xf32>, %y: memref<4xf32> {raf.name = "why"}, %z: memref<4xf32>, %w: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    // expected-note @below {{it must wait for an event that is recorded after this op}}
    gpu.launch_func @k::@map blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32>, %y : memref<4xf32>) {raf.stream = 1, raf.record = 0}
    // expected-error @below {{on stream 2 reads bytes that an op on stream 1 writes, and no event orders the two: bytes 0 to 15 of the argument 'why'}}
    gpu.launch_func @k::@map blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<4xf32>, %z : memref<4xf32>) {raf.stream = 2, raf.record = 0}
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @read(%x: memref<4xf32>, %y: memref<4xf32>) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %x[%c0] : memref<4xf32>
      memref.store %v, %y[%c0] : memref<4xf32>
      gpu.return
    }
  }
  // Memory of the arena that is used again: the new value is written before the reader of the old one has run. The bytes that both have are few.
  func.func @main(%x: memref<4xf32>, %y: memref<4xf32>, %arena: memref<28xi8> {raf.arena}) {
    %c0 = arith.constant 0 : index
    %c12 = arith.constant 12 : index
    %c1 = arith.constant 1 : index
    %a = memref.view %arena[%c0][] : memref<28xi8> to memref<4xf32>
    %b = memref.view %arena[%c12][] : memref<28xi8> to memref<4xf32>
    // expected-note @below {{after this op}}
    gpu.launch_func @k::@read blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>, %y : memref<4xf32>) {raf.stream = 1}
    // expected-error @below {{on stream 0 writes bytes that an op on stream 1 reads, and no event orders the two: bytes 12 to 15 of the arena}}
    gpu.launch_func @k::@read blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32>, %b : memref<4xf32>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    // What is done with an address is not followed: the argument counts as written.
    gpu.func @hidden(%x: memref<4xf32>) kernel {
      %i = memref.extract_aligned_pointer_as_index %x : memref<4xf32> -> index
      gpu.return
    }
  }
  func.func @main(%x: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    // expected-note @below {{after this op}}
    gpu.launch_func @k::@hidden blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32>) {raf.stream = 1}
    // expected-error @below {{on stream 0 writes bytes that an op on stream 1 writes, and no event orders the two: bytes 0 to 15 of argument 0}}
    gpu.launch_func @k::@hidden blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32>)
    return
  }
}

// -----

func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{waits for event 3, which no op before it records}}
  memref.copy %x, %y {raf.stream = 1, raf.wait = array<i64: 3>} : memref<4xf32> to memref<4xf32>
  return
}

// -----

func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{must have a stream between 0 and 63, got 64}}
  memref.copy %x, %y {raf.stream = 64} : memref<4xf32> to memref<4xf32>
  // expected-error @below {{records event -1; events have numbers from 0 on}}
  memref.copy %x, %y {raf.record = -1} : memref<4xf32> to memref<4xf32>
  // expected-error @below {{must have an array of i64 as raf.wait, got 3 : i64}}
  memref.copy %x, %y {raf.wait = 3} : memref<4xf32> to memref<4xf32>
  // expected-error @below {{is not work for a device and must not have raf.stream}}
  %c = arith.constant {raf.stream = 1} 1 : index
  return
}

// -----

func.func private @body(%i: memref<i64>, %y: memref<4xf32>, %arena: memref<0xi8> {raf.arena}) {
  // expected-error @below {{is in a region and must not have raf.stream: regions run on the stream of the op that calls them}}
  memref.copy %y, %y {raf.stream = 1} : memref<4xf32> to memref<4xf32>
  return
}
func.func @main(%y: memref<4xf32>) {
  // expected-error @below {{calls regions and must be on stream 0, got stream 1}}
  raf.for @body trips = 3 outs(%y : memref<4xf32>) {raf.stream = 1}
  return
}

// -----

// Waits are checked on a single stream, too.
func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{waits for event 3, which no op before it records}}
  memref.copy %x, %y {raf.wait = array<i64: 3>} : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Of the ops of a stream on the same bytes the last one counts, here on bytes that two have written in part: an event before it is not enough.
func.func @main(%x: memref<8xi8>, %y: memref<8xi8>, %arena: memref<16xi8> {raf.arena}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %all = memref.view %arena[%c0][] : memref<16xi8> to memref<8xi8>
  %half = memref.view %arena[%c4][] : memref<16xi8> to memref<8xi8>
  memref.copy %x, %all {raf.stream = 1} : memref<8xi8> to memref<8xi8>
  memref.copy %x, %half {raf.stream = 1, raf.record = 0} : memref<8xi8> to memref<8xi8>
  // expected-note @below {{after this op}}
  memref.copy %x, %half {raf.stream = 1} : memref<8xi8> to memref<8xi8>
  // expected-error @below {{on stream 0 writes bytes that an op on stream 1 writes, and no event orders the two: bytes 4 to 11 of the arena}}
  memref.copy %y, %half {raf.wait = array<i64: 0>} : memref<8xi8> to memref<8xi8>
  return
}
