# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m raf` is the command `raf`."""

from .cli import main

main()
