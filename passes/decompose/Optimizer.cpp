// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updates as pointwise ops. What does not depend on the element (step sizes, bias corrections) is computed on 0-d tensors: equal for all parameters, so cse keeps
// one.
#include "passes/decompose/Decompositions.h"

using namespace mlir;
using namespace mlir::raf;

// grad + weight_decay * param.
static Value decayed(TensorBuilder &b, Value grad, Value param, double weightDecay) { return weightDecay == 0.0 ? grad : b.add(grad, b.mul(param, weightDecay)); }

static SmallVector<Value> sgd(SgdUpdateOp op, TensorBuilder &b) {
  Type element = TensorBuilder::typeOf(op.getParam()).getElementType();
  Value p = b.widen(op.getParam());
  Type compute = TensorBuilder::typeOf(p).getElementType();
  Value lr = b.broadcastLike(b.cast(op.getLr(), compute), p, {});
  double momentum = op.getMomentum().convertToDouble();
  Value grad = decayed(b, b.widen(op.getGrad()), p, op.getWeightDecay().convertToDouble()), update = grad;
  SmallVector<Value> results(1);
  if (op.getVelocity()) {
    Value v = b.add(b.mul(b.widen(op.getVelocity()), momentum), grad);
    update = op.getNesterov() ? b.add(grad, b.mul(v, momentum)) : v;
    results.push_back(b.cast(v, element));
  }
  results[0] = b.cast(b.sub(p, b.mul(lr, update)), element);
  return results;
}

static SmallVector<Value> adam(AdamUpdateOp op, TensorBuilder &b) {
  Type element = TensorBuilder::typeOf(op.getParam()).getElementType();
  Value p = b.widen(op.getParam());
  Type compute = TensorBuilder::typeOf(p).getElementType();
  double beta1 = op.getBeta1().convertToDouble(), beta2 = op.getBeta2().convertToDouble(), decay = op.getWeightDecay().convertToDouble();
  // 1 - beta^t cancels in f32 in the first steps; in f64 it costs nothing, being one number a step.
  Type f64 = b.getBuilder().getF64Type();
  Value t = b.cast(op.getStep(), f64);
  auto correction = [&](double beta) { return b.sub(1.0, b.pow(b.splatLike(t, beta), t)); };
  Value lr64 = b.cast(op.getLr(), f64);
  Value stepSize = b.cast(b.div(lr64, correction(beta1)), compute);
  Value inverse2 = b.cast(b.div(b.splatLike(t, 1.0), correction(beta2)), compute);

  Value grad = b.widen(op.getGrad());
  if (!op.getDecoupled())
    grad = decayed(b, grad, p, decay);
  Value m = b.add(b.mul(b.widen(op.getM()), beta1), b.mul(grad, 1.0 - beta1));
  Value v = b.add(b.mul(b.widen(op.getV()), beta2), b.mul(b.mul(grad, grad), 1.0 - beta2));
  Value denominator = b.add(b.sqrt(b.mul(v, b.broadcastLike(inverse2, v, {}))), op.getEpsilon().convertToDouble());
  Value kept = p;
  if (op.getDecoupled() && decay != 0.0)
    kept = b.mul(p, b.broadcastLike(b.cast(b.sub(1.0, b.mul(lr64, decay)), compute), p, {}));
  Value next = b.sub(kept, b.div(b.mul(b.broadcastLike(stepSize, m, {}), m), denominator));
  return {b.cast(next, element), b.cast(m, element), b.cast(v, element)};
}

void mlir::raf::attachOptimizerDecompositions(MLIRContext *context) {
  SgdUpdateOp::attachInterface<Decomposition<SgdUpdateOp, sgd>>(*context);
  AdamUpdateOp::attachInterface<Decomposition<AdamUpdateOp, adam>>(*context);
}
