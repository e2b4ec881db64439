// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/autodiff/Rules.h"

using namespace mlir;
using namespace mlir::raf;

// With A the m x k and C the k x n matrix of the product: dA = dy C^T and dC = A^T dy, each written so that a transposed operand gets its gradient
// transposed by flags alone.
static void matmul(MatmulOp op, VJP &g) {
  Value a = op.getLhs(), c = op.getRhs();
  bool ta = op.getTransposeLhs(), tc = op.getTransposeRhs();
  g.giveLazy(0, [&] { return ta ? g.matmul(c, g.dy(), tc, true) : g.matmul(g.dy(), c, false, !tc); });
  g.giveLazy(1, [&] { return tc ? g.matmul(g.dy(), a, true, ta) : g.matmul(a, g.dy(), !ta, false); });
}

// Scores plus bias, masked, through softmax: [b, h, t, s], in f32 at least. The same ops as the decomposition's, so that one of the two goes where both are.
static Value probabilities(AttentionOp op, VJP &g, Value q) {
  RankedTensorType qType = op.getQ().getType(), kType = op.getK().getType();
  int64_t t = qType.getDimSize(2), s = kType.getDimSize(2);
  Value scores = g.reshape(g.widen(g.matmul(q, op.getK(), false, true)), {qType.getDimSize(0), qType.getDimSize(1), t, s});
  auto type = TensorBuilder::typeOf(scores);
  scores = g.mul(scores, op.getScale().convertToDouble());
  if (Value bias = op.getBias())
    scores = g.add(scores, g.broadcast(g.widen(bias), type, {0, 1, 2, 3}));
  if (op.getCausal()) {
    auto index = RankedTensorType::get({t, s}, g.getBuilder().getI64Type());
    Value visible = g.compare(CompareKind::le, g.iota(index, 1), g.add(g.iota(index, 0), static_cast<double>(s - t)));
    visible = g.broadcast(visible, type.clone(g.getBuilder().getI1Type()), {2, 3});
    scores = g.select(visible, scores, g.splat(type, -std::numeric_limits<double>::infinity()));
  }
  return g.fold<SoftmaxOp>(scores, 3);
}

// The probabilities p are computed again rather than kept: they are larger than all other operands. The heads of a group are rows of one matrix,
// so that products with the shared k and v sum over the group by themselves.
static void attention(AttentionOp op, VJP &g) {
  RankedTensorType qType = op.getQ().getType(), kType = op.getK().getType();
  int64_t b = qType.getDimSize(0), h = qType.getDimSize(1), t = qType.getDimSize(2), groups = kType.getDimSize(1), s = kType.getDimSize(2);
  int64_t rows = h / groups * t;
  auto grouped = [&](Value x) { return g.reshape(x, {b, groups, rows, TensorBuilder::typeOf(x).getDimSize(3)}); };

  Value q = grouped(op.getQ()), dy = grouped(g.dy());
  Value p = probabilities(op, g, q);
  Type element = qType.getElementType();
  g.giveLazy(2, [&] { return g.matmul(grouped(g.cast(p, element)), dy, true, false); });
  if (!g.wants(0) && !g.wants(1) && !(op.getBias() && g.wants(3)))
    return;
  // The sum of p dp over a row equals the sum of y dy, which is shorter.
  Value dp = g.reshape(g.widen(g.matmul(dy, op.getV(), false, true)), {b, h, t, s});
  Value rowSum = g.sum(g.mul(g.wideDy(), g.widen(op)), {3});
  Value dScores = g.mul(p, g.sub(dp, g.unreduce(rowSum, p.getType(), {3})));
  if (op.getBias() && g.wants(3)) {
    SmallVector<int64_t> summed;
    for (int64_t d : {0, 1})
      if (op.getBias().getType().getDimSize(d) != TensorBuilder::typeOf(p).getDimSize(d))
        summed.push_back(d);
    g.give(3, g.reshapeLike(g.sum(dScores, summed), op.getBias()));
  }
  Value scaled = grouped(g.cast(g.mul(dScores, op.getScale().convertToDouble()), element));
  g.giveLazy(0, [&] { return g.reshapeLike(g.matmul(scaled, op.getK()), op.getQ()); });
  g.giveLazy(1, [&] { return g.matmul(scaled, q, true, false); });
}

void mlir::raf::attachContractionRules(MLIRContext *context) {
  attachRule<MatmulOp, matmul>(context);
  attachRule<AttentionOp, attention>(context);
}
