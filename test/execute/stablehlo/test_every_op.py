# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every operator of StableHLO is known to the importer, or refused by name. Needs no JAX."""

import pytest
import raf

IMPORTED = """
abs add all_gather all_reduce all_to_all and atan2 batch_norm_grad batch_norm_inference batch_norm_training bitcast_convert broadcast_in_dim case
cbrt ceil cholesky clamp collective_broadcast collective_permute compare complex composite concatenate constant convert convolution cosine
count_leading_zeros custom_call divide dot dot_general dynamic_broadcast_in_dim dynamic_gather dynamic_iota dynamic_pad dynamic_reshape dynamic_slice
dynamic_update_slice exponential exponential_minus_one fft floor gather get_dimension_size if imag iota is_finite log log_plus_one logistic map
maximum minimum multiply negate not optimization_barrier or pad partition_id popcnt power real real_dynamic_slice reduce reduce_precision
reduce_scatter reduce_window remainder replica_id reshape reverse rng_bit_generator round_nearest_afz round_nearest_even rsqrt scatter select
select_and_scatter set_dimension_size shift_left shift_right_arithmetic shift_right_logical sign sine slice sort sqrt subtract tan tanh transpose
triangular_solve while xor
""".split()

#: As docs/stablehlo.md lists them.
REFUSED = {
    "tokens and the host": "after_all create_token infeed outfeed recv send".split(),
    "asynchronous calls": "async_start async_done".split(),
    "quantized types": "uniform_quantize uniform_dequantize".split(),
    "tuples": "tuple get_tuple_element".split(),
    "random numbers without a state": ["rng"],
    "shapes as operands": ["dynamic_conv"],
    "operators that the specification has deprecated": "broadcast cross-replica-sum einsum torch_index_select unary_einsum".split(),
}

PROGRAM = """
"builtin.module"() ({{
  "func.func"() <{{function_type = () -> tensor<i32>, sym_name = "main"}}> ({{
    "stablehlo.{op}"() : () -> ()
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


@pytest.mark.parametrize("op", IMPORTED)
def test_imported(op):
    """Without operands and attributes it is malformed, which is for its handler to say."""
    assert "not supported" not in message(op)


@pytest.mark.parametrize("op", [op for ops in REFUSED.values() for op in ops])
def test_refused(op):
    assert f"1 operation is not supported: stablehlo.{op} (1)" in message(op)


def test_the_lists_are_complete():
    stablehlo = pytest.importorskip("jaxlib.mlir.dialects.stablehlo")
    names = {c.OPERATION_NAME.removeprefix("stablehlo.") for c in vars(stablehlo).values() if hasattr(c, "OPERATION_NAME")}
    assert names - {"return"} <= {*IMPORTED, *(op for ops in REFUSED.values() for op in ops)}
