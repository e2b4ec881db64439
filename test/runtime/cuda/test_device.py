# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""runtime/cuda on a driver that executes at once and writes down what it is asked for."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
import raf_cuda
import raf_rt as R


def eight(value=1.0):
    return np.full(8, value, np.float32)


def test_no_driver_is_one_sentence(cuda_lib, tmp_path, monkeypatch):
    monkeypatch.setenv("RAF_CUDA_PATH", str(tmp_path))
    code = (
        "import sys; sys.path[:0] = sys.argv[1:3]\n"
        "import raf_rt, raf_cuda\n"
        "lib = raf_cuda.declare(raf_rt.load(sys.argv[3]))\n"
        "print(lib.raf_rt_cuda_info(b'cuda').decode())\n"
        "try: raf_cuda.Device(lib, 'cuda')\n"
        "except raf_rt.RuntimeFailure as e: print(e.status, e)\n"
    )
    here = os.path.dirname(__file__)
    run = subprocess.run(
        [sys.executable, "-c", code, here, os.path.dirname(here), str(R.find_library())], capture_output=True, text=True, check=True
    )
    report, failure = run.stdout.splitlines()
    found = json.loads(report)
    if found["driver"] is not None:
        pytest.skip("this machine has an NVIDIA driver")
    assert failure == (
        f"{R.UNSUPPORTED} cuda: no NVIDIA driver was found (libcuda.so.1 was not found); install it, name its folder in RAF_CUDA_PATH, "
        "or use the target cuda-sim"
    )
    assert found["devices"] == [] and found["missing"][0] == failure[2:]


def test_unknown_driver_and_device(cuda_lib, fake):
    with pytest.raises(R.RuntimeFailure, match="unknown CUDA driver 'rocm': expected cuda or cuda-sim"):
        raf_cuda.Device(cuda_lib, "rocm")
    with pytest.raises(R.RuntimeFailure, match="cuda: there is no device 3; this machine has 1"):
        raf_cuda.Device(cuda_lib, "cuda", ordinal=3)
    with pytest.raises(R.RuntimeFailure, match="has a device already"):
        fake.check(fake.lib.raf_rt_cuda_open(fake.ctx, b"cuda", 0))


def test_calls_without_a_device(rt, cuda_lib):
    assert rt.lib.raf_rt_cuda_synchronize(rt.ctx) == R.INVALID
    assert "raf_rt_cuda_open comes first" in rt.error()
    assert rt.lib.raf_rt_cuda_synchronize(None) == R.INVALID


def test_what_is_found(fake):
    found = raf_cuda.info(fake.lib, "cuda")
    assert found["driver"]["version"] == "13.0" and found["driver"]["file"].endswith("/libcuda.so.1")
    assert found["devices"] == [{"name": "Fake GPU", "architecture": "sm_90", "memory": 1 << 20, "multiprocessors": 4}]
    for name, library in found["libraries"].items():
        assert library is not None or any(line.startswith(name + ": ") and "pip install" in line for line in found["missing"])
    facts = raf_cuda.Properties()
    fake.check(fake.lib.raf_rt_cuda_properties(fake.ctx, ctypes.byref(facts)))
    assert (facts.architecture, facts.multiprocessors, facts.shared_bytes, facts.simulated) == (90, 4, 232448, 0)


def test_memory_is_counted_and_out_of_memory_says_the_bytes(fake):
    a, b = fake.alloc(1000), fake.alloc(500)
    assert a % 256 == 0 and fake.alloc(0) == 0
    stats = R.Stats()
    fake.check(fake.lib.raf_rt_cuda_memory(fake.ctx, ctypes.byref(stats)))
    assert (stats.current, stats.peak, stats.allocations) == (1500, 1500, 2)
    with pytest.raises(R.RuntimeFailure) as failure:
        fake.alloc(2 << 20)
    assert failure.value.status == R.OUT_OF_MEMORY
    assert str(failure.value) == (
        "cuda: out of memory on Fake GPU: 2097152 bytes are needed beside 1500 held by this program, 1047076 of 1048576 are free"
    )
    fake.free(b)
    fake.free(0)
    with pytest.raises(R.RuntimeFailure, match="is free already"):
        fake.free(b)
    fake.check(fake.lib.raf_rt_cuda_memory(fake.ctx, ctypes.byref(stats)))
    assert (stats.current, stats.peak) == (1000, 1500)


