// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/autodiff/Rules.h"

using namespace mlir;
using namespace mlir::raf;

// With A the m x k and C the k x n matrix of the product: dA = dy C^T and dC = A^T dy, each written so that a transposed operand gets its gradient
// transposed by flags alone. The cotangent of a product that gives f32 is rounded to the type of its factors.
static void matmul(MatmulOp op, VJP &g) {
  Value a = op.getLhs(), c = op.getRhs(), dy = g.cast(g.dy(), TensorBuilder::typeOf(a).getElementType());
  bool ta = op.getTransposeLhs(), tc = op.getTransposeRhs();
  g.giveLazy(0, [&] { return ta ? g.matmul(c, dy, tc, true) : g.matmul(dy, c, false, !tc); });
  g.giveLazy(1, [&] { return tc ? g.matmul(dy, a, true, ta) : g.matmul(a, dy, !ta, false); });
}

// The weights are computed again from lse rather than kept: they are larger than all other operands. The sum of p dp over a row equals the sum of y dy, which is
// shorter; the gradient of lse with respect to the scores is p, so its cotangent joins that sum.
static void attention(AttentionOp op, VJP &g) {
  bool biasGrad = op.getBias() && g.wants(3);
  if ((!g.dy(0) && !g.dy(1)) || (!g.wants(0) && !g.wants(1) && !g.wants(2) && !biasGrad))
    return;
  Value dy = g.dy(0) ? g.dy(0) : g.zeros(op.getY().getType());
  Value delta = g.dy(0) ? g.sum(g.mul(g.wideDy(0), g.widen(op.getY())), {3}) : g.zeros(op.getLse().getType());
  if (Value dLse = g.dy(1))
    delta = g.sub(delta, dLse);
  Value bias = op.getBias();
  // The gradient of a row that all queries share is summed from theirs.
  bool sharesRow = biasGrad && TensorBuilder::typeOf(bias).getDimSize(2) != op.getQ().getType().getDimSize(2);
  if (sharesRow) {
    SmallVector<int64_t> shape(TensorBuilder::typeOf(bias).getShape());
    shape[2] = op.getQ().getType().getDimSize(2);
    bias = g.broadcast(bias, TensorBuilder::typeOf(bias).clone(shape), {0, 1, 2, 3});
  }
  auto grad = g.create<AttentionGradOp>(op.getQ(), op.getK(), op.getV(), dy, op.getLse(), delta, bias, op.getSeed(), op.getStep(), op.getRatio(), op.getOpId(),
                                        op.getScale(), op.getCausal(), biasGrad);
  g.give(0, grad.getDq());
  g.give(1, grad.getDk());
  g.give(2, grad.getDv());
  if (biasGrad)
    g.give(3, sharesRow ? g.reshape(g.sum(grad.getDbias(), {2}), TensorBuilder::typeOf(op.getBias()).getShape()) : grad.getDbias());
}

void mlir::raf::attachContractionRules(MLIRContext *context) {
  attachRule<MatmulOp, matmul>(context);
  attachRule<AttentionOp, attention>(context);
}
