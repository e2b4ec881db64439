# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a correct program sees of the simulated GPU: results, order, asynchrony, graphs."""

from __future__ import annotations

import ctypes
import threading

import cuda_sim
import numpy as np
import pytest

N = 100


def test_kernel_without_barriers(device, kernels):
    x = np.arange(N, dtype=np.float32)
    a, b = device.upload(x), device.alloc(4 * N)
    device.launch(kernels, "add_one", (4,), (32,), [a, b, np.int32(N)])
    assert (device.download(b, N) == x + 1).all()


def test_kernel_with_barriers(device, kernels):
    x = np.arange(256, dtype=np.float32)
    a, b = device.upload(x), device.alloc(16)
    device.launch(kernels, "block_sum", (4,), (64,), [a, b, np.int32(0)])
    assert (device.download(b, 4) == x.reshape(4, 64).sum(1)).all()


def test_votes_and_shuffles_of_warps(device, kernels):
    x = np.arange(64, dtype=np.float32)
    a, b, votes = device.upload(x), device.alloc(256), device.alloc(256)
    device.launch(kernels, "warp_sum", (1,), (64,), [a, b, votes])
    assert (device.download(b, (2, 32)) == x.reshape(2, 32).sum(1, keepdims=True)).all()
    assert (device.download(votes, 64, np.uint32) == 0xAAAAAAAA).all()


def test_modes_of_shuffles(device, kernels):
    out = device.alloc(4 * 32 * 4)
    device.launch(kernels, "shuffles", (1,), (32,), [out])
    lane = np.arange(32)
    up, down = np.where(lane >= 3, lane - 3, -1), np.where(lane + 3 < 32, lane + 3, -1)
    assert (device.download(out, (4, 32), np.int32) == np.stack([lane ^ 3, up, down, np.full(32, 3)])).all()


def test_atomics_of_many_blocks(device, kernels):
    x = device.upload(np.zeros(1, np.int32))
    device.launch(kernels, "atomic_count", (10,), (33,), [x])
    assert device.download(x, 1, np.int32)[0] == 330


def test_warp_barrier_orders_a_warp(device, kernels):
    x = np.arange(32, dtype=np.uint16)
    a = device.upload(x)
    device.launch(kernels, "neighbours", (1,), (32,), [a, np.int32(1)])
    assert (device.download(a, 32, np.uint16) == np.roll(x, -1)).all()


def test_neighbours_of_two_bytes_do_not_conflict(device, kernels):
    x = np.arange(32, dtype=np.uint16)
    a = device.upload(x)
    device.launch(kernels, "in_place_16", (1,), (32,), [a])
    assert (device.download(a, 32, np.uint16) == (x ^ 1)).all()


def test_matrix_fragments(device, kernels):
    rng = np.random.default_rng(0)
    a, b = rng.integers(-8, 8, (16, 16)).astype(np.float32), rng.integers(-8, 8, (16, 8)).astype(np.float32)
    c = rng.standard_normal((16, 8)).astype(np.float32)
    # The tables of the PTX manual for mma.m16n8k16 with bf16.
    fragments = np.zeros((32, 8), np.uint16), np.zeros((32, 4), np.uint16), np.zeros((32, 4), np.float32)
    bits = lambda x: (x.view(np.uint32) >> 16).astype(np.uint16)  # noqa: E731
    rows = np.zeros((32, 4), int), np.zeros((32, 4), int)
    for lane in range(32):
        group, thread = lane // 4, lane % 4
        for i in range(8):
            row = group if i in (0, 1, 4, 5) else group + 8
            column = thread * 2 + (i & 1) + (8 if i >= 4 else 0)
            fragments[0][lane, i] = bits(a)[row, column]
        for i in range(4):
            fragments[1][lane, i] = bits(b)[thread * 2 + (i & 1) + (8 if i >= 2 else 0), group]
            rows[0][lane, i], rows[1][lane, i] = (group if i < 2 else group + 8), thread * 2 + (i & 1)
    fragments[2][:] = c[rows]
    d = device.alloc(4 * 128)
    device.launch(kernels, "mma", (1,), (32,), [*map(device.upload, fragments), d])
    np.testing.assert_allclose(device.download(d, (32, 4)), (a @ b + c)[rows], rtol=1e-6)


