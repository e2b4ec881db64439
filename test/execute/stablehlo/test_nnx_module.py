# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A transformer of flax.nnx, stored as nnx/generate.py wrote it, so that neither Flax nor JAX is needed: five steps give JAX's losses, whether RAF differentiates the loss function
or runs JAX's own train step. (test/python/stablehlo/test_nnx.py takes the module itself, where Flax is installed.)"""

import gzip
import pathlib

import numpy as np
import raf

HERE = pathlib.Path(__file__).with_name("nnx")
VALUES = dict(np.load(HERE / "values.npz"))
PARAMS = {n: a for n, a in VALUES.items() if n.startswith("arg")}


def program(name):
    return gzip.decompress((HERE / f"{name}.mlir.gz").read_bytes()).decode()


def test_the_loss_function():
    trainer = raf.compile(raf.import_stablehlo(program("loss"), params=PARAMS), loss="output", optimizer=raf.optim.SGD(0.5))
    np.testing.assert_allclose([float(trainer.step(VALUES["tokens"], VALUES["y"])) for _ in range(5)], VALUES["losses"], rtol=1e-4)


def test_the_train_step_of_jax():
    run = raf.compile(raf.import_stablehlo(program("step")))
    params, losses = [PARAMS[f"arg{i}"] for i in range(len(PARAMS))], []
    for _ in range(5):
        value, *params = run(*params, VALUES["tokens"], VALUES["y"])
        losses.append(float(value))
    np.testing.assert_allclose(losses, VALUES["losses"], rtol=1e-4)
