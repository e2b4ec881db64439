# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collectives of NCCL between processes, each with a simulated GPU."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import raf_cuda as C
import raf_rt as R

RANKS = 3
JOIN = """
import json, os, sys
sys.path[:0] = sys.argv[1:3]
import numpy as np, ml_dtypes
import raf_rt as R, raf_cuda as C
sim = C.Device(C.declare(R.load(sys.argv[3])), "cuda-sim")
rank, ranks, steps = json.loads(sys.argv[4])
report = []
def join():
    if rank == 0:
        print(sim.group_id().hex(), flush=True)
    identity = bytes.fromhex(sys.stdin.readline())
    sim.join(identity, ranks, rank)
join()
"""
WORKER = JOIN + """
for step in steps:
    op, dtype, count, options = step
    op = op[rank] if isinstance(op, list) else op
    dtype = getattr(ml_dtypes, dtype) if hasattr(ml_dtypes, dtype) else np.dtype(dtype)
    count = count[rank] if isinstance(count, list) else count
    options = {k: v[rank] if isinstance(v, list) else v for k, v in options.items()}
    x = (np.arange(count) % 7 + rank + 1).astype(dtype)
    try:
        words = C.collective(op, R.TYPES[options.pop("type", "f32")], count, ranks, **options)
        sizes = sim.buffer_bytes(C.COLLECTIVE, words)
        source = sim.upload(x) if sizes[0] else None
        target = sim.alloc(sizes[1]) if sizes[1] else None
        sim.execute(sim.create(C.COLLECTIVE, words), [source, target, None])
        sim.synchronize()
        report.append(sim.download(target, sizes[1] // x.itemsize, dtype).astype(float).tolist() if target else None)
    except R.RuntimeFailure as failure:
        report.append(str(failure))
print(json.dumps(report))
sim.close()
"""
# The last rank does not take part: its process has ended, or is busy with something else. Without steps nothing waits for the others before the context is closed.
ALONE = JOIN + """
if rank == ranks - 1:
    print(flush=True)
    if "dies" in steps:
        os._exit(0)
    sys.stdin.read()
    sys.exit()
report = []
x = sim.upload(np.ones(8, np.float32))
plan = sim.create(C.COLLECTIVE, C.collective("all_reduce", R.TYPES["f32"], 8, ranks))
sim.execute(plan, [x, x, None])
for call in [sim.synchronize, lambda: sim.execute(plan, [x, x, None]), lambda: sim.download(x, 8)] if "waits" in steps else []:
    try:
        call()
        report.append("")
    except R.RuntimeFailure as failure:
        report.append(str(failure))
sim.close()
print(json.dumps(report), flush=True)
"""
# Rank 0 is ahead of the last rank by more seconds than a collective may take, but none takes so long.
AHEAD = JOIN + """
import time
x = sim.upload(np.ones(8, np.float32))
plan = sim.create(C.COLLECTIVE, C.collective("all_reduce", R.TYPES["f32"], 8, ranks))
sim.check(sim.lib.raf_rt_cuda_capture(sim.ctx, 1, 1))
count, seconds, graphs = steps
for _ in range(count):
    if rank == ranks - 1:
        time.sleep(seconds)
    if graphs:
        sim.execute_step(lambda args, arena: sim.execute(plan, [args[0], args[0], None]), [x])
    else:
        sim.execute(plan, [x, x, None])
begin = time.monotonic()
sim.synchronize()
waited = time.monotonic() - begin
print(json.dumps([waited, sim.counts().replays, sim.download(x, 1).tolist()[0]]), flush=True)
sim.close()
"""


def start(program, steps, ranks, **environment):
    """A process for each rank, which have joined a group or are about to."""
    here = Path(__file__).parent
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, here, here.parent, R.find_library(), json.dumps([rank, ranks, steps])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})
        for rank in range(ranks)
    ]  # fmt: skip
    identity = processes[0].stdout.readline()
    for process in processes:
        process.stdin.write(identity)
        process.stdin.flush()
    return processes


def run(lib, *steps, ranks=RANKS, timeout=60):
    """What each rank has after each step: its output, or why it failed. Step: operation, dtype, elements, options."""
    processes = start(WORKER, steps, ranks, RAF_SIM_NCCL_TIMEOUT=str(timeout))
    outputs = [process.communicate(timeout=100)[0] for process in processes]
    assert all(process.returncode == 0 for process in processes)
    return [json.loads(output.splitlines()[-1]) for output in outputs]


def inputs(count, ranks=RANKS):
    return [np.arange(count) % 7 + rank + 1.0 for rank in range(ranks)]


def test_values(sim):
    """One start of the processes for all: that is what takes the time."""
    n, large = 12, 50_001  # more than a piece of the exchange
    steps = [
        ("all_reduce", "float32", n, {}),
        ("all_reduce", "float32", large, {}),
        ("all_reduce", "bfloat16", n, {"type": "bf16", "reduction": "mean"}),
        ("all_reduce", "int32", n, {"type": "i32", "reduction": "max"}),
        ("all_reduce", "float64", n, {"type": "f64", "reduction": "product"}),
        ("all_reduce", "float16", n, {"type": "f16", "reduction": "min"}),
        ("all_gather", "float32", n, {}),
        ("all_gather", "float32", large, {}),
        ("reduce_scatter", "float32", n, {}),
        ("reduce_scatter", "float32", 3 * large, {}),
        ("broadcast", "float32", n, {"peer": 2}),
        ("all_to_all", "float32", n, {}),
        ("all_to_all", "float32", 3 * large, {}),
    ]
    small, big, scattered = inputs(n), inputs(large), inputs(3 * large)
    got = run(sim.lib, *steps)
    for rank in range(RANKS):
        part, parts = n // RANKS, large
        expected = [
            sum(small), sum(big), sum(small) / RANKS, np.max(small, 0), np.prod(small, 0), np.min(small, 0), np.concatenate(small), np.concatenate(big),
            sum(small)[rank * part : (rank + 1) * part], sum(scattered)[rank * parts : (rank + 1) * parts], small[2],
            np.concatenate([x[rank * part : (rank + 1) * part] for x in small]), np.concatenate([x[rank * parts : (rank + 1) * parts] for x in scattered]),
        ]  # fmt: skip
        for step, value, wanted in zip(steps, got[rank], expected, strict=True):
            assert not isinstance(value, str), (step, value)
            np.testing.assert_allclose(value, wanted, rtol=1e-2 if step[1] == "bfloat16" else 1e-6, err_msg=str(step))


