# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The raf dialect."""

from ._raf_enum_gen import *
from ._raf_ops_gen import *
from ._raf_ops_gen import _Dialect
