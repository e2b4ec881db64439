# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line on a stand-in for the compiler core: options, files, messages, exit statuses."""

import importlib
import json
import os
import signal
import sys
import types

import numpy as np
import pytest

import raf
import raf.cli
from raf.cli import _common


@pytest.fixture
def run(fake, monkeypatch, tmp_path, command):
    """raf ARGS in a folder with model.onnx (the stand-in's net), train.npz and val.npz -> (status, stdout, stderr)."""
    x, y = fake.data(100)
    np.savez(tmp_path / "train.npz", x=x, y=y)
    np.savez(tmp_path / "val.npz", x=x[:40], y=y[:40])
    (tmp_path / "model.onnx").write_bytes(b"")
    models = []

    def load(path, free_batch=False):
        models.append(fake.model())
        return models[-1]

    monkeypatch.setattr(raf.cli.train, "import_model", load)
    monkeypatch.setattr(raf.cli.evaluate, "open_model", lambda path, *rest: load(path))
    command.models = models
    return command


TRAIN = ("train", "model.onnx", "--data", "train.npz", "--batch-size", 8, "--optimizer", "sgd", "--lr", 0.1, "--momentum", 0.9)


def test_train_reports_logs_and_exports(run):
    status, out, err = run(*TRAIN, "--epochs", 3, "--val", "val.npz", "--log", "run.jsonl", "--export", "out.onnx", "--checkpoint", "run", "--schedule", "cosine:warmup=5")
    assert status == 0, err
    assert "val_accuracy" in out and "  accuracy 0." in err and "epoch 3/3" in err and "the trained model is in out.onnx" in err
    lines = [json.loads(line) for line in open("run.jsonl")]
    assert [line["step"] for line in lines if line["event"] == "step"] == list(range(1, 40)) and sum(line["event"] == "epoch" for line in lines) == 3
    assert all(0 <= line["accuracy"] <= 1 for line in lines)
    assert lines[0]["lr"] == pytest.approx(0.02) and lines[-2]["lr"] < 0.001
    assert "out.onnx" in run.models[0]._source.exported and sorted(os.listdir("run")) == ["best.safetensors", "last.safetensors"]


def test_resume_from_ctrl_c(run, monkeypatch):
    def interrupt(self, trainer, logs, write=raf.callbacks.JsonLines.on_step_end):
        write(self, trainer, logs)
        if logs["step"] == 20:
            os.kill(os.getpid(), signal.SIGINT)

    assert run(*TRAIN, "--epochs", 3, "--checkpoint", "whole", "--log", "whole.jsonl")[0] == 0
    with monkeypatch.context() as patch:
        patch.setattr(raf.callbacks.JsonLines, "on_step_end", interrupt)
        status, _, err = run(*TRAIN, "--epochs", 3, "--checkpoint", "run", "--log", "run.jsonl")
    assert status == 130 and "stopped by SIGINT after step 20; the checkpoint is run/last.safetensors" in err and "--resume" in err
    assert run(*TRAIN, "--epochs", 3, "--checkpoint", "run", "--resume", "--log", "run.jsonl")[0] == 0
    whole, resumed = (raf.checkpoint.load(f"{folder}/last.safetensors")[0] for folder in ("whole", "run"))
    assert whole.keys() == resumed.keys() and all(whole[n].tobytes() == resumed[n].tobytes() for n in whole)


def test_eval_of_a_checkpoint(run):
    assert run(*TRAIN, "--epochs", 3, "--checkpoint", "run", "--val", "val.npz", "--quiet")[0] == 0
    status, out, err = run("eval", "model.onnx", "--data", "val.npz", "--checkpoint", "run/last.safetensors", "--json", "--metric", "accuracy", "--metric", "top3")
    values = json.loads(out)
    assert status == 0 and values["accuracy"] > 0.8 and values["top3"] == 1.0


def test_arrays_without_samples_are_refused(run):
    np.savez("scalars.npz", x=np.float32(1), y=np.int64(1))
    for rest in ((), ("--val-split", "0.5")):
        status, _, err = run("train", "model.onnx", "--data", "scalars.npz", *rest)
        assert status == 1 and "the arrays must have the same number of samples: array 'x' has None, array 'target' has None" in err.replace("\n", " ")


