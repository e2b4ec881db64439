// RUN: raf-opt %s --raf-inference | FileCheck %s

// The output for which an input is donated stays.
// CHECK: func.func @main
// CHECK-SAME: -> (tensor<3xf32> {raf.alias = 0 : i64, raf.name = "result[0]"}, tensor<3xf32> {raf.name = "result[1]"})
func.func @main(%x: tensor<3xf32> {raf.role = "input", raf.name = "x"}) -> (tensor<3xf32> {raf.name = "result[0]", raf.alias = 0 : i64}, tensor<3xf32> {raf.name = "result[1]"}) {
  %y = raf.exp %x : tensor<3xf32>
  %z = raf.neg %x : tensor<3xf32>
  return %y, %z : tensor<3xf32>, tensor<3xf32>
}
