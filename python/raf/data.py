# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Batches out of arrays, in an order that depends on nothing but the seed and the epoch, so that a run can be resumed in the middle of one."""

from __future__ import annotations

import builtins
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ._arrays import Array
from .errors import Error, RuntimeError, bullets, suggest


class ArrayLoader:
    """Batches of arrays whose first axis is the sample.

    `arrays` is a tuple (batches are tuples) or a mapping (batches are dicts). Each iteration is one epoch; with `shuffle` the order is the permutation
    of a counter-based generator (Philox) keyed by (seed, epoch). Without it batches are views. The last batch is smaller when the samples do not
    divide, unless `drop_last`. `state_dict` says where the iteration is; a loader that loads it goes on with the next batch.
    Raises raf.RuntimeError for arrays of different lengths and for data that make no batch.

    >>> loader = raf.ArrayLoader((x, y), 48, shuffle=True, seed=1)
    >>> len(loader), [len(labels) for _, labels in loader]
    (6, [48, 48, 48, 48, 48, 16])
    """

    def __init__(
        self,
        arrays: Sequence[Array] | Mapping[str, Array],
        batch_size: int = 32,
        *,
        shuffle: bool = False,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        self._names = tuple(arrays) if isinstance(arrays, Mapping) else None
        self._arrays = tuple(arrays.values()) if isinstance(arrays, Mapping) else tuple(arrays)
        if not self._arrays:
            raise RuntimeError("the data has no arrays")
        self.samples = samples_of(dict(zip(self._names or range(len(self._arrays)), self._arrays)))
        if not isinstance(batch_size, (int, np.integer)) or batch_size < 1:
            raise RuntimeError(f"batch_size must be an integer of at least 1, got {batch_size!r}")
        self.batch_size, self.shuffle, self.seed, self.drop_last = batch_size, shuffle, seed, drop_last
        if len(self) == 0:
            raise RuntimeError(f"the data has {self.samples} samples: no batch of {batch_size}" + (" (drop_last is on)" if drop_last else ""))
        self.epoch = 0
        self.position = 0

    def __len__(self) -> int:
        """Batches in an epoch."""
        return self.samples // self.batch_size if self.drop_last else -(-self.samples // self.batch_size)

    def _order(self) -> Array | None:
        if not self.shuffle:
            return None
        generator = np.random.Generator(np.random.Philox(key=np.array([self.seed & (2**64 - 1), self.epoch], np.uint64)))
        return generator.permutation(self.samples)

    def __iter__(self) -> Iterator[Any]:
        order = self._order()
        while self.position < len(self):
            start = self.position * self.batch_size
            stop = min(start + self.batch_size, self.samples)
            self.position += 1
            if order is None:
                batch = tuple(a[start:stop] for a in self._arrays)
            else:
                chosen = order[start:stop]
                batch = tuple(a.take(chosen, axis=0) for a in self._arrays)
            yield batch if self._names is None else dict(zip(self._names, batch))
        self.epoch += 1
        self.position = 0

    def state_dict(self) -> dict[str, Any]:
        """Where the iteration is, JSON."""
        return {
            "epoch": self.epoch,
            "position": self.position,
            "samples": self.samples,
            "batch_size": self.batch_size,
            "shuffle": self.shuffle,
            "seed": self.seed,
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes to where another loader of the same data was. Raises raf.RuntimeError when the data or the order is another."""
        mine = self.state_dict()
        if not isinstance(state, Mapping) or not all(_is_count(state.get(key)) for key in ("epoch", "position")):
            raise RuntimeError(f"this is not where a loader of arrays was: {state!r}")
        problems = [
            f"{key} was {state.get(key)!r}, now {mine[key]!r}"
            for key in ("samples", "batch_size", "shuffle", "seed")
            if state.get(key) != mine[key]
        ]
        if problems:
            raise RuntimeError(bullets("the run cannot go on with this data, since the order of the samples would be another", problems))
        self.epoch, self.position = int(state["epoch"]), int(state["position"])


def _is_count(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and int(value) >= 0


def load_npz(path: str | os.PathLike[str]) -> dict[str, Array]:
    """The arrays of an .npz file, by name, in the order of the file. Pickled objects are refused."""
    name = str(path)
    try:
        file = np.load(name, allow_pickle=False)
        if not isinstance(file, np.lib.npyio.NpzFile):
            raise RuntimeError(f"{name!r} holds one array; an .npz file with inputs and targets is needed (numpy.savez(path, x=..., y=...))")
        with file:
            found = {key: file[key] for key in file.files}
    except FileNotFoundError:
        raise RuntimeError(f"there is no file {name!r}") from None
    except Error:
        raise
    except (OSError, ValueError, EOFError, MemoryError, builtins.RuntimeError, zipfile.BadZipFile, zlib.error) as error:  # encrypted, or a method that is not implemented, are a RuntimeError
        raise RuntimeError(f"{name!r} cannot be read as .npz: {error}") from error
    if others := [key for key, value in found.items() if not isinstance(value, np.ndarray)]:
        raise RuntimeError(f"{name!r} cannot be read as .npz: {', '.join(map(repr, others[:5]))} {'is no array' if len(others) == 1 else 'are no arrays'}")
    return found


def match_arrays(arrays: Mapping[str, Array], inputs: Sequence[str], targets: Sequence[str], source: str) -> dict[str, Array]:
    """The arrays of a file by the names of the model's inputs and targets: by equal names, the usual ones (x, y), or else by order."""
    wanted = [*inputs, *targets]
    aliases: dict[str, tuple[str, ...]] = {}
    if len(inputs) == 1:
        aliases[inputs[0]] = ("x", "X", "inputs", "images", "data", "features")
    if len(targets) == 1:
        aliases[targets[0]] = ("y", "Y", "labels", "targets", "label")
    found: dict[str, Array] = {}
    for name in wanted:
        for candidate in (name, *aliases.get(name, ())):
            if candidate in arrays:
                found[name] = arrays[candidate]
                break
    if len(found) == len(wanted):
        return found
    if not found and len(arrays) == len(wanted):
        return dict(zip(wanted, arrays.values()))
    problems = [f"no array {n!r}{suggest(n, arrays)}" for n in wanted if n not in found]
    raise RuntimeError(bullets(f"{source} does not hold what the model needs ({', '.join(wanted)})", problems))


def samples_of(arrays: Mapping[Any, Array]) -> int:
    """The number of samples, which is the same in each of the arrays."""
    lengths = {f"array {n!r}": (len(a) if a.ndim else None) for n, a in arrays.items()}
    found = set(lengths.values())
    if len(found) != 1 or None in found:
        raise RuntimeError(f"the arrays must have the same number of samples: {', '.join(f'{k} has {v}' for k, v in lengths.items())}")
    return int(found.pop() or 0)


def split(arrays: Mapping[str, Array], fraction: float, seed: int = 0) -> tuple[dict[str, Array], dict[str, Array]]:
    """Two parts of the samples, chosen by the seed: the first without, the second with `fraction` of them."""
    samples = samples_of(arrays)
    held = round(samples * fraction)
    if not 0 < held < samples:
        raise RuntimeError(f"{fraction} of {samples} samples leaves one of the parts empty")
    order = np.random.Generator(np.random.Philox(key=np.array([seed & (2**64 - 1), 2**63], np.uint64))).permutation(samples)
    first, second = np.sort(order[held:]), np.sort(order[:held])
    return {k: a[first] for k, a in arrays.items()}, {k: a[second] for k, a in arrays.items()}
