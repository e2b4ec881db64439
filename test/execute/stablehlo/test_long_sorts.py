# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows that are too long to compare all pairs: a bitonic network in a loop. Needs no JAX."""

import numpy as np
import pytest
import raf

ARGSORT = """
"builtin.module"() ({{
  "func.func"() <{{function_type = ({x}) -> ({x}, {i}), sym_name = "main"}}> ({{
  ^bb0(%x: {x}):
    %i = "stablehlo.iota"() <{{iota_dimension = {dim} : i64}}> : () -> {i}
    %s:2 = "stablehlo.sort"(%x, %i) <{{dimension = {dim} : i64, is_stable = true}}> ({{
    ^bb0(%a: tensor<{e}>, %b: tensor<{e}>, %k: tensor<i32>, %l: tensor<i32>):
      %c = "stablehlo.compare"(%a, %b) <{{comparison_direction = #stablehlo<comparison_direction {order}>}}> : (tensor<{e}>, tensor<{e}>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }}) : ({x}, {i}) -> ({x}, {i})
    "func.return"(%s#0, %s#1) : ({x}, {i}) -> ()
  }}) : () -> ()
}}) : () -> ()
"""


def program(shape, element, dim, order):
    sizes = "".join(f"{s}x" for s in shape)
    return raf.import_stablehlo(ARGSORT.format(x=f"tensor<{sizes}{element}>", i=f"tensor<{sizes}i32>", e=element, dim=dim, order=order))


@pytest.mark.parametrize("shape, dim", [((257,), 0), ((1000,), 0), ((3, 512), 1), ((700, 2), 0), ((40000,), 0)])
@pytest.mark.parametrize("order", ["LT", "GT"])
def test_equal_elements_keep_their_order(shape, dim, order):
    x = np.random.default_rng(0).integers(-9, 10, shape).astype(np.int32)
    values, places = raf.compile(program(shape, "i32", dim, order), cache=False)(x)
    expected = np.argsort(x if order == "LT" else -x, axis=dim, kind="stable")
    np.testing.assert_array_equal(places, expected)
    np.testing.assert_array_equal(values, np.take_along_axis(x, expected, dim))


def test_gradient_goes_back_through_the_permutation():
    rng = np.random.default_rng(1)
    x, dy = rng.normal(size=600).astype(np.float32), rng.normal(size=600).astype(np.float32)
    _, (dx,) = raf.vjp(program((600,), "f32", 0, "LT"), ["arg0"], cache=False)(x, cotangent=(dy, np.zeros(600, np.int32)))
    np.testing.assert_array_equal(dx, dy[np.argsort(np.argsort(x))])


def test_a_million_elements():
    x = np.random.default_rng(2).normal(size=1_000_000).astype(np.float32)
    values, _ = raf.compile(program((1_000_000,), "f32", 0, "LT"), cache=False)(x)
    np.testing.assert_array_equal(values, np.sort(x))


TOP_K = """
"builtin.module"() ({{
  "func.func"() <{{function_type = (tensor<{n}xi32>) -> (tensor<4xi32>, tensor<4xi32>), sym_name = "main"}}> ({{
  ^bb0(%x: tensor<{n}xi32>):
    %0:2 = "stablehlo.custom_call"(%x) <{{call_target_name = "mhlo.topk"}}> {{mhlo.attributes = {{k = 4 : i64, largest = {largest}}}, mhlo.version = 1 : i64}} : (tensor<{n}xi32>) -> (tensor<4xi32>, tensor<4xi32>)
    "func.return"(%0#0, %0#1) : (tensor<4xi32>, tensor<4xi32>) -> ()
  }}) : () -> ()
}}) : () -> ()
"""


@pytest.mark.parametrize("n", [9, 600])
@pytest.mark.parametrize("largest", [True, False])
def test_top_k_of_old_exports(n, largest):
    x = np.random.default_rng(3).integers(-5, 6, n).astype(np.int32)
    values, places = raf.compile(raf.import_stablehlo(TOP_K.format(n=n, largest=str(largest).lower())), cache=False)(x)
    expected = np.argsort(-x if largest else x, kind="stable")[:4]
    np.testing.assert_array_equal(places, expected)
    np.testing.assert_array_equal(values, x[expected])
