# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of executables: what they hold, what they compute, and which are refused."""

import hashlib
import io
import json
import re
import threading
import zipfile

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import raf
from raf import _rafx, checkpoint, examples

pytest.importorskip("raf._core")
SHAPES = {"x": (16, 4)}


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    x = rng.standard_normal((100, 4)).astype(np.float32)
    return x, (x @ rng.standard_normal((4, 3))).argmax(1)


def model():
    return raf.import_onnx(examples.mlp((4, 16, 3)))


def trainer(**options):
    return raf.compile(model(), **{"loss": "cross_entropy", "optimizer": raf.optim.AdamW(raf.optim.Warmup(raf.optim.Cosine(3e-2, steps=20), steps=3)), **options})


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("rafx") / "step.rafx"
    trainer().save_executable(path, SHAPES)
    return path


def batches(data, count):
    x, y = data
    for i in range(count):
        yield x[i : i + 16], y[i : i + 16]


def test_a_step_from_a_file_computes_the_same_bits(saved, data):
    here, there = trainer(), raf.load_executable(saved)
    assert repr(there) == "<raf.executable.Step of 'mlp': x float32[16, 4], target int64[16]>"
    for batch in batches(data, 25):
        assert here.lr == there.lr
        np.testing.assert_array_equal(here.step(*batch), there.step(*batch))
    assert there.steps_done == 25 and there.batch_size == 16 and there.memory == here.memory
    assert all(np.array_equal(there.params[n], here.params[n]) for n in here.params)
    there.lr = 0.0
    before = {n: a.copy() for n, a in there.params.items()}
    there.step(x=data[0][:16], target=data[1][:16])
    assert there.lr == 0 and all(np.array_equal(before[n], a) for n, a in there.params.items())


@pytest.mark.parametrize("options", [{"amp": "f16"}, {"amp": "bf16"}, {"nan": "skip"}, {"frozen": "*bias*"}, {"optimizer": raf.optim.SGD(0.1, momentum=0.9)}, {"loss": "mse"}], ids=str)
def test_options_are_in_the_file(tmp_path, data, options):
    here = trainer(**options)
    here.save_executable(tmp_path / "step.rafx", SHAPES)
    there = raf.load_executable(tmp_path / "step.rafx")
    for x, y in batches(data, 4):
        y = np.eye(3, dtype=np.float32)[y] if options.get("loss") == "mse" else y
        np.testing.assert_array_equal(here.step(x, y), there.step(x, y))
    assert here.skipped == there.skipped


def test_checkpoints_go_to_and_fro(saved, data, tmp_path):
    here, there = trainer(), raf.load_executable(saved)
    for batch in batches(data, 3):
        here.step(*batch), there.step(*batch)
    there.save(tmp_path / "a.safetensors")
    here.save(tmp_path / "b.safetensors")
    resumed, again = trainer(), raf.load_executable(saved)
    resumed.load(tmp_path / "a.safetensors")
    again.load(tmp_path / "b.safetensors")
    batch = next(batches(data, 1))
    assert here.step(*batch) == there.step(*batch) == resumed.step(*batch) == again.step(*batch)
    # The middle of a run can be written too.
    here.save_executable(tmp_path / "later.rafx", SHAPES)
    later = raf.load_executable(tmp_path / "later.rafx")
    assert later.steps_done == 4 and here.step(*batch) == later.step(*batch)
    other = trainer(optimizer="sgd")
    other.save(tmp_path / "c.safetensors")
    with pytest.raises(raf.RuntimeError, match=r"(?s)of another model than 'mlp', nothing was loaded.*the optimizer is adamw here, sgd in the checkpoint"):
        again.load(tmp_path / "c.safetensors")


