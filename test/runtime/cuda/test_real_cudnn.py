# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the runtime asks of cuDNN, asked of the real library where that is: pip install nvidia-cudnn-cu13 nvidia-cublas nvidia-cuda-nvrtc nvidia-cuda-runtime (1 GB). It needs no
device: cuDNN chooses engines for the properties of one, and compiles their kernels. Nothing runs. RAF_TEST_SLOW=1: some of that takes seconds."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import raf_cuda as C
import raf_rt as R

pytestmark = pytest.mark.slow
BF16 = ml_dtypes.bfloat16
SHARED = {
    "cudaDeviceId": 0, "driverVer": 13000, "maxGridSize": [2**31 - 1, 65535, 65535], "maxBlockSize": [1024, 1024, 64], "regsPerBlock": 65536, "warpSize": 32, "maxSharedMemoryPerBlock": 49152,
    "reservedSharedMemoryPerBlock": 1024, "maxRegistersPerSM": 65536, "maxCtasPerSM": 32, "maxThreadsPerBlock": 1024, "maxThreadsPerSM": 2048, "isTccDriver": 0, "supportCoopLaunch": 1,
}  # fmt: skip
DEVICES = {
    "sm_80": {"deviceName": "NVIDIA A100-SXM4-80GB", "deviceVer": 800, "multiProcessorCount": 108, "maxSharedMemoryPerBlockOptin": 166912, "totalGlobalMem": 80 * 10**9, "pciDeviceId": 0x20B2,
              "smClockRateKHz": 1410000, "memClockRateKHz": 1593000, "l2CacheSize": 40 << 20},
    "sm_90": {"deviceName": "NVIDIA H200", "deviceVer": 900, "multiProcessorCount": 132, "maxSharedMemoryPerBlockOptin": 232448, "totalGlobalMem": 141 * 10**9, "pciDeviceId": 0x2335,
              "smClockRateKHz": 1980000, "memClockRateKHz": 3201000, "l2CacheSize": 60 << 20},
    "sm_100": {"deviceName": "NVIDIA B200", "deviceVer": 1000, "multiProcessorCount": 148, "maxSharedMemoryPerBlockOptin": 232448, "totalGlobalMem": 180 * 10**9, "pciDeviceId": 0x2901,
               "smClockRateKHz": 1965000, "memClockRateKHz": 3996000, "l2CacheSize": 126 << 20},
}  # fmt: skip
WORKER = """
import ctypes, json, sys
sys.path[:0] = sys.argv[1:3]
import raf_rt as R, raf_cuda as C
device = C.Device(C.declare(R.load(sys.argv[3])), "cuda")
for kind, words in json.load(sys.stdin):
    try:
        device.create(kind, words)
        print(json.dumps(""), flush=True)
    except R.RuntimeFailure as failure:
        print(json.dumps(str(failure)), flush=True)
"""


def packages() -> list[Path]:
    spec = importlib.util.find_spec("nvidia")
    return [Path(root) for root in spec.submodule_search_locations or []] if spec else []


def find(pattern: str) -> Path:
    found = [path for root in packages() for path in root.glob(pattern)]
    if not found:
        pytest.skip(f"no {pattern} among the packages of NVIDIA: see the top of this file")
    return found[0]


@pytest.fixture(scope="module")
def ask(lib, tmp_path_factory):
    """Makes plans for a device; why each fails, or ''."""
    folder = tmp_path_factory.mktemp("real")
    header, cudnn = find("*/include/cuda.h"), find("cudnn/lib/libcudnn.so.9")
    # All that the library looks for in a driver; nothing of it is there.
    names = sorted(set(re.findall(r"CUDAAPI\s+(cu\w+)\s*\(|#define\s+cu\w+\s+(cu\w+_v\d+\w*)", header.read_text())))
    loads = ("cuLibraryLoadData", "cuLibraryGetKernel", "cuKernelGetFunction")
    stub = "".join(f"__attribute__((weak)) int {a or b}(void **out) {{ {'*out = out; return 0' if (a or b) in loads else 'return 100'}; }}\n" for a, b in names)
    (folder / "stub.cpp").write_text(f'extern "C" {{\n{stub}}}\n')
    options = ("-shared", "-fPIC", "-w")
    C.build(folder / "libcuda.so.1", Path(__file__).with_name("fake_driver.cpp"), folder / "stub.cpp", options=(*options, "-Wl,-soname,libcuda.so.1"))
    C.build(folder / "libcudnn.so.9", Path(__file__).with_name("real_cudnn.cpp"), options=(*options, "-ldl"))
    places = [folder, *(path.parent for path in (cudnn, find("*/lib/libcublasLt.so.13"), find("*/lib/libnvrtc.so.13"), find("*/lib/libcudart.so.13")))]

    def run(chip, plans):
        environment = {**os.environ, "RAF_CUDA_PATH": str(folder), "RAF_CACHE_DIR": "0", "LD_LIBRARY_PATH": ":".join(map(str, places)), "REAL_CUDNN": str(cudnn),
                       "REAL_CUDNN_DEVICE": json.dumps({**SHARED, **DEVICES[chip]})}  # fmt: skip
        here = Path(__file__).parent
        done = subprocess.run([sys.executable, "-c", WORKER, here, here.parent, R.find_library()], input=json.dumps([[kind, list(map(int, words))] for kind, words in plans]),
                              capture_output=True, text=True, env=environment, check=False)  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


