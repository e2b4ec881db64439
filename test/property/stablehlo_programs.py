# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random StableHLO programs as text: a few arguments, then ops on what there is."""

from dataclasses import dataclass

from hypothesis import strategies as st

UNARY = ["abs", "negate", "cosine", "sine", "tanh", "logistic", "floor", "ceil", "sign", "round_nearest_even", "round_nearest_afz"]
BINARY = {"f32": ["add", "subtract", "multiply", "maximum", "minimum"], "i32": ["add", "subtract", "multiply", "maximum", "minimum", "and", "or", "xor"]}
REDUCERS = ["add", "maximum", "minimum"]
INITS = {
    ("add", "f32"): "0.0", ("maximum", "f32"): "0xFF800000", ("minimum", "f32"): "0x7F800000", ("add", "i32"): "0", ("maximum", "i32"): "-2147483648",
    ("minimum", "i32"): "2147483647"}


@dataclass(frozen=True)
class Value:
    name: str
    shape: tuple
    element: str

    @property
    def type(self):
        return tensor(self.shape, self.element)


def tensor(shape, element):
    return f"tensor<{''.join(f'{d}x' for d in shape)}{element}>"


class Builder:
    def __init__(self, draw):
        self.draw = draw
        self.values, self.lines = [], []

    def pick(self, *conditions):
        found = [v for v in self.values if all(c(v) for c in conditions)]
        return self.draw(st.sampled_from(found)) if found else None

    def emit(self, text, shape, element):
        value = Value(f"%v{len(self.values)}", tuple(shape), element)
        self.lines.append(f"    {value.name} = {text}")
        self.values.append(value)
        return value

    def constant(self, text, element):
        return self.emit(f"stablehlo.constant dense<{text}> : tensor<{element}>", (), element)

    # Each adds an op, or nothing when no value fits.

    def unary(self):
        if x := self.pick(lambda v: v.element == "f32"):
            self.emit(f"stablehlo.{self.draw(st.sampled_from(UNARY))} {x.name} : {x.type}", x.shape, "f32")

    def binary(self):
        if x := self.pick(lambda v: v.element in BINARY):
            y = self.pick(lambda v: v.type == x.type)
            self.emit(f"stablehlo.{self.draw(st.sampled_from(BINARY[x.element]))} {x.name}, {y.name} : {x.type}", x.shape, x.element)

    def select(self):
        if x := self.pick(lambda v: v.element in BINARY):
            y = self.pick(lambda v: v.type == x.type)
            kind, how = self.draw(st.sampled_from(["EQ", "NE", "LT", "LE", "GT", "GE"])), "FLOAT" if x.element == "f32" else "SIGNED"
            mask = tensor(x.shape, "i1")
            p = self.emit(f"stablehlo.compare {kind}, {x.name}, {y.name}, {how} : ({x.type}, {y.type}) -> {mask}", x.shape, "i1")
            self.emit(f"stablehlo.select {p.name}, {x.name}, {y.name} : {mask}, {x.type}", x.shape, x.element)

    def convert(self):
        if x := self.pick():
            target = self.draw(st.sampled_from([e for e in ("f32", "i32") if e != x.element]))
            self.emit(f"stablehlo.convert {x.name} : ({x.type}) -> {tensor(x.shape, target)}", x.shape, target)

    def transpose(self):
        if x := self.pick(lambda v: len(v.shape) > 1):
            order = self.draw(st.permutations(range(len(x.shape))))
            shape = [x.shape[d] for d in order]
            self.emit(f"stablehlo.transpose {x.name}, dims = {list(order)} : ({x.type}) -> {tensor(shape, x.element)}", shape, x.element)

    def reshape(self):
        if x := self.pick(lambda v: v.shape):
            size = 1
            for d in x.shape:
                size *= d
            shape = self.draw(st.sampled_from([(size,), (1, size), (*x.shape, 1)]))
            self.emit(f"stablehlo.reshape {x.name} : ({x.type}) -> {tensor(shape, x.element)}", shape, x.element)

    def broadcast(self):
        if x := self.pick(lambda v: len(v.shape) < 3):
            at = self.draw(st.integers(0, len(x.shape)))
            shape = [*x.shape[:at], self.draw(st.integers(1, 3)), *x.shape[at:]]
            dims = [d for d in range(len(shape)) if d != at]
            self.emit(f"stablehlo.broadcast_in_dim {x.name}, dims = {dims} : ({x.type}) -> {tensor(shape, x.element)}", shape, x.element)

    def slice(self):
        if x := self.pick(lambda v: v.shape and min(v.shape) > 0):
            parts, shape = [], []
            for d in x.shape:
                start, step = self.draw(st.integers(0, d - 1)), self.draw(st.integers(1, 2))
                stop = self.draw(st.integers(start + 1, d))
                parts.append(f"{start}:{stop}:{step}")
                shape.append((stop - start + step - 1) // step)
            self.emit(f"stablehlo.slice {x.name} [{', '.join(parts)}] : ({x.type}) -> {tensor(shape, x.element)}", shape, x.element)

    def pad(self):
        if x := self.pick(lambda v: v.shape and min(v.shape) > 1 and v.element in BINARY):
            fill = self.constant(self.draw(st.sampled_from(["0", "2"])) + (".0" if x.element == "f32" else ""), x.element)
            low, high, inner = ([self.draw(st.integers(least, 2)) for _ in x.shape] for least in (-1, 0, 0))
            shape = [lo + d + hi + (d - 1) * n for d, lo, hi, n in zip(x.shape, low, high, inner)]
            self.emit(f"stablehlo.pad {x.name}, {fill.name}, low = {low}, high = {high}, interior = {inner} : ({x.type}, {fill.type}) -> {tensor(shape, x.element)}",
                      shape, x.element)

    def concatenate(self):
        if x := self.pick(lambda v: v.shape):
            d = self.draw(st.integers(0, len(x.shape) - 1))
            y = self.pick(lambda v: v.element == x.element and len(v.shape) == len(x.shape) and all(a == c or k == d for k, (a, c) in enumerate(zip(v.shape, x.shape))))
            shape = [a + c if k == d else a for k, (a, c) in enumerate(zip(x.shape, y.shape))]
            self.emit(f"stablehlo.concatenate {x.name}, {y.name}, dim = {d} : ({x.type}, {y.type}) -> {tensor(shape, x.element)}", shape, x.element)

    def reverse(self):
        if x := self.pick(lambda v: v.shape):
            self.emit(f"stablehlo.reverse {x.name}, dims = [{self.draw(st.integers(0, len(x.shape) - 1))}] : {x.type}", x.shape, x.element)

    def reduce(self):
        if x := self.pick(lambda v: v.shape and v.element in BINARY):
            kind = self.draw(st.sampled_from(REDUCERS))
            init = self.constant(INITS[kind, x.element], x.element)
            d = self.draw(st.integers(0, len(x.shape) - 1))
            shape = [s for k, s in enumerate(x.shape) if k != d]
            self.emit(f"stablehlo.reduce({x.name} init: {init.name}) applies stablehlo.{kind} across dimensions = [{d}] : ({x.type}, {init.type}) -> {tensor(shape, x.element)}",
                      shape, x.element)

    def dot(self):
        if x := self.pick(lambda v: v.shape and v.element == "f32"):
            d = self.draw(st.integers(0, len(x.shape) - 1))
            y = self.pick(lambda v: v.element == "f32" and x.shape[d] in v.shape)
            e = y.shape.index(x.shape[d])
            shape = [s for k, s in enumerate(x.shape) if k != d] + [s for k, s in enumerate(y.shape) if k != e]
            if len(shape) < 5:
                self.emit(f"stablehlo.dot_general {x.name}, {y.name}, contracting_dims = [{d}] x [{e}] : ({x.type}, {y.type}) -> {tensor(shape, 'f32')}", shape, "f32")

    def dynamic_slice(self):
        if x := self.pick(lambda v: v.shape and min(v.shape) > 0):
            starts = [self.pick(lambda v: v.shape == () and v.element == "i32") or self.constant(str(self.draw(st.integers(-2, 4))), "i32") for _ in x.shape]
            sizes = [self.draw(st.integers(1, d)) for d in x.shape]
            types = ", ".join([x.type, *(s.type for s in starts)])
            self.emit(f"stablehlo.dynamic_slice {x.name}, {', '.join(s.name for s in starts)}, sizes = {sizes} : ({types}) -> {tensor(sizes, x.element)}", sizes, x.element)

    def iota(self):
        self.emit("stablehlo.iota dim = 1 : tensor<2x3xf32>", (2, 3), "f32")

    def clamp(self):
        if x := self.pick(lambda v: v.element == "f32"):
            low, high = self.constant("-0.5", "f32"), self.constant("0.75", "f32")
            self.emit(f"stablehlo.clamp {low.name}, {x.name}, {high.name} : (tensor<f32>, {x.type}, tensor<f32>) -> {x.type}", x.shape, "f32")


OPS = ["unary", "binary", "select", "convert", "transpose", "reshape", "broadcast", "slice", "pad", "concatenate", "reverse", "reduce", "dot", "dynamic_slice", "iota", "clamp"]


@st.composite
def programs(draw, most=10):
    """(text, the arguments as (shape, element)): the last values are the results."""
    b = Builder(draw)
    for _ in range(draw(st.integers(1, 3))):
        shape = draw(st.lists(st.integers(1, 4), min_size=0, max_size=3))
        b.values.append(Value(f"%v{len(b.values)}", tuple(shape), draw(st.sampled_from(["f32", "f32", "i32"]))))
    arguments = list(b.values)
    for _ in range(draw(st.integers(1, most))):
        getattr(b, draw(st.sampled_from(OPS)))()
    results = b.values[-min(2, len(b.values)) :]
    head = ", ".join(f"{v.name}: {v.type}" for v in arguments)
    types = ", ".join(v.type for v in results)
    body = "\n".join([*b.lines, f"    return {', '.join(v.name for v in results)} : {types}"])
    return f"module {{\n  func.func @main({head}) -> ({types}) {{\n{body}\n  }}\n}}\n", [(v.shape, v.element) for v in arguments]
