# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parts of gpu_check.py: what is compiled and compared, the process of a peer, and the report."""
