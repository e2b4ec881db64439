# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every kernel of small models' steps becomes PTX that ptxas assembles, and none needs local memory: its values fit into registers.

Two chips take seconds a model: RAF_TEST_SLOW=1 pytest test/execute/test_ptx.py tries all of them."""

import os
import re
import shutil
import subprocess
import zipfile

import pytest
import raf
from execute import models

if shutil.which("ptxas") is None:
    pytest.skip("ptxas is not in PATH", allow_module_level=True)

CHIPS = ("sm_80", "sm_90a", "sm_100", "sm_120")
#: Together they have every kind of kernel; the others are slow.
QUICK = {"digits_mlp": "sm_80", "lenet": "sm_100", "lstm": "sm_120", "gpt": "sm_90a"}
SLOW = os.environ.get("RAF_TEST_SLOW") == "1"


@pytest.mark.parametrize("name, chip", [(name, chip) for name in models.SMALL for chip in CHIPS] if SLOW else QUICK.items())
def test_kernels_assemble_without_local_memory(name, chip, tmp_path):
    made = raf.compile(raf.import_onnx(models.proto(name)), loss="cross_entropy", optimizer="adamw", libraries=(), lazy=True, target=f"cuda:{chip}")
    made.save_executable(tmp_path / "step.rafx", {spec.name: array.shape for spec, array in zip(made.model.inputs, models.batch(name)[:-1])})
    with zipfile.ZipFile(tmp_path / "step.rafx") as file:
        texts = [file.read(entry) for entry in file.namelist() if entry.endswith("ptx")]
    assert texts
    for text in texts:
        (tmp_path / "kernels.ptx").write_bytes(text.rstrip(b"\0"))
        report = subprocess.run(["ptxas", "-v", f"-arch={chip}", tmp_path / "kernels.ptx", "-o", os.devnull], capture_output=True, text=True, check=True)
        used = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", report.stdout + report.stderr)
        assert len(used) >= text.count(b".entry ")  # and functions of libdevice that are called
        assert {number for kernel in used for number in kernel} == {"0"}
