// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/Graph.h"

using namespace mlir;
using namespace mlir::raf;

// The query heads that share a key head are stacked along t, so that one batched product serves the group.
static SmallVector<Value> attention(AttentionOp op, Graph &g) {
  auto q = Graph::type(op.getQ()), k = Graph::type(op.getK()), v = Graph::type(op.getV());
  Type element = q.getElementType();
  int64_t batch = q.getDimSize(0), heads = q.getDimSize(1), t = q.getDimSize(2), groups = k.getDimSize(1), s = k.getDimSize(2);
  int64_t share = groups == 0 ? 1 : heads / groups;
  Value stacked = g.reshape(op.getQ(), {batch, groups, share * t, q.getDimSize(3)});
  Value scores = g.widen(g.matmul(stacked, op.getK(), /*transposeRhs=*/true));
  scores = g.mul(g.reshape(scores, {batch, heads, t, s}), op.getScale().convertToDouble());
  if (op.getBias())
    scores = g.add(scores, g.broadcast(g.widen(op.getBias()), {0, 1, 2, 3}, {batch, heads, t, s}));
  if (op.getCausal()) {
    auto plane = RankedTensorType::get({t, s}, g.builder.getI64Type());
    Value last = g.add(g.iota(0, plane), static_cast<double>(s - t));
    Value visible = g.broadcast(g.compare(CompareKind::le, g.iota(1, plane), last), {2, 3}, {batch, heads, t, s});
    scores = g.select(visible, scores, g.like(scores, -std::numeric_limits<double>::infinity()));
  }
  Value weights = g.cast(SoftmaxOp::create(g.builder, g.loc, scores, /*axis=*/3), element);
  Value y = g.matmul(g.reshape(weights, {batch, groups, share * t, s}), op.getV());
  return {g.reshape(y, {batch, heads, t, v.getDimSize(3)})};
}

void mlir::raf::attachContractionDecompositions(MLIRContext *context) { AttentionOp::attachInterface<Decomposition<AttentionOp, attention>>(*context); }
