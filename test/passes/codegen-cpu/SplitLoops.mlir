// RUN: raf-opt %s --raf-tile-kernels --canonicalize --cse | FileCheck %s
// RUN: raf-opt %s --raf-tile-kernels -remarks-filter-missed=raf-tile-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Rows are added where an index says: threads take columns, whole lines of a cache of them, of the zeros and of the sums.
// CHECK-LABEL: func.func private @columns(
// CHECK-NEXT:    raf.parallel_for @columns_tiles tiles = 32 grain = 3(%arg0, %arg1, %arg2) {raf.work = 8500 : i64}
// CHECK-NEXT:    return
// CHECK:       func.func private @columns_tiles(%[[BEGIN:.*]]: index, %[[END:.*]]: index, %[[I:.*]]: memref<32xi64> {llvm.noalias}, %[[U:.*]]: memref<32x500xf32> {llvm.noalias}, %[[Y:.*]]: memref<512x500xf32> {llvm.noalias}) attributes {raf.tiles}
// CHECK:         %[[FIRST:.*]] = arith.muli %[[BEGIN]], %c16
// CHECK:         %[[PAST:.*]] = arith.muli %[[END]], %c16
// CHECK:         %[[LAST:.*]] = arith.minui %[[PAST]], %c500
// CHECK:         scf.for %{{.*}} = %c0 to %c512
// CHECK:           scf.for %{{.*}} = %[[FIRST]] to %[[LAST]]
// CHECK:         scf.for %[[ROW:.*]] = %c0 to %c32
// CHECK:           scf.for %[[C:.*]] = %[[FIRST]] to %[[LAST]]
// CHECK:             %[[OLD:.*]] = memref.load %[[Y]][%[[AT:.*]], %[[C]]]
// CHECK:             memref.load %[[U]][%[[ROW]], %[[C]]]
// CHECK:             memref.store %{{.*}}, %[[Y]][%[[AT]], %[[C]]]
func.func private @columns(%i: tensor<32xi64>, %u: tensor<32x500xf32>, %y: tensor<512x500xf32>) -> tensor<512x500xf32> attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c500 = arith.constant 500 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%y : tensor<512x500xf32>) -> tensor<512x500xf32>
  %0 = scf.for %r = %c0 to %c32 step %c1 iter_args(%a = %start) -> tensor<512x500xf32> {
    %1 = scf.for %c = %c0 to %c500 step %c1 iter_args(%b = %a) -> tensor<512x500xf32> {
      %raw = tensor.extract %i[%r] : tensor<32xi64>
      %at = arith.index_cast %raw : i64 to index
      %inside = arith.cmpi ult, %at, %c512 : index
      %2 = scf.if %inside -> tensor<512x500xf32> {
        %old = tensor.extract %b[%at, %c] : tensor<512x500xf32>
        %more = tensor.extract %u[%r, %c] : tensor<32x500xf32>
        %sum = arith.addf %old, %more : f32
        %next = tensor.insert %sum into %b[%at, %c] : tensor<512x500xf32>
        scf.yield %next : tensor<512x500xf32>
      } else {
        scf.yield %b : tensor<512x500xf32>
      }
      scf.yield %2 : tensor<512x500xf32>
    }
    scf.yield %1 : tensor<512x500xf32>
  }
  return %0 : tensor<512x500xf32>
}

// -----

// A running sum along columns: rows are independent.
// CHECK-LABEL: func.func private @rows(
// CHECK-NEXT:    raf.parallel_for @rows_tiles tiles = 100 grain =
// CHECK:       func.func private @rows_tiles(%[[BEGIN:.*]]: index, %[[END:.*]]: index
// CHECK:         scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
// CHECK:           scf.for %{{.*}} = %c1 to %c64
func.func private @rows(%x: tensor<100x64xf32>, %y: tensor<100x64xf32>) -> tensor<100x64xf32> attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  %0 = scf.for %r = %c0 to %c100 step %c1 iter_args(%a = %y) -> tensor<100x64xf32> {
    %1 = scf.for %c = %c1 to %c64 step %c1 iter_args(%b = %a) -> tensor<100x64xf32> {
      %before = arith.subi %c, %c1 : index
      %sum = tensor.extract %b[%r, %before] : tensor<100x64xf32>
      %more = tensor.extract %x[%r, %c] : tensor<100x64xf32>
      %next = arith.addf %sum, %more : f32
      %2 = tensor.insert %next into %b[%r, %c] : tensor<100x64xf32>
      scf.yield %2 : tensor<100x64xf32>
    }
    scf.yield %1 : tensor<100x64xf32>
  }
  return %0 : tensor<100x64xf32>
}

