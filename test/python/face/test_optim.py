# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizer options, schedules, and the texts that choose them."""

import json
import math

import numpy as np
import pytest

import raf
from raf import optim
from raf.optim import parse_schedule


def test_constant_and_numbers():
    assert raf.optim.SGD(0.1).lr(0) == raf.optim.SGD(optim.Constant(0.1)).lr(10**6) == 0.1


def test_step():
    schedule = optim.Step(1.0, every=10, gamma=0.5)
    assert [schedule(n) for n in (0, 9, 10, 19, 20)] == [1, 1, 0.5, 0.5, 0.25]
    assert [optim.Step(1.0, (3, 5))(n) for n in (2, 3, 4)] == [1, 0.1, 0.1]
    assert optim.Step(1.0, (3, 5))(5) == pytest.approx(0.01)


def test_exponential():
    assert optim.Exponential(1.0, 0.9, every=2)(4) == pytest.approx(0.81)


def test_linear_and_cosine():
    assert [optim.Linear(1.0, 0.0, 4)(n) for n in (0, 1, 4, 9)] == [1, 0.75, 0, 0]
    cosine = optim.Cosine(1.0, 100, end=0.2)
    assert cosine(0) == 1 and cosine(50) == pytest.approx(0.6) and cosine(100) == cosine(500) == pytest.approx(0.2)


def test_one_cycle():
    schedule = optim.OneCycle(1.0, 100, warm=0.25)
    assert schedule(0) == pytest.approx(1 / 25) and schedule(25) == pytest.approx(1) and schedule(100) == pytest.approx(1 / 25e4)
    rates = [schedule(n) for n in range(101)]
    assert rates[:26] == sorted(rates[:26]) and rates[25:] == sorted(rates[25:], reverse=True)


def test_warmup_multiplies():
    schedule = optim.Warmup(0.8, 4)
    assert [schedule(n) for n in range(6)] == pytest.approx([0.2, 0.4, 0.6, 0.8, 0.8, 0.8])
    assert optim.Warmup(optim.Cosine(1.0, 10), 5)(9) == optim.Cosine(1.0, 10)(9)


def test_sequential_restarts_each_part():
    schedule = optim.Sequential([(optim.Linear(0.0, 1.0, 10), 10), (0.5, 5), (optim.Exponential(1.0, 0.5), 0)])
    assert [schedule(n) for n in (0, 9, 10, 14, 15, 17)] == pytest.approx([0, 0.9, 0.5, 0.5, 1, 0.25])


def test_function():
    assert optim.SGD(lambda n: 1 / (n + 1)).lr(3) == 0.25


def test_lr_is_replaced_at_any_time():
    optimizer = optim.AdamW(1e-3)
    optimizer.lr = optim.Constant(1e-4)
    assert optimizer.lr(5) == 1e-4


def test_config_is_json_and_names_functions():
    config = optim.SGD(optim.Warmup(math.sqrt, 3), momentum=0.9).config()
    assert config["lr"]["then"] == {"schedule": "Function", "function": "sqrt"} and config["constants"]["momentum"] == 0.9


