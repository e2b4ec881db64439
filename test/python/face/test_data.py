# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import io
import zipfile

import numpy as np
import pytest

import raf
from raf.data import load_npz, match_arrays, split


@pytest.fixture
def arrays():
    return np.arange(20).reshape(10, 2), np.arange(10)


def test_batches_cover_the_data(arrays):
    loader = raf.ArrayLoader(arrays, 4)
    batches = list(loader)
    assert [len(y) for _, y in batches] == [4, 4, 2] and len(loader) == 3
    assert np.array_equal(np.concatenate([x for x, _ in batches]), arrays[0])
    assert [len(b["y"]) for b in raf.ArrayLoader({"x": arrays[0], "y": arrays[1]}, 4, drop_last=True)] == [4, 4]


def test_unshuffled_batches_are_views(arrays):
    x, _ = next(iter(raf.ArrayLoader(arrays, 4)))
    assert np.shares_memory(x, arrays[0])


def test_shuffling_depends_on_seed_and_epoch_only(arrays):
    def epochs(seed, count=3):
        loader = raf.ArrayLoader(arrays, 4, shuffle=True, seed=seed)
        return [np.concatenate([y for _, y in loader]).tolist() for _ in range(count)]

    first = epochs(1)
    assert first == epochs(1) and first != epochs(2)
    assert len({tuple(e) for e in first}) == 3 and all(sorted(e) == list(range(10)) for e in first)


@pytest.mark.parametrize("done", range(8))
def test_goes_on_where_another_was(arrays, done):
    def walk(loader, count):
        out = []
        while True:
            for _, y in loader:
                out.append(y.tolist())
                if len(out) == count:
                    return out

    whole = walk(raf.ArrayLoader(arrays, 4, shuffle=True), 9)
    loader = raf.ArrayLoader(arrays, 4, shuffle=True)
    first = walk(loader, done) if done else []
    other = raf.ArrayLoader(arrays, 4, shuffle=True)
    other.load_state_dict(loader.state_dict())
    assert first + walk(other, 9 - done) == whole


def test_positions_are_counts(arrays):
    loader = raf.ArrayLoader(arrays, 4)
    state = loader.state_dict()
    for position in (True, -1, 1.0, None):
        with pytest.raises(raf.RuntimeError, match="not where a loader of arrays was"):
            loader.load_state_dict({**state, "position": position})
    loader.load_state_dict({**state, "position": np.int64(1)})
    assert loader.position == 1 and type(loader.position) is int


def test_another_order_is_refused(arrays):
    state = raf.ArrayLoader(arrays, 4, shuffle=True, seed=1).state_dict()
    with pytest.raises(raf.RuntimeError, match=r"batch_size was 4, now 5(.|\n)*seed was 1, now 0"):
        raf.ArrayLoader(arrays, 5, shuffle=True).load_state_dict(state)


def test_npz(tmp_path, arrays):
    np.savez(tmp_path / "d.npz", x=arrays[0], y=arrays[1])
    assert list(load_npz(tmp_path / "d.npz")) == ["x", "y"]
    (tmp_path / "half.npz").write_bytes((tmp_path / "d.npz").read_bytes()[:100])
    np.save(tmp_path / "one.npy", arrays[0])
    np.savez(tmp_path / "object.npz", x=np.array([{}], dtype=object))
    for name, message in {"none.npz": "no file", "half.npz": "cannot be read", "one.npy": "holds one array", "object.npz": "cannot be read"}.items():
        with pytest.raises(raf.RuntimeError, match=message):
            load_npz(tmp_path / name)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_damaged_npz(tmp_path, arrays, save):
    """Whatever zip and zlib raise for one byte that is another, or half of the file, it is an error of RAF, or the arrays are read."""
    whole, damaged = tmp_path / "whole.npz", tmp_path / "damaged.npz"
    save(whole, x=arrays[0], y=arrays[1])
    data = whole.read_bytes()
    rng = np.random.default_rng(0)
    refused = 0
    for at in range(len(data)):
        damaged.write_bytes(data[:at] if at % 8 == 0 else data[:at] + bytes([data[at] ^ rng.integers(1, 256)]) + data[at + 1 :])
        try:
            load_npz(damaged)
        except raf.RuntimeError as error:
            refused += "cannot be read as .npz" in str(error)
    assert refused > len(data) / 4


def test_npz_of_what_is_no_array_or_none_that_fits(tmp_path):
    path = tmp_path / "a.npz"
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (1 << 50,)})
    for name, content, message in (("notes.txt", b"text", "'notes.txt' is no array"), ("x.npy", header.getvalue(), "cannot be read as .npz: Unable to allocate")):
        with zipfile.ZipFile(path, "w") as file:
            file.writestr(name, content)
        with pytest.raises(raf.RuntimeError, match=message):
            load_npz(path)


def test_matching_names(arrays):
    x, y = arrays
    assert list(match_arrays({"y": y, "x": x}, ["image"], ["target"], "f")) == ["image", "target"]
    assert match_arrays({"a": x, "b": y}, ["image"], ["target"], "f")["target"] is y
    both = match_arrays({"mask": y, "ids": x, "labels": y}, ["ids", "mask"], ["target"], "f")
    assert both["ids"] is x and both["target"] is y
    with pytest.raises(raf.RuntimeError, match="no array 'ids'; did you mean 'id'"):
        match_arrays({"id": x, "mask": x, "y": y}, ["ids", "mask"], ["target"], "data.npz")


def test_split():
    arrays = {"x": np.arange(100)}
    first, second = split(arrays, 0.2)
    assert len(second["x"]) == 20 and sorted([*first["x"], *second["x"]]) == list(range(100))
    assert np.array_equal(second["x"], split(arrays, 0.2)[1]["x"])
    with pytest.raises(raf.RuntimeError, match="empty"):
        split(arrays, 0.001)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: raf.ArrayLoader(()), "no arrays"),
        (lambda: raf.ArrayLoader((np.zeros(3), np.zeros(4))), "same number of samples"),
        (lambda: raf.ArrayLoader((np.zeros(()),)), "same number of samples"),
        (lambda: raf.ArrayLoader((np.zeros(3),), 0), "at least 1"),
        (lambda: raf.ArrayLoader((np.zeros(3),), 4, drop_last=True), "no batch of 4"),
    ],
)
def test_errors(make, message):
    with pytest.raises(raf.RuntimeError, match=message):
        make()
