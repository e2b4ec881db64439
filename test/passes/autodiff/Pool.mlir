// RUN: raf-opt %s --split-input-file --raf-autodiff=of=y --cse | FileCheck %s

// max_pool
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4x8x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x4x4x4xf32>
// CHECK-DAG: %[[Y:.*]], %[[INDICES:.*]] = raf.max_pool %[[X]] kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1]
// CHECK-DAG: %[[MAX_POOL_GRAD:.*]] = raf.max_pool_grad %[[DY]], %[[INDICES]] kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1]
// CHECK: return %[[Y]], %[[MAX_POOL_GRAD]]
func.func @main(%x: tensor<2x4x8x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<2x4x4x4xf32> {raf.name = "y"}) {
  %y, %i = raf.max_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x4x8x8xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi32>)
  return %y : tensor<2x4x4x4xf32>
}

// -----

// max_pool_grad
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[D:[a-z0-9]+]]: tensor<2x4x4x4xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<2x4x4x4xi32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x4x8x8xf32>
// CHECK-DAG: %[[MAX_POOL_GRAD:.*]] = raf.max_pool_grad %[[D]], %[[I]] kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1]
// CHECK-DAG: %[[RESHAPE:.*]] = raf.reshape %[[I]] : {{.*}} to tensor<2x4x16xi32>
// CHECK-DAG: %[[RESHAPE2:.*]] = raf.reshape %[[DY]] : {{.*}} to tensor<2x4x64xf32>
// CHECK-DAG: %[[TAKE_ALONG_AXIS:.*]] = raf.take_along_axis %[[RESHAPE2]], %[[RESHAPE]] axis = 2
// CHECK-DAG: %[[RESHAPE3:.*]] = raf.reshape %[[TAKE_ALONG_AXIS]] : {{.*}} to tensor<2x4x4x4xf32>
// CHECK: return %[[MAX_POOL_GRAD]], %[[RESHAPE3]]
func.func @main(%d: tensor<2x4x4x4xf32> {raf.role = "param", raf.name = "d"}, %i: tensor<2x4x4x4xi32> {raf.role = "input", raf.name = "i"}) -> (tensor<2x4x8x8xf32> {raf.name = "y"}) {
  %y = raf.max_pool_grad %d, %i kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi32>) -> (tensor<2x4x8x8xf32>)
  return %y : tensor<2x4x8x8xf32>
}

// -----

// max_pool_grad_last
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[D:[a-z0-9]+]]: tensor<2x4x4x3xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<2x4x4x3xi32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x8x8x3xf32>
// CHECK-DAG: %[[MAX_POOL_GRAD:.*]] = raf.max_pool_grad %[[D]], %[[I]] kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] layout = channels_last
// CHECK-DAG: %[[RESHAPE:.*]] = raf.reshape %[[I]] : {{.*}} to tensor<2x16x3xi32>
// CHECK-DAG: %[[RESHAPE2:.*]] = raf.reshape %[[DY]] : {{.*}} to tensor<2x64x3xf32>
// CHECK-DAG: %[[TAKE_ALONG_AXIS:.*]] = raf.take_along_axis %[[RESHAPE2]], %[[RESHAPE]] axis = 1
// CHECK-DAG: %[[RESHAPE3:.*]] = raf.reshape %[[TAKE_ALONG_AXIS]] : {{.*}} to tensor<2x4x4x3xf32>
// CHECK: return %[[MAX_POOL_GRAD]], %[[RESHAPE3]]
func.func @main(%d: tensor<2x4x4x3xf32> {raf.role = "param", raf.name = "d"}, %i: tensor<2x4x4x3xi32> {raf.role = "input", raf.name = "i"}) -> (tensor<2x8x8x3xf32> {raf.name = "y"}) {
  %y = raf.max_pool_grad %d, %i kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] layout = channels_last : (tensor<2x4x4x3xf32>, tensor<2x4x4x3xi32>) -> (tensor<2x8x8x3xf32>)
  return %y : tensor<2x8x8x3xf32>
}

// -----

// avg_pool
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4x8x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x4x4x4xf32>
// CHECK-DAG: %[[AVG_POOL:.*]] = raf.avg_pool %[[X]] count_include_pad kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1]
// CHECK-DAG: %[[AVG_POOL_GRAD:.*]] = raf.avg_pool_grad %[[DY]] count_include_pad kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1]
// CHECK: return %[[AVG_POOL]], %[[AVG_POOL_GRAD]]
func.func @main(%x: tensor<2x4x8x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<2x4x4x4xf32> {raf.name = "y"}) {
  %y = raf.avg_pool %x count_include_pad kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x4x8x8xf32>) -> (tensor<2x4x4x4xf32>)
  return %y : tensor<2x4x4x4xf32>
}

// -----

// avg_pool_grad
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[D:[a-z0-9]+]]: tensor<2x4x4x4xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x4x8x8xf32>
// CHECK-DAG: %[[AVG_POOL_GRAD:.*]] = raf.avg_pool_grad %[[D]] kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1]
// CHECK-DAG: %[[AVG_POOL:.*]] = raf.avg_pool %[[DY]] kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1]
// CHECK: return %[[AVG_POOL_GRAD]], %[[AVG_POOL]]
func.func @main(%d: tensor<2x4x4x4xf32> {raf.role = "param", raf.name = "d"}) -> (tensor<2x4x8x8xf32> {raf.name = "y"}) {
  %y = raf.avg_pool_grad %d kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x4x4x4xf32>) -> (tensor<2x4x8x8xf32>)
  return %y : tensor<2x4x8x8xf32>
}
