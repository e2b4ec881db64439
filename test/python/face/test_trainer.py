# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps, losses that are not finite, evaluation, the loop of fit, and what stops it."""

import io
import json
import math
import os
import signal

import numpy as np
import pytest

import raf
from raf import compiler
from raf.callbacks import BestCheckpoint, Callback, EarlyStopping, JsonLines
from raf.fitting import Stopped


def make(fake, **options):
    return raf.compile(fake.model(), **{"loss": "cross_entropy", "optimizer": raf.optim.SGD(0.1, momentum=0.9), **options})


def tensors(trainer):
    return {n: a.tobytes() for n, a in trainer.state_dict()["tensors"].items()}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"loss": "cros_entropy"}, "unknown loss 'cros_entropy'; did you mean 'cross_entropy'"),
        ({"optimizer": "sdg"}, "unknown optimizer 'sdg'; did you mean 'sgd'"),
        ({"loss": 3}, "loss: expected a name"),
        ({"loss": None}, "loss is missing"),
        ({"optimizer": None}, "optimizer is missing"),
        ({"target": "gpu"}, "unknown target 'gpu'"),
        ({"amp": "f8"}, "amp: unknown type 'f8'"),
        ({"amp": 16}, "amp: expected 'bf16', 'f16', a raf.amp.Policy or None, got 16"),
        ({"opt_level": 7}, "opt_level must be 0, 1 or 2"),
        ({"nan": "stop"}, "unknown nan policy 'stop'"),
        ({"threads": 0}, "threads must be a positive integer"),
        ({"libraries": ["dnn"]}, "unknown library 'dnn' for the target 'cpu'; did you mean 'dnnl'"),
        ({"loss": raf.losses.MSE(output="nothing")}, "has no output 'nothing'"),
        ({"opt_level": True}, "opt_level must be 0, 1 or 2, got True"),
        ({"nan": []}, r"unknown nan policy \[\]"),
        ({"threads": True}, "threads must be a positive integer or None, got True"),
        ({"libraries": 3}, "libraries: expected a string or a sequence of strings, got 3"),
        ({"stremas": None}, "stremas: expected a string or a sequence of strings, got None"),
        ({"skip": {"raf-fuse": True}}, "skip: expected a string or a sequence of strings, got {'raf-fuse': True}"),
        ({"skip": 5j}, "skip: expected a string or a sequence of strings, got 5j"),
        ({"skip": [3]}, r"skip: expected a string or a sequence of strings, got \[3\]"),
        ({"frozen": 5}, "frozen: expected a string or a sequence of strings, got 5"),
        ({"outputs": 1.5}, "outputs: expected names or numbers of outputs, got 1.5"),
        ({"seed": "a"}, "seed must be an integer of 64 bits, got 'a'"),
        ({"seed": 2**63}, "seed must be an integer of 64 bits"),
        ({"optimizer": "sgd", "lr": 10**400}, "lr must be a number of ordinary size"),
    ],
)
def test_compile_options_are_checked(fake, options, message):
    with pytest.raises(raf.CompileError, match=message):
        make(fake, **options)


def test_compile_needs_a_model(fake):
    with pytest.raises(raf.CompileError, match="expected what raf.import_onnx returns, got str"):
        raf.compile("model.onnx")


def test_options_of_the_pipeline_may_be_numbers_of_numpy():
    found = compiler._extra({"a": np.bool_(True), "b": np.int64(3), "c": np.float32(0.5), "d": ("x", "y")})
    assert found == {"a": True, "b": 3, "c": 0.5, "d": ["x", "y"]} and [type(v) for v in found.values()] == [bool, int, float, list]


def test_loss_options():
    assert raf.losses.CrossEntropy(label_smoothing=0.1, ignore_index=-1).pass_options(0, "i64") == (
        "loss=cross_entropy output=0 label-smoothing=0.1 ignore-index=-1 dense-target=false class-axis=1 target-type=i64"
    )
    assert raf.losses.Huber(delta=2).pass_options(1, "f32") == "loss=huber output=1 delta=2.0 target-type=f32"
    assert raf.losses.Output().pass_options(0, None) == "loss=output output=0"
    for make_loss in (
        lambda: raf.losses.Huber(delta=0), lambda: raf.losses.Huber(delta="1"), lambda: raf.losses.CrossEntropy(label_smoothing=1.0), lambda: raf.losses.CrossEntropy(label_smoothing=None),
        lambda: raf.losses.CrossEntropy(ignore_index=1.5), lambda: raf.losses.CrossEntropy(ignore_index=2**70), lambda: raf.losses.CrossEntropy(class_axis="x"), lambda: raf.losses.CrossEntropy(dense="yes"),
    ):  # fmt: skip
        with pytest.raises(raf.CompileError):
            make_loss()


