// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-schedule | FileCheck %s
// RUN: raf-opt %s --raf-schedule=put-off=false | FileCheck %s --check-prefix=SOON

func.func private @widest(tensor<8xf32>, tensor<512xf32>) -> tensor<512xf32> attributes {raf.kernel}
func.func private @wide(tensor<160xf32>, tensor<64xf32>) -> tensor<64xf32> attributes {raf.kernel}
func.func private @middle(tensor<8xf32>, tensor<160xf32>) -> tensor<160xf32> attributes {raf.kernel}
func.func private @sum(tensor<512xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}
func.func private @back(tensor<8xf32>, tensor<64xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}
func.func private @gradient(tensor<160xf32>, tensor<8xf32>, tensor<128xf32>) -> tensor<128xf32> attributes {raf.kernel}
func.func private @update(tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32> attributes {raf.kernel}

// The peak is at @widest whatever the order, and the sum of what is alive is least where the gradient lets go of %m at once. Put off, it runs where the second @back has let go of %a: less is
// alive beside it.
// CHECK-LABEL: func.func @main
// CHECK: raf.launch @widest
// CHECK: raf.launch @back
// CHECK: raf.launch @back
// CHECK: raf.launch @gradient
// CHECK: raf.launch @update
// SOON-LABEL: func.func @main
// SOON: raf.launch @widest
// SOON: raf.launch @back
// SOON: raf.launch @gradient
// SOON: raf.launch @update
// SOON: raf.launch @back
func.func @main(%x: tensor<8xf32>, %w: tensor<128xf32>) -> (tensor<128xf32> {raf.alias = 1 : i64}, tensor<8xf32>) {
  %e0 = tensor.empty() : tensor<512xf32>
  %e1 = tensor.empty() : tensor<8xf32>
  %e2 = tensor.empty() : tensor<64xf32>
  %e3 = tensor.empty() : tensor<160xf32>
  %e4 = tensor.empty() : tensor<8xf32>
  %e5 = tensor.empty() : tensor<128xf32>
  %e6 = tensor.empty() : tensor<8xf32>
  %p = raf.launch @widest ins(%x : tensor<8xf32>) outs(%e0 : tensor<512xf32>) -> tensor<512xf32>
  %s = raf.launch @sum ins(%p : tensor<512xf32>) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %m = raf.launch @middle ins(%s : tensor<8xf32>) outs(%e3 : tensor<160xf32>) -> tensor<160xf32>
  %a = raf.launch @wide ins(%m : tensor<160xf32>) outs(%e2 : tensor<64xf32>) -> tensor<64xf32>
  %b = raf.launch @back ins(%s, %a : tensor<8xf32>, tensor<64xf32>) outs(%e4 : tensor<8xf32>) -> tensor<8xf32>
  %g = raf.launch @gradient ins(%m, %b : tensor<160xf32>, tensor<8xf32>) outs(%e5 : tensor<128xf32>) -> tensor<128xf32>
  %new = raf.launch @update ins(%w, %g : tensor<128xf32>, tensor<128xf32>) outs(%w : tensor<128xf32>) may_alias = [0, 0] -> tensor<128xf32>
  %c = raf.launch @back ins(%b, %a : tensor<8xf32>, tensor<64xf32>) outs(%e6 : tensor<8xf32>) -> tensor<8xf32>
  return %new, %c : tensor<128xf32>, tensor<8xf32>
}