def test_asynchronous_copies_to_shared_memory(device, kernels):
    x = np.arange(128, dtype=np.float32)
    a, b = device.upload(x), device.alloc(512)
    device.launch(kernels, "async_copy", (1,), (32,), [a, b, np.int32(0)])
    assert (device.download(b, 128) == x).all()


def test_dynamic_shared_memory_has_a_limit(device, kernels):
    x = device.upload(np.zeros(8, np.float32))
    with pytest.raises(cuda_sim.DriverError, match="bytes of shared memory a block") as error:
        device.launch(kernels, "add_one", (1,), (8,), [x, x, np.int32(8)], shared=50000)
    assert error.value.code == cuda_sim.INVALID_VALUE
    function = device.create("cuModuleGetFunction", ctypes.c_void_p(kernels), b"add_one")
    device.call("cuFuncSetAttribute", ctypes.c_void_p(function), 8, 60000)
    device.launch(kernels, "add_one", (1,), (8,), [x, x, np.int32(8)], shared=50000)
    device.synchronize()


def test_block_must_be_the_one_compiled_for(device, kernels):
    x = device.alloc(4096)
    with pytest.raises(cuda_sim.DriverError, match="compiled for 64 threads in dimension 0, not 32"):
        device.launch(kernels, "block_sum", (1,), (32,), [x, x, np.int32(0)])


def test_traffic_is_counted(device, kernels):
    a, b = device.upload(np.zeros(N, np.float32)), device.alloc(4 * N)
    device.record_launches(True)
    device.launch(kernels, "add_one", (4,), (32,), [a, b, np.int32(N)])
    device.launch(kernels, "atomic_count", (2,), (32,), [a])
    device.synchronize()
    device.record_launches(False)
    copy, count = device.launches()
    assert (copy.kernel, tuple(copy.grid), tuple(copy.block)) == (b"add_one", (4, 1, 1), (32, 1, 1))
    assert (copy.loaded, copy.stored, copy.distinct_loaded, copy.distinct_stored) == (4 * N,) * 4
    assert (count.stored, count.distinct_stored) == (256, 4)


def test_traffic_of_blocks(device, kernels):
    """Every block of 32 threads loads the same 4 bytes: 4 bytes at least, 4 a block, 4 a thread."""
    a, b = device.upload(np.zeros(1, np.float32)), device.alloc(4 * 96)
    device.record_launches(True)
    device.launch(kernels, "broadcast", (3,), (32,), [a, b])
    device.synchronize()
    (launch,) = device.launches()
    assert (launch.distinct_loaded, launch.block_loaded, launch.loaded) == (4, 12, 384)


def test_streams_are_asynchronous(device):
    """The host is not held up by a stream, and a stream is by an event."""
    first, second, event = device.stream(), device.stream(), device.event()
    gate, ran = threading.Event(), []
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    hold, note = function(lambda _: gate.wait()), function(lambda _: ran.append("second"))
    device.call("cuLaunchHostFunc", ctypes.c_void_p(first), hold, None)
    device.record(event, first)
    device.wait(second, event)
    device.call("cuLaunchHostFunc", ctypes.c_void_p(second), note, None)
    assert device.lib.cuEventQuery(ctypes.c_void_p(event)) == cuda_sim.NOT_READY
    assert device.lib.cuStreamQuery(ctypes.c_void_p(second)) == cuda_sim.NOT_READY
    assert not ran
    gate.set()
    device.synchronize(second)
    assert ran == ["second"]
    device.call("cuEventSynchronize", ctypes.c_void_p(event))
    for stream in (first, second):
        device.destroy("stream", stream)
    device.destroy("event", event)


