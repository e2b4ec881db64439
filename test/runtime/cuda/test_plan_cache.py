# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What libraries have chosen for plans is kept on disk, and damaged files are as if they were not there."""

from __future__ import annotations

import re
import threading

import numpy as np
import pytest
import raf_cuda as C
import raf_rt as R
from test_cudnn_convolution import make


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


def signed(content):
    """With the hash of what goes before."""
    value = 1469598103934665603
    for byte in content:
        value = (value ^ byte) * 1099511628211 % 2**64
    return content + b"%016x" % value


def with_key(change):
    """The file with another key, and whole."""

    def damage(content):
        key, rest = content[:-16].split(b"\n", 1)
        assert change(key) != key
        return signed(change(key) + b"\n" + rest)

    return damage


DAMAGES = {
    "empty": lambda content: b"",
    "cut off": lambda content: content[:-1],
    "one bit": lambda content: content[:-20] + bytes([content[-20] ^ 1]) + content[-19:],
    "of other words": lambda content: content.replace(b": 102 ", b": 103 "),
    "no text": lambda content: b"\xff" * 100,
    "of another RAF": with_key(lambda key: re.sub(rb"raf \S+", b"raf 0.0.9", key)),
    "of another graph of the same words": with_key(lambda key: key[:-16] + b"%016x" % (int(key[-16:], 16) ^ 1)),
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
        assert path.read_bytes() != content and path.read_bytes().startswith(b"RAFPLAN2raf ") and re.search(rb" libcudnn\.so\.9 \d+ ", content)[0] in path.read_bytes()


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
    second.write_bytes(signed(key + b"\n" + algorithm))
    planted = second.read_bytes()
    sim.create(C.MATMUL, C.matmul(*(np.zeros((16, 16), np.float32) for _ in range(3))))
    assert second.read_bytes() != planted and not [path for path in files(folder) if "." in path.name]


def test_threads_that_store_one_plan(sim, cuda_lib, folder):
    words = [C.matmul(*(np.zeros((8 * size, 8 * size), np.float32) for _ in range(3))) for size in range(1, 9)]
    devices = [C.Device(cuda_lib, "cuda-sim") for _ in range(4)]
    start = threading.Barrier(len(devices))

    def work(device):
        for problem in words:
            start.wait()
            device.create(C.MATMUL, problem)

    threads = [threading.Thread(target=work, args=(device,)) for device in devices]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for device in devices:
        device.close()
    found = files(folder)
    assert len(found) == len(words) and not [path for path in found if "." in path.name]
    assert all(signed(path.read_bytes()[:-16]) == path.read_bytes() for path in found)


def test_without_a_folder_nothing_is_kept(sim, rng, folder, monkeypatch):
    monkeypatch.setenv("RAF_CACHE_DIR", "")
    sim.create(C.MATMUL, C.matmul(*(np.zeros((8, 8), np.float32) for _ in range(3))))
    monkeypatch.setenv("RAF_CACHE_DIR", "/proc/nowhere")
    sim.create(C.MATMUL, C.matmul(*(np.zeros((8, 8), np.float32) for _ in range(3))))
    assert files(folder) == []
