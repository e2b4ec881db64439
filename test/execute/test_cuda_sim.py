# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training on a simulated CUDA device: the losses and parameters of the CPU, and where the parameters are."""

import json
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import raf
from raf import examples

core = pytest.importorskip("raf._core")
SHAPES = {"x": (32, 4)}


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    return rng.standard_normal((32, 4)).astype(np.float32), rng.integers(0, 3, 32)


def model():
    return raf.import_onnx(examples.mlp((4, 16, 3)))


def trainer(target="cuda-sim", **options):
    given = {"loss": "cross_entropy", "optimizer": raf.optim.AdamW(1e-2), **options}
    return raf.compile(model(), target=target, **given)


@pytest.mark.parametrize("options", [{"opt_level": 0}, {"opt_level": 2, "libraries": ()}, {"opt_level": 2}], ids=str)
def test_the_losses_of_the_cpu(data, options):
    here, there = trainer("cpu"), trainer(**options)
    for _ in range(10):
        np.testing.assert_allclose(there.step(*data), here.step(*data), rtol=1e-5)
    for name, array in here.params.items():
        np.testing.assert_allclose(there.params[name], array, rtol=1e-4, atol=1e-6, err_msg=name)
    np.testing.assert_allclose(there.predict(data[0]), here.predict(data[0]), rtol=1e-4, atol=1e-5)
    assert json.loads(core.info())["runtime"] and there.evaluate([data])["loss"] == pytest.approx(float(here.evaluate([data])["loss"]), rel=1e-5)


def test_a_program_without_kernels_is_for_the_device_too():
    asm = """func.func @main(%x: tensor<4xf32> {raf.role = "input", raf.name = "x"}) -> (tensor<2x2xf32> {raf.name = "y"}) {
      %y = raf.reshape %x : tensor<4xf32> to tensor<2x2xf32>
      return %y : tensor<2x2xf32>
    }"""
    executable = core.Executable.compile(asm, json.dumps({"pipeline": "raf-cuda", "chip": "sim"}))
    assert not executable.images and json.loads(executable.manifest)["target"]["device"] == "cuda-sim"


def test_parameters_are_uploaded_when_they_were_written(data):
    here, there = trainer("cpu"), trainer()
    for each in (here, there):
        each.step(*data)
        for array in each.params.values():
            array *= 0.5
    for _ in range(3):
        np.testing.assert_allclose(there.step(*data), here.step(*data), rtol=1e-5)
    before = {n: a.copy() for n, a in there.params.items()}
    there.step(*data)
    assert any(not np.array_equal(before[n], a) for n, a in there.params.items())


def test_the_model_of_a_trainer_has_its_values(data, tmp_path):
    there = trainer()
    there.step(*data)
    there.model.export_onnx(tmp_path / "trained.onnx")
    for scores in (raf.compile(there.model)(data[0]), raf.compile(raf.import_onnx(tmp_path / "trained.onnx"))(data[0])):
        np.testing.assert_allclose(scores, there.predict(data[0]), rtol=1e-5, atol=1e-6)


def test_checkpoints_go_between_targets(data, tmp_path):
    here, there = trainer("cpu"), trainer()
    for _ in range(3):
        here.step(*data), there.step(*data)
    there.save(tmp_path / "there.safetensors")
    resumed, again = trainer("cpu"), trainer()
    resumed.load(tmp_path / "there.safetensors")
    again.load(tmp_path / "there.safetensors")
    losses = [float(each.step(*data)) for each in (there, resumed, again)]
    assert losses[0] == losses[2] and losses[1] == pytest.approx(losses[0], rel=1e-5)


def test_a_loss_that_is_not_finite_changes_nothing(data):
    there = trainer()
    there.step(*data)
    before = there.state_dict()["tensors"]
    with pytest.raises(raf.NonFiniteLossError, match="input 'x' holds 128 values that are not finite"):
        there.step(np.full((32, 4), np.nan, np.float32), data[1])
    after = there.state_dict()["tensors"]
    assert all(np.array_equal(before[n], after[n]) for n in before)


