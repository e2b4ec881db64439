# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every operator of StableHLO and CHLO is known to the importer, or refused by name, and is in several stored programs. Needs no JAX."""

import collections
import pathlib
import re

import pytest
import raf

IMPORTED = """
abs add all_gather all_reduce all_to_all and atan2 batch_norm_grad batch_norm_inference batch_norm_training bitcast_convert broadcast_in_dim case
cbrt ceil cholesky clamp collective_broadcast collective_permute compare complex composite concatenate constant convert convolution cosine
count_leading_zeros custom_call divide dot dot_general dynamic_broadcast_in_dim dynamic_conv dynamic_gather dynamic_iota dynamic_pad dynamic_reshape dynamic_slice
dynamic_update_slice exponential exponential_minus_one fft floor gather get_dimension_size get_tuple_element if imag iota is_finite log log_plus_one logistic map
maximum minimum multiply negate not optimization_barrier or pad partition_id popcnt power real real_dynamic_slice reduce reduce_precision
reduce_scatter reduce_window remainder replica_id reshape reverse rng rng_bit_generator round_nearest_afz round_nearest_even rsqrt scatter select
select_and_scatter set_dimension_size shift_left shift_right_arithmetic shift_right_logical sign sine slice sort sqrt subtract tan tanh transpose
triangular_solve tuple while xor
""".split()

#: As docs/stablehlo.md lists them.
REFUSED = {
    "tokens and the host": "after_all create_token infeed outfeed recv send".split(),
    "asynchronous calls": "async_start async_done".split(),
    "quantized types": "uniform_quantize uniform_dequantize".split(),
    "operators that the specification has deprecated": "broadcast cross-replica-sum einsum torch_index_select unary_einsum".split(),
}

CHLO_IMPORTED = """
acos acosh asin asinh atan atanh bessel_i1e broadcast_add broadcast_and broadcast_atan2 broadcast_compare broadcast_complex broadcast_divide
broadcast_maximum broadcast_minimum broadcast_multiply broadcast_next_after broadcast_or broadcast_polygamma broadcast_power broadcast_remainder
broadcast_select broadcast_shift_left broadcast_shift_right_arithmetic broadcast_shift_right_logical broadcast_subtract broadcast_xor broadcast_zeta
conj constant constant_like cosh digamma erf erf_inv erfc is_inf is_neg_inf is_pos_inf lgamma mulhi next_after polygamma ragged_dot scan sinh square tan
top_k zeta
""".split()
#: A value between two steps of expanding others, which no program is to hold.
CHLO_REFUSED = ["_asin_acos_kernel"]

#: How many stored programs (programs/) have an operator, where those are fewer than two: its results cannot be stored.
FEW = {
    "stablehlo.rng": 0,  # see test_random_numbers.py
}

PROGRAM = """
"builtin.module"() ({{
  "func.func"() <{{function_type = () -> tensor<i32>, sym_name = "main"}}> ({{
    "{op}"() : () -> ()
    %c = "stablehlo.constant"() <{{value = dense<1> : tensor<i32>}}> : () -> tensor<i32>
    "func.return"(%c) : (tensor<i32>) -> ()
  }}) : () -> ()
}}) : () -> ()
"""


def message(op):
    try:
        raf.import_stablehlo(PROGRAM.format(op=op))
    except raf.ImportError as error:
        return str(error)
    return ""


ALL_IMPORTED = [f"stablehlo.{op}" for op in IMPORTED] + [f"chlo.{op}" for op in CHLO_IMPORTED]


@pytest.mark.parametrize("op", ALL_IMPORTED)
def test_imported(op):
    """Without operands and attributes it is malformed, which is for its handler to say."""
    assert "not supported" not in message(op)


@pytest.mark.parametrize("op", [f"stablehlo.{op}" for ops in REFUSED.values() for op in ops] + [f"chlo.{op}" for op in CHLO_REFUSED])
def test_refused(op):
    assert f"1 operation is not supported: {op} (1)" in message(op)


@pytest.mark.parametrize("dialect", ["stablehlo", "chlo"])
def test_the_lists_are_complete(dialect):
    module = getattr(pytest.importorskip("jaxlib.mlir.dialects." + dialect), "__dict__")
    names = {c.OPERATION_NAME.removeprefix(dialect + ".") for c in module.values() if hasattr(c, "OPERATION_NAME")}
    known = {*CHLO_IMPORTED, *CHLO_REFUSED} if dialect == "chlo" else {*IMPORTED, *(op for ops in REFUSED.values() for op in ops)}
    assert names - {"return"} <= known


def test_every_operator_is_in_several_programs():
    counts = collections.Counter()
    for file in (pathlib.Path(__file__).parent / "programs").glob("*.mlir"):
        for program in re.split(r"^// -----.*\n", file.read_text(), flags=re.M):
            counts.update(set(re.findall(r'"((?:stablehlo|chlo)\.\w+)"', program)))
    assert {op: counts[op] for op in ALL_IMPORTED if counts[op] < 2} == FEW
