# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mixed precision against f32: losses and parameters of whole models, the loss scale of f16, and the number of conversions."""

import re

import numpy as np
import pytest
import raf
from execute import models
from execute.harness import core

MODELS = ("digits_mlp", "digits_cnn", "resnet18", "gpt", "lstm")
#: How far the losses of a few steps may be from those of f32, relative: a number of bf16 has 8 bits, one of f16 11.
LOSS_TOLERANCE = {"bf16": 2e-2, "f16": 4e-3}
#: How far the update of the parameters may be, relative to the norm of the update.
UPDATE_TOLERANCE = {"bf16": 0.12, "f16": 0.03}
#: Through 20 batch norms over few values each, gradients amplify rounding.
AMPLIFIED = {"resnet18": 5.0}


def norm(tensors):
    return float(np.sqrt(sum(float(np.sum(np.square(t, dtype=np.float64))) for t in tensors)))


def params(made):
    return {n: a.copy() for n, a in made.params.items()}


@pytest.mark.parametrize("libraries", [("dnnl",), ()], ids=["dnnl", "codegen"])
@pytest.mark.parametrize("amp", ["bf16", "f16"])
@pytest.mark.parametrize("name", MODELS)
def test_models_against_f32(name, amp, libraries):
    reference, mixed = models.trainer(name, "sgd"), models.trainer(name, "sgd", amp=amp, libraries=libraries)
    before = params(reference)
    expected, losses = models.run(reference, 4, name), models.run(mixed, 4, name)
    assert mixed.skipped == 0
    np.testing.assert_allclose(losses, expected, rtol=LOSS_TOLERANCE[amp])
    assert any(loss != other for loss, other in zip(losses, expected)), "nothing was computed in 16 bits"
    assert all(array.dtype == np.float32 for array in mixed.params.values())
    update = norm([reference.params[n] - before[n] for n in before])
    assert norm([mixed.params[n] - reference.params[n] for n in before]) < UPDATE_TOLERANCE[amp] * AMPLIFIED.get(name, 1.0) * update


def converted(name, amp="bf16"):
    """How many values the program of a model converts: (parameters, others)."""
    made = models.trainer(name, "sgd", amp=amp)
    pipeline = raf._engine.training_pipeline(made.loss, made.optimizer, 0, "i64", [], "none", False, raf.amp.resolve(amp))
    shapes = {spec.name: array.shape for spec, array in zip(made.model.inputs, models.batch(name))}
    text = core.run_pipeline(made.model.specialize(shapes).asm, pipeline)
    text = text if isinstance(text, str) else text.decode()
    body = text[text.index("@main") :]
    arguments = dict(re.findall(r'(%arg\d+): tensor<[^>]*> \{[^{}]*raf.role = "(\w+)"', body))
    casts = re.findall(r"raf.cast (%\w+)(?:#\d+)? : tensor<[^>]*f32> to tensor<[^>]*bf16>|raf.cast (%\w+)(?:#\d+)? : tensor<[^>]*bf16> to tensor<[^>]*f32>", body)
    sources = [narrowed or widened for narrowed, widened in casts]
    of_params = [s for s in sources if arguments.get(s) == "param"]
    assert len(of_params) == len(set(of_params)), "a parameter is converted more than once a step"
    return len(of_params), len(sources) - len(of_params)


#: Conversions in the step of a model: one a parameter that a product reads, and as few others as the minimum cut leaves. Two are those of an attention's delta, in its kernel; one a bias behind a gelu is its
#: gradient's, a sum of what products read in 16 bits.
CONVERSIONS = {"digits_mlp": (3, 3), "mobilenet": (20, 21), "bert": (13, 16), "gpt": (17, 22), "lstm": (3, 4), "gru": (3, 10), "rnn": (3, 4)}


@pytest.mark.parametrize("name", CONVERSIONS)
def test_conversions_are_few(name):
    assert converted(name) == CONVERSIONS[name]


