# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m raf: the command line."""

from .cli import main

if __name__ == "__main__":
    main()
