# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Planted faults: each is reported, with the kernel, the source and the thread."""

from __future__ import annotations

import ctypes
import re
import time
from pathlib import Path

import cuda_sim
import numpy as np
import pytest

N = 32


def fails(device, code, *patterns):
    with pytest.raises(cuda_sim.DriverError) as error:
        device.synchronize()
    assert error.value.code == code
    for pattern in patterns:
        assert re.search(pattern, error.value.report), error.value.report
    # The context is lost, as a GPU's is.
    with pytest.raises(cuda_sim.DriverError) as again:
        device.alloc(4)
    assert again.value.code == code


def vector(device, n=N):
    return device.upload(np.arange(n, dtype=np.float32))


def test_out_of_bounds_by_one(device, kernels):
    a, b = vector(device), device.alloc(4 * N + 4)
    device.launch(kernels, "add_one", (2,), (32,), [a, b, np.int32(N + 1)])
    fails(device, cuda_sim.ILLEGAL_ADDRESS, r"out of allocation: kernel 'add_one', \"kernels.py\":1:load, block \(1, 0, 0\), thread \(0, 0, 0\)", r"0 bytes behind the end of an allocation of 128 bytes")


def test_index_out_of_bounds(device, kernels):
    device.launch(kernels, "bounded", (1,), (16,), [device.alloc(64)])
    fails(device, cuda_sim.ILLEGAL_ADDRESS, r"out of bounds: kernel 'bounded', .*:1:load.* thread \(8, 0, 0\): index 8 of a dimension of size 8")


def test_dropped_barrier(device, kernels):
    device.launch(kernels, "block_sum", (1,), (64,), [vector(device, 64), device.alloc(4), np.int32(1)])
    fails(device, cuda_sim.LAUNCH_FAILED, r"(race|uninitialized read): kernel 'block_sum'.*shared memory")


def test_race_in_a_warp(device, kernels):
    device.launch(kernels, "neighbours", (1,), (32,), [device.upload(np.zeros(32, np.uint16)), np.int32(0)])
    fails(device, cuda_sim.LAUNCH_FAILED, r"race: kernel 'neighbours'.*the store by thread .* of the block has no barrier|race: .*the load by thread")


def test_race_between_blocks(device, kernels):
    device.launch(kernels, "all_write", (2,), (1,), [device.alloc(4)])
    fails(device, cuda_sim.LAUNCH_FAILED, r"race: kernel 'all_write'.*block \(1, 0, 0\).*the store by another block")


def test_missing_event_wait(device, kernels):
    first, second = device.stream(), device.stream()
    a, b = vector(device), device.alloc(4 * N)
    device.fill(b, 0, 4 * N)
    device.synchronize()
    device.launch(kernels, "add_one", (1,), (32,), [a, b, np.int32(N)], stream=first)
    time.sleep(0.05)  # the first is done by now, but nothing says that it must be
    device.launch(kernels, "add_one", (1,), (32,), [b, a, np.int32(N)], stream=second)
    fails(device, cuda_sim.LAUNCH_FAILED, r"race: kernel 'add_one'.* by 'add_one' is not ordered before this launch: is the wait for an event missing")


def test_missing_wait_for_one_of_two_readers(device, kernels):
    first, second, third, event = device.stream(), device.stream(), device.stream(), device.event()
    a, b, c = vector(device), device.alloc(4 * N), device.alloc(4 * N)
    device.synchronize()
    device.launch(kernels, "add_one", (1,), (32,), [a, b, np.int32(N)], stream=first)
    device.launch(kernels, "add_one", (1,), (32,), [a, c, np.int32(N)], stream=second)
    device.record(event, second)
    device.wait(third, event)
    device.fill(a, 0, 4 * N, stream=third)
    fails(device, cuda_sim.LAUNCH_FAILED, r"race: ('fill'|kernel 'add_one')")


def test_missing_wait_inside_a_graph(device, kernels):
    first, second, fork, joined = device.stream(), device.stream(), device.event(), device.event()
    a, b, c = vector(device), device.alloc(4 * N), device.alloc(4 * N)
    device.fill(b, 0, 4 * N)
    device.synchronize()
    device.call("cuStreamBeginCapture_v2", ctypes.c_void_p(first), 1)
    device.record(fork, first)
    device.launch(kernels, "add_one", (1,), (32,), [a, b, np.int32(N)], stream=first)
    device.wait(second, fork)
    device.launch(kernels, "add_one", (1,), (32,), [b, c, np.int32(N)], stream=second)
    device.record(joined, second)
    device.wait(first, joined)
    graph = ctypes.c_void_p()
    device.call("cuStreamEndCapture", ctypes.c_void_p(first), ctypes.byref(graph))
    program = device.create("cuGraphInstantiateWithFlags", graph, ctypes.c_uint64(0))
    device.call("cuGraphLaunch", ctypes.c_void_p(program), ctypes.c_void_p(first))
    fails(device, cuda_sim.LAUNCH_FAILED, r"race: kernel 'add_one'.*wait for an event missing")


def test_copy_that_does_not_wait(device, kernels):
    first, second = device.stream(), device.stream()
    a, b = vector(device), device.alloc(4 * N)
    device.fill(b, 0, 4 * N)
    device.synchronize()
    device.launch(kernels, "add_one", (1,), (32,), [a, b, np.int32(N)], stream=first)
    with pytest.raises(cuda_sim.DriverError):
        device.download(b, N, stream=second)
        device.synchronize()
    assert "race: " in device.report