@pytest.mark.parametrize("options", [{}, {"amp": "f16"}], ids=str)
def test_a_checkpoint_from_before_the_first_step_begins_anew(data, tmp_path, options):
    """It has no states where no program said which there are."""
    here = trainer(**options)
    here.save(tmp_path / "fresh.safetensors")
    assert not any(name.startswith("state:") for name in checkpoint.load(tmp_path / "fresh.safetensors")[0])
    here.save_executable(tmp_path / "step.rafx", SHAPES)
    there = raf.load_executable(tmp_path / "step.rafx")
    first = [there.step(*batch) for batch in batches(data, 3)]
    there.load(tmp_path / "fresh.safetensors")
    assert there.steps_done == 0 and first == [there.step(*batch) for batch in batches(data, 3)]
    tensors, metadata = checkpoint.load(tmp_path / "fresh.safetensors")
    checkpoint.save(tmp_path / "late.safetensors", tensors, {**metadata, "step": 3})
    with pytest.raises(raf.RuntimeError, match=r"(?s)late.safetensors is of another model than 'mlp', nothing was loaded.*state:m:"):
        there.load(tmp_path / "late.safetensors")


@pytest.mark.parametrize(
    "damage", [{"optimizer": "adamw"}, {"optimizer": 3}, {"step": float("inf")}, {"step": float("nan")}, {"step": 2**62}, {"step": -1}, {"seed": 2**63}, {"seed": None}, {"skipped": -1}], ids=str
)
def test_damaged_checkpoints_are_refused(saved, data, tmp_path, damage):
    here, there, path = trainer(), raf.load_executable(saved), tmp_path / "damaged.safetensors"
    batch = next(batches(data, 1))
    there.step(*batch)
    there.save(path)
    tensors, metadata = checkpoint.load(path)
    checkpoint.save(path, tensors, {**metadata, **damage})
    for loading in (here, there):
        with pytest.raises(raf.RuntimeError, match="damaged.safetensors: the state's metadata is damaged"):
            loading.load(path)
    assert (there.steps_done, here.steps_done) == (1, 0)
    here.step(*batch)
    assert here.step(*batch) == there.step(*batch)


def test_the_last_step_numbers(saved, data, tmp_path):
    there, path = raf.load_executable(saved), tmp_path / "late.safetensors"
    there.steps_done = 2**62 - 1
    there.save(path)
    for loading in (trainer(), raf.load_executable(saved)):
        loading.load(path)
        loading.step(*next(batches(data, 1)))
        assert loading.steps_done == 2**62


def test_predictions(tmp_path, data):
    predictor = raf.compile(model())
    predictor.save_executable(tmp_path / "predict.rafx", SHAPES)
    loaded = raf.load_executable(tmp_path / "predict.rafx")
    assert isinstance(loaded, raf.executable.Prediction) and loaded.output_names == predictor.output_names
    np.testing.assert_array_equal(loaded(data[0][:16]), predictor(data[0][:16]))


def test_predictions_of_chosen_outputs(tmp_path):
    """The file returns what the predictor returns: those outputs, in that order, once each time that they are named."""
    nodes = [helper.make_node("Relu", ["x"], ["a"]), helper.make_node("Neg", ["a"], ["b"]), helper.make_node("Exp", ["x"], ["c"])]
    infos = {n: helper.make_tensor_value_info(n, TensorProto.FLOAT, [2, 3]) for n in "xabc"}
    graph = helper.make_graph(nodes, "g", [infos["x"]], [infos[n] for n in "abc"])
    file = raf.import_onnx(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9))
    x = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
    values = {"a": np.maximum(x, 0), "b": -np.maximum(x, 0), "c": np.exp(x)}
    for outputs in (["c", "a"], "b", [1, 1], None):
        predictor = raf.compile(file, outputs=outputs)
        predictor.save_executable(tmp_path / "predict.rafx")
        loaded = raf.load_executable(tmp_path / "predict.rafx")
        assert loaded.output_names == predictor.output_names
        for got in (predictor(x), loaded(x)):
            got = got if isinstance(got, tuple) else (got,)
            assert len(got) == len(predictor.output_names)
            for name, value in zip(predictor.output_names, got):
                np.testing.assert_allclose(value, values[name], rtol=1e-6)
    with pytest.raises(raf.CompileError, match="outputs: expected at least one"):
        raf.compile(file, outputs=[])