@pytest.mark.parametrize("size", [0, 1, 1000, 700_000])
def test_round_trip(fake, rng, size):
    data = rng.integers(0, 256, size, dtype=np.uint8)
    np.testing.assert_array_equal(fake.download(fake.upload(data), size, np.uint8), data)


def test_upload_waits_for_the_work_before_and_prefetch_does_not(fake):
    address = fake.upload(eight())
    fake.calls()
    fake.upload(eight(), address)
    recorded, waits, up, _, copied, waited = fake.calls()
    assert recorded.startswith("record") and recorded.endswith("s0")
    assert waits == recorded.replace("record", "wait").replace("s0", "s1") and up == "up 32 s1"
    assert waited == copied.replace("record", "wait").replace("s1", "s0")
    fake.upload(eight(), address, prefetch=True)
    assert [c.split()[0] for c in fake.calls()] == ["up", "record", "record", "wait"]


def test_a_prefetch_waits_for_the_step_before_the_latest(fake):
    """The copy is on a stream of its own (s1) and waits for nothing of the latest step."""
    fake.add_image(b"kernels")
    twice, places = fake.kernel("twice"), [fake.upload(eight()) for _ in range(2)]
    ends = []
    for step in range(4):
        fake.calls()
        fake.execute_step(lambda args, arena: fake.launch(twice, *args), [places[step % 2]])
        ends.append(fake.calls()[-1])
        assert ends[-1].startswith("record ") and ends[-1].endswith(" s0")
        fake.upload(eight(step), places[(step + 1) % 2], prefetch=True)
        waits = [c for c in fake.calls() if c.startswith("wait") and c.endswith(" s1")]
        assert waits == ([ends[-2].replace("record", "wait").replace("s0", "s1")] if step else [])
    assert fake.counts().prefetches == 4


def test_streams_of_other_libraries(fake):
    fake.check(fake.lib.raf_rt_cuda_wait_for(fake.ctx, 1))
    recorded, waited = fake.calls()
    assert recorded.endswith("s-1") and waited == recorded.replace("record", "wait").replace("s-1", "s0")
    fake.check(fake.lib.raf_rt_cuda_let_wait(fake.ctx, 2))
    recorded, waited = fake.calls()
    assert recorded.endswith("s0") and waited == recorded.replace("record", "wait").replace("s0", "s-1")


def test_where_an_address_is(fake):
    where, number, room = fake.alloc(100), ctypes.c_int64(-1), ctypes.c_int64()
    fake.check(fake.lib.raf_rt_cuda_locate(fake.ctx, where + 60, ctypes.byref(number), ctypes.byref(room)))
    assert (number.value, room.value) == (0, 40)
    with pytest.raises(R.RuntimeFailure, match="the address is not in the memory of a device of cuda"):
        fake.check(fake.lib.raf_rt_cuda_locate(fake.ctx, ctypes.addressof(room), ctypes.byref(number), ctypes.byref(room)))


NVTX = """
#include <string>
static std::string said;
extern "C" const char *fake_ranges() { static std::string copy; copy.swap(said); said.clear(); return copy.c_str(); }
extern "C" int nvtxRangePushA(const char *name) { said += std::string("(") + name; return 0; }
extern "C" int nvtxRangePop() { said += ")"; return 0; }
"""


def test_ranges_of_nvtx(cuda_lib, fake_folder, tmp_path, monkeypatch):
    """Steps and kernels are named for Nsight Systems; without the library nothing is."""
    source = tmp_path / "nvtx.cpp"
    source.write_text(NVTX)
    raf_cuda.build(tmp_path / "libnvtx3interop.so.1", source, options=("-shared", "-fPIC"))
    monkeypatch.setenv("RAF_CUDA_PATH", f"{tmp_path}:{fake_folder}")
    device = raf_cuda.Device(cuda_lib, "cuda")
    nvtx = ctypes.CDLL(str(tmp_path / "libnvtx3interop.so.1"))
    nvtx.fake_ranges.restype = ctypes.c_char_p
    assert raf_cuda.info(cuda_lib, "cuda")["libraries"]["NVTX"] == {"file": str(tmp_path / "libnvtx3interop.so.1"), "version": "3"}
    device.add_image(b"kernels")
    twice, x = device.kernel("twice"), device.upload(eight())
    device.execute_step(lambda args, arena: device.launch(twice, *args), [x])
    assert nvtx.fake_ranges() == b"(RAF step(twice))"
    device.close()


