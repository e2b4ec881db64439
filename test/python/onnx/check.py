# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models for tests, and the comparison of what import makes of them with ONNX Runtime."""

import numpy as np
import onnxruntime
from onnx import helper, numpy_helper
from python.onnx.evaluate import evaluate

import raf

RTOL = {np.dtype(np.float64): 1e-9, np.dtype(np.float32): 2e-5, np.dtype(np.float16): 2e-2}


def value_info(name, array, dims=None):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.asarray(array).dtype), np.shape(array) if dims is None else dims)


def model_of(nodes, inputs, outputs, weights=None, opset=17, domains=(), dims=None):
    """A model of nodes; `outputs` are names with element types."""
    graph = helper.make_graph(
        nodes, "test", [value_info(n, a, (dims or {}).get(n)) for n, a in inputs.items()],
        [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(np.dtype(t)), None) for n, t in outputs.items()],
        [numpy_helper.from_array(np.asarray(a), n) for n, a in (weights or {}).items()])
    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(d, 1) for d in domains)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10 if opset <= 21 else 11)


def runtime(model, inputs):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    content = model if isinstance(model, str) else model.SerializeToString()
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"]).run(None, inputs)


def imported(model, inputs, **options):
    """The outputs of the imported module, run by the reference in inference form."""
    made = raf.import_onnx(model, **options)
    special = made.specialize(inputs)
    arguments = {**inputs, **made.params, **made.buffers, "seed": np.int64(0), "step": np.int64(1)}
    results = evaluate(special.asm, arguments)
    return [results[o.name] for o in made.outputs]


def compare(model, inputs, rtol=None, atol=1e-5, expected=None, **options):
    """Import and ONNX Runtime give the same outputs."""
    expected = runtime(model, inputs) if expected is None else expected
    got = imported(model, inputs, **options)
    assert len(got) == len(expected)
    for e, g in zip(expected, got):
        assert g.shape == np.shape(e) and g.dtype == e.dtype, (g.shape, np.shape(e), g.dtype, e.dtype)
        if e.dtype.kind in "iub":
            np.testing.assert_array_equal(g, e)
        else:
            np.testing.assert_allclose(g.astype(np.float64), e.astype(np.float64), rtol=rtol or RTOL.get(e.dtype, 1e-5), atol=atol if e.dtype != np.float16 else 2e-2)


def check_op(op, *inputs, weights=(), outputs=1, opset=17, domain="", dtypes=None, rtol=None, atol=1e-5, **attributes):
    """One node: `inputs` are fed, `weights` are (position, array) constants of the file; None is an absent input."""
    feeds, constants = {}, {}
    names = []
    given = dict(weights)
    rest = iter(inputs)
    for position in range(len(inputs) + len(given)):
        if position in given:
            constants[f"w{position}"] = given[position]
            names.append(f"w{position}")
            continue
        array = next(rest)
        names.append("" if array is None else f"x{position}")
        if array is not None:
            feeds[f"x{position}"] = np.asarray(array)
    node = helper.make_node(op, names, [f"y{i}" for i in range(outputs)], name="node", domain=domain, **attributes)
    types = dtypes or [next(iter(feeds.values())).dtype] * outputs
    model = model_of([node], feeds, {f"y{i}": t for i, t in enumerate(types)}, constants, opset, [domain] if domain else ())
    compare(model, feeds, rtol, atol)
    return model


def rand(*shape, seed=0, dtype=np.float32, low=None):
    rng = np.random.default_rng(seed)
    return (rng.standard_normal(shape) if low is None else rng.uniform(low, low + 1, shape)).astype(dtype)
