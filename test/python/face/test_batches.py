# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `step` and predictors accept and refuse."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import raf
from raf._arrays import as_array
from raf._batches import Slot, arrange


@pytest.fixture
def trainer(fake):
    return raf.compile(fake.model(), loss="cross_entropy", optimizer="sgd")


def test_ways_to_give_a_batch(fake):
    x, y = fake.data(8)
    losses = []
    for step in (
        lambda t: t.step(x, y),
        lambda t: t.step((x, y)),
        lambda t: t.step([x, y]),
        lambda t: t.step({"target": y, "x": x}),
        lambda t: t.step(target=y, x=x),
        lambda t: t.step(x, target=y),
    ):
        trainer = raf.compile(fake.model(), loss="cross_entropy", optimizer="sgd")
        losses.append((step(trainer), step(trainer)))
    assert all(a[0].shape == () and a == losses[0] for a in losses) and losses[0][0] > losses[0][1]


def test_all_problems_at_once(fake, trainer):
    x, y = fake.data(8)
    before = trainer.state_dict()
    with pytest.raises(raf.RuntimeError) as error:
        trainer.step({"x": x.astype(np.float64), "targets": y})
    text = str(error.value)
    assert "input 'x': expected float32[N, 6], got float64[8, 6]; convert it with .astype('float32')" in text
    assert "unknown name 'targets'; did you mean 'target'?" in text
    assert "target 'target' is missing; expected int64 or int32[N]" in text
    after = trainer.state_dict()
    assert all(np.array_equal(before["tensors"][n], after["tensors"][n]) for n in before["tensors"]) and after["metadata"] == before["metadata"]


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        (lambda x, y: (x[:, :5], y), r"expected float32\[N, 6\], got float32\[8, 5\]; axis 1 must be 6"),
        (lambda x, y: (x[0], y), r"for a batch of one add an axis"),
        (lambda x, y: (x, y[:7]), r"target 'target'.*N is 8 in 'x' and 7 here"),
        (lambda x, y: (x, y[:, None]), r"the number of axes differs"),
        (lambda x, y: (x, y.astype(np.float32)), r"expected int64 or int32\[N\], got float32\[8\]"),
        (lambda x, y: (x, y, y), r"3 arrays were given, but there are 2: x, target"),
        (lambda x, y: (x.tolist(), y), r"expected a numpy array or an object with DLPack, got list; make one with numpy.asarray"),
        (lambda x, y: (None, y), r"got NoneType"),
        (lambda x, y: (x.astype(">f4"), y), r"got >f4\[8, 6\]"),
    ],
)
def test_refused(fake, trainer, batch, message):
    x, y = fake.data(8)
    for _ in range(2):  # before and after a program exists
        with pytest.raises(raf.RuntimeError, match=message):
            trainer.step(*batch(x, y))
        trainer.step(x, y)


def test_label_types_and_sizes_get_programs_of_their_own(fake, trainer):
    x, y = fake.data(8)
    trainer.step(x, y)
    trainer.step(x, y.astype(np.int32))
    trainer.step(x[:5], y[:5])
    trainer.step(x, y)
    assert fake.Core.compiled == 3


def test_big_arrays_are_not_copied_and_small_ones_are_not_rebound(fake, trainer):
    x, y = fake.data(2048)
    trainer.step(x, y)
    program = trainer._current
    assert program.inputs[0].bound is x and program.inputs[1].staging is not None
    binds = program.executable.binds
    trainer.step(x, y)
    trainer.step(x, y.copy())
    assert program.executable.binds == binds
    x[0] += 1  # a changed array is seen: it is read where it is
    assert program.executable.bound["x"][0, 0] == x[0, 0]
    trainer.step(x.copy(), y)
    assert program.executable.binds == binds + 1


def test_arrays_that_are_not_contiguous(fake):
    x, y = fake.data(2048)
    wide = np.zeros((2048, 12), np.float32)
    wide[:, ::2] = x
    results = []
    for given in (x, wide[:, ::2], np.asfortranarray(x), x[::-1][::-1]):
        trainer = raf.compile(fake.model(), loss="cross_entropy", optimizer="sgd")
        results.append([float(trainer.step(given, y)) for _ in range(2)])
        results.append([float(trainer.step(given[:9], y[:9]))])
    assert results[2:] == results[:2] * 3


def test_dlpack_without_a_copy(fake):
    class Tensor:  # no ndarray, only the protocol
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    x, y = fake.data(8)
    assert np.shares_memory(as_array("x", Tensor(x)), x)
    results = [float(raf.compile(fake.model(), loss="cross_entropy", optimizer="sgd").step(a, b)) for a, b in ((x, y), (Tensor(x), Tensor(y)))]
    assert results[0] == results[1]


