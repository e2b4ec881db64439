# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The stand-in for cuBLASLt called as the runtime would if it were wrong."""

from __future__ import annotations

import ctypes
import os
import re
from pathlib import Path

import numpy as np
import pytest
import raf_cuda as C

INVALID, UNSUPPORTED = 7, 15
F32, F64, F16, BF16, E4M3, E5M2 = 0, 1, 2, 14, 28, 29
COMPUTE_F32, COMPUTE_F64 = 68, 70
TRANS_A, TRANS_B, EPILOGUE, BIAS, AUX, AUX_LD, SCALE_A, SCALE_B = 3, 4, 7, 8, 11, 12, 17, 18
BATCH, STRIDE = 5, 6


class Heuristic(ctypes.Structure):
    _fields_ = [("algo", ctypes.c_uint64 * 8), ("workspace", ctypes.c_size_t), ("state", ctypes.c_int), ("waves", ctypes.c_float), ("reserved", ctypes.c_int * 4)]


class Library:
    def __init__(self, sim):
        self.sim = sim
        self.lib = ctypes.CDLL(C.info(sim.lib, "cuda-sim")["libraries"]["cuBLASLt"]["file"], os.RTLD_LOCAL)
        self.lib.raf_sim_cublaslt_complaint.restype = ctypes.c_char_p
        self.handle = ctypes.c_void_p()
        assert self.lib.cublasLtCreate(ctypes.byref(self.handle)) == 0

    def desc(self, compute=COMPUTE_F32, scale=F32, **attributes):
        out = ctypes.c_void_p()
        assert self.lib.cublasLtMatmulDescCreate(ctypes.byref(out), compute, scale) == 0
        for name, value in attributes.items():
            typed = ctypes.c_int64(value) if name in ("BIAS", "AUX", "AUX_LD", "SCALE_A", "SCALE_B") else ctypes.c_int32(value)
            assert self.lib.cublasLtMatmulDescSetAttribute(out, globals()[name], ctypes.byref(typed), ctypes.c_size_t(ctypes.sizeof(typed))) == 0
        return out

    def layout(self, rows, columns, ld, type=F32, batch=1, stride=0):
        out = ctypes.c_void_p()
        assert self.lib.cublasLtMatrixLayoutCreate(ctypes.byref(out), type, ctypes.c_uint64(rows), ctypes.c_uint64(columns), ctypes.c_int64(ld)) == 0
        for attribute, value in ((BATCH, ctypes.c_int32(batch)), (STRIDE, ctypes.c_int64(stride))):
            assert self.lib.cublasLtMatrixLayoutSetAttribute(out, attribute, ctypes.byref(value), ctypes.c_size_t(ctypes.sizeof(value))) == 0
        return out

    def choose(self, desc, a, b, c, d, workspace=1 << 20):
        preference, result, count = ctypes.c_void_p(), Heuristic(), ctypes.c_int()
        assert self.lib.cublasLtMatmulPreferenceCreate(ctypes.byref(preference)) == 0
        size = ctypes.c_uint64(workspace)
        assert self.lib.cublasLtMatmulPreferenceSetAttribute(preference, 1, ctypes.byref(size), ctypes.c_size_t(8)) == 0
        status = self.lib.cublasLtMatmulAlgoGetHeuristic(self.handle, desc, a, b, c, d, preference, 1, ctypes.byref(result), ctypes.byref(count))
        return status, result, self.lib.raf_sim_cublaslt_complaint().decode()

    def multiply(self, desc, layouts, addresses, chosen, workspace, bytes):
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        (a, b, c, d), (pa, pb, pd) = layouts, map(ctypes.c_void_p, addresses)
        status = self.lib.cublasLtMatmul(
            self.handle, desc, ctypes.byref(one), pa, a, pb, b, ctypes.byref(zero), pd, c, pd, d, ctypes.byref(chosen.algo),
            ctypes.c_void_p(workspace), ctypes.c_size_t(bytes), ctypes.c_void_p(self.sim.lib.raf_rt_cuda_stream(self.sim.ctx)))  # fmt: skip
        return status, self.lib.raf_sim_cublaslt_complaint().decode()


@pytest.fixture
def lt(sim):
    return Library(sim)