def test_conversions_are_noted(run, fake):
    x, y = fake.data(40)
    np.savez("other.npz", x=x.astype(np.float64), y=y.astype(np.uint8))
    status, _, err = run("train", "model.onnx", "--data", "other.npz", "--epochs", 1)
    assert status == 0 and "'x' is converted from float64 to float32" in err and "'target' is converted from uint8 to int64" in err


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        (("train",), 2, "give an ONNX or StableHLO file or --example"),
        (("train", "model.onnx"), 2, "--data is missing"),
        (("train", "--example", "digits", "--data", "x.npz"), 2, "brings its own data"),
        (("train", "model.onnx", "--data", "train.npz", "--resume"), 2, "--resume needs --checkpoint"),
        (("train", "--example", "digit"), 1, "unknown example 'digit'; did you mean 'digits'"),
        ((*TRAIN, "--loss", "mes"), 1, "unknown loss 'mes'; did you mean 'mse'"),
        ((*TRAIN, "--delta", "2"), 1, "the loss 'cross_entropy' does not take --delta"),
        (("train", "model.onnx", "--data", "train.npz", "--clip-norm", "0"), 1, "clip_norm must be finite and above 0, or None, got 0"),
        (("train", "model.onnx", "--data", "train.npz", "--optimizer", "adam", "--momentum", "0.9"), 1, "the optimizer 'adam' does not take --momentum"),
        ((*TRAIN, "--schedule", "cosin"), 1, "did you mean 'cosine'"),
        ((*TRAIN, "--metric", "acc"), 1, "unknown metric 'acc'"),
        ((*TRAIN, "--val", "nothing.npz"), 1, "there is no file 'nothing.npz'"),
        ((*TRAIN, "--freeze", "fc9*"), 1, "fc9*"),
        ((*TRAIN, "--nan", "stop"), 1, "unknown nan policy 'stop'"),
        ((*TRAIN, "--epochs", "0"), 2, "--epochs"),
        ((*TRAIN, "--export", "."), 1, "got a folder"),
        ((*TRAIN, "--export", "nowhere/out.onnx"), 1, "--export nowhere/out.onnx: the folder is not there"),
        ((*TRAIN, "--checkpoint", "model.onnx/run"), 1, "the checkpoint folder 'model.onnx/run' cannot be made"),
        ((*TRAIN, "--log", "/dev/full"), 1, "the log '/dev/full' cannot be written"),
        (("inspect", "modl.onnx"), 1, "there is no file 'modl.onnx'; did you mean 'model.onnx'"),
        (("inspect", "model.onnx"), 1, "model.onnx"),
        (("eval", "model.onnx", "--data", "val.npz", "--checkpoint", "none"), 1, "there is no checkpoint 'none'"),
        (("unheard-of",), 2, "unheard-of"),
    ],
)
def test_errors_are_one_message(run, args, status, message):
    found, _, err = run(*args)
    assert found == status and message in err.replace("\n", " ") and "Traceback" not in err


def test_a_checkpoint_of_another_optimizer_or_model_is_refused(run, fake):
    assert run(*TRAIN, "--epochs", 1, "--checkpoint", "run")[0] == 0
    before = open("run/last.safetensors", "rb").read()
    status, _, err = run("train", "model.onnx", "--data", "train.npz", "--optimizer", "adam", "--checkpoint", "run", "--resume")
    assert status == 1 and "the optimizer is adam here, sgd in the checkpoint" in err
    tensors, metadata = raf.checkpoint.load("run/last.safetensors")
    tensors["param:fc1.bias"] = np.zeros(9, np.float32)
    raf.checkpoint.save("run/other.safetensors", tensors, metadata)
    status, _, err = run("eval", "model.onnx", "--data", "val.npz", "--checkpoint", "run/other.safetensors")
    assert status == 1 and "param:fc1.bias is float32[8] in the model, float32[9] in the checkpoint" in err
    assert open("run/last.safetensors", "rb").read() == before


def test_a_full_disk_while_training(run, monkeypatch):
    """The run ends with one message, and the checkpoint of the epoch before can be loaded."""
    assert run(*TRAIN, "--epochs", 1, "--checkpoint", "run")[0] == 0
    before = open("run/last.safetensors", "rb").read()

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("raf.checkpoint.save_file", full)
    status, _, err = run(*TRAIN, "--epochs", 2, "--checkpoint", "run", "--resume")
    assert status == 1 and "No space left on device. The file that was there is unchanged." in err.replace("\n", " ") and "Traceback" not in err
    assert open("run/last.safetensors", "rb").read() == before and os.listdir("run") == ["last.safetensors"]
    assert raf.checkpoint.load("run/last.safetensors")[1]["step"] == 13


def test_nan_stops_with_advice(run, fake):
    x, y = fake.data(40)
    x[3] = np.nan
    np.savez("bad.npz", x=x, y=y)
    status, _, err = run("train", "model.onnx", "--data", "bad.npz", "--epochs", 1, "--quiet")
    assert status == 1 and "is nan: input 'x' holds 6 values that are not finite" in err
    status, _, err = run("train", "model.onnx", "--data", "bad.npz", "--epochs", 1, "--nan", "skip")
    assert status == 0 and "1 steps were skipped" in err


def test_mixed_precision_is_an_option(run):
    status, _, err = run(*TRAIN, "--epochs", 1, "--amp", "f8")
    assert status == 1 and "amp: unknown type 'f8'" in err and "bf16, f16" in err
    status, _, err = run(*TRAIN, "--epochs", 1, "--amp", "bf16")
    assert status == 0, err


