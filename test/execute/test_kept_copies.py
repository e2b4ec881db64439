# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""16-bit copies of parameters that stay between steps change no bit of what a step computes, whoever changes the parameters."""

import types

import numpy as np
import pytest
import raf
from execute import models
from execute.harness import TARGET

ALL = ["digits_mlp", "digits_cnn", "gpt", "lstm"]


def pair(name, type="bf16", scale=65536.0, **options):
    """Two trainers that differ in where conversions are made. Products take the 16-bit numbers on every CPU: widened ones would read the f32 parameters, where there is no copy."""
    options = {**({"widen": ["none"]} if TARGET == "cpu" else {}), **options}
    return [models.trainer(name, "adamw", amp=raf.amp.Policy(type, initial_scale=scale, keep_copies=keep), **options) for keep in (False, True)]


def kept(trainer):
    return [a.name for program in trainer._programs.values() for a in program.manifest.by_role("copy")]


def steps(trainer, name, count, first=0):
    return [float(trainer.step(*models.batch(name, seed))) for seed in range(first, first + count)]


def check(plain, keeping, losses):
    """Each copy is that of its parameter as it is now; losses and parameters are those without copies, but for the last bit of sums in other kernels."""
    names = keeping._arrays.copies._fresh
    assert names and set(names) == set(kept(keeping)) and not kept(plain)
    for name in names:
        copy = keeping._arrays.copies._arrays[name]
        np.testing.assert_array_equal(copy, keeping._weights.params[name.partition(":")[2]].astype(copy.dtype), err_msg=name)
    np.testing.assert_allclose(*losses, rtol=1e-5)
    mine, theirs = plain.state_dict()["tensors"], keeping.state_dict()["tensors"]
    assert mine.keys() == theirs.keys()
    for tensor in mine:
        np.testing.assert_allclose(mine[tensor], theirs[tensor], rtol=1e-3, atol=1e-5, err_msg=tensor)


def both(trainers, name, count, first=0):
    return [steps(trainer, name, count, first) for trainer in trainers]


@pytest.mark.parametrize(
    "name,type,libraries",
    [("digits_mlp", "bf16", ("dnnl",)), ("digits_mlp", "f16", ()), ("digits_cnn", "bf16", ("dnnl",)), ("gpt", "bf16", ("dnnl",)), ("lstm", "f16", ("dnnl",))],
)
def test_the_same_steps(name, type, libraries):
    trainers = pair(name, type, libraries=libraries)
    check(*trainers, both(trainers, name, 4))


@pytest.mark.cpu_only("widened products are an option of the CPU")
def test_widened_products():
    losses = both(pair("digits_mlp", widen=["bf16"]), "digits_mlp", 4)
    np.testing.assert_allclose(*losses, rtol=1e-3)


def test_parameters_that_others_write():
    plain, keeping = pair("digits_mlp")
    for trainer in (plain, keeping):
        steps(trainer, "digits_mlp", 2)
    arrays = [trainer.params for trainer in (plain, keeping)]
    for count in range(2):
        for params in arrays:
            for array in params.values():
                array *= 0.5
        losses = both((plain, keeping), "digits_mlp", 1, 2 + count)
        np.testing.assert_allclose(*losses, rtol=1e-5)


def test_a_checkpoint_has_no_copies_and_is_taken_up(tmp_path):
    plain, keeping = pair("digits_mlp")
    steps(keeping, "digits_mlp", 3)
    keeping.save(tmp_path / "run.safetensors")
    for trainer in (plain, keeping):
        steps(trainer, "digits_mlp", 2)
        trainer.load(tmp_path / "run.safetensors")
    check(plain, keeping, both((plain, keeping), "digits_mlp", 3))


@pytest.mark.cpu_only("the other program stands in for one of the CPU")
def test_an_interrupt_at_the_end_of_a_step_leaves_no_old_copy():
    """As Ctrl-C does, which is raised when the step has ended: here one of another batch, which updates all parameters and writes the copy of one."""
    plain, keeping = pair("digits_mlp")
    both((plain, keeping), "digits_mlp", 2)
    first, *others = sorted(set(kept(keeping)))
    assert others

    def run():
        for array in keeping._weights.params.values():
            array *= 0.5
        copy = keeping._arrays.copies._arrays[first]
        copy[...] = keeping._weights.params[first.partition(":")[2]].astype(copy.dtype)
        raise KeyboardInterrupt

    other = types.SimpleNamespace(manifest=types.SimpleNamespace(by_role=lambda role: [types.SimpleNamespace(name=first)]), run=run)
    keeping._arrays.copies.attach(other)
    with pytest.raises(KeyboardInterrupt):
        other.run()
    for array in plain.params.values():
        array *= 0.5
    check(plain, keeping, both((plain, keeping), "digits_mlp", 2, 2))


def test_skipped_steps_keep_the_copies_of_what_was_kept():
    plain, keeping = pair("digits_mlp", nan="skip")
    x, y = models.batch("digits_mlp")
    for trainer in (plain, keeping):
        steps(trainer, "digits_mlp", 2)
        trainer.step(np.full_like(x, np.nan), y)
        assert trainer.skipped == 1
    check(plain, keeping, both((plain, keeping), "digits_mlp", 2))


def test_overflow_of_f16_is_recovered():
    plain, keeping = pair("digits_mlp", "f16", scale=2.0**24)
    x, y = models.batch("digits_mlp")
    for trainer in (plain, keeping):
        steps(trainer, "digits_mlp", 1)
        trainer.step(x * 100, y)
    assert plain.skipped == keeping.skipped > 0
    check(plain, keeping, both((plain, keeping), "digits_mlp", 3))


