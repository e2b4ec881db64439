# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runtime's C ABI for CUDA devices through ctypes, for tests."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import warnings
from pathlib import Path

import numpy as np
import pytest
import raf_rt


ROOT = Path(__file__).parents[3]


def build(target: Path, *sources: Path, options: tuple[str, ...] = ()) -> None:
    """Compiles C++, or skips the test where there is no compiler."""
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if compiler is None:
        reason = "no C++ compiler: set CXX"
        warnings.warn(reason, stacklevel=1)
        pytest.skip(reason)
    subprocess.run([compiler, "-std=c++17", "-O1", f"-I{ROOT}", f"-I{ROOT / 'runtime'}", *options, "-o", target, *sources], check=True)


class Properties(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in ("architecture", "multiprocessors", "memory_bytes", "shared_bytes", "simulated")]


class Counts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in ("launches", "plans", "captures", "replays", "prefetches")]


def declare(lib: ctypes.CDLL) -> ctypes.CDLL:
    i64, pointer, text = ctypes.c_int64, ctypes.c_void_p, ctypes.c_char_p
    signatures = {
        "raf_rt_cuda_open": (i64, [pointer, text, i64]),
        "raf_rt_cuda_info": (text, [text]),
        "raf_rt_cuda_properties": (i64, [pointer, pointer]),
        "raf_rt_cuda_alloc": (i64, [pointer, i64, pointer]),
        "raf_rt_cuda_free": (i64, [pointer, pointer]),
        "raf_rt_cuda_memory": (i64, [pointer, pointer]),
        "raf_rt_cuda_upload": (i64, [pointer, pointer, pointer, i64]),
        "raf_rt_cuda_prefetch": (i64, [pointer, pointer, pointer, i64]),
        "raf_rt_cuda_download": (i64, [pointer, pointer, pointer, i64]),
        "raf_rt_cuda_copy": (i64, [pointer, pointer, pointer, i64]),
        "raf_rt_cuda_fill": (i64, [pointer, pointer, i64, i64]),
        "raf_rt_cuda_synchronize": (i64, [pointer]),
        "raf_rt_cuda_stream": (pointer, [pointer]),
        "raf_rt_cuda_wait_for": (i64, [pointer, pointer]),
        "raf_rt_cuda_let_wait": (i64, [pointer, pointer]),
        "raf_rt_cuda_lost": (i64, [pointer]),
        "raf_rt_cuda_locate": (i64, [pointer, pointer, pointer, pointer]),
        "raf_rt_cuda_add_image": (i64, [pointer, text, i64]),
        "raf_rt_cuda_kernel": (i64, [pointer, i64, text]),
        "raf_rt_cuda_constant": (i64, [pointer, i64, pointer, i64]),
        "raf_rt_cuda_constant_address": (pointer, [pointer, i64]),
        "raf_rt_cuda_launch": (i64, [pointer, i64, pointer, ctypes.c_int32, pointer, ctypes.c_int32]),
        "raf_rt_cuda_read": (i64, [pointer, pointer, pointer, i64]),
        "raf_rt_cuda_use_stream": (i64, [pointer, i64]),
        "raf_rt_cuda_record": (i64, [pointer, i64]),
        "raf_rt_cuda_wait": (i64, [pointer, i64]),
        "raf_rt_cuda_capture": (i64, [pointer, i64, i64]),
        "raf_rt_cuda_count": (i64, [pointer, pointer]),
        "raf_rt_cuda_ops": (i64, [pointer, text, i64]),
        "raf_rt_cuda_op": (None, [pointer, i64]),
        "raf_rt_cuda_group_id": (i64, [pointer, pointer]),
        "raf_rt_cuda_join": (i64, [pointer, pointer, i64, i64]),
        "raf_rt_cuda_supported": (i64, [i64, pointer, i64]),
        "raf_rt_cuda_workspace": (i64, [i64, pointer, i64, pointer]),
        "raf_rt_cuda_buffers": (i64, [i64, pointer, i64, pointer, i64, pointer]),
        "raf_rt_cuda_create": (i64, [pointer, i64, i64, pointer, i64]),
        "raf_rt_cuda_execute": (i64, [pointer, i64, pointer]),
        "raf_rt_cuda_describe": (text, [pointer, i64]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


# ---- encoding: the Python counterpart of raf_cuda_plans.h ----

MATMUL, CONV, CONV_DATA, CONV_WEIGHTS, NORM, NORM_GRAD, POOL, POOL_GRAD, ATTENTION, COLLECTIVE, ATTENTION_GRAD = range(101, 112)
COLLECTIVES = {"all_reduce": 1, "all_gather": 2, "reduce_scatter": 3, "broadcast": 4, "all_to_all": 5, "send": 6, "receive": 7}
REDUCTIONS = {"sum": 1, "product": 2, "max": 3, "min": 4, "mean": 5}
ACTIVATIONS = {None: 0, "relu": 1, "gelu": 2}
BIAS_GRADIENTS = {None: 0, "result": 1, "rhs": 2, "lhs": 3}


def matmul(a, b, c, bias=None, alpha=1.0, beta=0.0, activation=None, gradient=False, aux=False, addend=False, bias_gradient=None, tf32=False, scales=(False, False), workspace=-1):
    return [*raf_rt.header(workspace), *raf_rt.tensor(a), *raf_rt.tensor(b), *raf_rt.tensor(c), *raf_rt.tensor(bias),
            raf_rt._bits(alpha), raf_rt._bits(beta), ACTIVATIONS.get(activation, activation), int(gradient), int(aux), int(addend), BIAS_GRADIENTS.get(bias_gradient, bias_gradient), int(tf32), *map(int, scales)]  # fmt: skip


def convolution(*arguments, tf32=False, **options):
    return [*raf_rt.convolution(*arguments, **options), int(tf32)]


def batch_norm(src, dst, epsilon=1e-5):
    return [*raf_rt.header(), *raf_rt.tensor(src), *raf_rt.tensor(dst), raf_rt._bits(epsilon)]


def attention(q, k, v, out, gradient=None, scale=1.0, bias=None, causal=False):
    return [*raf_rt.header(), *(word for x in (q, k, v, out, gradient, bias) for word in raf_rt.tensor(x)), raf_rt._bits(scale), int(causal)]


def collective(op, type, elements, ranks, reduction="sum", peer=0):
    return [*raf_rt.header(), COLLECTIVES.get(op, op), type, REDUCTIONS[reduction], elements, ranks, peer]


def info(lib: ctypes.CDLL, driver: str) -> dict:
    return json.loads(lib.raf_rt_cuda_info(driver.encode()))


class Device(raf_rt.Runtime):
    """A context with a device."""

    def __init__(self, lib: ctypes.CDLL, driver: str, driver_file: Path | None = None, ordinal: int = 0):
        super().__init__(lib)
        try:
            self.check(lib.raf_rt_cuda_open(self.ctx, driver.encode(), ordinal))
        except raf_rt.RuntimeFailure:
            self.close()
            raise
        self.kernels = 0
        self.driver = driver_file and ctypes.CDLL(str(driver_file))

    def calls(self) -> list[str]:
        """What the fake driver was asked for since the last time."""
        self.driver.fake_calls.restype = ctypes.c_char_p
        return self.driver.fake_calls().decode().split("\n")[:-1]

    def alloc(self, size: int) -> int:
        out = ctypes.c_void_p()
        self.check(self.lib.raf_rt_cuda_alloc(self.ctx, size, ctypes.byref(out)))
        return out.value or 0

    def free(self, address: int) -> None:
        self.check(self.lib.raf_rt_cuda_free(self.ctx, address))

    def upload(self, array: np.ndarray, address: int | None = None, prefetch: bool = False) -> int:
        array = np.ascontiguousarray(array)
        address = self.alloc(array.nbytes) if address is None else address
        function = self.lib.raf_rt_cuda_prefetch if prefetch else self.lib.raf_rt_cuda_upload
        self.check(function(self.ctx, address, array.ctypes.data, array.nbytes))
        return address

    def download(self, address: int, shape, dtype=np.float32) -> np.ndarray:
        array = np.empty(shape, dtype)
        self.check(self.lib.raf_rt_cuda_download(self.ctx, array.ctypes.data, address, array.nbytes))
        return array

    def synchronize(self) -> None:
        self.check(self.lib.raf_rt_cuda_synchronize(self.ctx))

    def upload_view(self, array: np.ndarray) -> int:
        """Uploads the memory that the array is a view of, and returns the address of its first element."""
        base = array
        while isinstance(base.base, np.ndarray):
            base = base.base
        assert base.flags.c_contiguous
        return self.upload(base.reshape(-1).view(np.uint8)) + array.ctypes.data - base.ctypes.data

    def download_view(self, array: np.ndarray, address: int) -> None:
        """The reverse: overwrites the memory that the array is a view of."""
        base = array
        while isinstance(base.base, np.ndarray):
            base = base.base
        data = self.download(address - (array.ctypes.data - base.ctypes.data), base.nbytes, np.uint8)
        base.reshape(-1).view(np.uint8)[:] = data

    # ---- plans, as for oneDNN ----

    def supported(self, kind, words) -> str | None:
        if self.lib.raf_rt_cuda_supported(kind, self.words(words), len(words)):
            return None
        return self.error(context=False)

    def buffer_bytes(self, kind, words) -> list[int]:
        room, count = (ctypes.c_int64 * 64)(), ctypes.c_int64()
        self.check(self.lib.raf_rt_cuda_buffers(kind, self.words(words), len(words), room, 64, ctypes.byref(count)), context=False)
        return list(room[: count.value])

    def create(self, kind, words) -> int:
        self.check(self.lib.raf_rt_cuda_create(self.ctx, self.plans, kind, self.words(words), len(words)))
        self.plans += 1
        return self.plans - 1

    def execute(self, plan, addresses) -> None:
        self.check(self.lib.raf_rt_cuda_execute(self.ctx, plan, (ctypes.c_void_p * len(addresses))(*addresses)))

    def add_image(self, image: bytes) -> None:
        self.check(self.lib.raf_rt_cuda_add_image(self.ctx, image, len(image)))

    def kernel(self, name: str) -> int:
        self.check(self.lib.raf_rt_cuda_kernel(self.ctx, self.kernels, name.encode()))
        self.kernels += 1
        return self.kernels - 1

    def name_ops(self, *ops: tuple[str, str]) -> None:
        """What each op is called, and the nodes that it is for."""
        self.check(self.lib.raf_rt_cuda_ops(self.ctx, "".join(f"{name}\0{nodes}\0" for name, nodes in ops).encode(), len(ops)))

    def enter_op(self, op: int) -> None:
        self.lib.raf_rt_cuda_op(self.ctx, op)

    def launch(self, kernel: int, *arguments, grid=(1, 1, 1), block=(1, 1, 1), shared=0) -> None:
        """Arguments are addresses, or ctypes values. Fails at once outside a step; inside one the step fails."""
        values = [ctypes.c_void_p(a) if isinstance(a, int) else a for a in arguments]
        params = (ctypes.c_void_p * len(values))(*(ctypes.addressof(v) for v in values))
        self.check(self.lib.raf_rt_cuda_launch(self.ctx, kernel, (ctypes.c_int32 * 6)(*grid, *block), shared, params, len(values)))

    def execute_step(self, body, args=(), arena: int | None = None) -> None:
        """Runs body(addresses of args, arena) as a step."""

        def entry(_, table, arena):
            addresses = ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p))
            try:
                body([addresses[i] for i in range(len(args))], arena)
            except raf_rt.RuntimeFailure:
                pass  # the context has it

        table = (ctypes.c_void_p * max(1, len(args)))(*args)
        self.check(self.lib.raf_rt_execute(self.ctx, raf_rt.ENTRY(entry), table, arena))

    def group_id(self) -> bytes:
        identity = ctypes.create_string_buffer(128)
        self.check(self.lib.raf_rt_cuda_group_id(self.ctx, identity))
        return identity.raw

    def join(self, identity: bytes, ranks: int, rank: int) -> None:
        self.check(self.lib.raf_rt_cuda_join(self.ctx, ctypes.create_string_buffer(identity, 128), ranks, rank))

    def counts(self) -> Counts:
        out = Counts()
        self.check(self.lib.raf_rt_cuda_count(self.ctx, ctypes.byref(out)))
        return out