def test_a_fault_of_raf_says_so(run, monkeypatch):
    monkeypatch.setattr(raf.cli.train, "import_model", lambda *a: 1 / 0)
    monkeypatch.delenv("RAF_DEBUG", raising=False)
    status, _, err = run(*TRAIN)
    assert status == 70 and "internal error: ZeroDivisionError" in err and "Traceback" not in err


def test_version_help_and_completion(run):
    assert run("--version") == (0, f"raf {raf.__version__}\n", "")
    for command in ("train", "eval", "inspect", "profile", "doctor", "example"):
        status, out, _ = run(command, "--help")
        assert status == 0 and "Example" in out and f"raf {command}" in out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("raf tr", "train"),
        ("raf train --loss m", "mse"),
        ("raf train --optimizer ad", "adam adamw"),
        ("raf train --schedule one", "one-cycle"),
        ("raf train --nan s", "skip"),
        ("raf train --example digits-", "digits-mlp"),
        ("raf eval --metric top", "top1 top3 top5"),
        ("raf profile --target cuda", "cuda cuda-sim"),
        ("raf train --train-m", "--train-metrics"),
    ],
)
def test_shells_complete(run, monkeypatch, words, expected):
    monkeypatch.setenv("_RAF_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    assert run()[1].split() == expected.split()


def test_help_of_train_is_in_parts(run):
    out = run("train", "--help")[1]
    assert all(f"─ {part} ─" in out for part in ("Data", "Loss", "Optimizer", "Training", "Checkpoints, logs and results", "Machine"))
    assert "raf example digits here" in run("--help")[1]


def test_doctor(run, monkeypatch):
    from raf import _engine

    monkeypatch.setattr(_engine, "_core", lambda: importlib.import_module("raf._core"))  # the real one
    status, out, _ = run("doctor", "--json")
    report = json.loads(out)
    assert status == 0 and report["packages"]["numpy"] == np.__version__ and {"raf", "cpu", "cuda", "cache", "missing"} <= report.keys()
    assert report["raf"]["training step"].startswith("works") and report["cpu"]["oneDNN"] and report["cpu"]["vector instructions"]
    assert report["cuda-sim"]["driver"]
    status, out, _ = run("doctor")
    assert status == 0 and "cuda-sim" in out


def test_doctor_says_what_cuda_lacks(run, monkeypatch):
    from raf.cli import doctor

    found = {
        "driver": {"file": "libcuda.so.1", "version": "13.0"},
        "devices": [{"name": "NVIDIA H200", "architecture": "sm_90", "memory": 141 << 30, "multiprocessors": 132}],
        "libraries": {"cuBLASLt": {"file": "libcublasLt.so.13", "version": "13.1.0"}, "cuDNN": None},
        "missing": ["cuDNN: libcudnn.so.9 was not found; pip install nvidia-cudnn-cu13 (for convolution and attention)"],
    }
    core = types.SimpleNamespace(cuda_info=lambda driver: json.dumps(found))
    monkeypatch.setitem(sys.modules, "raf._core", core)
    missing = []
    assert doctor._cuda("cuda", missing) == {
        "driver": "CUDA 13.0, libcuda.so.1",
        "devices": ["NVIDIA H200 (sm_90, 141 GiB, 132 multiprocessors)"],
        "cuBLASLt": "13.1.0, libcublasLt.so.13",
        "cuDNN": None,
    }
    assert missing == ["cuda: " + found["missing"][0]]
    found.update(driver=None, missing=["cuda: no NVIDIA driver was found"])
    missing.clear()
    assert doctor._cuda("cuda", missing) == {"driver": "no NVIDIA driver was found"} and missing == []


def test_example_writes_files_that_inspect_reads(run):
    pytest.importorskip("sklearn")
    assert run("example", "digits", "ex")[0] == 0
    status, out, err = run("inspect", "ex/digits.onnx", "--size", "batch=32", "--json")
    report = json.loads(out)
    assert status == 0, err
    convs = [op for op in report["ops"] if op["op"] == "raf.conv"]
    assert [c["flops"] for c in convs] == [2 * 32 * 16 * 64 * 9, 2 * 32 * 32 * 64 * 16 * 9]
    costs = {op["node"] + " " + op["op"]: op["flops"] for op in report["ops"]}
    assert costs["/Relu_0 raf.relu"] == 32 * 16 * 64 and costs["/bn1/BatchNormalization raf.batch_norm"] == 8 * 32 * 16 * 64  # CostOpInterface
    assert costs["/fc1/Gemm raf.broadcast"] == 0 and report["flops"] == sum(op["flops"] for op in report["ops"])
    assert report["parameters"] == sum(op["parameters"] for op in report["ops"]) == 38330 and report["buffers"] == 96
    status, out, _ = run("inspect", "ex/digits.onnx", "--nodes")
    assert status == 0 and "/conv1/Conv" in out
    status, _, err = run("inspect", "ex/digits.onnx", "--size", "N=32")
    assert status == 1 and "no open size 'N'; it has batch" in err
