// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-lower-host | FileCheck %s
// RUN: raf-opt %s --raf-lower-host=profile | FileCheck %s --check-prefix=PROFILE
// RUN: raf-opt %s --raf-lower-host --convert-to-llvm --reconcile-unrealized-casts | FileCheck %s --check-prefix=LLVM

// CHECK: module attributes {raf.manifest = "{\22args\22:[{\22name\22:\22x\22,\22role\22:\22input\22,\22dtype\22:\22f32\22,\22shape\22:[8]}
// CHECK-SAME: \22results\22:[{\22name\22:\22y\22,\22dtype\22:\22f32\22,\22shape\22:[8],\22alias\22:null}]
// CHECK-SAME: \22memory\22:{\22arena_bytes\22:128}
// CHECK-SAME: \22ops\22:[\22exp\22,\22exp\22,\22copy\22]
module attributes {raf.memory = {arena_bytes = 128 : i64}} {
  // CHECK: llvm.mlir.global internal constant @c(dense<1.000000e+00> : tensor<8xf32>) {{.*}}alignment = 64 : i64
  // CHECK-NOT: memref.global
  memref.global "private" constant @c : memref<8xf32> = dense<1.0> {alignment = 64 : i64}

  // The second call is in place, so only what no call shares is noalias.
  // CHECK: func.func private @exp(%[[X:.+]]: !llvm.ptr {llvm.dereferenceable = 32 : i64, llvm.nonnull}, %{{.+}}: !llvm.ptr {llvm.dereferenceable = 32 : i64, llvm.nonnull}, %{{.+}}: !llvm.ptr {llvm.dereferenceable = 32 : i64, llvm.noalias, llvm.nonnull})
  // CHECK-SAME: llvm.linkage = #llvm.linkage<internal>
  // LLVM: llvm.func internal @exp(
  // LLVM-SAME: passthrough = ["noinline"]
  func.func private @exp(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) attributes {raf.kernel} {
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%c0] : memref<8xf32>
    %e = math.exp %v : f32
    memref.store %e, %y[%c0] : memref<8xf32>
    return
  }

  // CHECK-NOT: @unused
  func.func private @unused(memref<8xf32>) attributes {raf.kernel}

  // CHECK: llvm.func @raf_run(%[[CTX:.+]]: !llvm.ptr, %[[ARGS:.+]]: !llvm.ptr, %[[ARENA:.+]]: !llvm.ptr)
  // CHECK: %[[PX:.+]] = llvm.getelementptr %[[ARGS]][0]
  // CHECK: %[[A0:.+]] = llvm.load %[[PX]]
  // CHECK: %[[PY:.+]] = llvm.getelementptr %[[ARGS]][1]
  // CHECK: %[[A1:.+]] = llvm.load %[[PY]]
  // CHECK: %[[C:.+]] = llvm.mlir.addressof @c
  // CHECK: %[[OFFSET:.+]] = llvm.mlir.constant(64 : i64)
  // CHECK: %[[T:.+]] = llvm.getelementptr %[[ARENA]][%[[OFFSET]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  // CHECK: call @exp(%[[A0]], %[[T]], %[[C]])
  // CHECK: call @exp(%[[T]], %[[T]], %[[C]])
  // CHECK: "llvm.intr.memcpy"(%[[A1]], %[[T]]
  // CHECK: llvm.func @raf_init
  // PROFILE: llvm.call @raf_rt_profile_begin(%[[CTX:.+]], %{{.+}}) : (!llvm.ptr, i64) -> ()
  // PROFILE-NEXT: call @exp
  // PROFILE: llvm.call @raf_rt_profile_end
  // LLVM: llvm.func @raf_run
  // LLVM-NOT: unrealized
  func.func @main(%x: memref<8xf32> {raf.name = "x", raf.role = "input"}, %y: memref<8xf32> {raf.name = "y", raf.result = 0 : i64}, %arena: memref<128xi8> {raf.arena})
      attributes {raf.results = [{name = "y", type = tensor<8xf32>}]} {
    %c = memref.get_global @c : memref<8xf32>
    %c64 = arith.constant 64 : index
    %t = memref.view %arena[%c64][] : memref<128xi8> to memref<8xf32>
    raf.launch @exp ins(%x : memref<8xf32>) outs(%t, %c : memref<8xf32>, memref<8xf32>)
    raf.launch @exp ins(%t : memref<8xf32>) outs(%t, %c : memref<8xf32>, memref<8xf32>)
    memref.copy %t, %y : memref<8xf32> to memref<8xf32>
    return
  }
}
