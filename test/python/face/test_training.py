# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trainers on the real compiler: optimizers and losses against JAX, resuming, the cache, the digits."""

import copy
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import onnx
import pytest

import raf
from raf import _cache, examples, optim
from raf.cli import doctor
from raf.fitting import Stopped
from raf.onnx import importer

pytest.importorskip("raf._core")
ROWS, SIZES = 16, (12, 24, 5)


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAF_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


def mlp():
    return raf.import_onnx(examples.mlp(SIZES))


def data(rows=ROWS, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((rows, SIZES[0])).astype(np.float32), rng.integers(0, SIZES[-1], rows)


def jax_gradients(loss):
    """(params, x, y) -> (loss, gradients), as numpy in f64, of the net of `mlp` with a loss of (scores, y)."""
    jax = pytest.importorskip("jax")

    def total(params, x, y):
        hidden = jax.numpy.maximum(x @ params["fc1.weight"].T + params["fc1.bias"], 0)
        return loss(hidden @ params["fc2.weight"].T + params["fc2.bias"], y)

    def run(params, x, y):
        with jax.enable_x64(True):
            value, grads = jax.value_and_grad(total)({n: p.astype(np.float64) for n, p in params.items()}, x.astype(np.float64), y)
            return float(value), {n: np.asarray(g) for n, g in grads.items()}

    return run


def cross_entropy(scores, labels):
    import jax

    return -jax.nn.log_softmax(scores)[np.arange(len(labels)), labels].mean()


def sgd(lr, momentum=0.0, nesterov=False, weight_decay=0.0):
    velocity = {}

    def update(name, p, g, t):
        g = g + weight_decay * p
        if momentum:
            velocity[name] = v = momentum * velocity.get(name, 0) + g
            g = g + momentum * v if nesterov else v
        return p - lr(t) * g

    return update


def adam(lr, decoupled, weight_decay=0.0, b1=0.9, b2=0.999, eps=1e-8, no_decay=()):
    moments = {}

    def update(name, p, g, t):
        decay = 0.0 if name in no_decay else weight_decay
        if not decoupled:
            g = g + decay * p
        m, v = moments.get(name, (0, 0))
        moments[name] = m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        step = lr(t) * (m / (1 - b1 ** (t + 1))) / (np.sqrt(v / (1 - b2 ** (t + 1))) + eps)
        return (p * (1 - lr(t) * decay) if decoupled else p) - step

    return update


COSINE = optim.Warmup(optim.Cosine(0.05, 12), 3)


@pytest.mark.parametrize(
    ("optimizer", "reference"),
    [
        (optim.SGD(0.1), lambda: sgd(lambda t: 0.1)),
        (optim.SGD(COSINE, momentum=0.9), lambda: sgd(COSINE, 0.9)),
        (optim.SGD(0.05, momentum=0.9, nesterov=True, weight_decay=0.01), lambda: sgd(lambda t: 0.05, 0.9, True, 0.01)),
        (optim.Adam(0.01), lambda: adam(lambda t: 0.01, False)),
        (optim.Adam(COSINE, weight_decay=0.1, beta1=0.8, beta2=0.95, epsilon=1e-6), lambda: adam(COSINE, False, 0.1, 0.8, 0.95, 1e-6)),
        (optim.AdamW(0.01, weight_decay=0.1), lambda: adam(lambda t: 0.01, True, 0.1)),
        (optim.AdamW(0.01, weight_decay=0.5, no_decay="*.bias"), lambda: adam(lambda t: 0.01, True, 0.5, no_decay=("fc1.bias", "fc2.bias"))),
        (optim.SGD(0.1, momentum=0.9, weight_decay=0.01, clip_norm=0.3), lambda: sgd(lambda t: 0.1, 0.9, weight_decay=0.01)),
        (optim.AdamW(0.01, weight_decay=0.1, epsilon=1e-2, clip_norm=0.3), lambda: adam(lambda t: 0.01, True, 0.1, eps=1e-2)),
        (optim.SGD(0.1, clip_norm=1e6), lambda: sgd(lambda t: 0.1)),
    ],
    ids=["sgd", "momentum", "nesterov", "adam", "adam-l2", "adamw", "adamw-no-decay", "clipped-momentum", "clipped-adamw", "not-clipped"],
)
def test_ten_steps_of_an_optimizer(optimizer, reference):
    gradients, update = jax_gradients(cross_entropy), reference()
    trainer = raf.compile(mlp(), loss="cross_entropy", optimizer=optimizer)
    params = {n: p.astype(np.float64) for n, p in trainer.params.items()}
    for t in range(10):
        x, y = data(seed=t)
        expected, grads = gradients(params, x, y)
        assert float(trainer.step(x, y)) == pytest.approx(expected, rel=1e-4)
        if optimizer.clip_norm is not None:
            grads = clipped(grads, optimizer.clip_norm)
        params = {n: update(n, p, grads[n], t) for n, p in params.items()}
    for name, p in params.items():
        np.testing.assert_allclose(trainer.params[name], p, rtol=1e-4, atol=1e-4 * np.abs(p).max(), err_msg=name)


def clipped(grads, limit):
    norm = np.sqrt(sum((g**2).sum() for g in grads.values()))
    return {n: g * min(1.0, limit / norm) for n, g in grads.items()}


def test_clipping_sees_unscaled_gradients():
    """With a loss scale the norm is that of the gradients themselves, and a step that overflows is still skipped."""
    gradients = jax_gradients(cross_entropy)
    trainer = raf.compile(mlp(), loss="cross_entropy", optimizer=optim.SGD(0.1, clip_norm=0.3), amp=raf.amp.Policy("f16", initial_scale=2.0**10))
    params = {n: p.astype(np.float64) for n, p in trainer.params.items()}
    for t in range(5):
        x, y = data(seed=t)
        _, grads = gradients(params, x, y)
        trainer.step(x, y)
        params = {n: p - 0.1 * clipped(grads, 0.3)[n] for n, p in params.items()}
    for name, p in params.items():
        np.testing.assert_allclose(trainer.params[name], p, atol=2e-3 * max(1, np.abs(p).max()), err_msg=name)
    assert trainer.skipped == 0
    overflows = raf.compile(mlp(), loss="cross_entropy", optimizer=optim.SGD(0.1, clip_norm=0.3), amp=raf.amp.Policy("f16", initial_scale=2.0**24))
    before = {n: p.copy() for n, p in overflows.params.items()}
    x, y = data(seed=0)
    overflows.step(100 * x, y)
    assert overflows.skipped == 1
    for name, p in before.items():
        np.testing.assert_array_equal(overflows.params[name], p, err_msg=name)


def dense_cross_entropy(scores, targets):
    import jax

    return -(targets * jax.nn.log_softmax(scores)).sum(-1).mean()


def smooth(labels, s):
    return (1 - s) * np.eye(SIZES[-1])[labels] + s / SIZES[-1]


def ignoring(scores, labels):
    import jax

    kept = labels != 2
    picked = -jax.nn.log_softmax(scores)[np.arange(len(labels)), np.where(kept, labels, 0)]
    return (picked * kept).sum() / kept.sum()


def huber(scores, y, delta=0.7):
    import jax.numpy as jnp

    d = jnp.abs(scores - y)
    return jnp.where(d <= delta, d * d / 2, delta * (d - delta / 2)).mean()


def bce(scores, y):
    import jax

    return -(y * jax.nn.log_sigmoid(scores) + (1 - y) * jax.nn.log_sigmoid(-scores)).mean()


def real(seed):
    return np.random.default_rng(seed).random((ROWS, SIZES[-1])).astype(np.float32)


@pytest.mark.parametrize(
    ("loss", "target", "reference"),
    [
        (raf.losses.CrossEntropy(), lambda y: y, cross_entropy),
        (raf.losses.CrossEntropy(), lambda y: y.astype(np.int32), cross_entropy),
        (raf.losses.CrossEntropy(label_smoothing=0.1), lambda y: y, lambda s, y: dense_cross_entropy(s, smooth(y, 0.1))),
        (raf.losses.CrossEntropy(ignore_index=2), lambda y: y, ignoring),
        (raf.losses.CrossEntropy(dense=True), lambda y: smooth(y, 0.3).astype(np.float32), dense_cross_entropy),
        (raf.losses.MSE(), lambda y: real(1), lambda s, y: ((s - y) ** 2).mean()),
        (raf.losses.L1(), lambda y: real(2), lambda s, y: abs(s - y).mean()),
        (raf.losses.Huber(delta=0.7), lambda y: 2 * real(3), huber),
        (raf.losses.BCEWithLogits(), lambda y: real(4), bce),
    ],
    ids=["labels", "labels-i32", "smoothing", "ignore", "dense", "mse", "l1", "huber", "bce"],
)
def test_a_loss_and_its_gradient(loss, target, reference):
    """With SGD and a learning rate of 1 the change of the parameters is the gradient."""
    trainer = raf.compile(mlp(), loss=loss, optimizer=optim.SGD(1.0))
    x, labels = data()
    y = target(labels)
    before = {n: p.copy() for n, p in trainer.params.items()}
    expected, grads = jax_gradients(reference)(before, x, y)
    evaluated = trainer.evaluate((x, y), ["loss"])["loss"]
    assert float(trainer.step(x, y)) == pytest.approx(expected, rel=1e-5) == pytest.approx(evaluated, rel=1e-5)
    for name, grad in grads.items():
        np.testing.assert_allclose(before[name] - trainer.params[name], grad, rtol=1e-4, atol=2e-6, err_msg=name)


def tensors(trainer):
    return {n: a.tobytes() for n, a in trainer.state_dict()["tensors"].items()}


def test_the_reference_pipeline_agrees():
    x, y = data()
    results = []
    for options in ({}, {"libraries": ()}, {"opt_level": 0, "libraries": ()}):
        trainer = raf.compile(mlp(), loss="cross_entropy", optimizer="adamw", **options)
        results.append([float(trainer.step(x, y)) for _ in range(5)])
    np.testing.assert_allclose(results[1:], [results[0]] * 2, rtol=1e-5)


def test_frozen_parameters_stay():
    trainer = raf.compile(mlp(), loss="cross_entropy", optimizer="adamw", frozen="fc1.*")
    before = {n: p.copy() for n, p in trainer.params.items()}
    trainer.step(*data())
    changed = {n for n, p in trainer.params.items() if not np.array_equal(before[n], p)}
    assert changed == {"fc2.weight", "fc2.bias"} and all(n.endswith(("fc2.weight", "fc2.bias")) for n in tensors(trainer) if n.startswith("state:"))


def test_predictions_follow_the_parameters():
    x, y = data()
    trainer = raf.compile(mlp(), loss="cross_entropy", optimizer=optim.SGD(0.5))
    for _ in range(3):
        p = trainer.params  # on a device they are copies
        expected = np.maximum(x @ p["fc1.weight"].T + p["fc1.bias"], 0) @ p["fc2.weight"].T + p["fc2.bias"]
        np.testing.assert_allclose(trainer.predict(x), expected, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(trainer.predict(x[:3]), expected[:3], rtol=1e-4, atol=1e-5)
        trainer.step(x, y)


@pytest.mark.parametrize("options", [{}, {"libraries": ()}, {"opt_level": 0}], ids=["dnnl", "codegen", "level 0"])
@pytest.mark.parametrize(("nan", "fault"), [("raise", "label"), ("skip", "label"), ("skip", "input")])
def test_a_step_that_is_not_finite_changes_nothing(nan, fault, options):
    """Neither parameters nor optimizer state nor running statistics; the next steps are those of a run without the bad one."""
    rng = np.random.default_rng(0)
    batches = [(rng.random((8, 1, 8, 8), np.float32), rng.integers(0, 10, 8)) for _ in range(3)]
    x, y = (a.copy() for a in batches[1])
    if fault == "label":
        y[3] = 77  # which makes the loss NaN
    else:
        x[3, 0, 2, 5] = np.nan  # ReLU and pooling of oneDNN lose it before the loss, but not before the gradient of the first weights

    def make():
        return raf.compile(raf.import_onnx(examples.digits_cnn()), loss="cross_entropy", optimizer="adamw", nan=nan, **options)

    trainer, other = make(), make()
    trainer.step(*batches[0])
    before = tensors(trainer)
    assert any(n.startswith("buffer:") for n in before) and any(n.startswith("state:") for n in before)
    if nan == "raise":
        with pytest.raises(raf.NonFiniteLossError, match=r"loss of step 2 is nan: target 'target' holds 1 labels outside the 10 classes, such as 77 \(expected 0 to 9\); parameters, .* are those before it"):
            trainer.step(x, y)
    else:
        trainer.step(x, y)
        assert trainer.skipped == 1
    assert tensors(trainer) == before and trainer.steps_done == 1
    losses = [[float(t.step(*b)) for b in steps] for t, steps in ((trainer, batches[1:]), (other, batches))]
    assert losses[0] == losses[1][1:]
    assert tensors(trainer) == tensors(other)


def test_what_is_wrong_with_a_batch_is_said():
    x, y = data()
    with pytest.raises(raf.NonFiniteLossError, match=r"loss of step 1 is nan: all 16 labels of target 'target' are ignore_index \(-100\), so that the loss is the mean of nothing"):
        raf.compile(mlp(), loss="cross_entropy", optimizer="sgd").step(x, np.full_like(y, -100))
    large = x.copy()
    large[3, 2] = 1e20
    half = raf.compile(mlp(), loss="cross_entropy", optimizer="sgd", amp="f16")
    with pytest.raises(raf.NonFiniteLossError, match=r"input 'x' holds 1 values beyond 65504, the largest number of f16, which may be why: scale the data, or take amp='bf16'"):
        half.step(large, y)
    assert np.isfinite(half.step(x, y))


@pytest.mark.parametrize("loss", ["cross_entropy", "mse"])
def test_a_batch_without_samples_is_refused(loss):
    """Predictions of none are an array without rows; the mean of none is nothing."""
    x, y = data()
    trainer = raf.compile(mlp(), loss=loss, optimizer="sgd")
    y = y if loss == "cross_entropy" else np.zeros((ROWS, SIZES[-1]), np.float32)
    for call in (lambda: trainer.step(x[:0], y[:0]), lambda: trainer.evaluate([(x, y), (x[:0], y[:0])])):
        with pytest.raises(raf.RuntimeError, match=r"the batch is empty: logits: float32\[0, 5\]"):
            call()
    assert trainer.predict(x[:0]).shape == (0, SIZES[-1]) and trainer.steps_done == 0
    assert np.isfinite(trainer.step(x, y))


def test_something_must_be_trained():
    with pytest.raises(raf.CompileError, match="has no parameter to train: all are frozen"):
        raf.compile(mlp(), loss="cross_entropy", optimizer="sgd", frozen="*")


@pytest.mark.parametrize("optimizer", [raf.optim.SGD(), raf.optim.SGD(momentum=0.9), raf.optim.Adam(), raf.optim.AdamW()], ids=repr)
def test_states_are_those_that_optimizers_say(optimizer):
    """Checkpoints from before the first step are judged by what the optimizer says, since there is no program yet."""
    trainer = raf.compile(mlp(), loss="cross_entropy", optimizer=optimizer)
    trainer.step(*data(8))
    kept = {name.removeprefix("state:") for name in trainer.state_dict()["tensors"] if name.startswith("state:")}
    assert kept == {f"{kind}:{name}" for kind in optimizer.states for name in trainer.params}


def test_threads_wait_for_each_other(tmp_path):
    """All steps of all threads are done, each on the parameters of the one before, and what is read meanwhile is of whole steps."""
    x, y = data(256)

    def make():
        return raf.compile(mlp(), loss="cross_entropy", optimizer="adamw", threads=2)

    made, alone = make(), make()
    made.step(x, y), made.save_executable(tmp_path / "step.rafx", {"x": x.shape})
    alone.load_state_dict(made.state_dict())
    loaded = raf.load_executable(tmp_path / "step.rafx")
    failures = []

    def work(trainer):
        try:
            for _ in range(40):
                trainer.step(x, y)
                if trainer is made:
                    assert np.isfinite(made.predict(x)).all() and np.isfinite(made.evaluate((x, y))["loss"])
                    made.save(tmp_path / "made.safetensors")
                    made.export_onnx(tmp_path / "made.onnx")
                else:
                    loaded.save(tmp_path / "meanwhile.safetensors")
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=work, args=(t,)) for t in (made, loaded) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures and made.steps_done == loaded.steps_done == 161
    for _ in range(160):
        alone.step(x, y)
    loaded.save(tmp_path / "loaded.safetensors")
    assert tensors(made) == tensors(alone)
    assert {n: a.tobytes() for n, a in raf.checkpoint.load(tmp_path / "loaded.safetensors")[0].items()} == tensors(alone)


def test_folders_that_may_not_be_looked_into(tmp_path, monkeypatch):
    """Python's `Path.is_dir` and `exists` raise there."""
    trainer = raf.compile(mlp(), loss="cross_entropy", optimizer="sgd")
    trainer.export_onnx(tmp_path / "first.onnx")
    locked = tmp_path / "locked"
    locked.mkdir(mode=0)
    monkeypatch.setenv("RAF_CACHE_DIR", str(locked / "in" / "cache"))
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        with pytest.raises(raf.RuntimeError, match="cannot write .*may not be looked into"):
            trainer.export_onnx(locked / "in" / "a.onnx")
        assert _cache.usage() == (0, 0) and _cache.clear() == 0 and doctor._cache_folder([])["executables"] == 0
    finally:
        if root:
            os.seteuid(0)


def test_what_may_be_copied_and_pickled():
    x, y = data()
    trainer = raf.compile(mlp(), loss="cross_entropy", optimizer="sgd")
    trainer.step(x, y)
    for copied in (copy.deepcopy(trainer.model), pickle.loads(pickle.dumps(trainer.model))):
        trainer.step(x, y)
        assert np.array_equal(raf.compile(copied)(x), raf.compile(copied)(x)) and not np.array_equal(raf.compile(copied)(x), trainer.predict(x))
    for made, advice in ((trainer, "load what state_dict or save gave"), (raf.compile(mlp()), "the file of save_executable")):
        for call in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match=f"is bound to compiled code .* cannot be copied or pickled: .*{advice}"):
                call(made)
    for error in (raf.NonFiniteLossError("lost", 3, 2.5), Stopped(signal.SIGINT, 7, pathlib.Path("a"))):
        copied = pickle.loads(pickle.dumps(error))
        assert type(copied) is type(error) and str(copied) == str(error) and vars(copied) == vars(error)


