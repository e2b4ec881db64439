# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runtime's declarations of CUDA against the real headers, where they are: pip install nvidia-cuda-runtime (2 MB); for the
libraries also nvidia-cuda-crt, nvidia-cuda-cccl and nvidia-cublas, nvidia-cudnn-cu13 and nvidia-nccl-cu13 (hundreds of MB each). Or RAF_CUDA_HEADERS=<folders, separated by colons>."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import warnings
from pathlib import Path

import pytest
from raf_cuda import build

RUNTIME = Path(__file__).parents[3] / "runtime" / "cuda"
PREAMBLE = """
#include <cuda.h>
#include <library_types.h>
#if __has_include(<cublasLt.h>)
#include <cublasLt.h>
#endif
#if __has_include(<cudnn.h>)
#include <cudnn.h>
#endif
#include "runtime/cuda/CublasLt.h"
#if __has_include(<nccl.h>)
#include <nccl.h>
#endif
#include "runtime/cuda/Cudnn.h"
#include "runtime/cuda/Nccl.h"
#include <type_traits>
// Equal for the calling convention: as many parameters, pointers for pointers, numbers of one size and kind.
template <class A, class B> constexpr bool alike =
    std::is_pointer_v<A> ? std::is_pointer_v<B> : std::is_floating_point_v<A> == std::is_floating_point_v<B> && !std::is_pointer_v<B> && sizeof(A) == sizeof(B);
template <class A, class B> struct Same : std::false_type {};
template <class R, class... P, class S, class... Q> struct Same<R (*)(P...), S (*)(Q...)>
    : std::bool_constant<alike<R, S> && sizeof...(P) == sizeof...(Q)> {};
template <class F, class G> struct Parameters : std::false_type {};
template <class R, class... P, class S, class... Q> struct Parameters<R (*)(P...), S (*)(Q...)> : std::bool_constant<(alike<P, Q> && ...)> {};
namespace ours = raf::rt::cuda;
"""


def headers() -> list[Path]:
    if named := os.environ.get("RAF_CUDA_HEADERS"):
        return [Path(folder) for folder in named.split(":")]
    spec = importlib.util.find_spec("nvidia")
    roots = list(spec.submodule_search_locations or []) if spec else []
    found = [h.parent for root in roots for h in Path(root).glob("*/include/*.h") if h.name in ("cuda.h", "cublasLt.h", "cudnn.h", "nccl.h")]
    return list(dict.fromkeys(found))


def enumerators(header: str) -> list[str]:
    text = (RUNTIME / header).read_text()
    named = [name for body in re.findall(r"\nenum \w+ : int \{(.*?)\};", text, re.S) for name in re.findall(r"(\w+) =", body)]
    return named + re.findall(r"constexpr unsigned (CU_\w+) =", text)


def check(folder: Path, lines: list[str], includes: list[Path]) -> None:
    source = folder / "check.cpp"
    source.write_text(PREAMBLE + "\n".join(lines) + "\nint main() {}\n")
    try:
        build(folder / "check", source, options=("-fsyntax-only", *(f"-I{path}" for path in includes)))
    except subprocess.CalledProcessError:
        pytest.fail("the declarations differ from the headers; see the compiler's messages above")


def signatures(macro: str, table: str) -> list[str]:
    return [
        f"#define RAF_CHECK(name, parameters) "
        f'static_assert(Same<decltype(ours::{table}::name), decltype(&::name)>::value && Parameters<decltype(ours::{table}::name), decltype(&::name)>::value, #name);',
        f"{macro}(RAF_CHECK)",
        "#undef RAF_CHECK",
    ]  # fmt: skip


@pytest.fixture(scope="module")
def includes():
    found = headers()
    if not any((path / "cuda.h").exists() for path in found):
        reason = "no cuda.h: pip install nvidia-cuda-runtime, or set RAF_CUDA_HEADERS"
        warnings.warn(reason, stacklevel=1)
        pytest.skip(reason)
    return found


def test_the_driver(includes, tmp_path):
    names = enumerators("Api.h")
    assert "CUDA_SUCCESS" in names and "CU_EVENT_DISABLE_TIMING" in names and len(names) > 25
    lines = [f"static_assert(static_cast<int>(ours::{name}) == static_cast<int>(::{name}), \"{name}\");" for name in names]
    lines += [f"static_assert(sizeof(ours::{name}) == sizeof(::{name}), \"{name}\");" for name in ("CUdevice", "CUdeviceptr", "CUresult", "CUstream", "CUjit_option")]
    check(tmp_path, lines + signatures("RAF_CUDA_DRIVER", "Driver"), includes)


def test_data_types(includes, tmp_path):
    names = [name for name in enumerators("CublasLt.h") if name.startswith("CUDA_R_")]
    assert len(names) == 6
    check(tmp_path, [f"static_assert(static_cast<int>(ours::{name}) == static_cast<int>(::{name}), \"{name}\");" for name in names], includes)


STRUCTS = {"cublasLtMatmulAlgo_t": ["data"], "cublasLtMatmulHeuristicResult_t": ["algo", "workspaceSize", "state", "wavesCount", "reserved"]}


@pytest.mark.parametrize(
    "ours,theirs,package,macro,table,structs",
    [
        ("CublasLt.h", "cublasLt.h", "nvidia-cublas", "RAF_CUBLASLT", "CublasLt", STRUCTS),
        ("Cudnn.h", "cudnn.h", "nvidia-cudnn-cu13", "RAF_CUDNN", "Cudnn", {}),
        ("Nccl.h", "nccl.h", "nvidia-nccl-cu13", "RAF_NCCL", "Nccl", {"ncclUniqueId": ["internal"]}),
    ],
)
def test_libraries(includes, tmp_path, ours, theirs, package, macro, table, structs):
    if not any((path / theirs).exists() for path in includes):
        reason = f"no {theirs}: pip install {package}"
        warnings.warn(reason, stacklevel=1)
        pytest.skip(reason)
    lines = [f'static_assert(static_cast<int>(ours::{name}) == static_cast<int>(::{name}), "{name}");' for name in enumerators(ours)]
    for name, fields in structs.items():
        lines.append(f"static_assert(sizeof(ours::{name}) == sizeof(::{name}));")
        lines += [f"static_assert(offsetof(ours::{name}, {field}) == offsetof(::{name}, {field}));" for field in fields]
    check(tmp_path, lines + signatures(macro, table), includes)
