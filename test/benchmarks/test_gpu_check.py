# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""benchmarks/gpu_check.py on the simulated GPU, and what it calls a failure. The whole of it, with the runtime built: RAF_TEST_SLOW=1 pytest test/benchmarks/test_gpu_check.py"""

import importlib
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import raf

pytest.importorskip("raf._core")
BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def gpu():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield {name: importlib.import_module(f"gpu.{name}") for name in ("cases", "report", "checker")}


def run(*arguments, status=0, **environment):
    env = {**os.environ, "OMP_NUM_THREADS": "1", **environment}
    done = subprocess.run([sys.executable, str(BENCHMARKS / "gpu_check.py"), *map(str, arguments)], capture_output=True, text=True, env=env, check=False)
    assert done.returncode == status and "Traceback" not in done.stderr, done.stdout + done.stderr
    return done.stdout, done.stderr


def check(data, models, programs):
    assert len(data["checks"]) == programs and set(data["models"]) == set(models)
    assert all("absent" in row or row["worst"] <= 1 for row in data["checks"])
    for model in data["models"].values():
        ours = model["peers"]["raf"]
        assert len(ours["losses"]) == 5 and ours["losses"][0] != ours["losses"][4] and ours["kernels"] > 0 and ("ms" in ours) == model["timed"]
        theirs = model["peers"]["torch-eager"]
        assert "absent" in theirs or theirs["difference"] < 5e-2


def test_both_parts_on_the_simulated_gpu(tmp_path):
    folder = tmp_path / "programs"
    run("prepare", folder, "--target", "cuda-sim", "--small", "--only", "matmul", "softmax", "adamw", "mlp", "bert-base")
    with np.load(folder / "ops" / "softmax.npz") as file:
        assert any(name.startswith("expected:") for name in file.files)
    # Values are made where the step runs: the file has none.
    assert (folder / "models" / "bert-base.rafx").stat().st_size < 1 << 20
    out, err = run("run", folder, "--no-build", "--peers", "raf", "torch-eager", "--seconds", 0.01, "--json", tmp_path / "out.json")
    data = json.loads((tmp_path / "out.json").read_text())
    check(data, ("mlp", "bert-base"), 5)
    # The arena is the executable's, all else that a step keeps the device's.
    ours = data["models"]["bert-base"]["peers"]["raf"]
    assert ours["peak_mib"] >= ours["planned_mib"]
    assert "SIMULATED" in out and "FAILED" not in out + err
    if importlib.util.find_spec("torch") is None:
        assert "IS LEFT OUT" in err and "IS NOT COMPARED" in err and "THE CEILINGS ARE NOT MEASURED" in err


@pytest.mark.slow
def test_the_whole_script_builds_the_runtime(gpu, tmp_path):
    run("--target", "cuda-sim", "--small", "--seconds", 0.1, "--limit", 3000, "--json", tmp_path / "out.json")
    data = json.loads((tmp_path / "out.json").read_text())
    assert data["build_s"] > 0
    check(data, gpu["cases"].models(True), 5 + len(gpu["cases"].families(True)))


def test_without_a_device_it_says_so(tmp_path):
    if json.loads(raf._core.cuda_info("cuda"))["devices"]:
        pytest.skip("there is a CUDA device")
    run("prepare", tmp_path, "--small", "--only", "gelu")
    with zipfile.ZipFile(tmp_path / "families" / "gelu.rafx") as file:
        assert any(name.endswith(".ptx") for name in file.namelist())
    _, err = run("run", tmp_path, "--no-build", status=1)
    assert "error: no device for the target cuda:sm_90a" in err


def test_names_that_there_are_not(tmp_path):
    _, err = run("prepare", tmp_path, "--small", "--only", "geluu", "softmax", status=1)
    assert "error: --only geluu: expected of ops, families, models, or of the programs adamw, " in err and not (tmp_path / "check.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run",), "run needs a folder"),
        (("run", "nowhere"), "nowhere holds no check.json: write it with gpu_check.py prepare nowhere"),
        (("--target", "cuda"), "--target cuda: expected cuda:sm_90a or another chip, or cuda-sim"),
    ],
)
def test_wrong_options(arguments, message):
    assert message in run(*arguments, status=2)[1]