@pytest.mark.parametrize(
    "desc,layouts,status,complaint",
    [
        ({}, ((4, 6, 3), (6, 5, 6), (4, 5, 4)), INVALID, "A is 4x6 (leading dimension 3): the leading dimension is less than the rows"),
        ({}, ((4, 6, 4), (5, 6, 5), (4, 5, 4)), INVALID, "does not give C and D"),
        ({"TRANS_A": 1}, ((4, 6, 4), (6, 5, 6), (4, 5, 4)), INVALID, "does not give C and D"),
        ({}, ((4, 6, 4), (6, 5, 6), (4, 5, 4, F32, 3, 10)), INVALID, "matrices of the batch overlap, 10 apart, 20 long"),
        ({}, ((4, 6, 4), (6, 5, 6), (4, 5, 4, F32, 3, 20)), INVALID, "different batch counts"),
        ({}, ((4, 6, 4, F16), (6, 5, 6), (4, 5, 4)), UNSUPPORTED, "one type each"),
        ({"compute": COMPUTE_F64}, ((4, 6, 4), (6, 5, 6), (4, 5, 4)), UNSUPPORTED, "scale type"),
        ({"EPILOGUE": 3}, ((4, 6, 4), (6, 5, 6), (4, 5, 4)), INVALID, "unknown epilogue 3"),
        ({"EPILOGUE": 4}, ((4, 6, 4), (6, 5, 6), (4, 5, 4)), INVALID, "needs a bias, and its pointer is null"),
        ({"EPILOGUE": 130}, ((4, 6, 4), (6, 5, 6), (4, 5, 4)), INVALID, "needs an auxiliary buffer"),
        ({"EPILOGUE": 130, "AUX": 256, "AUX_LD": 64}, ((4, 6, 4), (6, 5, 6), (4, 5, 4)), INVALID, "must be a multiple of 128 and at least 4, got 64"),
        ({"EPILOGUE": 4, "BIAS": 258}, ((4, 6, 4), (6, 5, 6), (4, 5, 4)), INVALID, "the bias is not aligned to its elements"),
        ({"EPILOGUE": 160, "AUX": 258, "AUX_LD": 8}, ((4, 6, 4), (6, 5, 6), (4, 5, 4)), INVALID, "the auxiliary buffer is not aligned to its elements"),
        ({"EPILOGUE": 160, "AUX": 256, "AUX_LD": 4}, ((4, 6, 4), (6, 5, 6), (4, 5, 4)), INVALID, "must be a multiple of 8 and at least 4, got 4"),
        ({"compute": COMPUTE_F64, "scale": F64, "EPILOGUE": 4, "BIAS": 256}, ((4, 6, 4, F64), (6, 5, 6, F64), (4, 5, 4, F64)), UNSUPPORTED, "f64 has no epilogues"),
        ({"TRANS_A": 1}, ((16, 16, 16, E5M2), (16, 5, 16, E5M2), (16, 5, 16, BF16)), UNSUPPORTED, "one of them e4m3"),
        ({"TRANS_A": 1}, ((16, 16, 16, E4M3), (16, 5, 16, BF16), (16, 5, 16, BF16)), UNSUPPORTED, "must both have 8 bits"),
        ({"TRANS_A": 1}, ((16, 16, 16, E4M3), (16, 5, 16, E4M3), (16, 5, 16, E4M3)), UNSUPPORTED, "one type of 16 or 32 bits"),
        ({}, ((16, 16, 16, E4M3), (16, 5, 16, E4M3), (16, 5, 16, BF16)), UNSUPPORTED, "want A transposed and B not"),
        ({"TRANS_A": 1, "TRANS_B": 1}, ((16, 16, 16, E4M3), (5, 16, 16, E4M3), (16, 5, 16, BF16)), UNSUPPORTED, "want A transposed and B not"),
        ({"TRANS_A": 1}, ((24, 16, 32, E4M3), (24, 5, 32, E4M3), (16, 5, 16, BF16)), UNSUPPORTED, "A of a product of 8 bits is 24x16 (leading dimension 32): not multiples of 16 bytes"),
        ({"TRANS_A": 1}, ((16, 16, 16, E4M3), (16, 5, 24, E4M3), (16, 5, 16, BF16)), UNSUPPORTED, "B of a product of 8 bits is 16x5 (leading dimension 24)"),
        ({"TRANS_A": 1}, ((16, 12, 16, E4M3), (16, 5, 16, E4M3), (12, 5, 16, BF16)), UNSUPPORTED, "C of a product of 8 bits is 12x5"),
        ({"TRANS_A": 1, "EPILOGUE": 2}, ((16, 16, 16, E4M3), (16, 5, 16, E4M3), (16, 5, 16, F32)), UNSUPPORTED, "no epilogue of that type"),
        ({"TRANS_A": 1, "SCALE_B": 258}, ((16, 16, 16, E4M3), (16, 5, 16, E4M3), (16, 5, 16, F32)), INVALID, "a scale is not aligned to its float"),
        ({"SCALE_A": 256}, ((4, 6, 4), (6, 5, 6), (4, 5, 4)), INVALID, "scales are for matrices of 8 bits"),
    ],
)  # fmt: skip
def test_descriptors_that_do_not_fit(lt, desc, layouts, status, complaint):
    a, b, d = (lt.layout(*layout) for layout in layouts)
    got, _, text = lt.choose(lt.desc(**desc), a, b, d, d)
    assert got == status and complaint in text


