// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_PASSES_CODEGEN_CPU_PASSES_H
#define RAF_PASSES_CODEGEN_CPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::raf {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/codegen-cpu/Passes.h.inc"
} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_PASSES_H