def test_what_is_a_failure(gpu):
    def model(**peers):
        return {"timed": True, "amp": "bf16", "counted": {"flops": 10**9, "words": 10**6, "params": 10**6}, "peers": peers}

    ours = {"losses": [2.0, 1.5], "ms": 2.0, "first_s": 1.0, "kernels": 7}
    data = {
        "target": "cuda:sm_90a", "small": False, "seconds": 1.0, "device": {"devices": [{"name": "X", "architecture": "sm_90"}]},
        "checks": [{"name": "ops/add", "worst": 0.5}, {"name": "ops/sub", "worst": 2.0}, {"name": "ops/mul", "error": "RuntimeError: it broke"}, {"name": "families/conv", "absent": "no torch"}],
        "models": {
            "a": model(raf=dict(ours), **{"torch-eager": {"losses": [2.0, 1.5], "ms": 3.0, "first_s": 1.0}, "jax": {"absent": "no jax"}}),
            "b": model(raf=dict(ours), **{"torch-eager": {"losses": [2.0, 1.0], "ms": 1.0, "first_s": 1.0}}),
            "c": model(raf={"failed": "its process ended"}),
        },
        "ceilings": {"matmul": {"bf16": 1e12}, "copy": 1e10},
    }  # fmt: skip
    failures = gpu["report"].judge(data)
    assert [f.split(":")[0] for f in failures] == ["ops/sub", "ops/mul", "b", "c"] and "differ from PyTorch's by 0.25, allowed 0.05" in failures[2]
    assert data["models"]["a"]["peers"]["torch-eager"]["ratio"] == 1.5
    # 1 ms of arithmetic in 2 ms; (2 * 10^6 + 28 * 10^6) bytes at 10 GB/s are 3 ms.
    assert data["models"]["a"]["peers"]["raf"]["of_matmul"] == pytest.approx(0.5) and data["models"]["a"]["peers"]["raf"]["of_copy"] == pytest.approx(1.5)
    text = gpu["report"].table(data)
    assert "1 of 4 agree, 1 not compared" in text and "left out: no jax" in text and "FAILED: its process ended" in text and "bf16 products 1 TFLOP/s, copy 10 GB/s" in text


def test_what_never_ran_is_a_failure(gpu):
    """PyTorch that is not there is none."""
    judge, none = gpu["report"].judge, {"checks": [], "models": {}}
    assert judge(none) == ["nothing was run"]
    data = {"checks": [{"name": "ops/add", "worst": 0.0}, {"name": "families/gelu", "absent": "No module named 'torch'"}], "models": {}}
    assert judge(data) == []
    data["checks"].append({"name": "ops/sub", "absent": gpu["report"].NO_TIME})
    peers = {"raf": {"losses": [1.0]}, "torch-eager": {"absent": gpu["report"].NO_TIME}, "jax": {"absent": "No module named 'jax'"}}
    data["models"]["mlp"] = {"timed": False, "amp": "none", "counted": {}, "peers": peers}
    assert judge(data) == ["no time was left for 2, raise --limit: ops/sub, mlp/torch-eager"]


