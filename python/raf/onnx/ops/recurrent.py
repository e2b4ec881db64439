# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LSTM, GRU and RNN, unrolled over time; the products with the inputs of all steps are one product."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..errors import Unsupported
from ..graph import Graph, Tensor
from ..registry import Call, handles
from .elementwise import elu, hard_sigmoid, leaky_relu, softplus

Activation = Callable[[Tensor], Tensor]

#: Alpha and beta where the node does not give them.
_DEFAULTS = {"LeakyRelu": (0.01, None), "HardSigmoid": (0.2, 0.5), "Elu": (1.0, None), "ScaledTanh": (1.0, 1.0), "Affine": (1.0, 0.0)}


def _activation(g: Graph, name: str, alphas: list[float], betas: list[float]) -> Activation:
    known = {n.lower(): n for n in ("Relu", "Tanh", "Sigmoid", "Affine", "LeakyRelu", "ScaledTanh", "HardSigmoid", "Elu", "Softsign", "Softplus")}
    name = known.get(name.lower(), name)
    default = _DEFAULTS.get(name, (None, None))
    alpha = (alphas.pop(0) if alphas else default[0]) if default[0] is not None else 0.0
    beta = (betas.pop(0) if betas else default[1]) if default[1] is not None else 0.0
    alpha, beta = float(alpha or 0), float(beta or 0)
    table: dict[str, Activation] = {
        "Relu": lambda x: g.unary("relu", x), "Tanh": lambda x: g.unary("tanh", x), "Sigmoid": lambda x: g.unary("sigmoid", x),
        "Affine": lambda x: g.shift(g.scale(x, alpha), beta), "LeakyRelu": lambda x: leaky_relu(g, x, alpha),
        "ScaledTanh": lambda x: g.scale(g.unary("tanh", g.scale(x, beta)), alpha), "HardSigmoid": lambda x: hard_sigmoid(g, x, alpha, beta),
        "Elu": lambda x: elu(g, x, alpha), "Softsign": lambda x: g.div(x, g.shift(g.unary("abs", x), 1)), "Softplus": lambda x: softplus(g, x)}
    if name not in table:
        raise Unsupported(f"activation {name!r} is not known")
    return table[name]