def test_kernels_and_constants(fake):
    fake.add_image(b"kernels")
    twice = fake.kernel("twice")
    x = fake.upload(eight(3))
    fake.launch(twice, x)
    np.testing.assert_array_equal(fake.download(x, 8), eight(6))
    fake.check(fake.lib.raf_rt_cuda_constant(fake.ctx, 0, eight(5).ctypes.data, 32))
    constant = fake.lib.raf_rt_cuda_constant_address(fake.ctx, 0)
    fake.launch(twice, constant)
    np.testing.assert_array_equal(fake.download(constant, 8), eight(10))
    assert fake.lib.raf_rt_cuda_constant_address(fake.ctx, 1) is None
    assert fake.counts().launches == 2


def test_more_shared_memory_is_asked_for_once(fake):
    """Any amount: the kernel's static memory, whose size the runtime does not know, counts as well."""
    fake.add_image(b"kernels")
    twice, x = fake.kernel("twice"), fake.upload(eight())
    fake.calls()
    for shared in (1000, 100_000, 100_000, 60_000):
        fake.launch(twice, x, shared=shared)
    assert [c for c in fake.calls() if c.startswith("shared")] == ["shared 1000", "shared 100000"]


def test_wrong_images_kernels_and_launches(fake):
    with pytest.raises(R.RuntimeFailure, match="no image has a kernel twice; the context has 0 images"):
        fake.kernel("twice")
    with pytest.raises(R.RuntimeFailure, match=r"loading an image of 7 bytes for sm_90 \(line 1: no kernels here\) failed") as failure:
        fake.add_image(b"nothing")
    assert failure.value.status == R.UNSUPPORTED
    fake.add_image(b"kernels")
    with pytest.raises(R.RuntimeFailure, match="no image has a kernel thrice; the context has 1 image$"):
        fake.kernel("thrice")
    twice, x = fake.kernel("twice"), fake.upload(eight())
    with pytest.raises(R.RuntimeFailure, match="kernel twice is launched with 0 threads along y"):
        fake.launch(twice, x, block=(1, 0, 1))
    with pytest.raises(R.RuntimeFailure, match="there is no kernel 7"):
        fake.launch(7, x)


def test_a_failure_on_the_device_is_final(fake):
    fake.add_image(b"kernels")
    fault, x = fake.kernel("fault"), fake.upload(eight())
    fake.execute_step(lambda args, arena: fake.launch(fault, args[0]), [x])
    with pytest.raises(R.RuntimeFailure, match="RAF_CUDA_BLOCKING=1") as first:
        fake.synchronize()
    with pytest.raises(R.RuntimeFailure) as second:
        fake.alloc(8)
    assert str(second.value) == f"{first.value}; what was on the device is lost with it: compile or load the program again"
    with pytest.raises(R.RuntimeFailure):
        fake.execute_step(lambda args, arena: None)


def fault(device):
    device.add_image(b"kernels")
    kernel, x = device.kernel("fault"), device.upload(eight())
    device.execute_step(lambda args, arena: device.launch(kernel, args[0]), [x])
    with pytest.raises(R.RuntimeFailure):
        device.synchronize()


def test_after_a_fault_the_device_is_opened_again(fake, cuda_lib):
    other = raf_cuda.Device(cuda_lib, "cuda")
    fault(fake)
    assert fake.lib.raf_rt_cuda_lost(other.ctx) == 1
    with pytest.raises(R.RuntimeFailure, match="compile or load the program again"):
        other.upload(eight())
    fake.calls()
    new = raf_cuda.Device(cuda_lib, "cuda")
    assert fake.calls().count("reset") == 1 and fake.lib.raf_rt_cuda_lost(new.ctx) == 0 and fake.lib.raf_rt_cuda_lost(fake.ctx) == 1
    x = new.upload(eight())
    # What the old one had is gone: the driver is not asked about it.
    fake.calls()
    other.close()
    assert not fake.calls()
    np.testing.assert_array_equal(new.download(x, 8), eight())
    new.close()


