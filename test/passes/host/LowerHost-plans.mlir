// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Library ops become plans: made once for equal words, executed on a table of addresses, and checked.
// RUN: raf-opt %s --raf-inplace --raf-bufferize-host --raf-plan-memory --raf-lower-host | FileCheck %s
// RUN: raf-opt %s --raf-inplace --raf-bufferize-host --raf-plan-memory | FileCheck %s --check-prefix=PLAN

// The second and the third product are equal; two workspaces that are not alive together share their place.
// PLAN: arena_bytes = 1024 : i64
// PLAN-SAME: workspace = 1024 : i64

// CHECK: \22ops\22:[\22dnnl.matmul\22,\22dnnl.matmul\22,\22dnnl.matmul\22]
// CHECK-SAME: \22library_calls\22:3,\22library_plans\22:2
// CHECK-DAG: llvm.mlir.global internal constant @raf_plan_0(dense<[
// CHECK-DAG: llvm.mlir.global internal constant @raf_plan_1(dense<[
// CHECK-NOT: @raf_plan_2
// CHECK: llvm.func @raf_run(%[[CTX:.+]]: !llvm.ptr, %[[ARGS:.+]]: !llvm.ptr, %[[ARENA:.+]]: !llvm.ptr)
// CHECK: %[[COUNT:.+]] = llvm.mlir.constant(4 : i64)
// CHECK: %[[TABLE:.+]] = llvm.alloca %[[COUNT]] x !llvm.ptr
// CHECK: %[[SLOT:.+]] = llvm.getelementptr %[[TABLE]][3]
// CHECK: llvm.store %[[WORKSPACE:.+]], %[[SLOT]]
// CHECK: %[[STATUS:.+]] = llvm.call @raf_rt_dnnl_execute(%[[CTX]], %{{.+}}, %[[TABLE]])
// CHECK: %[[GOOD:.+]] = llvm.icmp "eq" %[[STATUS]]
// CHECK: llvm.cond_br %[[GOOD]], ^{{.+}}, ^[[EXIT:bb[0-9]+]]
// CHECK-COUNT-2: llvm.call @raf_rt_dnnl_execute
// CHECK: ^[[EXIT]]:
// CHECK-NEXT: llvm.return
// CHECK: llvm.func @raf_init(%[[CTX:.+]]: !llvm.ptr) -> i64
// CHECK: llvm.call @raf_rt_dnnl_create(%[[CTX]]
// CHECK: llvm.cond_br
// CHECK: llvm.call @raf_rt_dnnl_create(%[[CTX]]
// CHECK: llvm.cond_br
func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %e4 = tensor.empty() : tensor<8x4xf32>
  %w = tensor.empty() : tensor<1024xi8>
  %x, %w0 = dnnl.matmul ins(%a, %c : tensor<8x8xf32>, tensor<8x4xf32>) outs(%e4 : tensor<8x4xf32>) workspace(%w : tensor<1024xi8>) -> tensor<8x4xf32>, tensor<1024xi8>
  %y, %w1 = dnnl.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) workspace(%w : tensor<1024xi8>) -> tensor<8x8xf32>, tensor<1024xi8>
  %z, %w2 = dnnl.matmul ins(%b, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) workspace(%w : tensor<1024xi8>) -> tensor<8x8xf32>, tensor<1024xi8>
  return %x, %y, %z : tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
