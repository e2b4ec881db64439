// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-lower-host=profile | FileCheck %s
// RUN: raf-opt %s --raf-lower-host | FileCheck %s --check-prefix=PLAIN

// The ops with their source nodes, costs and buffers: the body of a loop first, then the loop itself around it. Attributes that raf-report-cost left say what an op costs.
// CHECK: \22profile\22:{\22ops\22:[
// CHECK-SAME: {\22name\22:\22scale\22,\22function\22:\22body\22,\22kind\22:\22kernel\22,\22nodes\22:[{{\[}}\22/Mul\22,\22\22],[\22/Add\22,\22grad\22],[\22w\22,\22update\22]],\22flops\22:8,\22bytes\22:64,\22operands\22:[\228xf32\22]
// CHECK-SAME: \22reads\22:{{\[}}[[B:[0-9]+]]],\22writes\22:{{\[}}[[B]]]
// CHECK-SAME: {\22name\22:\22raf.for\22,\22function\22:\22main\22,\22kind\22:\22regions\22
// CHECK-SAME: \22regions\22:[\22body\22]}
// CHECK-SAME: {\22name\22:\22copy\22,\22function\22:\22main\22,\22kind\22:\22copy\22,\22nodes\22:[],\22flops\22:0,\22bytes\22:64
// CHECK-SAME: \22buffers\22:[{\22function\22:\22main\22,\22type\22:\228xf32\22,\22bytes\22:32,\22role\22:\22input\22,\22name\22:\22x\22}
// CHECK-SAME: \22offset\22:64,\22role\22:\22arena\22
// PLAIN-NOT: profile
// PLAIN: \22ops\22:[\22scale\22,\22copy\22]
#mul = loc("/Mul")
#add = loc(fused<"grad">["/Add"])
#w = loc(fused<"update">["w"])
module attributes {raf.memory = {arena_bytes = 128 : i64}} {
  func.func private @scale(%x: memref<8xf32>) attributes {raf.kernel} {
    return
  }
  func.func private @body(%i: memref<i64>, %x: memref<8xf32>, %arena: memref<0xi8> {raf.arena}) {
    raf.launch @scale outs(%x : memref<8xf32>) {raf.bytes = 64 : i64, raf.flops = 8 : i64, raf.read_inits = array<i64: 0>} loc(fused[#mul, #add, #w])
    return
  }
  func.func @main(%x: memref<8xf32> {raf.name = "x", raf.role = "input"}, %y: memref<8xf32> {raf.name = "y", raf.result = 0 : i64}, %arena: memref<128xi8> {raf.arena})
      attributes {raf.results = [{name = "y", type = tensor<8xf32>}]} {
    %c64 = arith.constant 64 : index
    %t = memref.view %arena[%c64][] : memref<128xi8> to memref<8xf32>
    raf.for @body trips = 3 outs(%t : memref<8xf32>)
    memref.copy %t, %y : memref<8xf32> to memref<8xf32>
    return
  }
}
