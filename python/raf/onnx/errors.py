# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What stops the import of one node; the importer gathers these into one raf.ImportError."""


class Unsupported(Exception):
    """A node that is malformed or that RAF does not support; the message is the reason."""


class Poisoned(Exception):
    """A node that depends on one that failed."""
