# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated matrix products against numpy: any size, transposed operands, batches, all element types, and the ops that share their kernel."""

import numpy as np
import pytest
import raf
from execute import harness
from hypothesis import given, settings
from hypothesis import strategies as st

#: Of the largest element.
TOLERANCE = {"f64": 1e-13, "f32": 2e-6, "bf16": 1e-2, "f16": 1e-3}


def product(dtype, m, n, k, flip_a, flip_b, batch=(), after="", result="%0"):
    """A module of one matmul and what follows it."""
    dims = lambda *sizes: f"tensor<{''.join(f'{d}x' for d in (*batch, *sizes))}{dtype}>"  # noqa: E731
    a, b, y = dims(*((k, m) if flip_a else (m, k))), dims(*((n, k) if flip_b else (k, n))), dims(m, n)
    flags = ("transpose_lhs " if flip_a else "") + ("transpose_rhs " if flip_b else "")
    return f"""
    func.func @main(%a: {a} {{raf.role = "input", raf.name = "a"}}, %b: {b} {{raf.role = "input", raf.name = "b"}}) -> ({y} {{raf.name = "y"}}) {{
      %0 = raf.matmul %a, %b {flags}: {a}, {b} -> {y}
      {after.replace("TYPE", y)}
      return {result} : {y}
    }}"""


def operands(dtype, m, n, k, flip_a, flip_b, batch=()):
    rng = np.random.default_rng(m * 7 + n * 3 + k)
    shapes = (*batch, *((k, m) if flip_a else (m, k))), (*batch, *((n, k) if flip_b else (k, n)))
    return {name: rng.standard_normal(shape).astype(harness.DTYPES[dtype]) for name, shape in zip("ab", shapes)}


def expected(given, flip_a, flip_b):
    a, b = (given[name].astype(np.float64) for name in "ab")
    return np.matmul(np.swapaxes(a, -1, -2) if flip_a else a, np.swapaxes(b, -1, -2) if flip_b else b)


def close(actual, wanted, dtype):
    np.testing.assert_allclose(actual.astype(np.float64), wanted, rtol=0, atol=TOLERANCE[dtype] * max(np.abs(wanted).max(), 1.0))


#: A simulated device takes some 50 ns for each access.
LARGEST = 200 if harness.TARGET == "cpu" else 70
SIZES = st.one_of(st.integers(1, 40), st.integers(1, LARGEST))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(TOLERANCE)), SIZES, SIZES, SIZES, st.booleans(), st.booleans(), st.sampled_from([(), (3,), (2, 2)]), st.sampled_from([1, 2]))
def test_any_size(dtype, m, n, k, flip_a, flip_b, batch, threads):
    given_ = operands(dtype, m, n, k, flip_a, flip_b, batch)
    actual = harness.Program(product(dtype, m, n, k, flip_a, flip_b, batch), num_threads=threads)(given_)["y"]
    close(actual, expected(given_, flip_a, flip_b), dtype)


@pytest.mark.cpu_only("widths of the CPU's vectors")
@pytest.mark.parametrize("bits", [128, 256])
@pytest.mark.parametrize(("flip_a", "flip_b"), [(False, False), (False, True), (True, False), (True, True)])
def test_narrower_vectors(bits, flip_a, flip_b):
    """The code for other CPUs, which this one runs too."""
    m, n, k = 67, 93, 301  # the depth in several parts
    given_ = operands("f32", m, n, k, flip_a, flip_b)
    passes = (
        "builtin.module(raf-decompose-ops,raf-convert-to-linalg,canonicalize,cse,func.func(raf-fuse),raf-outline-kernels,canonicalize,raf-inplace,raf-bufferize-host,"
        f"raf-specialize-kernels,raf-plan-memory,raf-tile-kernels{{vector-bits={bits} l1-bytes=8192 l2-bytes=65536}},canonicalize,cse,raf-lower-kernels,raf-lower-host)"
    )
    actual = harness.Program(product("f32", m, n, k, flip_a, flip_b), pipeline=passes)(given_)["y"]
    close(actual, expected(given_, flip_a, flip_b), "f32")


