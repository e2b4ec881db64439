# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random valid modules: a loss of some parameters through ops of every shape family, as text, for hypothesis."""

import math
from dataclasses import dataclass, field

from hypothesis import strategies as st

SIZES = (1, 3, 7, 17, 64, 1000)
#: Sizes that meet again and again, so that long graphs grow together.
FEW_SIZES = (2, 4, 5, 6)
#: Elements of a tensor at most: compiling is what costs, not running.
LIMIT = 20_000
#: Values above this go through tanh, so that no chain of products overflows.
BOUND = 30.0

SMOOTH_UNARY = {"neg": None, "tanh": 1.0, "sigmoid": 1.0, "sin": 1.0, "erf": 1.0, "silu": None, "gelu erf": None, "gelu tanh": None}
KINKED_UNARY = {"relu": None, "abs": None}


@dataclass(frozen=True)
class Value:
    name: str
    shape: tuple[int, ...]
    bound: float


@dataclass
class Graph:
    """A module in the making. `params` and `indices` are what it must be given."""

    dtype: str
    sizes: tuple[int, ...] = SIZES
    lines: list[str] = field(default_factory=list)
    params: dict[str, tuple[int, ...]] = field(default_factory=dict)
    indices: dict[str, tuple[tuple[int, ...], int]] = field(default_factory=dict)
    values: list[Value] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    count: int = 0

    def type(self, shape, dtype=None):
        return f"tensor<{''.join(f'{d}x' for d in shape)}{dtype or self.dtype}>"

    def param(self, shape):
        name = f"p{len(self.params)}"
        self.params[name] = tuple(shape)
        return Value(name, tuple(shape), 1.0)

    def emit(self, text, shape, bound, *operands, outputs=1):
        """Adds an op whose text has {0}, {1}.. for its operands' names and {t0}, {t1}.. for their types, {y} for the type of its result."""
        name = f"v{self.count}"
        self.count += 1
        self.used.update(o.name for o in operands)
        types = {f"t{i}": self.type(o.shape) for i, o in enumerate(operands)}
        results = ", ".join([f"%{name}", *(f"%{name}_{i}" for i in range(1, outputs))])
        self.lines.append(f"{results} = raf." + text.format(*(f"%{o.name}" for o in operands), y=self.type(shape), **types))
        value = Value(name, tuple(shape), bound)
        return self.emit("tanh {0} : {y}", shape, 1.0, value) if bound > BOUND else value

    def constant(self, number, shape):
        return self.emit(f"constant dense<{number!r}> : {{y}}", shape, abs(number))

    def broadcast(self, value, dims, shape):
        return self.emit(f"broadcast {{0}} dims = {list(dims)} : {{t0}} to {{y}}", shape, value.bound, value)

    def finish(self):
        """The module: its loss is the sum of all that is not used otherwise, each times a constant field, so that no gradient is uniform."""
        total = None
        ends = [v for v in self.values if v.name not in self.used]
        for value in ends:
            dims = list(range(len(value.shape)))
            wave = value
            if dims:
                where = self.emit(f"iota dim = {max(dims, key=lambda d: value.shape[d])} : {{y}}", value.shape, 1.0)
                wave = self.emit("mul {0}, {1} : {y}", value.shape, 1.0, value, self.emit("cos {0} : {y}", value.shape, 1.0, where))
                wave = self.emit(f"reduce sum {{0}} dims = {dims} : {{t0}} -> {{y}}", (), 1.0, wave)
            total = wave if total is None else self.emit("add {0}, {1} : {y}", (), 1.0, total, wave)
        arguments = [f'%{n}: {self.type(s)} {{raf.name = "{n}", raf.role = "param"}}' for n, s in self.params.items()]
        arguments += [f'%{n}: {self.type(s, "i64")} {{raf.name = "{n}", raf.role = "input"}}' for n, (s, _) in self.indices.items()]
        results = [("loss", total), *((v.name, v) for v in ends)]
        types = [self.type(v.shape) for _, v in results]
        signature = ", ".join(f'{t} {{raf.name = "{n}"}}' for (n, _), t in zip(results, types))
        body = "\n".join(f"  {line}" for line in self.lines)
        values = ", ".join(f"%{v.name}" for _, v in results)
        return f"func.func @main({', '.join(arguments)}) -> ({signature}) {{\n{body}\n  return {values} : {', '.join(types)}\n}}\n"


