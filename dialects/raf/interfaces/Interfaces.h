// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interfaces that phases attach to ops as external models.
#ifndef RAF_DIALECTS_RAF_INTERFACES_INTERFACES_H
#define RAF_DIALECTS_RAF_INTERFACES_INTERFACES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::raf {
/// What an op becomes in mixed precision.
enum class CastPolicy { compute, keep, follow };
} // namespace mlir::raf

#include "dialects/raf/CastPolicy.h.inc"
#include "dialects/raf/Cost.h.inc"
#include "dialects/raf/Decomposable.h.inc"
#include "dialects/raf/Differentiable.h.inc"
#include "dialects/raf/Plan.h.inc"
#include "dialects/raf/Region.h.inc"

#endif // RAF_DIALECTS_RAF_INTERFACES_INTERFACES_H