@pytest.fixture
def overflowing():
    """A model and a batch whose gradients overflow f16 at a scale of 2^24, not at smaller ones, while its loss is small."""
    made = models.trainer("digits_mlp", "sgd", amp=raf.amp.Policy("f16", initial_scale=2.0**24, growth_interval=3))
    return made


def test_an_overflow_is_skipped_and_the_scale_recovers(overflowing):
    made = overflowing
    scales, skipped = [made.loss_scale], 0
    for step in range(40):
        before = models.state(made)
        loss = made.step(*models.batch("digits_mlp", step))
        assert np.isfinite(loss)
        after = models.state(made)
        changed = [n for n in before if not np.array_equal(before[n], after[n]) and n not in ("state:loss_scale", "state:good_steps")]
        if made.skipped > skipped:
            skipped = made.skipped
            assert not changed and made.loss_scale == scales[-1] / 2 and after["state:good_steps"] == 0
        else:
            assert changed
        scales.append(made.loss_scale)
    assert skipped >= 1 and made.steps_done == 40 - skipped
    assert any(later > earlier for earlier, later in zip(scales, scales[1:])), f"the scale never grew: {scales}"


def test_a_scale_that_falls_to_one_again_is_an_overflow_like_any():
    made = models.trainer("digits_mlp", "sgd", amp=raf.amp.Policy("f16", initial_scale=2.0, growth_interval=1))
    made.lr = 0.0
    x, y = (a[:1] for a in models.batch("digits_mlp"))
    # The sample is taken for class 1 and is of class 0: the gradient of the hidden layer is the weight of class 1, of all of f16's range, by the scale.
    weight = next(a for a in made.params.values() if a.ndim == 2 and 10 in a.shape)
    weight[...] = 0.0
    np.moveaxis(weight, weight.shape.index(10), 0)[1] = 6e4
    scales = []
    for _ in range(4):
        assert np.isfinite(made.step(x, np.zeros_like(y)))
        scales.append(made.loss_scale)
    assert scales == [1.0, 2.0, 1.0, 2.0] and made.skipped == 2


def test_the_scale_is_part_of_a_checkpoint(overflowing, tmp_path):
    made = overflowing
    for step in range(5):
        made.step(*models.batch("digits_mlp", step))
    made.save(tmp_path / "run.safetensors")
    other = models.trainer("digits_mlp", "sgd", amp=raf.amp.Policy("f16", initial_scale=2.0, growth_interval=3))
    other.load(tmp_path / "run.safetensors")
    assert other.loss_scale == made.loss_scale and other.steps_done == made.steps_done
    for step in range(5, 9):
        assert made.step(*models.batch("digits_mlp", step)) == other.step(*models.batch("digits_mlp", step))


@pytest.mark.parametrize("compiled", [False, True])
def test_a_training_goes_on_in_another_precision(compiled, tmp_path):
    """The scale begins anew, or is dropped, whether there is a program when the checkpoint is loaded or not."""
    policy = raf.amp.Policy("f16", initial_scale=2.0**10, growth_interval=2)

    def made(amp):
        return raf.compile(raf.import_onnx(models.proto("digits_mlp")), loss="cross_entropy", optimizer="adamw", amp=amp)

    def step(trainer, number):
        return float(trainer.step(*models.batch("digits_mlp", number)))

    for before, after in ((None, policy), (policy, None), (policy, "bf16")):
        first, second = made(before), made(after)
        for number in range(3):
            step(first, number)
        first.save(tmp_path / "run.safetensors")
        if compiled:
            for number in range(3):
                step(second, 7 + number)
        second.load(tmp_path / "run.safetensors")
        assert second.steps_done == 3 and second.loss_scale == (2.0**10 if after is policy else None)
        np.testing.assert_allclose(step(second, 3), step(first, 3), rtol=2e-2)
        assert ("state:good_steps" in models.state(second)) == (after is policy) and (after is not policy or models.state(second)["state:good_steps"] == 1)
        for name in ("param:fc1.weight", "state:m:fc1.weight"):
            np.testing.assert_allclose(models.state(second)[name], models.state(first)[name], rtol=0.1, atol=1e-3)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_scale_that_was_loaded_before_is_not_that_of_the_next_checkpoint(compiled):
    states = []
    for amp in (raf.amp.Policy("f16", initial_scale=8.0), None):
        made = raf.compile(raf.import_onnx(models.proto("digits_mlp")), loss="cross_entropy", optimizer="adamw", amp=amp)
        made.step(*models.batch("digits_mlp"))
        states.append(made.state_dict())
    made = raf.compile(raf.import_onnx(models.proto("digits_mlp")), loss="cross_entropy", optimizer="adamw", amp=raf.amp.Policy("f16", initial_scale=2.0**10))
    if compiled:
        made.step(*models.batch("digits_mlp"))
    for state, scale in zip(states, (8.0, 2.0**10)):
        made.load_state_dict(state)
        assert made.loss_scale == scale
    made.step(*models.batch("digits_mlp"))
    assert made.loss_scale == 2.0**10 and models.state(made)["state:good_steps"] == 1


