# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights of convolutions that lie in the library's blocks between steps: the losses and parameters of plain ones, nobody sees the blocks, and no weight is reordered twice a step."""

import ast
import collections
import concurrent.futures
import functools
import gc
import os
import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import raf
from raf import _engine, _rafx
from raf._program import Program
from raf.examples.builder import Builder

pytestmark = pytest.mark.cpu_only("blocks are those of oneDNN")


def kept(trainer):
    """The parameters that lie in blocks in one of its programs."""
    return {a.name for p in trainer._programs.values() for a in p.manifest.args if a.form is not None and a.role == "param"}


def net(seed=0, size=10, shared=False):
    """Convolutions with channels that blocks divide; the last two may have one weight."""
    b = Builder("net", seed)
    x = b("Relu", b.conv(b.input("x", ["batch", 16, size, size]), "a", 16, 64, 3, pad=1))
    x = b("Relu", b.batch_norm(b.conv(x, "b", 64, 64, 3, pad=1, bias=False), "bn", 64))
    if shared:
        x = b("Relu", b("Conv", x, "b.weight", kernel_shape=[3, 3], pads=[1, 1, 1, 1]))
    b.output(b.linear(b("Flatten", b("GlobalAveragePool", x), axis=1), "fc", 64, 5), ["batch", 5])
    return b.model()


