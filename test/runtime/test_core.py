# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contexts, threads, memory, execution and the profile: everything but library plans."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import raf_rt as R


def parallel_for(rt, body, n, grain):
    rt.lib.raf_rt_parallel_for(rt.ctx, R.BODY(body), None, n, grain)


def ranges_of(rt, n, grain):
    """The ranges that the bodies were called with, in order of their begin."""
    ranges, lock = [], threading.Lock()

    def body(_, begin, end):
        with lock:
            ranges.append((begin, end))

    parallel_for(rt, body, n, grain)
    return sorted(ranges)


def test_abi_version_and_info(rt):
    assert rt.lib.raf_rt_abi_version() == 2
    info = json.loads(rt.lib.raf_rt_info())
    assert info["cores"] >= 1 and info["threads"] == rt.lib.raf_rt_get_num_threads()
    assert info["onednn"] is None or info["onednn"]["version"].startswith("3.")


# ---- threads ----


@pytest.mark.parametrize("value", [0, -1, 1 << 40])
def test_number_of_threads_is_checked(rt, value):
    before = rt.lib.raf_rt_get_num_threads()
    assert rt.lib.raf_rt_set_num_threads(value) == R.INVALID
    assert str(value) in rt.error(context=False)
    assert rt.lib.raf_rt_get_num_threads() == before


def test_a_thread_can_use_a_number_of_its_own(rt):
    rt.lib.raf_rt_set_num_threads(2)
    seen = []
    assert rt.lib.raf_rt_use_num_threads(3) == 0
    try:
        assert rt.lib.raf_rt_get_num_threads() == 3 and len(ranges_of(rt, 30, 1)) == 3
        other = threading.Thread(target=lambda: seen.append(rt.lib.raf_rt_get_num_threads()))
        other.start(), other.join()
        assert seen == [2]
        assert rt.lib.raf_rt_use_num_threads(-1) == -1 and rt.lib.raf_rt_use_num_threads(1 << 40) == -1
        assert rt.lib.raf_rt_get_num_threads() == 3
    finally:
        assert rt.lib.raf_rt_use_num_threads(0) == 3
    assert rt.lib.raf_rt_get_num_threads() == 2


