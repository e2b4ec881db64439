# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""raf._core on training steps written in the form that raf-outline-kernels leaves."""

import ctypes
import json
import signal
import threading
import time
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from python.core.steps import CODEGEN, STEP, Step, core, options, pipeline

import raf

def random_values(seed=0):
    rng = np.random.default_rng(seed)
    shapes = {"x": (4, 3), "w1": (3, 5), "b1": (5,), "w2": (5, 2), "target": (4, 2)}
    values = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    return {**values, "lr": np.float32(0.1)}


def reference(v):
    """The step in numpy: the loss, and the parameters in place."""
    z = v["x"] @ v["w1"] + v["b1"]
    h = np.maximum(z, 0)
    y = h @ v["w2"]
    d = 2 * (y - v["target"]) / y.size
    dz = (d @ v["w2"].T) * (h > 0)
    loss = np.mean((y - v["target"]) ** 2)
    v["w2"] = v["w2"] - v["lr"] * (h.T @ d)
    v["b1"] = v["b1"] - v["lr"] * dz.sum(0)
    v["w1"] = v["w1"] - v["lr"] * (v["x"].T @ dz)
    return loss


@pytest.fixture(scope="module")
def executable():
    return core.Executable.compile(STEP.read_bytes(), options())


def check(step, values, steps=20):
    for _ in range(steps):
        step.run()
        loss = reference(values)
        np.testing.assert_allclose(step.arrays["loss"], loss, rtol=1e-5)
    for name in ("w1", "b1", "w2"):
        np.testing.assert_allclose(step.arrays[name], values[name], rtol=1e-4, atol=1e-6)


def test_a_step_computes_what_numpy_computes(executable):
    values = random_values()
    check(Step(executable, values), values)


def test_an_interrupt_during_a_compilation_is_an_interrupt():
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 2e-3)
            core.Executable.compile(STEP.read_bytes(), options())
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("variant", [{"plan": "raf-plan-memory{share=false}"}, {"inplace": ""}, {"host": "raf-lower-host{profile}"}])
def test_plans_differ_only_in_memory(variant):
    values = random_values(1)
    check(Step(core.Executable.compile(STEP.read_bytes(), options(pipeline=pipeline(**variant))), values), values, 3)


@pytest.mark.parametrize("level", [0, 2])
def test_generated_kernels(level):
    values = random_values(4)
    check(Step(core.Executable.compile(STEP.read_bytes(), options(pipeline=CODEGEN, opt_level=level)), values), values)


@pytest.mark.parametrize("level", [0, 1, 2])
def test_opt_levels(level):
    values = random_values(2)
    check(Step(core.Executable.compile(STEP.read_text(), options(opt_level=level, vector_width=256)), values), values, 3)


def test_manifest(executable):
    manifest = json.loads(executable.manifest)
    assert [a["name"] for a in manifest["args"]] == ["x", "w1", "b1", "w2", "target", "lr"]
    assert manifest["args"][1] == {"name": "w1", "role": "param", "dtype": "f32", "shape": [3, 5]}
    assert [r["alias"] for r in manifest["results"]] == [None, 1, 2, 3]
    memory = manifest["memory"]
    assert memory["arena_bytes"] == executable.arena_bytes == memory["activations"] + memory["workspace"]
    assert memory["lower_bound"] <= memory["arena_bytes"] <= memory["unshared_bytes"]
    assert len(manifest["ops"]) == 12 and "copy" not in manifest["ops"]
    assert executable.arena_address % 64 == 0


def test_a_step_allocates_nothing(executable):
    step = Step(executable, random_values())
    step.run()
    before = core.memory()
    for _ in range(10):
        step.run()
    assert core.memory() == before


def test_serialized_executables_run(executable):
    data = executable.serialize()
    again = core.Executable.deserialize(data)
    values = random_values(3)
    check(Step(again, values), values, 3)
    assert again.manifest == executable.manifest and again.serialize() == data