def random_net(seed):
    """Convolutions of any channels, windows, strides and groups, with norms and residuals among them; now and then a weight has several readers."""
    rng, b = np.random.default_rng(seed), Builder(f"random{seed}", seed)
    channels, size, last = int(rng.choice([3, 16, 32])), 12, None
    x = b.input("x", ["batch", channels, size, size])
    for i in range(int(rng.integers(3, 6))):
        outputs, kernel = int(rng.choice([8, 16, 21, 32, 48, 64])), int(rng.choice([1, 3, 5]))
        stride = 2 if size > 6 and rng.random() < 0.3 else 1
        groups = 2 if channels % 2 == 0 and outputs % 2 == 0 and rng.random() < 0.15 else 1
        y = b.conv(x, f"c{i}", channels, outputs, kernel, stride, kernel // 2, groups=groups, bias=bool(rng.random() < 0.5))
        if rng.random() < 0.5:
            y = b.batch_norm(y, f"n{i}", outputs)
        y = b("Relu", y)
        size = (size + stride - 1) // stride
        if groups == 1 and rng.random() < 0.3 and channels == outputs:
            y = b("Add", y, b("Conv", y, f"c{i}.weight", kernel_shape=[kernel] * 2, pads=[kernel // 2] * 4))
        if last == (outputs, size):
            y = b("Add", x, y)
        x, channels, last = y, outputs, (outputs, size)
    b.output(b.linear(b("Flatten", b("GlobalAveragePool", x), axis=1), "fc", channels, 5), ["batch", 5])
    return b.model()


def trainer(proto, store=True, optimizer=None, **options):
    model = raf.import_onnx(proto)
    return raf.compile(model, loss="cross_entropy", optimizer=optimizer or raf.optim.AdamW(1e-3, epsilon=1e-4), **({} if store else {"skip": ["raf-store-layouts"]}), **options)


def batches(made, count=4, size=4, first=0):
    shape = (size, *(int(d) for d in made.model.inputs[0].dims[1:]))
    for seed in range(first, first + count):
        rng = np.random.default_rng(seed)
        yield rng.standard_normal(shape).astype(np.float32), rng.integers(0, 5, size)


@functools.cache
def blocked():
    """The weights of `net` for whose convolutions the library has blocks that divide them, on this processor: by what it says of those of plain weights."""
    names = {"ic16oc64": "a.weight", "ic64oc64": "b.weight"}
    found = set()
    for line in verbose("net", store=False):
        if match := re.search(r"exec,cpu,convolution,.*forward\w*,.*wei_f32:(\w*):blocked:(\w+):.*(ic\d+oc\d+)", line):
            if "p" not in match[1] and re.search(r"\d", match[2]):  # no padding, and blocks
                found.add(names[match[3]])
    return found


def losses(made, count=4, size=4, first=0):
    return [float(made.step(*batch)) for batch in batches(made, count, size, first)]


def same(mine, theirs, **tolerance):
    """The states of two trainers; to the bit without a tolerance."""
    mine, theirs = (made.state_dict()["tensors"] for made in (mine, theirs))
    assert mine.keys() == theirs.keys()
    for name in mine:
        np.testing.assert_allclose(mine[name], theirs[name], err_msg=name, **(tolerance or {"rtol": 0, "atol": 0}))


OPTIONS = {
    "adamw": {},
    "sgd": {"optimizer": raf.optim.SGD(0.05, momentum=0.9, weight_decay=1e-2)},
    "clipped": {"optimizer": raf.optim.AdamW(1e-3, epsilon=1e-4, clip_norm=0.1), "nan": "skip"},
    "frozen": {"frozen": "b.weight"},
    "bf16": {"amp": "bf16"},
    "f16": {"amp": raf.amp.Policy("f16", initial_scale=1024.0)},
    "remat": {"memory_budget": "auto"},
    "level 1": {"opt_level": 1},
}


@pytest.mark.parametrize("shared", [False, True], ids=["", "shared"])
@pytest.mark.parametrize("name", OPTIONS)
def test_training_is_that_of_plain_weights(name, shared):
    proto = net(shared=shared)
    stored, plain = trainer(proto, **OPTIONS[name]), trainer(proto, store=False, **OPTIONS[name])
    rough = "amp" in OPTIONS[name]
    np.testing.assert_allclose(losses(stored), losses(plain), rtol=2e-3 if rough else 1e-5)
    if not rough:  # which blocks there are for 16 bits depends on what a program computes with them
        assert kept(stored) == blocked()
    assert not kept(plain)
    same(stored, plain, rtol=0.1 if rough else 1e-3, atol=1e-3 if rough else 1e-5)


@pytest.mark.parametrize("seed", range(12))
def test_random_nets(seed):
    proto = random_net(seed)
    stored, plain = (trainer(proto, store, optimizer=raf.optim.SGD(1e-3, momentum=0.9)) for store in (True, False))
    np.testing.assert_allclose(losses(stored), losses(plain), rtol=1e-4)
    same(stored, plain, rtol=1e-2, atol=1e-4)
    x = next(batches(stored))[0]
    np.testing.assert_allclose(stored.predict(x), plain.predict(x), rtol=1e-3, atol=1e-4)


def test_some_random_net_keeps_weights_in_blocks_and_some_weight_plain():
    found = [trainer(random_net(seed), optimizer="sgd") for seed in range(3)]
    for made in found:
        losses(made, 1)
    stored = [bool(n in kept(made)) for made in found for n, p in made.params.items() if p.ndim == 4]
    assert any(stored) and not all(stored)


def test_saved_and_loaded_it_goes_on_to_the_same_bits(tmp_path):
    made, again, plain = trainer(net()), trainer(net(seed=1)), trainer(net(seed=1), store=False)
    losses(made)
    made.save(tmp_path / "run.safetensors")
    losses(again, 2)  # in blocks already when it loads
    for other in (again, plain):
        other.load(tmp_path / "run.safetensors")
        same(made, other)
    expected = losses(made, first=4)
    assert losses(again, first=4) == expected
    np.testing.assert_allclose(losses(plain, first=4), expected, rtol=1e-5)
    same(made, again)
    # A plain trainer's file too, before any program is there.
    plain.save(tmp_path / "plain.safetensors")
    fresh = trainer(net(seed=2))
    fresh.load(tmp_path / "plain.safetensors")
    same(fresh, plain)
    np.testing.assert_allclose(losses(fresh, first=8), losses(plain, first=8), rtol=1e-5)


def test_what_is_exported_and_predicted_is_what_was_trained(tmp_path):
    made = trainer(net())
    x, y = next(batches(made, size=7))
    losses(made)
    made.export_onnx(tmp_path / "net.onnx")
    before = made.predict(x)
    scores = made.evaluate((x, y), batch_size=3)
    np.testing.assert_allclose(raf.compile(raf.import_onnx(tmp_path / "net.onnx"))(x), before, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(raf.compile(made.model)(x), before, rtol=1e-4, atol=1e-5)
    made.save_executable(tmp_path / "step.rafx", {"x": (4, 16, 10, 10)})
    step = raf.load_executable(tmp_path / "step.rafx")
    for name, array in made.params.items():
        np.testing.assert_array_equal(step.params[name], array)
    batch = next(batches(made, first=9))
    np.testing.assert_allclose(step.step(*batch), made.step(*batch), rtol=1e-5)
    assert made.evaluate((x, y), batch_size=3)["loss"] != scores["loss"]


def test_programs_of_other_shapes_take_turns():
    stored, plain = trainer(net()), trainer(net(), store=False)
    for size in (4, 1, 9, 4, 1):
        np.testing.assert_allclose(losses(stored, 1, size), losses(plain, 1, size), rtol=1e-5)
        x = next(batches(stored, size=size))[0]
        np.testing.assert_allclose(stored.predict(x), plain.predict(x), rtol=1e-4, atol=1e-5)
    same(stored, plain, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("name", ["adamw", "bf16", "f16", "frozen"])
def test_nothing_is_converted_between_steps_and_predictions(name, early, monkeypatch):
    """Predictions and evaluations take the weights as steps leave them; those that were made before the first step are made anew, if they lie otherwise."""
    stored, plain = trainer(net(), **OPTIONS[name]), trainer(net(), store=False, **OPTIONS[name])
    (x, y), rough = next(batches(stored)), "amp" in OPTIONS[name]

    def look():
        np.testing.assert_allclose(stored.predict(x), plain.predict(x), rtol=2e-2 if rough else 1e-4, atol=2e-2 if rough else 1e-5)
        found, wanted = (each.evaluate((x, y), batch_size=2)["loss"] for each in (stored, plain))
        np.testing.assert_allclose(found, wanted, rtol=2e-2 if rough else 1e-4)

    if early:
        look()
    losses(stored, 1), losses(plain, 1)
    look()
    converted, pack = [], stored._stored._pack
    monkeypatch.setattr(stored._stored, "_pack", lambda name, plain: (converted.append(name), pack(name, plain)))
    for first in range(3):
        losses(stored, 1, first=first), losses(plain, 1, first=first)
        look()
    assert not converted
    step = stored._stored._steps
    for program in [*stored._programs.values(), *stored._predictor._programs.values()]:
        assert {a.name: a.form for a in program.manifest.by_role("param")} == {a.name: step.get(a.name) for a in program.manifest.by_role("param")}
    assert blocked() <= step.keys() or rough


def test_parameters_in_hand_are_the_parameters():
    made, plain = trainer(net()), trainer(net(), store=False)
    losses(made, 1), losses(plain, 1)
    held, rows, reference = made.params["b.weight"], made.params["b.weight"][3:5], plain.params["b.weight"]
    first = held.copy()
    losses(made, 2), losses(plain, 2)
    np.testing.assert_allclose(held, reference, rtol=1e-3, atol=1e-5)
    assert not np.array_equal(held, first)
    # Whatever is written counts, also where nobody has the array any more when the step runs, and through a view.
    del held
    rows[...] = reference[3:5] = 0.25
    made.params["b.weight"][7] *= 2
    reference[7] *= 2
    np.testing.assert_array_equal(made.params["b.weight"][3:5], rows)
    assert made.non_finite() == [] and (made.state_dict()["tensors"]["param:b.weight"][4] == 0.25).all()
    np.testing.assert_allclose(losses(made, 2, first=3), losses(plain, 2, first=3), rtol=1e-5)
    same(made, plain, rtol=1e-3, atol=1e-5)
    del rows
    gc.collect()
    losses(made, 1)
    assert not made._stored._copies, "nobody has them any more"


@pytest.mark.parametrize("lazy", [False, True])
def test_parameters_in_hand_before_the_first_step(lazy):
    made, plain = trainer(net(), lazy=lazy), trainer(net(), store=False)
    made.params["a.weight"][...] *= 2  # nobody has it when the step is compiled
    plain.params["a.weight"][...] *= 2
    model = made.model
    np.testing.assert_allclose(losses(made), losses(plain), rtol=1e-5)
    same(made, plain, rtol=1e-3, atol=1e-5)
    for name, array in made.params.items():
        np.testing.assert_array_equal(model.params[name], array, err_msg=name)


def test_steps_that_are_left_out_change_nothing():
    made = trainer(net(), nan="skip")
    losses(made)
    before = made.state_dict()["tensors"]
    x, y = next(batches(made))
    made.step(np.full_like(x, np.inf), y)
    assert made.skipped == 1
    after = made.state_dict()["tensors"]
    for name in before:
        np.testing.assert_array_equal(before[name], after[name], err_msg=name)


def test_repetition_changes_no_bit():
    runs = [trainer(net()) for _ in range(2)]
    assert losses(runs[0]) == losses(runs[1])
    same(*runs)


def test_threads_change_nothing_but_rounding():
    one, two = (trainer(net(), threads=threads) for threads in (1, 2))
    np.testing.assert_allclose(losses(one), losses(two), rtol=1e-5)
    same(one, two, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("early", [False, True])
def test_what_somebody_holds_decides_no_bit(early):
    """Before any program is there, when another is compiled (of a new batch size), and of a predictor that comes first."""
    held, free = (trainer(net(), optimizer=raf.optim.SGD(0.05, momentum=0.9)) for _ in range(2))
    arrays = [*held.params.values()] if early else []
    x = next(batches(held))[0]
    np.testing.assert_array_equal(held.predict(x), free.predict(x))
    assert losses(held, 2) == losses(free, 2) and kept(held) == kept(free) == blocked()
    arrays += held.params.values()
    assert losses(held, 2, size=6) == losses(free, 2, size=6)
    np.testing.assert_array_equal(held.predict(x), free.predict(x))
    for array, mine in zip(arrays, [*held.params.values()] * (1 + early), strict=True):
        np.testing.assert_array_equal(array, mine)
    held.params["b.weight"][...] = free.params["b.weight"][...] = 0.125
    assert losses(held, 2) == losses(free, 2)
    same(held, free)


class Interrupted(BaseException):
    pass


@pytest.mark.parametrize("before", [0, 2])
def test_an_interrupt_at_the_end_of_a_step_loses_nothing(before, monkeypatch):
    """As Ctrl-C does, which is raised when the step has ended."""
    armed, build = [], _engine.build

    class Interruptible:
        def __init__(self, executable):
            self._executable = executable

        def __getattr__(self, name):
            return getattr(self._executable, name)

        def run(self):
            self._executable.run()
            if armed:
                raise armed.pop()

    monkeypatch.setattr(_engine, "build", lambda *arguments: Interruptible(build(*arguments)))
    made, plain = trainer(net()), trainer(net(), store=False)
    held = made.params["b.weight"] if before == 0 else None
    losses(made, before), losses(plain, before)
    held = made.params["b.weight"] if held is None else held
    first, batch = held.copy(), next(batches(made, first=before))
    for each in (made, plain):
        armed.append(Interrupted())
        with pytest.raises(Interrupted):
            each.step(*batch)
    assert not np.array_equal(held, first) and made.steps_done == plain.steps_done == before + 1
    np.testing.assert_allclose(held, plain.params["b.weight"], rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(losses(made, 3), losses(plain, 3), rtol=1e-5)
    np.testing.assert_allclose(held, plain.params["b.weight"], rtol=1e-3, atol=1e-5)
    same(made, plain, rtol=1e-3, atol=1e-5)


def interrupt_packing(made, stops, monkeypatch):
    """A step that is interrupted where it would bring an array into blocks that `stops` by its name."""
    pack = made._stored._pack

    def interrupted(name, plain):
        if stops(name):
            raise Interrupted
        pack(name, plain)

    with monkeypatch.context() as patch:
        patch.setattr(made._stored, "_pack", interrupted)
        with pytest.raises(Interrupted):
            losses(made, 1)


@pytest.mark.parametrize("at", range(3))
def test_an_interrupt_while_weights_are_converted_loses_nothing(at, monkeypatch):
    made = trainer(net())
    before = made.state_dict()["tensors"]
    calls = []

    def stops(name):
        calls.append(name)
        if len(calls) - 1 == at:
            made._stored._memory(name).fill(np.nan)
        return len(calls) - 1 == at

    interrupt_packing(made, stops, monkeypatch)
    after = made.state_dict()["tensors"]
    for name in before:
        np.testing.assert_array_equal(before[name], after[name], err_msg=name)
    assert not any(array.any() for name, array in after.items() if name.startswith("state:"))
    fresh = trainer(net())
    assert losses(made) == losses(fresh)
    same(made, fresh)


def test_a_state_from_before_any_step_counts_after_an_interrupt_too(monkeypatch):
    """The states' copies count then, and must be those of a training that has not begun as well."""
    made, fresh = trainer(net()), trainer(net())
    start = made.state_dict()
    assert not any(name.startswith("state:") for name in start["tensors"])
    losses(made, 2)
    made._stored._bring(sorted(made._stored._forms), {})  # as before a program that wants them plainly
    interrupt_packing(made, lambda name: name.startswith("m:"), monkeypatch)
    assert any(name.startswith("m:") for name in made._stored._copies) or not blocked()
    made.load_state_dict(start)
    assert not any(array.any() for name, array in made.state_dict()["tensors"].items() if name.startswith("state:"))
    assert losses(made) == losses(fresh)
    same(made, fresh)


def test_a_trainers_model_is_one_and_makes_no_copies_until_somebody_looks():
    made = trainer(net())
    losses(made, 1)
    model = made.model
    assert model is made.model and [i.name for i in model.inputs] == ["x"] and "net" in repr(model) and model.dims == ("batch",)
    model.specialize({"batch": 4})
    assert not made._stored._copies
    np.testing.assert_array_equal(model.params["b.weight"], made.state_dict()["tensors"]["param:b.weight"])


def test_only_trainers_and_predictors_have_programs_with_blocks(tmp_path):
    """Anybody else would bind plain arrays to them."""
    if not blocked():
        pytest.skip("the library has no blocks for these weights on this processor")
    for made in (trainer(net(), store_layouts=True), raf.compile(raf.import_onnx(net()), store_layouts=True)):
        with pytest.raises(raf.CompileError, match="cannot be written to a file"):
            made.save_executable(tmp_path / "step.rafx", {"x": (4, 16, 10, 10)})
    executable = _engine.build(made.model.specialize({"batch": 4}).asm, _engine.inference_pipeline(), made._options.storing())
    with pytest.raises(raf.CompileError, match="only trainers and predictors"):
        Program(executable, made.weights.slab.arrays, lambda _: np.zeros((), np.int64))


def test_predictors_keep_weights_in_blocks():
    """Of any shapes and at the same time; the arrays of the model are plain, and constant."""
    model = raf.import_onnx(net())
    predictor, plain = raf.compile(model), raf.compile(model, skip=["raf-store-layouts"])
    inputs = [np.random.default_rng(size).standard_normal((size, 16, 10, 10)).astype(np.float32) for size in (1, 4, 7)]
    expected = [plain(x) for x in inputs]
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        for found, wanted in zip(pool.map(predictor, inputs * 8), expected * 8, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
    for name, array in predictor.model.params.items():
        np.testing.assert_array_equal(array, model.params[name])
        with pytest.raises(ValueError, match="read-only"):
            predictor.weights.params[name][...] = 0
    if not blocked():
        pytest.skip("the library has no blocks for these weights on this processor")
    assert {a.name for p in predictor._programs.values() for a in p.manifest.args if a.form is not None} >= blocked()


@pytest.mark.parametrize("options", [{}, {"opt_level": 0}, {"libraries": ()}, {"skip": ["raf-store-layouts"]}], ids=str)
def test_the_arrays_of_predictors_are_constant_whatever_the_options(options):
    predictor = raf.compile(raf.import_onnx(net()), **options)
    for arrays in (predictor.model.params, predictor.model.buffers):
        for array in arrays.values():
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0


def test_files_with_blocks_are_refused(tmp_path):
    made = trainer(net())
    made.save_executable(tmp_path / "step.rafx", {"x": (4, 16, 10, 10)})
    contents = _rafx.read(tmp_path / "step.rafx")
    weight = next(a for a in contents.manifest["program"]["args"] if a["name"] == "b.weight")
    weight["stored"] = {"split": [4, 16, 4, 16, 3, 3], "order": [0, 2, 4, 5, 3, 1]}
    _rafx.write(tmp_path / "blocks.rafx", contents)
    with pytest.raises(raf.RuntimeError, match="blocks of a library.*files may not(?s:.*)b.weight"):
        raf.load_executable(tmp_path / "blocks.rafx")


def block():
    """The last downsampling block of a residual net: oneDNN's favourite blocks of the 1x1 weight would have to be filled with zeros on some processors."""
    b = Builder("block")
    x = b("Relu", b.conv(b.input("x", ["batch", 16, 7, 7]), "first", 16, 256, 1, bias=False))
    y = b("Relu", b.batch_norm(b.conv(x, "a", 256, 512, 3, 2, 1, bias=False), "bn", 512))
    y = b.conv(y, "b", 512, 512, 3, pad=1, bias=False)
    y = b("Relu", b("Add", y, b.conv(x, "down", 256, 512, 1, 2, bias=False)))
    b.output(b.linear(b("Flatten", b("GlobalAveragePool", y), axis=1), "fc", 512, 5), ["batch", 5])
    return b.model()


NETS = {"net": net, "shared": lambda: net(shared=True), "block": block}

VERBOSE = """
    import sys
    import numpy as np, raf
    from execute.test_stored_layouts import NETS
    name, store, training = sys.argv[1], sys.argv[2] == "1", sys.argv[3] == "1"
    options = {"loss": "cross_entropy", "optimizer": "adamw"} if training else {}
    made = raf.compile(raf.import_onnx(NETS[name]()), cache=False, **options, **({} if store else {"skip": ["raf-store-layouts"]}))
    x = np.zeros((8, *made.model.inputs[0].dims[1:]), np.float32)
    run = (lambda: made.step(x, np.zeros(8, np.int64))) if training else (lambda: made(x))
    run()
    print("shapes", [tuple(a.shape) for a in made.model.params.values() if a.ndim == 4], flush=True)
    print("counting", flush=True)
    run()
"""


def verbose(name, store, training=True):
    """What the library says of one run, and first the shapes of the weights."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    env = {**os.environ, "ONEDNN_VERBOSE": "1", "PYTHONPATH": os.pathsep.join([here, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-c", textwrap.dedent(VERBOSE), name, "01"[store], "01"[training]]
    text = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
    shapes, said = re.search(r"^shapes (.*)$\s^counting$((?s:.*))", text, re.M).groups()
    return [shapes, *(line for line in said.splitlines() if "exec,cpu" in line)]


def reorders(name, store, training=True):
    """How often arrays of each shape of a weight were reordered in one run: weights, and gradients of weights (right after they were computed). The third are the weights of each shape."""
    shapes, *lines = verbose(name, store, training)
    there = collections.Counter("x".join(map(str, s)) for s in ast.literal_eval(shapes))
    weights, gradients, last = collections.Counter(), collections.Counter(), ""
    for line in lines:
        if (match := re.search(r"exec,cpu,reorder,.*,(\d+(?:x\d+)*),[^,]*$", line)) and match[1] in there:
            (gradients if "backward_weights" in last else weights)[match[1]] += 1
        last = line
    return weights, gradients, there


@pytest.mark.parametrize("name", NETS)
def test_no_weight_is_reordered_twice_in_a_step(name):
    """Plainly: before the convolution, before the gradient of its input (which the first has not), and after the gradient of the weight."""
    plain, weights, gradients, there = reorders(name, False)[0], *reorders(name, True)
    readers = 2 if name == "shared" else 1  # gradients of an input: their blocks are others
    if not plain:
        pytest.skip("the library reads plain weights as they are on this processor")
    for shape, count in there.items():
        assert weights[shape] <= count, shape
        assert gradients[shape] <= count * readers, shape
    assert sum(weights.values()) < sum(there.values()), "the first convolution has no gradient of its input"


@pytest.mark.parametrize("name", NETS)
def test_predictors_reorder_weights_when_they_are_made(name):
    if not reorders(name, False, training=False)[0]:
        pytest.skip("the library reads plain weights as they are on this processor")
    assert not reorders(name, True, training=False)[0]