def shapes(max_rank=4, sizes=SIZES):
    def fits(shape):
        return math.prod(shape) <= LIMIT

    return st.lists(st.sampled_from(sizes), max_size=max_rank).map(tuple).filter(fits)


# ===-- steps: each takes a graph and a value and gives a value, or None where it cannot ------------------------------===


def unary(draw, g, v, smooth):
    op = draw(st.sampled_from([*SMOOTH_UNARY, *({} if smooth else KINKED_UNARY)]))
    return g.emit(f"{op} {{0}} : {{y}}", v.shape, (SMOOTH_UNARY | KINKED_UNARY)[op] or v.bound, v)


def guarded(draw, g, v, smooth):
    """Ops of a restricted domain, made safe."""
    op = draw(st.sampled_from(["exp", "log", "sqrt", "rsqrt", "div", "expm1", "log1p"]))
    if op in ("exp", "expm1"):
        return g.emit(f"{op} {{0}} : {{y}}", v.shape, 3.0, g.emit("tanh {0} : {y}", v.shape, 1.0, v))
    square = g.emit("mul {0}, {0} : {y}", v.shape, 1.0, v)
    above = g.emit("add {0}, {1} : {y}", v.shape, 1.0, square, g.constant(1.0, v.shape))
    if op == "div":
        return g.emit("div {0}, {1} : {y}", v.shape, 1.0, v, above)
    return g.emit(f"{op} {{0}} : {{y}}", v.shape, max(v.bound, 2.0), square if op == "log1p" else above)


def binary(draw, g, v, smooth):
    other = draw(st.sampled_from([o for o in g.values if o.shape == v.shape]))
    op = draw(st.sampled_from(["add", "sub", "mul", *([] if smooth or other is v else ["maximum", "minimum"])]))
    return g.emit(f"{op} {{0}}, {{1}} : {{y}}", v.shape, v.bound * other.bound if op == "mul" else v.bound + other.bound, v, other)


def select(draw, g, v, smooth):
    if smooth:
        return None
    other = draw(st.sampled_from([o for o in g.values if o.shape == v.shape]))
    name = f"c{g.count}"
    g.count += 1
    g.lines.append(f"%{name} = raf.compare gt %{v.name}, %{g.constant(0.25, v.shape).name} : {g.type(v.shape)} -> {g.type(v.shape, 'i1')}")
    return g.emit(f"select %{name}, {{0}}, {{1}} : {{y}}", v.shape, max(v.bound, other.bound), v, other)


def bias(draw, g, v, smooth):
    """A new parameter along some of the dimensions."""
    dims = draw(st.lists(st.sampled_from(range(len(v.shape))), unique=True).map(sorted)) if v.shape else []
    wide = g.broadcast(g.param([v.shape[d] for d in dims]), dims, v.shape)
    op = draw(st.sampled_from(["add", "mul"]))
    return g.emit(f"{op} {{0}}, {{1}} : {{y}}", v.shape, v.bound + 1.0, v, wide)


def broadcast(draw, g, v, smooth):
    shape, dims = list(v.shape), list(range(len(v.shape)))
    at = draw(st.integers(0, len(shape)))
    shape.insert(at, draw(st.sampled_from(g.sizes)))
    dims = [d + (d >= at) for d in dims]
    return g.broadcast(v, dims, shape) if math.prod(shape) <= LIMIT and len(shape) <= 5 else None


def reduce(draw, g, v, smooth):
    if not v.shape:
        return None
    dims = draw(st.lists(st.sampled_from(range(len(v.shape))), min_size=1, unique=True).map(sorted))
    count = math.prod(v.shape[d] for d in dims)
    kind = draw(st.sampled_from(["sum", *([] if smooth or count == 0 else ["max", "min"])]))
    shape = [d for i, d in enumerate(v.shape) if i not in dims]
    y = g.emit(f"reduce {kind} {{0}} dims = {dims} : {{t0}} -> {{y}}", shape, 1.0 if kind == "sum" else v.bound, v)
    return y if kind != "sum" else g.emit("mul {0}, {1} : {y}", shape, v.bound, y, g.constant(1.0 / math.sqrt(max(count, 1)), shape))


def softmax(draw, g, v, smooth):
    if not v.shape:
        return None
    op = draw(st.sampled_from(["softmax", "log_softmax"]))
    return g.emit(f"{op} {{0}} axis = {draw(st.sampled_from(range(len(v.shape))))} : {{y}}", v.shape, 1.0 if op == "softmax" else 2 * v.bound + 7, v)


