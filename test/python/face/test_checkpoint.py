# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checkpoints: everything that resuming needs, atomic, and only of the same model."""

import os
import pathlib
import stat
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
import safetensors.numpy

import raf
from raf import checkpoint, examples


def make(fake, **options):
    return raf.compile(fake.model(), loss="cross_entropy", **{"optimizer": raf.optim.SGD(0.1, momentum=0.9), **options})


def same(a, b):
    assert a["tensors"].keys() == b["tensors"].keys()
    assert all(a["tensors"][n].tobytes() == b["tensors"][n].tobytes() for n in a["tensors"])
    assert a["metadata"] == b["metadata"]


def test_resumed_equals_uninterrupted(fake, tmp_path):
    x, y = fake.data(64)
    whole, first = make(fake, seed=5), make(fake, seed=5)
    for i in range(6):
        whole.step(x[i * 8 : i * 8 + 8], y[i * 8 : i * 8 + 8])
    for i in range(3):
        first.step(x[i * 8 : i * 8 + 8], y[i * 8 : i * 8 + 8])
    first.save(tmp_path / "c.safetensors")
    second = make(fake, seed=0)  # the checkpoint's seed counts
    second.load(tmp_path / "c.safetensors")
    losses = [second.step(x[i * 8 : i * 8 + 8], y[i * 8 : i * 8 + 8]) for i in range(3, 6)]
    assert len(losses) == 3 and second.steps_done == 6
    same(whole.state_dict(), second.state_dict())


def test_loading_into_a_used_trainer(fake, tmp_path):
    x, y = fake.data(8)
    trainer = make(fake)
    start = trainer.state_dict()
    trainer.step(x, y)
    trainer.save(tmp_path / "one")
    after = trainer.state_dict()
    trainer.step(x, y)
    trainer.load(tmp_path / "one")
    same(trainer.state_dict(), after)
    trainer.load_state_dict(start)  # before the first step there was no optimizer state
    assert trainer.steps_done == 0
    trainer.step(x, y)
    same(trainer.state_dict(), after)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_state_without_states_has_none_of_the_one_loaded_before(fake, compiled):
    x, y = fake.data(8)
    fresh = make(fake, lazy=True).state_dict()
    used, trainer, other = make(fake), make(fake, lazy=True), make(fake)
    used.step(x, y)
    if compiled:
        trainer.step(x, y)
    trainer.load_state_dict(used.state_dict())
    trainer.load_state_dict(fresh)
    trainer.step(x, y), other.step(x, y)
    same(trainer.state_dict(), other.state_dict())


def test_a_file_that_anybody_can_read(fake, tmp_path):
    trainer = make(fake)
    trainer.step(*fake.data(8))
    trainer.save(tmp_path / "c.safetensors")
    tensors = safetensors.numpy.load_file(tmp_path / "c.safetensors")
    assert set(tensors) == {
        "param:fc1.weight", "param:fc1.bias", "param:fc2.weight", "buffer:mean",
        "state:velocity:fc1.weight", "state:velocity:fc1.bias", "state:velocity:fc2.weight",
    }  # fmt: skip
    assert np.array_equal(tensors["param:fc2.weight"], trainer.params["fc2.weight"])


def test_bfloat16_and_scalars(tmp_path):
    tensors = {"param:w": np.arange(5).astype(ml_dtypes.bfloat16), "param:s": np.array(3, np.float32), "param:e": np.zeros((0, 2))}
    checkpoint.save(tmp_path / "c", tensors, {"step": 1})
    found, metadata = checkpoint.load(tmp_path / "c")
    assert metadata["step"] == 1 and all(found[n].dtype == a.dtype and np.array_equal(found[n], a) for n, a in tensors.items())


