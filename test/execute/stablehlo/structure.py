# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions, windows, shapes, contractions, convolutions, indexing and sorting, with many dimension numbers."""

import jax
import jax.numpy as jnp
import numpy as np
from cases import BF16, apart, b, bits, case, f, i
from jax import lax

R = "reduce"
for name, op in (("sum", jnp.sum), ("max", jnp.max), ("min", jnp.min), ("prod", jnp.prod), ("mean", jnp.mean), ("var", jnp.var), ("std", jnp.std)):
    make = apart if name in ("max", "min") else f
    case(R, f"{name}_last", lambda x, op=op: op(x, axis=-1), make(3, 5))
    case(R, f"{name}_all", lambda x, op=op: op(x), make(2, 3, 2))
    case(R, f"{name}_two_axes", lambda x, op=op: op(x, axis=(0, 2)), make(2, 3, 4))
case(R, "sum_keepdims", lambda x: jnp.sum(x, axis=1, keepdims=True), f(2, 3, 4))
case(R, "sum_bf16", lambda x: jnp.sum(x, axis=1), f(3, 8, dtype=BF16))
case(R, "sum_i32", lambda x: jnp.sum(x, axis=0), i(3, 8))
case(R, "sum_f64", lambda x: jnp.sum(x, axis=0), f(3, 8, dtype=np.float64))
case(R, "max_ties", lambda x: jnp.max(x, axis=1), i(3, 8, dtype=np.float32, lo=0, hi=3), diff=False)
case(R, "max_ui32", lambda x: jnp.max(x, axis=1), bits(3, 8))
case(R, "any", lambda x: jnp.any(x, axis=1), b(4, 3))
case(R, "all", lambda x: jnp.all(x, axis=0), b(4, 3))
case(R, "xor", lambda x: lax.reduce(x, np.uint32(0), lax.bitwise_xor, (1,)), bits(3, 4))
case(R, "argmax", lambda x: jnp.argmax(x, axis=1), apart(4, 6))
case(R, "argmin_first", lambda x: jnp.argmin(x, axis=0), apart(4, 6))
case(R, "argmax_ties", lambda x: jnp.argmax(x, axis=1), i(4, 9, dtype=np.float32, lo=0, hi=3), diff=False)
case(R, "argmax_flat", lambda x: jnp.argmax(x), apart(3, 4))
case(R, "two_operands", lambda x, y: lax.reduce((x, y), (np.float32(0), np.float32(1)), lambda a, c: (a[0] + c[0], a[1] * c[1]), (1,)), f(3, 4), f(3, 4), diff=False)
case(R, "any_body", lambda x: lax.reduce(x, np.float32(0), lambda a, c: a + c + a * c, (1,)), f(3, 4), diff=False)
case(R, "logsumexp", lambda x: jax.nn.logsumexp(x, axis=1), f(3, 6))
case(R, "norm", lambda x: jnp.linalg.norm(x, axis=1), f(3, 6))
case(R, "empty_axis", lambda x: jnp.sum(x, axis=1), f(3, 0), diff=False)

W = "window"
for name, op in (("cumsum", lax.cumsum), ("cumprod", lax.cumprod), ("cummax", lax.cummax), ("cummin", lax.cummin), ("cumlogsumexp", lax.cumlogsumexp)):
    make = apart if name in ("cummax", "cummin") else f
    case(W, name, lambda x, op=op: op(x, axis=1), make(3, 7))
    case(W, f"{name}_reverse", lambda x, op=op: op(x, axis=0, reverse=True), make(6, 2))