def threads_of_a_process(prefix=(), **environment):
    code = f"import ctypes; print(ctypes.CDLL({str(R.find_library())!r}).raf_rt_get_num_threads())"
    environment = {**{k: v for k, v in os.environ.items() if k != "RAF_NUM_THREADS"}, **environment}
    out = subprocess.run([*prefix, sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return int(out.stdout)


def test_initial_threads_follow_environment_and_affinity(rt):
    assert threads_of_a_process(RAF_NUM_THREADS="3") == 3
    usual = threads_of_a_process()
    assert 1 <= usual <= len(os.sched_getaffinity(0))
    for nonsense in ("", "0", "-2", "two", "3x", "99999999999999999999"):
        assert threads_of_a_process(RAF_NUM_THREADS=nonsense) == usual
    cpu = min(os.sched_getaffinity(0))
    assert threads_of_a_process(prefix=["taskset", "-c", str(cpu)]) == 1


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_ranges_cover_everything_once(rt, count):
    rt.lib.raf_rt_set_num_threads(count)
    for n in (1, 2, 5, 16, 17, 1000):
        for grain in (-1, 0, 1, 3, 16, 999, 1000):
            ranges = ranges_of(rt, n, grain)
            assert ranges[0][0] == 0 and ranges[-1][1] == n
            assert all(a[1] == b[0] for a, b in zip(ranges, ranges[1:]))
            assert len(ranges) <= min(count, max(1, -(-n // max(grain, 1))))
            assert all(begin < end for begin, end in ranges)


@pytest.mark.parametrize("n", [0, -1, -(1 << 62)])
def test_nothing_to_do(rt, n):
    assert ranges_of(rt, n, 1) == []


def test_small_work_runs_inline(rt):
    rt.lib.raf_rt_set_num_threads(4)
    seen = []
    parallel_for(rt, lambda _, begin, end: seen.append((begin, end, threading.get_native_id())), 100, 100)
    assert seen == [(0, 100, threading.get_native_id())]


def test_nested_runs_inline_on_the_same_thread(rt):
    rt.lib.raf_rt_set_num_threads(3)
    inner, lock = [], threading.Lock()

    def outer_body(_, begin, end):
        me = threading.get_native_id()

        def inner_body(_, inner_begin, inner_end):
            with lock:
                inner.append((inner_begin, inner_end, threading.get_native_id() == me))

        parallel_for(rt, inner_body, 50, 1)

    parallel_for(rt, outer_body, 3, 1)
    assert inner == [(0, 50, True)] * 3


def test_results_do_not_depend_on_threads(rt, rng):
    x = rng.standard_normal(10_007)
    results = []
    for count in (1, 2, 5):
        rt.lib.raf_rt_set_num_threads(count)
        out = np.zeros_like(x)

        def body(_, begin, end, out=out):
            out[begin:end] = np.sin(x[begin:end]) * 3

        parallel_for(rt, body, x.size, 64)
        results.append(out.tobytes())
    assert len(set(results)) == 1


def test_callers_on_many_threads(rt):
    """Each caller has a team of its own and sees all of its own work done."""
    rt.lib.raf_rt_set_num_threads(2)
    totals = []

    def caller():
        for _ in range(20):
            done = np.zeros(64, np.int64)

            def body(_, begin, end, done=done):
                done[begin:end] += 1

            parallel_for(rt, body, 64, 1)
            totals.append(bool((done == 1).all()))

    callers = [threading.Thread(target=caller) for _ in range(4)]
    for thread in callers:
        thread.start()
    for thread in callers:
        thread.join()
    assert totals == [True] * 80


def test_null_context_is_enough_for_parallel_for(rt):
    seen = []
    rt.lib.raf_rt_parallel_for(None, R.BODY(lambda _, begin, end: seen.append(end - begin)), None, 10, 1)
    assert sum(seen) == 10


# ---- memory ----


def allocate(rt, size):
    out = ctypes.c_void_p()
    rt.check(rt.lib.raf_rt_alloc(rt.ctx, size, ctypes.byref(out)))
    return out


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 1 << 20, (1 << 24) + 5])
def test_memory_is_aligned_writable_and_counted(rt, size):
    before = rt.memory()
    block = allocate(rt, size)
    assert block.value and block.value % 64 == 0
    if size:
        ctypes.memset(block, 0xAB, size)
    during = rt.memory()
    assert during.current - before.current == size
    assert during.allocations - before.allocations == 1
    assert during.peak >= during.current
    rt.check(rt.lib.raf_rt_free(rt.ctx, block))
    assert rt.memory().current == before.current


def test_big_blocks_start_on_huge_pages(rt):
    block = allocate(rt, 64 << 20)
    assert block.value % (2 << 20) == 0
    rt.check(rt.lib.raf_rt_free(rt.ctx, block))


def test_peak_can_be_reset(rt):
    block = allocate(rt, 1 << 20)
    rt.check(rt.lib.raf_rt_free(rt.ctx, block))
    rt.lib.raf_rt_memory_reset_peak()
    stats = rt.memory()
    assert stats.peak == stats.current


def test_wrong_allocations_are_reported(rt):
    out = ctypes.c_void_p(1)
    assert rt.lib.raf_rt_alloc(rt.ctx, -1, ctypes.byref(out)) == R.INVALID and not out.value
    for size in (1 << 62, (1 << 63) - 1):
        assert rt.lib.raf_rt_alloc(rt.ctx, size, ctypes.byref(out)) == R.OUT_OF_MEMORY and not out.value
        assert str(size) in rt.error()
    assert rt.lib.raf_rt_alloc(rt.ctx, 1, None) == R.INVALID
    assert rt.lib.raf_rt_free(rt.ctx, None) == R.OK


def test_wrong_frees_are_reported(rt):
    block = allocate(rt, 100)
    assert rt.lib.raf_rt_free(rt.ctx, block.value + 64) == R.INVALID
    assert rt.lib.raf_rt_free(rt.ctx, block) == R.OK
    assert rt.lib.raf_rt_free(rt.ctx, block) == R.INVALID
    assert "free" in rt.error()


# ---- errors and execution ----


def test_null_contexts_and_pointers_are_reported(rt):
    lib = rt.lib
    assert lib.raf_rt_context_create(None) == R.INVALID
    lib.raf_rt_context_destroy(None)
    entry = R.ENTRY(lambda ctx, args, arena: None)
    assert lib.raf_rt_execute(None, entry, None, None) == R.INVALID
    assert "context" in rt.error(context=False)
    assert lib.raf_rt_execute(rt.ctx, None, None, None) == R.INVALID
    assert lib.raf_rt_memory(None) == R.INVALID
    assert lib.raf_rt_profile_enable(None, 1) == R.INVALID
    lib.raf_rt_profile_begin(None, 0)
    lib.raf_rt_profile_end(None, 0)
    assert lib.raf_rt_dnnl_describe(None, 0) is None


def test_errors_belong_to_their_context(rt):
    other = R.Runtime(rt.lib)
    assert rt.error() == other.error() == ""
    assert rt.lib.raf_rt_execute(rt.ctx, None, None, None) == R.INVALID
    assert "entry" in rt.error() and other.error() == ""
    other.close()


def test_entry_gets_its_arguments(rt):
    seen = []
    entry = R.ENTRY(lambda ctx, args, arena: seen.append((ctx, args, arena)))
    rt.check(rt.lib.raf_rt_execute(rt.ctx, entry, 123 << 8, 456 << 8))
    assert seen == [(rt.ctx.value, 123 << 8, 456 << 8)]


def test_execute_inside_execute_is_an_error_not_a_deadlock(rt):
    statuses = []
    inner = R.ENTRY(lambda *_: None)
    entry = R.ENTRY(lambda ctx, *_: statuses.append(rt.lib.raf_rt_execute(ctx, inner, None, None)))
    assert rt.lib.raf_rt_execute(rt.ctx, entry, None, None) == R.INVALID
    assert statuses == [R.INVALID]
    rt.check(rt.lib.raf_rt_execute(rt.ctx, inner, None, None))


def test_steps_of_one_context_do_not_overlap(rt):
    inside, most = [0], [0]

    def step(*_):
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        time.sleep(0.002)
        inside[0] -= 1

    entry = R.ENTRY(step)
    callers = [threading.Thread(target=rt.lib.raf_rt_execute, args=(rt.ctx, entry, None, None)) for _ in range(6)]
    for thread in callers:
        thread.start()
    for thread in callers:
        thread.join()
    assert most == [1]


# ---- profile ----


def read_profile(rt, capacity=100):
    records, count, lost = (R.Record * capacity)(), ctypes.c_int64(), ctypes.c_int64()
    rt.check(rt.lib.raf_rt_profile_read(rt.ctx, records, capacity, ctypes.byref(count), ctypes.byref(lost)))
    return records[: count.value], lost.value


def span(rt, op):
    rt.lib.raf_rt_profile_begin(rt.ctx, op)
    rt.lib.raf_rt_profile_end(rt.ctx, op)


def test_profile_is_off_until_enabled(rt):
    span(rt, 1)
    assert read_profile(rt) == ([], 0)


def test_profile_records_in_order_and_nests(rt):
    rt.check(rt.lib.raf_rt_profile_enable(rt.ctx, 100))
    rt.lib.raf_rt_profile_begin(rt.ctx, 7)
    span(rt, 8)
    rt.lib.raf_rt_profile_end(rt.ctx, 7)
    (inner, outer), lost = read_profile(rt)
    assert (inner.op, outer.op, lost) == (8, 7, 0)
    assert outer.start <= inner.start <= inner.end <= outer.end
    assert read_profile(rt) == ([], 0)


def test_profile_records_the_parts_of_a_parallel_loop(rt):
    rt.check(rt.lib.raf_rt_set_num_threads(2), context=False)
    body = R.BODY(lambda *_: time.sleep(0.01))

    def step(ctx, *_):
        rt.lib.raf_rt_parallel_for(ctx, body, None, 2, 1)  # outside of an op: nobody's
        rt.lib.raf_rt_profile_begin(ctx, 5)
        rt.lib.raf_rt_parallel_for(ctx, body, None, 2, 1)
        rt.lib.raf_rt_profile_end(ctx, 5)

    entry = R.ENTRY(step)
    rt.check(rt.lib.raf_rt_execute(rt.ctx, entry, None, None))
    assert read_profile(rt) == ([], 0)
    rt.check(rt.lib.raf_rt_profile_enable(rt.ctx, 100))
    rt.check(rt.lib.raf_rt_execute(rt.ctx, entry, None, None))
    (*parts, whole), lost = read_profile(rt)
    assert lost == 0 and [r.op for r in (*parts, whole)] == [5, 5, 5]
    assert sorted(r.thread for r in parts) == [0, 1] and whole.thread == -1
    assert all(whole.start <= r.start <= r.end <= whole.end for r in parts)


def test_profile_keeps_the_newest(rt):
    rt.check(rt.lib.raf_rt_profile_enable(rt.ctx, 4))
    for op in range(10):
        span(rt, op)
    records, lost = read_profile(rt, 3)
    assert [r.op for r in records] == [7, 8, 9] and lost == 7


def test_profile_survives_unbalanced_calls(rt):
    rt.check(rt.lib.raf_rt_profile_enable(rt.ctx, 8))
    rt.lib.raf_rt_profile_end(rt.ctx, 1)
    for op in range(40):
        rt.lib.raf_rt_profile_begin(rt.ctx, op)
    for op in reversed(range(50)):
        rt.lib.raf_rt_profile_end(rt.ctx, op)
    records, lost = read_profile(rt)
    assert len(records) == 8 and lost == 8
    rt.check(rt.lib.raf_rt_profile_enable(rt.ctx, 0))
    span(rt, 1)
    assert read_profile(rt) == ([], 0)


@pytest.mark.parametrize("capacity", [-1, 1 << 60])
def test_profile_capacity_is_checked(rt, capacity):
    assert rt.lib.raf_rt_profile_enable(rt.ctx, capacity) == R.INVALID