// -----

// Where an element goes is not known: one thread.
// REMARK: Function=elements | Reason="along no dimension of what it writes is each element read and written by iterations of its own"
// CHECK-LABEL: func.func private @elements(
// CHECK-NOT: raf.parallel_for
// CHECK: return
// CHECK-NOT: @elements_tiles
func.func private @elements(%i: tensor<4096xi64>, %u: tensor<4096xf32>, %y: tensor<4096xf32>) -> tensor<4096xf32> attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  %0 = scf.for %k = %c0 to %c4096 step %c1 iter_args(%a = %y) -> tensor<4096xf32> {
    %raw = tensor.extract %i[%k] : tensor<4096xi64>
    %at = arith.index_cast %raw : i64 to index
    %old = tensor.extract %a[%at] : tensor<4096xf32>
    %more = tensor.extract %u[%k] : tensor<4096xf32>
    %sum = arith.addf %old, %more : f32
    %1 = tensor.insert %sum into %a[%at] : tensor<4096xf32>
    scf.yield %1 : tensor<4096xf32>
  }
  return %0 : tensor<4096xf32>
}

// -----

// The inner loop runs over all rows for each row of the outer one: a range of both would leave most pairs out.
// REMARK: Function=pairs
// CHECK-LABEL: func.func private @pairs(
// CHECK-NOT: raf.parallel_for
// CHECK: return
// CHECK-NOT: @pairs_tiles
func.func private @pairs(%x: tensor<256xf32>, %y: tensor<256xf32>) -> tensor<256xf32> attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %0 = scf.for %r = %c0 to %c256 step %c1 iter_args(%a = %y) -> tensor<256xf32> {
    %first = tensor.extract %x[%r] : tensor<256xf32>
    %kept = tensor.insert %first into %a[%r] : tensor<256xf32>
    %1 = scf.for %c = %c0 to %c256 step %c1 iter_args(%b = %kept) -> tensor<256xf32> {
      %old = tensor.extract %b[%c] : tensor<256xf32>
      %sum = arith.addf %old, %first : f32
      %2 = tensor.insert %sum into %b[%c] : tensor<256xf32>
      scf.yield %2 : tensor<256xf32>
    }
    scf.yield %1 : tensor<256xf32>
  }
  return %0 : tensor<256xf32>
}

// -----

// Each iteration reads what the one before has written.
// REMARK: Function=running
// CHECK-LABEL: func.func private @running(
// CHECK-NOT: raf.parallel_for
// CHECK: return
// CHECK-NOT: @running_tiles
func.func private @running(%x: tensor<4096xf32>, %y: tensor<4096xf32>) -> tensor<4096xf32> attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  %0 = scf.for %c = %c0 to %c4096 step %c1 iter_args(%a = %y) -> tensor<4096xf32> {
    %more = tensor.extract %x[%c] : tensor<4096xf32>
    %later = arith.cmpi ugt, %c, %c0 : index
    %1 = scf.if %later -> tensor<4096xf32> {
      %before = arith.subi %c, %c1 : index
      %sum = tensor.extract %a[%before] : tensor<4096xf32>
      %next = arith.addf %sum, %more : f32
      %2 = tensor.insert %next into %a[%c] : tensor<4096xf32>
      scf.yield %2 : tensor<4096xf32>
    } else {
      %2 = tensor.insert %more into %a[%c] : tensor<4096xf32>
      scf.yield %2 : tensor<4096xf32>
    }
    scf.yield %1 : tensor<4096xf32>
  }
  return %0 : tensor<4096xf32>
}

// -----

