# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Profiles: tables that add up, traces that nest, pictures, and what is said when a picture cannot be drawn. No time is compared with another."""

import builtins
import dataclasses
import json
import os
import re
import shlex
import stat
import subprocess
import sys
import xml.etree.ElementTree

import numpy as np
import onnx
import pytest

import raf
from raf import examples, profiling
from raf.profiling import _ceilings, _profile

pytest.importorskip("raf._core")


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    """Ceilings that need not be measured, in a cache of our own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAF_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        patch.setattr(_ceilings, "_copy", lambda threads, seconds: (1e10, 1e11))
        patch.setattr(_ceilings, "_gemm", lambda dtype, threads, seconds: 1e11)
        _ceilings._known.cache_clear()
        yield
    _ceilings._known.cache_clear()


def data():
    rng = np.random.default_rng(0)
    return rng.standard_normal((32, 64), np.float32), rng.integers(0, 10, 32)


@pytest.fixture(scope="module")
def trainer(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "mlp.onnx"
    onnx.save(examples.MODELS["mlp"](seed=0), path)
    return raf.compile(raf.import_onnx(str(path)), loss="cross_entropy", optimizer="adamw", threads=2)


@pytest.fixture(scope="module")
def profile(trainer):
    return trainer.profile(*data(), steps=3)


def test_a_profile_changes_nothing(trainer):
    x, y = data()
    trainer.step(x, y)
    before = trainer.state_dict()
    trainer.profile(x, y, steps=2)
    after = trainer.state_dict()
    assert before["metadata"] == after["metadata"]
    assert all(np.array_equal(array, after["tensors"][name]) for name, array in before["tensors"].items())
    other = raf.compile(trainer.model, loss="cross_entropy", optimizer="adamw", threads=2)
    other.load_state_dict(before)
    assert float(trainer.step(x, y)) == float(other.step(x, y))


def test_both_tables_divide_the_same_time_arithmetic_and_traffic(profile):
    ops, nodes = profile.by_op(), profile.by_node()
    for what in ("ms", "flops", "bytes", "share"):
        total = sum(getattr(row, what) for row in ops)
        assert total > 0 and np.isclose(total, sum(getattr(row, what) for row in nodes))
    assert np.isclose(sum(row.share for row in ops), 1) and [r.ms for r in ops] == sorted((r.ms for r in ops), reverse=True)
    assert all(np.isclose(sum(row.phases.values()), row.ms) for row in nodes)


def test_products_are_counted_and_located(profile):
    products = [op for op in profile.leaves if op.name == "dnnl.matmul"]
    # x w1, h w2, and the gradients with respect to h, w2 and w1; a bias or a relu in the epilogue counts one each.
    plain = 2 * 32 * 64 * 128, 2 * 32 * 128 * 10
    assert sorted(op.flops for op in products) == sorted([plain[0] + 2 * 32 * 128, plain[1] + 32 * 10, plain[1], plain[1], plain[0]])
    first = next(op for op in products if op.flops == plain[0] + 2 * 32 * 128)
    assert first.nodes == (("/fc1/Gemm", "forward"), ("/Relu_0", "forward"))
    assert first.bytes == 4 * (32 * 64 + 128 * 64 + 128 + 32 * 128)
    served = {node for op in profile.leaves for node in op.nodes}
    assert {("/fc1/Gemm", "backward"), ("/fc2/Gemm", "backward"), ("fc1.weight", "update"), ("fc2.bias", "update")} <= served


def test_the_tables_as_text(profile):
    for by in ("op", "node"):
        lines = profile.table(by, top=2).splitlines()
        assert lines[0].startswith("mlp.onnx: step ") and "median of 3 steps" in lines[0]
        assert "100 GFLOP/s f32" in lines[1] and "10.0 GB/s in memory" in lines[1]
        assert len(lines) == 7 and re.match(r" +[\d.]+ +[\d.]+  \d+ more$", lines[-1])
    assert str(profile) == profile.table() and "raf.profiling.Profile" in repr(profile)
    with pytest.raises(raf.RuntimeError, match="no table by 'ops'; did you mean 'op'"):
        profile.table("ops")
    assert json.loads(json.dumps(profile.json()))["by_node"][0]["gflops_per_s"] >= 0


def test_roofline_is_the_larger_of_both_limits():
    limits = profiling.Ceilings(2, copy=1e10, cached_copy=1e11, gemm={"f32": 1e11, "bf16": 4e11})
    assert limits.seconds(1e9, 0, "f32") == 1e-2 and limits.seconds(1e9, 0, "bf16") == 2.5e-3
    assert limits.seconds(0, 1e9, "f32") == 0.1 and limits.seconds(0, 1e6, "f32") == 1e-5


def test_the_best_ceilings_ever_seen_are_remembered(monkeypatch, tmp_path):
    calls, rate = [], 1.0
    monkeypatch.setenv("RAF_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(_ceilings, "_copy", lambda threads, seconds: calls.append(("copy", seconds)) or (rate, 2 * rate))
    monkeypatch.setattr(_ceilings, "_gemm", lambda dtype, threads, seconds: calls.append((dtype, seconds)) or (0.0 if dtype == "f16" else 3 * rate))
    monkeypatch.setattr(_ceilings, "_busy", lambda: False)
    long, short = _ceilings._SECONDS, _ceilings._SECONDS / 6

    def process():
        _ceilings._known.cache_clear()
        calls.clear()
        for _ in range(2):
            found = profiling.ceilings(3, ["f32", "f16"])
        return found, list(calls)

    found, measured = process()
    assert (found.copy, found.cached_copy, found.gemm, found.disturbed) == (1.0, 2.0, {"f32": 3.0}, False)
    assert measured == [("copy", long), ("f32", long), ("f16", long)]
    rate = 0.5  # a busy machine spoils nothing
    found, measured = process()
    assert (found.copy, found.gemm) == (1.0, {"f32": 3.0}) and measured == [("copy", short), ("f32", short)]
    rate = 2.0  # and what one has spoilt is mended
    assert process()[0].copy == 2.0
    rate = 1.0
    assert process()[0].gemm == {"f32": 6.0}
    monkeypatch.setattr(_ceilings, "_busy", lambda: True)  # measured too low: not for the next process
    found = profiling.ceilings(4, ["f32"])
    assert found.disturbed and "busy" in str(found) and len(list(tmp_path.glob("ceilings-*"))) == 1
    _ceilings._known.cache_clear()


def test_a_damaged_file_of_ceilings_is_measured_anew(monkeypatch, tmp_path):
    monkeypatch.setenv("RAF_CACHE_DIR", str(tmp_path))
    for text in ("{", "[]", '{"copy": "fast"}', '{"copy": 0, "cached_copy": 0}', '{"copy": Infinity}', "[" * 100_000):
        _ceilings._path(3).write_text(text)
        _ceilings._known.cache_clear()
        assert profiling.ceilings(3).copy == 1e10
    _ceilings._known.cache_clear()


# ---- the trace ----


def test_the_trace_nests(profile, tmp_path):
    profile.to_chrome_trace(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    spans = [e for e in events if e["ph"] == "X"]
    steps = [e for e in spans if e["cat"] == "step"]
    ops = [e for e in spans if e["tid"] == 0 and e["cat"] != "step"]
    assert len(steps) == 3 and len(ops) == 3 * len(profile.ops)
    end = 0.0
    for op in sorted(ops, key=lambda e: e["ts"]):
        assert op["ts"] >= end - 1e-6  # one after the other
        end = op["ts"] + op["dur"]
        assert any(s["ts"] <= op["ts"] and end <= s["ts"] + s["dur"] + 1e-6 for s in steps)
        assert op["args"]["bytes"] > 0 and op["args"]["nodes"]
    names = {e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert names >= {"step"} and any(e["ph"] == "C" for e in events)


def test_threads_have_tracks(tmp_path):
    """A model whose kernels are large enough for two threads."""
    onnx.save(examples.MODELS["cnn"](seed=0), tmp_path / "cnn.onnx")
    trainer = raf.compile(raf.import_onnx(str(tmp_path / "cnn.onnx")), loss="cross_entropy", optimizer="sgd", threads=2)
    found = trainer.profile(trainer.random_batch({"image": (64, 1, 28, 28)}), steps=1)
    parts = [span for span in found.runs[0].spans if span.thread >= 0]
    assert {span.thread for span in parts} == {0, 1}
    whole = {span.op: span for span in found.runs[0].spans if span.thread < 0}
    assert all(whole[p.op].begin <= p.begin <= p.end <= whole[p.op].end for p in parts)


# ---- loops ----


def test_the_body_of_a_loop_counts_once_an_iteration(tmp_path):
    jax = pytest.importorskip("jax")

    def net(w, x):
        return jax.lax.fori_loop(0, 400, lambda i, h: jax.numpy.tanh(h @ w), x)

    w, x = np.eye(16, dtype=np.float32), np.ones((8, 16), np.float32)
    found = raf.compile(raf.from_jax(net, w, x), threads=1).profile(x, steps=2)
    (loop,) = [op for op in found.ops if op.kind == "regions"]
    body = [op for op in found.ops if op.function in loop.regions]
    assert loop.calls == 1 and body and all(op.calls == 400 for op in body)
    assert sum(op.ms for op in body) <= loop.ms
    assert loop not in found.leaves and sum(r.flops for r in found.by_op()) >= 400 * 2 * 8 * 16 * 16
    found.graph_picture(tmp_path / "loop.dot")
    text = (tmp_path / "loop.dot").read_text()
    assert f'subgraph "cluster_{loop.regions[0]}"' in text and 'label="runs"' in text


def test_a_predictor_has_a_profile(trainer):
    predictor = raf.compile(trainer.model)
    x, _ = data()
    before = predictor(x)
    found = predictor.profile(x, steps=2)
    assert found.steps == 2 and {phase for op in found.leaves for _, phase in op.nodes} == {"forward"}
    assert np.array_equal(before, predictor(x))


# ---- memory ----


def test_the_timeline_is_the_plan(profile):
    timeline, memory = profile.timeline, profile.memory
    resident = sum(memory[k] for k in ("params", "states", "buffers", "inputs", "outputs", "scalars", "constants"))
    assert max(timeline.totals) == resident + memory["lower_bound"]
    assert timeline.planned == resident + memory["arena_bytes"]
    assert timeline.bytes["parameters"][0] == 4 * (64 * 128 + 128 + 1280 + 10) and timeline.bytes["optimizer state"][0] == 2 * timeline.bytes["parameters"][0]
    assert all(b.first <= timeline.peak <= b.last for b in timeline.at_peak())
    assert {b.kind for b in timeline.buffers} >= {"activations", "gradients", "workspace"}


@pytest.mark.parametrize(("name", "starts"), [("m.png", {"m.png": b"\x89PNG"}), ("m.svg", {"m.svg": b"<?xml"}), ("m", {"m.png": b"\x89PNG", "m.svg": b"<?xml"})])
def test_the_memory_picture(profile, tmp_path, name, starts):
    pytest.importorskip("matplotlib")
    profile.memory_picture(tmp_path / name, budget=200_000)
    assert {p.name for p in tmp_path.iterdir()} == set(starts)
    for file, start in starts.items():
        content = (tmp_path / file).read_bytes()
        assert content.startswith(start)
        if file.endswith("svg"):
            for text in (b"budget", b"planned", b"peak", b"activations", b"optimizer state"):
                assert text in content


def test_pictures_of_odd_names(profile, tmp_path, monkeypatch):
    """Names are neither formulas nor what XML does not know."""
    pytest.importorskip("matplotlib")
    odd = "$\\frac$ \x01 _{^"
    monkeypatch.setattr(profile, "name", odd)
    monkeypatch.setattr(profile, "ops", tuple(dataclasses.replace(op, nodes=tuple((odd, phase) for _, phase in op.nodes)) for op in profile.ops))
    profile.memory_picture(tmp_path / "m.svg")
    assert xml.etree.ElementTree.parse(tmp_path / "m.svg").getroot().tag.endswith("svg")


def test_without_matplotlib(profile, tmp_path, monkeypatch):
    imported = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ModuleNotFoundError("No module named 'matplotlib'")
        return imported(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(raf.RuntimeError, match=r"matplotlib, which is not installed.*pip install 'raf-compiler\[plot\]'"):
        profile.memory_picture(tmp_path / "m.png")
    assert not list(tmp_path.iterdir())


# ---- the graph ----


def test_the_graph(profile, tmp_path):
    profile.graph_picture(tmp_path / "g.dot")
    text = (tmp_path / "g.dot").read_text()
    assert text.startswith("digraph") and text.rstrip().endswith("}")
    for op in profile.ops:
        assert f"op{op.number} [label=" in text
    assert '32x128xf32 16 KiB"' in text and "/fc1/Gemm (backward)" in text and 'label="x 32x64xf32"' in text
    assert all(int(number) < len(profile.ops) for number in re.findall(r"\bop(\d+)", text))


def program(folder, text):
    folder.mkdir()
    (folder / "dot").write_text(f"#!/bin/sh\n{text}\n")
    (folder / "dot").chmod(0o755)
    return str(folder)


def test_the_graph_is_drawn_by_graphviz(profile, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", program(tmp_path / "bin", 'echo "drawn $1"') + os.pathsep + os.environ["PATH"])
    profile.graph_picture(tmp_path / "g.svg")
    assert (tmp_path / "g.svg").read_text() == "drawn -Tsvg\n" and (tmp_path / "g.dot").exists()
    monkeypatch.setenv("PATH", program(tmp_path / "bad", "echo no fonts >&2; exit 3") + os.pathsep + os.environ["PATH"])
    with pytest.raises(raf.RuntimeError, match="dot ended with status 3: no fonts"):
        profile.graph_picture(tmp_path / "h.svg")


def test_without_graphviz(profile, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(raf.RuntimeError, match="'dot' of Graphviz is not on the PATH.*install Graphviz and run: dot -Tpng"):
        profile.graph_picture(tmp_path / "g.png")
    assert [p.name for p in tmp_path.iterdir()] == ["g.dot"]
    spaced = tmp_path / "two words.png"
    with pytest.raises(raf.RuntimeError) as error:
        profile.graph_picture(spaced)
    assert shlex.split(str(error.value).partition("run: ")[2]) == ["dot", "-Tpng", str(spaced.with_suffix(".dot")), "-o", str(spaced)]


# ---- what cannot be done ----


@pytest.mark.parametrize("draw", ["memory_picture", "graph_picture", "to_chrome_trace"])
def test_files_that_cannot_be_written(profile, tmp_path, draw):
    if draw == "memory_picture":
        pytest.importorskip("matplotlib")
    ending = {"memory_picture": ".png", "graph_picture": ".dot", "to_chrome_trace": ".json"}[draw]
    with pytest.raises(raf.RuntimeError, match="cannot write .*nowhere"):
        getattr(profile, draw)(tmp_path / "nowhere" / f"f{ending}")
    (tmp_path / f"folder{ending}").mkdir()
    with pytest.raises(raf.RuntimeError, match="expected the path of a file.* got a folder"):
        getattr(profile, draw)(tmp_path / f"folder{ending}")
    if draw != "to_chrome_trace":
        with pytest.raises(raf.RuntimeError, match=r"expected a name that ends in .* got \.bmp"):
            getattr(profile, draw)(tmp_path / "f.bmp")


def test_a_file_keeps_its_mode(profile, tmp_path):
    path = tmp_path / "trace.json"
    path.write_text("old")
    path.chmod(0o600)
    profile.to_chrome_trace(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and path.read_text().startswith("{")


@pytest.mark.parametrize("steps", [0, -1, 1.5, True, "3"])
def test_steps_must_be_a_number_of_steps(trainer, steps):
    with pytest.raises(raf.RuntimeError, match="steps: expected a positive whole number"):
        trainer.profile(*data(), steps=steps)


def test_a_batch_that_does_not_fit(trainer):
    x, y = data()
    with pytest.raises(raf.RuntimeError, match="input 'x': expected float32"):
        trainer.profile(x.astype(np.float64), y)


# ---- the command ----


@pytest.fixture
def run(trainer, tmp_path, command):
    onnx.save(examples.MODELS["mlp"](seed=0), tmp_path / "mlp.onnx")
    x, y = data()
    np.savez(tmp_path / "train.npz", x=x, y=y)
    return lambda *args: command("profile", *args)


def test_the_command(run, tmp_path):
    status, out, err = run("mlp.onnx", "--size", "batch=32", "--steps", 2, "--by", "node", "--trace", "t.json", "--graph", "g.dot", "--threads", 1)
    assert status == 0, err
    assert "/fc1/Gemm" in out and "backward" in out and (tmp_path / "t.json").exists() and (tmp_path / "g.dot").exists()
    status, out, err = run("mlp.onnx", "--data", "train.npz", "--batch-size", 8, "--steps", 1, "--json", "--threads", 1)
    assert status == 0, err
    assert json.loads(out)["steps"] == 1


def test_the_command_on_a_device(run, tmp_path, monkeypatch):
    monkeypatch.setattr(_ceilings, "_device_copy", lambda driver: pytest.fail("a simulated device has no ceilings"))
    status, out, err = run("mlp.onnx", "--size", "batch=4", "--steps", 2, "--target", "cuda-sim", "--trace", "t.json", "--graph", "g.dot")
    assert status == 0, err
    lines = out.splitlines()
    assert lines[1] == "a simulated device: its times say nothing about a GPU's, and there are no ceilings"
    rows = [line.split() for line in lines[4:]]
    assert {"cublas.matmul", "kernel_0"} <= {row[8] for row in rows} and all(row[7] == "-" for row in rows)
    assert "_inplace" not in out  # where the results of a kernel are does not make it another one
    spans = [e for e in json.loads((tmp_path / "t.json").read_text())["traceEvents"] if e["ph"] == "X"]
    steps = [e for e in spans if e["cat"] == "step"]
    assert len(steps) == 2 and len(spans) == 2 + 2 * len(rows)
    for e in spans:  # the device's clock is the host's
        assert any(s["ts"] <= e["ts"] and e["ts"] + e["dur"] <= s["ts"] + s["dur"] for s in steps)
    assert "cublas.matmul" in (tmp_path / "g.dot").read_text()
    status, out, err = run("mlp.onnx", "--size", "batch=4", "--steps", 1, "--target", "cuda-sim", "--json", "--by", "node")
    found = json.loads(out)
    assert status == 0 and found["ceilings"] is None and all(row["roofline"] is None for row in found["by_node"])


def test_pictures_of_a_step_on_a_device(tmp_path):
    pytest.importorskip("matplotlib")
    trainer = raf.compile(raf.import_onnx(examples.MODELS["mlp"](seed=0)), loss="cross_entropy", optimizer="adamw", target="cuda-sim")
    found = trainer.profile(*(a[:4] for a in data()), steps=1)
    found.memory_picture(tmp_path / "m.svg")
    assert (tmp_path / "m.svg").read_text().startswith("<?xml") and found.timeline.planned > found.memory["arena_bytes"]


def test_ceilings_of_a_device(monkeypatch, tmp_path):
    """What a GPU's are measured with, on the simulated one."""
    monkeypatch.setenv("RAF_CACHE_DIR", str(tmp_path))
    for name, size in (("_DEVICE_MATRIX", 32), ("_DEVICE_ELEMENTS", 4096), ("_DEVICE_RUNS", 2)):
        monkeypatch.setattr(_ceilings, name, size)
    _ceilings._known.cache_clear()
    limits = profiling.ceilings(2, ["f32", "bf16"], "cuda-sim")
    assert limits.copy > 0 and set(limits.gemm) == {"f32", "bf16"} and limits.device == "RAF simulated GPU" and str(limits).startswith("ceilings of RAF simulated GPU: products ")
    assert len(list(tmp_path.glob("ceilings-*-device.json"))) == 1
    _ceilings._known.cache_clear()


