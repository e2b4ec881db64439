// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_HOST_PASSES_H
#define PASSES_HOST_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::raf {

#define GEN_PASS_DECL
#include "passes/host/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/host/Passes.h.inc"

} // namespace mlir::raf

#endif // PASSES_HOST_PASSES_H
