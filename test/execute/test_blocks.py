# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention and the loss of many classes by blocks: the numbers of the ops as they are written out, in less memory."""

import numpy as np
import pytest
import raf
import raf.examples
from execute.harness import DTYPES, TARGET, Program, close, type_of

RNG = np.random.default_rng(11)


def linear_loss(x, w, labels, bias=None, transposed=False, smoothing=0.0):
    """@main: cross entropy of a product, as importers and raf-attach-loss make it."""
    element = type_of(x)[:-1].split("x")[-1]
    logits = f"tensor<{len(x)}x{w.shape[0 if transposed else 1]}x{element}>"
    arguments = {"x": x, "w": w, **({} if bias is None else {"bias": bias})}
    signature = ", ".join(f'%{n}: {type_of(a)} {{raf.name = "{n}", raf.role = "param"}}' for n, a in arguments.items())
    body = f"  %0 = raf.matmul %x, %w {'transpose_rhs ' * transposed}: {type_of(x)}, {type_of(w)} -> {logits}\n"
    if bias is not None:
        body += f"  %1 = raf.broadcast %bias dims = [1] : {type_of(bias)} to {logits}\n  %2 = raf.add %0, %1 : {logits}\n"
    product = "%0" if bias is None else "%2"
    wide = logits.replace(element, "f32") if element in ("bf16", "f16") else logits
    if wide != logits:
        body += f"  %3 = raf.cast {product} : {logits} to {wide}\n"
        product = "%3"
    kind = wide[:-1].split("x")[-1]
    body += f"  %loss, %lse = raf.cross_entropy {product}, %labels ignore_index = -100 label_smoothing = {smoothing} : {wide}, {type_of(labels)} -> tensor<{kind}>, tensor<{len(x)}x{kind}>\n"
    asm = f'func.func @main({signature}, %labels: {type_of(labels)} {{raf.name = "labels", raf.role = "target"}}) -> (tensor<{kind}> {{raf.name = "loss"}}) {{\n{body}  return %loss : tensor<{kind}>\n}}'
    return asm, {**arguments, "labels": labels}


@pytest.mark.parametrize("libraries", [[], ["dnnl"]], ids=["codegen", "dnnl"])
@pytest.mark.parametrize("dtype, rows, classes, bias, transposed, smoothing", [
    ("f64", 700, 2000, True, True, 0.1),
    ("f32", 1000, 5000, False, False, 0.0),  # 399 rows a block: the last is shorter
    ("f32", 800, 5000, True, True, 0.0),
    ("bf16", 900, 5000, False, True, 0.0),
] if TARGET == "cpu" else [("f64", 270, 4000, True, True, 0.1), ("bf16", 430, 5000, False, True, 0.0)])  # just more than a block, of 8 MiB of numbers
def test_linear_loss(dtype, rows, classes, bias, transposed, smoothing, libraries):
    element = DTYPES[dtype]
    x, w = RNG.standard_normal((rows, 12)).astype(element), RNG.standard_normal((classes, 12) if transposed else (12, classes)).astype(element)
    labels = RNG.integers(0, classes, rows)
    labels[::7] = -100
    asm, given = linear_loss(x, w, labels, RNG.standard_normal(classes).astype(element) if bias else None, transposed, smoothing)
    whole, blocks = Program(asm, ["raf-autodiff"], libraries=libraries), Program(asm, ["raf-fuse-loss", "raf-autodiff"], libraries=libraries)
    expected, actual = whole(given), blocks(given)
    tolerance = {"f64": 1e-12, "f32": 2e-5, "bf16": 0.02}[dtype]
    for name, value in expected.items():
        close(actual[name].astype(np.float64) / np.abs(value.astype(np.float64)).max(), value.astype(np.float64) / np.abs(value.astype(np.float64)).max(), tolerance, name)


def test_transformer_by_blocks():
    """A step whose attention and loss run by blocks learns, in less memory than its logits and their gradient take."""
    batch, time, vocabulary = (6, 256, 4096) if TARGET == "cpu" else (3, 128, 8192)
    proto = raf.examples.gpt(layers=1, width=32, heads=4, hidden=32, vocabulary=vocabulary, time=time)
    tokens = RNG.integers(0, vocabulary, (batch, time))
    labels = RNG.integers(0, vocabulary, batch * time)
    made = raf.compile(raf.import_onnx(proto), loss="cross_entropy", optimizer=raf.optim.SGD(0.1), cache=False)
    losses = [made.step(tokens, labels) for _ in range(3 if TARGET == "cpu" else 2)]
    (program,) = (p for (training, *_), p in made._programs.items() if training)
    raw = program.manifest.raw
    logits = batch * time * vocabulary * 4
    # All logits and their gradient would be more than that; a product of cuBLASLt has a workspace of up to 32 MiB besides.
    assert raw["memory"]["arena_bytes" if TARGET == "cpu" else "activations"] < 2 * logits
    assert losses[0] == pytest.approx(np.log(vocabulary), rel=0.2) and losses[-1] < losses[0]