@pytest.mark.cpu_only("threads that share a kernel")
def test_results_do_not_depend_on_threads():
    given_ = operands("f32", 300, 200, 700, False, True)
    one, two = (harness.Program(product("f32", 300, 200, 700, False, True), num_threads=threads)(given_)["y"] for threads in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_infinities_and_nan_stay_where_they_are():
    """What pads blocks at the edge does not reach the result."""
    given_ = operands("f32", 17, 19, 23, False, False)
    given_["a"][16, 3] = np.inf
    given_["b"][5, 18] = np.nan
    actual = harness.Program(product("f32", 17, 19, 23, False, False))(given_)["y"]
    assert np.isnan(actual[:, 18]).all() and np.isinf(actual[16, :18]).all() and np.isfinite(actual[:16, :18]).all()


LARGE = [("f32", 1031, 517, 33), ("bf16", 700, 801, 70), ("f32", 64, 8207, 300)] if harness.TARGET == "cpu" else [("f32", 131, 117, 33), ("bf16", 70, 201, 70), ("f32", 64, 307, 100)]


@pytest.mark.parametrize(("dtype", "m", "n", "k"), LARGE)
def test_what_follows(dtype, m, n, k):
    """Activation, product and residual in the kernel of a large product; its own value is wanted too."""
    given_ = operands(dtype, m, n, k, False, True)
    after = "%1 = raf.relu %0 : TYPE\n %2 = raf.mul %0, %1 : TYPE\n %3 = raf.add %2, %0 : TYPE"
    program = harness.Program(product(dtype, m, n, k, False, True, after=after, result="%3"))
    assert len(program.manifest["kernels"]) == 1
    y = expected(given_, False, True)
    wanted = y * np.maximum(y, 0) + y
    np.testing.assert_allclose(program(given_)["y"].astype(np.float64), wanted, rtol=0, atol={"f32": 5e-6, "bf16": 3e-2}[dtype] * max(np.abs(wanted).max(), 1.0))


@pytest.mark.cpu_only("an instruction of CPUs that adds products of pairs")
@pytest.mark.parametrize(("flip_a", "flip_b"), [(False, False), (False, True), (True, False), (True, True)])
@pytest.mark.parametrize(("m", "n", "k", "batch"), [(67, 93, 301, ()), (33, 16, 5, (2,)), (15, 130, 64, ()), (5, 7, 131, (3,))])
def test_pairs_of_bf16(m, n, k, batch, flip_a, flip_b):
    """The code for CPUs that add products of pairs, with that instruction written out: packing and edges run anywhere."""
    given_ = operands("bf16", m, n, k, flip_a, flip_b, batch)
    passes = (
        "builtin.module(raf-decompose-ops,raf-convert-to-linalg,canonicalize,cse,func.func(raf-fuse),raf-outline-kernels,canonicalize,raf-inplace,raf-bufferize-host,"
        "raf-specialize-kernels,raf-plan-memory,raf-tile-kernels{vector-bits=512 l1-bytes=8192 l2-bytes=65536 bf16-dot=emulated},canonicalize,cse,raf-lower-kernels,raf-lower-host)"
    )
    actual = harness.Program(product("bf16", m, n, k, flip_a, flip_b, batch), pipeline=passes)(given_)["y"]
    close(actual, expected(given_, flip_a, flip_b), "bf16")


@pytest.mark.cpu_only("an instruction of CPUs that adds products of pairs")
def test_pairs_keep_infinities_where_they_are():
    """The zero that an odd depth is paired with does not meet an infinity."""
    given_ = operands("bf16", 17, 19, 23, False, False)
    given_["a"][16, 22] = np.inf
    given_["b"][22, 18] = np.nan
    passes = (
        "builtin.module(raf-decompose-ops,raf-convert-to-linalg,canonicalize,cse,func.func(raf-fuse),raf-outline-kernels,canonicalize,raf-inplace,raf-bufferize-host,"
        "raf-specialize-kernels,raf-plan-memory,raf-tile-kernels{vector-bits=512 bf16-dot=emulated},canonicalize,cse,raf-lower-kernels,raf-lower-host)"
    )
    actual = harness.Program(product("bf16", 17, 19, 23, False, False), pipeline=passes)(given_)["y"].astype(np.float32)
    assert np.isnan(actual[:, 18]).all() and np.isinf(actual[16, :18]).all() and np.isfinite(actual[:16, :18]).all()


@pytest.mark.cpu_only("blocks of the CPU's products")
@pytest.mark.parametrize("blocks", ["narrow", "wide", "deep"])
@pytest.mark.parametrize(("m", "n", "k"), [(67, 93, 1301), (5, 300, 64), (130, 7, 33)])
def test_blocks_change_no_bit(m, n, k, blocks):
    """Each element is summed in the order of its depth, whatever the blocks are."""
    given_ = operands("f32", m, n, k, False, True)
    own = harness.Program(product("f32", m, n, k, False, True))(given_)["y"]
    named = product("f32", m, n, k, False, True).replace("transpose_rhs", f'transpose_rhs {{raf.blocks = "{blocks}"}}')
    for program in (harness.Program(named), harness.Program(product("f32", m, n, k, False, True), blocks=blocks)):
        np.testing.assert_array_equal(program(given_)["y"], own)


@pytest.mark.cpu_only("blocks of the CPU's products")
def test_unknown_blocks():
    with pytest.raises(raf.CompileError, match="blocks must be one of narrow, wide, deep, got 'broad'"):
        harness.Program(product("f32", 64, 64, 64, False, False), blocks="broad")
    with pytest.raises(raf.CompileError, match="raf.blocks: blocks must be one of"):
        harness.Program(product("f32", 64, 64, 64, False, True).replace("transpose_rhs", 'transpose_rhs {raf.blocks = "broad"}'))
