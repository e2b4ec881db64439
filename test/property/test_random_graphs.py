# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random graphs: optimized code computes what the reference level does, forward and gradient; gradients are those of finite differences; text survives
printing and parsing. The examples are the same in every run."""

import os

import numpy as np
import pytest
from execute.harness import Program, core

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, Phase, given, note, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from property.graphs import FEW_SIZES, LIBRARY_STEPS, LONG_STEPS, ODD_SIZES, graphs  # noqa: E402

#: A failing example is made small on request, with RAF_TEST_SHRINK=1: it takes minutes.
PHASES = [Phase.explicit, Phase.generate, *([Phase.shrink] if os.environ.get("RAF_TEST_SHRINK") == "1" else [])]
FIXED = {"derandomize": True, "deadline": None, "database": None, "suppress_health_check": list(HealthCheck), "phases": PHASES}
TYPES = {"f32": np.float32, "f64": np.float64}
#: Of the largest element of a result, or of 0.1 if that is smaller; of the loss, of the norm of what it sums.
RTOL = {"f32": 3e-5, "f64": 1e-11}


def arrays(graph, seed=0):
    rng = np.random.default_rng(seed)
    given = {n: rng.uniform(-1, 1, s).astype(TYPES[graph.dtype]) for n, s in graph.params.items()}
    # Also indices that are outside, which are clamped, and repeated ones.
    return given | {n: rng.integers(-1, size + 1, s) for n, (s, size) in graph.indices.items()}


def agree(actual, expected, rtol):
    assert set(actual) == set(expected)
    wrong = []
    norm = np.sqrt(sum(np.sum(np.square(v, dtype=np.float64)) for n, v in expected.items() if not n.startswith("grad:")))
    for name, value in expected.items():
        assert np.isfinite(value).all(), f"{name} is not finite at level 0"
        off = np.abs(actual[name] - value).max(initial=0)
        scale = max(norm if name == "loss" else np.abs(value).max(initial=0), 0.1)
        if not off <= rtol * scale:
            wrong.append(f"{name}: {off:.3g} off, largest {scale:.3g}")
    assert not wrong, "\n".join(wrong)


@settings(max_examples=50, **FIXED)
@given(st.sampled_from(["f32", "f32", "f64"]).flatmap(graphs), st.sampled_from([(), ("dnnl",)]))
def test_levels_agree(made, libraries):
    graph, text = made
    note(text)
    inputs = arrays(graph)
    expected = Program(text, ["raf-autodiff"], opt_level=0)(inputs)
    agree(Program(text, ["raf-autodiff"], libraries=list(libraries))(inputs), expected, RTOL[graph.dtype])


@settings(max_examples=int(os.environ.get("RAF_TEST_GRAPHS", "12")), **FIXED)
@given(graphs("f32", least=30, most=40, sizes=FEW_SIZES, steps=LONG_STEPS, recent=12))
def test_levels_agree_on_long_graphs(made):
    graph, text = made
    note(text)
    inputs = arrays(graph)
    expected = Program(text, opt_level=0)(inputs)
    for libraries in ([], ["dnnl"]):
        agree(Program(text, libraries=libraries)(inputs), expected, 1e-4)


#: How a step may be compiled; what `skip` names is left out.
SKIPS = ("raf-simplify", "raf-constant-fold", "raf-merge-products", "raf-layout", "raf-pack-weights", "raf-fuse", "raf-schedule", "raf-elide-copies", "raf-merge-launches")
CHOICES = st.fixed_dictionaries(
    {"opt_level": st.sampled_from([1, 2, 2]), "libraries": st.sampled_from([[], ["dnnl"], ["dnnl"]])},
    optional={"skip": st.lists(st.sampled_from(SKIPS), min_size=1, max_size=3, unique=True), "memory_slack": st.sampled_from([4, 100])},
)
UPDATES = ("optimizer=adamw epsilon=1e-4", "momentum=0.9 clip-norm=0.5", "guard=gradients", "weight-decay=0.1")


@settings(max_examples=int(os.environ.get("RAF_TEST_GRAPHS", "25")), **FIXED)
@given(graphs("f32", most=10, sizes=ODD_SIZES, steps=LIBRARY_STEPS, recent=4), CHOICES, st.sampled_from(UPDATES))
def test_options_change_no_step(made, options, update):
    """Whole steps of odd sizes, with the ops that libraries serve."""
    graph, text = made
    note(text), note(options), note(update)
    passes = ["raf-autodiff", f"raf-apply-optimizer{{{update}}}"]
    reference = Program(text, passes, opt_level=0)
    inputs = arrays(graph)
    for a in reference.manifest["args"]:
        if a["name"] not in inputs:
            inputs[a["name"]] = np.full(a["shape"], 0.01 if a["dtype"] == "f32" else 1, TYPES.get(a["dtype"], np.int64))
    expected = {name: value for name, value in reference(inputs).items() if value.dtype != np.bool_}
    found = {name: value for name, value in Program(text, passes, **options)(inputs).items() if value.dtype != np.bool_}
    agree(found, expected, 1e-3 if "adamw" in update else 1e-4)


@settings(max_examples=12, **FIXED)
@given(graphs("f64", smooth=True, most=6))
def test_gradients_are_those_of_differences(made):
    graph, text = made
    note(text)
    inputs = arrays(graph)
    program = Program(text, ["raf-autodiff"])
    results = program(inputs)
    rng = np.random.default_rng(1)
    for name, shape in graph.params.items():
        direction = rng.standard_normal(shape)
        step = 1e-5 / max(1.0, np.abs(direction).max())
        ends = [program(inputs | {name: inputs[name] + sign * step * direction})["loss"] for sign in (1, -1)]
        numeric = float(ends[0] - ends[1]) / (2 * step)
        slope = float(np.sum(results[f"grad:{name}"] * direction))
        scale = np.sqrt(np.sum(results[f"grad:{name}"] ** 2)) + 1.0
        assert abs(numeric - slope) <= 1e-6 * scale * max(1.0, abs(float(ends[0]))), f"{name}: {slope:.9g}, by differences {numeric:.9g}"


@settings(max_examples=100, **FIXED)
@given(st.sampled_from(["f32", "f64"]).flatmap(lambda dtype: graphs(dtype, most=12)), st.sampled_from([[], ["raf-autodiff"], ["raf-autodiff", "canonicalize", "cse"]]))
def test_text_survives_printing_and_parsing(made, passes):
    _, text = made
    note(text)
    once = core.run_pipeline(text, f"builtin.module({','.join(passes)})")
    assert core.run_pipeline(once, "builtin.module()") == once


@settings(max_examples=int(os.environ.get("RAF_TEST_GRAPHS", "30")), **FIXED)
@given(graphs("f32", smooth=True), st.sampled_from(["bf16", "f16"]), st.sampled_from([[], ["dnnl"]]))
def test_mixed_precision_stays_close(made, narrow, libraries):
    graph, text = made
    note(text)
    inputs = arrays(graph)
    expected = Program(text, ["raf-autodiff"], opt_level=0)(inputs)
    passes = ["raf-autodiff", "canonicalize", "cse", f"raf-auto-cast{{type={narrow}}}"]
    agree(Program(text, passes, libraries=libraries)(inputs), expected, {"bf16": 0.08, "f16": 0.01}[narrow])
