// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/autodiff/Rules.h"

using namespace mlir;
using namespace mlir::raf;

static void crossEntropy(CrossEntropyOp op, VJP &g) {
  Value logits = op.getLogits();
  if (!g.wants(0))
    return;
  if (Value dLoss = g.dy(0))
    g.give(0, g.create<CrossEntropyGradOp>(dLoss, logits, op.getLabels(), op.getLse(), op.getIgnoreIndex(), op.getLabelSmoothing()));
  // The gradient of lse is softmax.
  if (Value dLse = g.wideDy(1)) {
    Value wide = g.widen(logits);
    auto spread = [&](Value row) { return g.unreduce(row, wide.getType(), {1}); };
    g.give(0, g.mul(spread(dLse), g.exp(g.sub(wide, spread(g.widen(op.getLse()))))));
  }
}

void mlir::raf::attachLossRules(MLIRContext *context) { attachRule<CrossEntropyOp, crossEntropy>(context); }
