// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --verify-diagnostics --raf-autodiff

// All ops without a rule are reported, but not those that the loss or the parameters have nothing to do with.
func.func @main(%x: tensor<4xf32> {raf.role = "input", raf.name = "x"}, %w: tensor<4xf32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  %0 = "ext.free"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{'ext.one' has no gradient rule and no decomposition, and the result 'loss' depends on a differentiated argument through it}}
  %1 = "ext.one"(%w, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = "ext.aside"(%w) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{'ext.two' has no gradient rule}}
  %3 = "ext.two"(%1) : (tensor<4xf32>) -> tensor<f32>
  return %3 : tensor<f32>
}

// -----

// A region is no way around.
func.func @main(%p: tensor<f32> {raf.role = "param", raf.name = "w"}, %c: i1 {raf.role = "input", raf.name = "c"}) -> (tensor<f32> {raf.name = "loss"}) {
  %0 = scf.if %c -> tensor<f32> {
    // expected-error@+1 {{'ext.one' has no gradient rule}}
    %1 = "ext.one"(%p) : (tensor<f32>) -> tensor<f32>
    scf.yield %1 : tensor<f32>
  } else {
    scf.yield %p : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// Recursion cannot be inlined away.
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @main(%p: tensor<f32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  // expected-error@+1 {{'func.call' has no gradient rule}}
  %0 = call @f(%p) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// expected-error@+1 {{@main has no result named 'loss' to differentiate; its results are y, ?}}
func.func @main(%w: tensor<f32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "y"}, tensor<f32>) {
  return %w, %w : tensor<f32>, tensor<f32>
}

// -----

// expected-error@+1 {{@main has no parameter to differentiate with respect to}}
func.func @main(%w: tensor<f32> {raf.role = "param", raf.name = "w", raf.frozen}) -> (tensor<f32> {raf.name = "loss"}) {
  return %w : tensor<f32>
}

// -----

// expected-error@+1 {{result 'loss' has type 'tensor<i64>' and so no derivative}}
func.func @main(%w: tensor<f32> {raf.role = "param", raf.name = "w"}, %s: tensor<i64> {raf.role = "input", raf.name = "s"}) -> (tensor<i64> {raf.name = "loss"}) {
  return %s : tensor<i64>
}

// -----

// expected-error@+1 {{@main has a result 'grad:w' already}}
func.func @main(%w: tensor<f32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}, tensor<f32> {raf.name = "grad:w"}) {
  return %w, %w : tensor<f32>, tensor<f32>
}

// -----

// expected-warning@+1 {{the gradient of 'loss' with respect to argument 'v' is zero: no op with a derivative connects them}}
func.func @main(%w: tensor<f32> {raf.role = "param", raf.name = "w"}, %v: tensor<f32> {raf.role = "param", raf.name = "v"}) -> (tensor<f32> {raf.name = "loss"}) {
  return %w : tensor<f32>
}

// -----

// expected-error@+1 {{raf-autodiff needs a function @main of one block}}
module {
}

// -----

func.func @main(%w: tensor<f32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  // expected-error @+1 {{'scf.while' runs for a number of iterations that is not known, so there is nothing to keep their values in, and the result 'loss' depends on a differentiated argument through it; a loop of constant length can be differentiated, and one with a counter that is compared with a constant or with the attribute raf.bound, the most iterations that it takes}}
  %y = scf.while (%a = %w) : (tensor<f32>) -> tensor<f32> {
    %limit = raf.constant dense<3.0> : tensor<f32>
    %p = raf.compare lt %a, %limit : tensor<f32> -> tensor<i1>
    %q = tensor.extract %p[] : tensor<i1>
    scf.condition(%q) %a : tensor<f32>
  } do {
  ^bb0(%a: tensor<f32>):
    %n = raf.exp %a : tensor<f32>
    scf.yield %n : tensor<f32>
  }
  return %y : tensor<f32>
}

// -----

// A counter that one of two conditions allows to go on is no bound.
func.func @main(%w: tensor<f32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  %start = raf.constant dense<2> : tensor<i32>
  // expected-error @+1 {{'scf.while' runs for a number of iterations that is not known}}
  %i, %y = scf.while (%k = %start, %a = %w) : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>) {
    %0 = raf.compare lt %a, %w : tensor<f32> -> tensor<i1>
    %1 = raf.compare le %k, %start : tensor<i32> -> tensor<i1>
    %p = raf.or %0, %1 : tensor<i1>
    %q = tensor.extract %p[] : tensor<i1>
    scf.condition(%q) %k, %a : tensor<i32>, tensor<f32>
  } do {
  ^bb0(%k: tensor<i32>, %a: tensor<f32>):
    %n = raf.mul %a, %a : tensor<f32>
    %m = raf.add %k, %start : tensor<i32>
    scf.yield %m, %n : tensor<i32>, tensor<f32>
  }
  return %y : tensor<f32>
}

// -----

// expected-error @+1 {{result 'loss' has type 'tensor<?xf32>' and so no derivative}}
func.func @main(%w: tensor<4xf32> {raf.role = "param", raf.name = "w"}, %x: tensor<?xf32>) -> (tensor<?xf32> {raf.name = "loss"}) {
  return %x : tensor<?xf32>
}

// -----

func.func private @f(%x: tensor<f32>) -> tensor<f32> attributes {raf.vjp = @missing} {
  return %x : tensor<f32>
}
func.func @main(%p: tensor<f32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  // expected-error@+1 {{has raf.vjp = @missing on its callee, and there is no such function}}
  %0 = call @f(%p) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func private @f(%x: tensor<f32>) -> tensor<f32> attributes {raf.vjp = @g} {
  return %x : tensor<f32>
}
func.func private @g(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @main(%p: tensor<f32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  // expected-error@+1 {{needs its gradient @g to have type '(tensor<f32>, tensor<f32>) -> tensor<f32>' (arguments, then cotangents of the results; cotangents of the arguments), got '(tensor<f32>) -> tensor<f32>'}}
  %0 = call @f(%p) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
