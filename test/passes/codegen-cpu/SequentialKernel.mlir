// RUN: raf-opt %s --raf-tile-kernels --canonicalize | FileCheck %s

// A loop over an input that is not a destination starts from a copy in the destination; a kernel allocates nothing.
// CHECK-LABEL: func.func private @scatter(
// CHECK-SAME: %[[I:[a-z0-9]+]]: memref<3xi64> {{[^,]*}}, %[[X:[a-z0-9]+]]: memref<4xf32> {{[^,]*}}, %[[Y:[a-z0-9]+]]: memref<4xf32>
// CHECK-NOT: memref.alloc
// CHECK: memref.load %[[X]]
// CHECK: memref.store %{{.*}}, %[[Y]]
// CHECK: scf.for
// CHECK: memref.load %[[I]]
// CHECK: memref.load %[[Y]]
// CHECK: memref.store %{{.*}}, %[[Y]]
// CHECK-NOT: memref.copy
func.func private @scatter(%i: tensor<3xi64>, %x: tensor<4xf32>, %init: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %0 = scf.for %k = %c0 to %c3 step %c1 iter_args(%y = %x) -> tensor<4xf32> {
    %raw = tensor.extract %i[%k] : tensor<3xi64>
    %at = arith.index_cast %raw : i64 to index
    %old = tensor.extract %y[%at] : tensor<4xf32>
    %new = arith.addf %old, %one : f32
    %next = tensor.insert %new into %y[%at] : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// A loop over one element is no loop any more.
// CHECK-LABEL: func.func private @one
// CHECK:         %[[X:.*]] = memref.load %arg0
// CHECK:         memref.store %[[X]], %arg1
func.func private @one(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> attributes {raf.kernel} {
  %zero = arith.constant 0 : index
  %e = tensor.extract %x[%zero] : tensor<1xf32>
  %r = tensor.insert %e into %y[%zero] : tensor<1xf32>
  return %r : tensor<1xf32>
}
