# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The simulated GPU through the driver's C interface."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import numpy as np

SUCCESS, INVALID_VALUE, OUT_OF_MEMORY, INVALID_IMAGE, INVALID_CONTEXT = 0, 1, 2, 200, 201
INVALID_HANDLE, NOT_FOUND, NOT_READY, ILLEGAL_ADDRESS, LAUNCH_FAILED = 400, 500, 600, 700, 719
CAPTURE_UNSUPPORTED, CAPTURED_EVENT = 900, 907
CAPTURE_INVALIDATED, CAPTURE_UNJOINED, CAPTURE_ISOLATION = 901, 904, 905


def find_library() -> Path | None:
    import raf_rt

    runtime = raf_rt.find_library()
    path = Path(runtime).parent / "cuda_sim" / "libcuda.so.1" if runtime else None
    return path if path and path.exists() else None


class Launch(ctypes.Structure):
    _fields_ = [("kernel", ctypes.c_char_p), ("grid", ctypes.c_int32 * 3), ("block", ctypes.c_int32 * 3)] + [
        (name, ctypes.c_int64) for name in ("loaded", "stored", "distinct_loaded", "distinct_stored", "block_loaded")
    ]


class DriverError(Exception):
    def __init__(self, code, report):
        super().__init__(f"error {code}: {report}")
        self.code, self.report = code, report


class Device:
    """A context from its beginning to its end. Methods raise DriverError for what the driver refuses."""

    def __init__(self, lib: ctypes.CDLL):
        self.lib = lib
        lib.raf_sim_last_report.restype = ctypes.c_char_p
        lib.raf_sim_launches.restype = ctypes.c_int64
        self.open = False
        context = ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.open = True
        self.call("cuCtxSetCurrent", context)

    def close(self) -> str:
        """Ends the context; returns the report of leaks."""
        if self.open:
            self.open = False
            before = self.report
            self.call("cuDevicePrimaryCtxRelease_v2", 0)
            return self.report if self.report != before else ""
        return ""

    @property
    def report(self) -> str:
        return self.lib.raf_sim_last_report().decode()

    def call(self, name, *args):
        code = getattr(self.lib, name)(*args)
        if code:
            raise DriverError(code, self.report)

    def create(self, name, *args) -> int:
        out = ctypes.c_void_p()
        self.call(name, ctypes.byref(out), *args)
        return out.value

    def alloc(self, size: int) -> int:
        return self.create("cuMemAlloc_v2", ctypes.c_size_t(size))

    def free(self, address: int):
        self.call("cuMemFree_v2", ctypes.c_uint64(address))

    def upload(self, array, stream=None, address=None) -> int:
        array = np.ascontiguousarray(array)
        address = address or self.alloc(array.nbytes)
        self.call("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(address), ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes), ctypes.c_void_p(stream))
        return address

    def download(self, address: int, shape, dtype=np.float32, stream=None):
        array = np.empty(shape, dtype)
        self.call("cuMemcpyDtoHAsync_v2", ctypes.c_void_p(array.ctypes.data), ctypes.c_uint64(address), ctypes.c_size_t(array.nbytes), ctypes.c_void_p(stream))
        return array

    def copy(self, to: int, source: int, size: int, stream=None):
        self.call("cuMemcpyDtoDAsync_v2", ctypes.c_uint64(to), ctypes.c_uint64(source), ctypes.c_size_t(size), ctypes.c_void_p(stream))

    def fill(self, to: int, byte: int, size: int, stream=None):
        self.call("cuMemsetD8Async", ctypes.c_uint64(to), ctypes.c_ubyte(byte), ctypes.c_size_t(size), ctypes.c_void_p(stream))

    def stream(self, flags=1) -> int:
        return self.create("cuStreamCreate", flags)

    def event(self) -> int:
        return self.create("cuEventCreate", 0)

    def record(self, event, stream):
        self.call("cuEventRecord", ctypes.c_void_p(event), ctypes.c_void_p(stream))

    def wait(self, stream, event):
        self.call("cuStreamWaitEvent", ctypes.c_void_p(stream), ctypes.c_void_p(event), 0)

    def synchronize(self, stream=None):
        self.call("cuStreamSynchronize", ctypes.c_void_p(stream)) if stream else self.call("cuCtxSynchronize")

    def destroy(self, kind: str, handle):
        self.call({"stream": "cuStreamDestroy_v2", "event": "cuEventDestroy_v2", "graph": "cuGraphDestroy", "exec": "cuGraphExecDestroy"}[kind], ctypes.c_void_p(handle))

    def load(self, image: bytes) -> int:
        self.image = ctypes.create_string_buffer(image, len(image))
        return self.create("cuModuleLoadDataEx", self.image, 0, None, None)

    def launch(self, module: int, name: str, grid, block, args, shared=0, stream=None):
        function = self.create("cuModuleGetFunction", ctypes.c_void_p(module), name.encode())
        values = [ctypes.c_int32(int(a)) if isinstance(a, np.int32) else ctypes.c_uint64(a) for a in args]
        params = (ctypes.c_void_p * max(len(values), 1))(*[ctypes.addressof(v) for v in values])
        grid, block = (tuple(d) + (1,) * (3 - len(d)) for d in (grid, block))
        self.call("cuLaunchKernel", ctypes.c_void_p(function), *grid, *block, shared, ctypes.c_void_p(stream), params, None)

    def record_launches(self, on: bool):
        self.lib.raf_sim_record_launches(int(on))

    def launches(self) -> list[Launch]:
        count = self.lib.raf_sim_launches(None, ctypes.c_int64(0))
        out = (Launch * max(count, 1))()
        self.lib.raf_sim_launches(out, ctypes.c_int64(count))
        return list(out[:count])


def load_library(path: Path | None = None) -> ctypes.CDLL:
    return ctypes.CDLL(str(path or find_library()), mode=os.RTLD_LOCAL | os.RTLD_NOW)