def test_parameters_are_aligned_and_updated_in_place(fake):
    trainer = make(fake)
    params = trainer.params
    before = {n: a.copy() for n, a in params.items()}
    trainer.step(*fake.data(8))
    assert all(a.ctypes.data % 64 == 0 and a is trainer.params[n] for n, a in params.items())
    assert any(not np.array_equal(before[n], params[n]) for n in params)


def test_frozen_parameters(fake):
    trainer = make(fake, frozen=["fc1.*"])
    before = {n: a.copy() for n, a in trainer.params.items()}
    trainer.step(*fake.data(8))
    changed = {n for n, a in trainer.params.items() if not np.array_equal(before[n], a)}
    assert changed == {"fc2.weight"} and [n for n in trainer.state_dict()["tensors"] if n.startswith("state:")] == ["state:velocity:fc2.weight"]
    with pytest.raises(raf.Error, match="no parameter .* matches 'fc3"):
        make(fake, frozen="fc3.*")


def test_learning_rate_changes_without_compiling(fake):
    x, y = fake.data(8)
    trainer = make(fake, optimizer=raf.optim.SGD(raf.optim.Linear(0.1, 0.0, 2)))
    assert trainer.lr == 0.1
    trainer.step(x, y)
    assert trainer.lr == 0.05
    trainer.lr = 0.0
    before = tensors(trainer)
    trainer.step(x, y)
    after = tensors(trainer)
    assert fake.Core.compiled == 1 and all(before[n] == after[n] for n in before if n.startswith("param:"))


def test_the_cache_on_disk(fake, tmp_path, monkeypatch):
    x, y = fake.data(8)
    losses = [float(make(fake).step(x, y)) for _ in range(2)]
    assert (fake.Core.compiled, fake.Core.loaded) == (1, 1) and losses[0] == losses[1]
    make(fake, threads=2).step(x, y)
    make(fake, optimizer="sgd").step(x, y)
    assert fake.Core.compiled == 3
    make(fake, cache=False).step(x, y)
    assert fake.Core.compiled == 4
    for path in (tmp_path / "cache").glob("??/*.rafx"):
        path.write_bytes(path.read_bytes()[:-3])
    make(fake).step(x, y)
    assert fake.Core.compiled == 5  # damaged files are made again
    make(fake).step(x, y)
    assert fake.Core.compiled == 5
    monkeypatch.setenv("RAF_CACHE_DIR", "/proc/nowhere")
    make(fake).step(x, y)
    assert fake.Core.compiled == 6


def test_failures_leave_a_command_that_replays_them(fake, monkeypatch, tmp_path):
    def refuse(*args):
        raise raf.CompileError("no rule for 'raf.foo'", ["model.onnx: node 3: no rule for 'raf.foo'"])

    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    for name, owner in (("run_pipeline", fake.Core), ("compile", fake.Executable)):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, refuse)
            with pytest.raises(raf.CompileError, match="no rule for 'raf.foo'\nThe failure is replayed by: raf-opt --pass-pipeline='builtin.module") as error:
                make(fake).step(*fake.data(8))
        assert error.value.diagnostics == ("model.onnx: node 3: no rule for 'raf.foo'",)
        assert os.path.exists(error.value.reproducer.split()[-1])
    assert "raf-cpu{libraries=dnnl memory-slack=4 opt-level=2 store-layouts=true}" in error.value.reproducer


def test_a_loss_that_is_not_finite_raises_and_changes_nothing(fake):
    x, y = fake.data(8)
    trainer = make(fake)
    trainer.step(x, y)
    before = trainer.state_dict()
    bad = x.copy()
    bad[0, 0] = np.nan
    with pytest.raises(raf.NonFiniteLossError, match=r"loss of step 2 is nan: input 'x' holds 1 values that are not finite.*learning rate \(now 0.1\)") as error:
        trainer.step(bad, y)
    assert error.value.step == 2 and math.isnan(error.value.loss)
    assert tensors(trainer) == {n: a.tobytes() for n, a in before["tensors"].items()} and trainer.state_dict()["metadata"] == before["metadata"]
    other = make(fake)
    other.step(x, y), other.step(x, y)
    trainer.step(x, y)
    assert tensors(trainer) == tensors(other)