@pytest.mark.parametrize(
    ("optimizer", "text"),
    [
        (optim.SGD(0.1, momentum=0.9, nesterov=True), "optimizer=sgd momentum=0.9 nesterov=true weight-decay=0.0"),
        (optim.Adam(), "optimizer=adam beta1=0.9 beta2=0.999 epsilon=1e-08 weight-decay=0.0"),
        (optim.SGD(clip_norm=1), "optimizer=sgd momentum=0.0 nesterov=false weight-decay=0.0 clip-norm=1.0"),
        (optim.AdamW(), "optimizer=adamw beta1=0.9 beta2=0.999 epsilon=1e-08 weight-decay=0.01"),
    ],
)
def test_pass_options(optimizer, text):
    assert optimizer.pass_options() == text


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: optim.SGD(-1.0), "lr must be finite and not negative"),
        (lambda: optim.SGD(math.nan), "lr must be finite"),
        (lambda: optim.SGD("fast"), "expected a number, a raf.optim schedule or a function"),
        (lambda: optim.SGD(nesterov=True), "nesterov needs a momentum"),
        (lambda: optim.Adam(beta1=1.0), r"beta1 must be in \[0, 1\)"),
        (lambda: optim.AdamW(weight_decay=-1), "weight_decay must be finite and not negative"),
        (lambda: optim.SGD(clip_norm=0), "clip_norm must be finite and above 0, or None, got 0"),
        (lambda: optim.Adam(clip_norm=math.inf), "clip_norm must be finite"),
        (lambda: optim.SGD(momentum="0.9"), "SGD: momentum must be a number, got '0.9'"),
        (lambda: optim.SGD(momentum=True), "SGD: momentum must be a number, got True"),
        (lambda: optim.SGD(momentum=10**400), "SGD: momentum must be a number of ordinary size"),
        (lambda: optim.SGD(momentum=0.9, nesterov="no"), "SGD: nesterov must be True or False, got 'no'"),
        (lambda: optim.Adam(beta2=None), "Adam: beta2 must be a number, got None"),
        (lambda: optim.AdamW(weight_decay=[0.1]), r"AdamW: weight_decay must be a number, got \[0.1\]"),
        (lambda: optim.SGD(clip_norm="1"), "SGD: clip_norm must be a number, got '1'"),
        (lambda: optim.SGD(no_decay=[1]), r"SGD: no_decay: expected a string or a sequence of strings, got \[1\]"),
        (lambda: optim.SGD(no_decay=None), "SGD: no_decay: expected a string"),
        (lambda: optim.Cosine("1", 10), "Cosine: lr must be a number, got '1'"),
        (lambda: optim.Cosine(1.0, 2.5), "Cosine: steps must be an integer of 64 bits, got 2.5"),
        (lambda: optim.Step(1.0, "x"), "Step: every must be an integer of 64 bits, got 'x'"),
        (lambda: optim.Step(1.0, (3, 2.5)), "Step: every must be an integer of 64 bits, got 2.5"),
        (lambda: optim.Step(1.0, 0), "Step: every must be positive, got 0"),
        (lambda: optim.Warmup(1.0, None), "Warmup: steps must be an integer of 64 bits, got None"),
        (lambda: optim.Sequential([(1.0, "3")]), "Sequential: a number of steps must be an integer of 64 bits, got '3'"),
        (lambda: optim.resolve("adamv"), "unknown optimizer 'adamv'; did you mean 'adam"),
        (lambda: optim.resolve(3), "expected a name or a raf.optim optimizer"),
        (lambda: optim.Cosine(1.0, 0), "steps must be positive"),
        (lambda: optim.Sequential([]), "at least one"),
        (lambda: parse_schedule("cosin", 1, 1), "did you mean 'cosine'"),
        (lambda: parse_schedule("step", 1, 1), "every must be given"),
        (lambda: parse_schedule("step:ever=2", 1, 1), "did you mean 'every'"),
        (lambda: parse_schedule("step:every=x", 1, 1), "every needs a number"),
    ],
)
def test_errors(make, message):
    with pytest.raises(raf.CompileError, match=message):
        make()


def test_numbers_of_numpy_are_numbers():
    """They are written into checkpoints, as JSON."""
    plain = optim.SGD(optim.Step(0.5, (2, 3), gamma=0.25), momentum=0.5, nesterov=True, clip_norm=2.0, weight_decay=0.25)
    made = optim.SGD(
        optim.Step(np.float32(0.5), np.array([2, 3]), gamma=np.float64(0.25)), momentum=np.float32(0.5), nesterov=np.bool_(True), clip_norm=np.int32(2), weight_decay=np.float16(0.25)
    )
    assert json.dumps(made.config()) == json.dumps(plain.config()) and made.pass_options() == plain.pass_options()
    assert optim.Adam(np.float32(0.5)).lr(0) == optim.Cosine(np.float32(0.5), np.int64(4))(0) == 0.5
    assert json.dumps(optim.Warmup(np.float32(0.5), np.int64(4)).config()) == json.dumps(optim.Warmup(0.5, 4).config())


def test_no_decay_chooses_names():
    optimizer = optim.AdamW(no_decay=("*.bias", "norm*"))
    assert optimizer.pass_options(["fc.weight", "fc.bias", "norm.weight"]).endswith(" no-decay=fc.bias,norm.weight")
    assert "no-decay" not in optim.SGD(no_decay="*.bias").pass_options(["fc.bias"])
    with pytest.raises(raf.CompileError, match="no parameter matches 'norm"):
        optimizer.pass_options(["fc.weight", "fc.bias"])


def test_parse_schedule():
    assert parse_schedule("constant", 0.1, 50) == optim.Constant(0.1)
    assert parse_schedule("cosine", 0.1, 50) == optim.Cosine(0.1, 50)
    assert parse_schedule("cosine:end=0.01,warmup=5", 0.1, 50) == optim.Warmup(optim.Cosine(0.1, 50, 0.01), 5)
    assert parse_schedule("step:every=10,gamma=0.5", 0.1, 50) == optim.Step(0.1, 10, 0.5)
    assert parse_schedule("linear", 0.1, 50) == optim.Linear(0.1, 0.0, 50)
    assert parse_schedule("one_cycle", 0.1, 50) == optim.OneCycle(0.1, 50)
