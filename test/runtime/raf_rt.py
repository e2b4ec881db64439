# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runtime's C ABI through ctypes, for tests and benchmarks. The only place that knows where the library is."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import struct
from pathlib import Path

import numpy as np

NAME = "libraf_runtime.so"
SCHEMA = 3
OK, INVALID, UNSUPPORTED, OUT_OF_MEMORY, FAILED = range(5)
MATMUL, CONV, CONV_DATA, CONV_WEIGHTS, POOL, POOL_BACKWARD, NORM, NORM_BACKWARD, REORDER = range(1, 10)
AUTO, PLAIN, ANY = range(3)
TYPES = {"f32": 1, "f64": 2, "bf16": 3, "f16": 4, "i32": 5, "i8": 6, "u8": 7, "f8E4M3FN": 8, "f8E5M2": 9}
POST_OPS = {
    "relu": 1, "gelu_erf": 2, "gelu_tanh": 3, "tanh": 4, "logistic": 5, "swish": 6, "linear": 7, "clip": 8, "elu": 9,
    "hardswish": 10, "add": 20, "sub": 21, "mul": 22, "sum": 30,
}  # fmt: skip
BODY = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
ENTRY = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


def find_library() -> Path | None:
    """RAF_RUNTIME_LIBRARY; the library inside the package raf (installed, or of a build tree on sys.path); that of a build
    of the runtime alone. None if there is none of them."""
    if named := os.environ.get("RAF_RUNTIME_LIBRARY"):
        return Path(named).absolute()
    spec = importlib.util.find_spec("raf")
    places = [Path(root) / "_mlir" / "_mlir_libs" for root in (spec and spec.submodule_search_locations) or []]
    places.append(Path(os.environ.get("RAF_BUILD_DIR", Path(__file__).parents[2] / "build")) / "runtime")
    return next((place / NAME for place in places if (place / NAME).exists()), None)


class Stats(ctypes.Structure):
    _fields_ = [("current", ctypes.c_int64), ("peak", ctypes.c_int64), ("allocations", ctypes.c_int64)]


class Record(ctypes.Structure):
    _fields_ = [("op", ctypes.c_int64), ("start", ctypes.c_int64), ("end", ctypes.c_int64), ("thread", ctypes.c_int64)]