def test_parameters_that_were_lost_before_are_named(fake):
    x, y = fake.data(8)
    trainer = make(fake)
    trainer.params["fc2.weight"][0, 0] = np.inf
    with np.errstate(all="ignore"), pytest.raises(raf.NonFiniteLossError, match="fc2.weight were not finite before it .* load the last checkpoint"):
        trainer.step(x, y)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_fit_keeps_what_was_reached_before_a_loss_that_is_not_finite(fake, tmp_path):
    """The checkpoint is that of the steps before, and the run that resumes begins with the batch that failed."""
    x, y = fake.data(40)
    bad = x.copy()
    bad[24:32] = np.nan
    trainer = make(fake)
    with pytest.raises(raf.NonFiniteLossError, match="loss of step 4 is nan.*The checkpoint '.*last.safetensors' holds what was reached before it"):
        trainer.fit((bad, y), epochs=2, batch_size=8, shuffle=False, checkpoint=tmp_path, progress=False)
    resumed, whole = make(fake), make(fake)
    history = resumed.fit((x, y), epochs=2, batch_size=8, shuffle=False, checkpoint=tmp_path, resume=True, progress=False)
    assert history == [{**logs, "seconds": ours["seconds"]} for logs, ours in zip(whole.fit((x, y), epochs=2, batch_size=8, shuffle=False, progress=False), history)]
    assert tensors(resumed) == tensors(whole) and resumed.steps_done == 10


@pytest.mark.filterwarnings("ignore:invalid value")
def test_skipping_takes_the_step_back(fake):
    x, y = fake.data(8)
    trainer = make(fake, nan="skip")
    trainer.step(x, y)
    before = tensors(trainer)
    bad = np.full_like(x, np.inf)
    assert not np.isfinite(trainer.step(bad, y))
    assert tensors(trainer) == before and trainer.steps_done == 1 and trainer.skipped == 1
    other = make(fake)
    other.step(x, y), other.step(x, y)
    trainer.step(x, y)
    assert tensors(trainer) == tensors(other)


class Poison(Callback):
    """Stands for an update that overflows after a finite loss."""

    def on_step_end(self, trainer, logs):
        if logs["step"] == 5:
            trainer.params["fc1.weight"][0, 0] = np.inf


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("every", [1, None])
def test_lost_parameters_are_not_saved_over_a_checkpoint(fake, tmp_path, every):
    x, y = fake.data(40)
    good = make(fake, optimizer="sgd")
    good.fit((x[:32], y[:32]), batch_size=8, checkpoint=tmp_path, progress=False)
    expected = r"after step 5, .*fc1.weight.* not finite. The checkpoint .* was not written over" if every else "fc1.weight.* not finite before it .* load the last checkpoint"
    with pytest.raises(raf.RuntimeError, match=expected):
        make(fake, optimizer="sgd").fit((x, y), epochs=2, batch_size=4, checkpoint=tmp_path, checkpoint_every=every, progress=False, callbacks=[Poison()])
    good.load(tmp_path / "last.safetensors")
    assert good.steps_done == 4 and good.non_finite() == []


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_learning_rate_that_is_not_finite_changes_nothing(fake):
    x, y = fake.data(8)
    trainer = make(fake)
    trainer.lr = lambda n: np.inf if n == 1 else 0.1
    trainer.step(x, y)
    before = tensors(trainer)
    with pytest.raises(raf.NonFiniteLossError, match="the learning rate inf"):
        trainer.step(x, y)
    assert tensors(trainer) == before


def test_ignoring_goes_on(fake):
    x, y = fake.data(8)
    trainer = make(fake, nan="ignore")
    trainer.step(np.full_like(x, np.nan), y)
    assert trainer.steps_done == 1


class Record(Callback):
    """Each step's logs, and what the model said of its batch before it."""

    def __init__(self):
        self.steps = []

    def on_step_end(self, trainer, logs):
        self.steps.append(logs)


def dropped(trainer, x):
    """The scores of a step of the stand-in: with its dropout."""
    p = trainer.params
    hidden = np.maximum(x @ p["fc1.weight"] + p["fc1.bias"], 0)
    generator = np.random.Generator(np.random.Philox(key=np.array([trainer.seed, trainer.steps_done + 1], np.uint64)))
    return (hidden * (generator.random(hidden.shape) < 0.9)) @ p["fc2.weight"]