def test_a_fault_ends_the_programs_of_its_time(data):
    before, array = trainer(), raf.compile(model(), target="cuda-sim").on_device(data[0])
    before.step(*data)
    (array,), given = array.values(), next(iter(before.on_device().values()))
    opened = raf._device.device("cuda-sim")
    with pytest.raises(raf.RuntimeError, match="cuda-sim: .* failed: .*out of allocation: 'copy to the device': store of 512 bytes"):
        opened.upload(opened.alloc(256), data[0].ctypes.data, data[0].nbytes)
        opened.synchronize()
    for use in (lambda: before.step(*data), lambda: before.params, lambda: before.save("never.safetensors"), lambda: np.asarray(array), lambda: np.asarray(given)):
        with pytest.raises(raf.RuntimeError, match="out of allocation.*; what was on the device is lost with it: compile or load the program again"):
            use()
    here, there = trainer("cpu"), trainer()
    with pytest.raises(raf.RuntimeError, match="'x': the array was lost when a kernel failed on cuda-sim; compute it again"):
        there.step(array, data[1])
    there.step(*data), here.step(*data)
    # The device is open again, and where the old arrays were there are others.
    with pytest.raises(raf.RuntimeError, match="what was on the device is lost with it"):
        before.on_device()
    assert all(array.opened is raf._device.device("cuda-sim") for array in there.on_device().values())
    del before, array, given, opened
    for _ in range(3):
        np.testing.assert_allclose(there.step(*data), here.step(*data), rtol=1e-5)


def test_executables_of_a_device(data, tmp_path):
    there = trainer()
    there.save_executable(tmp_path / "step.rafx", SHAPES)
    step = raf.load_executable(tmp_path / "step.rafx")
    assert step.manifest["program"]["target"]["device"] == "cuda-sim" and [i["kind"] for i in step.manifest["images"]] == ["sim"]
    for _ in range(3):
        assert step.step(*data) == there.step(*data)
    assert all(np.array_equal(step.params[n], a) for n, a in there.params.items())
    step.save(tmp_path / "run.safetensors")
    there.load(tmp_path / "run.safetensors")
    assert step.step(*data) == there.step(*data)


def test_targets_are_checked():
    for target, message in (
        ("cuda-sym", "unknown target 'cuda-sym'; did you mean 'cuda-sim'"),
        ("cpu:sm_90", "unknown target 'cpu:sm_90'"),
        ("cuda:sm_91", "unknown chip 'sm_91'"),
    ):
        with pytest.raises(raf.CompileError, match=message):
            raf.compile(model(), target=target)
    for options, message in (
        ({"dispatch": "measure"}, 'dispatch="measure" is for the target "cpu", got the target \'cuda-sim\''),
    ):
        with pytest.raises(raf.CompileError, match=message):
            trainer(**options)
    with pytest.raises(raf.CompileError, match="unknown library 'dnnl' for the target 'cuda-sim'"):
        raf.compile(model(), target="cuda-sim", libraries=("dnnl",))


def test_without_a_device_cuda_says_so_in_one_sentence(data):
    if json.loads(core.cuda_info("cuda"))["devices"]:
        pytest.skip("there is a CUDA device")
    with pytest.raises(raf.CompileError, match='target "cuda" needs a CUDA device, and there is none here') as caught:
        raf.compile(model(), target="cuda")(data[0])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("here, chip", [(80, "sm_80"), (87, "sm_86"), (90, "sm_90a"), (103, "sm_100"), (121, "sm_120")])
def test_kernels_for_the_device_that_is_here(monkeypatch, here, chip):
    monkeypatch.setattr(core, "cuda_info", lambda driver: json.dumps({"devices": [{"architecture": f"sm_{here}"}], "missing": []}))
    assert json.loads(raf._engine.CompileOptions(target="cuda").json())["chip"] == chip


def test_a_device_that_is_too_old(monkeypatch):
    monkeypatch.setattr(core, "cuda_info", lambda driver: json.dumps({"devices": [{"architecture": "sm_75"}], "missing": []}))
    with pytest.raises(raf.CompileError, match="the device is sm_75; sm_80 or later is needed"):
        raf._engine.CompileOptions(target="cuda").json()