def layer_norm(draw, g, v, smooth):
    if not v.shape:
        return None
    axis = draw(st.sampled_from(range(len(v.shape))))
    scale, shift = g.param(v.shape[axis:]), g.param(v.shape[axis:])
    outer = g.type(v.shape[:axis])
    # A large epsilon: what is almost constant must not come out as its rounding errors.
    return g.emit(f"layer_norm {{0}}, {{1}}, {{2}} axis = {axis} epsilon = 0.1 : ({{t0}}, {{t1}}, {{t2}}) -> ({{y}}, {outer}, {outer})", v.shape, 4.0, v, scale, shift, outputs=3)


def matmul(draw, g, v, smooth):
    if len(v.shape) < 2:
        return None
    left, right = draw(st.booleans()), draw(st.booleans())
    *outer, m, k = v.shape
    if left:
        m, k = k, m
    n = draw(st.sampled_from(g.sizes))
    shape = [*outer, m, n]
    if math.prod(shape) > LIMIT or math.prod(outer) * k * n > LIMIT:
        return None
    flags = " transpose_lhs" * left + " transpose_rhs" * right
    other = g.param([*outer, *((n, k) if right else (k, n))])
    y = g.emit(f"matmul {{0}}, {{1}}{flags} : {{t0}}, {{t1}} -> {{y}}", shape, 1.0, v, other)
    return g.emit("mul {0}, {1} : {y}", shape, v.bound, y, g.constant(1.0 / math.sqrt(max(k, 1)), shape))


def transpose(draw, g, v, smooth):
    order = draw(st.permutations(range(len(v.shape))))
    return g.emit(f"transpose {{0}} permutation = {list(order)} : {{t0}} -> {{y}}", [v.shape[d] for d in order], v.bound, v) if len(v.shape) > 1 else None


