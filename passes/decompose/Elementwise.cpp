// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/Graph.h"

using namespace mlir;
using namespace mlir::raf;

static SmallVector<Value> gelu(GeluOp op, Graph &g) {
  Value x = g.widen(op.getX()), inner;
  if (op.getKind() == GeluKind::erf) {
    inner = g.unary<ErfOp>(g.mul(x, 0.70710678118654752440));
  } else {
    Value cubic = g.mul(g.mul(g.mul(x, x), x), 0.044715);
    inner = g.unary<TanhOp>(g.mul(g.add(x, cubic), 0.79788456080286535588));
  }
  Value y = g.mul(g.mul(x, 0.5), g.add(inner, 1.0));
  return {g.cast(y, op.getType().getElementType())};
}

static SmallVector<Value> silu(SiluOp op, Graph &g) {
  Value x = g.widen(op.getX());
  Value y = g.div(x, g.add(g.exp(g.neg(x)), 1.0));
  return {g.cast(y, op.getType().getElementType())};
}

void mlir::raf::attachElementwiseDecompositions(MLIRContext *context) {
  GeluOp::attachInterface<Decomposition<GeluOp, gelu>>(*context);
  SiluOp::attachInterface<Decomposition<SiluOp, silu>>(*context);
}