def test_another_model_is_refused_with_the_differences(fake, tmp_path):
    x, y = fake.data(8)
    trainer = make(fake)
    trainer.step(x, y)
    trainer.save(tmp_path / "c")
    fake.Core.hidden = 9
    other = raf.compile(fake.model(hidden=9), loss="cross_entropy", optimizer=raf.optim.SGD(0.1, momentum=0.9))
    before = other.state_dict()
    with pytest.raises(raf.RuntimeError) as error:
        other.load(tmp_path / "c")
    assert "param:fc1.weight is float32[6, 9] in the model, float32[6, 8] in the checkpoint" in str(error.value)
    assert "param:fc1.bias is float32[9] in the model, float32[8] in the checkpoint" in str(error.value)
    same(before, other.state_dict())


def test_missing_and_extra_tensors():
    a = np.zeros(2, np.float32)
    assert checkpoint.differences({"param:a": a, "param:b": a}, {"param:a": a, "param:c": a}) == [
        "param:b float32[2] is missing in the checkpoint",
        "param:c float32[2] is not in the model",
    ]


def test_another_graph_or_optimizer_is_refused(fake, tmp_path):
    trainer = make(fake)
    trainer.step(*fake.data(8))
    trainer.save(tmp_path / "c")
    other = make(fake)
    other.fingerprint = "other"
    with pytest.raises(raf.RuntimeError, match="the graph of the model is another"):
        other.load(tmp_path / "c")
    adam = make(fake, optimizer="adam")
    with pytest.raises(raf.RuntimeError, match=r"the optimizer is adam here, sgd in the checkpoint \(weights_only=True"):
        adam.load(tmp_path / "c")
    adam.load(tmp_path / "c", weights_only=True)
    assert adam.steps_done == 0 and np.array_equal(adam.params["fc1.bias"], trainer.params["fc1.bias"])


def test_states_that_belong_to_nothing_are_refused_before_the_first_step(fake):
    trainer = make(fake)
    state = trainer.state_dict()
    state["metadata"]["step"] = 1
    state["tensors"]["state:velocity:fc9"] = np.zeros(3, np.float32)
    with pytest.raises(raf.RuntimeError, match="velocity:fc9.*belongs to no parameter"):
        trainer.load_state_dict(state)


@pytest.mark.parametrize("stepped", [False, True])
def test_states_of_another_momentum_or_other_frozen_parameters_are_refused(fake, tmp_path, stepped):
    """Before the first step as after it."""
    plain, heavy, frozen = {"optimizer": raf.optim.SGD(0.1)}, {}, {"frozen": "fc1.*"}
    for theirs, mine, message in (
        (plain, heavy, "velocity:fc2.weight.* is missing in the checkpoint"),
        (heavy, plain, "velocity:fc2.weight float32.* is no(t in| state of) the (model|optimizer)"),
        (frozen, heavy, "velocity:fc1.bias.* is missing in the checkpoint"),
        (heavy, frozen, "velocity:fc1.bias float32.* (is not in the model|belongs to no parameter)"),
    ):
        writer, reader = make(fake, **theirs), make(fake, **mine)
        writer.step(*fake.data(8)), writer.save(tmp_path / "c")
        if stepped:
            reader.step(*fake.data(8))
        before = reader.state_dict()
        with pytest.raises(raf.RuntimeError, match=message):
            reader.load(tmp_path / "c")
        same(reader.state_dict(), before)
        reader.load(tmp_path / "c", weights_only=True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no checkpoint"),
        (b"", "cannot be read"),
        (b"\xff" * 64, "cannot be read"),
        ("cut", "cannot be read"),
        ("foreign", "not a checkpoint of RAF"),
        ("future", "has format 99; this version of RAF reads format 1"),
    ],
)
def test_damaged_files(fake, tmp_path, content, message):
    path = tmp_path / "c"
    trainer = make(fake)
    if content == "cut":
        trainer.save(path)
        path.write_bytes(path.read_bytes()[:-4])
    elif content == "foreign":
        safetensors.numpy.save_file({"w": np.zeros(2)}, path)
    elif content == "future":
        checkpoint.save(path, {"w": np.zeros(2)}, {"format": 99})
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(raf.RuntimeError, match=message):
        trainer.load(path)