def reshape(draw, g, v, smooth):
    shape = list(v.shape)
    if len(shape) > 1 and draw(st.booleans()):
        at = draw(st.integers(0, len(shape) - 2))
        shape[at : at + 2] = [shape[at] * shape[at + 1]]
    else:
        at = draw(st.integers(0, len(shape)))
        factors = [f for f in (1, 2, 3, 7, 8, 17) if at < len(shape) and shape[at] % f == 0] or [1]
        factor = draw(st.sampled_from(factors))
        shape[at : at + 1] = [factor, shape[at] // factor] if at < len(shape) else [1]
    return g.emit("reshape {0} : {t0} to {y}", shape, v.bound, v) if len(shape) <= 5 else None


def slice_(draw, g, v, smooth):
    if not v.shape or 0 in v.shape:
        return None
    starts, limits, strides, shape = [], [], [], []
    for size in v.shape:
        start = draw(st.integers(0, min(size - 1, 5)))
        stride = draw(st.integers(1, 3))
        limit = size - draw(st.integers(0, min(size - 1 - start, 5)))
        starts.append(start), limits.append(limit), strides.append(stride), shape.append(-(-(limit - start) // stride))
    return g.emit(f"slice {{0}} starts = {starts} limits = {limits} strides = {strides} : {{t0}} -> {{y}}", shape, v.bound, v)


def pad(draw, g, v, smooth):
    if not v.shape:
        return None
    low = [draw(st.integers(0, 2)) for _ in v.shape]
    high = [draw(st.integers(0, 2)) for _ in v.shape]
    inside = [draw(st.integers(0, 1)) for _ in v.shape]
    shape = [a + b + d + max(d - 1, 0) * i for a, b, d, i in zip(low, high, v.shape, inside)]
    if math.prod(shape) > LIMIT:
        return None
    return g.emit(f"pad {{0}} low = {low} high = {high} interior = {inside} value = 0.5 : {{t0}} -> {{y}}", shape, max(v.bound, 0.5), v)


def concat(draw, g, v, smooth):
    if not v.shape:
        return None
    axis = draw(st.sampled_from(range(len(v.shape))))
    fitting = [o for o in g.values if len(o.shape) == len(v.shape) and all(i == axis or a == b for i, (a, b) in enumerate(zip(o.shape, v.shape)))]
    others = draw(st.lists(st.sampled_from(fitting), min_size=1, max_size=2))
    parts = [v, *others]
    shape = [sum(o.shape[axis] for o in parts) if i == axis else d for i, d in enumerate(v.shape)]
    if math.prod(shape) > LIMIT:
        return None
    names, types = (", ".join("{" + p.format(i) + "}" for i in range(len(parts))) for p in ("{}", "t{}"))
    return g.emit(f"concat {names} axis = {axis} : ({types}) -> {{y}}", shape, max(o.bound for o in parts), *parts)


def reverse(draw, g, v, smooth):
    if not v.shape:
        return None
    return g.emit(f"reverse {{0}} dims = [{draw(st.sampled_from(range(len(v.shape))))}] : {{y}}", v.shape, v.bound, v)


def gather(draw, g, v, smooth):
    if not v.shape:
        return None
    axis = draw(st.sampled_from(range(len(v.shape))))
    if v.shape[axis] == 0:
        return None
    count = draw(st.sampled_from(g.sizes[:-1]))
    shape = [*v.shape[:axis], count, *v.shape[axis + 1 :]]
    if math.prod(shape) > LIMIT:
        return None
    name = f"i{len(g.indices)}"
    g.indices[name] = ((count,), v.shape[axis])
    return g.emit(f"gather {{0}}, %{name} axis = {axis} : {{t0}}, {g.type((count,), 'i64')} -> {{y}}", shape, v.bound, v)


def scale(draw, g, v, smooth):
    """By a constant, on either side."""
    op = draw(st.sampled_from(["add", "sub", "mul"]))
    number = draw(st.sampled_from([-1.0, 0.5, 2.0, 0.25, 0.1, 3.0]))
    operands = [v, g.constant(number, v.shape)]
    if draw(st.booleans()):
        operands.reverse()
    return g.emit(f"{op} {{0}}, {{1}} : {{y}}", v.shape, v.bound * abs(number) if op == "mul" else v.bound + abs(number), *operands)


def product(draw, g, v, smooth):
    """A matmul of two values that exist, transposed where that fits."""
    if len(v.shape) < 2:
        return None
    left = draw(st.booleans())
    k = v.shape[-2 if left else -1]
    fitting = [o for o in g.values if len(o.shape) == len(v.shape) and o.shape[:-2] == v.shape[:-2] and k in o.shape[-2:]]
    if not fitting:
        return None
    other = draw(st.sampled_from(fitting))
    right = other.shape[-1] == k and (other.shape[-2] != k or draw(st.booleans()))
    shape = [*v.shape[:-2], v.shape[-1 if left else -2], other.shape[-2 if right else -1]]
    flags = " transpose_lhs" * left + " transpose_rhs" * right
    return g.emit(f"matmul {{0}}, {{1}}{flags} : {{t0}}, {{t1}} -> {{y}}", shape, k * v.bound * other.bound, v, other)


def pads(draw, g, v, smooth):
    """The sum of two pads, side by side, with a gap or overlapping."""
    if not v.shape:
        return None
    axis = draw(st.sampled_from(range(len(v.shape))))
    size, gap = v.shape[axis], draw(st.integers(-1, 1))
    shape = list(v.shape)
    shape[axis] = 2 * size + gap
    if math.prod(shape) > LIMIT or shape[axis] < size:
        return None
    parts = []
    for low in (0, size + gap):
        lows, highs, inside = ([0] * len(shape) for _ in range(3))
        lows[axis], highs[axis] = low, shape[axis] - size - low
        parts.append(g.emit(f"pad {{0}} low = {lows} high = {highs} interior = {inside} value = 0.0 : {{t0}} -> {{y}}", shape, v.bound, v))
    return g.emit("add {0}, {1} : {y}", shape, 2 * v.bound, *parts)


STEPS = (unary, guarded, binary, select, bias, broadcast, reduce, softmax, layer_norm, matmul, transpose, reshape, slice_, pad, concat, reverse, gather)


def conv(draw, g, v, smooth):
    """Over one to three dimensions, in one group or one for each channel."""
    if not 3 <= len(v.shape) <= 5 or v.shape[1] > 100:
        return None
    batch, channels, *sizes = v.shape
    groups = draw(st.sampled_from([1, 1, 1, max(channels, 1)]))
    outputs = groups if groups > 1 else draw(st.sampled_from([1, 3, 16, 17]))
    kernel, dilations, strides, low, high = (draw(st.tuples(*(choice for _ in sizes))) for choice in (st.integers(1, 3), st.sampled_from([1, 1, 2]), st.sampled_from([1, 1, 2]), *[st.integers(0, 2)] * 2))
    shape = [batch, outputs, *((d + a + b - (k - 1) * w - 1) // s + 1 for d, k, w, s, a, b in zip(sizes, kernel, dilations, strides, low, high))]
    if min(shape[2:]) < 1 or math.prod(shape) > LIMIT:
        return None
    window = f"strides = {list(strides)} pad_low = {list(low)} pad_high = {list(high)} dilations = {list(dilations)} groups = {groups} layout = channels_first"
    weight = g.param([outputs, channels // groups, *kernel])
    y = g.emit(f"conv {{0}}, {{1}} {window} : ({{t0}}, {{t1}}) -> {{y}}", shape, 1.0, v, weight)
    return g.emit("mul {0}, {1} : {y}", shape, v.bound, y, g.constant(1.0 / math.sqrt(max(math.prod(weight.shape[1:]), 1)), shape))


def pool(draw, g, v, smooth):
    if not 3 <= len(v.shape) <= 5:
        return None
    kernel = draw(st.tuples(*(st.integers(1, 3) for _ in v.shape[2:])))
    strides = draw(st.tuples(*(st.integers(1, 2) for _ in kernel)))
    low, high = (draw(st.tuples(*(st.integers(0, k - 1) for k in kernel))) for _ in range(2))
    shape = [*v.shape[:2], *((d + a + b - k) // s + 1 for d, k, s, a, b in zip(v.shape[2:], kernel, strides, low, high))]
    if min(shape[2:]) < 1 or math.prod(shape) > LIMIT:
        return None
    window = f"kernel = {list(kernel)} strides = {list(strides)} pad_low = {list(low)} pad_high = {list(high)} dilations = {[1] * len(kernel)} layout = channels_first"
    if smooth or draw(st.booleans()):
        return g.emit(f"avg_pool {{0}} {'count_include_pad ' * draw(st.booleans())}{window} : ({{t0}}) -> ({{y}})", shape, v.bound, v)
    return g.emit(f"max_pool {{0}} {window} : ({{t0}}) -> ({{y}}, {g.type(shape, 'i32')})", shape, v.bound, v, outputs=2)


def attention(draw, g, v, smooth):
    """Of parameters as keys and values, which heads may share."""
    if len(v.shape) != 4 or 0 in v.shape:
        return None
    batch, heads, rows, width = v.shape
    keys, values = draw(st.sampled_from([1, 3, 17, 33])), draw(st.sampled_from([1, 3, 16]))
    if max(batch * heads * rows * max(keys, values), batch * heads * keys * max(width, values)) > LIMIT:
        return None
    groups = draw(st.sampled_from([heads, 1]))
    k, w = g.param([batch, groups, keys, width]), g.param([batch, groups, keys, values])
    flag = " causal" if rows <= keys and draw(st.booleans()) else ""
    types = f"({{t0}}, {{t1}}, {{t2}}) -> ({{y}}, {g.type([batch, heads, rows])})"
    return g.emit(f"attention {{0}}, {{1}}, {{2}} scale = {1.0 / math.sqrt(width):.4f}{flag} : {types}", [batch, heads, rows, values], 1.0, v, k, w, outputs=2)


def cumsum(draw, g, v, smooth):
    if not v.shape:
        return None
    axis = draw(st.sampled_from(range(len(v.shape))))
    y = g.emit(f"cumsum {{0}} axis = {axis}{' exclusive' * draw(st.booleans())}{' reverse' * draw(st.booleans())} : {{y}}", v.shape, 1.0, v)
    return g.emit("mul {0}, {1} : {y}", v.shape, v.bound, y, g.constant(1.0 / max(v.shape[axis], 1), v.shape))


#: With the ops that libraries serve, more often than others.
LIBRARY_STEPS = (*STEPS, *[conv, pool, attention, cumsum] * 2)
#: Empty dimensions, ones and primes.
ODD_SIZES = (0, 1, 2, 3, 5, 13, 16, 31)

#: Of values that exist, for long graphs of few sizes.
LONG_STEPS = (*STEPS, binary, scale, pads, product, product, product)


@st.composite
def graphs(draw, dtype, smooth=False, least=2, most=8, sizes=SIZES, steps=STEPS, recent=None):
    """A finished graph: (graph, text). `recent` keeps to the newest values, so that chains grow."""
    g = Graph(dtype, sizes)
    g.values += [g.param(shape) for shape in draw(st.lists(shapes(sizes=sizes), min_size=1, max_size=2))]
    for _ in range(draw(st.integers(least, most))):
        step = draw(st.sampled_from(steps))
        made = step(draw, g, draw(st.sampled_from(g.values[-recent:] if recent else g.values)), smooth)
        if made is not None:
            g.values.append(made)
    return g, g.finish()