def test_dropout_of_attention_is_that_of_its_weights():
    """The mask is the one of raf.dropout on the weights, however the scores are cut."""
    shape = (4, 2, 150, 150)
    q = RNG.standard_normal((*shape[:3], 4)).astype(np.float32)
    x, row, weights = type_of(q), "tensor<4x2x150xf32>", "tensor<4x2x150x150xf32>"
    asm = f"""func.func @main(%q: {x} {{raf.name = "q", raf.role = "input"}}, %seed: tensor<i64> {{raf.name = "seed", raf.role = "input"}}, %step: tensor<i64> {{raf.name = "step", raf.role = "input"}})
    -> ({x} {{raf.name = "tiles"}}, {x} {{raf.name = "whole"}}) {{
  %tiles, %lse = raf.attention %q, %q, %q dropout(%seed, %step) ratio = 0.25 op_id = 9 scale = 0.5 : ({x}, {x}, {x}, tensor<i64>, tensor<i64>) -> ({x}, {row})
  %0 = raf.matmul %q, %q transpose_rhs : {x}, {x} -> {weights}
  %half = raf.constant dense<0.5> : {weights}
  %1 = raf.mul %0, %half : {weights}
  %2 = raf.softmax %1 axis = 3 : {weights}
  %3 = raf.dropout %2, %seed, %step ratio = 0.25 op_id = 9 : {weights}
  %whole = raf.matmul %3, %q : {weights}, {x} -> {x}
  return %tiles, %whole : {x}, {x}
}}"""
    results = Program(asm)({"q": q, "seed": np.array(123), "step": np.array(4)})
    close(results["tiles"], results["whole"], 1e-5)


def attention_loss(shape, causal, fused):
    """@main: the sum of attention's results times given numbers, of one op or of its formula."""
    b, h, g, t, d = shape
    x, shared, scores, row = f"tensor<{b}x{h}x{t}x{d}xf32>", f"tensor<{b}x{g}x{t}x{d}xf32>", f"tensor<{b}x{h}x{t}x{t}xf32>", f"tensor<{b}x{h}x{t}xf32>"
    mask = scores.replace("f32", "i1")
    one_op = f"%y, %lse = raf.attention %q, %k, %v dropout(%seed, %step) ratio = 0.25 op_id = 9 scale = 0.5 {'causal ' * causal}: ({x}, {shared}, {shared}, tensor<i64>, tensor<i64>) -> ({x}, {row})"
    spread = f"tensor<{b}x{g}x{h // g}x{t}x{d}xf32>"
    formula = f"""%k0 = raf.broadcast %k dims = [0, 1, 3, 4] : {shared} to {spread}
  %k1 = raf.reshape %k0 : {spread} to {x}
  %v0 = raf.broadcast %v dims = [0, 1, 3, 4] : {shared} to {spread}
  %v1 = raf.reshape %v0 : {spread} to {x}
  %0 = raf.matmul %q, %k1 transpose_rhs : {x}, {x} -> {scores}
  %half = raf.constant dense<0.5> : {scores}
  %1 = raf.mul %0, %half : {scores}
  %i = raf.iota dim = 2 : {scores.replace("f32", "i32")}
  %j = raf.iota dim = 3 : {scores.replace("f32", "i32")}
  %seen = raf.compare {"ge %i, %j" if causal else "eq %i, %i"} : {scores.replace("f32", "i32")} -> {mask}
  %none = raf.constant dense<0xFF800000> : {scores}
  %2 = raf.select %seen, %1, %none : {scores}
  %3 = raf.softmax %2 axis = 3 : {scores}
  %4 = raf.dropout %3, %seed, %step ratio = 0.25 op_id = 9 : {scores}
  %y = raf.matmul %4, %v1 : {scores}, {x} -> {x}"""
    return f"""func.func @main(%q: {x} {{raf.name = "q", raf.role = "param"}}, %k: {shared} {{raf.name = "k", raf.role = "param"}}, %v: {shared} {{raf.name = "v", raf.role = "param"}},
    %w: {x} {{raf.name = "w", raf.role = "input"}}, %seed: tensor<i64> {{raf.name = "seed", raf.role = "seed"}}, %step: tensor<i64> {{raf.name = "step", raf.role = "step"}})
    -> (tensor<f32> {{raf.name = "loss"}}) {{
  {one_op if fused else formula}
  %weighted = raf.mul %y, %w : {x}
  %loss = raf.reduce sum %weighted dims = [0, 1, 2, 3] : {x} -> tensor<f32>
  return %loss : tensor<f32>
}}"""


