# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the gradient rows leave out: ops without a derivative, every result of an op, empty tensors, NaN and other edges, integers, and sizes that need several tiles.

The references are NumPy, written out from the definitions of the dialect."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

bf16, f16, f32, f64 = ml_dtypes.bfloat16, np.float16, np.float32, np.float64


@dataclass(frozen=True)
class OpCase:
    """%a, %b ... are the operands, %y0, %y1 ... the results, {a} and {y0} their types."""

    op: str
    text: str
    operands: tuple[np.ndarray, ...]
    results: tuple[np.ndarray, ...]
    rtol: float = 1e-6


OP_CASES: list[OpCase] = []
_rng = np.random.default_rng(17)


def real(*shape: int, dtype: Any = f32) -> np.ndarray:
    return np.asarray(_rng.uniform(-2.0, 2.0, shape)).astype(dtype)


def case(op: str, text: str, operands: Sequence[Any], results: Sequence[Any], rtol: float = 1e-6) -> None:
    OP_CASES.append(OpCase(op, text, tuple(np.asarray(o) for o in operands), tuple(np.asarray(r) for r in results), rtol))


NAN, INF = np.nan, np.inf
EDGES = np.array([NAN, -INF, -1.5, -0.0, 0.0, 0.5, 1.5, 2.5, INF], f32)

# ===-- pointwise -------------------------------------------------------------------------------------------------===

for dtype in (f32, f64, bf16, f16):
    x = EDGES.astype(dtype)
    with np.errstate(all="ignore"):
        for op, function in (("relu", lambda v: np.where(np.isnan(v), v, np.maximum(v, 0))), ("sign", np.sign), ("round", np.round), ("floor", np.floor), ("abs", np.abs),
                             ("neg", np.negative), ("ceil", np.ceil)):
            case(op, f"%y0 = raf.{op} %a : {{a}}", [x], [function(x.astype(f64)).astype(dtype)])
        case("is_nan", "%y0 = raf.is_nan %a : {a} -> {y0}", [x], [np.isnan(x.astype(f64))])
        a, b = (v.astype(dtype).reshape(-1) for v in np.meshgrid(EDGES, EDGES))
        for op, binary in (("maximum", np.maximum), ("minimum", np.minimum)):
            case(op, f"%y0 = raf.{op} %a, %b : {{a}}", [a, b], [binary(a.astype(f64), b.astype(f64)).astype(dtype)])
        for kind, compare in (("eq", np.equal), ("ne", np.not_equal), ("lt", np.less), ("le", np.less_equal), ("gt", np.greater), ("ge", np.greater_equal)):
            case("compare", f"%y0 = raf.compare {kind} %a, %b : {{a}} -> {{y0}}", [a, b], [compare(a.astype(f64), b.astype(f64))])

