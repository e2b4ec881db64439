// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cross entropy row by row: the logit of the label is picked by comparing an iota with the label, so that a row is one fused kernel without a gather.
#include "passes/decompose/Decompositions.h"

using namespace mlir;
using namespace mlir::raf;

namespace {
/// What forward and gradient share.
struct Labels {
  Value counts; ///< [n], i1: the label is not ignore_index
  Value hit;    ///< [n, c], i1: c is the label
  Value rows;   ///< 0-d: number of rows that count

  Labels(TensorBuilder &b, Value logits, Value labels, int64_t ignoreIndex) {
    Type index = TensorBuilder::typeOf(labels).getElementType(), element = TensorBuilder::typeOf(logits).getElementType();
    // An index that the type of the labels cannot hold ignores no row.
    if (llvm::isIntN(index.getIntOrFloatBitWidth(), ignoreIndex))
      counts = b.compare(CompareKind::ne, labels, static_cast<double>(ignoreIndex));
    else
      counts = b.splat(TensorBuilder::typeOf(labels).clone(b.getBuilder().getI1Type()), 1.0);
    hit = b.compare(CompareKind::eq, b.iota(TensorBuilder::typeOf(logits).clone(index), 1), b.broadcastLike(labels, logits, {0}));
    rows = b.sum(b.cast(counts, element), {0});
  }
};
} // namespace

static SmallVector<Value> crossEntropy(CrossEntropyOp op, TensorBuilder &b) {
  Type element = TensorBuilder::typeOf(op.getLogits()).getElementType();
  Value x = b.widen(op.getLogits()), labels = op.getLabels();
  double smoothing = op.getLabelSmoothing().convertToDouble(), classes = static_cast<double>(TensorBuilder::typeOf(x).getDimSize(1));
  Labels target(b, x, labels, op.getIgnoreIndex());

  Value max = b.reduce(ReduceKind::max, x, {1});
  Value lse = b.add(b.log(b.sum(b.exp(b.sub(x, b.broadcastLike(max, x, {0}))), {1})), max);
  Value picked = b.sum(b.select(target.hit, x, b.splatLike(x, 0.0)), {1});
  Value row = b.sub(lse, smoothing == 0.0 ? picked : b.mul(picked, 1.0 - smoothing));
  if (smoothing != 0.0)
    row = b.sub(row, b.mul(b.sum(x, {1}), smoothing / classes));
  Value inRange = b.logicalAnd(b.compare(CompareKind::ge, labels, 0.0), b.compare(CompareKind::lt, labels, classes));
  row = b.select(inRange, row, b.splatLike(row, std::numeric_limits<double>::quiet_NaN()));
  row = b.select(target.counts, row, b.splatLike(row, 0.0));
  Value loss = b.div(b.sum(row, {0}), target.rows);
  return {b.cast(loss, element), b.cast(lse, element)};
}

static SmallVector<Value> crossEntropyGrad(CrossEntropyGradOp op, TensorBuilder &b) {
  Type element = TensorBuilder::typeOf(op.getLogits()).getElementType();
  Value x = b.widen(op.getLogits());
  double smoothing = op.getLabelSmoothing().convertToDouble(), classes = static_cast<double>(TensorBuilder::typeOf(x).getDimSize(1));
  Labels target(b, x, op.getLabels(), op.getIgnoreIndex());

  Value p = b.exp(b.sub(x, b.broadcastLike(b.widen(op.getLse()), x, {0})));
  // (1 - s) [c = label] + s / C is one of two constants.
  Value wanted = b.select(target.hit, b.splatLike(x, 1.0 - smoothing + smoothing / classes), b.splatLike(x, smoothing / classes));
  Value scale = b.div(b.widen(op.getDloss()), target.rows);
  Value rowScale = b.broadcastLike(scale, target.counts, {});
  Value grad = b.mul(b.sub(p, wanted), b.broadcastLike(rowScale, x, {0}));
  grad = b.select(b.broadcastLike(target.counts, x, {0}), grad, b.splatLike(grad, 0.0));
  return {b.cast(grad, element)};
}

void mlir::raf::attachLossDecompositions(MLIRContext *context) {
  CrossEntropyOp::attachInterface<Decomposition<CrossEntropyOp, crossEntropy>>(*context);
  CrossEntropyGradOp::attachInterface<Decomposition<CrossEntropyGradOp, crossEntropyGrad>>(*context);
}