case(W, "cumsum_i32", lambda x: jnp.cumsum(x), i(9))
pool = lax.reduce_window
case(W, "max_pool", lambda x: pool(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), apart(2, 6, 6, 2))
case(W, "max_pool_same", lambda x: pool(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"), apart(1, 7, 6, 2))
case(W, "max_pool_nchw", lambda x: pool(x, -jnp.inf, lax.max, (1, 1, 3, 3), (1, 1, 1, 1), "VALID"), apart(1, 2, 5, 5))
case(W, "min_pool", lambda x: pool(x, jnp.inf, lax.min, (1, 2), (1, 2), "VALID"), apart(3, 8))
case(W, "sum_pool", lambda x: pool(x, 0.0, lax.add, (1, 2, 3, 1), (1, 2, 2, 1), "SAME"), f(2, 6, 7, 2))
case(W, "avg_pool", lambda x: pool(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4, f(2, 6, 6, 2))
case(W, "sum_pool_dilated", lambda x: pool(x, 0.0, lax.add, (1, 3), (1, 1), "VALID", None, (1, 2)), f(2, 9))
case(W, "sum_pool_base_dilated", lambda x: pool(x, 0.0, lax.add, (1, 3), (1, 2), "VALID", (1, 2), None), f(2, 9))
case(W, "max_pool_1d_padded", lambda x: pool(x, -jnp.inf, lax.max, (1, 3), (1, 2), ((0, 0), (1, 1))), apart(2, 9))
case(W, "select_and_scatter", lambda x, y: jax.vjp(lambda z: pool(z, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), x)[1](y)[0], apart(1, 4, 4, 2), f(1, 2, 2, 2),
     diff=False)
case(W, "associative_scan", lambda x: lax.associative_scan(lax.add, x), f(8))

S = "shape"
case(S, "reshape", lambda x: jnp.reshape(x, (4, 6)), f(2, 3, 4))
case(S, "transpose", lambda x: jnp.transpose(x, (2, 0, 1)), f(2, 3, 4))
case(S, "broadcast_in_dim", lambda x: lax.broadcast_in_dim(x, (2, 3, 4), (1,)), f(3))
case(S, "broadcast_ones", lambda x: jnp.broadcast_to(x, (2, 3, 4)), f(2, 1, 4))
case(S, "broadcast_scalar", lambda x: jnp.broadcast_to(x, (2, 3)), f())
case(S, "squeeze_expand", lambda x: jnp.expand_dims(jnp.squeeze(x, 1), 0), f(3, 1, 4))
case(S, "slice", lambda x: x[1:3, ::2], f(4, 7))
case(S, "slice_negative_step", lambda x: x[::-1, 3::-2], f(4, 7))
case(S, "concatenate", lambda x, y, z: jnp.concatenate([x, y, z], 1), f(2, 3), f(2, 1), f(2, 4))
case(S, "concatenate_i32", lambda x, y: jnp.concatenate([x, y], 0), i(2, 3), i(1, 3))
case(S, "stack", lambda x, y: jnp.stack([x, y], 1), f(2, 3), f(2, 3))
case(S, "split", lambda x: jnp.split(x, 3, axis=1), f(2, 6))
case(S, "tile", lambda x: jnp.tile(x, (2, 3)), f(2, 2))
case(S, "repeat", lambda x: jnp.repeat(x, 3, axis=1), f(2, 2))
case(S, "roll", lambda x: jnp.roll(x, 2, axis=1), f(2, 5))
case(S, "reverse", lambda x: lax.rev(x, (0, 2)), f(2, 3, 4))
case(S, "pad", lambda x: lax.pad(x, 0.5, ((1, 2, 0), (0, 1, 0))), f(3, 4))
case(S, "pad_interior", lambda x: lax.pad(x, 0.0, ((1, 0, 2), (0, 0, 1))), f(3, 4))
case(S, "pad_negative", lambda x: lax.pad(x, 0.0, ((-1, 2, 0), (1, -2, 0))), f(4, 5))
case(S, "pad_negative_interior", lambda x: lax.pad(x, 0.0, ((-1, -1, 1), (0, 1, 0))), f(4, 5))
case(S, "pad_value", lambda x, v: lax.pad(x, v, ((1, 1, 0),)), f(4), f())
case(S, "pad_reflect", lambda x: jnp.pad(x, ((1, 2), (0, 0)), mode="reflect"), f(4, 2))
case(S, "iota", lambda x: x + lax.broadcasted_iota(np.float32, (3, 4), 1), f(3, 4))
case(S, "arange_i32", lambda x: x * jnp.arange(6), i(6))
case(S, "tril", lambda x: jnp.tril(x), f(4, 5))
case(S, "diag", lambda x: jnp.diag(x), f(4))
case(S, "diagonal", lambda x: jnp.diagonal(x), f(4, 4))
case(S, "eye", lambda x: x @ jnp.eye(3), f(2, 3))
case(S, "moveaxis_flatten", lambda x: jnp.moveaxis(x, 1, -1).reshape(2, -1), f(2, 3, 4))
case(S, "depth_to_space", lambda x: x.reshape(1, 2, 2, 2, 2, 3).transpose(0, 1, 3, 2, 4, 5).reshape(1, 4, 4, 3), f(1, 2, 2, 12))
case(S, "trivial", lambda x: x, f(2, 2))
case(S, "constant_result", lambda x: (jnp.ones((2, 3)), x * 2), f(2))
case(S, "same_result_twice", lambda x: (x + 1,) * 2, f(3))

D = "dot"
case(D, "matmul", lambda x, y: x @ y, f(3, 4), f(4, 5))
case(D, "matvec", lambda x, y: x @ y, f(3, 4), f(4))
case(D, "vecdot", lambda x, y: jnp.dot(x, y), f(7), f(7))
case(D, "outer", lambda x, y: jnp.outer(x, y), f(3), f(4))
case(D, "batched", lambda x, y: x @ y, f(2, 3, 4), f(2, 4, 5))
case(D, "batch_broadcast", lambda x, y: x @ y, f(2, 3, 4), f(4, 5))
for name, spec, left, right in (
    ("transposed", "ij,kj->ik", (3, 4), (5, 4)), ("both_transposed", "ji,kj->ik", (4, 3), (5, 4)), ("attention", "bqhd,bkhd->bhqk", (2, 3, 2, 4), (2, 5, 2, 4)),
    ("values", "bhqk,bkhd->bqhd", (2, 2, 3, 5), (2, 5, 2, 4)), ("two_contracted", "ijk,jkl->il", (2, 3, 4), (3, 4, 5)), ("batch_last", "ijb,jkb->ikb", (2, 3, 4), (3, 5, 4)),
    ("contract_first", "jai,jb->aib", (3, 2, 4), (3, 5)), ("two_batches", "abij,abjk->abik", (2, 3, 2, 4), (2, 3, 4, 2)), ("swapped_batches", "abij,bajk->abik", (2, 3, 2, 4), (3, 2, 4, 2))):  # fmt: skip
    case(D, name, lambda x, y, spec=spec: jnp.einsum(spec, x, y), f(*left), f(*right))
case(D, "bf16", lambda x, y: x @ y, f(3, 8, dtype=BF16), f(8, 5, dtype=BF16))
case(D, "bf16_to_f32", lambda x, y: jnp.matmul(x, y, preferred_element_type=np.float32), f(3, 8, dtype=BF16), f(8, 5, dtype=BF16))
case(D, "f64", lambda x, y: x @ y, f(3, 8, dtype=np.float64), f(8, 5, dtype=np.float64))
case(D, "i32", lambda x, y: x @ y, i(3, 4), i(4, 2))
case(D, "highest", lambda x, y: jnp.dot(x, y, precision="highest"), f(3, 4), f(4, 2))
case(D, "ragged", lambda x, y, g: lax.ragged_dot(x, y, g), f(6, 3), f(2, 3, 4), lambda rng: np.array([2, 4], np.int32))

K = "convolution"
for name, x, w, layout, options in (
    ("nhwc", (2, 6, 6, 3), (3, 3, 3, 4), ("NHWC", "HWIO", "NHWC"), {}),
    ("nchw", (2, 3, 6, 6), (4, 3, 3, 3), ("NCHW", "OIHW", "NCHW"), {}),
    ("strided", (1, 7, 7, 2), (3, 3, 2, 3), ("NHWC", "HWIO", "NHWC"), {"window_strides": (2, 2)}),
    ("same", (1, 7, 6, 2), (3, 2, 2, 3), ("NHWC", "HWIO", "NHWC"), {"padding": "SAME", "window_strides": (2, 1)}),
    ("padded", (1, 5, 5, 2), (3, 3, 2, 3), ("NHWC", "HWIO", "NHWC"), {"padding": ((1, 2), (0, 3))}),
    ("negative_padding", (1, 7, 7, 2), (3, 3, 2, 3), ("NHWC", "HWIO", "NHWC"), {"padding": ((-1, 1), (0, -2))}),
    ("dilated", (1, 9, 9, 2), (3, 3, 2, 3), ("NHWC", "HWIO", "NHWC"), {"rhs_dilation": (2, 3)}),
    ("transposed", (1, 4, 4, 2), (3, 3, 2, 3), ("NHWC", "HWIO", "NHWC"), {"lhs_dilation": (2, 2), "padding": ((1, 2), (1, 2))}),
    ("grouped", (1, 5, 5, 4), (3, 3, 2, 6), ("NHWC", "HWIO", "NHWC"), {"feature_group_count": 2}),
    ("depthwise", (2, 5, 5, 3), (3, 3, 1, 6), ("NHWC", "HWIO", "NHWC"), {"feature_group_count": 3}),
    ("batch_groups", (4, 5, 5, 3), (3, 3, 3, 6), ("NHWC", "HWIO", "NHWC"), {"batch_group_count": 2}),
    ("one_dimension", (2, 9, 3), (4, 3, 5), ("NWC", "WIO", "NWC"), {"window_strides": (2,)}),
    ("three_dimensions", (1, 4, 5, 4, 2), (2, 2, 3, 2, 3), ("NDHWC", "DHWIO", "NDHWC"), {}),
    ("pointwise", (2, 4, 4, 3), (1, 1, 3, 5), ("NHWC", "HWIO", "NHWC"), {}),
    ("mixed_layouts", (2, 3, 6, 6), (3, 3, 3, 4), ("NCHW", "HWIO", "NHWC"), {}),
    ("weight_gradient_layout", (3, 6, 6, 2), (3, 4, 4, 5), ("CHWN", "IHWO", "HWNC"), {})):  # fmt: skip
    given = {"window_strides": (1,) * (len(x) - 2), "padding": "VALID", **options}
    case(K, name, lambda x, w, layout=layout, o=given: lax.conv_general_dilated(x, w, dimension_numbers=layout, **o), f(*x), f(*w))
case(K, "bf16", lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")), f(1, 4, 4, 3, dtype=BF16), f(3, 3, 3, 4, dtype=BF16))
case(K, "conv_transpose", lambda x, w: lax.conv_transpose(x, w, (2, 2), "SAME"), f(1, 4, 4, 2), f(3, 3, 2, 3))
case(K, "reversed_window", lambda x, w: lax.conv_general_dilated(x, lax.rev(w, (0, 1)), (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")), f(1, 5, 5, 2), f(3, 3, 2, 3))

G = "gather_scatter"
case(G, "embedding", lambda t, k: t[k], f(7, 4), i(2, 3, lo=0, hi=7))
case(G, "take_axis1", lambda t, k: jnp.take(t, k, axis=1), f(3, 7), i(4, lo=0, hi=7))
case(G, "take_clip", lambda t, k: jnp.take(t, k, axis=0, mode="clip"), f(5, 3), i(6, lo=-3, hi=9))
case(G, "take_fill", lambda t, k: jnp.take(t, k, axis=0, mode="fill", fill_value=0.5), f(5, 3), i(6, lo=-3, hi=9))
case(G, "take_along_axis", lambda t, k: jnp.take_along_axis(t, k, axis=1), f(3, 7), i(3, 2, lo=0, hi=7))
case(G, "index_pairs", lambda t, r, c: t[r, c], f(5, 6), i(4, lo=0, hi=5), i(4, lo=0, hi=6))
case(G, "index_middle", lambda t, k: t[:, k], f(3, 5, 2), i(4, lo=0, hi=5))
case(G, "index_split", lambda t, r, c: t[r, :, c], f(5, 3, 6), i(4, lo=0, hi=5), i(4, lo=0, hi=6))
case(G, "batched_gather", lambda t, k: jax.vmap(lambda a, j: a[j])(t, k), f(3, 7, 2), i(3, 4, lo=0, hi=7))
case(G, "one_hot_matmul", lambda t, k: jax.nn.one_hot(k, 7) @ t, f(7, 4), i(5, lo=0, hi=7))
case(G, "window_gather", lambda t, k: jax.vmap(lambda j: lax.dynamic_slice(t, (j, 0), (2, 3)))(k), f(7, 3), i(4, lo=0, hi=5))
case(G, "dynamic_slice", lambda x, a, c: lax.dynamic_slice(x, (a, c), (2, 3)), f(5, 6), i(lo=0, hi=3), i(lo=0, hi=3))
case(G, "dynamic_slice_clamped", lambda x, a: lax.dynamic_slice(x, (a, a), (2, 3)), f(5, 6), i(lo=7, hi=9))
case(G, "dynamic_update_slice", lambda x, u, a: lax.dynamic_update_slice(x, u, (a, 1)), f(5, 6), f(2, 3), i(lo=0, hi=3))
case(G, "dynamic_index", lambda x, a: x[a], f(5, 3), i(lo=0, hi=5))
for name in ("set", "add", "mul", "max", "min"):
    case(G, f"scatter_{name}", lambda x, k, u, name=name: getattr(x.at[k], name)(u), f(8, 3), lambda rng: rng.permutation(8)[:4].astype(np.int32), f(4, 3),
         diff=name != "mul")
case(G, "scatter_add_repeated", lambda x, k, u: x.at[k].add(u), f(4, 3), i(9, lo=0, hi=4), f(9, 3))
case(G, "scatter_add_dropped", lambda x, k, u: x.at[k].add(u, mode="drop"), f(4, 3), i(6, lo=0, hi=7), f(6, 3))
case(G, "scatter_pairs", lambda x, r, c, u: x.at[r, c].add(u), f(4, 5), i(6, lo=0, hi=4), i(6, lo=0, hi=5), f(6))
case(G, "scatter_column", lambda x, u: x.at[:, 2].set(u), f(4, 5), f(4))
case(G, "scatter_slice", lambda x, u: x.at[1:3, ::2].add(u), f(4, 5), f(2, 3))
case(G, "scatter_batched", lambda x, k, u: jax.vmap(lambda a, j, v: a.at[j].add(v))(x, k, u), f(3, 5), i(3, 2, lo=0, hi=5), f(3, 2))
case(G, "scatter_i32", lambda x, k: x.at[k].add(1), i(5), i(7, lo=0, hi=5))
case(G, "segment_sum", lambda x, k: jax.ops.segment_sum(x, k, 4), f(9, 2), i(9, lo=0, hi=4))
case(G, "bincount", lambda k: jnp.bincount(k, length=6), i(12, lo=0, hi=6))

T = "sort"
case(T, "ascending", lambda x: jnp.sort(x, axis=1), apart(3, 7))
case(T, "first_axis", lambda x: jnp.sort(x, axis=0), apart(7, 2))
case(T, "descending", lambda x: jnp.sort(x, descending=True), apart(9))
case(T, "argsort", lambda x: jnp.argsort(x, axis=1), apart(3, 7))
case(T, "stable_ties", lambda x: jnp.argsort(x), i(12, lo=0, hi=4))
case(T, "key_value", lambda k, v: lax.sort((k, v), num_keys=1), apart(9), f(9))
case(T, "two_keys", lambda k, j, v: lax.sort((k, j, v), num_keys=2), i(12, lo=0, hi=4), i(12), f(12), diff=False)
case(T, "i32", lambda x: jnp.sort(x), i(12))
case(T, "special_values", lambda x: jnp.sort(x), lambda rng: np.array([np.nan, 1, -0.0, 0.0, -np.inf, np.inf, -1], np.float32), diff=False)
case(T, "top_k", lambda x: lax.top_k(x, 3), apart(4, 9))
case(T, "approx_max_k", lambda x: lax.approx_max_k(x, 3), apart(4, 9))
case(T, "approx_min_k_first_axis", lambda x: lax.approx_min_k(x, 2, reduction_dimension=0), apart(7, 3, dtype=BF16))
case(T, "median", lambda x: jnp.median(x, axis=1), apart(3, 5))
case(T, "unique_counts", lambda x: jnp.searchsorted(jnp.sort(x), x), apart(9))