class _Layer:
    """What the three ops share."""

    def __init__(self, c: Call, gates: int, activations: Sequence[str]) -> None:
        self.c, self.g, self.gates = c, c.g, gates
        self.batch_first = bool(c.attr("layout", 0))
        x = c.floating()
        if x.rank != 3:
            raise Unsupported(f"the input must have rank 3, got {x.rank}")
        self.x = self.g.transpose(x, (1, 0, 2)) if self.batch_first else x
        self.time, self.batch, self.inputs = self.x.shape
        direction = c.text("direction", "forward")
        if direction not in ("forward", "reverse", "bidirectional"):
            raise Unsupported(f"direction {direction!r} is not known")
        self.directions = [False, True] if direction == "bidirectional" else [direction == "reverse"]
        self.hidden = int(c.attr("hidden_size", c[2].shape[-1]))
        count = len(self.directions)
        for index, shape in ((1, (count, gates * self.hidden, self.inputs)), (2, (count, gates * self.hidden, self.hidden)), (3, (count, 2 * gates * self.hidden))):
            value = c.get(index)
            if value is not None and (value.shape != shape or value.dtype != x.dtype):
                raise Unsupported(f"input {index} must be {x.dtype}{list(shape)}, got {value.dtype}{list(value.shape)}")
        if float(c.attr("clip", 0.0)) != 0:
            raise Unsupported("clip is not supported")
        self._check_lengths()
        names = [n.decode() if isinstance(n, bytes) else str(n) for n in c.attr("activations", None) or list(activations) * count]
        if len(names) != len(activations) * count:
            raise Unsupported(f"{len(activations) * count} activations are needed, got {names}")
        alphas, betas = list(c.attr("activation_alpha", None) or []), list(c.attr("activation_beta", None) or [])
        made = [_activation(self.g, n, alphas, betas) for n in names]
        self.activations = [made[i * len(activations):(i + 1) * len(activations)] for i in range(count)]

    def _check_lengths(self) -> None:
        lengths = self.c.inputs[4] if len(self.c.inputs) > 4 else None
        if lengths is not None and (lengths.array is None or not bool((lengths.array == self.time).all())):
            raise Unsupported("sequence_lens is not supported unless it is constant and full")

    def of(self, index: int, direction: int) -> Tensor | None:
        """The part of an input that belongs to a direction."""
        value = self.c.get(index)
        return None if value is None else self.g.reshape(self.g.take(value, 0, direction, direction + 1), value.shape[1:])

    def part(self, x: Tensor, k: int, axis: int = -1) -> Tensor:
        """Gate k of a value with all gates in one dimension."""
        return self.g.take(x, axis % x.rank, k * self.hidden, (k + 1) * self.hidden)

    def start(self, index: int, direction: int) -> Tensor:
        shape = (self.batch, self.hidden)
        value = self.c.get(index)
        if value is None:
            return self.g.full(0, shape, self.x.dtype)
        if self.batch_first:
            value = self.g.transpose(value, (1, 0, 2))
        if value.shape != (len(self.directions), *shape):
            raise Unsupported(f"input {index} does not have the shape {[len(self.directions), *shape]}")
        return self.g.reshape(self.g.take(value, 0, direction, direction + 1), shape)

    def bias(self, direction: int) -> tuple[Tensor | None, Tensor | None]:
        """Of the input's products and of the state's."""
        both = self.of(3, direction)
        if both is None:
            return None, None
        half = self.gates * self.hidden
        return self.g.take(both, 0, 0, half), self.g.take(both, 0, half, 2 * half)

    def projected(self, direction: int, bias: Tensor | None) -> list[Tensor]:
        """x W^T + bias, by step in the direction's order."""
        g, weight = self.g, self.of(1, direction)
        assert weight is not None
        wide = self.gates * self.hidden
        y = g.matmul(g.reshape(self.x, (self.time * self.batch, self.inputs)), weight, transpose_rhs=True)
        if bias is not None:
            y = g.add(y, g.broadcast(bias, y.shape))
        y = g.reshape(y, (self.time, self.batch, wide))
        order = range(self.time)[::-1] if self.directions[direction] else range(self.time)
        return [g.reshape(g.take(y, 0, t, t + 1), (self.batch, wide)) for t in order]

    def results(self, steps: Sequence[Sequence[Tensor]], last: Sequence[Sequence[Tensor]]) -> list[Tensor]:
        """Y, then one output for each state, from each direction's hidden values (in its own order) and last states."""
        g, count = self.g, len(self.directions)
        by_direction = [list(s)[::-1] if back else list(s) for s, back in zip(steps, self.directions)]
        if not self.time:
            raise Unsupported("there are no time steps")
        if self.batch_first:
            rows = [g.reshape(h, (self.batch, 1, 1, self.hidden)) for t in range(self.time) for h in (d[t] for d in by_direction)]
            y = g.reshape(g.concat(rows, 1), (self.batch, self.time, count, self.hidden))
            states = [g.concat([g.reshape(s, (self.batch, 1, self.hidden)) for s in parts], 1) for parts in zip(*last)]
        else:
            rows = [g.reshape(h, (1, self.batch, self.hidden)) for t in range(self.time) for h in (d[t] for d in by_direction)]
            y = g.reshape(g.concat(rows, 0), (self.time, count, self.batch, self.hidden))
            states = [g.concat([g.reshape(s, (1, self.batch, self.hidden)) for s in parts], 0) for parts in zip(*last)]
        return [y, *states][:self.c.outputs]


def _sum(g: Graph, a: Tensor | None, b: Tensor | None) -> Tensor | None:
    return g.add(a, b) if a is not None and b is not None else a if b is None else b


