# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arguments and results of a function as pytrees over named arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._arrays import Array, as_array
from .errors import RuntimeError, suggest

#: What JAX makes of 64-bit arrays unless it is told to keep them.
_NARROWED = {np.dtype(np.float64): np.dtype(np.float32), np.dtype(np.int64): np.dtype(np.int32), np.dtype(np.uint64): np.dtype(np.uint32),
             np.dtype(np.complex128): np.dtype(np.complex64)}


@dataclass(frozen=True)
class Leaf:
    """An array in a pytree: its name, which is its path, and its dtype."""

    name: str
    dtype: np.dtype[Any]


@dataclass(frozen=True)
class Tree:
    """A pytree with named leaves. `structure` is JAX's PyTreeDef, or None for one array."""

    name: str
    leaves: tuple[Leaf, ...]
    structure: Any = None

    def flatten(self, value: Any) -> list[Array]:
        """The arrays of a value of this structure, in order; jax.Arrays without a copy, Python numbers as arrays of the leaf's dtype."""
        return [_leaf(leaf, part) for leaf, part in zip(self.leaves, self._parts(value))]

    def flatten_on_device(self, value: Any) -> list[Any]:
        """As `flatten`, but arrays in the memory of a device are passed on."""
        from ._device_arrays import is_on_device  # which needs the engine

        return [part if is_on_device(part) else _leaf(leaf, part) for leaf, part in zip(self.leaves, self._parts(value))]

    def _parts(self, value: Any) -> Sequence[Any]:
        parts = [value]
        if self.structure is not None:
            import jax

            parts, found = jax.tree_util.tree_flatten(value)
            if found != self.structure:
                raise RuntimeError(f"argument {self.name!r}: expected the structure {_shown(self.structure)}, got {_shown(found)}")
        return parts

    def unflatten(self, values: Sequence[Any]) -> Any:
        if self.structure is None:
            return values[0]
        import jax

        return jax.tree_util.tree_unflatten(self.structure, values)


class Flat(Tree):
    """A tuple of arrays, without JAX; one array stands for itself."""

    def _parts(self, value: Any) -> Sequence[Any]:
        values: Sequence[Any] = [value] if len(self.leaves) == 1 else value
        if not isinstance(values, (tuple, list)) or len(values) != len(self.leaves):
            raise RuntimeError(f"{self.name}: expected {len(self.leaves)} arrays, got {type(value).__name__}")
        return values

    def unflatten(self, values: Sequence[Any]) -> Any:
        return values[0] if len(self.leaves) == 1 else tuple(values)


def _shown(structure: Any) -> str:
    return str(structure).removeprefix("PyTreeDef(").removesuffix(")")


def _leaf(leaf: Leaf, value: Any) -> Array:
    if isinstance(value, (bool, int, float, complex)):
        return np.asarray(value, leaf.dtype)
    if type(value) is not np.ndarray:
        if "key<" in str(getattr(value, "dtype", "")):  # a typed PRNG key: its words are what the function takes
            import jax

            value = jax.random.key_data(value)
        value = np.asarray(value) if hasattr(value, "__array__") else as_array(leaf.name, value)
    array: Array = value
    return array.astype(leaf.dtype) if _NARROWED.get(array.dtype) == leaf.dtype else array


@dataclass(frozen=True)
class Signature:
    """The arguments of a function in their order, and its results."""

    arguments: tuple[Tree, ...]
    results: Tree

    def flatten(self, values: Sequence[Any], named: Mapping[str, Any], chosen: Sequence[Tree], extra: int = 0, on_device: bool = False) -> list[Any]:
        """The arrays of the chosen arguments, given by position or name; up to `extra` more values by position are passed on as they are, and with `on_device` arrays of a device."""
        names = [a.name for a in chosen]
        values = list(values)
        unknown = [n for n in named if n not in names]
        if len(values) > len(chosen) + extra or unknown:
            what = f"unknown argument {unknown[0]!r}{suggest(unknown[0], names)}" if unknown else f"{len(values)} arguments were given"
            raise RuntimeError(f"{what}; the function takes {', '.join(names) or 'none'}")
        given = dict(zip(names, values))
        if twice := [n for n in named if n in given]:
            raise RuntimeError(f"argument {twice[0]!r} was given twice: by position and by name")
        given.update(named)
        if missing := [n for n in names if n not in given]:
            raise RuntimeError(f"missing arguments: {', '.join(missing)}")
        flat: list[Any] = []
        for argument in chosen:
            value = given[argument.name]
            flat += argument.flatten_on_device(value) if on_device else argument.flatten(value)
        return flat + values[len(chosen) :]


def named_leaves(prefix: str, value: Any) -> dict[str, Any]:
    """Nested dicts, lists and tuples as one dict: the keys are the paths as JAX writes them, `p['w'][0]`."""
    if isinstance(value, Mapping):
        items = [(f"{prefix}[{key!r}]", v) for key, v in value.items()]
    elif isinstance(value, (list, tuple)):
        items = [(f"{prefix}[{i}]", v) for i, v in enumerate(value)]
    else:
        return {prefix: value}
    return {name: leaf for path, v in items for name, leaf in named_leaves(path, v).items()}
