# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small versions of the example models with a batch each, and trainers for them. All tests of them share one folder of compiled programs: what one
has compiled the others load."""

import functools
import os
import tempfile

import numpy as np
import raf
import raf.examples
from execute.harness import TARGET

#: Arguments of the models in raf.examples.
SMALL = {
    "digits_mlp": {},
    "digits_cnn": {},
    "cnn": {"size": 12},
    "lenet": {},
    "resnet18": {"size": 32, "width": 8, "classes": 10},
    "mobilenet": {"size": 32},
    "bert": {},
    "gpt": {"layers": 2, "width": 32, "heads": 4, "hidden": 64, "vocabulary": 50, "time": 8},
    "lstm": {"inputs": 6, "hidden": 8, "time": 5},
    "gru": {"inputs": 6, "hidden": 8, "time": 5, "bidirectional": True},
    "rnn": {"inputs": 6, "hidden": 8, "time": 5},
}
if TARGET != "cpu":
    # A simulated device takes some 50 ns for each access of a kernel.
    SMALL["resnet18"] = {"size": 32, "width": 4, "classes": 10}
#: Rounding decides now and then on which side of 0 a value before ReLU lies. Where a late stage has few pixels one such value changes gradients by a few
#: percent; with short steps and enough samples losses and parameters can be compared none the less.
DEEP = ("resnet18", "mobilenet")
OPTIMIZERS = {
    "sgd": lambda lr=0.05: raf.optim.SGD(lr, momentum=0.9, weight_decay=1e-3),
    # The epsilon keeps elements whose gradient is nothing but rounding errors, such as the bias of keys, from moving as far as all others.
    "adamw": lambda lr=1e-3: raf.optim.AdamW(lr, epsilon=1e-4),
}


@functools.cache
def proto(name):
    return raf.examples.MODELS[name](**SMALL[name])


def batch(name, seed=0):
    """Arrays for one step: the inputs, then labels."""
    rng = np.random.default_rng(seed)
    size = rows = 16 if name in DEEP else 4
    arrays = []
    for spec in raf.import_onnx(proto(name)).inputs:
        shape = [size if isinstance(d, str) else d for d in spec.dims]
        if spec.name == "attention_mask":
            arrays.append((np.arange(shape[1]) < rng.integers(1, shape[1] + 1, (size, 1))).astype(np.int64))
        elif spec.dtype == np.int64:
            arrays.append(rng.integers(0, 50, shape))
        else:
            arrays.append(rng.standard_normal(shape).astype(np.float32))
        if name == "gpt":
            rows = size * shape[1]
    return [*arrays, rng.integers(0, 3, rows)]


@functools.cache
def folder():
    kept = tempfile.TemporaryDirectory()
    folder.kept = kept  # removed at exit
    return kept.name


def trainer(name, optimizer="adamw", opt_level=2, libraries=("dnnl",), **options):
    """A trainer of a small model whose programs come from the shared folder."""
    if isinstance(optimizer, str):
        optimizer = OPTIMIZERS[optimizer]()
        if name in DEEP:
            optimizer.lr = optimizer.lr(0) / 500
    if options.get("target", TARGET) != "cpu":
        # The libraries of the target in place of the CPU's.
        libraries = None if libraries else ()
        options = {"target": TARGET, **options}
    made = raf.compile(raf.import_onnx(proto(name)), loss="cross_entropy", optimizer=optimizer, opt_level=opt_level, libraries=libraries, lazy=True, **options)
    inputs = batch(name)[:-1]
    before = os.environ.get("RAF_CACHE_DIR")
    os.environ["RAF_CACHE_DIR"] = folder()
    try:
        made.program({spec.name: array.shape for spec, array in zip(made.model.inputs, inputs)})
    finally:
        if before is None:
            del os.environ["RAF_CACHE_DIR"]
        else:
            os.environ["RAF_CACHE_DIR"] = before
    return made


def executable(made):
    """The one training program that a trainer has."""
    (program,) = (p for (training, *_), p in made._programs.items() if training)
    return program.executable


def state(made):
    """Copies of every tensor of a trainer."""
    return made.state_dict()["tensors"]


def run(made, steps, name, seed=0):
    """The losses of steps on batches of their own."""
    return np.array([made.step(*batch(name, seed + i)) for i in range(steps)])
