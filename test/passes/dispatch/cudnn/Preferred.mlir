// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s "-raf-dispatch=libraries=cudnn prefer=cudnn" | FileCheck %s
// RUN: raf-opt %s "-raf-dispatch=libraries=cudnn prefer=cudnn" -remarks-filter-missed=raf-dispatch -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: raf-opt %s "-raf-dispatch=libraries=cudnn" | FileCheck %s --check-prefix=DEFAULT
// RUN: raf-opt %s "-raf-dispatch=libraries=cudnn prefer=cudnn chip=sm_100" -remarks-filter-missed=raf-dispatch 2>&1 | FileCheck %s --check-prefix=CHIP -DCHIP=sm_100
// RUN: raf-opt %s "-raf-dispatch=libraries=cudnn prefer=cudnn chip=sm_90a" -remarks-filter-missed=raf-dispatch 2>&1 | FileCheck %s --check-prefix=CHIP -DCHIP=sm_90a

// Listed alone, the library has convolutions only.
// DEFAULT-NOT: cudnn.

// Without a chip it is the stand-in of the simulated GPU, which has the gradient of attention.
// CHIP: raf.attention_grad {{.*}}Function=cudnn | Reason="no engine of cuDNN for the gradient of attention has been seen on [[CHIP]]"
// CHIP-NOT: cudnn.attention_grad
// CHIP: cudnn.attention ins
// CHIP-NOT: cudnn.attention_grad

// CHECK-LABEL: func @norm
// CHECK: %[[Y:.*]]:4 = cudnn.batch_norm ins(%arg0, %arg1, %arg2 : tensor<4x6x6x8xbf16>, tensor<8xf32>, tensor<8xf32>) {{.*}} epsilon = 1.000000e-03 layout = channels_last
// The library's mean goes into the running one as it is, the variance by way of rstd.
// CHECK: raf.mul %[[Y]]#1
// CHECK: raf.mul %[[Y]]#2, %[[Y]]#2
// CHECK: raf.div
// CHECK: %[[V:.*]] = raf.sub
// CHECK: raf.maximum %[[V]], %cst
// CHECK: cudnn.batch_norm_grad ins(%arg0, %arg5, %arg1, %[[Y]]#1, %[[Y]]#2 : {{.*}} layout = channels_last
func.func @norm(%x: tensor<4x6x6x8xbf16>, %s: tensor<8xf32>, %b: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %dy: tensor<4x6x6x8xbf16>)
    -> (tensor<4x6x6x8xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<4x6x6x8xbf16>) {
  %y, %rm, %rv, %mean, %rstd = raf.batch_norm %x, %s, %b, %m, %v axis = 3 epsilon = 1.0e-3 momentum = 0.9
    : (tensor<4x6x6x8xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x6x6x8xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  %dx, %ds, %db = raf.batch_norm_grad %dy, %x, %s, %mean, %rstd axis = 3
    : (tensor<4x6x6x8xbf16>, tensor<4x6x6x8xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x6x6x8xbf16>, tensor<8xf32>, tensor<8xf32>)
  return %y, %rm, %rv, %dx : tensor<4x6x6x8xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<4x6x6x8xbf16>
}

// CHECK-LABEL: func @pools
// CHECK: %[[Y:.*]]:3 = cudnn.max_pool ins(%arg0 : tensor<2x8x8x4xbf16>) outs({{.*}}) indices(%{{.*}} : tensor<128xi8>) workspace({{.*}}) kernel = [2, 2]
// CHECK: cudnn.max_pool_grad ins(%{{.*}}, %[[Y]]#1 : tensor<2x4x4x4xbf16>, tensor<128xi8>)
// CHECK: cudnn.avg_pool {{.*}}{count_include_pad}
// CHECK: cudnn.avg_pool_grad
func.func @pools(%x: tensor<2x8x8x4xbf16>) -> (tensor<2x8x8x4xbf16>, tensor<2x8x8x4xbf16>) {
  %y, %i = raf.max_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] layout = channels_last : (tensor<2x8x8x4xbf16>) -> (tensor<2x4x4x4xbf16>, tensor<2x4x4x4xi32>)
  %dx = raf.max_pool_grad %y, %i kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] layout = channels_last : (tensor<2x4x4x4xbf16>, tensor<2x4x4x4xi32>) -> (tensor<2x8x8x4xbf16>)
  %a = raf.avg_pool %x count_include_pad kernel = [3, 3] strides = [2, 2] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last : (tensor<2x8x8x4xbf16>) -> (tensor<2x4x4x4xbf16>)
  %da = raf.avg_pool_grad %a count_include_pad kernel = [3, 3] strides = [2, 2] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last : (tensor<2x4x4x4xbf16>) -> (tensor<2x8x8x4xbf16>)
  return %dx, %da : tensor<2x8x8x4xbf16>, tensor<2x8x8x4xbf16>
}