def test_a_profile_without_ceilings(trainer, monkeypatch, tmp_path):
    """Where a device has no room for what they are measured with, the profile is as it is without them, and nothing is remembered."""
    monkeypatch.setenv("RAF_CACHE_DIR", str(tmp_path))
    found = trainer.profile(*data(), steps=1)
    script = "import raf; from raf import profiling\ntry: profiling.ceilings(2, ['f32'], 'cuda-sim')\nexcept raf.RuntimeError as error: print(error)"
    done = subprocess.run([sys.executable, "-c", script], env={**os.environ, "RAF_SIM_MEMORY": "100000000"}, capture_output=True, text=True)
    assert "out of memory on RAF simulated GPU" in done.stdout, done.stderr
    assert not list(tmp_path.glob("ceilings-*"))

    def full(*_):
        raise raf.RuntimeError(done.stdout.strip())

    monkeypatch.setattr(_profile, "ceilings", full)
    assert found.table().splitlines()[1].startswith("no ceilings: they could not be measured: ") and "out of memory on" in found.table().splitlines()[1]
    assert found.ceilings is None and all(row.roofline is None for row in found.by_op())


def test_a_matrix_without_room_is_no_type_that_cannot_be_compiled(monkeypatch):
    def full(*_):
        raise raf.CompileError("out of memory on cuda")

    monkeypatch.setattr(_ceilings, "_seconds_there", full)
    with pytest.raises(raf.RuntimeError, match="out of memory on cuda"):
        _ceilings._device_gemm("f32", "cuda")


