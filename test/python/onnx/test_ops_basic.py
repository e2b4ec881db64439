# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise ops, reductions and products agree with ONNX Runtime."""

import numpy as np
import pytest
from python.onnx.check import check_op, rand

F, I64, B = np.float32, np.int64, np.bool_


@pytest.mark.parametrize("op", "Neg Abs Sign Floor Ceil Round Exp Sin Cos Tanh Sigmoid Erf Relu Elu Selu Celu LeakyRelu ThresholdedRelu Softplus Softsign HardSigmoid "
                               "HardSwish Identity Tan Sinh Cosh Asinh Shrink".split())
def test_unary(op):
    check_op(op, rand(3, 5) * 2)


@pytest.mark.parametrize("op", "Log Sqrt Reciprocal".split())
def test_unary_of_positive(op):
    check_op(op, rand(3, 5, low=0.5))


@pytest.mark.parametrize("op, attributes, opset", [
    ("Elu", {"alpha": 0.7}, 17), ("Selu", {"alpha": 1.5, "gamma": 0.9}, 17), ("Celu", {"alpha": 2.0}, 17), ("LeakyRelu", {"alpha": 0.3}, 17),
    ("HardSigmoid", {"alpha": 0.3, "beta": 0.4}, 17), ("ThresholdedRelu", {"alpha": 0.4}, 17), ("Mish", {}, 18), ("Gelu", {}, 20), ("Gelu", {"approximate": "tanh"}, 20),
    ("Shrink", {"lambd": 0.3, "bias": 0.1}, 17), ("IsInf", {}, 20)])
def test_unary_with_attributes(op, attributes, opset):
    check_op(op, rand(4, 3), opset=opset, dtypes=[B] if op == "IsInf" else None, **attributes)


def test_extremes_stay_finite():
    x = np.array([-1000, -100, -1, 0, 1, 100, 1000], F)
    for op in ("Softplus", "Elu", "Selu", "Celu", "Sigmoid", "Tanh", "Softsign"):
        check_op(op, x)


@pytest.mark.parametrize("op", "Add Sub Mul Div".split())
@pytest.mark.parametrize("shapes", [((2, 3), (2, 3)), ((2, 3, 4), (4,)), ((4, 1), (3, 1, 5)), ((), (2,)), ((1, 3), (2, 1)), ((0, 3), (1, 3))])
def test_arithmetic_broadcasts(op, shapes):
    a, b = rand(*shapes[0]), rand(*shapes[1], seed=1, low=0.5)
    check_op(op, a, b)


@pytest.mark.parametrize("op", "Add Sub Mul Div".split())
def test_integer_arithmetic(op):
    check_op(op, np.array([[-7, 7, 5]], I64), np.array([[2], [-2], [3]], I64))


@pytest.mark.parametrize("op", "Equal Greater GreaterOrEqual Less LessOrEqual".split())
def test_comparisons(op):
    a = np.array([1, 2, np.nan, 4], F)
    check_op(op, a, np.array([2, 2, 2, 2], F), dtypes=[B])
    check_op(op, np.array([1, -2, 3], I64), np.array([[1], [3]], I64), dtypes=[B])


@pytest.mark.parametrize("op", "And Or Xor".split())
def test_logic(op):
    check_op(op, np.array([True, True, False, False]), np.array([True, False, True, False]))


def test_not_and_isnan():
    check_op("Not", np.array([True, False]))
    check_op("IsNaN", np.array([1, np.nan], F), dtypes=[B])


@pytest.mark.parametrize("op", "Sum Mean Max Min".split())
def test_variadic(op):
    check_op(op, rand(2, 3), rand(3, seed=1), rand(2, 1, seed=2))
    check_op(op, rand(2, 3))


@pytest.mark.parametrize("exponent", [-1, -0.5, 0.5, 1, 2, 3, 2.5])
def test_pow_of_constants(exponent):
    check_op("Pow", rand(3, 4, low=0.5), weights=[(1, np.array(exponent, F))])


def test_pow_of_tensors_and_integers():
    check_op("Pow", rand(3, 4, low=0.5), rand(4, seed=1))
    check_op("Pow", np.array([[1, 2, -3]], I64), weights=[(1, np.array(3, I64))])


@pytest.mark.parametrize("fmod", [0, 1])
def test_mod_of_integers(fmod):
    check_op("Mod", np.array([-7, 7, -7, 7, 6], I64), np.array([3, 3, -3, -3, 3], I64), fmod=fmod)


def test_mod_of_floats():
    check_op("Mod", np.array([-7.5, 7.5, 4], F), np.array([2, -2, 2], F), fmod=1)


def test_where_broadcasts():
    check_op("Where", np.array([[True], [False]]), rand(2, 3), rand(3, seed=1), dtypes=[F])


@pytest.mark.parametrize("source, to", [(F, 7), (F, 6), (I64, 1), (F, 9), (B, 1), (F, 11), (F, 10), (np.int32, 7)])
def test_cast(source, to):
    from onnx import helper

    check_op("Cast", (np.array([[-1.7, 0, 2.3]]) * 1).astype(source), to=to, dtypes=[helper.tensor_dtype_to_np_dtype(to)])


@pytest.mark.parametrize("low, high", [(-0.5, 0.5), (None, 0.5), (0.0, None), (0.0, 6.0), (-np.inf, 0.5)])
def test_clip(low, high):
    bounds = [(i, np.array(v, F)) for i, v in ((1, low), (2, high)) if v is not None]
    check_op("Clip", rand(3, 4), *([None] if low is None else []), weights=bounds)


