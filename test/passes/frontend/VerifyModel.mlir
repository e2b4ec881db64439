// RUN: raf-opt %s --split-input-file --verify-diagnostics --raf-verify-model

func.func @main(%x: tensor<2x3xf32> {raf.role = "input", raf.name = "x"}, %w: tensor<3xf32> {raf.role = "param", raf.name = "w", raf.frozen}, %m: tensor<3xf32> {raf.role = "buffer", raf.name = "m"},
                %seed: tensor<i64> {raf.role = "seed", raf.name = "seed"}, %step: tensor<i64> {raf.role = "step", raf.name = "step"})
    -> (tensor<2x3xf32> {raf.name = "y"}, tensor<3xf32> {raf.name = "new:m", raf.alias = 2 : i64}) {
  return %x, %m : tensor<2x3xf32>, tensor<3xf32>
}

// -----

// Outputs for which inputs are donated stand anywhere.
func.func @main(%x: tensor<2x3xf32> {raf.role = "input", raf.name = "x"}) -> (tensor<2x3xf32> {raf.name = "new", raf.alias = 0 : i64}, tensor<2x3xf32> {raf.name = "y"}) {
  return %x, %x : tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// Everything that is wrong is reported at once.
// expected-error@+4 {{result 1 has no raf.name}}
// expected-error@+3 {{result 2 ('y') has the name 'y' of another}}
// expected-error@+2 {{result 2 ('y') must be a tensor of static shape, got 'tensor<2x?xf32>'}}
// expected-error@+1 {{result 2 ('y'): raf.alias must be the index of a buffer or of a donated input, got 9 : i64}}
func.func @main(
    // expected-error@+1 {{argument 0 ('x') must be a tensor of static shape, got 'tensor<2x?xf32>'}}
    %x: tensor<2x?xf32> {raf.role = "input", raf.name = "x"},
    // expected-error@+1 {{argument 1 ('x') has the name 'x' of another}}
    %w: tensor<3xf32> {raf.role = "param", raf.name = "x"},
    // expected-error@+2 {{argument 2 has no raf.name}}
    // expected-error@+1 {{argument 2 must have a raf.role of input, target, param, buffer, seed or step, got none}}
    %a: tensor<3xf32>,
    // expected-error@+2 {{argument 3 ('m') must have a raf.role of input, target, param, buffer, seed or step, got state}}
    // expected-error@+1 {{argument 3 ('m') is frozen but no param}}
    %m: tensor<3xf32> {raf.role = "state", raf.name = "m", raf.frozen},
    // expected-error@+1 {{argument 4 ('seed') of role seed must be 'tensor<i64>', got 'tensor<i32>'}}
    %s: tensor<i32> {raf.role = "seed", raf.name = "seed"},
    // expected-error@+1 {{argument 5 ('seed2') is a second seed}}
    %t: tensor<i64> {raf.role = "seed", raf.name = "seed2"})
    -> (tensor<3xf32> {raf.name = "y"}, tensor<3xf32>, tensor<2x?xf32> {raf.name = "y", raf.alias = 9 : i64}) {
  return %w, %w, %x : tensor<3xf32>, tensor<3xf32>, tensor<2x?xf32>
}

// -----

// expected-error@+4 {{result 1 ('b') overwrites an argument that another result overwrites}}
// expected-error@+3 {{result 1 ('b') must have the type of the buffer that it overwrites, expected 'tensor<3xf32>', got 'tensor<4xf32>'}}
// expected-error@+2 {{result 2 ('y') is an output and must come before the updated buffers}}
// expected-error@+1 {{result 3 ('z') is an output and must come before the updated buffers}}
func.func @main(%m: tensor<3xf32> {raf.role = "buffer", raf.name = "m"}, %x: tensor<4xf32> {raf.role = "input", raf.name = "x"})
    -> (tensor<3xf32> {raf.name = "a", raf.alias = 0 : i64}, tensor<4xf32> {raf.name = "b", raf.alias = 0 : i64}, tensor<4xf32> {raf.name = "y"}, tensor<4xf32> {raf.name = "z"}) {
  return %m, %x, %x, %x : tensor<3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error@+1 {{@main has no output}}
func.func @main() {
  return
}

// -----

// expected-error@+1 {{raf-verify-model needs a function @main of one block}}
module {
}