def test_metrics_of_the_training_batches(fake):
    x, y = fake.data(44)
    other, record = make(fake), Record()
    history = make(fake).fit((x, y), epochs=2, batch_size=8, shuffle=False, progress=False, metrics=["accuracy", "top3"], callbacks=[record])
    hits = []
    for epoch in range(2):
        for i in range(0, 44, 8):
            hits.append(dropped(other, x[i : i + 8]).argmax(1) == y[i : i + 8])
            other.step(x[i : i + 8], y[i : i + 8])
    assert [logs["accuracy"] for logs in record.steps] == [h.mean() for h in hits] and all(logs["top3"] == 1.0 for logs in record.steps)
    assert history.column("accuracy") == [np.concatenate(h).mean() for h in (hits[:6], hits[6:])] and "val_accuracy" not in history[0]


def test_metrics_of_training_are_taken_when_they_are_cheap_or_asked_for(fake, monkeypatch):
    x, y = fake.data(40)

    def columns(**options):
        return set(make(fake).fit((x, y), batch_size=8, progress=False, **options)[0]) - {"epoch", "step", "lr", "seconds"}

    assert columns() == {"loss", "accuracy"} and columns(train_metrics=False) == {"loss"} and columns(metrics="loss") == {"loss"}
    monkeypatch.setattr("raf.trainer.KEPT_BYTES", 8 * fake.CLASSES * 4 - 1)
    assert columns() == {"loss"} and columns(train_metrics=True) == {"loss", "accuracy"}
    trainer = make(fake)
    trainer.step(x[:8], y[:8])  # a program without outputs
    assert "accuracy" in trainer.fit((x, y), batch_size=8, progress=False, train_metrics=True)[0]
    with pytest.raises(raf.RuntimeError, match="did you mean 'accuracy'"):
        columns(metrics="acuracy")


def test_metrics_of_training_go_on_in_a_run_that_resumes(fake, tmp_path):
    x, y = fake.data(80)

    class Stop(Callback):
        def on_step_end(self, trainer, logs):
            if logs["step"] == 13:
                os.kill(os.getpid(), signal.SIGINT)

    whole = make(fake).fit((x, y), epochs=2, batch_size=8, progress=False)
    with pytest.raises(Stopped):
        make(fake).fit((x, y), epochs=2, batch_size=8, progress=False, checkpoint=tmp_path, callbacks=[Stop()])
    resumed = make(fake).fit((x, y), epochs=2, batch_size=8, progress=False, checkpoint=tmp_path, resume=True)
    assert resumed.column("accuracy") == whole.column("accuracy") and resumed.column("loss") == whole.column("loss")


def test_the_progress_bar_shows_loss_and_accuracy():
    from rich.console import Console

    from raf._display import Display

    text = io.StringIO()
    display = Display(True, 3, Console(file=text, force_terminal=True, width=120))
    display.start_epoch(1, 10, 0)
    display.step(4, lambda: {"loss": 0.5, "accuracy": 0.875})
    display.close()
    assert "loss 0.5000  accuracy 0.8750" in text.getvalue()


def test_evaluate_changes_nothing_and_takes_parts(fake):
    x, y = fake.data(50)
    trainer = make(fake)
    before = tensors(trainer)
    parts = trainer.evaluate((x, y), batch_size=8)
    whole = trainer.evaluate([(x, y)])
    assert parts["accuracy"] == whole["accuracy"] == np.mean(trainer.predict(x).argmax(1) == y)
    assert parts["loss"] == pytest.approx(whole["loss"]) and tensors(trainer) == before
    own = trainer.evaluate({"x": x, "target": y}, ["top3", lambda o, t: o.shape[0]])
    assert own == {"top3": 1.0, "<lambda>": 50.0}


def test_fit_learns_and_reports(fake, capsys):
    trainer = make(fake)
    history = trainer.fit(fake.data(200), epochs=5, validation=fake.data(200), batch_size=16)
    assert history.column("epoch") == [1, 2, 3, 4, 5] and history[-1]["step"] == trainer.steps_done == 5 * 13
    assert history[-1]["val_accuracy"] > 0.9 > history[0]["val_accuracy"] and history[-1]["loss"] < history[0]["loss"]
    assert "epoch 5/5" in capsys.readouterr().err