def test_a_driver_that_has_given_the_process_up(fake, cuda_lib, monkeypatch):
    fault(fake)
    monkeypatch.setenv("FAKE_FAIL", "cuDevicePrimaryCtxReset_v2=700")
    with pytest.raises(R.RuntimeFailure, match=r"cuda: device 0 takes no more work of this process, which has to be started again \(FAKE_NAME \(fake text\)\); before, cuda: .* failed"):
        raf_cuda.Device(cuda_lib, "cuda")
    monkeypatch.delenv("FAKE_FAIL")
    raf_cuda.Device(cuda_lib, "cuda").close()


def test_the_context_is_not_reset_under_the_step_of_another_program(fake, cuda_lib):
    other = raf_cuda.Device(cuda_lib, "cuda")
    entered, leave, opened = threading.Event(), threading.Event(), []

    def body(args, arena):
        entered.set()
        leave.wait(60)

    step = threading.Thread(target=lambda: other.execute_step(body))
    step.start()
    entered.wait(60)
    fault(fake)
    opening = threading.Thread(target=lambda: opened.append(raf_cuda.Device(cuda_lib, "cuda")))
    opening.start()
    opening.join(0.3)
    try:
        assert opening.is_alive() and "reset" not in fake.calls()
    finally:
        leave.set()
        step.join()
        opening.join()
    assert "reset" in fake.calls() and cuda_lib.raf_rt_cuda_lost(other.ctx) == 1
    other.close()
    opened[0].close()


def test_a_reset_after_which_nothing_can_be_opened(fake, cuda_lib, monkeypatch):
    """What the lost program had went with the reset."""
    other = raf_cuda.Device(cuda_lib, "cuda")
    other.upload(eight())
    fault(fake)
    monkeypatch.setenv("FAKE_FAIL", "cuDevicePrimaryCtxRetain=2")
    with pytest.raises(R.RuntimeFailure, match="takes no more work of this process"):
        raf_cuda.Device(cuda_lib, "cuda")
    monkeypatch.delenv("FAKE_FAIL")
    assert "reset" in fake.calls()
    other.close()
    assert not fake.calls()
    raf_cuda.Device(cuda_lib, "cuda").close()
    assert "reset" not in fake.calls()


def test_an_error_waits_for_nothing(fake, monkeypatch):
    """Work that is under way may never end, such as a collective whose other rank is gone."""
    fake.add_image(b"kernels")
    twice, x = fake.kernel("twice"), fake.upload(eight())
    fake.name_ops(("twice", "/a/Mul"))

    def body(args, arena):
        for stream in (1, 0):
            fake.check(fake.lib.raf_rt_cuda_use_stream(fake.ctx, stream))
            fake.launch(twice, *args)
        fake.calls()
        fake.enter_op(0)
        fake.launch(twice, *args, grid=(0, 1, 1))

    monkeypatch.setenv("FAKE_BUSY", "1")
    with pytest.raises(R.RuntimeFailure, match="twice is launched with 0 blocks along x; this is twice for /a/Mul$"):
        fake.execute_step(body, [x])
    calls = fake.calls()
    monkeypatch.delenv("FAKE_BUSY")
    assert sum(c.startswith("query") for c in calls) == 2 and not [c for c in calls if c.startswith("hang")]


def test_what_failed_earlier_is_the_reason_of_an_error(fake, monkeypatch):
    fake.add_image(b"kernels")
    twice, x = fake.kernel("twice"), fake.upload(eight())
    monkeypatch.setenv("FAKE_FAIL", "cuStreamQuery=700")
    with pytest.raises(R.RuntimeFailure, match="the program's work failed"):
        fake.launch(twice, x, grid=(0, 1, 1))
    monkeypatch.delenv("FAKE_FAIL")