def placed(shape, dtype, last):
    """Zeros, which take no memory before they are written."""
    if not last:
        return np.zeros(shape, dtype)
    return np.moveaxis(np.zeros((shape[0], *shape[2:], shape[1]), dtype), -1, 1)


def convolution(channels, size, window, stride, last, types, groups=1, batch=8, **options):
    out = (size + window // 2 * 2 - window) // stride + 1
    tensors = [placed(shape, dtype, last) for shape, dtype in zip([(batch, channels[0], size, size), (channels[1], channels[0] // groups, window, window), (batch, channels[1], out, out)], types)]
    return C.convolution(*tensors, (stride, stride), (1, 1), (window // 2,) * 2, (window // 2,) * 2, groups, **options)


KINDS = {C.CONV: 2, C.CONV_DATA: 0, C.CONV_WEIGHTS: 1}  # and which of the tensors is the result


def sums(kind, dtype):
    types = [dtype] * 3
    types[KINDS[kind]] = np.float32
    return types


@pytest.mark.parametrize("chip", DEVICES)
def test_convolutions_of_one_type(ask, chip):
    shapes = [((64, 128), 28, 3, 1), ((3, 64), 56, 7, 2), ((64, 256), 14, 1, 2)]
    plans = [(kind, convolution(*shape, last, [dtype] * 3)) for kind in KINDS for shape in shapes for last in (False, True) for dtype in (np.float32, BF16)]
    assert ask(chip, plans) == [""] * len(plans)


@pytest.mark.parametrize("chip", DEVICES)
def test_sums_of_16_bit_products_in_f32(ask, chip):
    shapes = [((64, 128), 28, 3, 1), ((6, 10), 20, 3, 1), ((64, 256), 14, 1, 2), ((8, 24), 9, 5, 2)]
    plans = [(kind, convolution(*shape, True, sums(kind, dtype))) for kind in KINDS for shape in shapes for dtype in (BF16, np.float16)]
    assert ask(chip, plans) == [""] * len(plans)


@pytest.mark.parametrize("chip", DEVICES)
def test_what_follows_a_convolution(ask, chip):
    plans = []
    for dtype in (BF16, np.float16, np.float32):
        for activation in (None, "relu", "gelu_erf", "gelu_tanh", "tanh", "logistic", "swish"):
            bias, addend = np.zeros(64, dtype), placed((8, 64, 14, 14), dtype, True)
            ops = [R.op("add", operand=addend)] + ([R.op(activation, 1.0 if activation == "swish" else 0.0)] if activation else [])
            plans.append((C.CONV, convolution((32, 64), 14, 3, 1, True, [dtype] * 3, bias=bias, ops=ops, tf32=dtype is np.float32)))
    assert ask(chip, plans) == [""] * len(plans)


@pytest.mark.parametrize("chip", DEVICES)
def test_norms_and_pools(ask, chip):
    norms = [(np.float32, (8, 4, 10, 10)), (np.float32, (6, 20, 7)), (BF16, (8, 24, 10, 10)), (np.float16, (4, 8, 3, 4, 5))]
    plans = [(kind, C.batch_norm(*[placed(shape, dtype, True)] * 2)) for kind in (C.NORM, C.NORM_GRAD) for dtype, shape in norms]
    for dtype in (np.float32, BF16, np.float16):
        for channels in (5, 8):
            for mode in (1, 2, 3):
                tensors = [placed((4, channels, size, size), dtype, True) for size in (12, 6)]
                words = R.pooling(mode, *tensors, (2, 2), (2, 2), (1, 1), (0, 0), (0, 0), indices=mode == 1 and dtype is not np.float32)
                plans += [(kind, words) for kind in ((C.POOL,) if dtype is np.float32 else (C.POOL, C.POOL_GRAD))]
    assert ask(chip, plans) == [""] * len(plans)


@pytest.mark.parametrize("chip", DEVICES)
def test_attention(ask, chip):
    """Its gradient is for another chip, which raf-dispatch knows."""
    q, wide = np.zeros((2, 4, 128, 64), BF16), np.zeros((1, 4, 128, 128), BF16)
    plans = [(C.ATTENTION, C.attention(q, q, q, q, bias=bias, causal=causal)) for bias in (None, wide) for causal in (False, True)]
    *forward, gradient = ask(chip, [*plans, (C.ATTENTION_GRAD, C.attention(q, q, q, q, q))])
    assert forward == [""] * len(plans) and "no engine for cudnn.attention_grad" in gradient
