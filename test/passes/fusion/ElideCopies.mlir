// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --split-input-file --raf-elide-copies | FileCheck %s
// RUN: raf-opt %s --split-input-file --raf-elide-copies --remarks-filter=raf-elide-copies -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Both halves of what is made here are views of it, and their kernels go.
func.func private @make(memref<4x16xf32>, memref<4x16xf32>) attributes {raf.kernel}
func.func private @first(memref<4x16xf32>, memref<2x16xf32>) attributes {raf.kernel, raf.copies = array<i64: 0, 0, 32>}
func.func private @second(memref<4x16xf32>, memref<2x16xf32>) attributes {raf.kernel, raf.copies = array<i64: 32, 0, 32>}
func.func private @use(memref<2x16xf32>, memref<2x16xf32>) attributes {raf.kernel}
// CHECK-LABEL: @main(%arg0: memref<4x16xf32>, %arg1: memref<2x16xf32>, %arg2: memref<2x16xf32>)
// CHECK: %[[BYTES:.*]] = memref.alloc() : memref<256xi8>
// CHECK: %[[X:.*]] = memref.view %[[BYTES]][%c0{{.*}}][] : memref<256xi8> to memref<4x16xf32>
// CHECK: raf.launch @make ins(%arg0 : memref<4x16xf32>) outs(%[[X]]
// CHECK: %[[A:.*]] = memref.view %[[BYTES]][%c0{{.*}}][] : memref<256xi8> to memref<2x16xf32>
// CHECK: %[[B:.*]] = memref.view %[[BYTES]][%c128][] : memref<256xi8> to memref<2x16xf32>
// CHECK-NOT: @first
// CHECK: raf.launch @use ins(%[[A]] : memref<2x16xf32>) outs(%arg1
// CHECK: raf.launch @use ins(%[[B]] : memref<2x16xf32>) outs(%arg2
// CHECK-NOT: @second
// REMARK: [Passed] View | Category:raf-elide-copies | Function=main | Remark="a view instead of a copy"
// REMARK: [Passed] View
func.func @main(%a: memref<4x16xf32>, %p: memref<2x16xf32>, %q: memref<2x16xf32>) {
  %x = memref.alloc() : memref<4x16xf32>
  raf.launch @make ins(%a : memref<4x16xf32>) outs(%x : memref<4x16xf32>)
  %y = memref.alloc() : memref<2x16xf32>
  %z = memref.alloc() : memref<2x16xf32>
  raf.launch @first ins(%x : memref<4x16xf32>) outs(%y : memref<2x16xf32>)
  raf.launch @second ins(%x : memref<4x16xf32>) outs(%z : memref<2x16xf32>)
  raf.launch @use ins(%y : memref<2x16xf32>) outs(%p : memref<2x16xf32>)
  raf.launch @use ins(%z : memref<2x16xf32>) outs(%q : memref<2x16xf32>)
  return
}

// -----

