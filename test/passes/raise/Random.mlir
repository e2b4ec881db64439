// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{raise} = raf-opt - --allow-unregistered-dialect --import-stablehlo --canonicalize --cse --raf-constant-fold --raf-simplify --raf-constant-fold --canonicalize --cse --raf-raise --canonicalize
// RUN: cat %S/Inputs/jax-dropout-partitionable.mlir | %{raise} | FileCheck %s --check-prefixes=CHECK,PARTITIONABLE
// RUN: cat %S/Inputs/jax-dropout-original.mlir | %{raise} | FileCheck %s --check-prefixes=CHECK,ORIGINAL
// Another key schedule and another rotation are other generators, which stay as they are written.
// RUN: sed 's/dense<466688986>/dense<466688987>/' %S/Inputs/jax-dropout-partitionable.mlir | %{raise} | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/13, 15, 26, 6/13, 15, 27, 6/' %S/Inputs/jax-dropout-partitionable.mlir | %{raise} | FileCheck %s --check-prefix=OTHER

// The key is folded, split, and draws the mask: each is Threefry of a counter, 120 operations that are one.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x5xf32>
// CHECK-NOT: raf.shift_left
// CHECK: raf.threefry %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} word = 0
// PARTITIONABLE: %[[A:.+]] = raf.threefry %[[K0:.+]], %[[K1:.+]], %[[C0:.+]], %[[C1:.+]] word = 0 : tensor<4x5xi32>
// PARTITIONABLE: %[[B:.+]] = raf.threefry %[[K0]], %[[K1]], %[[C0]], %[[C1]] word = 1 : tensor<4x5xi32>
// PARTITIONABLE: raf.xor %[[A]], %[[B]] : tensor<4x5xi32>
// ORIGINAL: %[[A:.+]] = raf.threefry %[[K0:.+]], %[[K1:.+]], %[[C0:.+]], %[[C1:.+]] word = 0 : tensor<10xi32>
// ORIGINAL: %[[B:.+]] = raf.threefry %[[K0]], %[[K1]], %[[C0]], %[[C1]] word = 1 : tensor<10xi32>
// ORIGINAL: raf.concat %[[A]], %[[B]]
// CHECK-NOT: raf.shift_left
// CHECK: raf.select

// OTHER-NOT: raf.threefry
// OTHER: raf.shift_left
// OTHER-NOT: raf.threefry