def test_blocking_names_the_kernel(cuda_lib, fake_folder, monkeypatch):
    monkeypatch.setenv("RAF_CUDA_PATH", str(fake_folder))
    monkeypatch.setenv("RAF_CUDA_BLOCKING", "1")
    device = raf_cuda.Device(cuda_lib, "cuda")
    device.add_image(b"kernels")
    fault, x = device.kernel("fault"), device.upload(eight())
    with pytest.raises(R.RuntimeFailure, match=r"cuda: the kernel fault failed: FAKE_NAME \(fake text\)$"):
        device.execute_step(lambda args, arena: device.launch(fault, args[0]), [x])
    device.close()


def test_blocking_names_the_op_of_a_step_that_would_be_a_graph(cuda_lib, fake_folder, monkeypatch):
    monkeypatch.setenv("RAF_CUDA_PATH", str(fake_folder))
    monkeypatch.setenv("RAF_CUDA_BLOCKING", "1")
    device = raf_cuda.Device(cuda_lib, "cuda")
    device.add_image(b"kernels")
    twice, fault, x = device.kernel("twice"), device.kernel("fault"), device.upload(eight())
    device.name_ops(("first", "/a/Mul"), ("second", "/b/Mul"))
    device.check(cuda_lib.raf_rt_cuda_capture(device.ctx, 1, 1))
    steps = []

    def body(args, arena):
        steps.append(args)
        for op, kernel in enumerate((fault if len(steps) == 2 else twice, twice)):
            device.enter_op(op)
            device.launch(kernel, *args)

    device.execute_step(body, [x])
    with pytest.raises(R.RuntimeFailure, match="cuda: the kernel fault failed: .*; this is first for /a/Mul$"):
        device.execute_step(body, [x])
    device.close()


def test_a_failure_inside_a_step_is_its_status(fake):
    fake.add_image(b"kernels")
    twice, x = fake.kernel("twice"), fake.upload(eight())

    def body(args, arena):
        fake.launch(twice, args[0], grid=(0, 1, 1))
        fake.launch(99, args[0])

    with pytest.raises(R.RuntimeFailure, match="twice is launched with 0 blocks along x"):
        fake.execute_step(body, [x])


def test_streams_begin_with_the_step_and_end_with_it(fake):
    fake.add_image(b"kernels")
    twice, x, y = fake.kernel("twice"), fake.upload(eight()), fake.upload(eight())
    fake.calls()

    def body(args, arena):
        fake.check(fake.lib.raf_rt_cuda_use_stream(fake.ctx, 1))
        fake.launch(twice, args[0])
        fake.check(fake.lib.raf_rt_cuda_record(fake.ctx, 0))
        fake.check(fake.lib.raf_rt_cuda_use_stream(fake.ctx, 0))
        fake.check(fake.lib.raf_rt_cuda_wait(fake.ctx, 0))
        fake.launch(twice, args[1])

    for _ in range(2):
        fake.execute_step(body, [x, y])
        calls = fake.calls()
        begun = calls[0].split()[1]
        launched = next(c for c in calls if c.startswith("launch")).split()[2]
        assert calls[0] == f"record {begun} s0" and f"wait {begun} {launched}" in calls and launched != "s0"
        joined, waited, ended = calls[-3:]
        assert joined.startswith("record") and joined.endswith(launched) and waited == f"wait {joined.split()[1]} s0"
        assert ended.startswith("record") and ended.endswith("s0")
    np.testing.assert_array_equal(fake.download(y, 8), eight(4))
    assert fake.lib.raf_rt_cuda_use_stream(fake.ctx, 1000) == R.INVALID


