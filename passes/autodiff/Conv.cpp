// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A convolution is bilinear in input, weights and output cotangent: the gradients of its three ops are each other.
#include "passes/autodiff/Rules.h"

using namespace mlir;
using namespace mlir::raf;

template <typename Op>
static Value conv(VJP &g, Op op, Value x, Value w) {
  return g.create<ConvOp>(x, w, op.getStrides(), op.getPadLow(), op.getPadHigh(), op.getDilations(), op.getGroups(), op.getLayout());
}
template <typename Op>
static Value inputGrad(VJP &g, Op op, Type type, Value dy, Value w) {
  return g.create<ConvInputGradOp>(type, dy, w, op.getStrides(), op.getPadLow(), op.getPadHigh(), op.getDilations(), op.getGroups(), op.getLayout());
}
template <typename Op>
static Value weightGrad(VJP &g, Op op, Type type, Value x, Value dy) {
  return g.create<ConvWeightGradOp>(type, x, dy, op.getStrides(), op.getPadLow(), op.getPadHigh(), op.getDilations(), op.getGroups(), op.getLayout());
}

// 16-bit floats may have been summed to f32, whose cotangent is f32 too: in the type of the operands.
template <typename Op>
static Value cotangent(VJP &g, Op op) {
  return g.cast(g.dy(), TensorBuilder::typeOf(op->getOperand(0)).getElementType());
}

static void conv(ConvOp op, VJP &g) {
  Value dy = cotangent(g, op);
  g.giveLazy(0, [&] { return inputGrad(g, op, op.getX().getType(), dy, op.getW()); });
  g.giveLazy(1, [&] { return weightGrad(g, op, op.getW().getType(), op.getX(), dy); });
}

static void convInputGrad(ConvInputGradOp op, VJP &g) {
  Value dy = cotangent(g, op);
  g.giveLazy(0, [&] { return conv(g, op, dy, op.getW()); });
  g.giveLazy(1, [&] { return weightGrad(g, op, op.getW().getType(), dy, op.getDy()); });
}

static void convWeightGrad(ConvWeightGradOp op, VJP &g) {
  Value dy = cotangent(g, op);
  g.giveLazy(0, [&] { return inputGrad(g, op, op.getX().getType(), op.getDy(), dy); });
  g.giveLazy(1, [&] { return conv(g, op, op.getX(), dy); });
}

void mlir::raf::attachConvRules(MLIRContext *context) {
  attachRule<ConvOp, conv>(context);
  attachRule<ConvInputGradOp, convInputGrad>(context);
  attachRule<ConvWeightGradOp, convWeightGrad>(context);
}
