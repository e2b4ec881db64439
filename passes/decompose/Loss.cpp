// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cross entropy row by row: the logit of the label is picked by comparing an iota with the label, so that a row is one fused kernel without a gather.
#include "passes/decompose/Graph.h"

using namespace mlir;
using namespace mlir::raf;

namespace {
/// What forward and gradient share.
struct Labels {
  Value counts; ///< [n], i1: the label is not ignore_index
  Value hit;    ///< [n, c], i1: c is the label
  Value rows;   ///< 0-d: number of rows that count

  Labels(Graph &g, Value logits, Value labels, int64_t ignoreIndex) {
    Type index = Graph::type(labels).getElementType(), element = Graph::type(logits).getElementType();
    auto shape = Graph::type(logits).getShape();
    // An index that the type of the labels cannot hold ignores no row.
    if (llvm::isIntN(index.getIntOrFloatBitWidth(), ignoreIndex))
      counts = g.compare(CompareKind::ne, labels, static_cast<double>(ignoreIndex));
    else
      counts = g.constant(1.0, Graph::typeAs(labels, g.builder.getI1Type()));
    hit = g.compare(CompareKind::eq, g.iota(1, RankedTensorType::get(shape, index)), g.broadcast(labels, {0}, shape));
    rows = g.sum(g.cast(counts, element), {0});
  }
};
} // namespace

static SmallVector<Value> crossEntropy(CrossEntropyOp op, Graph &g) {
  Type element = Graph::type(op.getLogits()).getElementType();
  Value x = g.widen(op.getLogits()), labels = op.getLabels();
  auto shape = Graph::type(x).getShape();
  double smoothing = op.getLabelSmoothing().convertToDouble(), classes = static_cast<double>(shape[1]);
  Labels target(g, x, labels, op.getIgnoreIndex());

  Value max = g.reduce(ReduceKind::max, x, {1});
  Value lse = g.add(g.log(g.sum(g.exp(g.sub(x, g.broadcast(max, {0}, shape))), {1})), max);
  Value picked = g.sum(g.select(target.hit, x, g.like(x, 0.0)), {1});
  Value row = g.sub(lse, smoothing == 0.0 ? picked : g.mul(picked, 1.0 - smoothing));
  if (smoothing != 0.0)
    row = g.sub(row, g.mul(g.sum(x, {1}), smoothing / classes));
  Value inRange = g.logicalAnd(g.compare(CompareKind::ge, labels, 0.0), g.compare(CompareKind::lt, labels, classes));
  row = g.select(inRange, row, g.like(row, std::numeric_limits<double>::quiet_NaN()));
  row = g.select(target.counts, row, g.like(row, 0.0));
  Value loss = g.div(g.sum(row, {0}), target.rows);
  return {g.cast(loss, element), g.cast(lse, element)};
}

static SmallVector<Value> crossEntropyGrad(CrossEntropyGradOp op, Graph &g) {
  Type element = Graph::type(op.getLogits()).getElementType();
  Value x = g.widen(op.getLogits());
  auto shape = Graph::type(x).getShape();
  double smoothing = op.getLabelSmoothing().convertToDouble(), classes = static_cast<double>(shape[1]);
  Labels target(g, x, op.getLabels(), op.getIgnoreIndex());

  Value p = g.exp(g.sub(x, g.broadcast(g.widen(op.getLse()), {0}, shape)));
  // (1 - s) [c = label] + s / C is one of two constants.
  Value wanted = g.select(target.hit, g.like(x, 1.0 - smoothing + smoothing / classes), g.like(x, smoothing / classes));
  Value scale = g.div(g.widen(op.getDloss()), target.rows);
  Value rowScale = g.splat(scale, target.counts);
  Value grad = g.mul(g.sub(p, wanted), g.broadcast(rowScale, {0}, shape));
  grad = g.select(g.broadcast(target.counts, {0}, shape), grad, g.like(grad, 0.0));
  return {g.cast(grad, element)};
}

void mlir::raf::attachLossDecompositions(MLIRContext *context) {
  CrossEntropyOp::attachInterface<Decomposition<CrossEntropyOp, crossEntropy>>(*context);
  CrossEntropyGradOp::attachInterface<Decomposition<CrossEntropyGradOp, crossEntropyGrad>>(*context);
}
