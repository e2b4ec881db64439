# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that train on the simulated GPU with cuBLASLt and cuDNN, with the losses of the CPU."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

import raf
from raf import examples

pytest.importorskip("raf._core")
rng = np.random.default_rng(0)


def images(n, size):
    return rng.standard_normal((n, 1, size, size)).astype(np.float32), rng.integers(0, 10, n)


MODELS = {
    "mlp": (lambda: examples.mlp((4, 16, 3)), (rng.standard_normal((8, 4)).astype(np.float32), rng.integers(0, 3, 8)), {"cublas.matmul"}),
    "cnn": (examples.digits_cnn, images(4, 8), {"cublas.matmul", "cudnn.conv", "cudnn.conv_input_grad", "cudnn.conv_weight_grad"}),
    "lenet": (examples.lenet, images(2, 28), {"cublas.matmul", "cudnn.conv", "cudnn.conv_input_grad", "cudnn.conv_weight_grad"}),
    "gpt": (lambda: examples.gpt(1, 32, 2, 64, 64, 16), (rng.integers(0, 64, (2, 16)), rng.integers(0, 64, 32)), {"cublas.matmul"}),
}


def train(name, steps=3, **options):
    make, batch, _ = MODELS[name]
    trainer = raf.compile(raf.import_onnx(make()), loss="cross_entropy", optimizer=raf.optim.SGD(1e-2), **options)
    return trainer, [float(trainer.step(*batch)) for _ in range(steps)]


@pytest.mark.parametrize("name", MODELS)
def test_the_losses_of_the_cpu(name):
    _, here = train(name)
    made, there = train(name, target="cuda-sim", check=["bounds"])
    np.testing.assert_allclose(there, here, rtol=1e-5)
    (program,) = (p for (training, *_), p in made._programs.items() if training)
    assert {name.split()[0] for name in program.manifest.raw["ops"]} >= MODELS[name][2]


def plans_of(trainer):
    (program,) = (p for (training, *_), p in trainer._programs.items() if training)
    return program.executable.plans


def feed_forward(activation):
    """x + w2 f(w1 x + b1) + b2, twice, as in a transformer."""
    nodes, weights, x = [], [], "x"
    for k in range(2):
        for name, shape in ((f"w{k}", (16, 40)), (f"b{k}", (40,)), (f"v{k}", (40, 16)), (f"c{k}", (16,))):
            weights.append(onnx.numpy_helper.from_array((np.random.default_rng(k).standard_normal(shape) / 4).astype(np.float32), name))
        nodes += [
            onnx.helper.make_node("MatMul", [x, f"w{k}"], [f"p{k}"]),
            onnx.helper.make_node("Add", [f"p{k}", f"b{k}"], [f"z{k}"]),
            onnx.helper.make_node(activation, [f"z{k}"], [f"h{k}"], **({"approximate": "tanh"} if activation == "Gelu" else {})),
            onnx.helper.make_node("MatMul", [f"h{k}", f"v{k}"], [f"q{k}"]),
            onnx.helper.make_node("Add", [f"q{k}", f"c{k}"], [f"r{k}"]),
            onnx.helper.make_node("Add", [x, f"r{k}"], [f"y{k}"]),
        ]
        x = f"y{k}"
    value = lambda name: onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [2, 12, 16])
    graph = onnx.helper.make_graph(nodes, "feed_forward", [value("x")], [value(x)], weights)
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 20)])


@pytest.mark.parametrize("activation,name,amp", [("Gelu", "gelu", None), ("Gelu", "gelu", "bf16"), ("Relu", "relu", None), ("Relu", "relu", "bf16")])
def test_gradients_of_biases_and_activations_go_with_products(activation, name, amp):
    batch = tuple(np.random.default_rng(3).standard_normal((2, 12, 16)).astype(np.float32) for _ in range(2))
    extra = {"library_relu": True} if name == "relu" else {}
    losses = {}
    for target, options in (("cpu", {}), ("cuda-sim", {"check": ["bounds"], **extra})):
        trainer = raf.compile(raf.import_onnx(feed_forward(activation)), loss="mse", optimizer=raf.optim.SGD(0.1), target=target, amp=amp, **options)
        losses[target] = [float(trainer.step(*batch)) for _ in range(3)]
    np.testing.assert_allclose(losses["cuda-sim"], losses["cpu"], rtol=1e-2 if amp else 1e-5)
    plans = plans_of(trainer)
    extras = {plan.split("f32" if amp is None else "bf16", 1)[1] for plan in plans}
    assert extras >= {f" + bias, {name}", " + bias + addend"}
    assert extras >= ({" and sums", f" and sums, gradient of {name}"} if amp is None else {f", gradient of {name}"})


def test_tf32_is_an_option():
    batch = MODELS["mlp"][1]
    exact, rounded = (train("mlp", target="cuda-sim", check=["bounds"], **options)[1] for options in ({}, {"tf32": True}))
    assert exact != rounded
    np.testing.assert_allclose(exact, rounded, rtol=1e-2)
    with pytest.raises(raf.CompileError, match="tf32"):
        train("mlp", target="cpu", tf32=True)


def test_steps_become_graphs(monkeypatch):
    """The first runs as it is, the second is captured, all further ones replay it."""
    made, graphs = train("lenet", steps=5, target="cuda-sim", check=["bounds"])
    (program,) = (p for (training, *_), p in made._programs.items() if training)
    counts = program.executable.device_counts
    assert (counts["captures"], counts["replays"]) == (1, 4)
    assert len(program.executable.plans) > 0
    monkeypatch.setenv("RAF_CUDA_GRAPHS", "0")
    made, plain = train("lenet", steps=5, target="cuda-sim", check=["bounds"])
    (program,) = (p for (training, *_), p in made._programs.items() if training)
    assert program.executable.device_counts["captures"] == 0 and plain == graphs


def test_without_libraries_nothing_is_called():
    made, _ = train("lenet", steps=1, target="cuda-sim", libraries=(), check=["bounds"])
    (program,) = (p for (training, *_), p in made._programs.items() if training)
    assert program.manifest.raw["library_calls"] == 0


def test_a_library_of_another_target_is_refused():
    with pytest.raises(raf.CompileError, match="unknown library 'dnnl' for the target 'cuda-sim'.*Known: cublas, cudnn"):
        train("mlp", target="cuda-sim", libraries=("dnnl",))