@handles("LSTM")
def lstm(c: Call) -> list[Tensor]:
    layer = _Layer(c, 4, ("Sigmoid", "Tanh", "Tanh"))
    g = c.g
    if int(c.attr("input_forget", 0)):
        raise Unsupported("input_forget is not supported")
    steps, last = [], []
    for d in range(len(layer.directions)):
        f, inner, outer = layer.activations[d]
        peephole = layer.of(7, d)
        if peephole is not None and peephole.shape != (3 * layer.hidden,):
            raise Unsupported(f"input 7 does not have the shape [{len(layer.directions)}, {3 * layer.hidden}]")
        weight, h, cell = layer.of(2, d), layer.start(5, d), layer.start(6, d)
        assert weight is not None
        outputs = []

        def look(gate: Tensor, state: Tensor, k: int, weights: Tensor | None = peephole) -> Tensor:
            return gate if weights is None else g.add(gate, g.mul(g.broadcast(layer.part(weights, k, 0), state.shape), state))

        for x in layer.projected(d, _sum(g, *layer.bias(d))):
            gates = g.add(x, g.matmul(h, weight, transpose_rhs=True)) if h.scalar() != 0 else x
            i, o, forget, new = (layer.part(gates, k) for k in range(4))
            kept = g.mul(f(look(forget, cell, 2)), cell) if cell.scalar() != 0 else None
            cell = _sum(g, kept, g.mul(f(look(i, cell, 0)), inner(new)))  # type: ignore[assignment]
            h = g.mul(f(look(o, cell, 1)), outer(cell))
            outputs.append(h)
        steps.append(outputs)
        last.append([h, cell])
    return layer.results(steps, last)


@handles("GRU")
def gru(c: Call) -> list[Tensor]:
    layer = _Layer(c, 3, ("Sigmoid", "Tanh"))
    g, after = c.g, bool(c.attr("linear_before_reset", 0))
    steps, last = [], []
    hidden = layer.hidden
    for d in range(len(layer.directions)):
        f, inner = layer.activations[d]
        weight, h = layer.of(2, d), layer.start(5, d)
        assert weight is not None
        x_bias, h_bias = layer.bias(d)
        late = None
        if x_bias is not None and h_bias is not None:
            # The state's bias of the new gate stays inside the reset when that comes last.
            late = layer.part(h_bias, 2, 0) if after else None
            early = g.concat([g.take(h_bias, 0, 0, 2 * hidden), g.full(0, (hidden,), h_bias.dtype)], 0) if after else h_bias
            x_bias = g.add(x_bias, early)
        outputs = []
        for x in layer.projected(d, x_bias):
            if after:
                product = g.matmul(h, weight, transpose_rhs=True)
                z, r = (f(g.add(layer.part(x, k), layer.part(product, k))) for k in range(2))
                own = layer.part(product, 2)
                if late is not None:
                    own = g.add(own, g.broadcast(late, own.shape))
                new = inner(g.add(layer.part(x, 2), g.mul(r, own)))
            else:
                product = g.matmul(h, g.take(weight, 0, 0, 2 * hidden), transpose_rhs=True)
                z, r = (f(g.add(layer.part(x, k), layer.part(product, k))) for k in range(2))
                new = inner(g.add(layer.part(x, 2), g.matmul(g.mul(r, h), g.take(weight, 0, 2 * hidden, 3 * hidden), transpose_rhs=True)))
            h = g.add(g.mul(g.sub(g.full_like(1, z), z), new), g.mul(z, h))
            outputs.append(h)
        steps.append(outputs)
        last.append([h])
    return layer.results(steps, last)


@handles("RNN")
def rnn(c: Call) -> list[Tensor]:
    layer = _Layer(c, 1, ("Tanh",))
    g = c.g
    steps, last = [], []
    for d in range(len(layer.directions)):
        weight, h = layer.of(2, d), layer.start(5, d)
        assert weight is not None
        outputs = []
        for x in layer.projected(d, _sum(g, *layer.bias(d))):
            h = layer.activations[d][0](g.add(x, g.matmul(h, weight, transpose_rhs=True)) if h.scalar() != 0 else x)
            outputs.append(h)
        steps.append(outputs)
        last.append([h])
    return layer.results(steps, last)