def test_scalar_inputs_and_bfloat16_parameters(tmp_path):
    """A scalar has a shape, and that is not open; safetensors.numpy reads no bfloat16."""
    w = np.arange(12).reshape(4, 3).astype(ml_dtypes.bfloat16)
    b16 = TensorProto.BFLOAT16
    nodes = [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Mul", ["h", "s"], ["y"])]
    inputs = [helper.make_tensor_value_info("x", b16, [2, 4]), helper.make_tensor_value_info("s", b16, [])]
    graph = helper.make_graph(nodes, "g", inputs, [helper.make_tensor_value_info("y", b16, [2, 3])], [numpy_helper.from_array(w, "w")])
    model = raf.import_onnx(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9))
    predictor = raf.compile(model)
    predictor.save_executable(tmp_path / "predict.rafx")
    loaded = raf.load_executable(tmp_path / "predict.rafx")
    assert loaded.inputs["s"] == (w.dtype, ()) and loaded.params["w"].dtype == w.dtype
    np.testing.assert_array_equal(loaded.params["w"], w)
    batch = np.ones((2, 4), w.dtype), np.array(2, w.dtype)
    np.testing.assert_array_equal(loaded(*batch), predictor(*batch))
    trainer = raf.compile(model, loss="mse", optimizer="sgd")
    trainer.save_executable(tmp_path / "step.rafx")
    step = raf.load_executable(tmp_path / "step.rafx")
    for _ in range(2):
        np.testing.assert_array_equal(*(s.step(*batch, np.zeros((2, 3), w.dtype)) for s in (trainer, step)))
    step.save(tmp_path / "run.safetensors")
    trainer.load(tmp_path / "run.safetensors")
    step.load(tmp_path / "run.safetensors")


def test_complex_outputs_are_refused(tmp_path):
    text = """func.func @main(%x: tensor<2xcomplex<f32>> loc("x")) -> (tensor<2xcomplex<f32>>, tensor<2xf32>) {
      %real = stablehlo.real %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
      return %x, %real : tensor<2xcomplex<f32>>, tensor<2xf32>
    }"""
    predictor = raf.compile(raf.import_stablehlo(text))
    with pytest.raises(raf.CompileError, match="gives no complex numbers: output '.*' is complex64: have the model return its real and its imaginary part"):
        predictor.save_executable(tmp_path / "predict.rafx")
    assert not (tmp_path / "predict.rafx").exists()


def test_values_of_unknown_types_are_refused(saved, tmp_path):
    header = json.dumps({"param:w": {"dtype": "F8_E4M3", "shape": [1], "data_offsets": [0, 1]}}).encode()

    def strange(manifest, parts):
        data = len(header).to_bytes(8, "little") + header + b"0"
        parts[manifest["values"]] = data
        manifest["files"][manifest["values"]] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    with pytest.raises(raf.RuntimeError, match=r"is damaged: values.safetensors: 'param:w' is of the unknown type F8_E4M3; known: F16, BF16"):
        raf.load_executable(changed(saved, tmp_path / "changed.rafx", strange))


def test_zeros_are_named_and_not_stored(saved, tmp_path, data):
    with zipfile.ZipFile(saved) as file:
        manifest = json.loads(file.read("manifest.json"))
    there = raf.load_executable(saved)
    assert {n for n in manifest["zeros"] if n.startswith("state:")} == {n for n in there._loaded.tensors if n.startswith("state:")}
    made = trainer()
    for array in made.params.values():
        array[...] = 0
    made.save_executable(tmp_path / "small.rafx", SHAPES)
    assert (tmp_path / "small.rafx").stat().st_size < saved.stat().st_size
    again = raf.load_executable(tmp_path / "small.rafx")
    assert not any(a.any() for a in again.params.values())
    for name, array in there.params.items():
        again.params[name][...] = array
    for batch in batches(data, 3):
        assert again.step(*batch) == there.step(*batch)
    with pytest.raises(raf.RuntimeError, match="is damaged: .*param:other .* is not in the model"):
        raf.load_executable(changed(saved, tmp_path / "changed.rafx", lambda manifest, parts: manifest["zeros"].append("param:other")))