@pytest.mark.parametrize("amp", ["bf16", "f16"])
def test_mixed_precision_and_profiles(data, amp):
    here, there = trainer("cpu", amp=amp), trainer(amp=amp)
    for _ in range(3):
        np.testing.assert_allclose(there.step(*data), here.step(*data), rtol=2e-2)
    assert there.loss_scale == here.loss_scale and there.skipped == here.skipped
    profile = there.profile(*data, steps=1)
    assert profile.steps == 1 and all(row.ms >= 0 for row in profile.by_op()) and there.steps_done == here.steps_done
    # Of each kernel's launches, of several stages too, what they compute, move and come from.
    kernels = [op for op in profile.ops if op.name.startswith("kernel_")]
    assert kernels and not [op for op in kernels if op.bytes <= 0], "what a kernel moves"
    assert any(op.flops > 0 and op.nodes for op in kernels)
    products = [op for op in profile.ops if op.name == "cublas.matmul"]
    # Of the first layer forward: 32 x 16 results of 4 products and a bias.
    assert products and all(op.flops > 0 for op in products) and max(op.flops for op in products) == 32 * 16 * (2 * 4 + 1)


@pytest.mark.parametrize("chip, wgmma", [(":sm_80", False), (":sm_90a", True)])
def test_kernels_of_a_chip(tmp_path, chip, wgmma):
    rng = np.random.default_rng(0)
    data = rng.standard_normal((32, 32)).astype(np.float32), rng.integers(0, 16, 32)
    here, there = (
        raf.compile(raf.import_onnx(examples.mlp((32, 64, 16))), loss="cross_entropy", optimizer="sgd", amp="bf16", libraries=(), target=target) for target in ("cpu", f"cuda-sim{chip}")
    )
    for _ in range(3):
        np.testing.assert_allclose(there.step(*data), here.step(*data), rtol=1e-2)
    there.save_executable(tmp_path / "step.rafx", {"x": (32, 32)})
    with zipfile.ZipFile(tmp_path / "step.rafx") as file:
        assert any(b"raf_sim_wgmma\0" in file.read(name) for name in file.namelist()) == wgmma


def test_the_device_is_closed_at_the_end(data, tmp_path):
    trainer().save_executable(tmp_path / "step.rafx", SHAPES)
    np.savez(tmp_path / "data.npz", x=data[0], y=data[1])
    code = "import sys, numpy, raf; data = numpy.load(sys.argv[2]); step = raf.load_executable(sys.argv[1]); print(step.step(data['x'], data['y']))"
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "step.rafx"), str(tmp_path / "data.npz")], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout and "leaked" not in done.stderr, done.stderr


def loops():
    """Losses of JAX with a loop that is counted, one that ends by itself, and a branch; whether the host has to know values of the device."""
    jax = pytest.importorskip("jax")
    jnp, lax = jax.numpy, jax.lax

    def counted(w, x):
        state, _ = lax.scan(lambda h, row: (jnp.tanh(h @ w + row), 0.0), jnp.zeros((4, 4)), x)
        return jnp.mean(state**2)

    def until(w, x):
        _, state = lax.while_loop(lambda c: (jnp.sum(c[1]) < 40.0) & (c[0] < 9), lambda c: (c[0] + 1, c[1] * 1.5 + jnp.abs(w)), (0, jnp.abs(w)))
        return jnp.mean((state - x[0]) ** 2)

    def branch(w, x):
        return jnp.mean(lax.cond(jnp.sum(x) > 0, lambda v: jnp.sin(v @ w), lambda v: jnp.cos(v @ w) + w, x[0]) ** 2)

    return {"counted": (counted, False), "until": (until, True), "branch": (branch, True)}


@pytest.mark.parametrize("streams", [1, 4])
@pytest.mark.parametrize("name", ["counted", "until", "branch"])
def test_loops_and_branches_with_graphs(name, streams):
    """Loops that are counted are part of the step's graph; what the host decides by numbers of the device is run call by call."""
    loss, decided = loops()[name]
    rng = np.random.default_rng(0)
    w, batches = rng.standard_normal((4, 4)).astype(np.float32), [rng.standard_normal((3, 4, 4)).astype(np.float32) * (-1) ** i + 0.5 * (-1) ** i for i in range(5)]
    here, there = (raf.compile(raf.from_jax(loss, w, batches[0]), loss="output", optimizer=raf.optim.SGD(0.1), target=target, **options)
                   for target, options in (("cpu", {}), ("cuda-sim", {"streams": streams})))  # fmt: skip
    for x in batches:
        np.testing.assert_allclose(there.step(x), here.step(x), rtol=1e-5)
    for tensor, array in here.params.items():
        np.testing.assert_allclose(there.params[tensor], array, rtol=1e-5, atol=1e-6)
    (program,) = there._programs.values()
    counts = program.executable.device_counts
    assert (counts["captures"], counts["replays"] > 0) == ((0, False) if decided else (1, True)), counts