def test_a_table_is_printed_whatever_hangs(gpu, tmp_path, monkeypatch, capsys):
    """The models have their time although the programs take more than theirs, which go on afterwards; a peer that hangs takes only its own."""
    gpu_check = importlib.import_module("gpu_check")
    now, calls = [0.0], []
    monkeypatch.setattr(gpu_check.time, "monotonic", lambda: now[0])
    entry = {"timed": True, "counted": {"flops": 10**9, "words": 10**6, "params": 10**6}, "amp": "none"}
    (tmp_path / "check.json").write_text(json.dumps({"target": "cuda:sm_90a", "small": False, "ops": {f"op{i}": {} for i in range(40)}, "families": {}, "models": {"gpt": entry, "bert": entry}}))

    def python(self, script, *arguments, timeout):
        calls.append((script, now[0]))
        if arguments[-1] == "doctor":
            return [{"devices": [{"name": "GPU", "architecture": "sm_90"}], "missing": []}], ""
        if script == "checker.py":  # 10 s each
            done = arguments[2:][: int(timeout // 10)]
            now[0] += 10 * len(done) if len(done) == len(arguments) - 2 else timeout
            return [{"name": name, "worst": 0.0} for name in done], "" if len(done) == len(arguments) - 2 else f"no end after {timeout:.0f} s"
        if script == "ceilings.py":
            return [{"matmul": {"f32": 1e12}, "copy": 1e12}], ""
        if arguments[:2] == ("torch-compile", "gpt"):
            now[0] += timeout
            return [], f"no end after {timeout:.0f} s"
        now[0] += 20
        return [{"losses": [1.0, 0.5], "ms": 2.0, "first_s": 1.0}], ""

    monkeypatch.setattr(gpu_check.Run, "python", python)
    arguments = gpu_check.argparse.Namespace(limit=470, no_build=True, peers=("raf", "torch-eager", "torch-compile"), seconds=1, json=None)
    run = gpu_check.Run(tmp_path, arguments)
    assert run.run() == 1
    assert now[0] <= 470 and [row["peers"]["torch-eager"]["ms"] for row in run.data["models"].values()] == [2.0, 2.0]
    # 16 programs in their part of the time, more in what is left; none is blamed for the end of the first part.
    failed = [row for row in run.data["checks"] if "error" in row]
    good = [row for row in run.data["checks"] if "worst" in row]
    assert len(run.data["checks"]) == 40 and len(good) > 16 and len(failed) <= 1 and len({row["name"] for row in run.data["checks"]}) == 40
    assert [script for script, _ in calls][:2] == ["ceilings.py", "checker.py"] and calls[-1][0] == "checker.py"
    out = capsys.readouterr().out
    assert "gpt" in out and "no time was left" in out


@pytest.mark.parametrize("hangs", [False, True])
def test_only_the_model_that_ends_a_process_is_blamed(gpu, hangs, tmp_path, monkeypatch):
    """Those after it are trained by another process, or there was no time for them."""
    gpu_check = importlib.import_module("gpu_check")
    now, calls = [0.0], []
    monkeypatch.setattr(gpu_check.time, "monotonic", lambda: now[0])
    entry = {"timed": False, "counted": {}, "amp": "none"}
    (tmp_path / "check.json").write_text(json.dumps({"target": "cuda:sm_90a", "small": False, "models": {name: entry for name in "abcd"}}))

    def python(self, script, *arguments, timeout):
        names = arguments[1].split(",")
        calls.append(names)
        good = names[: names.index("b")] if "b" in names else names
        now[0] += timeout if hangs else 1
        return [{"losses": [1.0, 0.5]} for _ in good], "" if good == names else "its process ended with status -6: a kernel failed"

    monkeypatch.setattr(gpu_check.Run, "python", python)
    run = gpu_check.Run(tmp_path, gpu_check.argparse.Namespace(limit=100, peers=("raf",), seconds=1))
    run.models()
    rows = {name: model["peers"]["raf"] for name, model in run.data["models"].items()}
    trained, late = {"losses": [1.0, 0.5]}, {"absent": gpu["report"].NO_TIME}
    assert rows == {"a": trained, "b": {"failed": "its process ended with status -6: a kernel failed"}, "c": late if hangs else trained, "d": late if hangs else trained}
    assert calls == [["a", "b", "c", "d"]] + ([] if hangs else [["c", "d"]])


def test_distances(gpu):
    distance = gpu["checker"].distance
    one = np.array([1.0, np.nan, np.inf])
    assert distance(one, one, 1e-6) == 0 and distance(np.array([1.0, 0.0, np.inf]), one, 1e-6) == np.inf and distance(one[:2], one, 1) == np.inf
    assert distance(np.array([2.0 + 4e-6]), np.array([2.0]), 1e-6) == pytest.approx(1.0) and distance(np.array([1]), np.array([2]), 1.0) == np.inf