def test_damaged_executables_are_refused(executable):
    data = executable.serialize()
    with pytest.raises(raf.CompileError, match="not an executable of this version"):
        core.Executable.deserialize(b"ELF" + data)
    for damaged in (data[:-1], data[:100], data[:200] + b"x" + data[201:], data + b"x"):
        with pytest.raises(raf.CompileError, match="damaged"):
            core.Executable.deserialize(damaged)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"runtime_abi": 1}, "was made for version 1 of the runtime, and this is version"),
        ({"triple": "riscv64-unknown-linux-gnu"}, "cannot run here: it was made for riscv64-unknown-linux-gnu, and this is"),
        ({"features": ["sse2", "avx1024", "telepathy"]}, "cannot run here: this CPU lacks avx1024, telepathy"),
        ({"args": [{"name": "x"}]}, "the manifest of the executable is incomplete .*dtype"),
        ({"memory": 3}, "the manifest of the executable is incomplete"),
        ({"objects": [b""]}, "the generated code cannot be loaded: object 0: this is no ELF file"),
        ({"objects": []}, "the generated code cannot be loaded: it has no raf_init"),
    ],
)
def test_what_cannot_run_here_is_refused(executable, change, message):
    manifest = json.loads(executable.manifest)
    again = core.Executable.load(json.dumps(manifest), executable.objects)
    assert again.manifest != "" and again.objects == executable.objects
    objects = change.pop("objects", executable.objects)
    manifest.update({k: v for k, v in change.items() if k in manifest})
    manifest["target"].update({k: v for k, v in change.items() if k in manifest["target"]})
    with pytest.raises(raf.CompileError, match=message):
        core.Executable.load(json.dumps(manifest), objects)


def test_the_runtime_knows_the_cpu_as_llvm_does(executable):
    """Executables are made for what LLVM finds, and refused by what the runtime finds, which has no LLVM."""
    manifest = json.loads(executable.manifest)
    library = ctypes.CDLL(str(next((Path(raf.__file__).parent / "_mlir/_mlir_libs").glob("libraf_runtime.so"))))
    library.raf_rt_host_features.restype = library.raf_rt_host_triple.restype = ctypes.c_char_p
    found = set(library.raf_rt_host_features().decode().split(","))
    if manifest["target"]["triple"].startswith("x86_64"):
        assert found == set(manifest["target"]["features"])
    else:
        assert found >= set(manifest["target"]["features"])
    assert library.raf_rt_host_triple().decode() == manifest["target"]["triple"]


def test_conversions_to_small_floats_round_as_numpy_does():
    """Where the CPU has no instruction, generated code calls the runtime's own conversions. The instruction from f32 to bf16 takes subnormal numbers for zeros."""
    rng = np.random.default_rng(5)
    with np.errstate(all="ignore"):
        singles = np.concatenate([rng.integers(0, 2**32, 4096, np.uint32).view(np.float32), (rng.integers(0, 2**16, 4096, np.uint32) << 16 | 0x8000).view(np.float32)])
        halves = np.arange(2**16, dtype=np.uint16).view(np.float16).astype(np.float32)
        ties = (halves[:-1] + halves[1:]) / 2
        values = np.concatenate([singles, halves, ties, np.float32([0, -0.0, np.inf, -np.inf, np.nan, 65519.99, 65520, 1e-8, 6e-8, 2.98e-8, 3.4e38])])
    count = len(values)
    cases = [("f32", "bf16"), ("f32", "f16"), ("f64", "bf16"), ("f64", "f16")]
    kernels, launches, arguments, results = "", "", [], []
    for source, target in cases:
        name = f"{source}_{target}"
        kernels += f"""
        func.func private @{name}(%x: tensor<{count}x{source}>, %o: tensor<{count}x{target}>) -> tensor<{count}x{target}> attributes {{raf.kernel}} {{
          %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
              ins(%x : tensor<{count}x{source}>) outs(%o : tensor<{count}x{target}>) {{
          ^bb0(%a: {source}, %b: {target}):
            %c = arith.truncf %a : {source} to {target}
            linalg.yield %c : {target}
          }} -> tensor<{count}x{target}>
          return %r : tensor<{count}x{target}>
        }}"""
        launches += f"""
          %e{name} = tensor.empty() : tensor<{count}x{target}>
          %r{name} = raf.launch @{name} ins(%{source} : tensor<{count}x{source}>) outs(%e{name} : tensor<{count}x{target}>) -> tensor<{count}x{target}>"""
        results.append((f"%r{name}", f"tensor<{count}x{target}>", name))
    arguments = ", ".join(f'%{t}: tensor<{count}x{t}> {{raf.name = "{t}"}}' for t in ("f32", "f64"))
    types = ", ".join(f'{t} {{raf.name = "{n}"}}' for _, t, n in results)
    main = f"func.func @main({arguments}) -> ({types}) {{{launches}\n return {', '.join(v for v, _, _ in results)} : {', '.join(t for _, t, _ in results)} }}"
    executable = core.Executable.compile(kernels + main, options())
    with np.errstate(all="ignore"):
        wide = values.astype(np.float64)
    arrays = [values, wide] + [np.zeros(count, np.uint16) for _ in cases]
    for index, array in enumerate(arrays):
        executable.bind(index, array.ctypes.data)
    executable.run()
    features = json.loads(executable.manifest)["target"]["features"]
    for (source, target), bits in zip(cases, arrays[2:]):
        dtype = np.dtype(ml_dtypes.bfloat16 if target == "bf16" else np.float16)
        with np.errstate(all="ignore"):
            expected = arrays[source == "f64"].astype(dtype)
        got = bits.view(dtype)
        nan = np.isnan(values)
        np.testing.assert_array_equal(np.isnan(got.astype(np.float32)), nan)
        if (source, target) == ("f32", "bf16") and "avx512bf16" in features:
            subnormal = (np.abs(values) < np.finfo(np.float32).tiny) & ~nan
            expected[subnormal] = np.copysign(np.float32(0), values[subnormal])
        np.testing.assert_array_equal(bits[~nan], expected.view(np.uint16)[~nan])