// What is joined is written where it belongs; an argument is copied there.
func.func private @make(memref<2x16xf32>, memref<2x16xf32>) attributes {raf.kernel}
func.func private @join(memref<2x16xf32>, memref<2x16xf32>, memref<2x16xf32>, memref<6x16xf32>) attributes {raf.kernel, raf.copies = array<i64: 0, 0, 32, 0, 32, 32, 0, 64, 32>}
func.func private @use(memref<6x16xf32>, memref<6x16xf32>) attributes {raf.kernel}
// CHECK-LABEL: @main
// CHECK: %[[BYTES:.*]] = memref.alloc() : memref<384xi8>
// CHECK: %[[X:.*]] = memref.view %[[BYTES]][%c0{{.*}}][] : memref<384xi8> to memref<2x16xf32>
// CHECK: raf.launch @make ins(%arg0 : memref<2x16xf32>) outs(%[[X]]
// CHECK: %[[Y:.*]] = memref.view %[[BYTES]][%c256{{.*}}][] : memref<384xi8> to memref<2x16xf32>
// CHECK: raf.launch @make ins(%[[X]] : memref<2x16xf32>) outs(%[[Y]]
// CHECK: %[[Z:.*]] = memref.view %[[BYTES]][%c0{{.*}}][] : memref<384xi8> to memref<6x16xf32>
// CHECK: %[[MIDDLE:.*]] = memref.view %[[BYTES]][%c128{{.*}}][] : memref<384xi8> to memref<2x16xf32>
// CHECK-NEXT: memref.copy %arg0, %[[MIDDLE]]
// CHECK-NEXT: raf.launch @use ins(%[[Z]]
// CHECK-NOT: @join
func.func @main(%a: memref<2x16xf32>, %r: memref<6x16xf32>) {
  %x = memref.alloc() : memref<2x16xf32>
  raf.launch @make ins(%a : memref<2x16xf32>) outs(%x : memref<2x16xf32>)
  %y = memref.alloc() : memref<2x16xf32>
  raf.launch @make ins(%x : memref<2x16xf32>) outs(%y : memref<2x16xf32>)
  %z = memref.alloc() : memref<6x16xf32>
  raf.launch @join ins(%x, %a, %y : memref<2x16xf32>, memref<2x16xf32>, memref<2x16xf32>) outs(%z : memref<6x16xf32>)
  raf.launch @use ins(%z : memref<6x16xf32>) outs(%r : memref<6x16xf32>)
  return
}

// -----

// The tensor is written again before its old rows are read for the last time; other rows than those do no harm.
func.func private @make(memref<4x16xf32>, memref<4x16xf32>) attributes {raf.kernel}
func.func private @first(memref<4x16xf32>, memref<2x16xf32>) attributes {raf.kernel, raf.copies = array<i64: 0, 0, 32>}
func.func private @second(memref<4x16xf32>, memref<2x16xf32>) attributes {raf.kernel, raf.copies = array<i64: 32, 0, 32>}
func.func private @use(memref<2x16xf32>, memref<2x16xf32>) attributes {raf.kernel}
// CHECK-LABEL: @main
// CHECK: raf.launch @first
// CHECK: raf.launch @make
// CHECK: raf.launch @use
// REMARK: [Missed] Copied | {{.*}}Reason="one side is overwritten while the other is still needed", Remark="is copied"
func.func @main(%a: memref<4x16xf32>, %p: memref<2x16xf32>, %q: memref<4x16xf32>) {
  %x = memref.alloc() : memref<4x16xf32>
  raf.launch @make ins(%a : memref<4x16xf32>) outs(%x : memref<4x16xf32>)
  %y = memref.alloc() : memref<2x16xf32>
  raf.launch @first ins(%x : memref<4x16xf32>) outs(%y : memref<2x16xf32>)
  raf.launch @make ins(%a : memref<4x16xf32>) outs(%x : memref<4x16xf32>)
  raf.launch @use ins(%y : memref<2x16xf32>) outs(%p : memref<2x16xf32>)
  raf.launch @make ins(%x : memref<4x16xf32>) outs(%q : memref<4x16xf32>)
  return
}

// -----

// The rows are updated in place while the rest of the tensor is still needed, which is as well; the rows of the tensor are not.
func.func private @make(memref<4x16xf32>, memref<4x16xf32>) attributes {raf.kernel}
func.func private @first(memref<4x16xf32>, memref<2x16xf32>) attributes {raf.kernel, raf.copies = array<i64: 0, 0, 32>}
func.func private @second(memref<4x16xf32>, memref<2x16xf32>) attributes {raf.kernel, raf.copies = array<i64: 32, 0, 32>}
func.func private @update(memref<2x16xf32>) attributes {raf.kernel}
func.func private @use(memref<2x16xf32>, memref<2x16xf32>) attributes {raf.kernel}
// CHECK-LABEL: @main
// CHECK: %[[X:.*]] = memref.view
// CHECK: %[[Y:.*]] = memref.view
// CHECK: %[[Z:.*]] = memref.view
// CHECK-NOT: @first
// CHECK: raf.launch @update outs(%[[Y]]
// CHECK-NOT: @second
// CHECK: raf.launch @use ins(%[[Z]]
func.func @main(%a: memref<4x16xf32>, %p: memref<2x16xf32>, %q: memref<2x16xf32>) {
  %x = memref.alloc() : memref<4x16xf32>
  raf.launch @make ins(%a : memref<4x16xf32>) outs(%x : memref<4x16xf32>)
  %y = memref.alloc() : memref<2x16xf32>
  %z = memref.alloc() : memref<2x16xf32>
  raf.launch @first ins(%x : memref<4x16xf32>) outs(%y : memref<2x16xf32>)
  raf.launch @update outs(%y : memref<2x16xf32>)
  raf.launch @use ins(%y : memref<2x16xf32>) outs(%p : memref<2x16xf32>)
  raf.launch @second ins(%x : memref<4x16xf32>) outs(%z : memref<2x16xf32>)
  raf.launch @use ins(%z : memref<2x16xf32>) outs(%q : memref<2x16xf32>)
  return
}

