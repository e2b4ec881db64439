// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where MLIR's CMake function puts the generated Python depends on the place of this file.
include "dialects/raf/Ops.td"
