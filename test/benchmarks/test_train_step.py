# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The benchmark's harness: peers compute the same losses, it writes what it says, and it says what is missing. No time is compared with another."""

import importlib
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("raf._core")
BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"
TINY = {
    "mlp": {},
    "cnn": {},
    "resnet18": {"size": 32},
    "gpt": {"layers": 1, "width": 16, "heads": 2, "hidden": 32, "vocabulary": 30, "time": 8},
    "lstm": {},
    "bert-base": {"layers": 2, "width": 16, "heads": 2, "hidden": 32, "vocabulary": 30, "time": 8, "classes": 2},
    "vit-tiny": {"layers": 1, "width": 16, "heads": 2, "hidden": 32, "size": 32, "patch": 8, "classes": 10},
}


@pytest.fixture(scope="module")
def steps():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield {name: importlib.import_module(f"steps.{name}") for name in ("workloads", "worker", "floor", "report")}


@pytest.fixture
def tiny(steps, monkeypatch, tmp_path):
    """The folder of a workload in small."""
    W = steps["workloads"]

    def write(name):
        workload, options = W.WORKLOADS[name], TINY[name]
        for sizes in (W.GPT, W.BERT, W.VIT):
            if sizes.keys() == options.keys():
                for key, value in options.items():
                    monkeypatch.setitem(sizes, key, value)
        batch = workload.batch
        if name == "vit-tiny":
            batch = W._images(4, 3, options["size"], options["classes"])
        elif name == "resnet18":
            batch = W._images(8, 3, options["size"], 1000)
        W.Workload(workload.title, workload.model, batch, options).write(tmp_path)
        return tmp_path

    return write


def losses(steps, peer, amp, folder):
    module = pytest.importorskip(f"steps.{steps['worker'].MODULES[peer.partition('-')[0]]}", exc_type=ImportError)
    return np.array(steps["worker"].Peer(module, peer, amp, folder, 1).start(3)["losses"])


@pytest.mark.parametrize("peer", ["jax", "torch-eager"])
@pytest.mark.parametrize("name", TINY)
def test_peers_train_alike(steps, tiny, name, peer):
    pytest.importorskip(peer.partition("-")[0])
    folder = tiny(name)
    ours = losses(steps, "raf", "none", folder)
    # Batch norms of few pixels enlarge rounding errors.
    assert np.allclose(ours, losses(steps, peer, "none", folder), rtol=1e-2 if name == "resnet18" else 1e-4)
    assert ours[0] != ours[1]


@pytest.mark.parametrize("peer", ["jax", "torch-eager"])
@pytest.mark.parametrize("name", ["mlp", "gpt", "lstm", "bert-base"])
def test_peers_in_mixed_precision_stay_near(steps, tiny, name, peer):
    pytest.importorskip(peer.partition("-")[0])
    folder = tiny(name)
    exact, mixed = losses(steps, peer, "none", folder), losses(steps, peer, "bf16", folder)
    assert np.allclose(exact, mixed, rtol=5e-2) and not np.array_equal(exact, mixed)


def test_floors_count_the_products(steps, tiny):
    floor, folder = steps["floor"], tiny("mlp")
    counted = floor.count(folder / "model.onnx", steps["workloads"].read_batches(folder)[0][0])
    # x has no gradient: two products of the first layer, three of the second.
    assert counted == {"params": 9610, "flops": 2 * 2 * 32 * 64 * 128 + 3 * 2 * 32 * 128 * 10, "words": 2 * (32 * 64 + 64 * 128 + 32 * 128) + 3 * (32 * 128 + 1280 + 320)}
    assert floor.traffic(counted, "bf16") == 2 * counted["words"] + 28 * 9610
    rates = {"gemm": {"f32": 1e9}, "copy": 1e9, "cached_copy": 1e10, "cached_bytes": 1 << 20}
    compute, moved = floor.milliseconds(counted, rates, "f32")
    assert np.isclose(compute, counted["flops"] / 1e6) and np.isclose(moved, floor.traffic(counted, "f32") / 1e7)
    assert np.isnan(floor.milliseconds(counted, rates, "bf16")[0])


def row(ms, mib, first, **more):
    return {"ms": [[ms]], "cpu_ms": [ms], "median_ms": ms, "min_ms": ms, "first_s": first, "steps_mib": mib, "losses": [2.0, 1.0], "loss": 1.0, "steps": 2, **more}