def test_events_order_streams(device, kernels):
    first, second, event = device.stream(), device.stream(), device.event()
    x = np.arange(N, dtype=np.float32)
    a, b = device.upload(x, first), device.alloc(4 * N)
    for i in range(20):
        device.launch(kernels, "add_one", (4,), (32,), [a, b, np.int32(N)], stream=first)
        device.record(event, first)
        device.wait(second, event)
        device.launch(kernels, "add_one", (4,), (32,), [b, a, np.int32(N)], stream=second)
        device.record(event, second)
        device.wait(first, event)
    assert (device.download(a, N, stream=first) == x + 40).all()


def test_default_stream_is_in_order_with_blocking_streams(device, kernels):
    stream = device.stream(flags=0)
    x = np.arange(N, dtype=np.float32)
    a, b = device.upload(x), device.alloc(4 * N)
    device.launch(kernels, "add_one", (4,), (32,), [a, b, np.int32(N)], stream=stream)
    device.launch(kernels, "add_one", (4,), (32,), [b, a, np.int32(N)])
    device.launch(kernels, "add_one", (4,), (32,), [a, b, np.int32(N)], stream=stream)
    assert (device.download(b, N, stream=stream) == x + 3).all()


def capture(device, kernels, a, b, *, join=True):
    """b = a + 1 on one stream, and a copy of it back on another."""
    first, second = device.stream(), device.stream()
    fork, joined = device.event(), device.event()
    device.call("cuStreamBeginCapture_v2", ctypes.c_void_p(first), 1)
    device.launch(kernels, "add_one", (4,), (32,), [a, b, np.int32(N)], stream=first)
    device.record(fork, first)
    device.wait(second, fork)
    device.copy(a, b, 4 * N, stream=second)
    if join:
        device.record(joined, second)
        device.wait(first, joined)
    graph = ctypes.c_void_p()
    device.call("cuStreamEndCapture", ctypes.c_void_p(first), ctypes.byref(graph))
    return first, device.create("cuGraphInstantiateWithFlags", graph, ctypes.c_uint64(0))


def test_graph_replays(device, kernels):
    x = np.arange(N, dtype=np.float32)
    a, b = device.upload(x), device.alloc(4 * N)
    device.synchronize()
    stream, program = capture(device, kernels, a, b)
    for _ in range(5):
        device.call("cuGraphLaunch", ctypes.c_void_p(program), ctypes.c_void_p(stream))
    assert (device.download(a, N, stream=stream) == x + 5).all()


def test_graph_must_be_joined(device, kernels):
    a, b = device.upload(np.zeros(N, np.float32)), device.alloc(4 * N)
    device.synchronize()
    with pytest.raises(cuda_sim.DriverError) as error:
        capture(device, kernels, a, b, join=False)
    assert error.value.code == cuda_sim.CAPTURE_UNJOINED


def test_capture_refuses_to_wait(device):
    stream = device.stream()
    device.call("cuStreamBeginCapture_v2", ctypes.c_void_p(stream), 0)
    with pytest.raises(cuda_sim.DriverError):
        device.alloc(16)
    graph = ctypes.c_void_p()
    with pytest.raises(cuda_sim.DriverError) as error:
        device.call("cuStreamEndCapture", ctypes.c_void_p(stream), ctypes.byref(graph))
    assert error.value.code == cuda_sim.CAPTURE_INVALIDATED