// The sum goes on in a register.
// REMARK: Function=carried
// CHECK-LABEL: func.func private @carried(
// CHECK-NOT: raf.parallel_for
// CHECK: return
// CHECK-NOT: @carried_tiles
func.func private @carried(%x: tensor<4096xf32>, %y: tensor<4096xf32>) -> tensor<4096xf32> attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  %zero = arith.constant 0.0 : f32
  %0:2 = scf.for %c = %c0 to %c4096 step %c1 iter_args(%a = %y, %sum = %zero) -> (tensor<4096xf32>, f32) {
    %more = tensor.extract %x[%c] : tensor<4096xf32>
    %next = arith.addf %sum, %more : f32
    %1 = tensor.insert %next into %a[%c] : tensor<4096xf32>
    scf.yield %1, %next : tensor<4096xf32>, f32
  }
  return %0#0 : tensor<4096xf32>
}

// -----

// REMARK: Function=two | Reason="it writes several buffers"
// CHECK-LABEL: func.func private @two(
// CHECK-NOT: raf.parallel_for
// CHECK: return
// CHECK-NOT: @two_tiles
func.func private @two(%x: tensor<4096xf32>, %y: tensor<4096xf32>, %z: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  %0:2 = scf.for %c = %c0 to %c4096 step %c1 iter_args(%a = %y, %b = %z) -> (tensor<4096xf32>, tensor<4096xf32>) {
    %v = tensor.extract %x[%c] : tensor<4096xf32>
    %1 = tensor.insert %v into %a[%c] : tensor<4096xf32>
    %w = arith.negf %v : f32
    %2 = tensor.insert %w into %b[%c] : tensor<4096xf32>
    scf.yield %1, %2 : tensor<4096xf32>, tensor<4096xf32>
  }
  return %0#0, %0#1 : tensor<4096xf32>, tensor<4096xf32>
}

// -----

// Nothing to split: a piece of 16 elements, and no element at all.
// REMARK: Function=small | Reason="what it writes is too small"
// REMARK: Function=empty | Reason="it writes nothing"
// CHECK-LABEL: func.func private @small(
// CHECK-NOT: raf.parallel_for
// CHECK-NOT: @small_tiles
func.func private @small(%x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %0 = scf.for %c = %c0 to %c16 step %c1 iter_args(%a = %y) -> tensor<16xf32> {
    %v = tensor.extract %x[%c] : tensor<16xf32>
    %1 = tensor.insert %v into %a[%c] : tensor<16xf32>
    scf.yield %1 : tensor<16xf32>
  }
  return %0 : tensor<16xf32>
}
// CHECK-LABEL: func.func private @empty(
// CHECK-NOT: raf.parallel_for
// CHECK-NOT: @empty_tiles
func.func private @empty(%x: tensor<0xf32>, %y: tensor<0xf32>) -> tensor<0xf32> attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %c = %c0 to %c0 step %c1 iter_args(%a = %y) -> tensor<0xf32> {
    %v = tensor.extract %x[%c] : tensor<0xf32>
    %1 = tensor.insert %v into %a[%c] : tensor<0xf32>
    scf.yield %1 : tensor<0xf32>
  }
  return %0 : tensor<0xf32>
}

// -----

// 16 rows are fewer pieces than the 100 lines of a cache of their 1600 columns.
// CHECK-LABEL: func.func private @wide(
// CHECK-NEXT: raf.parallel_for @wide_tiles tiles = 100
func.func private @wide(%x: tensor<16x1600xf32>, %y: tensor<16x1600xf32>) -> tensor<16x1600xf32> attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c1600 = arith.constant 1600 : index
  %0 = scf.for %r = %c0 to %c16 step %c1 iter_args(%a = %y) -> tensor<16x1600xf32> {
    %1 = scf.for %c = %c0 to %c1600 step %c1 iter_args(%b = %a) -> tensor<16x1600xf32> {
      %old = tensor.extract %b[%r, %c] : tensor<16x1600xf32>
      %more = tensor.extract %x[%r, %c] : tensor<16x1600xf32>
      %sum = arith.addf %old, %more : f32
      %2 = tensor.insert %sum into %b[%r, %c] : tensor<16x1600xf32>
      scf.yield %2 : tensor<16x1600xf32>
    }
    scf.yield %1 : tensor<16x1600xf32>
  }
  return %0 : tensor<16x1600xf32>
}
