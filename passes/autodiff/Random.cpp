// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/autodiff/Rules.h"

using namespace mlir;
using namespace mlir::raf;

// Dropout is linear and its mask a function of seed, step and op id: the same op is its own transpose.
static void dropout(DropoutOp op, VJP &g) { g.give(0, g.fold<DropoutOp>(g.dy(), op.getSeed(), op.getStep(), op.getRatio(), op.getOpId())); }

void mlir::raf::attachRandomRules(MLIRContext *context) { attachRule<DropoutOp, dropout>(context); }
