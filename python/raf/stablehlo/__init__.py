# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""StableHLO, as JAX writes it, and JAX functions as Models."""