// -----

// A few rows would keep a large tensor alive until the end.
func.func private @large(memref<16xf32>, memref<64x16xf32>) attributes {raf.kernel}
func.func private @rows(memref<64x16xf32>, memref<1x16xf32>) attributes {raf.kernel, raf.copies = array<i64: 16, 0, 16>}
func.func private @sum(memref<64x16xf32>, memref<1x16xf32>, memref<16xf32>) attributes {raf.kernel}
// CHECK-LABEL: @main
// CHECK: raf.launch @rows
// REMARK: [Missed] Copied | {{.*}}Reason="more memory would be alive at once"
func.func @main(%a: memref<16xf32>, %r: memref<16xf32>) {
  %x = memref.alloc() : memref<64x16xf32>
  raf.launch @large ins(%a : memref<16xf32>) outs(%x : memref<64x16xf32>)
  %y = memref.alloc() : memref<1x16xf32>
  raf.launch @rows ins(%x : memref<64x16xf32>) outs(%y : memref<1x16xf32>)
  %z = memref.alloc() : memref<64x16xf32>
  raf.launch @large ins(%a : memref<16xf32>) outs(%z : memref<64x16xf32>)
  raf.launch @sum ins(%z, %y : memref<64x16xf32>, memref<1x16xf32>) outs(%r : memref<16xf32>)
  return
}

// -----

// One tensor twice: the second time it is copied. What is a result of the step stays where it is.
func.func private @make(memref<2x16xf32>, memref<2x16xf32>) attributes {raf.kernel}
func.func private @join(memref<2x16xf32>, memref<2x16xf32>, memref<4x16xf32>) attributes {raf.kernel, raf.copies = array<i64: 0, 0, 32, 0, 32, 32>}
func.func private @use(memref<4x16xf32>, memref<4x16xf32>) attributes {raf.kernel}
// CHECK-LABEL: @main
// CHECK: %[[X:.*]] = memref.view %{{.*}}[%c0{{.*}}][] : memref<256xi8> to memref<2x16xf32>
// CHECK: %[[HALF:.*]] = memref.view %{{.*}}[%c128{{.*}}][] : memref<256xi8> to memref<2x16xf32>
// CHECK: memref.copy %[[X]], %[[HALF]]
// CHECK: raf.launch @join {{.*}} outs(%arg2
// REMARK: [Missed] Copied | {{.*}}Reason="its result is an argument or a result of the step"
func.func @main(%a: memref<2x16xf32>, %r: memref<4x16xf32>, %s: memref<4x16xf32>) {
  %x = memref.alloc() : memref<2x16xf32>
  raf.launch @make ins(%a : memref<2x16xf32>) outs(%x : memref<2x16xf32>)
  %z = memref.alloc() : memref<4x16xf32>
  raf.launch @join ins(%x, %x : memref<2x16xf32>, memref<2x16xf32>) outs(%z : memref<4x16xf32>)
  raf.launch @use ins(%z : memref<4x16xf32>) outs(%r : memref<4x16xf32>)
  raf.launch @join ins(%x, %x : memref<2x16xf32>, memref<2x16xf32>) outs(%s : memref<4x16xf32>)
  return
}
