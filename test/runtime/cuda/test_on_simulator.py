# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""runtime/cuda on the simulated GPU, whose streams are threads and which reports what a program does wrong."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
import raf_cuda as C
import raf_rt as R

N = 100_000


@pytest.fixture
def add_one(sim, kernels_image):
    """y[i] = x[i] + 1, as a function of two addresses."""
    sim.add_image(kernels_image)
    kernel = sim.kernel("add_one")
    return lambda x, y, n=N: sim.launch(kernel, x, y, ctypes.c_int32(n), grid=(-(-n // 256), 1, 1), block=(256, 1, 1))


def test_the_simulator_says_that_it_is_one(sim):
    facts = C.Properties()
    sim.check(sim.lib.raf_rt_cuda_properties(sim.ctx, ctypes.byref(facts)))
    assert facts.simulated == 1 and facts.architecture >= 80
    report = C.info(sim.lib, "cuda-sim")
    assert report["missing"] == [] and report["libraries"]["cuBLASLt"]["version"] == "13.1.0" and report["libraries"]["cuDNN"]["version"] == "9.28.0"


def test_the_two_drivers_do_not_meet(sim, fake_folder, monkeypatch):
    """Libraries of one name from two folders in one process."""
    monkeypatch.setenv("RAF_CUDA_PATH", str(fake_folder))
    other = C.Device(sim.lib, "cuda")
    x = np.arange(8, dtype=np.float32)
    a, b = sim.upload(x), other.upload(x + 1)
    np.testing.assert_array_equal(sim.download(a, 8), x)
    np.testing.assert_array_equal(other.download(b, 8), x + 1)
    other.close()
    # A later dlopen by name must not get the stand-in.
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return
    assert not hasattr(library, "raf_sim_last_report")


def test_uploads_and_downloads_wait_for_kernels(sim, add_one):
    x, y = sim.upload(np.zeros(N, np.float32)), sim.alloc(4 * N)
    for round in range(5):
        add_one(x, y)
        add_one(y, x)
        assert (sim.download(x, N) == 2 * round + 2).all()
    # The upload comes after the kernels that read what it overwrites, and before those that follow.
    add_one(x, y)
    sim.upload(np.full(N, 100, np.float32), x)
    add_one(x, x)
    assert (sim.download(y, N) == 11).all() and (sim.download(x, N) == 101).all()


def test_a_prefetch_runs_beside_a_step(sim, add_one):
    batches = [sim.upload(np.full(N, i, np.float32)) for i in range(2)]
    y = sim.alloc(4 * N)
    for step in range(4):
        sim.execute_step(lambda args, arena: add_one(*args), [batches[step % 2], y])
        sim.upload(np.full(N, step + 10, np.float32), batches[(step + 1) % 2], prefetch=True)
        assert (sim.download(y, N) == (1 if step == 0 else step + 10)).all()


@pytest.mark.parametrize("waits", [True, False])
def test_a_missing_event_wait_is_caught(sim, add_one, waits):
    x, y, z = sim.upload(np.zeros(N, np.float32)), sim.alloc(4 * N), sim.alloc(4 * N)
    sim.check(sim.lib.raf_rt_cuda_fill(sim.ctx, y, 0, 4 * N))

    def body(args, arena):
        x, y, z = args
        sim.check(sim.lib.raf_rt_cuda_use_stream(sim.ctx, 1))
        add_one(x, y)
        sim.check(sim.lib.raf_rt_cuda_record(sim.ctx, 0))
        sim.check(sim.lib.raf_rt_cuda_use_stream(sim.ctx, 0))
        if waits:
            sim.check(sim.lib.raf_rt_cuda_wait(sim.ctx, 0))
        add_one(y, z)

    sim.execute_step(body, [x, y, z])
    if waits:
        assert (sim.download(z, N) == 2).all()
    else:
        with pytest.raises(R.RuntimeFailure, match="race.*add_one"):
            sim.synchronize()


@pytest.mark.parametrize("streams", [1, 2])
def test_a_step_as_a_graph(sim, add_one, streams):
    x, y = sim.upload(np.zeros(N, np.float32)), sim.alloc(4 * N)
    sim.check(sim.lib.raf_rt_cuda_capture(sim.ctx, 1, 2))

    def body(args, arena):
        sim.check(sim.lib.raf_rt_cuda_use_stream(sim.ctx, streams - 1))
        add_one(*args)
        sim.check(sim.lib.raf_rt_cuda_record(sim.ctx, 0))
        sim.check(sim.lib.raf_rt_cuda_use_stream(sim.ctx, 0))
        sim.check(sim.lib.raf_rt_cuda_wait(sim.ctx, 0))
        add_one(*reversed(args))

    for step in range(5):
        sim.execute_step(body, [x, y])
    assert (sim.download(x, N) == 10).all()
    counts = sim.counts()
    assert (counts.captures, counts.replays, counts.launches) == (1, 4, 4)


@pytest.mark.parametrize(
    "fault,message",
    [
        ("bound", r"the program's work failed: .*add_one"),
        ("freed", r"add_one"),
        ("unwritten", r"uninitialized read.*add_one"),
    ],
)
def test_the_message_names_the_kernel(sim, add_one, fault, message):
    x, y = sim.upload(np.zeros(N, np.float32)), sim.alloc(4 * N)
    if fault == "freed":
        sim.free(y)
    if fault == "unwritten":
        x = sim.alloc(4 * N)
    sim.execute_step(lambda args, arena: add_one(*args, n=N + (fault == "bound")), [x, y])
    with pytest.raises(R.RuntimeFailure, match=message) as first:
        sim.synchronize()
    with pytest.raises(R.RuntimeFailure) as second:
        sim.download(x, N)
    assert str(second.value) == f"{first.value}; what was on the device is lost with it: compile or load the program again"
    assert "RAF_CUDA_BLOCKING" not in str(first.value)


@pytest.mark.parametrize("refused", [False, True])
def test_a_kernel_of_another_program_is_not_taken_for_one_of_the_same_name(sim, add_one, kernels_image, refused):
    """The programs of a process share the context, and each has its own kernel_0. What the driver refused earlier is no reason either."""
    sim.name_ops(("add_one", "/a/Add"))
    other = C.Device(sim.lib, "cuda-sim")
    other.add_image(kernels_image)
    other.name_ops(("add_one", "/b/Add"))
    kernel = other.kernel("add_one")
    if refused:
        with pytest.raises(R.RuntimeFailure, match="launching the kernel add_one failed"):
            other.launch(kernel, other.alloc(4), other.alloc(4), ctypes.c_int32(1), block=(2048, 1, 1))
    x, y = other.upload(np.zeros(8, np.float32)), other.alloc(32)
    other.launch(kernel, x, y, ctypes.c_int32(9), block=(32, 1, 1))
    with pytest.raises(R.RuntimeFailure, match="out of allocation: kernel 'add_one'.*; it is a kernel of another program$"):
        while True:  # until the other program's launch has run
            sim.synchronize()
    other.close()


def test_a_kernel_of_the_program_has_its_nodes(sim, add_one):
    """Also after a launch that the driver has refused."""
    sim.name_ops(("add_one", "/a/Add"))
    x, y = sim.upload(np.zeros(8, np.float32)), sim.alloc(32)
    with pytest.raises(R.RuntimeFailure, match="launching the kernel add_one failed"):
        sim.launch(0, x, y, ctypes.c_int32(1), block=(2048, 1, 1))
    with pytest.raises(R.RuntimeFailure, match="out of allocation: kernel 'add_one'.*; this is add_one for /a/Add$"):
        add_one(x, y, 9)
        sim.synchronize()


def test_the_number_of_parameters_is_checked(sim, kernels_image):
    sim.add_image(kernels_image)
    kernel, x = sim.kernel("add_one"), sim.upload(np.zeros(4, np.float32))
    with pytest.raises(R.RuntimeFailure, match="the kernel add_one is launched with 2 parameters; it has 3"):
        sim.launch(kernel, x, x)


def test_profile(sim, add_one):
    x, y = sim.upload(np.zeros(N, np.float32)), sim.alloc(4 * N)
    sim.check(sim.lib.raf_rt_profile_enable(sim.ctx, 16))

    def body(args, arena):
        for op in (1, 2):
            sim.lib.raf_rt_profile_begin(sim.ctx, op)
            add_one(*args)
            sim.lib.raf_rt_profile_end(sim.ctx, op)

    sim.execute_step(body, [x, y])
    records, count, lost = (R.Record * 16)(), ctypes.c_int64(), ctypes.c_int64()
    sim.check(sim.lib.raf_rt_profile_read(sim.ctx, records, 16, ctypes.byref(count), ctypes.byref(lost)))
    assert [r.op for r in records[: count.value]] == [1, 2]
    assert all(r.end > r.start for r in records[: count.value]) and records[1].start >= records[0].end


def test_damaged_images_are_refused(sim, kernels_image):
    for cut in (5, 63, 64, len(kernels_image) // 2, len(kernels_image) - 1):
        with pytest.raises(R.RuntimeFailure, match="is damaged"):
            sim.add_image(kernels_image[:cut])
    far = bytearray(kernels_image)
    far[40:48] = (1 << 60).to_bytes(8, "little")  # where the table of sections is
    with pytest.raises(R.RuntimeFailure, match="is damaged"):
        sim.add_image(bytes(far))
    sim.add_image(kernels_image)
