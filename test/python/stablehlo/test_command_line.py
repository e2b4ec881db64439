# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""raf train, eval and inspect of StableHLO programs: the losses are JAX's, the trained parameters come back as a file, and what does not fit is one message."""

import json

import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402
from raf.cli import _common  # noqa: E402

RNG = np.random.default_rng(0)
P = {"layers": [{"w": RNG.normal(size=(4, 8)).astype(np.float32), "b": np.zeros(8, np.float32)}, {"w": RNG.normal(size=(8, 3)).astype(np.float32), "b": np.zeros(3, np.float32)}]}
X, Y = RNG.normal(size=(20, 4)).astype(np.float32), RNG.integers(0, 3, 20).astype(np.int32)


def scores(p, x):
    first, second = p["layers"]
    return jnp.tanh(x @ first["w"] + first["b"]) @ second["w"] + second["b"]


def loss(p, x, y):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(scores(p, x)), y[:, None], 1))


def names_of(p):
    return {"p" + jax.tree_util.keystr(path): np.asarray(a) for path, a in jax.tree_util.tree_flatten_with_path(p)[0]}


@pytest.fixture
def run(tmp_path, command):
    """raf ARGS in a folder with the programs, start.npz and data.npz -> (status, stdout, stderr)."""
    (n,) = jax.export.symbolic_shape("n")
    shapes = jax.eval_shape(lambda: P), jax.ShapeDtypeStruct((n, 4), np.float32), jax.ShapeDtypeStruct((n,), np.int32)
    (tmp_path / "loss.jax").write_bytes(jax.export.export(jax.jit(loss))(*shapes).serialize())
    (tmp_path / "scores.jax").write_bytes(jax.export.export(jax.jit(scores))(*shapes[:2]).serialize())
    lowered = jax.jit(loss).lower(P, X[:8], Y[:8])
    (tmp_path / "loss.mlir").write_text(lowered.compiler_ir("stablehlo").operation.get_asm(enable_debug_info=True))
    empty = jax.jit(loss).lower(P, X[:0], Y[:0])
    (tmp_path / "empty.mlir").write_text(empty.compiler_ir("stablehlo").operation.get_asm(enable_debug_info=True))
    (tmp_path / "unnamed.mlir").write_text(str(lowered.compiler_ir("stablehlo")))
    np.savez(tmp_path / "start.npz", **names_of(P))
    np.savez(tmp_path / "data.npz", x=X, y=Y)
    return command


def train_jax(steps, lr):
    p, losses = P, []
    for _ in range(steps):
        value, g = jax.value_and_grad(loss)(p, X, Y)
        losses.append(float(value))
        p = jax.tree.map(lambda a, b: a - lr * b, p, g)
    return losses, p


SGD = ("--optimizer", "sgd", "--lr", 0.5)


@pytest.mark.parametrize(("model", "more"), [("loss.jax", ("--loss", "output")), ("scores.jax", ())])
def test_training_is_that_of_jax(run, model, more):
    status, _, err = run("train", model, "--params", "start.npz", "--data", "data.npz", "--batch-size", 20, "--epochs", 4, *SGD, *more, "--log", "log", "--export", "end.safetensors")
    assert status == 0, err
    losses, p = train_jax(4, 0.5)
    found = [e["loss"] for e in map(json.loads, open("log")) if e["event"] == "step"]
    np.testing.assert_allclose(found, losses, rtol=1e-5)
    trained = _common.load_values("end.safetensors")
    for name, value in names_of(p).items():
        np.testing.assert_allclose(trained[name], value, rtol=1e-4, atol=1e-6)
    status, out, err = run("eval", model, "--params", "end.safetensors", "--data", "data.npz", *more, "--metric", "loss", "--json")
    assert status == 0, err
    assert json.loads(out)["loss"] == pytest.approx(float(loss(p, X, Y)), rel=1e-4)


def test_a_program_for_one_batch_size(run):
    """Of 20 samples two batches of 8 a step; the parameters by a pattern, the others are constants."""
    status, _, err = run("train", "loss.mlir", "--params", "start.npz", "--param", "*['b']", "--param", "*['w']", "--data", "data.npz", "--val", "data.npz", "--loss", "output", *SGD,
                         "--epochs", 2, "--freeze", "*['b']", "--log", "log", "--export", "end.npz")
    assert status == 0, err
    assert "the program is for batches of 8; 4 of 20 samples are left out" in err
    assert sum(json.loads(line)["event"] == "step" for line in open("log")) == 4
    trained = _common.load_values("end.npz")
    assert trained.keys() == names_of(P).keys()
    np.testing.assert_array_equal(trained["p['layers'][0]['b']"], P["layers"][0]["b"])
    assert (trained["p['layers'][0]['w']"] != P["layers"][0]["w"]).any()


