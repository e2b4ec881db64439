# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""raf-rematerialize on random training graphs against the exact optimum: a mixed integer program over all ways to run the ops of a given order again (after Jain et al., Checkmate,
2020), which HiGHS solves: the optimum of small graphs, and of graphs of up to 60 ops that nothing is 5 % better than what was found.

    RAF_TEST_SLOW=1 python -m pytest test/property/test_rematerialization_optimum.py     many more of them, in about an hour"""

import math
import random
import re

import numpy as np
import pytest
from execute.harness import core

optimize = pytest.importorskip("scipy.optimize", reason="the oracle needs scipy")
sparse = pytest.importorskip("scipy.sparse", reason="the oracle needs scipy")

ALIGNMENT = 64


def chain(rng, layers):
    """One op after the other, with a few skips."""
    return [({i - 1} if i else set()) | ({rng.randrange(i - 1)} if i > 2 and rng.random() < 0.3 else set()) for i in range(layers)]


def residual(rng, layers):
    """Blocks of three ops around which the value goes as well."""
    return [{i - 1, i - 3} if i % 3 == 0 and i else {i - 1} if i else set() for i in range(layers)]


def u_net(rng, layers):
    """The second half reads the first one in reverse order."""
    return [({i - 1} if i else set()) | ({layers - 1 - i} if i > layers // 2 + 1 else set()) for i in range(layers)]


def attention(rng, layers):
    """Queries, keys and values of one value, scores, their product with the values, and the sum with the first value."""
    made = []
    for i in range(layers):
        start, k = i - i % 6, i % 6
        made.append([{start - 1} if start else set(), {start - 1} if start else set(), {start - 1} if start else set(), {start, start + 1}, {start + 3, start + 2}, {start + 4, start - 1} if start else {start + 4}][k])
    return made


KINDS = {"chain": chain, "residual": residual, "u-net": u_net, "attention": attention}


def training_graph(rng, layers, kind="chain"):
    """(operands, bytes, nanoseconds) of each op: forward, then a walk back that reads what the ops have read and sometimes what they made. The last value leaves the step."""
    forward = KINDS[kind](rng, layers)
    nodes = [(sorted(operands), ALIGNMENT * rng.randint(1, 16), rng.randint(1, 20)) for operands in forward]
    gradient = None
    for i in reversed(range(layers)):
        operands = {i} if gradient is None else {gradient} | ({i} if rng.random() < 0.5 else set())
        operands |= forward[i] if kind != "chain" else {i - 1} if i else set()
        gradient = len(nodes)
        nodes.append((sorted(operands), ALIGNMENT * rng.randint(1, 8), rng.randint(1, 20)))
    nodes[-1] = (nodes[-1][0], ALIGNMENT, nodes[-1][2])
    return nodes


def module_of(nodes):
    lines, functions = [], []
    for i, (operands, size, time) in enumerate(nodes):
        types = [f"tensor<{nodes[o][1]}xi8>" for o in operands]
        functions.append(f"func.func private @op{i}({', '.join([*types, f'tensor<{size}xi8>'])}) -> tensor<{size}xi8> attributes {{raf.kernel}}")
        inputs = f"ins({', '.join(f'%{o}' for o in operands)} : {', '.join(types)}) " if operands else ""
        lines.append(f"%e{i} = tensor.empty() : tensor<{size}xi8>")
        lines.append(f"%{i} = raf.launch @op{i} {inputs}outs(%e{i} : tensor<{size}xi8>) {{raf.time_ns = {time} : i64}} -> tensor<{size}xi8>")
    last, size = len(nodes) - 1, nodes[-1][1]
    # Values are named by numbers in the text, which have to rise with each one: letters free them of that.
    body = re.sub(r"%(\d+)", r"%v\1", "\n  ".join(lines))
    return "\n".join(functions) + f"\nfunc.func @main() -> tensor<{size}xi8> {{\n  {body}\n  return %v{last} : tensor<{size}xi8>\n}}\n"


def rematerialize(nodes, budget):
    """The time with this many bytes for buffers; the least bytes where that is not enough."""
    leaves = nodes[-1][1]
    try:
        text = core.run_pipeline(module_of(nodes), f"builtin.module(raf-rematerialize{{budget={budget + leaves}}})")
    except Exception as error:
        return None, int(re.search(r"at least (\d+)", str(error))[1]) - leaves
    numbers = dict(re.findall(r"(step_ns|recompute_ns) = (\d+)", text))
    return int(numbers["step_ns"]) + int(numbers["recompute_ns"]), None


def peak(nodes):
    """Of the given order, without running anything again."""
    last = [max([j for j, n in enumerate(nodes) if i in n[0]], default=i) for i in range(len(nodes))]
    return max(sum(nodes[i][1] for i in range(t + 1) if last[i] >= t and i < len(nodes) - 1) for t in range(len(nodes)))


def optimum(nodes, budget, seconds, limit=np.inf):
    """Least time within the budget, None if none is within the limit, and whether that is certain. run[t, i]: op i runs in stage t, which ends with the first run of op t; keep[t, i]: its value is there when stage t begins; free[t, i, k]: it is
    let go after op k of stage t; used[t, k]: the share of the budget while op k of the stage may run."""
    nodes = [*nodes[:-1], (nodes[-1][0], 0, nodes[-1][2])]
    count, number, rows = len(nodes), {}, []

    def v(*key):
        return number.setdefault(key, len(number))

    def at_most(limit, **terms):
        rows.append((terms["plus"], terms.get("minus", []), -np.inf, limit))

    users = [[j for j, n in enumerate(nodes) if i in n[0]] for i in range(count)]
    for t in range(count):
        for k in range(t + 1):
            operands, size, _ = nodes[k]
            for i in operands:
                at_most(0, plus=[(v("run", t, k), 1)], minus=[(v("run", t, i), 1)] + ([(v("keep", t, i), 1)] if i < t else []))
            for i in [*operands, k]:
                free = v("free", t, i, k)
                at_most(0, plus=[(free, 1)], minus=[(v("run", t, k), 1)])
                if t + 1 < count:
                    at_most(1, plus=[(free, 1), (v("keep", t + 1, i), 1)])
                for j in users[i]:
                    if k < j <= t:
                        at_most(1, plus=[(free, 1), (v("run", t, j), 1)])
            before = [(v("keep", t, i), nodes[i][1] / budget) for i in range(t)] if k == 0 else [(v("used", t, k - 1), 1)]
            freed = [] if k == 0 else [(v("free", t, i, k - 1), nodes[i][1] / budget) for i in [*nodes[k - 1][0], k - 1]]
            rows.append(([(v("used", t, k), 1), *freed], [*before, (v("run", t, k), size / budget)], 0, 0))
        for i in range(t):
            at_most(0, plus=[(v("keep", t, i), 1)], minus=[(v("run", t - 1, i), 1)] + ([(v("keep", t - 1, i), 1)] if i < t - 1 else []))
    rows.append(([(column, nodes[key[2]][2]) for key, column in number.items() if key[0] == "run"], [], -np.inf, limit))
    entries = [(sign * factor, row, column) for row, (plus, minus, _, _) in enumerate(rows) for sign, terms in ((1, plus), (-1, minus)) for column, factor in terms]
    factors, at_row, at_column = zip(*entries)
    matrix = sparse.coo_matrix((factors, (at_row, at_column)), (len(rows), len(number)))
    low, high, whole, time = np.zeros(len(number)), np.ones(len(number)), np.ones(len(number)), np.zeros(len(number))
    for (kind, *at), column in number.items():
        if kind == "used":
            whole[column] = 0
        elif kind == "run":
            time[column] = nodes[at[1]][2]
            low[column] = at[0] == at[1]
    constraint = optimize.LinearConstraint(matrix.tocsr(), [r[2] for r in rows], [r[3] for r in rows])
    result = optimize.milp(time, constraints=constraint, integrality=whole, bounds=optimize.Bounds(low, high), options={"time_limit": seconds})
    return result.fun, result.status in (0, 2)


def budgets(nodes, shares=(0.3, 0.7)):
    """Some between the least and what the step takes without running anything again, and that least."""
    highest, (_, least) = peak(nodes), rematerialize(nodes, 0)
    assert least <= highest
    return [int(least + share * (highest - least)) // ALIGNMENT * ALIGNMENT for share in shares]


@pytest.mark.parametrize("seed", range(4))
def test_optimum_of_small_graphs(seed):
    nodes = training_graph(random.Random(seed), 5)
    for budget in budgets(nodes):
        time, _ = rematerialize(nodes, budget)
        best, exact = optimum(nodes, budget, 300)
        assert exact and best <= time <= 1.05 * best


def check_near(nodes, shares, seconds):
    """That no way to run the graph takes less than a 1.05th of the time that was found: a program without a solution is decided where an optimum would take too long."""
    for budget in budgets(nodes, shares):
        time, _ = rematerialize(nodes, budget)
        if time <= 1.05 * sum(t for *_, t in nodes):
            continue  # the step itself takes so long
        best, exact = optimum(nodes, budget, seconds, limit=math.ceil(time / 1.05) - 1)
        if not exact:
            pytest.skip(f"the oracle did not decide in {seconds} s")
        assert best is None, f"{time} ns were found within {budget} bytes, and there is a solution of {best} ns"


@pytest.mark.parametrize("kind", KINDS)
def test_near_the_optimum(kind):
    check_near(training_graph(random.Random(1), 30, kind), (0.3,), 120)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("kind", KINDS)
def test_near_the_optimum_at_many_sizes(kind, seed):
    rng = random.Random(100 + seed)
    check_near(training_graph(rng, rng.randint(6, 30), kind), (0.2, 0.4, 0.6, 0.8), 600)


@pytest.mark.parametrize("seed", range(8))
def test_monotone(seed):
    rng = random.Random(seed)
    nodes = training_graph(rng, rng.randint(5, 30))
    highest = peak(nodes)
    _, least = rematerialize(nodes, 0)
    assert rematerialize(nodes, least - 1) == (None, least)
    budgets = sorted({least, highest, *(rng.randint(least, highest) for _ in range(10))})
    times = [rematerialize(nodes, budget)[0] for budget in budgets]
    assert times == sorted(times, reverse=True)
    assert times[-1] == sum(time for *_, time in nodes)