def test_without_a_gpu_the_command_line_says_so(run):
    if json.loads(raf._core.cuda_info("cuda"))["devices"]:
        pytest.skip("there is a CUDA device")
    found, _, err = run("mlp.onnx", "--size", "batch=4", "--target", "cuda")
    assert found == 1 and 'target "cuda" needs a CUDA device' in err.replace("\n", " ") and "Traceback" not in err


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        (("none.onnx",), 1, "there is no file 'none.onnx'"),
        (("mlp.onnx", "--by", "kernel"), 1, "--by kernel: expected op or node"),
        (("mlp.onnx", "--trace", "nowhere/t.json"), 1, "--trace nowhere/t.json: the folder is not there"),
        (("mlp.onnx", "--size", "batch=32", "--graph", "g.bmp", "--steps", 1), 1, "got .bmp"),
        (("mlp.onnx", "--size", "n=32"), 1, "no open size 'n'; it has batch"),
        (("mlp.onnx", "--loss", "mze"), 1, "unknown loss 'mze'"),
        (("mlp.onnx", "--target", "cuda_sim"), 1, "unknown target 'cuda_sim'; did you mean 'cuda-sim'?"),
        (("mlp.onnx", "--steps", 0), 2, "--steps"),
        ((), 2, "raf profile"),
    ],
)
def test_errors_are_one_message(run, args, status, message):
    found, _, err = run(*args)
    assert found == status and message in err.replace("\n", " ") and "Traceback" not in err