// Of f32 the library has what needs no gradient.
// REMARK: raf.max_pool {{.*}}Function=cudnn | Reason="cuDNN numbers maxima of bf16 and f16, got f32"
// REMARK: raf.avg_pool_grad {{.*}}Function=cudnn | Reason="cuDNN has gradients of pools in bf16 and f16, got f32"
// CHECK-LABEL: func @pools_of_floats
// CHECK: raf.max_pool
// CHECK: raf.max_pool_grad
// CHECK: cudnn.max_pool
// CHECK: cudnn.avg_pool {{.*}}{count_include_pad}
// CHECK: raf.avg_pool_grad
func.func @pools_of_floats(%x: tensor<2x8x8x4xf32>) -> (tensor<2x8x8x4xf32>, tensor<2x4x4x4xf32>, tensor<2x8x8x4xf32>) {
  %y, %i = raf.max_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] layout = channels_last : (tensor<2x8x8x4xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi32>)
  %dx = raf.max_pool_grad %y, %i kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] layout = channels_last : (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi32>) -> (tensor<2x8x8x4xf32>)
  %z, %j = raf.max_pool %x kernel = [3, 3] strides = [2, 2] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last : (tensor<2x8x8x4xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi32>)
  %a = raf.avg_pool %x count_include_pad kernel = [3, 3] strides = [2, 2] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last : (tensor<2x8x8x4xf32>) -> (tensor<2x4x4x4xf32>)
  %da = raf.avg_pool_grad %a count_include_pad kernel = [3, 3] strides = [2, 2] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last : (tensor<2x4x4x4xf32>) -> (tensor<2x8x8x4xf32>)
  return %dx, %z, %da : tensor<2x8x8x4xf32>, tensor<2x4x4x4xf32>, tensor<2x8x8x4xf32>
}

