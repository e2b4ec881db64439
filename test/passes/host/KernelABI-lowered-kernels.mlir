// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are functions of the LLVM dialect already are only called and marked.
// RUN: raf-opt %s --raf-lower-host | FileCheck %s

memref.global "private" constant @c : memref<f32> = dense<2.0>

// CHECK: llvm.func internal @k(%{{.+}}: !llvm.ptr {llvm.dereferenceable = 4 : i64, llvm.noalias, llvm.nonnull}, %{{.+}}: !llvm.ptr {llvm.dereferenceable = 32 : i64, llvm.noalias, llvm.nonnull})
// CHECK-SAME: passthrough = ["noinline"]
// CHECK-NOT: raf.kernel
llvm.func @k(%x: !llvm.ptr, %y: !llvm.ptr) attributes {raf.kernel} {
  llvm.return
}

// CHECK-LABEL: llvm.func @raf_run
// CHECK: %[[C:.+]] = llvm.mlir.addressof @c : !llvm.ptr
// CHECK: llvm.call @k(%[[C]], %{{.+}}) : (!llvm.ptr, !llvm.ptr) -> ()
func.func @main(%y: memref<8xf32>) {
  %c = memref.get_global @c : memref<f32>
  raf.launch @k ins(%c : memref<f32>) outs(%y : memref<8xf32>)
  return
}
