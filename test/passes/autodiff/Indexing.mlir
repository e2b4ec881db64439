// RUN: raf-opt %s --split-input-file --raf-autodiff=of=y --cse | FileCheck %s

// gather: an index outside was clamped on reading, so it is clamped here.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<2x3xi64>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x3x8xf32>
// CHECK-DAG: %[[GATHER:.*]] = raf.gather %[[X]], %[[I]] axis = 0
// CHECK-DAG: %[[C:.*]] = raf.constant dense<3> : tensor<2x3xi64>
// CHECK-DAG: %[[C2:.*]] = raf.constant dense<0> : tensor<2x3xi64>
// CHECK-DAG: %[[MAXIMUM:.*]] = raf.maximum %[[I]], %[[C2]]
// CHECK-DAG: %[[MINIMUM:.*]] = raf.minimum %[[MAXIMUM]], %[[C]]
// CHECK-DAG: %[[C3:.*]] = raf.constant dense<0.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[SCATTER_ADD:.*]] = raf.scatter_add %[[C3]], %[[MINIMUM]], %[[DY]] axis = 0
// CHECK: return %[[GATHER]], %[[SCATTER_ADD]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}, %i: tensor<2x3xi64> {raf.role = "input", raf.name = "i"}) -> (tensor<2x3x8xf32> {raf.name = "y"}) {
  %y = raf.gather %x, %i axis = 0 : tensor<4x8xf32>, tensor<2x3xi64> -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// gather_inside: constant indices are seen to be inside.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x8xf32>
// CHECK-DAG: %[[C:.*]] = raf.constant dense<[0, 3]> : tensor<2xi64>
// CHECK-DAG: %[[GATHER:.*]] = raf.gather %[[X]], %[[C]] axis = 0
// CHECK-DAG: %[[C2:.*]] = raf.constant dense<0.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[SCATTER_ADD:.*]] = raf.scatter_add %[[C2]], %[[C]], %[[DY]] axis = 0
// CHECK: return %[[GATHER]], %[[SCATTER_ADD]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<2x8xf32> {raf.name = "y"}) {
  %i = raf.constant dense<[0, 3]> : tensor<2xi64>
  %y = raf.gather %x, %i axis = 0 : tensor<4x8xf32>, tensor<2xi64> -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

// -----

// scatter_add: an update outside was dropped, so it has no gradient.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<2x3xi64>
// CHECK-SAME: %[[U:[a-z0-9]+]]: tensor<2x3x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[SCATTER_ADD:.*]] = raf.scatter_add %[[X]], %[[I]], %[[U]] axis = 0
// CHECK-DAG: %[[GATHER:.*]] = raf.gather %[[DY]], %[[I]] axis = 0
// CHECK-DAG: %[[C:.*]] = raf.constant dense<4> : tensor<2x3xi64>
// CHECK-DAG: %[[COMPARE:.*]] = raf.compare lt %[[I]], %[[C]]
// CHECK-DAG: %[[C2:.*]] = raf.constant dense<0> : tensor<2x3xi64>
// CHECK-DAG: %[[COMPARE2:.*]] = raf.compare ge %[[I]], %[[C2]]
// CHECK-DAG: %[[AND:.*]] = raf.and %[[COMPARE2]], %[[COMPARE]]
// CHECK-DAG: %[[C3:.*]] = raf.constant dense<0.000000e+00> : tensor<2x3x8xf32>
// CHECK-DAG: %[[B:.*]] = raf.broadcast %[[AND]] dims = [0, 1] : {{.*}} to tensor<2x3x8xi1>
// CHECK-DAG: %[[SELECT:.*]] = raf.select %[[B]], %[[GATHER]], %[[C3]]
// CHECK: return %[[SCATTER_ADD]], %[[DY]], %[[SELECT]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}, %i: tensor<2x3xi64> {raf.role = "input", raf.name = "i"}, %u: tensor<2x3x8xf32> {raf.role = "param", raf.name = "u"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.scatter_add %x, %i, %u axis = 0 : tensor<4x8xf32>, tensor<2x3xi64>, tensor<2x3x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// take_along_axis
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<4x3xi64>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x3xf32>
// CHECK-DAG: %[[TAKE_ALONG_AXIS:.*]] = raf.take_along_axis %[[X]], %[[I]] axis = 1
// CHECK-DAG: %[[C:.*]] = raf.constant dense<7> : tensor<4x3xi64>
// CHECK-DAG: %[[C2:.*]] = raf.constant dense<0> : tensor<4x3xi64>
// CHECK-DAG: %[[MAXIMUM:.*]] = raf.maximum %[[I]], %[[C2]]
// CHECK-DAG: %[[MINIMUM:.*]] = raf.minimum %[[MAXIMUM]], %[[C]]
// CHECK-DAG: %[[C3:.*]] = raf.constant dense<0.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[ADD_ALONG_AXIS:.*]] = raf.add_along_axis %[[C3]], %[[MINIMUM]], %[[DY]] axis = 1
// CHECK: return %[[TAKE_ALONG_AXIS]], %[[ADD_ALONG_AXIS]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}, %i: tensor<4x3xi64> {raf.role = "input", raf.name = "i"}) -> (tensor<4x3xf32> {raf.name = "y"}) {
  %y = raf.take_along_axis %x, %i axis = 1 : tensor<4x8xf32>, tensor<4x3xi64> -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// -----

// add_along_axis
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<4x3xi64>
// CHECK-SAME: %[[U:[a-z0-9]+]]: tensor<4x3xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[ADD_ALONG_AXIS:.*]] = raf.add_along_axis %[[X]], %[[I]], %[[U]] axis = 1
// CHECK-DAG: %[[TAKE_ALONG_AXIS:.*]] = raf.take_along_axis %[[DY]], %[[I]] axis = 1
// CHECK-DAG: %[[C:.*]] = raf.constant dense<8> : tensor<4x3xi64>
// CHECK-DAG: %[[COMPARE:.*]] = raf.compare lt %[[I]], %[[C]]
// CHECK-DAG: %[[C2:.*]] = raf.constant dense<0> : tensor<4x3xi64>
// CHECK-DAG: %[[COMPARE2:.*]] = raf.compare ge %[[I]], %[[C2]]
// CHECK-DAG: %[[AND:.*]] = raf.and %[[COMPARE2]], %[[COMPARE]]
// CHECK-DAG: %[[C3:.*]] = raf.constant dense<0.000000e+00> : tensor<4x3xf32>
// CHECK-DAG: %[[SELECT:.*]] = raf.select %[[AND]], %[[TAKE_ALONG_AXIS]], %[[C3]]
// CHECK: return %[[ADD_ALONG_AXIS]], %[[DY]], %[[SELECT]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}, %i: tensor<4x3xi64> {raf.role = "input", raf.name = "i"}, %u: tensor<4x3xf32> {raf.role = "param", raf.name = "u"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.add_along_axis %x, %i, %u axis = 1 : tensor<4x8xf32>, tensor<4x3xi64>, tensor<4x3xf32>
  return %y : tensor<4x8xf32>
}
