// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last step of kernels that run on the CPU, generated for it or simulated there.
#ifndef RAF_PASSES_CODEGEN_TOLLVM_H
#define RAF_PASSES_CODEGEN_TOLLVM_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"

namespace mlir::raf {

/// Patterns from what kernels are written in (affine, scf, cf, arith, math, index, ub, vector, memref, func) to the LLVM dialect.
void populateKernelToLLVMPatterns(LLVMTypeConverter &converter, RewritePatternSet &patterns);

/// What a loop says to LLVM (an LLVM::LoopAnnotationAttr); its branch carries it along under this name.
inline constexpr llvm::StringLiteral kLoopAnnotation = "llvm.loop_annotation";

/// Makes what branches carry along their own annotation.
void annotateBranches(Operation *root);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_TOLLVM_H