RATES = {"gemm": {"f32": 1e9}, "copy": 1e9, "cached_copy": 1e10, "cached_bytes": 1 << 20}


def measured(**peers):
    counted = {"params": 10, "flops": 10**6, "words": 1000}
    best = {"peer": "jax", "speedup": 2.0, "memory_peer": "jax", "memory": 0.5, "first": 0.25}
    return {"title": "small", "amp": "none", "counted": counted, "floor_ms": {"compute": 1.0, "memory": 0.1}, "peers": peers, "against_best": best}


def test_the_report_shows_ratios_floors_and_what_is_missing(steps):
    report = steps["report"]
    result = measured(**{"raf": row(2.0, 5.0, 1.0, again_s=0.1, imported_s=0.2, plan={"params": 2**20, "arena_bytes": 2**21}), "jax": row(4.0, 10.0, 4.0, loss_difference=1e-6)},
                      **{"torch-eager": {"absent": "No module named 'torch'"}, "torch-compile": {"failed": "no compiler"}})  # fmt: skip
    text = report.table("mlp", result, RATES)
    ours, theirs, absent, failed = text.splitlines()[4:8]
    assert ours.split()[:7] == ["RAF", "2", "2", "2", "1.00", "2.00", "1.00"] and " 3 " in ours  # planned MiB
    assert theirs.split()[:6] == ["JAX", "4", "4", "4", "2.00", "4.00"] and "1.0e-06" in theirs
    assert "not installed: No module named 'torch'" in absent and "FAILED: no compiler" in failed
    assert report.summary({"mlp": result}).splitlines()[2].split() == ["mlp", "2.00", "JAX", "2.00", "0.50", "0.25", "0.10"]


def test_the_bars(steps, tmp_path):
    pytest.importorskip("matplotlib")
    steps["report"].plot({"mlp": measured(raf=row(2.0, 5.0, 1.0), jax=row(4.0, 10.0, 4.0)), "cnn": measured(jax=row(1.0, 1.0, 1.0))}, tmp_path / "bars.svg")
    assert b"JAX" in (tmp_path / "bars.svg").read_bytes()


# ---- the program ----


def run(tmp_path, *arguments, **environment):
    env = {**os.environ, **environment}
    done = subprocess.run([sys.executable, str(BENCHMARKS / "train_step.py"), *map(str, arguments)], capture_output=True, text=True, cwd=tmp_path, env=env, check=False)
    return done.returncode, done.stdout, done.stderr


QUICK = ("--rounds", 1, "--seconds", 0.01, "--steps", 2, "--threads", 1)


def test_a_run_is_written_down(tmp_path):
    status, out, err = run(tmp_path, "mlp", "--peers", "raf", *QUICK, "--json", "out.json")
    assert status == 0, err
    assert "mlp, f32" in out and "floor:" in out
    (result,) = json.loads((tmp_path / "out.json").read_text())["workloads"].values()
    ours = result["peers"]["raf"]
    assert ours["median_ms"] > 0 and ours["first_s"] > 0 and ours["again_s"] > 0 and "steps_mib" in ours and ours["plan"]["arena_bytes"] > 0
    assert [p.name for p in tmp_path.iterdir()] == ["out.json"]


def test_a_peer_that_is_not_installed_is_left_out(tmp_path):
    (tmp_path / "gone").mkdir()
    (tmp_path / "gone" / "torch.py").write_text("raise ModuleNotFoundError(\"No module named 'torch'\")\n")
    path = os.pathsep.join([str(tmp_path / "gone"), os.environ.get("PYTHONPATH", "")])
    status, out, err = run(tmp_path, "mlp", "--peers", "torch-eager", *QUICK, "--no-memory", PYTHONPATH=path)
    assert status == 0 and "PyTorch IS NOT HERE and is left out: No module named 'torch'" in err and "not installed" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("mpl",), "unknown workload 'mpl': mlp, cnn"),
        (("mlp", "--json", "nowhere/out.json"), "--json nowhere/out.json: there is no folder nowhere"),
        (("mlp", "--plot", "."), "--plot .: it is a folder"),
        (("mlp", "--threads", "0"), "must be at least 1"),
        (("mlp", "--amp", "int8"), "invalid choice: 'int8'"),
    ],
)
def test_wrong_options(tmp_path, arguments, message):
    status, _, err = run(tmp_path, *arguments)
    assert status == 2 and message in err and "Traceback" not in err