@pytest.fixture(scope="module")
def digits():
    pytest.importorskip("sklearn")
    return examples.digits()


def test_resumed_digits_equal_uninterrupted_ones(digits, tmp_path):
    (x, y), test = digits

    def make():
        return raf.compile(raf.import_onnx(examples.digits_cnn()), loss="cross_entropy", optimizer=optim.AdamW(3e-3), seed=7)

    class Stop(raf.callbacks.Callback):
        def on_step_end(self, trainer, logs):
            if logs["step"] == 20:
                os.kill(os.getpid(), signal.SIGINT)

    options = {"epochs": 2, "batch_size": 64, "validation": (test[0][:64], test[1][:64]), "progress": False}
    whole = make()
    whole.fit((x[:900], y[:900]), **options)
    with pytest.raises(Stopped):
        make().fit((x[:900], y[:900]), **options, checkpoint=tmp_path, callbacks=[Stop()])
    resumed = make()
    resumed.fit((x[:900], y[:900]), **options, checkpoint=tmp_path, resume=True)
    assert tensors(resumed) == tensors(whole)


def test_a_second_compile_comes_from_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("RAF_CACHE_DIR", str(tmp_path))
    proto = examples.digits_cnn()
    image = np.random.default_rng(0).random((32, 1, 8, 8), np.float32)
    labels = np.zeros(32, np.int64)
    seconds, losses = [], []
    for _ in range(5):
        model = raf.import_onnx(proto)
        start = time.thread_time()  # of this thread alone: other processes do not count
        trainer = raf.compile(model, loss="cross_entropy", optimizer="adamw")
        losses.append(float(trainer.step(image, labels)))
        seconds.append(time.thread_time() - start)
    assert len(set(losses)) == 1 and len(list(tmp_path.glob("??/*.rafx"))) == 1
    assert min(seconds[1:]) < 0.3, seconds