def test_threads_may_share_an_executable(executable):
    step = Step(executable, {**random_values(), "lr": np.float32(0)})
    threads = [threading.Thread(target=lambda: [step.run() for _ in range(100)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    values = {**random_values(), "lr": np.float32(0)}
    np.testing.assert_allclose(step.arrays["loss"], reference(values), rtol=1e-5)


def test_binding_is_checked():
    executable = core.Executable.compile(STEP.read_bytes(), options())
    with pytest.raises(raf.RuntimeError, match="'x'.* is not bound"):
        executable.run()
    step = Step(executable, random_values())
    step.run()
    for index in (-1, 7):
        with pytest.raises(raf.RuntimeError, match="no buffer"):
            executable.bind(index, 64)
    for address in (0, step.arrays["x"].ctypes.data + 2):
        with pytest.raises(raf.RuntimeError, match="'x'.* cannot be at address"):
            executable.bind(0, address)
    executable.bind(1, step.arrays["w2"].ctypes.data)
    with pytest.raises(raf.RuntimeError, match="'w1'.* and 3 .'w2'.* overlap"):
        executable.run()
    # Two buffers that are only read may be one.
    executable.bind(1, step.arrays["w1"].ctypes.data)
    executable.run()


@pytest.mark.parametrize(
    ("module", "text", "message"),
    [
        ("module {", {}, "expected"),
        (b"\x00\xff", {}, "module"),
        ("module {}", {}, "no step"),
        ("module {}", {"pipeline": "nonsense"}, "nonsense"),
        ("module {}", {"pipeline": "func.func(cse)"}, "builtin.module"),
        ("module {}", {"pipeline": 3}, "pipeline must be"),
        ("module {}", {"opt_level": 7}, "opt_level must be an integer from 0 to 2"),
        ("module {}", {"num_threads": "x"}, "num_threads"),
        ("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %b = raf.exp %a : tensor<2xf32>\n  return %b : tensor<2xf32>\n}", {}, r"module\W+2:8\W+error: 'raf.exp' op"),
    ],
)
def test_errors_have_locations_and_reasons(module, text, message):
    with pytest.raises(raf.CompileError, match=message) as caught:
        core.Executable.compile(module, options(**text))
    assert caught.value.diagnostics


def test_options_must_be_json():
    with pytest.raises(raf.CompileError, match="JSON"):
        core.Executable.compile("module {}", "{")
    with pytest.raises(TypeError):
        core.Executable.compile(3, "{}")


def test_unknown_functions_are_named():
    module = """
    func.func private @mystery() -> f32
    func.func private @k(%y: memref<f32>) attributes {raf.kernel} {
      %v = func.call @mystery() : () -> f32
      memref.store %v, %y[] : memref<f32>
      return
    }
    func.func @main() -> tensor<f32> {
      %e = tensor.empty() : tensor<f32>
      %r = raf.launch @k outs(%e : tensor<f32>) -> tensor<f32>
      return %r : tensor<f32>
    }
    """
    with pytest.raises(raf.CompileError, match="cannot be loaded.*mystery"):
        core.Executable.compile(module, options())


def test_run_pipeline():
    text = core.run_pipeline(STEP.read_bytes(), "builtin.module(raf-inplace,raf-bufferize-host)")
    assert "memref.alloc" in text and "raf.results" in text
    with pytest.raises(raf.CompileError, match="does not refer to a registered pass"):
        core.run_pipeline("module {}", "builtin.module(no-such-pass)")


def test_profile():
    executable = core.Executable.compile(STEP.read_bytes(), options(pipeline=pipeline(host="raf-lower-host{profile}")))
    step = Step(executable, random_values())
    executable.profile(100)
    step.run()
    records, lost = executable.profile_records()
    assert [r[0] for r in records if r[3] < 0] == list(range(12)) and lost == 0
    assert all(begin <= end for _, begin, end, _ in records)


def test_large_modules_are_compiled_in_parts():
    kernel = """
    func.func private @k{0}(%x: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> attributes {{raf.kernel}} {{
      %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
          ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>) {{
      ^bb0(%a: f32, %b: f32):
        %c = arith.constant {0}.0 : f32
        %s = arith.addf %a, %c : f32
        linalg.yield %s : f32
      }} -> tensor<8xf32>
      return %r : tensor<8xf32>
    }}"""
    launch = """
      %e{0} = tensor.empty() : tensor<8xf32>
      %v{1} = raf.launch @k{0} ins(%v{0} : tensor<8xf32>) outs(%e{0} : tensor<8xf32>) may_alias = [0, 0] -> tensor<8xf32>"""
    count = 60
    module = "".join(kernel.format(i) for i in range(count))
    module += '\nfunc.func @main(%v0: tensor<8xf32> {raf.name = "x"}) -> (tensor<8xf32> {raf.name = "y"}) {'
    module += "".join(launch.format(i, i + 1) for i in range(count)) + f"\n  return %v{count} : tensor<8xf32>\n}}"
    executable = core.Executable.compile(module, options())
    for loaded in (executable, core.Executable.deserialize(executable.serialize())):
        step = Step(loaded, {"x": np.arange(8)})
        step.run()
        np.testing.assert_array_equal(step.arrays["y"], np.arange(8) + sum(range(count)))
    assert core.Executable.compile(module, options()).serialize() == executable.serialize()


def test_library_plans():
    module = """
    func.func @main(%x: tensor<64x32xf32> {raf.name = "x"}, %w: tensor<32x16xf32> {raf.name = "w"}, %v: tensor<32x16xf32> {raf.name = "v"})
        -> (tensor<64x16xf32> {raf.name = "y"}, tensor<64x16xf32> {raf.name = "z"}) {
      %y = raf.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
      %z = raf.matmul %x, %v : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
      return %y, %z : tensor<64x16xf32>, tensor<64x16xf32>
    }
    """
    text = pipeline().replace("raf-inplace", "raf-dispatch,raf-inplace")
    executable = core.Executable.compile(module, options(pipeline=text))
    if not executable.plans:
        pytest.skip("built without oneDNN")
    assert len(executable.plans) == 1 and json.loads(executable.manifest)["library_calls"] == 2
    rng = np.random.default_rng(0)
    values = {n: rng.standard_normal(s).astype(np.float32) for n, s in (("x", (64, 32)), ("w", (32, 16)), ("v", (32, 16)))}
    for loaded in (executable, core.Executable.deserialize(executable.serialize())):
        step = Step(loaded, values)
        step.run()
        np.testing.assert_allclose(step.arrays["y"], values["x"] @ values["w"], rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(step.arrays["z"], values["x"] @ values["v"], rtol=1e-4, atol=1e-5)


def test_info_and_threads():
    info = json.loads(core.info())
    assert info["compiler"]["llvm_version"].startswith("22.") and info["runtime"]
    threads = core.get_num_threads()
    try:
        core.set_num_threads(1)
        assert core.get_num_threads() == 1
        with pytest.raises(raf.RuntimeError, match="between 1 and"):
            core.set_num_threads(0)
    finally:
        core.set_num_threads(threads)


def test_overhead_of_a_step(executable):
    step = Step(executable, random_values())
    run = executable.run
    run()
    best = min(_time(run) for _ in range(20))
    assert best < 50e-6, f"{best * 1e6:.1f} us"


def _time(run, count=200):
    start = time.perf_counter()
    for _ in range(count):
        run()
    return (time.perf_counter() - start) / count