def test_messages(sim):
    """From rank 0 to rank 1."""
    n = 40_000  # more than one piece
    got = run(sim.lib, (["send", "receive"], "float32", n, {"peer": [1, 0]}), ranks=2)
    assert got[0] == [None]
    np.testing.assert_array_equal(got[1][0], inputs(n)[0])


def test_ranks_that_disagree_are_told(sim):
    got = run(sim.lib, ("all_reduce", "float32", [8, 8, 16], {}))
    assert all("the ranks disagree" in failure for (failure,) in got)
    assert "rank 2 calls operation 1 on 16 elements" in got[2][0]


def test_a_rank_that_does_not_come_is_told(sim):
    got = run(sim.lib, ("send", "float32", 40_000, {"peer": [1, 1, 1]}), timeout=2)
    assert "another rank did not come within 2 s" in got[0][0]


@pytest.mark.parametrize("dies,reason", [(True, "another process failed); rank 2 is gone"), (False, "nothing that waits for other processes has ended for 1 s (RAF_NCCL_TIMEOUT)")])
@pytest.mark.parametrize("waits", [True, False])
def test_what_waits_for_a_rank_that_is_gone_ends(sim, dies, reason, waits):
    """Waiting says why, later collectives too, and everything else goes on; closing a context waits no longer either. The stand-in would wait for an hour, NCCL for ever."""
    steps = ["dies"] * dies + ["waits"] * waits
    processes = start(ALONE, steps, RANKS, RAF_SIM_NCCL_TIMEOUT="3600", **({} if dies else {"RAF_NCCL_TIMEOUT": "1"}))
    try:
        processes[-1].stdout.readline()
        outputs = [process.communicate(timeout=100)[0] for process in processes[:-1]]
        assert all(process.returncode == 0 for process in processes[:-1])
        for output in outputs:
            report = json.loads(output.splitlines()[-1])
            assert len(report) == 3 * waits
            if waits:
                # The ranks that are there may see one another leave.
                assert " does not end: " in report[0] and (reason in report[0] or "is gone" in report[0])
                assert "has left its group: " in report[1] and report[2] == ""
        if waits:
            assert any(reason in output for output in outputs)
    finally:
        for process in processes:
            process.kill()
            process.communicate()


@pytest.mark.parametrize("graphs", [False, True])
def test_a_long_wait_for_ranks_that_come_does_not_end_the_group(sim, graphs):
    count, ranks = 9, 2
    processes = start(AHEAD, [count, 0.5, graphs], ranks, RAF_NCCL_TIMEOUT="3")
    reports = [json.loads(process.communicate(timeout=100)[0].splitlines()[-1]) for process in processes]
    assert all(process.returncode == 0 for process in processes)
    assert reports[0][0] > 3
    assert [report[1:] for report in reports] == [[graphs * (count - 1), 2.0**count]] * ranks


def test_the_time_to_wait_is_checked(sim, monkeypatch):
    for wrong in ("0", "-1", "soon", "1s", "inf", "nan", ""):
        monkeypatch.setenv("RAF_NCCL_TIMEOUT", wrong)
        with pytest.raises(R.RuntimeFailure, match=f"RAF_NCCL_TIMEOUT must be a positive number of seconds, got '{wrong}'"):
            sim.group_id()


@pytest.mark.parametrize(
    "words,message",
    [
        (C.collective(9, 1, 8, 1), "unknown operation 9"),
        (C.collective("all_reduce", 1, 0, 1), "0 elements"),
        (C.collective("reduce_scatter", 1, 8, 3), "8 elements in 3 equal parts"),
        (C.collective("broadcast", 1, 8, 3, peer=3), "rank 3 of 3"),
        (C.collective("all_reduce", 1, 8, 2), "has joined no group"),
    ],
)
def test_what_is_refused(sim, words, message):
    with pytest.raises(R.RuntimeFailure, match=message):
        sim.create(C.COLLECTIVE, words)


def test_a_group_of_one(sim):
    sim.join(sim.group_id(), 1, 0)
    x = np.arange(10, dtype=np.float32)
    a, b = sim.upload(x), sim.alloc(40)
    for op in ("all_reduce", "all_gather", "reduce_scatter", "broadcast", "all_to_all"):
        sim.execute(sim.create(C.COLLECTIVE, C.collective(op, 1, 10, 1)), [a, b, None])
        np.testing.assert_array_equal(sim.download(b, 10), x)
    with pytest.raises(R.RuntimeFailure, match="is rank 0 of a group already"):
        sim.join(sim.group_id(), 1, 0)
    with pytest.raises(R.RuntimeFailure, match="a buffer is NULL"):
        sim.execute(0, [None, b, None])
