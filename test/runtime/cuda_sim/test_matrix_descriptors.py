# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of a warpgroup (wgmma.mma_async) on matrices that lie in shared memory in each way that descriptors can name. Where an element belongs is computed here, from the PTX manual."""

from __future__ import annotations

import json

import ml_dtypes
import numpy as np
import pytest

core = pytest.importorskip("raf._core")
if not core.has_compiler:
    pytest.skip("raf-gpu-to-sim needs the compiler; this build has only the runtime", allow_module_level=True)

BF16, F16 = np.dtype(ml_dtypes.bfloat16), np.dtype(np.float16)
N, BYTES = 128, 16384
#: The address at which shared memory begins, and one with which patterns of the swizzle do.
BEGIN, FIRST = 16, 1024
SHARED = 2 * BYTES + FIRST - BEGIN
#: The field of the descriptor, by bytes of the swizzle.
SWIZZLES = {0: 0, 128: 1, 64: 2, 32: 3}


def place(row, depth, size, along_rows, swizzle, leading, stride):
    """The byte of an element. 16 bytes are a chunk; 8 rows (or places of the depth) of chunks are a core matrix."""
    per_chunk = 16 // size
    if not swizzle:
        line, inside = (depth, row) if along_rows else (row, depth)
        steps = (leading, stride) if along_rows else (stride, leading)
        return line // 8 * steps[0] + inside // per_chunk * steps[1] + line % 8 * 16 + inside % per_chunk * size
    if along_rows:
        across = swizzle // size
        byte = row // across * leading + depth // 8 * stride + depth % 8 * swizzle + row % across * size
    else:
        byte = row // 8 * stride + row % 8 * swizzle + depth * size
    # Lines of 128 bytes repeat after eight; of shorter ones two or four have the same order.
    chunk, line = byte % swizzle // 16, byte // 128
    return byte - chunk * 16 + (chunk ^ line % (swizzle // 16)) * 16


def laid_out(matrix, **how):
    memory = np.zeros(BYTES, np.uint8)
    for (row, depth), value in np.ndenumerate(matrix):
        at = place(row, depth, matrix.itemsize, **how)
        memory[at : at + matrix.itemsize] = np.frombuffer(value.tobytes(), np.uint8)
    return memory


def steps_of(rows, size, along_rows, swizzle):
    """From one group to the next along either way, with a gap."""
    if not swizzle:
        return {"leading": 144 if not along_rows else 160 * rows // 8, "stride": 304 if not along_rows else 144}
    if along_rows:
        return {"leading": 32 * swizzle, "stride": 8 * swizzle}
    return {"leading": 16, "stride": 8 * swizzle}


def descriptor(start, swizzle, leading, stride):
    value = SWIZZLES[swizzle] << 62 | stride // 16 << 32 | leading // 16 << 16 | start // 16
    return value - (1 << 64) if value >> 63 else value


def kernel(dtype, depth, a, b, a_along_rows, b_along_rows, negative):
    sums = f"!llvm.struct<({', '.join(['f32'] * (N // 2))})>"
    store = "".join(
        f"""
  %v{i} = llvm.extractvalue %r[{i}] : {sums}
  %p{i} = arith.constant {i // 4 * 8 + i % 2} : index
  %h{i} = arith.constant {i // 2 % 2 * 8} : index
  %x{i} = arith.addi %column, %p{i} : index
  %y{i} = arith.addi %row, %h{i} : index
  memref.store %v{i}, %d[%y{i}, %x{i}] : memref<64x{N}xf32>"""
        for i in range(N // 2)
    )
    layouts = "col" if a_along_rows else "row", "row" if b_along_rows else "col"
    return f"""
gpu.module @raf_kernels {{
gpu.func @product(%given: memref<{SHARED}xi8>, %d: memref<64x{N}xf32>) workgroup(%s: memref<{SHARED}xi8, #gpu.address_space<workgroup>>) kernel
    attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %step = arith.constant 2048 : index
  %end = arith.constant {SHARED} : index
  %t = gpu.thread_id x
  %first = arith.muli %t, %c16 : index
  scf.for %i = %first to %end step %step {{
    %v = vector.load %given[%i] : memref<{SHARED}xi8>, vector<16xi8>
    vector.store %v, %s[%i] : memref<{SHARED}xi8, #gpu.address_space<workgroup>>, vector<16xi8>
  }}
  nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}}
  gpu.barrier
  %zero = llvm.mlir.undef : {sums}
  nvvm.wgmma.fence.aligned
  %a = arith.constant {a} : i64
  %b = arith.constant {b} : i64
  %r = nvvm.wgmma.mma_async %a, %b, %zero, #nvvm.shape<m = 64, n = {N}, k = {depth}>, D [<f32>, <zero>], A [<{dtype}>, <{"neg" if negative else "one"}>, <{layouts[0]}>],
      B [<{dtype}>, <one>, <{layouts[1]}>] : {sums} -> {sums}
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  %lane = arith.remui %t, %c32 : index
  %warp = arith.divui %t, %c32 : index
  %top = arith.muli %warp, %c16 : index
  %line = arith.divui %lane, %c4 : index
  %row = arith.addi %top, %line : index
  %pair = arith.remui %lane, %c4 : index
  %column = arith.muli %pair, %c2 : index{store}
  gpu.return
}}
}}
"""


ways = [(along_rows, swizzle) for along_rows in (False, True) for swizzle in SWIZZLES]


@pytest.mark.parametrize("a_way, b_way", [*zip(ways, reversed(ways), strict=True), *((way, way) for way in ways[::3])], ids=str)
def test_descriptors(device, a_way, b_way):
    run(device, "bf16", BF16, 16, a_way, b_way)


@pytest.mark.parametrize("name, dtype, depth, way, negative", [("f16", F16, 16, (True, 64), True), ("tf32", np.dtype(np.float32), 8, (False, 128), False), ("tf32", np.dtype(np.float32), 8, (False, 0), True)])
def test_types(device, name, dtype, depth, way, negative):
    run(device, name, dtype, depth, way, way, negative)


def run(device, name, dtype, depth, a_way, b_way, negative=False):
    rng = np.random.default_rng(0)
    # Small integers: every type has them.
    a, b = (rng.integers(-8, 9, (rows, depth)).astype(dtype) for rows in (64, N))
    memories, descriptors = [np.zeros(FIRST - BEGIN, np.uint8)], []
    for start, matrix, (along_rows, swizzle) in ((FIRST, a, a_way), (FIRST + BYTES, b, b_way)):
        steps = steps_of(len(matrix), dtype.itemsize, along_rows, swizzle)
        memories.append(laid_out(matrix, along_rows=along_rows, swizzle=swizzle, **steps))
        descriptors.append(descriptor(start, swizzle, **steps))
    text = kernel(name, depth, *descriptors, a_way[0], b_way[0], negative)
    ((_, image),) = core.compile_images(f"module attributes {{gpu.container_module}} {{{text}}}", json.dumps({"pipeline": "builtin.module(raf-gpu-to-sim)"}))
    given, out = device.upload(np.concatenate(memories)), device.alloc(64 * N * 4)
    device.launch(device.load(image), "product", (1,), (128,), [given, out])
    expected = (-1 if negative else 1) * a.astype(np.float64) @ b.astype(np.float64).T
    np.testing.assert_array_equal(device.download(out, 64 * N, np.float32).reshape(64, N), expected)