def test_a_scale_of_another_shape_is_no_scale():
    made = raf.compile(raf.import_onnx(models.proto("digits_mlp")), loss="cross_entropy", optimizer="adamw", amp="f16")
    state = made.state_dict()
    state["tensors"]["state:loss_scale"] = np.ones(3, np.float32)
    with pytest.raises(raf.RuntimeError, match=r"state:loss_scale float32\[3\] belongs to no parameter"):
        made.load_state_dict(state)


def test_a_loss_that_is_not_finite_is_no_matter_of_the_scale():
    made = models.trainer("digits_mlp", "sgd", amp="f16")
    x, y = models.batch("digits_mlp")
    x = x.copy()
    x[0, 0] = np.nan
    with pytest.raises(raf.NonFiniteLossError, match="the loss of step 1 is nan"):
        made.step(x, y)
    assert made.loss_scale == 65536.0 and made.skipped == 0
    assert np.isfinite(made.step(*models.batch("digits_mlp")))


def test_predictions_and_evaluation_use_the_policy():
    reference, mixed = models.trainer("digits_mlp", "sgd"), models.trainer("digits_mlp", "sgd", amp="bf16")
    x, y = models.batch("digits_mlp")
    expected, outputs = reference.predict(x), mixed.predict(x)
    assert outputs.dtype == np.float32 and not np.array_equal(outputs, expected)
    np.testing.assert_allclose(outputs, expected, rtol=5e-2, atol=5e-2)
    assert mixed.evaluate((x, y))["loss"] == pytest.approx(reference.evaluate((x, y))["loss"], rel=2e-2)


def test_an_override_may_name_what_only_the_step_has():
    made = models.trainer("digits_mlp", "sgd", amp=raf.amp.Policy("bf16", override={"raf.cross_entropy_grad": "f32", "raf.matmul": "f32"}))
    reference = models.trainer("digits_mlp", "sgd")
    x, y = models.batch("digits_mlp")
    np.testing.assert_allclose(made.step(x, y), reference.step(x, y), rtol=1e-6)  # nothing is left to compute in 16 bits
    np.testing.assert_allclose(made.predict(x), reference.predict(x), rtol=1e-4, atol=1e-5)


def test_an_override_of_nothing_is_an_error():
    with pytest.raises(raf.CompileError, match="override 'layer7.*' matches no source node"):
        models.trainer("digits_mlp", "sgd", amp=raf.amp.Policy("bf16", override={"layer7*": "f32"}))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"type": "f8"}, "unknown type 'f8'"),
        ({"override": ["raf.gelu"]}, "override must be a dict"),
        ({"override": {"raf.gelu": "f16"}}, "unknown policy 'f16'"),
        ({"override": {"a b": "f32"}}, "is no name"),
        ({"initial_scale": 3.0}, "must be a power of two"),
        ({"initial_scale": 0}, "must be a power of two"),
        ({"growth_interval": 0}, "growth_interval must be an integer of at least 1"),
    ],
)
def test_policies_are_checked(options, message):
    with pytest.raises(raf.CompileError, match=message):
        raf.amp.Policy(**options)
