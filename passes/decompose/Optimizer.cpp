// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updates as pointwise ops. What does not depend on the element (step sizes, bias corrections) is computed on 0-d tensors: equal for all parameters, so cse keeps
// one.
#include "passes/decompose/Graph.h"

using namespace mlir;
using namespace mlir::raf;

// g + weight_decay * p.
static Value decayed(Graph &g, Value grad, Value param, double weightDecay) { return weightDecay == 0.0 ? grad : g.add(grad, g.mul(param, weightDecay)); }

static SmallVector<Value> sgd(SgdUpdateOp op, Graph &g) {
  Type element = Graph::type(op.getParam()).getElementType();
  Value p = g.widen(op.getParam());
  Type compute = Graph::type(p).getElementType();
  Value lr = g.splat(g.cast(op.getLr(), compute), p);
  double momentum = op.getMomentum().convertToDouble();
  Value grad = decayed(g, g.widen(op.getGrad()), p, op.getWeightDecay().convertToDouble()), update = grad;
  SmallVector<Value> results(1);
  if (op.getVelocity()) {
    Value v = g.add(g.mul(g.widen(op.getVelocity()), momentum), grad);
    update = op.getNesterov() ? g.add(grad, g.mul(v, momentum)) : v;
    results.push_back(g.cast(v, element));
  }
  results[0] = g.cast(g.sub(p, g.mul(lr, update)), element);
  return results;
}

static SmallVector<Value> adam(AdamUpdateOp op, Graph &g) {
  Type element = Graph::type(op.getParam()).getElementType();
  Value p = g.widen(op.getParam());
  Type compute = Graph::type(p).getElementType();
  double beta1 = op.getBeta1().convertToDouble(), beta2 = op.getBeta2().convertToDouble(), decay = op.getWeightDecay().convertToDouble();
  // 1 - beta^t cancels in f32 in the first steps; in f64 it costs nothing, being one number a step.
  Type f64 = g.builder.getF64Type();
  Value t = g.cast(op.getStep(), f64);
  auto correction = [&](double beta) { return g.rsub(1.0, g.binary<PowOp>(g.like(t, beta), t)); };
  Value lr64 = g.cast(op.getLr(), f64);
  Value stepSize = g.cast(g.div(lr64, correction(beta1)), compute);
  Value inverse2 = g.cast(g.div(g.like(t, 1.0), correction(beta2)), compute);

  Value grad = g.widen(op.getGrad());
  if (!op.getDecoupled())
    grad = decayed(g, grad, p, decay);
  Value m = g.add(g.mul(g.widen(op.getM()), beta1), g.mul(grad, 1.0 - beta1));
  Value v = g.add(g.mul(g.widen(op.getV()), beta2), g.mul(g.mul(grad, grad), 1.0 - beta2));
  Value denominator = g.add(g.sqrt(g.mul(v, g.splat(inverse2, v))), op.getEpsilon().convertToDouble());
  Value kept = p;
  if (op.getDecoupled() && decay != 0.0)
    kept = g.mul(p, g.splat(g.cast(g.rsub(1.0, g.mul(lr64, decay)), compute), p));
  Value next = g.sub(kept, g.div(g.mul(g.splat(stepSize, m), m), denominator));
  return {g.cast(next, element), g.cast(m, element), g.cast(v, element)};
}

void mlir::raf::attachOptimizerDecompositions(MLIRContext *context) {
  SgdUpdateOp::attachInterface<Decomposition<SgdUpdateOp, sgd>>(*context);
  AdamUpdateOp::attachInterface<Decomposition<AdamUpdateOp, adam>>(*context);
}