@pytest.mark.parametrize("mode, here, elsewhere", [(0, False, False), (1, False, True), (2, True, True)], ids=["global", "thread", "relaxed"])
def test_allocations_during_a_capture(device, mode, here, elsewhere):
    """A capture forbids them to everybody, to the thread that began it, or to nobody; one that is refused ends the capture."""
    for allowed, other in ((here, False), (elsewhere, True)):
        stream = device.stream()
        device.call("cuStreamBeginCapture_v2", ctypes.c_void_p(stream), mode)
        codes = []

        def allocate():
            context = ctypes.c_void_p()
            device.lib.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
            device.lib.cuCtxSetCurrent(context)
            codes.append(device.lib.cuMemAlloc_v2(ctypes.byref(ctypes.c_uint64()), ctypes.c_size_t(64)))
            device.lib.cuDevicePrimaryCtxRelease_v2(0)

        if other:
            thread = threading.Thread(target=allocate)
            thread.start()
            thread.join()
        else:
            allocate()
        graph = ctypes.c_void_p()
        codes.append(device.lib.cuStreamEndCapture(ctypes.c_void_p(stream), ctypes.byref(graph)))
        assert codes == ([0, 0] if allowed else [cuda_sim.CAPTURE_UNSUPPORTED, cuda_sim.CAPTURE_INVALIDATED])


def test_the_host_cannot_wait_for_a_captured_event(device):
    stream, event, timed = device.stream(), device.event(), device.event()
    device.record(timed, stream)
    device.call("cuStreamBeginCapture_v2", ctypes.c_void_p(stream), 1)
    device.record(event, stream)
    for name, *args in (
        ("cuEventSynchronize", ctypes.c_void_p(event)),
        ("cuEventQuery", ctypes.c_void_p(event)),
        ("cuEventElapsedTime", ctypes.byref(ctypes.c_float()), ctypes.c_void_p(timed), ctypes.c_void_p(event)),
    ):
        assert getattr(device.lib, name)(*args) == cuda_sim.CAPTURED_EVENT, name
    graph = ctypes.c_void_p()
    device.call("cuStreamEndCapture", ctypes.c_void_p(stream), ctypes.byref(graph))
    assert device.lib.cuEventSynchronize(ctypes.c_void_p(event)) == cuda_sim.CAPTURED_EVENT
    device.record(event, stream)
    device.call("cuEventSynchronize", ctypes.c_void_p(event))


def test_what_an_address_is(device):
    a = device.alloc(100)
    number, start, size = ctypes.c_int(-1), ctypes.c_uint64(), ctypes.c_size_t()
    for value, attribute in ((number, 9), (start, 11), (size, 12)):
        device.call("cuPointerGetAttribute", ctypes.byref(value), attribute, ctypes.c_uint64(a + 40))
    assert (number.value, start.value, size.value) == (0, a, 100)
    for wrong in (a + 100, ctypes.addressof(number)):
        assert device.lib.cuPointerGetAttribute(ctypes.byref(number), 9, ctypes.c_uint64(wrong)) == cuda_sim.INVALID_VALUE


def test_images_that_are_none(device):
    log = ctypes.create_string_buffer(512)
    options, values = (ctypes.c_int * 2)(5, 6), (ctypes.c_void_p * 2)(ctypes.addressof(log), 512)
    module = ctypes.c_void_p()
    code = device.lib.cuModuleLoadDataEx(ctypes.byref(module), b".version 8.0\n.target sm_90", 2, options, values)
    assert code == cuda_sim.INVALID_IMAGE
    assert b"not one for the simulated GPU" in log.value


def test_unknown_kernel(device, kernels):
    with pytest.raises(cuda_sim.DriverError) as error:
        device.launch(kernels, "nothing", (1,), (1,), [])
    assert error.value.code == cuda_sim.NOT_FOUND


def test_thread_without_context(device):
    codes = []
    thread = threading.Thread(target=lambda: codes.append(device.lib.cuMemAlloc_v2(ctypes.byref(ctypes.c_uint64()), ctypes.c_size_t(4))))
    thread.start()
    thread.join()
    assert codes == [cuda_sim.INVALID_CONTEXT]


def test_out_of_memory(device):
    with pytest.raises(cuda_sim.DriverError) as error:
        device.alloc(1 << 40)
    assert error.value.code == cuda_sim.OUT_OF_MEMORY
    device.free(device.alloc(64))
