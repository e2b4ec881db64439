# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What libraries have chosen for plans is kept on disk, and damaged files are as if they were not there."""

from __future__ import annotations

import numpy as np
import pytest
import raf_cuda as C
import raf_rt as R
from test_convolution import make


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("RAF_CACHE_DIR", str(tmp_path / "a" / "b"))
    return tmp_path / "a" / "b" / "plans"


def files(folder):
    return sorted(folder.iterdir()) if folder.exists() else []


def needs_workspace(sim, words, arrays):
    """Whether the plan's engine works in memory, as only some of the stand-in's do."""
    plan, addresses = sim.create(C.CONV, words), [sim.upload(x) for x in arrays]
    try:
        sim.execute(plan, [*addresses, None])
    except R.RuntimeFailure as failure:
        assert "the workspace is NULL" in str(failure)
        return True
    sim.synchronize()
    return False


DAMAGES = {
    "empty": lambda content: b"",
    "cut off": lambda content: content[:-1],
    "one bit": lambda content: content[:-20] + bytes([content[-20] ^ 1]) + content[-19:],
    "of other words": lambda content: content.replace(b": 102 ", b": 103 "),
    "no text": lambda content: b"\xff" * 100,
}


@pytest.mark.parametrize("name", [None, *DAMAGES])
def test_an_engine_of_cudnn(sim, rng, monkeypatch, folder, name):
    src, weights, dst, _, words, _ = make(rng, "3x3")
    arrays = (src, weights, dst)
    monkeypatch.setenv("RAF_SIM_CUDNN_ENGINES", "plain")
    assert not needs_workspace(sim, words, arrays)
    monkeypatch.setenv("RAF_SIM_CUDNN_ENGINES", "workspace,plain")  # by itself the library now proposes the former
    (path,) = files(folder)
    content = path.read_bytes()
    if name is None:
        assert not needs_workspace(sim, words, arrays)
        assert path.read_bytes() == content
    else:
        path.write_bytes(DAMAGES[name](content))
        assert needs_workspace(sim, words, arrays)
        (path,) = files(folder)
        assert path.read_bytes() != content and path.read_bytes().startswith(b"RAFPLAN1libcudnn.so.9 91700 ")


def test_an_engine_that_the_library_no_longer_has(sim, rng, monkeypatch, folder):
    src, weights, dst, _, words, _ = make(rng, "3x3")
    monkeypatch.setenv("RAF_SIM_CUDNN_ENGINES", "plain")
    assert not needs_workspace(sim, words, (src, weights, dst))
    monkeypatch.setenv("RAF_SIM_CUDNN_ENGINES", "workspace")
    assert needs_workspace(sim, words, (src, weights, dst))


def test_algorithms_of_cublaslt(sim, rng, folder):
    """A file is read for the very product, not written again, and replaced where the library does not take what it holds."""
    words = C.matmul(*(np.zeros((8, 8), np.float32) for _ in range(3)))
    sim.create(C.MATMUL, words)
    (first,) = files(folder)
    inode = first.stat().st_ino
    sim.create(C.MATMUL, words)
    assert first.stat().st_ino == inode
    sim.create(C.MATMUL, C.matmul(*(np.zeros((16, 16), np.float32) for _ in range(3))))
    (second,) = set(files(folder)) - {first}
    # The algorithm of one under the key of the other, with its own hash: well written, and wrong.
    key, algorithm = second.read_bytes().split(b"\n", 1)[0], first.read_bytes().split(b"\n", 1)[1][:64]
    content = key + b"\n" + algorithm
    value = 1469598103934665603
    for byte in content:
        value = (value ^ byte) * 1099511628211 % 2**64
    second.write_bytes(content + b"%016x" % value)
    planted = second.read_bytes()
    sim.create(C.MATMUL, C.matmul(*(np.zeros((16, 16), np.float32) for _ in range(3))))
    assert second.read_bytes() != planted and not [path for path in files(folder) if "." in path.name]


def test_without_a_folder_nothing_is_kept(sim, rng, folder, monkeypatch):
    monkeypatch.setenv("RAF_CACHE_DIR", "")
    sim.create(C.MATMUL, C.matmul(*(np.zeros((8, 8), np.float32) for _ in range(3))))
    monkeypatch.setenv("RAF_CACHE_DIR", "/proc/nowhere")
    sim.create(C.MATMUL, C.matmul(*(np.zeros((8, 8), np.float32) for _ in range(3))))
    assert files(folder) == []
