// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_REMAT_PASSES_H
#define PASSES_REMAT_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::raf {

#define GEN_PASS_DECL
#include "passes/remat/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/remat/Passes.h.inc"

} // namespace mlir::raf

#endif // PASSES_REMAT_PASSES_H