def test_other_shapes_predictions_and_profiles():
    plain, keeping = pair("digits_mlp")
    x, y = models.batch("digits_mlp")
    for trainer in (plain, keeping):
        steps(trainer, "digits_mlp", 2)
        trainer.evaluate((x, y), batch_size=len(x))
        trainer.profile(x, y, steps=2)
    np.testing.assert_allclose(plain.predict(x), keeping.predict(x), rtol=1e-4, atol=1e-5)
    check(plain, keeping, both((plain, keeping), "digits_mlp", 2))


def test_frozen_parameters():
    first = next(name for name, array in raf.import_onnx(models.proto("digits_mlp")).params.items() if array.ndim == 2)
    plain, keeping = pair("digits_mlp", frozen=first)
    check(plain, keeping, both((plain, keeping), "digits_mlp", 3))
    assert f"bf16:{first}" in kept(keeping)


def test_complex_parameters():
    text = """func.func @main(%x: tensor<8x3xcomplex<f32>> loc("x"), %w: tensor<3x4xcomplex<f32>> loc("w")) -> tensor<f32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x3xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<8x4xcomplex<f32>>
      %a = stablehlo.abs %y : (tensor<8x4xcomplex<f32>>) -> tensor<8x4xf32>
      %loss = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
      return %loss : tensor<f32>
    }"""
    rng = np.random.default_rng(0)
    x, w = ((rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(np.complex64) for shape in ((8, 3), (3, 4)))
    model = raf.import_stablehlo(text, params={"w": w})
    plain, keeping = (raf.compile(model, loss="output", optimizer="sgd", amp=raf.amp.Policy(keep_copies=keep), **({"widen": ["none"]} if TARGET == "cpu" else {})) for keep in (False, True))
    assert kept(keeping) == ["bf16:w"]
    for _ in range(2):
        np.testing.assert_allclose(*([float(t.step(x)) for _ in range(3)] for t in (plain, keeping)), rtol=1e-4)
        for trainer in (plain, keeping):
            trainer.params["w"] *= 0.5


def test_the_model_of_the_trainer_is_read_only():
    _, keeping = pair("digits_mlp")
    name = next(iter(keeping.model.params))
    with pytest.raises(ValueError, match="read-only"):
        keeping.model.params[name][...] = 0
    keeping.params[name][...] = 0
    assert not keeping.model.params[name].any()


def device_pair(name, type):
    return [
        raf.compile(
            raf.import_onnx(models.proto(name)),
            loss="cross_entropy",
            optimizer=raf.optim.AdamW(1e-3, epsilon=1e-4, weight_decay=0.1, clip_norm=0.5),
            amp=raf.amp.Policy(type, initial_scale=1024.0, keep_copies=keep),
            libraries=("cublas",),
            target="cuda-sim",
        )
        for keep in (False, True)
    ]


def test_on_a_device_others_write_and_nothing_leaves_it(monkeypatch):
    """From `on_device` on a step begins with the conversions, there."""
    pytest.importorskip("raf._core")
    plain, keeping = device_pair("digits_mlp", "bf16")
    for trainer in (plain, keeping):
        steps(trainer, "digits_mlp", 1)
    given = [trainer.on_device() for trainer in (plain, keeping)]
    for count in range(2):
        for arrays in given:
            for array in arrays.values():
                half = np.asarray(array) * np.float32(0.5)
                array.opened.upload(array.address, half.ctypes.data, half.nbytes)
        np.testing.assert_allclose(*both((plain, keeping), "digits_mlp", 1, 1 + count), rtol=1e-5)
    with monkeypatch.context() as patch:
        patch.setattr(raf._device.Mirrored, "_to_host", lambda slab: pytest.fail("a slab is downloaded"))
        losses = both((plain, keeping), "digits_mlp", 2, 3)
    check(plain, keeping, losses)


@pytest.mark.parametrize("name,type", [("digits_mlp", "bf16"), ("digits_mlp", "f16")])
def test_on_a_device_the_update_writes_the_copies(name, type, monkeypatch):
    """With decay and clipping: the launches that update parameters write the copies, and a step begins without conversions."""
    pytest.importorskip("raf._core")
    plain, keeping = device_pair(name, type)
    check(plain, keeping, both((plain, keeping), name, 3))
    for trainer in (plain, keeping):  # written by others: before the next step, which is then as any other
        for array in trainer.params.values():
            array *= 0.5
    check(plain, keeping, both((plain, keeping), name, 3, 3))
    made = []
    monkeypatch.setattr(keeping._arrays.copies, "_make", made.append)
    check(plain, keeping, both((plain, keeping), name, 1, 6))
    profiles = [trainer.profile(*models.batch(name), steps=1) for trainer in (plain, keeping)]
    assert made  # the parameters were put back
    assert len(profiles[1].ops) <= len(profiles[0].ops)
    writes = [{profiles[1].buffers[i]["name"] for i in op.writes} for op in profiles[1].ops]
    updates = [names for names in writes if names & set(plain.params)]  # what is small goes with the norm of all gradients
    assert len(updates) == 2 and set(kept(keeping)) <= set().union(*updates)
    assert sum(op.bytes for op in profiles[1].ops) < sum(op.bytes for op in profiles[0].ops)


def test_options():
    with pytest.raises(raf.CompileError, match="keep_copies must be True or False"):
        raf.amp.Policy("bf16", keep_copies="yes")