def test_bytes_of_one_word(device, kernels):
    """Each has its own accessors: the store that came between does not hide the first one."""
    a = device.upload(np.zeros(4, np.uint8))
    device.synchronize()
    device.launch(kernels, "one_word", (1,), (96,), [a, np.int32(1)])
    assert list(device.download(a, 4, np.uint8)) == [1, 2, 0, 0]
    device.launch(kernels, "one_word", (1,), (96,), [a, np.int32(0)])
    fails(device, cuda_sim.LAUNCH_FAILED, r"race: kernel 'one_word', .*thread \(64, 0, 0\): load of 1 byte")


def test_bytes_of_one_word_on_two_streams(device, kernels):
    """Who writes a byte waits for those that read that byte, not for readers of its neighbours."""
    first, second = device.stream(), device.stream()
    a, b = device.upload(np.zeros(8, np.uint8)), device.alloc(8)
    device.synchronize()
    device.copy(b, a, 2, stream=first)
    device.fill(a + 2, 1, 6, stream=second)
    device.synchronize()
    assert list(device.download(a, 8, np.uint8)) == [0, 0, 1, 1, 1, 1, 1, 1]
    device.copy(b, a, 3, stream=first)
    device.fill(a + 2, 2, 1, stream=second)
    fails(device, cuda_sim.LAUNCH_FAILED, "race: ('fill'|'copy on the device')")


def test_use_after_free(device, kernels):
    a, b = vector(device), device.alloc(4 * N)
    device.free(a)
    device.launch(kernels, "add_one", (1,), (32,), [a, b, np.int32(N)])
    fails(device, cuda_sim.ILLEGAL_ADDRESS, r"use after free: kernel 'add_one', .*:1:load.*inside a freed allocation of 128 bytes, 0 bytes after its start")


def test_uninitialized_read(device, kernels):
    a, b = device.alloc(4 * N), device.alloc(4 * N)
    device.fill(a, 0, 4 * N - 4)
    device.launch(kernels, "add_one", (1,), (32,), [a, b, np.int32(N)])
    fails(device, cuda_sim.LAUNCH_FAILED, r"uninitialized read: kernel 'add_one', .*thread \(31, 0, 0\): load of 4 bytes that nothing has written")


def test_uninitialized_bytes_travel_with_copies(device, kernels):
    a, b = device.alloc(4 * N), device.alloc(4 * N)
    device.fill(a, 0, 4 * N - 4)
    device.copy(b, a, 4 * N)
    assert (device.download(b, N - 1) == 0).all()
    with pytest.raises(cuda_sim.DriverError):
        device.download(b, N)
    assert "uninitialized read: 'copy to the host'" in device.report


def test_divergent_barrier(device, kernels):
    device.launch(kernels, "divergent", (1,), (64,), [])
    fails(device, cuda_sim.LAUNCH_FAILED, r"divergent barrier: kernel 'divergent', .*:3:barrier.* thread \(0, 0, 0\): waits for thread \(40, 0, 0\), which has ended")


def test_asynchronous_copy_without_wait(device, kernels):
    device.launch(kernels, "async_copy", (1,), (32,), [vector(device, 128), device.alloc(512), np.int32(1)])
    fails(device, cuda_sim.LAUNCH_FAILED, r"uninitialized read: kernel 'async_copy', .*:4:load shared.*byte 0 of shared memory")


def test_copy_beyond_an_allocation(device):
    device.fill(device.alloc(100), 0, 104)
    fails(device, cuda_sim.ILLEGAL_ADDRESS, r"out of allocation: 'fill': store of 104 bytes \(destination\) touches a byte 0 bytes behind the end of an allocation of 100 bytes")


def test_guard_zones_show_unchecked_stores(device, kernels):
    a = device.alloc(128)
    device.launch(kernels, "unchecked", (1,), (1,), [a, np.int32(32)])
    with pytest.raises(cuda_sim.DriverError):
        device.free(a)
    assert "damaged guard zone: something wrote to the bytes behind an allocation of 128 bytes" in device.report


def test_leak(simulator, capfd):
    device = cuda_sim.Device(simulator)
    device.alloc(40)
    device.free(device.alloc(50))
    device.stream()
    report = device.close()
    assert report == "leaked at the end of the context: 1 allocation of 40 bytes, 1 stream"
    assert report in capfd.readouterr().err


def test_nothing_is_reported_of_a_clean_program(simulator, image, capfd):
    device = cuda_sim.Device(simulator)
    module = device.load(image)
    a, stream, event = vector(device), device.stream(), device.event()
    device.synchronize()
    device.launch(module, "add_one", (1,), (32,), [a, a, np.int32(N)], stream=stream)
    device.record(event, stream)
    device.download(a, N, stream=stream)
    device.destroy("event", event)
    device.destroy("stream", stream)
    device.call("cuModuleUnload", ctypes.c_void_p(module))
    device.free(a)
    assert device.close() == ""
    assert capfd.readouterr().err == ""


def test_device_memory_is_none_of_the_host(device):
    """An address of the device is no address: reading there ends a process."""
    import subprocess
    import sys

    code = (
        "import ctypes, sys; sys.path[:0] = sys.argv[1:]; import cuda_sim\n"
        "device = cuda_sim.Device(cuda_sim.load_library())\n"
        "print(ctypes.string_at(device.alloc(16), 16))\n"
    )
    folder = Path(__file__).parent
    result = subprocess.run([sys.executable, "-c", code, str(folder), str(folder.parent)], capture_output=True)
    assert result.returncode < 0 and result.stdout == b""
