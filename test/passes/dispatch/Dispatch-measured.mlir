// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-dispatch=questions=true | FileCheck %s --check-prefix=ASK
// RUN: raf-opt %s --raf-dispatch="questions=true prefer=dnnl" | FileCheck %s --check-prefix=NOTHING
// Generated code alone has its blocks to choose; with its own the library is faster, and with others it is not.
// RUN: raf-opt %s --raf-dispatch="questions=true forbid=dnnl" | FileCheck %s --check-prefix=BLOCKS
// RUN: echo '{"version": 1, "seconds": {"qa6548a9caf34bb48": {"dnnl": 1e-5, "codegen": 2e-5, "codegen-narrow": null, "codegen-wide": 8e-6, "codegen-deep": 9e-6}}}' > %t.wide.json
// RUN: raf-opt %s --raf-dispatch=measurements=%t.wide.json | FileCheck %s --check-prefix=WIDE
// RUN: raf-opt %s --raf-dispatch=measurements=%t.wide.json --raf-decompose-ops --raf-convert-to-linalg | FileCheck %s --check-prefix=LINALG
// RUN: raf-opt %s --raf-dispatch=measurements=%t.wide.json --remarks-filter-passed=raf-dispatch -o /dev/null 2>&1 | FileCheck %s --check-prefix=WIDEREMARK
// RUN: echo '{"version": 1, "seconds": {"qa6548a9caf34bb48": {"dnnl": 2e-5, "codegen": 1e-5}}}' > %t.codegen.json
// RUN: raf-opt %s --raf-dispatch=measurements=%t.codegen.json | FileCheck %s --check-prefix=CODEGEN
// RUN: raf-opt %s --raf-dispatch="measurements=%t.codegen.json force=dnnl" | FileCheck %s --check-prefix=DNNL
// RUN: raf-opt %s --raf-dispatch=measurements=%t.codegen.json --remarks-filter-passed=raf-dispatch -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: echo '{"version": 1, "seconds": {"qa6548a9caf34bb48": {"dnnl": 1e-5, "codegen": 2e-5}}}' > %t.dnnl.json
// RUN: raf-opt %s --raf-dispatch=measurements=%t.dnnl.json | FileCheck %s --check-prefix=DNNL
// A library that cannot compute it is behind; what was never measured is dispatched as ever.
// RUN: echo '{"version": 1, "seconds": {"qa6548a9caf34bb48": {"dnnl": null, "codegen": 2e-5}}}' > %t.null.json
// RUN: raf-opt %s --raf-dispatch=measurements=%t.null.json | FileCheck %s --check-prefix=CODEGEN
// RUN: echo '{"version": 1, "seconds": {}}' > %t.empty.json
// RUN: raf-opt %s --raf-dispatch=measurements=%t.empty.json | FileCheck %s --check-prefix=DNNL
// RUN: echo 'damaged' > %t.damaged.json
// RUN: not raf-opt %s --raf-dispatch=measurements=%t.damaged.json 2>&1 | FileCheck %s --check-prefix=DAMAGED
// RUN: not raf-opt %s --raf-dispatch=measurements=%t.nowhere.json 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: echo '{"version": 1, "seconds": {"q": {"dnnl": -1}}}' > %t.negative.json
// RUN: not raf-opt %s --raf-dispatch=measurements=%t.negative.json 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// DAMAGED: error: raf-dispatch: measurements: '{{.*}}damaged.json' is not JSON
// NOWHERE: error: raf-dispatch: measurements: cannot read '{{.*}}nowhere.json'
// NEGATIVE: error: raf-dispatch: measurements: '{{.*}}': the time of 'dnnl' for 'q' must be a positive number or null
// REMARK: remark: [Passed] raf.matmul | Category:raf-dispatch | Function=codegen | Remark="measured: ", Remark="codegen 10.0 us, dnnl 20.0 us"

// One question for both products: with the bias and activation that a kernel covers, and the broadcast that it reads through.
// ASK: module @qa6548a9caf34bb48 attributes {raf.candidates = ["dnnl", "codegen", "codegen-narrow", "codegen-wide", "codegen-deep"]}
// ASK-NEXT: func.func @main(%arg0: tensor<64x32xf32> {{.*}}, %arg1: tensor<32x16xf32> {{.*}}, %arg2: tensor<16xf32> {{.*}}) -> (tensor<64x16xf32>
// ASK-NEXT: raf.matmul
// ASK-NEXT: raf.broadcast
// ASK-NEXT: raf.add
// ASK-NEXT: raf.relu
// ASK-NEXT: return
// ASK-NOT: raf.matmul
// NOTHING-NOT: raf.matmul
// BLOCKS: {raf.candidates = ["codegen", "codegen-narrow", "codegen-wide", "codegen-deep"]}
// WIDE-COUNT-2: raf.matmul {{.*}} {raf.blocks = "wide"}
// LINALG-COUNT-2: linalg.generic {{.*}} attrs = {raf.blocks = "wide"}
// WIDEREMARK: Function=codegen | Remark="measured: ", Remark="codegen-wide 8.0 us, dnnl 10.0 us"
// CODEGEN-LABEL: func.func @main
// CODEGEN: raf.matmul
// CODEGEN: dnnl.matmul
// CODEGEN: raf.matmul
// CODEGEN: return
// DNNL-LABEL: func.func @main
// DNNL-NOT: raf.matmul
// DNNL: return
func.func @main(%x: tensor<64x32xf32> {raf.role = "input", raf.name = "x"}, %w: tensor<32x16xf32> {raf.role = "param", raf.name = "w"}, %b: tensor<16xf32> {raf.role = "param", raf.name = "b"},
                %v: tensor<16x32xf32> {raf.role = "param", raf.name = "v"}) -> (tensor<64x16xf32> {raf.name = "y"}) {
  %0 = raf.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  %1 = raf.broadcast %b dims = [1] : tensor<16xf32> to tensor<64x16xf32>
  %2 = raf.add %0, %1 : tensor<64x16xf32>
  %3 = raf.relu %2 : tensor<64x16xf32>
  // A choice of the user is not a question.
  %4 = raf.matmul %3, %v {raf.dispatch = ["dnnl"]} : tensor<64x16xf32>, tensor<16x32xf32> -> tensor<64x32xf32>
  %5 = raf.matmul %4, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  %6 = raf.broadcast %b dims = [1] : tensor<16xf32> to tensor<64x16xf32>
  %7 = raf.add %5, %6 : tensor<64x16xf32>
  %8 = raf.relu %7 : tensor<64x16xf32>
  return %8 : tensor<64x16xf32>
}