// REMARK: raf.batch_norm {{.*}}Function=cudnn | Reason="cuDNN normalizes activations with channels last"
// REMARK: raf.batch_norm {{.*}}Function=cudnn | Reason="cuDNN normalizes channels that fill vectors of 16 bytes, got 24 bytes"
// CHECK-LABEL: func @norms_without_engines
// CHECK: raf.batch_norm
// CHECK: raf.batch_norm
func.func @norms_without_engines(%x: tensor<4x8x6x6xf32>, %f: tensor<8xf32>, %z: tensor<4x6x6x12xbf16>, %g: tensor<12xf32>) -> (tensor<4x8x6x6xf32>, tensor<4x6x6x12xbf16>) {
  %y, %rm, %rv, %mean, %rstd = raf.batch_norm %x, %f, %f, %f, %f axis = 1 epsilon = 1.0e-3 momentum = 0.9
    : (tensor<4x8x6x6xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8x6x6xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  %w, %sm, %sv, %m, %r = raf.batch_norm %z, %g, %g, %g, %g axis = 3 epsilon = 1.0e-3 momentum = 0.9
    : (tensor<4x6x6x12xbf16>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>) -> (tensor<4x6x6x12xbf16>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>)
  return %y, %w : tensor<4x8x6x6xf32>, tensor<4x6x6x12xbf16>
}

// REMARK: raf.avg_pool {{.*}}Function=cudnn | Reason="cuDNN pools with channels last; with channels first
// CHECK-LABEL: func @channels_first
// CHECK: raf.avg_pool
func.func @channels_first(%x: tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32> {
  %y = raf.avg_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x4x8x8xf32>) -> (tensor<2x4x4x4xf32>)
  return %y : tensor<2x4x4x4xf32>
}

// The gradient is the library's where delta is its own: the sum of dy y.
// CHECK-LABEL: func @attention
// CHECK: %[[Y:.*]]:3 = cudnn.attention ins(%arg0, %arg0, %arg1 : {{.*}} scale = 2.500000e-01
// CHECK: cudnn.attention_grad ins(%arg0, %arg0, %arg1, %[[Y]]#0, %[[Y]]#1, %arg2 :
// CHECK: raf.attention_grad
func.func @attention(%q: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x32xbf16>, %dy: tensor<2x4x8x32xbf16>, %other: tensor<2x4x8xf32>) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>) {
  %y, %lse = raf.attention %q, %q, %v scale = 0.25 : (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x32xbf16>) -> (tensor<2x4x8x32xbf16>, tensor<2x4x8xf32>)
  %0 = raf.cast %y : tensor<2x4x8x32xbf16> to tensor<2x4x8x32xf32>
  %1 = raf.cast %dy : tensor<2x4x8x32xbf16> to tensor<2x4x8x32xf32>
  %2 = raf.mul %0, %1 : tensor<2x4x8x32xf32>
  %delta = raf.reduce sum %2 dims = [3] : tensor<2x4x8x32xf32> -> tensor<2x4x8xf32>
  %dq, %dk, %dv = raf.attention_grad %q, %q, %v, %dy, %lse, %delta scale = 0.25
    : (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x32xbf16>, tensor<2x4x8x32xbf16>, tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x32xbf16>)
  %eq, %ek, %ev = raf.attention_grad %q, %q, %v, %dy, %lse, %other scale = 0.25
    : (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x32xbf16>, tensor<2x4x8x32xbf16>, tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x32xbf16>)
  return %dq, %ek : tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>
}

// Mixed precision multiplies in 16 bits.
// CHECK-LABEL: func @attention_of_mixed_precision
// CHECK: cudnn.attention_grad
func.func @attention_of_mixed_precision(%q: tensor<2x4x8x16xbf16>, %dy: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %y, %lse = raf.attention %q, %q, %q scale = 0.25 : (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>)
  %0 = raf.mul %dy, %y : tensor<2x4x8x16xbf16>
  %1 = raf.cast %0 : tensor<2x4x8x16xbf16> to tensor<2x4x8x16xf32>
  %delta = raf.reduce sum %1 dims = [3] : tensor<2x4x8x16xf32> -> tensor<2x4x8xf32>
  %dq, %dk, %dv = raf.attention_grad %q, %q, %q, %dy, %lse, %delta scale = 0.25
    : (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>)
  return %dk : tensor<2x4x8x16xbf16>
}

// CHECK-LABEL: func @masked
// CHECK: %[[Y:.*]]:3 = cudnn.attention ins({{.*}}) bias(%arg1 : tensor<1x1x8x8xbf16>) outs({{.*}}) workspace({{.*}}) scale = 2.500000e-01 causal
// CHECK: cudnn.attention_grad ins(%arg0, %arg0, %arg0, %[[Y]]#0, %[[Y]]#1, %arg2 : {{.*}}) bias(%arg1 : tensor<1x1x8x8xbf16>) {{.*}} causal
func.func @masked(%q: tensor<2x4x8x16xbf16>, %b: tensor<1x1x8x8xbf16>, %dy: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %y, %lse = raf.attention %q, %q, %q bias %b scale = 0.25 causal : (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<1x1x8x8xbf16>) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>)
  %0 = raf.mul %dy, %y : tensor<2x4x8x16xbf16>
  %1 = raf.cast %0 : tensor<2x4x8x16xbf16> to tensor<2x4x8x16xf32>
  %delta = raf.reduce sum %1 dims = [3] : tensor<2x4x8x16xf32> -> tensor<2x4x8xf32>
  %dq, %dk, %dv = raf.attention_grad %q, %q, %q, %dy, %lse, %delta bias %b scale = 0.25 causal
    : (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<1x1x8x8xbf16>)
    -> (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>)
  return %dk : tensor<2x4x8x16xbf16>
}