def test_the_cache_has_the_forward_module_too(monkeypatch, tmp_path):
    """So that a second process builds none, and loads no MLIR for it. Another graph, shape, choice of parameters or importer is another module."""
    monkeypatch.setenv("RAF_CACHE_DIR", str(tmp_path))
    proto, built = examples.digits_cnn(), []
    build = importer.OnnxSource.build
    monkeypatch.setattr(importer.OnnxSource, "build", lambda self, *args: built.append(args) or build(self, *args))

    def module(batch=8, cache=True, edit=lambda proto: None, **options):
        changed = onnx.ModelProto()
        changed.CopyFrom(proto)
        edit(changed)
        return raf.import_onnx(changed, **options).specialize({"batch": batch}, cache)

    def rename(made):
        made.graph.node[0].name = "other"

    first = module()
    assert module() == first == module(cache=False) and len(built) == 2
    for other in ({"batch": 9}, {"edit": rename}, {"frozen": "*bias*"}):
        assert module(**other).asm != first.asm
        assert module(**other).asm == module(**other, cache=False).asm
    assert len(built) == 2 + 2 * 3
    monkeypatch.setattr(importer, "_code", lambda: b"another importer")
    assert module() == first and len(built) == 2 + 2 * 3 + 1
    assert len(list(tmp_path.glob("??/*.module"))) == 5
    assert _cache.usage()[0] == 0 and _cache.clear() == 0 and not list(tmp_path.glob("??/*"))


