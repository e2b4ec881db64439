// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/Decompositions.h"

using namespace mlir;
using namespace mlir::raf;

// The query heads that share a key head are stacked along t, so that one batched product serves the group.
static SmallVector<Value> attention(AttentionOp op, TensorBuilder &b) {
  auto q = TensorBuilder::typeOf(op.getQ()), k = TensorBuilder::typeOf(op.getK()), v = TensorBuilder::typeOf(op.getV());
  Type element = q.getElementType();
  int64_t batch = q.getDimSize(0), heads = q.getDimSize(1), t = q.getDimSize(2), groups = k.getDimSize(1), s = k.getDimSize(2);
  int64_t share = groups == 0 ? 1 : heads / groups;
  Value stacked = b.reshape(op.getQ(), {batch, groups, share * t, q.getDimSize(3)});
  // Products of 16-bit floats are summed in f32, and the scores are not rounded before softmax.
  auto scoresType = RankedTensorType::get({batch, groups, share * t, s}, TensorBuilder::computeType(element));
  Value scores = b.create<MatmulOp>(scoresType, stacked, op.getK(), /*transpose_lhs=*/false, /*transpose_rhs=*/true);
  scores = b.mul(b.reshape(scores, {batch, heads, t, s}), op.getScale().convertToDouble());
  if (op.getBias())
    scores = b.add(scores, b.broadcastLike(b.widen(op.getBias()), scores, {0, 1, 2, 3}));
  if (op.getCausal()) {
    auto plane = RankedTensorType::get({t, s}, b.getBuilder().getI64Type());
    Value last = b.add(b.iota(plane, 0), static_cast<double>(s - t));
    Value visible = b.broadcastLike(b.compare(CompareKind::le, b.iota(plane, 1), last), scores, {2, 3});
    scores = b.select(visible, scores, b.splatLike(scores, -std::numeric_limits<double>::infinity()));
  }
  Value weights = b.cast(b.fold<SoftmaxOp>(scores, /*axis=*/3), element);
  Value y = b.matmul(b.reshape(weights, {batch, groups, share * t, s}), op.getV());
  return {b.reshape(y, {batch, heads, t, v.getDimSize(3)})};
}

void mlir::raf::attachContractionDecompositions(MLIRContext *context) { AttentionOp::attachInterface<Decomposition<AttentionOp, attention>>(*context); }
