# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the small programs are listed: CASES[family] holds functions of JAX with the descriptions of their inputs."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

BF16 = ml_dtypes.bfloat16
CASES: dict[str, list["Case"]] = {}


@dataclass(frozen=True)
class Case:
    name: str
    function: Callable[..., Any]
    inputs: tuple[Callable[[np.random.Generator], np.ndarray], ...]
    differentiable: bool = True
    #: StableHLO that computes the same as the function, for what JAX does not write on the CPU; else the program is what JAX makes of the function.
    program: str = ""

    def arrays(self) -> list[np.ndarray]:
        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        return [make(rng) for make in self.inputs]


def case(family: str, name: str, function: Callable[..., Any], *inputs: Any, diff: bool = True, program: str = "") -> None:
    known = CASES.setdefault(family, [])
    assert all(c.name != name for c in known), f"{family}/{name} is there twice"
    known.append(Case(name, function, inputs, diff, program))


def f(*shape: int, dtype: Any = np.float32, lo: float = -2.0, hi: float = 2.0) -> Callable[[np.random.Generator], np.ndarray]:
    """Numbers of [lo, hi], of two decimals in bfloat16's reach, so that rounding plays no part in the inputs."""
    return lambda rng: np.asarray(rng.uniform(lo, hi, shape), np.float64).astype(dtype)


def c(*shape: int, dtype: Any = np.complex64, lo: float = -2.0, hi: float = 2.0) -> Callable[[np.random.Generator], np.ndarray]:
    """Complex numbers with both parts in [lo, hi]."""
    return lambda rng: np.asarray(rng.uniform(lo, hi, shape) + 1j * rng.uniform(lo, hi, shape)).astype(dtype)


def apart(*shape: int, dtype: Any = np.float32) -> Callable[[np.random.Generator], np.ndarray]:
    """Different numbers in random order: no ties for maxima and sorts."""
    count = int(np.prod(shape))
    return lambda rng: (rng.permutation(count).reshape(shape) / 8.0 - count / 16.0).astype(dtype)


def i(*shape: int, dtype: Any = np.int32, lo: int = -9, hi: int = 10) -> Callable[[np.random.Generator], np.ndarray]:
    return lambda rng: np.asarray(rng.integers(lo, hi, shape)).astype(dtype)


def bits(*shape: int, dtype: Any = np.uint32) -> Callable[[np.random.Generator], np.ndarray]:
    """Any words at all."""
    return lambda rng: rng.integers(0, np.iinfo(dtype).max, shape, dtype=dtype, endpoint=True)


def b(*shape: int) -> Callable[[np.random.Generator], np.ndarray]:
    return lambda rng: rng.integers(0, 2, shape).astype(np.bool_)


def value(*numbers: Any, dtype: Any = np.float32) -> Callable[[np.random.Generator], np.ndarray]:
    """Just these; one number is a scalar."""
    return lambda rng: np.asarray(numbers[0] if len(numbers) == 1 else numbers, dtype)