def test_a_step_becomes_a_graph(fake):
    fake.add_image(b"kernels")
    twice = fake.kernel("twice")
    x, y = fake.upload(eight()), fake.upload(eight())
    fake.check(fake.lib.raf_rt_cuda_capture(fake.ctx, 1, 1))
    entered = []

    def body(args, arena):
        entered.append(args[0])
        fake.launch(twice, args[0])

    for step in range(5):
        fake.execute_step(body, [x])
        np.testing.assert_array_equal(fake.download(x, 8), eight(2.0 ** (step + 1)))
    assert entered == [x, x]  # run, captured, then replayed
    counts = fake.counts()
    assert (counts.captures, counts.replays) == (1, 4)
    for _ in range(3):
        fake.execute_step(body, [y])
    np.testing.assert_array_equal(fake.download(y, 8), eight(8))
    assert fake.counts().captures == 2
    # Freed memory may come back for something else.
    fake.free(y)
    fake.execute_step(body, [x])
    assert entered == [x, x, y, y, x]
    fake.check(fake.lib.raf_rt_cuda_capture(fake.ctx, 0, 0))
    fake.execute_step(body, [x])
    np.testing.assert_array_equal(fake.download(x, 8), eight(128))


def test_a_step_that_reads_is_no_graph(fake):
    fake.add_image(b"kernels")
    twice, x = fake.kernel("twice"), fake.upload(eight())
    fake.check(fake.lib.raf_rt_cuda_capture(fake.ctx, 1, 1))
    seen = []

    def body(args, arena):
        fake.launch(twice, args[0])
        value = ctypes.c_float()
        fake.check(fake.lib.raf_rt_cuda_read(fake.ctx, ctypes.byref(value), args[0], 4))
        seen.append(value.value)

    for _ in range(3):
        fake.execute_step(body, [x])
    assert seen == [2, 4, 8] and fake.counts().captures == 0


def test_a_failure_while_capturing_ends_the_capture(fake):
    fake.add_image(b"kernels")
    twice, x = fake.kernel("twice"), fake.upload(eight())
    fake.check(fake.lib.raf_rt_cuda_capture(fake.ctx, 1, 1))
    fake.execute_step(lambda args, arena: fake.launch(twice, args[0]), [x])
    with pytest.raises(R.RuntimeFailure, match="there is no kernel 5"):
        fake.execute_step(lambda args, arena: fake.launch(5, args[0]), [x])
    fake.execute_step(lambda args, arena: fake.launch(twice, args[0]), [x])
    np.testing.assert_array_equal(fake.download(x, 8), eight(4))


def test_profile_has_the_times_of_the_device(fake):
    fake.add_image(b"kernels")
    twice, x = fake.kernel("twice"), fake.upload(eight())
    fake.check(fake.lib.raf_rt_profile_enable(fake.ctx, 16))

    def body(args, arena):
        fake.lib.raf_rt_profile_begin(fake.ctx, 7)
        for op in (8, 9):
            fake.lib.raf_rt_profile_begin(fake.ctx, op)
            fake.launch(twice, args[0])
            fake.lib.raf_rt_profile_end(fake.ctx, op)
        fake.lib.raf_rt_profile_end(fake.ctx, 7)

    fake.execute_step(body, [x])
    records, count, lost = (R.Record * 16)(), ctypes.c_int64(), ctypes.c_int64()
    fake.check(fake.lib.raf_rt_profile_read(fake.ctx, records, 16, ctypes.byref(count), ctypes.byref(lost)))
    by_op = {r.op: r for r in records[: count.value]}
    assert sorted(by_op) == [7, 8, 9] and lost.value == 0 and all(r.thread == -1 for r in by_op.values())
    assert by_op[7].start <= by_op[8].start <= by_op[8].end <= by_op[9].start <= by_op[9].end <= by_op[7].end


@pytest.mark.parametrize("function", ["cuMemcpyHtoDAsync_v2", "cuLaunchKernel", "cuMemcpyDtoHAsync_v2"])
def test_driver_errors_name_what_was_done(fake, monkeypatch, function):
    fake.add_image(b"kernels")
    twice, x = fake.kernel("twice"), fake.upload(eight())
    monkeypatch.setenv("FAKE_FAIL", f"{function}=999")
    with pytest.raises(R.RuntimeFailure, match=r"^cuda: (uploading 32 bytes|launching the kernel twice|downloading 32 bytes) failed: FAKE_NAME"):
        fake.upload(eight(), x)
        fake.launch(twice, x)
        fake.download(x, 8)
    monkeypatch.delenv("FAKE_FAIL")
    fake.synchronize()