def test_prelu():
    check_op("PRelu", rand(2, 3, 4, 4), rand(3, 1, 1, seed=1))
    check_op("PRelu", rand(2, 3), rand(1, seed=1))


def test_dropout_is_imported_in_training_form():
    from onnx import helper
    from python.onnx.check import model_of

    import raf

    nodes = [helper.make_node("Dropout", ["x", "r"], ["a"]), helper.make_node("Dropout", ["a", "r"], ["y"])]
    text = raf.import_onnx(model_of(nodes, {"x": rand(2, 3)}, {"y": F}, {"r": np.array(0.25, F)})).specialize().text()
    assert "ratio = 2.500000e-01 op_id = 1" in text and "op_id = 2" in text
    assert text.index('raf.name = "seed", raf.role = "seed"') < text.index('raf.name = "step", raf.role = "step"')


@pytest.mark.parametrize("op", "ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSumExp ReduceSumSquare ReduceLogSum".split())
@pytest.mark.parametrize("axes, keep", [([1], 1), ([0, 2], 0), ([-1], 0), (None, 1), (None, 0)])
def test_reductions(op, axes, keep):
    x = rand(3, 4, 5, low=0.1)
    more = {} if axes is None else {"axes": axes}
    if op == "ReduceSum":
        check_op(op, x, weights=[] if axes is None else [(1, np.array(axes, I64))], keepdims=keep)
    else:
        check_op(op, x, keepdims=keep, **more)
    check_op(op, x, weights=[] if axes is None else [(1, np.array(axes, I64))], keepdims=keep, opset=18)


def test_reductions_of_large_values_and_integers():
    check_op("ReduceLogSumExp", np.array([[1000.0, 1000], [-1000, -999]], F), axes=[1])
    check_op("ReduceSum", np.array([[1, 2], [3, 4]], I64), weights=[(1, np.array([0], I64))])
    check_op("ReduceMax", np.array([[1, 2], [3, -4]], np.int32), axes=[1])
    check_op("ReduceSum", rand(2, 3), noop_with_empty_axes=1, opset=13)


@pytest.mark.parametrize("op", ["ArgMax", "ArgMin"])
@pytest.mark.parametrize("attributes", [{}, {"axis": 1, "keepdims": 0}, {"axis": -1, "select_last_index": 1}])
def test_arg_reductions(op, attributes):
    check_op(op, np.array([[3, 1, 3], [1, 1, 0]], F), dtypes=[I64], **attributes)


@pytest.mark.parametrize("attributes", [{}, {"exclusive": 1}, {"reverse": 1}, {"exclusive": 1, "reverse": 1}])
def test_cumsum(attributes):
    check_op("CumSum", rand(3, 4), weights=[(1, np.array(-1, I64))], **attributes)


@pytest.mark.parametrize("a, b", [((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((5, 2, 3), (5, 3, 4)), ((2, 1, 2, 3), (4, 3, 5)), ((3,), (3, 4)), ((2, 3), (3,)), ((3,), (3,)), ((2, 3), (4, 3, 5)),
                                  ((2, 4, 2, 3), (1, 1, 3, 4)), ((2, 0), (0, 3))])
def test_matmul(a, b):
    check_op("MatMul", rand(*a), rand(*b, seed=1))


@pytest.mark.parametrize("attributes", [{}, {"transA": 1}, {"transB": 1}, {"transA": 1, "transB": 1, "alpha": 0.5, "beta": 2.0}])
@pytest.mark.parametrize("bias", [None, (), (5,), (1, 5), (4, 1), (4, 5)])
def test_gemm(attributes, bias):
    a = rand(*((3, 4) if attributes.get("transA") else (4, 3)))
    b = rand(*((5, 3) if attributes.get("transB") else (3, 5)), seed=1)
    check_op("Gemm", a, b, *([] if bias is None else [rand(*bias, seed=2)]), **attributes)


@pytest.mark.parametrize("equation, shapes", [
    ("ij,jk->ik", [(2, 3), (3, 4)]), ("bij,bjk->bik", [(5, 2, 3), (5, 3, 4)]), ("bhqd,bhkd->bhqk", [(2, 3, 4, 5), (2, 3, 6, 5)]), ("bhqk,bkhd->bqhd", [(2, 3, 4, 6), (2, 6, 3, 5)]),
    ("i,j->ij", [(2,), (3,)]), ("ij->ji", [(2, 3)]), ("ij->i", [(2, 3)]), ("ij,ij->", [(2, 3), (2, 3)]), ("...ij,...jk->...ik", [(2, 2, 3), (2, 3, 4)]), ("bi,ij", [(2, 3), (3, 4)]),
    ("bn,anm,bm->ba", [(2, 3), (5, 3, 4), (2, 4)]), ("ij,kl->il", [(2, 3), (4, 5)])])
def test_einsum(equation, shapes):
    check_op("Einsum", *(rand(*s, seed=i) for i, s in enumerate(shapes)), equation=equation)


def test_f64_and_f16():
    check_op("Gemm", rand(2, 3, dtype=np.float64), rand(3, 4, seed=1, dtype=np.float64))
    check_op("Add", rand(2, 3, dtype=np.float16), rand(3, seed=1, dtype=np.float16))
    check_op("Softmax", rand(2, 3, dtype=np.float64), axis=-1)