class StopAt(Callback):
    def __init__(self, step, how):
        self.step, self.how = step, how

    def on_step_end(self, trainer, logs):
        if logs["step"] == self.step:
            self.how(trainer)


def interrupt(trainer):
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("stop", [1, 7, 12, 13, 14, 25, 26, 27])
def test_ctrl_c_leaves_a_checkpoint_that_resumes_to_the_same_bits(fake, tmp_path, stop):
    x, y = fake.data(100)  # 13 steps an epoch
    whole = make(fake, seed=3)
    expected = whole.fit((x, y), epochs=3, batch_size=8, validation=(x, y), progress=False)
    first = make(fake, seed=3)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(Stopped, match=f"after step {stop}; the checkpoint is ") as error:
        first.fit((x, y), epochs=3, batch_size=8, validation=(x, y), progress=False, checkpoint=tmp_path / "c", callbacks=[StopAt(stop, interrupt)])
    assert isinstance(error.value, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is before
    second = make(fake)
    second.seed = 3
    found = second.fit((x, y), epochs=3, batch_size=8, validation=(x, y), progress=False, checkpoint=tmp_path / "c", resume=True)
    assert tensors(second) == tensors(whole) and second.steps_done == 39
    assert [{k: v for k, v in e.items() if k != "seconds"} for e in found] == [{k: v for k, v in e.items() if k != "seconds"} for e in expected]


def test_sigterm_too(fake, tmp_path):
    with pytest.raises(Stopped, match="SIGTERM after step 2"):
        make(fake).fit(
            fake.data(40), progress=False, batch_size=8, checkpoint=tmp_path, callbacks=[StopAt(2, lambda t: os.kill(os.getpid(), signal.SIGTERM))]
        )
    assert (tmp_path / "last.safetensors").exists() and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def fail(trainer):
    raise ValueError("power cut")


def test_checkpoints_in_the_middle_of_an_epoch(fake, tmp_path):
    x, y = fake.data(100)
    whole = make(fake)
    whole.fit((x, y), epochs=2, batch_size=8, progress=False)
    with pytest.raises(ValueError, match="power cut"):
        make(fake).fit((x, y), epochs=2, batch_size=8, progress=False, checkpoint=tmp_path, checkpoint_every=4, callbacks=[StopAt(18, fail)])
    second = make(fake)
    second.fit((x, y), epochs=2, batch_size=8, progress=False, checkpoint=tmp_path, resume=True)
    assert tensors(second) == tensors(whole)


def test_resuming_without_a_checkpoint_starts(fake, tmp_path):
    history = make(fake).fit(fake.data(40), progress=False, checkpoint=tmp_path / "new", resume=True)
    assert len(history) == 1 and sorted(os.listdir(tmp_path / "new")) == ["last.safetensors"]


def test_resuming_with_batches_that_have_no_state(fake, tmp_path):
    x, y = fake.data(96)
    batches = [(x[i : i + 8], y[i : i + 8]) for i in range(0, 96, 8)]
    whole = make(fake)
    whole.fit(batches, epochs=2, progress=False)
    with pytest.raises(Stopped):
        make(fake).fit(batches, epochs=2, progress=False, checkpoint=tmp_path, callbacks=[StopAt(15, interrupt)])
    second = make(fake)
    second.fit(batches, epochs=2, progress=False, checkpoint=tmp_path, resume=True)
    assert tensors(second) == tensors(whole)


def test_data_of_the_wrong_kind(fake):
    trainer = make(fake)
    x, y = fake.data(8)
    for data, message in ((3, "expected arrays or an iterable"), ([], "no batch in it"), ((x, y[:7]), "same number of samples")):
        with pytest.raises(raf.RuntimeError, match=message):
            trainer.fit(data, progress=False)
    with pytest.raises(raf.RuntimeError, match="an iterator can be used for one epoch only"):
        trainer.fit(iter([(x, y)]), epochs=2, progress=False)
    with pytest.raises(raf.RuntimeError, match="no batch in it"):
        trainer.evaluate(iter([]))
    trainer.fit(iter([(x, y)]), progress=False)
    assert trainer.steps_done == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epochs": "3"}, "epochs must be an integer of at least 0, got '3'"),
        ({"epochs": -1}, "epochs must be an integer of at least 0, got -1"),
        ({"batch_size": "8"}, "batch_size must be an integer of at least 1, got '8'"),
        ({"callbacks": 5}, "callbacks: expected a sequence of raf.callbacks.Callback objects, got 5"),
        ({"callbacks": [print]}, "callbacks: expected a sequence of raf.callbacks.Callback objects"),
        ({"checkpoint": 5}, "checkpoint: expected the path of a folder, got 5"),
        ({"checkpoint_every": 2.5}, "checkpoint_every must be an integer of 64 bits, got 2.5"),
        ({"checkpoint_every": 0}, "checkpoint_every must be at least 1 or None, got 0"),
    ],
)
def test_options_of_fit_are_checked(fake, options, message):
    trainer = make(fake)
    with pytest.raises(raf.RuntimeError, match=message):
        trainer.fit(fake.data(8), progress=False, **options)
    assert trainer.steps_done == 0