// A mask of keys is a row that all queries share: the library adds one to each.
// CHECK-LABEL: func @mask_of_keys
// CHECK: %[[ROWS:.*]] = raf.broadcast %arg1 dims = [0, 1, 2, 3] : tensor<2x1x1x8xbf16> to tensor<2x1x8x8xbf16>
// CHECK: cudnn.attention ins({{.*}}) bias(%[[ROWS]] : tensor<2x1x8x8xbf16>)
// CHECK: cudnn.attention_grad ins({{.*}}) bias(%[[ROWS]] : tensor<2x1x8x8xbf16>)
func.func @mask_of_keys(%q: tensor<2x4x8x16xbf16>, %b: tensor<2x1x1x8xbf16>, %dy: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %y, %lse = raf.attention %q, %q, %q bias %b scale = 0.25 : (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x1x1x8xbf16>) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>)
  %0 = raf.mul %dy, %y : tensor<2x4x8x16xbf16>
  %1 = raf.cast %0 : tensor<2x4x8x16xbf16> to tensor<2x4x8x16xf32>
  %delta = raf.reduce sum %1 dims = [3] : tensor<2x4x8x16xf32> -> tensor<2x4x8xf32>
  %dq, %dk, %dv = raf.attention_grad %q, %q, %q, %dy, %lse, %delta bias %b scale = 0.25
    : (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x1x1x8xbf16>)
    -> (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>)
  return %dk : tensor<2x4x8x16xbf16>
}

// REMARK: raf.attention_grad {{.*}}Function=cudnn | Reason="the gradient of a bias of scores is left to generated code"
// CHECK-LABEL: func @learned_bias
// CHECK: raf.attention_grad
func.func @learned_bias(%q: tensor<2x4x8x16xbf16>, %b: tensor<1x4x8x8xbf16>, %l: tensor<2x4x8xf32>) -> tensor<1x4x8x8xbf16> {
  %dq, %dk, %dv, %db = raf.attention_grad %q, %q, %q, %q, %l, %l bias %b scale = 0.25 bias_grad
    : (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<1x4x8x8xbf16>)
    -> (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<1x4x8x8xbf16>)
  return %db : tensor<1x4x8x8xbf16>
}

// REMARK: raf.attention {{.*}}Function=cudnn | Reason="the library would draw other numbers for dropout than raf.dropout
// CHECK-LABEL: func @dropout
// CHECK: raf.attention
func.func @dropout(%q: tensor<2x4x8x16xbf16>, %seed: tensor<i64>, %step: tensor<i64>) -> tensor<2x4x8x16xbf16> {
  %y, %lse = raf.attention %q, %q, %q dropout(%seed, %step) ratio = 0.1 op_id = 3 scale = 0.25
    : (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<i64>, tensor<i64>) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>)
  return %y : tensor<2x4x8x16xbf16>
}

// REMARK: raf.attention {{.*}}Function=cudnn | Reason="causal attention of cuDNN is for as many keys as queries or more, got 4 and 8"
// CHECK-LABEL: func @few_keys
// CHECK: raf.attention
func.func @few_keys(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x4x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %y, %lse = raf.attention %q, %k, %k scale = 0.25 causal : (tensor<2x4x8x16xbf16>, tensor<2x4x4x16xbf16>, tensor<2x4x4x16xbf16>) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>)
  return %y : tensor<2x4x8x16xbf16>
}

// f32 has no attention.
// REMARK: raf.attention {{.*}}Function=cudnn | Reason="attention of cuDNN is for one of bf16 and f16, got f32"

// CHECK-LABEL: func @exact
// CHECK: raf.attention
func.func @exact(%q: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %y, %lse = raf.attention %q, %q, %q scale = 0.25 : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return %y : tensor<2x4x8x16xf32>
}