def attention_operands(shape):
    b, h, g, t, d = shape
    sizes = {"q": (b, h, t, d), "k": (b, g, t, d), "v": (b, g, t, d), "w": (b, h, t, d)}
    return {name: RNG.standard_normal(size).astype(np.float32) for name, size in sizes.items()} | {"seed": np.array(123), "step": np.array(4)}


@pytest.mark.parametrize("libraries", [[], ["dnnl"]], ids=["codegen", "dnnl"])
@pytest.mark.parametrize("shape, causal", [((2, 2, 2, 150, 4), False), ((4, 2, 2, 150, 4), True), ((3, 4, 2, 67, 8), True)])
def test_gradients_with_dropout_are_those_of_the_formula(shape, causal, libraries):
    """Loss and gradients under the same mask as when all weights exist at once."""
    given = attention_operands(shape)
    expected, actual = (Program(attention_loss(shape, causal, fused), ["raf-autodiff"], libraries=libraries)(given) for fused in (False, True))
    assert set(expected) == {"loss", "grad:q", "grad:k", "grad:v"}
    for name, value in expected.items():
        close(actual[name], value, 2e-5, name)


@pytest.mark.parametrize("libraries", [[], ["dnnl"]], ids=["codegen", "dnnl"])
def test_attention_has_no_matrix_of_scores(libraries):
    """Forward and backward together take less than the scores of one head, which no stack holds either, and far less than their formula."""
    shape = (1, 2, 2, 2304 if TARGET == "cpu" else 640, 8)
    program = Program(attention_loss(shape, True, True), ["raf-autodiff"], libraries=libraries)
    scores = shape[3] ** 2 * 4
    assert program.manifest["memory"]["arena_bytes"] < scores
    results = program(attention_operands(shape))
    assert all(np.isfinite(value).all() for value in results.values())


def test_rows_of_loops_are_passed_in_place():
    """A loop over blocks of rows reads and writes them where they lie; rows that no iteration writes keep their values."""
    asm = """func.func @main(%x: tensor<7x4xf32> {raf.name = "x", raf.role = "input"}, %y: tensor<8x4xf32> {raf.name = "y", raf.role = "input"}) -> (tensor<8x4xf32> {raf.name = "z"}) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %two = raf.constant dense<2> : tensor<i64>
  %zero = raf.constant dense<0> : tensor<i64>
  %z = scf.for %i = %0 to %3 step %1 iter_args(%into = %y) -> (tensor<8x4xf32>) {
    %n = arith.index_cast %i : index to i64
    %position = tensor.from_elements %n : tensor<i64>
    %start = raf.mul %position, %two : tensor<i64>
    %rows = raf.dynamic_slice %x[%start, %zero] : tensor<7x4xf32>, tensor<i64> -> tensor<2x4xf32>
    %old = raf.dynamic_slice %into[%start, %zero] : tensor<8x4xf32>, tensor<i64> -> tensor<2x4xf32>
    %sum = raf.add %rows, %old : tensor<2x4xf32>
    %next = raf.dynamic_update_slice %into, %sum[%start, %zero] : tensor<8x4xf32>, tensor<2x4xf32>, tensor<i64>
    scf.yield %next : tensor<8x4xf32>
  }
  return %z : tensor<8x4xf32>
}"""
    x, y = RNG.standard_normal((7, 4)).astype(np.float32), RNG.standard_normal((8, 4)).astype(np.float32)
    expected = y.copy()
    expected[:6] += x[:6]
    for level in (0, 2):
        np.testing.assert_allclose(Program(asm, opt_level=level)({"x": x, "y": y})["z"], expected, rtol=1e-6)


def test_loop_of_one_iteration():
    """Canonicalization takes such a loop apart and leaves its position as a constant of another dialect."""
    asm = """func.func @main(%x: tensor<4xi64> {raf.name = "x", raf.role = "input"}) -> (tensor<4xi64> {raf.name = "y"}, tensor<i64> {raf.name = "position"}) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %start = raf.constant dense<7> : tensor<i64>
  %y:2 = scf.for %i = %0 to %1 step %1 iter_args(%a = %x, %p = %start) -> (tensor<4xi64>, tensor<i64>) {
    %n = arith.index_cast %i : index to i64
    %position = tensor.from_elements %n : tensor<i64>
    %b = raf.add %a, %a : tensor<4xi64>
    scf.yield %b, %position : tensor<4xi64>, tensor<i64>
  }
  return %y#0, %y#1 : tensor<4xi64>, tensor<i64>
}"""
    results = Program(asm)({"x": np.arange(4)})
    np.testing.assert_array_equal(results["y"], 2 * np.arange(4))
    assert results["position"] == 0