def test_steps_in_f16_that_diverge_are_reported(tmp_path):
    """Gradients that overflow although the loss is not scaled: the scale cannot fall any further, and no later step would be better."""
    here = trainer(loss="mse", amp=raf.amp.Policy("f16", initial_scale=2.0))
    here.save_executable(tmp_path / "step.rafx", SHAPES)
    there = raf.load_executable(tmp_path / "step.rafx")
    batch = np.ones((16, 4), np.float32), np.full((16, 3), 1e8, np.float32)
    for step in (here, there):
        assert np.isfinite(step.step(*batch)) and (step.skipped, step.steps_done) == (1, 0)
        with pytest.raises(raf.NonFiniteLossError, match="its gradients are not finite"):
            step.step(*batch)
        assert (step.skipped, step.steps_done) == (1, 0)


def test_a_checkpoint_of_another_precision_begins_with_the_scale_of_the_file(tmp_path):
    """As a trainer that loads one: steps after overflows and good ones do not go on with theirs."""
    wide, narrow = trainer(loss="mse"), trainer(loss="mse", amp=raf.amp.Policy("f16", initial_scale=2.0**6))
    batch = np.ones((16, 4), np.float32), np.ones((16, 3), np.float32)
    wide.step(*batch)
    wide.save(tmp_path / "wide.safetensors")
    narrow.save_executable(tmp_path / "step.rafx", SHAPES)
    step = raf.load_executable(tmp_path / "step.rafx")
    assert np.isfinite(step.step(batch[0], np.full((16, 3), 1e6, np.float32))) and step.skipped == 1
    step.step(*batch)
    step.save(tmp_path / "narrow.safetensors")
    scaling = "state:loss_scale", "state:good_steps"
    assert [float(checkpoint.load(tmp_path / "narrow.safetensors")[0][n]) for n in scaling] == [2.0**5, 1]
    step.load(tmp_path / "wide.safetensors")
    step.save(tmp_path / "loaded.safetensors")
    tensors = checkpoint.load(tmp_path / "loaded.safetensors")[0]
    assert [float(tensors[n]) for n in scaling] == [2.0**6, 0] and step.steps_done == 1
    for name, array in checkpoint.load(tmp_path / "wide.safetensors")[0].items():
        np.testing.assert_array_equal(tensors[name], array, err_msg=name)
    step.load(tmp_path / "narrow.safetensors")
    step.save(tmp_path / "loaded.safetensors")
    assert [float(checkpoint.load(tmp_path / "loaded.safetensors")[0][n]) for n in scaling] == [2.0**5, 1]


def test_batches_are_checked(saved, data):
    step = raf.load_executable(saved)
    with pytest.raises(raf.RuntimeError, match=r"(?s)does not fit the executable step.rafx.*'x': expected float32\[16, 4\], got float32\[8, 4\].*target 'target' is missing"):
        step.step(data[0][:8])
    with pytest.raises(raf.NonFiniteLossError, match="the loss of step 1 is nan: nothing was changed"):
        step.step(np.full((16, 4), np.nan, np.float32), data[1][:16])
    assert step.steps_done == 0 and all(np.isfinite(a).all() for a in step.params.values())


def test_a_step_that_was_done_counts_though_it_was_interrupted(saved, data):
    step, same = raf.load_executable(saved), raf.load_executable(saved)
    first, second = batches(data, 2)
    run = step._loaded.program.run

    def interrupted():
        run()
        raise KeyboardInterrupt

    step._loaded.program.run = interrupted
    with pytest.raises(KeyboardInterrupt):
        step.step(*first)
    step._loaded.program.run = run
    same.step(*first)
    assert step.steps_done == 1
    np.testing.assert_array_equal(step.step(*second), same.step(*second))


def test_a_handler_of_signals_may_save(saved, data, tmp_path):
    """Python runs it in the thread of the step that it interrupts."""
    step = raf.load_executable(saved)
    run = step._loaded.program.run

    def interrupted():
        run()
        step.save(tmp_path / "last.safetensors")

    step._loaded.program.run = interrupted
    worker = threading.Thread(target=step.step, args=next(iter(batches(data, 1))), daemon=True)
    worker.start()
    worker.join(60)
    assert not worker.is_alive() and (tmp_path / "last.safetensors").exists()


