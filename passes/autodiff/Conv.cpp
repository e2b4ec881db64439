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

static void conv(ConvOp op, VJP &g) {
  g.giveLazy(0, [&] { return inputGrad(g, op, op.getX().getType(), g.dy(), op.getW()); });
  g.giveLazy(1, [&] { return weightGrad(g, op, op.getW().getType(), op.getX(), g.dy()); });
}

static void convInputGrad(ConvInputGradOp op, VJP &g) {
  g.giveLazy(0, [&] { return conv(g, op, g.dy(), op.getW()); });
  g.giveLazy(1, [&] { return weightGrad(g, op, op.getW().getType(), g.dy(), op.getDy()); });
}

static void convWeightGrad(ConvWeightGradOp op, VJP &g) {
  g.giveLazy(0, [&] { return inputGrad(g, op, op.getX().getType(), op.getDy(), g.dy()); });
  g.giveLazy(1, [&] { return conv(g, op, op.getX(), g.dy()); });
}

void mlir::raf::attachConvRules(MLIRContext *context) {
  attachRule<ConvOp, conv>(context);
  attachRule<ConvInputGradOp, convInputGrad>(context);
  attachRule<ConvWeightGradOp, convWeightGrad>(context);
}