def load(path: Path) -> ctypes.CDLL:
    lib = ctypes.CDLL(str(path))
    i64, pointer = ctypes.c_int64, ctypes.c_void_p
    signatures = {
        "raf_rt_abi_version": (i64, []),
        "raf_rt_info": (ctypes.c_char_p, []),
        "raf_rt_context_create": (i64, [pointer]),
        "raf_rt_context_destroy": (None, [pointer]),
        "raf_rt_last_error": (ctypes.c_char_p, [pointer]),
        "raf_rt_set_num_threads": (i64, [i64]),
        "raf_rt_get_num_threads": (i64, []),
        "raf_rt_use_num_threads": (i64, [i64]),
        "raf_rt_parallel_for": (None, [pointer, BODY, pointer, i64, i64]),
        "raf_rt_alloc": (i64, [pointer, i64, pointer]),
        "raf_rt_free": (i64, [pointer, pointer]),
        "raf_rt_memory": (i64, [pointer]),
        "raf_rt_memory_reset_peak": (None, []),
        "raf_rt_execute": (i64, [pointer, pointer, pointer, pointer]),
        "raf_rt_profile_enable": (i64, [pointer, i64]),
        "raf_rt_profile_begin": (None, [pointer, i64]),
        "raf_rt_profile_end": (None, [pointer, i64]),
        "raf_rt_profile_read": (i64, [pointer, pointer, i64, pointer, pointer]),
        "raf_rt_dnnl_supported": (i64, [i64, pointer, i64]),
        "raf_rt_dnnl_workspace": (i64, [i64, pointer, i64, pointer]),
        "raf_rt_dnnl_buffers": (i64, [i64, pointer, i64, pointer, i64, pointer]),
        "raf_rt_dnnl_packed": (i64, [i64, pointer, i64, pointer, i64, pointer]),
        "raf_rt_dnnl_create": (i64, [pointer, i64, i64, pointer, i64]),
        "raf_rt_dnnl_execute": (i64, [pointer, i64, pointer]),
        "raf_rt_dnnl_describe": (ctypes.c_char_p, [pointer, i64]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


# ---- encoding: the Python counterpart of raf_dnnl.h ----


def _bits(value: float) -> int:
    return struct.unpack("<q", struct.pack("<d", value))[0]


def _vector(values) -> list[int]:
    return [len(values), *(int(v) for v in values)]


def type_of(array: np.ndarray) -> int:
    name = array.dtype.name
    return TYPES[{"float32": "f32", "float64": "f64", "bfloat16": "bf16", "float16": "f16", "int32": "i32", "int8": "i8",
                  "uint8": "u8", "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2"}[name]]  # fmt: skip


class Packed:
    """Weights in a layout of the library: the words that describe it, and the bytes."""

    def __init__(self, layout: list[int], size: int):
        self.layout, self.bytes = layout, aligned(size)

    @property
    def ctypes(self):
        return self.bytes.ctypes


class Part:
    """A view of an array, described from the array's first element on."""

    def __init__(self, whole: np.ndarray, view: np.ndarray):
        self.view, self.ctypes = view, whole.ctypes
        self.offset = (view.ctypes.data - whole.ctypes.data) // whole.itemsize


def tensor(array: np.ndarray | Packed | Part | None) -> list[int]:
    """The description of a numpy array as it lies in memory."""
    if array is None:
        return [TYPES["f32"], 0, 0, 0, 0, 0]
    if isinstance(array, Packed):
        return array.layout
    if isinstance(array, Part):
        return [*tensor(array.view)[:-1], array.offset]
    return [type_of(array), *_vector(array.shape), *_vector([s // array.itemsize for s in array.strides]), 0, 0, 0]


def post_ops(ops) -> list[int]:
    words = [len(ops)]
    for name, alpha, beta, operand in ops:
        words += [POST_OPS[name], _bits(alpha), _bits(beta), *tensor(operand)]
    return words


def op(name, alpha=0.0, beta=0.0, operand=None):
    return (name, alpha, beta, operand)


def header(workspace=-1) -> list[int]:
    return [SCHEMA, workspace]


def matmul(a, b, c, bias=None, ops=(), pack=AUTO, workspace=-1) -> list[int]:
    return [*header(workspace), *tensor(a), *tensor(b), *tensor(c), *tensor(bias), *post_ops(ops), pack]


def convolution(src, weights, dst, strides, dilations, begin, end, groups=1, bias=None, ops=(), activations=AUTO):
    return [*header(), *tensor(src), *tensor(weights), *tensor(dst), *tensor(bias), groups, *_vector(strides),
            *_vector(dilations), *_vector(begin), *_vector(end), *post_ops(ops), activations]  # fmt: skip


def pooling(mode, src, dst, window, strides, dilations, begin, end, indices=False):
    return [*header(), mode, *tensor(src), *tensor(dst), *_vector(window), *_vector(strides), *_vector(dilations),
            *_vector(begin), *_vector(end), int(indices)]  # fmt: skip


def batch_norm(src, dst, epsilon=1e-5, relu=False):
    return [*header(), *tensor(src), *tensor(dst), _bits(epsilon), int(relu)]


def reorder(src, dst):
    return [*header(), *tensor(src), *tensor(dst)]


class RuntimeFailure(Exception):
    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


class Runtime:
    """A context and what tests do with it."""

    def __init__(self, lib: ctypes.CDLL):
        self.lib = lib
        self.ctx = ctypes.c_void_p()
        assert lib.raf_rt_context_create(ctypes.byref(self.ctx)) == OK
        self.plans = 0

    def close(self) -> None:
        self.lib.raf_rt_context_destroy(self.ctx)

    def error(self, context=True) -> str:
        return self.lib.raf_rt_last_error(self.ctx if context else None).decode()

    def check(self, status: int, context=True) -> None:
        if status != OK:
            raise RuntimeFailure(status, self.error(context))

    @staticmethod
    def words(values) -> ctypes.Array:
        return (ctypes.c_int64 * max(1, len(values)))(*values)

    def supported(self, kind, words) -> str | None:
        """None, or why not."""
        if self.lib.raf_rt_dnnl_supported(kind, self.words(words), len(words)):
            return None
        return self.error(context=False)

    def buffer_bytes(self, kind, words) -> list[int]:
        room, count = (ctypes.c_int64 * 64)(), ctypes.c_int64()
        status = self.lib.raf_rt_dnnl_buffers(kind, self.words(words), len(words), room, 64, ctypes.byref(count))
        self.check(status, context=False)
        return list(room[: count.value])

    def workspace(self, kind, words) -> int:
        result = ctypes.c_int64()
        status = self.lib.raf_rt_dnnl_workspace(kind, self.words(words), len(words), ctypes.byref(result))
        self.check(status, context=False)
        return result.value

    def packed(self, kind, words) -> list[int]:
        """The layout in which the plan would not copy its weights, or nothing."""
        room, length = (ctypes.c_int64 * 64)(), ctypes.c_int64()
        self.check(self.lib.raf_rt_dnnl_packed(kind, self.words(words), len(words), room, 64, ctypes.byref(length)), context=False)
        return list(room[: length.value])

    def pack(self, weights: np.ndarray, layout: list[int]) -> Packed:
        """The weights in that layout."""
        size = self.buffer_bytes(REORDER, reorder(weights, Packed(layout, 0)))[1]
        result = Packed(layout, size)
        self.run(REORDER, reorder(weights, result), [weights, result])
        return result

    def create(self, kind, words) -> int:
        self.check(self.lib.raf_rt_dnnl_create(self.ctx, self.plans, kind, self.words(words), len(words)))
        self.plans += 1
        return self.plans - 1

    def execute(self, plan, buffers) -> None:
        pointers = (ctypes.c_void_p * len(buffers))(*(address(b) for b in buffers))
        self.check(self.lib.raf_rt_dnnl_execute(self.ctx, plan, pointers))

    def describe(self, plan) -> str:
        return self.lib.raf_rt_dnnl_describe(self.ctx, plan).decode()

    def run(self, kind, words, buffers) -> str:
        """Creates a plan, runs it on the buffers plus a workspace; returns its description."""
        sizes = self.buffer_bytes(kind, words)
        assert len(sizes) == len(buffers) + 1, f"{len(sizes) - 1} buffers expected, {len(buffers)} given"
        assert sizes[-1] == self.workspace(kind, words)
        plan = self.create(kind, words)
        self.execute(plan, [*buffers, aligned(sizes[-1])])
        return self.describe(plan)

    def memory(self) -> Stats:
        stats = Stats()
        self.check(self.lib.raf_rt_memory(ctypes.byref(stats)), context=False)
        return stats


def address(buffer) -> int | None:
    return None if buffer is None else buffer.ctypes.data


def aligned(size: int) -> np.ndarray:
    """A 64-byte aligned byte buffer, filled so that a use of what nobody wrote shows."""
    raw = np.full(size + 64, 0xFF, dtype=np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size]
