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

static void linearCrossEntropy(LinearCrossEntropyOp op, VJP &g) {
  Value x = op.getX(), w = op.getW(), bias = op.getBias();
  bool transposed = op.getTransposeW();
  if (!g.wants(0) && !g.wants(1) && !(bias && g.wants(3)))
    return;
  if (Value dLoss = g.dy(0)) {
    auto grad = g.create<LinearCrossEntropyGradOp>(dLoss, x, w, op.getLabels(), bias, transposed, op.getIgnoreIndex(), op.getLabelSmoothing());
    g.give(0, grad.getDx());
    g.give(1, grad.getDw());
    if (bias)
      g.give(3, grad.getDbias());
  }
  // The gradient of lse is softmax. Nothing of a training step asks for it, so the logits are all there at once.
  if (Value dLse = g.dy(1)) {
    Value logits = g.widen(g.matmul(x, w, false, transposed));
    if (bias)
      logits = g.add(logits, g.broadcastLike(g.widen(bias), logits, {1}));
    auto spread = [&](Value row) { return g.unreduce(row, logits.getType(), {1}); };
    Value dLogits = g.mul(spread(dLse), g.exp(g.sub(logits, spread(op.getLse()))));
    Value narrow = g.cast(dLogits, TensorBuilder::typeOf(x).getElementType());
    g.giveLazy(0, [&] { return g.matmul(narrow, w, false, !transposed); });
    g.giveLazy(1, [&] { return transposed ? g.matmul(narrow, x, true, false) : g.matmul(x, narrow, true, false); });
    if (bias)
      g.give(3, g.sum(dLogits, {0}));
  }
}

void mlir::raf::attachLossRules(MLIRContext *context) {
  attachRule<CrossEntropyOp, crossEntropy>(context);
  attachRule<LinearCrossEntropyOp, linearCrossEntropy>(context);
}
