# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns chains that exporters write out back into the ops that they mean: GELU, SiLU, softmax, layer and RMS normalization, attention.

The graph is rebuilt bottom-up, and each node is offered to the rules with its operands already rewritten, so that rules are small:
a normalization first appears without scale and bias and then takes them in. A rule only looks at values; it never leaves out a
rounding or a corner case that the chain has (see the near-miss tests)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .emit import reachable
from .graph import Graph, Node, Tensor
from .raise_attention import raise_attention
from .raise_norm import raise_affine, raise_factored_norm, raise_norm
from .raise_pointwise import raise_log_softmax, raise_product, raise_softmax

Rule = Callable[[Graph, Tensor, Callable[[Tensor], int]], "Tensor | None"]

_RULES: dict[str, Sequence[Rule]] = {
    "mul": (raise_norm, raise_affine, raise_product), "div": (raise_norm, raise_softmax, raise_product), "add": (raise_affine, raise_factored_norm), "log": (raise_log_softmax,),
    "matmul": (raise_attention,)}


def raise_patterns(graph: Graph, outputs: Sequence[Tensor]) -> list[Tensor]:
    """The outputs in terms of the raised graph."""
    nodes = reachable(outputs)
    count: dict[int, int] = {}
    for tensor in [a for n in nodes for a in n.args] + list(outputs):
        count[id(tensor)] = count.get(id(tensor), 0) + 1
    new: dict[int, Tensor] = {}
    counts: dict[int, int] = {}
    keep: list[Tensor] = []  # ids stay valid while their tensors live

    def uses(tensor: Tensor) -> int:
        return counts.get(id(tensor), 1)

    for node in nodes:
        graph.loc = node.loc
        made = _rebuild(graph, node, [new.get(id(a), a) for a in node.args])
        if len(made) == 1:
            for rule in _RULES.get(node.op, ()):
                better = rule(graph, made[0], uses)
                if better is not None:
                    made = (better,)
                    break
        for old, fresh in zip(node.outs, made):
            new[id(old)] = fresh
            counts[id(fresh)] = count.get(id(old), 0)
            keep.append(fresh)
    return [new.get(id(t), t) for t in outputs]


def _rebuild(graph: Graph, node: Node, args: list[Tensor]) -> tuple[Tensor, ...]:
    if all(a is b for a, b in zip(args, node.args)):
        return node.outs
    return graph.node(node.op, args, [(o.shape, o.dtype) for o in node.outs], **node.attrs)
