// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/Decompositions.h"

using namespace mlir;
using namespace mlir::raf;

static SmallVector<Value> gelu(GeluOp op, TensorBuilder &b) {
  Value x = b.widen(op.getX()), y;
  if (op.getKind() == GeluKind::erf) {
    y = b.mul(b.mul(x, 0.5), b.add(b.erf(b.mul(x, 0.70710678118654752440)), 1.0));
  } else {
    // x (1 + tanh u) / 2 = x / (1 + e^(-2u)), which costs less and keeps its digits where tanh u is close to -1.
    constexpr double factor = -2 * 0.79788456080286535588;
    Value exponent = b.mul(x, b.add(b.mul(b.mul(x, x), 0.044715 * factor), factor));
    y = b.div(x, b.add(b.exp(exponent), 1.0));
  }
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
