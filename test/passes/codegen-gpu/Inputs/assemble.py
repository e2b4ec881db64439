# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assembles the PTX of a module's gpu.binary (standard input) with ptxas for the chip that is named, and prints what ptxas reports of each kernel. Local memory is an error, and so are
registers of wgmma that ptxas has to guard."""

import re
import subprocess
import sys
import tempfile

text = sys.stdin.read()
(assembly,) = re.findall(r'gpu\.object<#nvvm\.target<.*?assembly = "((?:[^"\\]|\\.)*)"', text, re.S)
ptx = re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), assembly).replace('\\"', '"').replace("\\\\", "\\").rstrip("\0")
with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
    file.write(ptx)
    file.flush()
    run = subprocess.run(["ptxas", "-v", f"-arch={sys.argv[1]}", file.name, "-o", "/dev/null"], capture_output=True, text=True)
report = run.stdout + run.stderr
print(report)
if run.returncode:
    sys.exit(f"ptxas failed for {sys.argv[1]}")
if "(C75" in report:
    sys.exit("ptxas adds fences or waits between instructions of warpgroups")
found = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", report)
print(f"{len(found)} functions for {sys.argv[1]}")
if any(int(n) for numbers in found for n in numbers):
    sys.exit("a kernel uses local memory")
