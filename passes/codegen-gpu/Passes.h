// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_PASSES_CODEGEN_GPU_PASSES_H
#define RAF_PASSES_CODEGEN_GPU_PASSES_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"

namespace mlir::raf {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/codegen-gpu/Passes.h.inc"

/// How matrix instructions and asynchronous copies become NVVM.
void registerTensorToNVVM(DialectRegistry &registry);

/// The dialects of kernels on GPUs.
void registerCodegenGpuExtensions(DialectRegistry &registry);
} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_PASSES_H
