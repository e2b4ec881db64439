// RUN: raf-opt %s --raf-tile-kernels --canonicalize --cse | FileCheck %s

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

// Where an element goes is not known, or every iteration reads its neighbour: one thread.
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
