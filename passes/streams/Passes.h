// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_STREAMS_PASSES_H
#define PASSES_STREAMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::raf {

#define GEN_PASS_DECL
#include "passes/streams/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/streams/Passes.h.inc"

} // namespace mlir::raf

#endif // PASSES_STREAMS_PASSES_H