def test_a_function_that_gives_no_learning_rate(fake):
    trainer = make(fake)
    trainer.lr = lambda step: "fast"
    with pytest.raises(raf.RuntimeError, match="lr: expected a number from the function for step 0, got 'fast'"):
        trainer.step(*fake.data(8))
    assert trainer.steps_done == 0


def test_early_stopping_and_best_checkpoint(fake, tmp_path):
    trainer = make(fake, optimizer=raf.optim.SGD(lambda n: 0.1 if n < 26 else 0.7))
    stopping = EarlyStopping(patience=2, restore_best=True)
    best = BestCheckpoint(tmp_path / "best", "val_accuracy")
    history = trainer.fit(fake.data(100), epochs=50, batch_size=8, validation=fake.data(100), callbacks=[stopping, best], progress=False)
    losses = history.column("val_loss")
    assert len(history) < 50 and losses.index(min(losses)) == len(losses) - 3
    assert trainer.evaluate(fake.data(100))["loss"] == pytest.approx(min(losses)) == pytest.approx(stopping.best)
    again = make(fake, optimizer="sgd")
    again.load(tmp_path / "best")
    assert again.evaluate(fake.data(100))["accuracy"] == max(history.column("val_accuracy")) == best.best


def test_monitors_say_what_there_is(fake):
    with pytest.raises(raf.RuntimeError, match="EarlyStopping: no value 'val_los' in the epoch's results; did you mean 'val_loss'"):
        make(fake).fit(fake.data(40), validation=fake.data(40), callbacks=[EarlyStopping("val_los")], progress=False)


def test_json_log_follows_the_steps(fake, tmp_path):
    x, y = fake.data(100)
    path = tmp_path / "run.jsonl"
    whole = make(fake)
    whole.fit((x, y), epochs=2, batch_size=8, progress=False, callbacks=[JsonLines(tmp_path / "whole.jsonl")])
    with pytest.raises(ValueError, match="power cut"):
        make(fake).fit(
            (x, y), epochs=2, batch_size=8, progress=False, checkpoint=tmp_path, checkpoint_every=5,
            callbacks=[JsonLines(path), StopAt(19, fail)],
        )  # fmt: skip
    with path.open("a") as file:
        file.write('{"event": "st')
    make(fake).fit((x, y), epochs=2, batch_size=8, progress=False, checkpoint=tmp_path, resume=True, callbacks=[JsonLines(path)])

    def read(p):
        return [{k: v for k, v in json.loads(line).items() if k not in ("time", "seconds")} for line in p.read_text().splitlines()]

    assert read(path) == read(tmp_path / "whole.jsonl") and len(read(path)) == 28


def test_tensorboard_is_asked_for_by_name(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tensorboard.summary", None)
    with pytest.raises(raf.RuntimeError, match=r"pip install 'raf-compiler\[tensorboard\]'"):
        raf.callbacks.TensorBoard("logs")


def test_tensorboard_writes_events(fake, tmp_path):
    pytest.importorskip("tensorboard")
    make(fake).fit(fake.data(100), validation=fake.data(40), batch_size=8, progress=False, callbacks=[raf.callbacks.TensorBoard(tmp_path)])
    assert any(p.stat().st_size > 100 for p in tmp_path.iterdir() if "tfevents" in p.name)


def test_export_gives_the_trained_arrays(fake, tmp_path):
    model = fake.model()
    trainer = raf.compile(model, loss="cross_entropy", optimizer="sgd")
    trainer.step(*fake.data(8))
    trainer.export_onnx(tmp_path / "m.onnx")
    written = model._source.exported[str(tmp_path / "m.onnx")]
    assert set(written) == {*trainer.params, *trainer.buffers} and all(np.array_equal(written[n], a) for n, a in trainer.params.items())