def test_dlpack_of_jax():
    jnp = pytest.importorskip("jax.numpy")
    for dtype, name in ((jnp.float32, "float32"), (jnp.bfloat16, "bfloat16"), (jnp.int32, "int32")):
        value = jnp.arange(6, dtype=dtype).reshape(2, 3)
        array = as_array("x", value)
        assert array.dtype.name == name and array.tolist() == [[0, 1, 2], [3, 4, 5]]
        assert array.ctypes.data == value.unsafe_buffer_pointer()


def test_devices_are_named():
    class OnGpu:
        def __dlpack__(self, **options):
            raise AssertionError

        def __dlpack_device__(self):
            return (2, 1)

    with pytest.raises(raf.RuntimeError, match="expected a tensor in CPU memory, got one on CUDA 1; copy it to the CPU first"):
        as_array("x", OnGpu())


@pytest.mark.parametrize("answer", [None, ZeroDivisionError()])
def test_devices_that_are_not_said(answer):
    class Broken:
        def __dlpack__(self, **options):
            raise AssertionError

        def __dlpack_device__(self):
            if answer is not None:
                raise answer

    with pytest.raises(raf.RuntimeError, match="x: the Broken does not say on which device it is"):
        as_array("x", Broken())


def test_bfloat16_of_ml_dtypes():
    slot = Slot("x", (np.dtype(ml_dtypes.bfloat16),), ("N",))
    array = np.zeros(3, ml_dtypes.bfloat16)
    assert arrange([slot], [array], {}, "batch")[0] is array
    with pytest.raises(raf.RuntimeError, match=r"expected bfloat16\[N\], got float32\[3\]; convert it with .astype\('bfloat16'\)"):
        arrange([slot], [np.zeros(3, np.float32)], {}, "batch")


def test_dense_labels_get_a_hint(fake, trainer):
    x, y = fake.data(8)
    with pytest.raises(raf.RuntimeError, match="number of axes|dense=True"):
        trainer.step(x, np.eye(3, dtype=np.int64)[y])


def test_predictor(fake):
    x, _ = fake.data(8)
    predictor = raf.compile(fake.model())
    out = predictor(x)
    assert out.shape == (8, 3) and np.array_equal(out, predictor(x=x)) and np.array_equal(out, predictor.run({"x": x})["scores"])
    first = predictor(x)
    predictor(x + 1)
    assert np.array_equal(first, out)  # results are the caller's
    with pytest.raises(raf.RuntimeError, match="unknown name 'y'"):
        predictor(y=x)
    with pytest.raises(raf.CompileError, match="no output 'score'; did you mean 'scores'"):
        raf.compile(fake.model(), outputs="score")


def test_fixed_and_free_batches(fake):
    x, y = fake.data(8)
    trainer = raf.compile(fake.model(batch=4), loss="cross_entropy", optimizer="sgd")
    assert fake.Core.compiled == 1  # everything is known: compiled at once
    with pytest.raises(raf.RuntimeError, match=r"expected float32\[4, 6\], got float32\[8, 6\]; axis 0 must be 4"):
        trainer.step(x, y)
    free = raf.compile(fake.model(batch=4), loss="cross_entropy", optimizer="sgd", free_batch=True)
    free.step(x, y)
    with pytest.warns(UserWarning, match="the last 3 of 7 samples are left out"):
        assert trainer.fit((x[:7], y[:7]), progress=False)[0]["step"] == 1


ANYTHING = st.one_of(
    st.none(),
    st.integers(),
    st.text(max_size=3),
    st.builds(
        lambda shape, dtype, order: np.zeros(shape, dtype, order),
        st.lists(st.sampled_from([0, 1, 3, 6, 8]), max_size=3),
        st.sampled_from(["f4", "f8", "f2", "i8", "i4", "u1", "?", "c8", "U3", "O", "M8[s]", ">f4", ml_dtypes.bfloat16]),
        st.sampled_from("CF"),
    ),
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    batch=st.lists(ANYTHING, max_size=3),
    named=st.dictionaries(st.sampled_from(["x", "target", "y", "", "x "]), ANYTHING, max_size=3),
    form=st.sampled_from([lambda b, n: (b, n), lambda b, n: ((tuple(b),), n), lambda b, n: ((n,), {}), lambda b, n: ((b, n), {})]),
)
def test_whatever_is_given_there_is_a_loss_or_one_error(trainer, batch, named, form):
    positional, keywords = form(batch, named)
    try:
        loss = trainer.step(*positional, **keywords)
    except raf.NonFiniteLossError:
        return  # of an empty batch
    except raf.RuntimeError as error:
        assert "does not fit" in str(error) or "expected" in str(error)
    else:
        assert loss.shape == ()