def test_attributes_of_a_wrong_size(lt):
    value = ctypes.c_int64(1)
    assert lt.lib.cublasLtMatmulDescSetAttribute(lt.desc(), TRANS_A, ctypes.byref(value), ctypes.c_size_t(8)) == INVALID
    assert lt.lib.cublasLtMatmulDescSetAttribute(lt.desc(), 999, ctypes.byref(value), ctypes.c_size_t(8)) == INVALID


def test_executions_that_do_not_fit_the_choice(lt):
    desc, layouts = lt.desc(), [lt.layout(4, 6, 4), lt.layout(6, 5, 6), lt.layout(4, 5, 4), lt.layout(4, 5, 4)]
    status, chosen, _ = lt.choose(desc, *layouts)
    assert status == 0 and chosen.workspace == 2 * 4 * 4 * 5
    a, b = np.arange(24, dtype=np.float32).reshape(6, 4), np.arange(30, dtype=np.float32).reshape(5, 6)
    addresses = [lt.sim.upload(a), lt.sim.upload(b), lt.sim.alloc(256)]
    space = lt.sim.alloc(256)
    status, text = lt.multiply(desc, layouts, addresses, chosen, space, chosen.workspace - 1)
    assert status == INVALID and "needs a workspace of 160 bytes, got 159" in text
    status, text = lt.multiply(desc, layouts, addresses, chosen, space + 8, 200)
    assert status == INVALID and "not aligned to 16 bytes" in text
    status, text = lt.multiply(desc, layouts, [addresses[0] + 4, *addresses[1:]], chosen, space, 200)
    assert status == INVALID and "A is not aligned to the 256 bytes" in text
    other = [lt.layout(4, 6, 5), *layouts[1:]]
    status, text = lt.multiply(desc, other, addresses, chosen, space, 200)
    assert status == INVALID and "chosen for another product" in text
    assert lt.multiply(desc, layouts, addresses, chosen, space, 200)[0] == 0
    np.testing.assert_array_equal(lt.sim.download(addresses[2], (5, 4)), b @ a)


@pytest.mark.parametrize("pointer,name", [("BIAS", "the bias"), ("AUX", "the auxiliary buffer")])
def test_pointers_less_aligned_than_when_the_algorithm_was_chosen(lt, pointer, name):
    layouts, space = [lt.layout(4, 6, 4), lt.layout(6, 5, 6), lt.layout(4, 5, 4), lt.layout(4, 5, 4)], lt.sim.alloc(256)
    extra = lt.sim.upload(np.zeros(64, np.float32))
    attributes = {"EPILOGUE": 164, "BIAS": extra, "AUX": extra + 64, "AUX_LD": 8}
    status, chosen, _ = lt.choose(lt.desc(**attributes), *layouts)
    assert status == 0
    addresses = [lt.sim.upload(np.zeros(30, np.float32)) for _ in range(3)]
    status, text = lt.multiply(lt.desc(**{**attributes, pointer: attributes[pointer] + 4}), layouts, addresses, chosen, space, 256)
    assert status == INVALID and f"{name} is not aligned to the 16 bytes that it had" in text


def test_the_declarations_are_complete():
    """Each entry point that the runtime asks for is in the stand-in."""
    root = Path(__file__).parents[3] / "runtime"
    wanted = set(re.findall(r"X\((cublasLt\w+),", (root / "cuda" / "CublasLt.h").read_text()))
    sources = "".join(f.read_text() for f in (root / "cuda_sim" / "cublaslt").glob("*.cpp"))
    assert wanted and wanted <= set(re.findall(r"LT_ENTRY \S+ (cublasLt\w+)\(", sources))