def test_a_full_disk_leaves_the_old_file(fake, tmp_path):
    """The limit on the size of files is the nearest thing to a full disk that needs no rights."""
    trainer = make(fake)
    path = tmp_path / "c"
    trainer.save(path)
    old = path.read_bytes()
    program = f"""
import resource, numpy, raf.checkpoint, raf.errors
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    raf.checkpoint.save({str(path)!r}, {{"w": numpy.zeros(10**6)}}, {{}})
except raf.errors.RuntimeError as error:
    print(error)
"""
    env = {**os.environ, "PYTHONPATH": str(pathlib.Path(raf.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 0, done.stderr
    assert "cannot be written" in done.stdout and "The file that was there is unchanged." in done.stdout
    assert path.read_bytes() == old and set(os.listdir(tmp_path)) - {"cache"} == {"c"}


def test_no_space_at_any_point_leaves_the_old_file(fake, tmp_path, monkeypatch):
    trainer = make(fake)
    path = tmp_path / "d" / "c"
    trainer.save(path)
    old = path.read_bytes()
    trainer.step(*fake.data(8))

    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    for name in ("os.fsync", "os.replace", "raf.checkpoint.save_file"):
        with monkeypatch.context() as patch:
            patch.setattr(name, full)
            with pytest.raises(raf.RuntimeError, match="No space left on device"):
                trainer.save(path)
        assert path.read_bytes() == old and os.listdir(path.parent) == ["c"]
    trainer.save(path)
    assert path.read_bytes() != old


def test_places_that_cannot_be_written(fake, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(raf.RuntimeError, match="cannot be written"):
        make(fake).save(tmp_path / "file" / "c")


def test_what_is_no_file_is_not_replaced(fake, tmp_path):
    """The new file takes the place of the old one, which must not be a device or a pipe; a link stays a link."""
    trainer, model = make(fake), raf.import_onnx(examples.mlp())
    os.mkfifo(tmp_path / "pipe")
    for write in (trainer.save, model.export_onnx):
        with pytest.raises(raf.RuntimeError, match="expected the path of a file, which is replaced at once, got a device or a pipe"):
            write(tmp_path / "pipe")
        with pytest.raises(raf.RuntimeError, match="got a folder"):
            write(tmp_path)
        for path in (None, 5.5, "a\0b"):
            with pytest.raises(raf.RuntimeError, match="cannot write .*expected the path of a file"):
                write(path)
        with pytest.raises(raf.RuntimeError, match="File name too long"):
            write(tmp_path / ("n" * 300))
        (tmp_path / "link").symlink_to("there")
        write(tmp_path / "link")
        assert (tmp_path / "link").is_symlink() and (tmp_path / "there").stat().st_size > 100
        (tmp_path / "there").unlink()
        (tmp_path / "link").unlink()
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode) and os.listdir(tmp_path) == ["pipe"]


@pytest.mark.parametrize("state", [None, {}, 5, {"tensors": None, "metadata": {}}, {"tensors": {}, "metadata": 5}])
def test_states_that_are_none(fake, state):
    with pytest.raises(raf.RuntimeError, match="state: expected what state_dict returns"):
        make(fake).load_state_dict(state)


@pytest.mark.parametrize("change", [{"step": -1}, {"step": 2**80}, {"step": 1e300}, {"step": float("inf")}, {"seed": 2**63}])
def test_numbers_of_a_damaged_state(fake, change):
    trainer = make(fake)
    state = trainer.state_dict()
    with pytest.raises(raf.RuntimeError, match="the state's metadata is damaged"):
        trainer.load_state_dict({**state, "metadata": {**state["metadata"], **change}})
    same(trainer.state_dict(), state)


@pytest.mark.parametrize(
    "damage",
    [{"epoch": "z"}, {"epoch": -1}, {"epoch": float("inf")}, {"loader": 3}, {"loader": {"samples": 40}}, {"callbacks": 3}, {"callbacks": [{"waited": "x"}]}, {"metrics": []}, {"metrics": {"accuracy": {"sum": "x"}}}, {"history": 3},
     {"history": [3]}],
    ids=str,
)  # fmt: skip
def test_positions_of_training_that_are_none(fake, tmp_path, damage):
    x, y = fake.data(40)
    make(fake).fit((x, y), epochs=1, batch_size=8, progress=False, checkpoint=tmp_path)
    tensors, metadata = raf.checkpoint.load(tmp_path / "last.safetensors")
    raf.checkpoint.save(tmp_path / "last.safetensors", tensors, {**metadata, "progress": {**metadata["progress"], **damage}})
    trainer, stopping = make(fake), raf.callbacks.EarlyStopping("loss")
    trainer.fit((x, y), epochs=2, batch_size=8, progress=False, callbacks=[stopping])
    before = trainer.state_dict(), stopping.state_dict()
    with pytest.raises(raf.RuntimeError, match="position of training is damaged|not where a loader of arrays was"):
        trainer.fit((x, y), epochs=2, batch_size=8, progress=False, checkpoint=tmp_path, resume=True, callbacks=[stopping])
    same(trainer.state_dict(), before[0])
    assert stopping.state_dict() == before[1] and stopping.best is not None


def test_metadata_that_is_nested_too_deeply(fake, tmp_path):
    safetensors.numpy.save_file({}, tmp_path / "deep", {"raf": "[" * 100_000})
    with pytest.raises(raf.RuntimeError, match="not a checkpoint of RAF"):
        make(fake).load(tmp_path / "deep")


def test_mode_follows_umask_and_the_old_file(fake, tmp_path):
    trainer = make(fake)
    old = os.umask(0o022)
    try:
        trainer.save(tmp_path / "c")
        assert (tmp_path / "c").stat().st_mode & 0o777 == 0o644
        (tmp_path / "c").chmod(0o600)
        trainer.save(tmp_path / "c")
        assert (tmp_path / "c").stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(old)


@pytest.mark.parametrize("damage", [{"step": "x"}, {"seed": None}, {"optimizer": 3}, {"progress": [1]}, {"skipped": {}}])
def test_metadata_of_wrong_types(fake, damage):
    trainer = make(fake)
    trainer.step(*fake.data(8))
    state = trainer.state_dict()
    with pytest.raises(raf.RuntimeError, match="metadata is damaged"):
        trainer.load_state_dict({"tensors": state["tensors"], "metadata": {**state["metadata"], **damage}})
    same(trainer.state_dict(), state)


def test_mutated_files_are_refused_or_loaded_whole(fake, tmp_path):
    """A checkpoint with changed bytes either loads, or is one error and changes nothing."""
    trainer = make(fake)
    trainer.step(*fake.data(8))
    path = tmp_path / "c"
    trainer.save(path)
    data = path.read_bytes()
    header = 8 + int.from_bytes(data[:8], "little")
    rng = np.random.default_rng(0)
    refused = 0
    for i in range(400):
        changed = bytearray(data)
        for place in rng.integers(0, header if i % 4 else len(data), rng.integers(1, 4)):
            changed[place] = rng.choice(np.frombuffer(b'0123456789{}[]",:-.eEnulltrue \x00\xff', np.uint8))
        path.write_bytes(bytes(changed[: rng.integers(1, len(changed))] if i % 10 == 0 else changed))
        before = trainer.state_dict()
        try:
            trainer.load(path)
        except raf.RuntimeError:
            refused += 1
            same(trainer.state_dict(), before)
        assert trainer.steps_done >= 0
        trainer.load_state_dict(before)
    assert refused > 100
