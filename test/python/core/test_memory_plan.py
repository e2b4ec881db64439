# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""raf-plan-memory on random lifetimes: the plan is right, as its own count says, and on small programs as small as can be."""

import itertools
import random
import re

import pytest
from python.core.steps import core

ALIGN = 64


def up(size):
    return -(-size // ALIGN) * ALIGN


def program(lifetimes):
    """A step that touches each buffer (bytes, first, last) at its first and its last moment."""
    lines, kernels = [], set()
    lines += [f"%b{i} = memref.alloc() : memref<{size}xi8>" for i, (size, _, _) in enumerate(lifetimes)]
    for now in range(max(last for _, _, last in lifetimes) + 1):
        touched = [i for i, (_, first, last) in enumerate(lifetimes) if now in (first, last)]
        kernels.add(len(touched))
        ins = ", ".join(f"%b{i}" for i in touched)
        types = ", ".join(f"memref<{lifetimes[i][0]}xi8>" for i in touched)
        lines.append(f"raf.launch @k{len(touched)} " + (f"ins({ins} : {types})" if touched else ""))
    declared = "\n".join(f"func.func private @k{n}({', '.join(['memref<1xi8>'] * n)}) attributes {{raf.kernel}}" for n in kernels)
    return declared + "\nfunc.func @main() {\n  " + "\n  ".join(lines) + "\n  return\n}"


def plan(lifetimes, options=""):
    """(offsets, the numbers of raf.memory)"""
    text = core.run_pipeline(program(lifetimes), f"builtin.module(raf-plan-memory{options})")
    constants = dict(re.findall(r"(%\w+) = arith.constant (\d+) : index", text))
    offsets = [int(constants[c]) for c in re.findall(r"memref.view %\w+\[(%\w+)\]", text)]
    numbers = {k: int(v) for k, v in re.findall(r"(\w+) = (\d+) : i64", text[text.index("raf.memory") :].split("}")[0])}
    return offsets, numbers


def meet(a, b):
    return a[1] <= b[2] and b[1] <= a[2]


def check(lifetimes, offsets, arena):
    assert len(offsets) == len(lifetimes)
    for (a, oa), (b, ob) in itertools.combinations(zip(lifetimes, offsets), 2):
        assert not meet(a, b) or oa + a[0] <= ob or ob + b[0] <= oa
    assert all(o % ALIGN == 0 and o + size <= arena for (size, _, _), o in zip(lifetimes, offsets))


def bound(lifetimes):
    return max(sum(up(size) for size, first, last in lifetimes if first <= now <= last) for _, now, _ in lifetimes)


def smallest(lifetimes):
    """The smallest arena: some order of placing each buffer as low as possible gives it."""
    best = sum(up(size) for size, _, _ in lifetimes)
    for order in itertools.permutations(range(len(lifetimes))):
        placed, end = [], 0
        for i in order:
            size, offset = up(lifetimes[i][0]), 0
            for begin, stop in sorted((o, o + up(lifetimes[j][0])) for j, o in placed if meet(lifetimes[i], lifetimes[j])):
                if begin - offset >= size:
                    break
                offset = max(offset, stop)
            placed.append((i, offset))
            end = max(end, offset + size)
        best = min(best, end)
    return best


def lifetimes_of(seed, count, span):
    rng = random.Random(seed)
    return [(rng.choice([1, 64, 100, 4096, 10000, 50000]) * rng.randint(1, 3), *sorted(rng.sample(range(span), 2))) for _ in range(count)]


@pytest.mark.parametrize("seed", range(25))
def test_small_plans_are_the_smallest(seed):
    lifetimes = lifetimes_of(seed, 6, 8)
    offsets, memory = plan(lifetimes)
    check(lifetimes, offsets, memory["arena_bytes"])
    assert memory["lower_bound"] == bound(lifetimes)
    assert memory["arena_bytes"] == smallest(lifetimes)


@pytest.mark.parametrize(("seed", "count"), [(0, 50), (1, 50), (2, 300), (3, 300)])
def test_large_plans(seed, count):
    lifetimes = lifetimes_of(seed, count, count)
    offsets, memory = plan(lifetimes)
    check(lifetimes, offsets, memory["arena_bytes"])
    assert bound(lifetimes) == memory["lower_bound"] <= memory["arena_bytes"] <= 1.1 * memory["lower_bound"]
    apart, unshared = plan(lifetimes, "{share=false}")
    check(lifetimes, apart, unshared["arena_bytes"])
    assert unshared["arena_bytes"] == unshared["unshared_bytes"] == memory["unshared_bytes"] == sum(up(size) for size, _, _ in lifetimes)