for dtype in (np.int32, np.int64):
    least = np.iinfo(dtype).min
    a, b = (v.reshape(-1) for v in np.meshgrid(np.array([7, -7, 1, 0, least], dtype), np.array([2, -2, -1, 0, 3], dtype)))
    with np.errstate(all="ignore"):
        quotient = np.array([-1 if q == 0 else (least if (p, q) == (least, -1) else int(abs(int(p)) // abs(int(q))) * (1 if (p < 0) == (q < 0) else -1)) for p, q in zip(a, b)], dtype)
        remainder = np.array([p if q == 0 else int(np.sign(int(p))) * (abs(int(p)) % abs(int(q))) for p, q in zip(a, b)], dtype)
        for op, expected in (("add", a + b), ("sub", a - b), ("mul", a * b), ("div", quotient), ("rem", remainder), ("maximum", np.maximum(a, b)), ("minimum", np.minimum(a, b)),
                             ("and", a & b), ("or", a | b), ("xor", a ^ b)):
            case(op, f"%y0 = raf.{op} %a, %b : {{a}}", [a, b], [expected])
        for op, expected in (("neg", -a), ("abs", np.abs(a)), ("sign", np.sign(a)), ("relu", np.maximum(a, 0)), ("not", ~a)):
            case(op, f"%y0 = raf.{op} %a : {{a}}", [a], [expected])
        case("compare", "%y0 = raf.compare lt %a, %b : {a} -> {y0}", [a, b], [a < b])

for dtype in (np.int32, np.int64):
    unsigned, width = (np.uint32, 32) if dtype is np.int32 else (np.uint64, 64)
    a, b = (v.reshape(-1) for v in np.meshgrid(np.array([7, -7, 1, 0, np.iinfo(dtype).min, 12345], dtype), np.array([0, 1, 5, width - 1, width, -1], dtype)))
    ua, ub = a.astype(unsigned), b.astype(unsigned)
    inside = ub < width
    by = np.where(inside, ub, 0).astype(unsigned)
    divisor = np.where(ub == 0, 1, ub).astype(unsigned)
    for op, expected in (("shift_left", np.where(inside, ua << by, 0)), ("shift_right_logical", np.where(inside, ua >> by, 0)),
                         ("shift_right_arithmetic", a >> np.where(inside, by, width - 1).astype(dtype)), ("div_unsigned", np.where(ub == 0, ~unsigned(0), ua // divisor)),
                         ("rem_unsigned", np.where(ub == 0, ua, ua % divisor))):
        case(op, f"%y0 = raf.{op} %a, %b : {{a}}", [a, b], [expected.astype(unsigned).astype(dtype)])
    for kind, compare in (("ult", np.less), ("ule", np.less_equal), ("ugt", np.greater), ("uge", np.greater_equal)):
        case("compare", f"%y0 = raf.compare {kind} %a, %b : {{a}} -> {{y0}}", [a, b], [compare(ua, ub)])
    case("popcount", "%y0 = raf.popcount %a : {a}", [a], [np.array([bin(int(v)).count("1") for v in ua], dtype)])
    case("count_leading_zeros", "%y0 = raf.count_leading_zeros %a : {a}", [a], [np.array([width - int(v).bit_length() for v in ua], dtype)])
    for to in (f32, f64):
        case("cast", "%y0 = raf.cast unsigned %a : {a} to {y0}", [a], [ua.astype(to)])
    # Outside the range is the nearest end of it.
    x = np.array([NAN, -INF, -1e30, -1.7, 0.0, 1.7, 3e9, 1e30, INF], f32)
    limits = np.iinfo(dtype)
    case("cast", "%y0 = raf.cast %a : {a} to {y0}", [x], [np.array([0 if np.isnan(v) else limits.min if v < limits.min else limits.max if v > limits.max else int(v) for v in x], dtype)])
    most = np.iinfo(unsigned).max
    case("cast", "%y0 = raf.cast unsigned %a : {a} to {y0}", [x], [np.array([0 if np.isnan(v) or v < 0 else most if v > most else int(v) for v in x], unsigned).astype(dtype)])
case("bitcast", "%y0 = raf.bitcast %a : {a} to {y0}", [EDGES], [EDGES.view(np.int32)])
case("bitcast", "%y0 = raf.bitcast %a : {a} to {y0}", [EDGES.view(np.int32)], [EDGES])

# Many turns from 0, where an argument reduced in single precision has lost the angle.
x = np.array([1e2, -1e3, 1e4, 123456.0, -1e9, 1e20], f32)
for op, function in (("sin", np.sin), ("cos", np.cos)):
    case(op, f"%y0 = raf.{op} %a : {{a}}", [x], [function(x.astype(f64)).astype(f32)])

P, Q = (v.reshape(-1) for v in np.meshgrid([False, True], [False, True]))
for op, expected in (("and", P & Q), ("or", P | Q), ("xor", P ^ Q)):
    case(op, f"%y0 = raf.{op} %a, %b : {{a}}", [P, Q], [expected])
case("not", "%y0 = raf.not %a : {a}", [P], [~P])
case("stop_gradient", "%y0 = raf.stop_gradient %a : {a}", [np.arange(6.0, dtype=np.float32)], [np.arange(6.0, dtype=np.float32)])
# As numbers, true is 1, not -1.
case("compare", "%y0 = raf.compare lt %a, %b : {a} -> {y0}", [P, Q], [P < Q])
case("select", "%y0 = raf.select %a, %b, %c : {a}", [P, Q, ~Q], [np.where(P, Q, ~Q)])
case("select", "%y0 = raf.select %a, %b, %c : {b}", [P, np.array([1, 2, 3, 4]), np.array([5, 6, 7, 8])], [np.where(P, [1, 2, 3, 4], [5, 6, 7, 8])])
case("select", "%y0 = raf.select %a, %b, %c : {b}", [P, np.array([1, NAN, 3, 4], bf16), np.array([5, 6, INF, 8], bf16)],
     [np.where(P, np.array([1, NAN, 3, 4], bf16), np.array([5, 6, INF, 8], bf16))])

NUMBERS = np.array([0.0, 1.0, -2.75, 100.5, -7.0])
for source, target in itertools.product((f64, f32, bf16, f16, np.int64, np.int32, np.bool_), repeat=2):
    if source != target:
        x = NUMBERS.astype(f32).astype(source)
        y = (x.astype(f64) != 0) if target == np.bool_ else x.astype(f64).astype(target)
        case("cast", "%y0 = raf.cast %a : {a} to {y0}", [x], [y])

# ===-- shape -----------------------------------------------------------------------------------------------------===

for dtype in (f32, f64, bf16, np.int64, np.int32):
    for dim in (0, 1, 2):
        case("iota", f"%y0 = raf.iota dim = {dim} : {{y0}}", [], [np.indices((3, 4, 5))[dim].astype(dtype)])
    case("constant", "%y0 = raf.constant dense<[[1, 2, 3], [4, 5, 6]]> : {y0}" if np.dtype(dtype).kind == "i" else
         "%y0 = raf.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : {y0}", [], [np.arange(1, 7).reshape(2, 3).astype(dtype)])
case("constant", "%y0 = raf.constant dense<[true, false, true]> : {y0}", [], [np.array([True, False, True])])
case("constant", "%y0 = raf.constant dense<2.5> : {y0}", [], [np.full((70, 60), 2.5, f32)])
case("constant", "%y0 = raf.constant dense<true> : {y0}", [], [np.full((70, 70), True)])

MASK = np.arange(24).reshape(4, 6) % 5 < 2
for x in (MASK, np.arange(24).reshape(4, 6), real(4, 6, dtype=bf16)):
    value = x.dtype.type(1)
    case("broadcast", "%y0 = raf.broadcast %a dims = [0, 2] : {a} to {y0}", [x], [np.broadcast_to(x[:, None], (4, 3, 6))])
    case("transpose", "%y0 = raf.transpose %a permutation = [1, 0] : {a} -> {y0}", [x], [x.T])
    case("reshape", "%y0 = raf.reshape %a : {a} to {y0}", [x], [x.reshape(3, 8)])
    case("slice", "%y0 = raf.slice %a starts = [1, 1] limits = [4, 6] strides = [2, 3] : {a} -> {y0}", [x], [x[1:4:2, 1:6:3]])
    case("slice", "%y0 = raf.slice %a starts = [0, 0] limits = [3, 5] strides = [1, 2] : {a} -> {y0}", [x], [x[:3, :5:2]])
    case("slice", "%y0 = raf.slice %a starts = [1, 0] limits = [3, 4] strides = [1, 1] : {a} -> {y0}", [x], [x[1:3, :4]])
    case("reverse", "%y0 = raf.reverse %a dims = [1] : {y0}", [x], [x[:, ::-1]])
    case("concat", "%y0 = raf.concat %a, %a, %a axis = 0 : ({a}, {a}, {a}) -> {y0}", [x], [np.concatenate([x, x, x])])
    case("pad", "%y0 = raf.pad %a low = [1, -1] high = [0, 2] interior = [0, 0] value = 1.0 : {a} -> {y0}", [x],
         [np.pad(x, ((1, 0), (0, 2)), constant_values=value)[:, 1:]])

EMPTY = np.zeros((0, 3), f32)
case("exp", "%y0 = raf.exp %a : {a}", [EMPTY], [EMPTY])
case("broadcast", "%y0 = raf.broadcast %a dims = [1, 2] : {a} to {y0}", [EMPTY], [np.zeros((2, 0, 3), f32)])
case("pad", "%y0 = raf.pad %a low = [1, 0] high = [1, 0] interior = [2, 0] value = 4.0 : {a} -> {y0}", [EMPTY], [np.full((2, 3), 4, f32)])
case("concat", "%y0 = raf.concat %a, %b, %a axis = 0 : ({a}, {b}, {a}) -> {y0}", [EMPTY, x32 := real(2, 3)], [x32])
case("matmul", "%y0 = raf.matmul %a, %b transpose_lhs : {a}, {b} -> {y0}", [EMPTY, np.zeros((0, 2), f32)], [np.zeros((3, 2), f32)])
case("gather", "%y0 = raf.gather %a, %b axis = 0 : {a}, {b} -> {y0}", [x32, np.zeros(0, np.int64)], [EMPTY])
case("scatter_add", "%y0 = raf.scatter_add %a, %b, %c axis = 0 : {a}, {b}, {c}", [x32, np.zeros(0, np.int64), EMPTY], [x32])
case("scatter", "%y0 = raf.scatter set %a, %b, %c axis = 0 : {a}, {b}, {c}", [x32, np.zeros(0, np.int64), EMPTY], [x32])
case("dynamic_update_slice", "%y0 = raf.dynamic_update_slice %a, %b[%c, %c] : {a}, {b}, {c}", [x32, np.zeros((0, 1), f32), np.array(1)], [x32])
case("softmax", "%y0 = raf.softmax %a axis = 1 : {a}", [EMPTY], [EMPTY])
case("cumsum", "%y0 = raf.cumsum %a axis = 0 : {a}", [EMPTY], [EMPTY])
for kind, start in (("sum", 0.0), ("prod", 1.0), ("max", -INF), ("min", INF)):
    case("reduce", f"%y0 = raf.reduce {kind} %a dims = [0] : {{a}} -> {{y0}}", [EMPTY], [np.full(3, start, f32)])

# ===-- reductions ------------------------------------------------------------------------------------------------===

WITH_NAN = np.array([[1, 5, NAN, 2, NAN], [3, 3, 1, 3, 0], [-INF, -INF, -INF, -INF, -INF], [INF, 2, INF, 0, 1]])
for dtype in (f32, f64, bf16):
    x = WITH_NAN.astype(dtype)
    for kind, extreme, where in (("max", np.max, np.argmax), ("min", np.min, np.argmin)):
        case("reduce", f"%y0 = raf.reduce {kind} %a dims = [1] : {{a}} -> {{y0}}", [x], [extreme(x.astype(f64), 1).astype(dtype)])
        for index in (np.int64, np.int32):
            case("arg_reduce", f"%y0 = raf.arg_reduce {kind} %a axis = 1 : {{a}} -> {{y0}}", [x], [where(x.astype(f64), 1).astype(index)])
INTS = _rng.integers(-9, 10, (6, 7, 5))
for kind, reduce_ints in (("sum", np.sum), ("prod", np.prod), ("max", np.max), ("min", np.min)):
    case("reduce", f"%y0 = raf.reduce {kind} %a dims = [0, 2] : {{a}} -> {{y0}}", [INTS % 3], [reduce_ints(INTS % 3, (0, 2))])
case("arg_reduce", "%y0 = raf.arg_reduce max %a axis = 1 : {a} -> {y0}", [INTS], [np.argmax(INTS, 1)])
case("arg_reduce", "%y0 = raf.arg_reduce min %a axis = 0 : {a} -> {y0}", [INTS], [np.argmin(INTS, 0)])
case("cumsum", "%y0 = raf.cumsum %a axis = 1 reverse : {a}", [INTS], [np.flip(np.cumsum(np.flip(INTS, 1), 1), 1)])
# Loops over one element fold away.
SINGLE = real(1)
case("cumsum", "%y0 = raf.cumsum %a axis = 0 : {a}", [SINGLE], [SINGLE])
case("cumsum", "%y0 = raf.cumsum %a axis = 0 exclusive : {a}", [SINGLE], [np.zeros(1, f32)])
case("scatter_add", "%y0 = raf.scatter_add %a, %b, %c axis = 0 : {a}, {b}, {c}", [SINGLE, np.zeros(1, np.int64), SINGLE], [SINGLE + SINGLE])
ONES = np.ones((2, 1000), bf16)
# 1 + 1 + ... stops at 256 in bf16; sums run in f32.
case("reduce", "%y0 = raf.reduce sum %a dims = [1] : {a} -> {y0}", [ONES], [np.full(2, 1000, bf16)])
case("cumsum", "%y0 = raf.cumsum %a axis = 1 : {a}", [ONES], [np.cumsum(ONES.astype(f32), 1).astype(bf16)])
case("matmul", "%y0 = raf.matmul %a, %b transpose_rhs : {a}, {b} -> {y0}", [ONES, ONES], [np.full((2, 2), 1000, bf16)])
case("matmul", "%y0 = raf.matmul %a, %b : {a}, {b} -> {y0}", [INTS[0], INTS[1].T.copy()], [INTS[0] @ INTS[1].T])

# Several tiles, and sizes that no vector divides.
for shape in ((1031, 67), (67, 1031), (3, 40000)):
    x = real(*shape)
    e = np.exp(x.astype(f64) - x.max(1, keepdims=True))
    case("softmax", "%y0 = raf.softmax %a axis = 1 : {a}", [x], [(e / e.sum(1, keepdims=True)).astype(f32)], 3e-6)
    for dims in ((0,), (1,), (0, 1)):
        case("reduce", f"%y0 = raf.reduce sum %a dims = {list(dims)} : {{a}} -> {{y0}}", [x], [x.sum(dims, dtype=f64).astype(f32)], 1e-5)
        case("reduce", f"%y0 = raf.reduce max %a dims = {list(dims)} : {{a}} -> {{y0}}", [x], [x.max(dims)])
    case("arg_reduce", "%y0 = raf.arg_reduce max %a axis = 1 : {a} -> {y0}", [x], [np.argmax(x, 1)])
    case("arg_reduce", "%y0 = raf.arg_reduce min %a axis = 0 : {a} -> {y0}", [x], [np.argmin(x, 0)])
A, B = real(131, 257), real(257, 67)
case("matmul", "%y0 = raf.matmul %a, %b : {a}, {b} -> {y0}", [A, B], [(A.astype(f64) @ B).astype(f32)], 1e-5)

# ===-- pools and indices -----------------------------------------------------------------------------------------===

PLANE = np.array([[[[NAN, 1, 2, 2], [3, 3, 2, 2], [-INF, -INF, 0, NAN], [-INF, -INF, NAN, 5]]]], f32)
case("max_pool", "%y0, %y1 = raf.max_pool %a kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : ({a}) -> ({y0}, {y1})", [PLANE],
     [np.array([[[[NAN, 2], [-INF, NAN]]]], f32), np.array([[[[0, 2], [8, 11]]]], np.int32)])
# Padding never wins, not even against -inf.
case("max_pool", "%y0, %y1 = raf.max_pool %a kernel = [2] strides = [2] pad_low = [1] pad_high = [1] dilations = [1] : ({a}) -> ({y0}, {y1})", [np.full((1, 1, 4), -INF, f32)],
     [np.full((1, 1, 3), -INF, f32), np.array([[[0, 1, 3]]], np.int32)])
TABLE, TOKENS = real(50, 33), _rng.integers(-3, 53, (7, 11))
case("gather", "%y0 = raf.gather %a, %b axis = 0 : {a}, {b} -> {y0}", [TABLE, TOKENS], [TABLE[np.clip(TOKENS, 0, 49)]])
UPDATES, SUM = real(7, 11, 33), np.zeros((50, 33))
for place in np.ndindex(*TOKENS.shape):
    if 0 <= TOKENS[place] < 50:
        SUM[TOKENS[place]] += UPDATES[place]
case("scatter_add", "%z = raf.constant dense<0.0> : {y0}\n  %y0 = raf.scatter_add %z, %a, %b axis = 0 : {y0}, {a}, {b}", [TOKENS, UPDATES], [SUM.astype(f32)], 1e-5)

# ===-- random numbers --------------------------------------------------------------------------------------------===


def philox(count: int, seed: int, step: int, op: int) -> np.ndarray:
    """Of Philox4x32-10, word (i / 16) mod 4 of counter (i / 64) * 16 + i mod 16 for each i."""
    mask = 0xFFFFFFFF
    words = []
    for i in range(count):
        number = i // 64 * 16 + i % 16
        c, k = [number & mask, number >> 32, step & mask, op & mask], [seed & mask, seed >> 32]
        for _ in range(10):
            p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = [(q >> 32) ^ c[1] ^ k[0], q & mask, (p >> 32) ^ c[3] ^ k[1], p & mask]
            k = [(k[0] + 0x9E3779B9) & mask, (k[1] + 0xBB67AE85) & mask]
        words.append(c[i // 16 % 4])
    return np.array(words, np.uint64)


SEED, DRAW = (5 << 32) + 77, 9
for dtype, bits in ((f32, 24), (f64, 24), (f16, 11), (bf16, 8)):
    unit = ((philox(35 * 9, SEED, DRAW, 3) >> np.uint64(32 - bits)) * 2.0**-bits).reshape(9, 5, 7)
    case("random_uniform", "%y0 = raf.random_uniform %a, %b op_id = 3 : {y0}", [np.int64(SEED), np.int64(DRAW)], [unit.astype(dtype)], 0.0)
    x = real(9, 5, 7, dtype=dtype)
    drawn = (philox(35 * 9, SEED, DRAW, 3) >> np.uint64(8)).reshape(9, 5, 7) * 2.0**-24
    case("dropout", "%y0 = raf.dropout %a, %b, %c ratio = 0.25 op_id = 3 : {a}", [x, np.int64(SEED), np.int64(DRAW)],
         [np.where(drawn >= 0.25, x.astype(f64) / 0.75, 0.0).astype(dtype)], 1e-2 if dtype in (bf16, f16) else 1e-6)



# Rows that start anywhere in a block of draws, with whole blocks inside.
for dtype in (f32, bf16):
    x, numbers = real(5, 331, dtype=dtype), philox(5 * 331 + 1000, SEED, DRAW, 4) >> np.uint64(8)
    drawn = numbers[: 5 * 331].reshape(5, 331) * 2.0**-24
    case("dropout", "%y0 = raf.dropout %a, %b, %c ratio = 0.25 op_id = 4 : {a}", [x, np.int64(SEED), np.int64(DRAW)],
         [np.where(drawn >= 0.25, x.astype(f64) / 0.75, 0.0).astype(dtype)], 1e-2 if dtype == bf16 else 1e-6)
x, box = real(4, 300, dtype=f32), np.lib.stride_tricks.sliding_window_view(numbers[77:], 300)[::331][:4]
case("random_uniform", """%u = raf.random_uniform %b, %c op_id = 4 offset = %d strides = [331, 1] : tensor<4x300xf32>
  %y0 = raf.add %a, %u : tensor<4x300xf32>""", [x, np.int64(SEED), np.int64(DRAW), np.int64(77)], [x + (box * 2.0**-24).astype(f32)])


def threefry(key: Sequence[int], counters: np.ndarray) -> np.ndarray:
    """Both words of each block of Threefry2x32-20."""
    mask = 0xFFFFFFFF
    keys = [*key, key[0] ^ key[1] ^ 0x1BD11BDA]
    words = []
    for c in counters.reshape(-1, 2).tolist():
        x, y = (c[0] + keys[0]) & mask, (c[1] + keys[1]) & mask
        for group in range(5):
            for r in ((13, 15, 26, 6), (17, 29, 16, 24))[group % 2]:
                x = (x + y) & mask
                y = (y << r | y >> 32 - r) & mask ^ x
            x, y = (x + keys[(group + 1) % 3]) & mask, (y + keys[(group + 2) % 3] + group + 1) & mask
        words.append((x, y))
    return np.array(words, np.uint32).reshape(counters.shape)


# The known answers of the authors' Random123.
assert [hex(w) for w in threefry([0, 0], np.zeros((1, 2), np.uint32))[0]] == ["0x6b200159", "0x99ba4efe"]
assert [hex(w) for w in threefry([0x13198A2E, 0x03707344], np.array([[0x243F6A88, 0x85A308D3]], np.uint32))[0]] == ["0xc4923a9c", "0x483df7a0"]
COUNTERS = np.arange(2 * 35 * 3, dtype=np.uint32).reshape(3, 35, 2) * np.uint32(0x9E3779B1)
THREEFRY_KEY = (0x13198A2E, 0xF3707344)
for which in (0, 1):
    case("threefry", f"%y0 = raf.threefry %a, %b, %c, %d word = {which} : {{a}}",
         [*(np.full((3, 35), k, np.uint32).view(np.int32) for k in THREEFRY_KEY), *(COUNTERS[..., k].view(np.int32) for k in (0, 1))],
         [threefry(THREEFRY_KEY, COUNTERS)[..., which].view(np.int32)])

# ===-- losses and optimizers -------------------------------------------------------------------------------------===

LOGITS = real(4, 6)
for labels, expected in (([1, 6, 0, 2], NAN), ([-100, -100, -100, -100], NAN), ([-1, 1, 2, 3], NAN)):
    lse = np.log(np.exp(LOGITS.astype(f64)).sum(1)).astype(f32)
    case("cross_entropy", "%y0, %y1 = raf.cross_entropy %a, %b ignore_index = -100 label_smoothing = 0.0 : {a}, {b} -> {y0}, {y1}", [LOGITS, np.array(labels)],
         [np.array(expected, f32), lse], 1e-5)
# No label of 32 bits is this index, not even the one with the same low bits.
case("cross_entropy", "%y0, %y1 = raf.cross_entropy %a, %b ignore_index = 4294967297 label_smoothing = 0.0 : {a}, {b} -> {y0}, {y1}",
     [np.zeros((2, 4), f32), np.array([1, 2], np.int32)], [np.array(np.log(4), f32), np.full(2, np.log(4), f32)])
# Large logits do not overflow.
case("cross_entropy", "%y0, %y1 = raf.cross_entropy %a, %b ignore_index = -100 label_smoothing = 0.0 : {a}, {b} -> {y0}, {y1}",
     [np.array([[1000, 0, 0], [0, -1000, 1000]], f32), np.array([0, 1], np.int32)], [np.array(1000.0, f32), np.array([1000.0, 1000.0], f32)])
for dtype, rtol in ((f32, 3e-6), (bf16, 2e-2)):
    p, g, m, v = real(37, dtype=dtype), real(37, dtype=dtype), real(37, dtype=dtype), np.abs(real(37, dtype=dtype))
    wide = [t.astype(f64) for t in (p, g, m, v)]
    gd = wide[1] + 0.1 * wide[0]
    velocity = 0.9 * wide[2] + gd
    case("sgd_update", "%y0 = raf.sgd_update %a, %b, %c momentum = 0.0 weight_decay = 0.1 : ({a}, {b}, {c}) -> {y0}", [p, g, f32(0.5)], [(wide[0] - 0.5 * gd).astype(dtype)], rtol)
    case("sgd_update", "%y0, %y1 = raf.sgd_update %a, %b, %c, %d momentum = 0.9 weight_decay = 0.1 : ({a}, {b}, {c}, {d}) -> ({y0}, {y1})", [p, g, f32(0.5), m],
         [(wide[0] - 0.5 * velocity).astype(dtype), velocity.astype(dtype)], rtol)
    for step in (1, 1000):
        m1, v1 = 0.9 * wide[2] + 0.1 * gd, 0.999 * wide[3] + 0.001 * gd * gd
        new = wide[0] - 0.01 * (m1 / (1 - 0.9**step)) / (np.sqrt(v1 / (1 - 0.999**step)) + 1e-8)
        case("adam_update", "%y0, %y1, %y2 = raf.adam_update %a, %b, %c, %d, %e, %f beta1 = 0.9 beta2 = 0.999 epsilon = 1.0e-8 weight_decay = 0.1 : "
             "({a}, {b}, {c}, {d}, {e}, {f}) -> ({y0}, {y1}, {y2})", [p, g, m, v, f32(0.01), np.int64(step)], [new.astype(dtype), m1.astype(dtype), v1.astype(dtype)], rtol)