def command(*args, **options):
    env = {**os.environ, "PYTHONPATH": str(pathlib.Path(raf.__file__).parents[1]), "COLUMNS": "200"}
    return subprocess.Popen(
        [sys.executable, "-c", "import raf.cli; raf.cli.main()", *map(str, args)], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


@pytest.mark.cpu_only("the command line has a --target of its own")
def test_the_digits_example_from_the_command_line(digits, tmp_path):
    """Trains the convolutional net to 97 % and more, writes ONNX, and ONNX Runtime predicts the same from the file."""
    log, path = tmp_path / "run.jsonl", tmp_path / "digits.onnx"
    process = command("train", "--example", "digits", "--log", log, "--export", path)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    epochs = [e for e in map(json.loads, log.read_text().splitlines()) if e["event"] == "epoch"]
    assert epochs[-1]["val_accuracy"] >= 0.97 and "accuracy" in out and epochs[0]["accuracy"] < epochs[-1]["accuracy"] >= 0.97 and "  accuracy " in err

    onnx = pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    onnx.checker.check_model(str(path), full_check=True)
    _, (x, y) = digits
    (scores,) = runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(None, {"image": x})
    assert np.mean(scores.argmax(1) == y) == pytest.approx(epochs[-1]["val_accuracy"])
    np.testing.assert_allclose(raf.compile(raf.import_onnx(path))(x), scores, rtol=1e-3, atol=1e-4)
    done = command("eval", path, "--data", _npz(tmp_path, x, y), "--json")
    out, err = done.communicate(timeout=120)
    assert done.returncode == 0 and json.loads(out)["accuracy"] == pytest.approx(epochs[-1]["val_accuracy"]), err


def _npz(folder, x, y):
    np.savez(folder / "test.npz", image=x, target=y)
    return folder / "test.npz"


@pytest.mark.cpu_only("the command line has a --target of its own")
def test_ctrl_c_in_the_command_line(digits, tmp_path):
    log, run = tmp_path / "run.jsonl", tmp_path / "run"
    arguments = ("train", "--example", "digits-mlp", "--epochs", 4000, "--checkpoint", run, "--log", log)
    process = command(*arguments)
    deadline = time.monotonic() + 120
    while not (log.exists() and log.stat().st_size) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "the checkpoint is" in err and "--resume" in err
    trainer = raf.compile(raf.import_onnx(examples.digits_mlp()), loss="cross_entropy", optimizer="adamw")
    trainer.load(run / "last.safetensors")
    assert trainer.steps_done > 0 and f"after step {trainer.steps_done}" in err


def test_inspect_shows_the_plan(tmp_path):
    (tmp_path / "m.onnx").write_bytes(examples.digits_mlp().SerializeToString())
    process = command("inspect", tmp_path / "m.onnx", "--size", "batch=32", "--loss", "cross_entropy", "--json")
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    step = json.loads(out)["step"]
    assert step["memory"]["arena_bytes"] > 0 and "kernels" in step and "library_calls" in step


def test_each_trainer_uses_its_own_number_of_threads():
    """In one process, in any order of compiling and running; the number of the process stays. Threads of the pool are those that the system counts."""
    program = """
import os, numpy as np, raf
from raf import _core, examples

def make(threads):
    return raf.compile(raf.import_onnx(examples.digits_cnn()), loss="cross_entropy", optimizer="sgd", threads=threads)

def count():
    return len(os.listdir("/proc/self/task"))

x, y = np.ones((64, 1, 8, 8), np.float32), np.zeros(64, np.int64)
_core.set_num_threads(2)
three, one = make(3), make(1)
three.program({"image": x.shape}), one.program({"image": x.shape})
before = count()
one.step(x, y)
print(count() - before, end=" ")
three.step(x, y)
print(count() - before, end=" ")
one.step(x, y)
print(_core.get_num_threads())
"""
    env = {**os.environ, "PYTHONPATH": str(pathlib.Path(raf.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["0", "2", "2"], done.stdout + done.stderr