@pytest.mark.parametrize(
    "shapes, message",
    [({}, r"the shape of input x: float32\[batch, 4\] is open"), ({"z": (1,), "x": (2, 4)}, "'z' is no input; the model has x"), ({"x": (2, 5)}, "axis 1 .* is 4, got 5|5")],
)
def test_shapes_are_checked(tmp_path, shapes, message):
    with pytest.raises((raf.CompileError, raf.ImportError), match=message):
        trainer().save_executable(tmp_path / "step.rafx", shapes)
    assert not (tmp_path / "step.rafx").exists()


def test_what_a_file_cannot_hold_is_refused(tmp_path):
    with pytest.raises(raf.CompileError, match="cannot be written to a file; give a number or a raf.optim schedule"):
        trainer(optimizer=raf.optim.SGD(lambda step: 0.1)).save_executable(tmp_path / "step.rafx", SHAPES)
    with pytest.raises(raf.RuntimeError, match="cannot write"):
        trainer().save_executable(tmp_path / "no" / "step.rafx", SHAPES)


def changed(path, target, change):
    """The file with its manifest changed."""
    with zipfile.ZipFile(path) as file:
        parts = {n: file.read(n) for n in file.namelist()}
    manifest = json.loads(parts["manifest.json"])
    change(manifest, parts)
    parts["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(target, "w") as file:
        for name, data in parts.items():
            file.writestr(name, data)
    return target


def lacking(manifest, parts):
    manifest["program"]["target"]["features"].append("telepathy")


def elsewhere(manifest, parts):
    manifest["program"]["target"]["triple"] = "riscv64-unknown-linux-gnu"


def incomplete(manifest, parts):
    del manifest["program"]["args"][0]["role"]
    manifest["training"]["steps_done"] = -1


def moved(manifest, parts):
    manifest["host"] = ["host/7.o"]


def first_format(manifest, parts):
    """All values were stored."""
    manifest["format"] = 1
    del manifest["zeros"]


def exchanged(manifest, parts):
    parts["host/0.o"] = parts["host/0.o"][:-1] + b"x"


@pytest.mark.parametrize(
    "change, message",
    [
        (lacking, "cannot run here: this CPU lacks telepathy; compile the model again"),
        (elsewhere, "cannot run here: it was made for riscv64-unknown-linux-gnu"),
        (lambda m, p: m["program"].update(runtime_abi=99), "made for version 99 of the runtime, and this is version"),
        (lambda m, p: m.update(format=3), "has format 3, and this version of RAF reads format 2: compile the model again"),
        (first_format, "has format 1, and this version of RAF reads format 2: compile the model again"),
        (incomplete, r"(?s)args\[0\]: 'role' is missing.*steps_done: expected at least 0, got -1"),
        (moved, "it has no host/7.o"),
        (exchanged, "is damaged: host/0.o is not what manifest.json says"),
        (lambda m, p: m["program"]["args"][1].update(shape=[3, 3]), r"(?s)is damaged.*is float32\[3, 3\] in the model"),
        (lambda m, p: m["training"]["optimizer"].update(lr={"schedule": "Function"}), "is not a schedule"),
        (lambda m, p: m["training"]["optimizer"].update(lr={"schedule": "Constant", "lr": 10**400}), r"is not a schedule \(CompileError: Constant: lr must be a number of ordinary size"),
        (lambda m, p: m["training"]["optimizer"].update(lr={"schedule": "OneCycle", "lr": 1, "steps": 9, "start_divisor": 0}), r"is not a schedule \(ZeroDivisionError"),
        (lambda m, p: m["training"].update(seed=2**63, steps_done=2**62), rf"(?s)seed: expected at most {2**63 - 1}, got {2**63}.*steps_done: expected at most {2**62 - 1}, got {2**62}"),
    ],
)
def test_what_cannot_run_is_refused_with_the_reason(saved, tmp_path, change, message):
    with pytest.raises(raf.RuntimeError, match=message) as caught:
        raf.load_executable(changed(saved, tmp_path / "changed.rafx", change))
    assert "changed.rafx" in str(caught.value)


def test_other_files_are_refused(saved, tmp_path):
    with pytest.raises(raf.RuntimeError, match="there is no file"):
        raf.load_executable(tmp_path / "none.rafx")
    (tmp_path / "text.rafx").write_text("hello")
    with pytest.raises(raf.RuntimeError, match="is no executable of RAF, or damaged"):
        raf.load_executable(tmp_path / "text.rafx")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("manifest.json", "{}" * 1000)
    (tmp_path / "packed.rafx").write_bytes(packed.getvalue())
    with pytest.raises(raf.RuntimeError, match="manifest.json is compressed or encrypted"):
        raf.load_executable(tmp_path / "packed.rafx")
    # The first bit of an entry's flags in the zip's directory says that the entry is encrypted.
    locked = bytearray(saved.read_bytes())
    with zipfile.ZipFile(saved) as file:
        entry = file.start_dir
    locked[entry + 8] ^= 1
    (tmp_path / "locked.rafx").write_bytes(locked)
    with pytest.raises(raf.RuntimeError, match="'.*locked.rafx' is damaged: manifest.json is compressed or encrypted"):
        raf.load_executable(tmp_path / "locked.rafx")


def test_damaged_files_are_refused(saved, tmp_path):
    """Every byte matters, but for a few of the zip's own that nobody reads."""
    data = saved.read_bytes()
    rng = np.random.default_rng(11)
    path, refused = tmp_path / "damaged.rafx", 0
    for trial in range(150):
        damaged = bytearray(data)
        if trial % 3 == 0:
            del damaged[rng.integers(len(data)) :]
        else:
            damaged[rng.integers(len(data))] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        try:
            raf.load_executable(path)
        except raf.RuntimeError as error:
            refused += "damaged.rafx" in str(error)
    assert refused >= 140


def test_the_same_step_is_the_same_file(saved, tmp_path):
    trainer().save_executable(tmp_path / "again.rafx", SHAPES)
    assert (tmp_path / "again.rafx").read_bytes() == saved.read_bytes()


def test_manifests_are_as_the_schema_says(saved):
    with zipfile.ZipFile(saved) as file:
        manifest = json.loads(file.read("manifest.json"))
        assert all(info.compress_type == zipfile.ZIP_STORED for info in file.infolist())
    schema = json.loads(_rafx.SCHEMA.read_text())
    assert _rafx.problems(manifest, schema) == [] and set(manifest) == set(schema["required"])
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(manifest, schema)


# ---- the command line ----


def test_compile_and_run(command, data, tmp_path):
    x, y = data
    np.savez("train.npz", x=x, y=y)
    (tmp_path / "model.onnx").write_bytes(examples.mlp((4, 16, 3)).SerializeToString())
    train = ("--optimizer", "sgd", "--lr", 0.1, "--momentum", 0.9)
    status, _, err = command("compile", "model.onnx", "--loss", "cross_entropy", *train, "--input-shape", "x=16,4", "-o", "step.rafx")
    assert status == 0 and re.search(r"a training step of .* for cpu is in step.rafx \([\d,]+ bytes\)", err), err
    status, out, err = command("run", "step.rafx", "--data", "train.npz", "--epochs", 2, "--save", "trained.npz", "--checkpoint", "run.safetensors")
    losses = [float(line.split()[-1]) for line in out.splitlines()]
    assert status == 0 and len(losses) == 12 and out.startswith("step 1  loss "), err
    assert set(np.load("trained.npz")) == set(raf.load_executable("step.rafx").params)
    assert command("train", "model.onnx", "--data", "train.npz", *train, "--epochs", 2, "--batch-size", 16, "--drop-last", "--log", "log.jsonl", "-q")[0] == 0
    trained = [line["loss"] for line in map(json.loads, open("log.jsonl")) if line["event"] == "step"]
    np.testing.assert_allclose(losses, trained, rtol=1e-5)
    status, out, err = command("run", "step.rafx", "--data", "train.npz", "--steps", 3, "--every", 5, "--checkpoint", "run.safetensors", "--resume")
    assert status == 0 and [line.split()[1] for line in out.splitlines()] == ["13", "15"] and "going on after step 12" in err
    assert command("compile", "model.onnx", "--input-shape", "x=16,4", "-o", "predict.rafx")[0] == 0
    status, _, err = command("run", "predict.rafx", "--data", "train.npz", "--save", "scores.npz")
    (scores,) = np.load("scores.npz").values()
    np.testing.assert_allclose(scores, raf.compile(raf.import_onnx("model.onnx"))(x), rtol=1e-5, atol=1e-6)


def test_what_was_reached_before_a_loss_that_is_not_finite_is_in_the_checkpoint(command, data, saved):
    x, y = (a[:96].copy() for a in data)
    x[40] = np.nan
    np.savez("train.npz", x=x, y=y)
    status, out, err = command("run", saved, "--data", "train.npz", "--epochs", 2, "--checkpoint", "run.safetensors")
    assert status == 1 and "is nan: nothing was changed" in err
    assert raf.checkpoint.load("run.safetensors")[1]["step"] == len(out.splitlines()) < 6


def test_a_checkpoint_outlives_a_run_that_reaches_nothing(command, data, saved):
    np.savez("train.npz", x=data[0], y=data[1])
    np.savez("none.npz", x=np.full_like(data[0], np.nan), y=data[1])
    arguments = ("run", saved, "--steps", 3, "--checkpoint", "made/run.safetensors")
    assert command(*arguments, "--data", "train.npz")[0] == 0
    before = open("made/run.safetensors", "rb").read()
    status, _, err = command(*arguments, "--data", "none.npz")
    assert status == 1 and "the loss of step 1 is nan" in err and "the checkpoint is" not in err
    assert open("made/run.safetensors", "rb").read() == before


@pytest.mark.parametrize("place, message", [("folder", "expected the path of a file, which is replaced at once, got a folder"), ("train.npz/run", "--checkpoint train.npz/run: the folder cannot be made")])
def test_a_checkpoint_that_cannot_be_written_is_known_before_training(command, data, saved, tmp_path, place, message):
    np.savez("train.npz", x=data[0], y=data[1])
    (tmp_path / "folder").mkdir()
    status, out, err = command("run", saved, "--data", "train.npz", "--checkpoint", place)
    assert status == 1 and message in err.replace("\n", " ") and not out, err


def test_messages_of_the_command_line(command, data, tmp_path):
    np.savez("train.npz", x=data[0], y=data[1])
    (tmp_path / "model.onnx").write_bytes(examples.mlp((4, 16, 3)).SerializeToString())
    for arguments, message in [
        (("compile", "model.onnx", "--input-shape", "x=a,b", "-o", "a.rafx"), "expected NAME=SIZE,SIZE,... as in x=32,3,64,64"),
        (("compile", "model.onnx", "--loss", "mse", "-o", "a.rafx"), "the shape of input x: float32[batch, 4] is open"),
        (("compile", "model.onnx", "--input-shape", "x=2,4", "--target", "tpu", "-o", "a.rafx"), "unknown target 'tpu'"),
        (("compile", "model.onnx", "--lr", 1, "--input-shape", "x=2,4", "-o", "a.rafx"), "--optimizer and --lr are for training"),
        (("run", "model.onnx", "--data", "train.npz"), "is no executable of RAF, or damaged"),
        (("run", "none.rafx", "--data", "train.npz"), "there is no file 'none.rafx'"),
        (("compile", "model.onnx", "--input-shape", "x=2,4", "-o", "nowhere/a.rafx"), "--output nowhere/a.rafx: the folder is not there"),
        (("run", "none.rafx", "--data", "train.npz", "--save", "nowhere/a.npz"), "--save nowhere/a.npz: the folder is not there"),
    ]:
        status, _, err = command(*arguments)
        assert status in (1, 2) and message in err.replace("\n", " "), err
    assert not (tmp_path / "a.rafx").exists()
