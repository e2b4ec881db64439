// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/Decompositions.h"

using namespace mlir;
using namespace mlir::raf;

static SmallVector<Value> gelu(GeluOp op, TensorBuilder &b) {
  Value x = b.widen(op.getX()), inner;
  if (op.getKind() == GeluKind::erf) {
    inner = b.erf(b.mul(x, 0.70710678118654752440));
  } else {
    Value cubic = b.mul(b.mul(b.mul(x, x), x), 0.044715);
    inner = b.tanh(b.mul(b.add(x, cubic), 0.79788456080286535588));
  }
  Value y = b.mul(b.mul(x, 0.5), b.add(inner, 1.0));
  return {b.cast(y, op.getType().getElementType())};
}

static SmallVector<Value> silu(SiluOp op, TensorBuilder &b) {
  Value x = b.widen(op.getX());
  Value y = b.div(x, b.add(b.exp(b.neg(x)), 1.0));
  return {b.cast(y, op.getType().getElementType())};
}

static SmallVector<Value> stopGradient(StopGradientOp op, TensorBuilder &) { return {op.getX()}; }

void mlir::raf::attachElementwiseDecompositions(MLIRContext *context) {
  GeluOp::attachInterface<Decomposition<GeluOp, gelu>>(*context);
  SiluOp::attachInterface<Decomposition<SiluOp, silu>>(*context);
  StopGradientOp::attachInterface<Decomposition<StopGradientOp, stopGradient>>(*context);
}