@pytest.mark.parametrize("ending", ["npz", "safetensors"])
def test_parameters_and_data_of_16_bits(run, ending):
    x, w = X[:8].astype(jnp.bfloat16), np.ones((4, 3), jnp.bfloat16)
    program = jax.jit(lambda w, x: jnp.mean((x @ w).astype(np.float32) ** 2)).lower(w, x).compiler_ir("stablehlo")
    open("narrow.mlir", "w").write(program.operation.get_asm(enable_debug_info=True))
    _common.save_values(f"start.{ending}", {"w": w})
    np.savez("data.npz", x=x)
    options = "--loss", "output", *SGD, "--epochs", 1, "--export", f"start.{ending}"
    for _ in range(2):  # from what it wrote itself
        status, _, err = run("train", "narrow.mlir", "--params", f"start.{ending}", "--data", "data.npz", *options)
        assert status == 0, err
    trained = _common.restored(_common.load_values(f"start.{ending}")["w"], np.dtype(jnp.bfloat16))
    assert trained.dtype == jnp.bfloat16 and (trained != w).any()
    np.savez("data.npz", x=x.astype(np.complex64).view("V8"))
    status, _, err = run("train", "narrow.mlir", "--params", f"start.{ending}", "--data", "data.npz", *options)
    assert status == 1 and "'x' is |V8; expected bfloat16" in err


def test_arguments_without_names(run):
    np.savez("start.npz", **{f"arg{i}": a for i, a in enumerate(names_of(P).values())})
    np.savez("data.npz", arg4=X[:8], arg5=Y[:8])
    status, _, err = run("train", "unnamed.mlir", "--params", "start.npz", "--data", "data.npz", "--loss", "output", *SGD, "--epochs", 1)
    assert status == 0, err


def test_inspection(run):
    status, out, err = run("inspect", "loss.mlir", "--json")
    assert status == 0, err
    assert [i["name"] for i in json.loads(out)["inputs"]][-2:] == ["x", "y"]
    status, out, err = run("inspect", "loss.mlir", "--params", "start.npz", "--loss", "output", "--json")
    assert status == 0, err
    assert json.loads(out)["parameters"] == 67 and json.loads(out)["step"]
    status, out, err = run("profile", "loss.jax", "--params", "start.npz", "--size", "n=8", "--loss", "output", "--steps", 1, "--json")
    assert status == 0, err


@pytest.mark.parametrize(("args", "status", "said"), [
    (("train", "loss.mlir", "--data", "data.npz"), 1, "--params FILE (.npz or .safetensors) gives them by the names of its arguments: p['layers'][0]['b'],"),
    (("train", "los.mlir", "--data", "data.npz"), 1, "there is no file 'los.mlir'; did you mean 'loss.mlir'"),
    (("train", "loss.mlir", "--params", "none.npz", "--data", "data.npz"), 1, "there is no file 'none.npz'"),
    (("train", "loss.mlir", "--params", "loss.mlir", "--data", "data.npz"), 1, "cannot be read as .npz"),
    (("train", "loss.mlir", "--params", "data.npz", "--data", "data.npz", "--param", "q*"), 1, "--param 'q*' matches no argument of loss.mlir; it has p['layers'][0]['b'],"),
    (("train", "loss.mlir", "--params", "data.npz", "--data", "data.npz", "--param", "p*"), 1, "data.npz has no values for"),
    (("train", "loss.mlir", "--params", "other.npz", "--data", "data.npz"), 1, "there is no argument 'p'"),
    (("train", "loss.mlir", "--params", "start.npz", "--param", "p*", "--buffer", "*['b']", "--data", "data.npz"), 1, "is a parameter (--param) or a buffer (--buffer), not both"),
    (("train", "loss.mlir", "--params", "start.npz", "--data", "data.npz", "--loss", "output", "--batch-size", 4), 1, "loss.mlir is for batches of 8"),
    (("train", "loss.mlir", "--params", "start.npz", "--data", "data.npz", "--loss", "output", "--export", "end.onnx"), 2, "a StableHLO program cannot be written as ONNX"),
    (("train", "loss.jax", "--params", "start.npz", "--data", "start.npz", "--loss", "output"), 1, "start.npz does not hold what the model needs (x, y)"),
    (("train", "model.onnx", "--params", "start.npz", "--data", "data.npz"), 2, "are for StableHLO"),
    (("inspect", "loss.mlir", "--loss", "output"), 1, "--params FILE (.npz or .safetensors) gives them"),
    (("profile", "model.onnx", "--params", "start.npz"), 2, "is for StableHLO"),
    (("eval", "model.onnx", "--params", "start.npz", "--data", "data.npz"), 2, "is for StableHLO"),
    (("train", "empty.mlir", "--params", "start.npz", "--data", "data.npz", "--loss", "output"), 1, "data.npz has 20 samples, and the program is for batches of 0"),
    (("train", "broken.mlir", "--params", "start.npz", "--data", "data.npz"), 1, "broken.mlir"),
])  # fmt: skip
def test_messages(run, args, status, said):
    np.savez("other.npz", p=X)
    open("broken.mlir", "w").write("module { func.func @main( }")
    found, out, err = run(*args)
    assert found == status, err
    text = " ".join((out + err).replace("│", " ").split())
    assert said in text and "Traceback" not in text
