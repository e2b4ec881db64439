// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The saved statistics are results like any other: they have cotangents when a gradient is differentiated again.
#include "passes/autodiff/Rules.h"

using namespace mlir;
using namespace mlir::raf;

static void softmax(SoftmaxOp op, VJP &g) {
  SmallVector<int64_t> axis = {static_cast<int64_t>(op.getAxis())};
  Value y = g.widen(op), dy = g.wideDy();
  Value dot = g.unreduce(g.sum(g.mul(dy, y), axis), y.getType(), axis);
  g.give(0, g.mul(g.sub(dy, dot), y));
}

static void logSoftmax(LogSoftmaxOp op, VJP &g) {
  SmallVector<int64_t> axis = {static_cast<int64_t>(op.getAxis())};
  Value y = g.widen(op), dy = g.wideDy();
  Value total = g.unreduce(g.sum(dy, axis), y.getType(), axis);
  g.give(0, g.sub(dy, g.mul(g.exp(y), total)));
}

static int64_t countOf(RankedTensorType type, ArrayRef<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= type.getDimSize(dim);
  return count;
}

// d rstd / dx = -rstd^3 (x - mean) / M, as the factor of (x - mean).
static Value rstdSlope(VJP &g, Value rstd, Value dRstd, int64_t count) {
  return g.mul(g.mul(dRstd, g.mul(g.square(rstd), rstd)), -1.0 / static_cast<double>(count));
}

static void layerNorm(LayerNormOp op, VJP &g) {
  Value x = g.widen(op.getX()), rstd = g.widen(op.getRstd());
  RankedTensorType type = TensorBuilder::typeOf(x);
  SmallVector<int64_t> outer = dimRange(0, op.getAxis()), inner = dimRange(op.getAxis(), type.getRank());
  int64_t count = countOf(type, inner);
  auto spread = [&](Value statistic) { return g.unreduce(statistic, type, inner); };
  Value centered = g.sub(x, spread(g.widen(op.getMean())));
  if (Value dy = g.wideDy(0)) {
    Value factor = spread(rstd), normal = g.mul(centered, factor);
    g.giveLazy(0, [&] {
      Value scaled = g.mul(dy, g.unreduce(g.widen(op.getScale()), type, outer));
      Value alongMean = spread(g.mean(scaled, inner)), alongNormal = spread(g.mean(g.mul(scaled, normal), inner));
      return g.mul(factor, g.sub(g.sub(scaled, alongMean), g.mul(normal, alongNormal)));
    });
    g.giveLazy(1, [&] { return g.sum(g.mul(dy, normal), outer); });
    g.giveLazy(2, [&] { return g.sum(dy, outer); });
  }
  if (!g.wants(0))
    return;
  if (Value dMean = g.wideDy(1))
    g.give(0, spread(g.mul(dMean, 1.0 / static_cast<double>(count))));
  if (Value dRstd = g.wideDy(2))
    g.give(0, g.mul(centered, spread(rstdSlope(g, rstd, dRstd, count))));
}

static void rmsNorm(RmsNormOp op, VJP &g) {
  Value x = g.widen(op.getX()), rstd = g.widen(op.getRstd());
  RankedTensorType type = TensorBuilder::typeOf(x);
  SmallVector<int64_t> outer = dimRange(0, op.getAxis()), inner = dimRange(op.getAxis(), type.getRank());
  auto spread = [&](Value statistic) { return g.unreduce(statistic, type, inner); };
  if (Value dy = g.wideDy(0)) {
    Value factor = spread(rstd), normal = g.mul(x, factor);
    g.giveLazy(0, [&] {
      Value scaled = g.mul(dy, g.unreduce(g.widen(op.getScale()), type, outer));
      Value alongNormal = spread(g.mean(g.mul(scaled, normal), inner));
      return g.mul(factor, g.sub(scaled, g.mul(normal, alongNormal)));
    });
    g.giveLazy(1, [&] { return g.sum(g.mul(dy, normal), outer); });
  }
  if (Value dRstd = g.wideDy(1))
    g.giveLazy(0, [&] { return g.mul(x, spread(rstdSlope(g, rstd, dRstd, countOf(type, inner)))); });
}

// Results: y, new_running_mean, new_running_var, mean, rstd. Operands: x, scale, bias, running_mean, running_var.
static void batchNorm(BatchNormOp op, VJP &g) {
  RankedTensorType type = op.getX().getType();
  SmallVector<int64_t> outer = otherDims(type.getRank(), {static_cast<int64_t>(op.getAxis())});
  double count = static_cast<double>(countOf(type, outer)), momentum = op.getMomentum().convertToDouble();
  if (Value dy = g.dy(0)) {
    auto grad = g.create<BatchNormGradOp>(dy, op.getX(), op.getScale(), op.getMean(), op.getRstd(), op.getAxis());
    g.give(0, grad.getDx());
    g.give(1, grad.getDscale());
    g.give(2, grad.getDbias());
  }
  Value dMean = g.dy(3), dCentered;
  if (Value dRunning = g.dy(1)) {
    g.giveLazy(3, [&] { return g.mul(dRunning, momentum); });
    Value part = g.mul(dRunning, 1.0 - momentum);
    dMean = dMean ? g.add(dMean, part) : part;
  }
  if (Value dRunning = g.dy(2)) {
    g.giveLazy(4, [&] { return g.mul(dRunning, momentum); });
    dCentered = g.mul(dRunning, (1.0 - momentum) * 2.0 / count);
  }
  if (Value dRstd = g.dy(4)) {
    Value part = rstdSlope(g, op.getRstd(), dRstd, countOf(type, outer));
    dCentered = dCentered ? g.add(dCentered, part) : part;
  }
  if (dMean)
    g.giveLazy(0, [&] { return g.unreduce(g.mul(dMean, 1.0 / count), type, outer); });
  if (dCentered)
    g.giveLazy(0, [&] { return g.mul(g.sub(op.getX(), g.unreduce(op.getMean(), type, outer)), g.unreduce(dCentered, type, outer)); });
}

void mlir::raf::attachNormRules(MLIRContext *context) {
  attachRule<SoftmaxOp, softmax>(context);
  attachRule<LogSoftmaxOp, logSoftmax>(context);
  attachRule<LayerNormOp, layerNorm>(context);
  attachRule<RmsNormOp, rmsNorm>(context);
  attachRule<BatchNormOp, batchNorm>(context);
}
