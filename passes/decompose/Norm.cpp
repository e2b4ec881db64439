// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalizations as reductions over rows and pointwise ops, in forms that fuse into one kernel a row.
#include "passes/decompose/Graph.h"

using namespace mlir;
using namespace mlir::raf;

namespace {
/// x as rows: statistics have the dimensions `outer` of x, the others are reduced.
struct Rows {
  Graph &g;
  Value x;
  SmallVector<int64_t> outer, reduced;

  ArrayRef<int64_t> shape() const { return Graph::type(x).getShape(); }
  double count() const {
    double product = 1.0;
    for (int64_t dim : reduced)
      product *= static_cast<double>(shape()[dim]);
    return product;
  }
  Value spread(Value statistic) const { return g.broadcast(statistic, outer, shape()); }
  Value sum(Value value) const { return g.sum(value, reduced); }
  Value mean(Value value) const { return g.div(sum(value), count()); }
};
} // namespace

template <typename Op>
static SmallVector<Value> softmaxLike(Op op, Graph &g) {
  Value x = g.widen(op.getX());
  int64_t rank = op.getType().getRank(), axis = op.getAxis();
  Rows rows{g, x, dimsWithout(axis, rank), {axis}};
  Value shifted = g.sub(x, rows.spread(g.reduce(ReduceKind::max, x, rows.reduced)));
  Value e = g.exp(shifted), sum = rows.sum(e), y;
  if constexpr (std::is_same_v<Op, SoftmaxOp>)
    y = g.div(e, rows.spread(sum));
  else
    y = g.sub(shifted, rows.spread(g.log(sum)));
  return {g.cast(y, op.getType().getElementType())};
}

static Value reciprocalRoot(Graph &g, Value variance, const APFloat &epsilon) { return g.unary<RsqrtOp>(g.add(variance, epsilon.convertToDouble())); }

static SmallVector<Value> layerNorm(LayerNormOp op, Graph &g) {
  Type element = Graph::type(op.getX()).getElementType();
  Value x = g.widen(op.getX());
  int64_t rank = Graph::type(x).getRank(), axis = op.getAxis();
  Rows rows{g, x, dimRange(0, axis), dimRange(axis, rank)};
  Value mean = rows.mean(x);
  Value centred = g.sub(x, rows.spread(mean));
  Value rstd = reciprocalRoot(g, rows.mean(g.mul(centred, centred)), op.getEpsilon());
  Value scale = g.broadcast(g.widen(op.getScale()), rows.reduced, rows.shape()), bias = g.broadcast(g.widen(op.getBias()), rows.reduced, rows.shape());
  Value y = g.add(g.mul(g.mul(centred, rows.spread(rstd)), scale), bias);
  return {g.cast(y, element), g.cast(mean, element), g.cast(rstd, element)};
}

static SmallVector<Value> rmsNorm(RmsNormOp op, Graph &g) {
  Type element = Graph::type(op.getX()).getElementType();
  Value x = g.widen(op.getX());
  int64_t rank = Graph::type(x).getRank(), axis = op.getAxis();
  Rows rows{g, x, dimRange(0, axis), dimRange(axis, rank)};
  Value rstd = reciprocalRoot(g, rows.mean(g.mul(x, x)), op.getEpsilon());
  Value y = g.mul(g.mul(x, rows.spread(rstd)), g.broadcast(g.widen(op.getScale()), rows.reduced, rows.shape()));
  return {g.cast(y, element), g.cast(rstd, element)};
}

static SmallVector<Value> batchNorm(BatchNormOp op, Graph &g) {
  Type element = Graph::type(op.getX()).getElementType();
  Value x = g.widen(op.getX());
  int64_t rank = Graph::type(x).getRank(), axis = op.getAxis();
  Rows rows{g, x, {axis}, dimsWithout(axis, rank)};
  Value mean = rows.mean(x);
  Value centred = g.sub(x, rows.spread(mean));
  Value variance = rows.mean(g.mul(centred, centred));
  Value rstd = reciprocalRoot(g, variance, op.getEpsilon());
  Value factor = g.mul(rstd, g.widen(op.getScale()));
  Value y = g.add(g.mul(centred, rows.spread(factor)), rows.spread(g.widen(op.getBias())));
  double momentum = op.getMomentum().convertToDouble();
  auto running = [&](Value old, Value now) { return g.cast(g.add(g.mul(g.widen(old), momentum), g.mul(now, 1.0 - momentum)), element); };
  return {g.cast(y, element), running(op.getRunningMean(), mean), running(op.getRunningVar(), variance), g.cast(mean, element), g.cast(rstd, element)};
}

static SmallVector<Value> batchNormGrad(BatchNormGradOp op, Graph &g) {
  Type element = Graph::type(op.getX()).getElementType();
  Value x = g.widen(op.getX()), dy = g.widen(op.getDy()), rstd = g.widen(op.getRstd());
  int64_t rank = Graph::type(x).getRank(), axis = op.getAxis();
  Rows rows{g, x, {axis}, dimsWithout(axis, rank)};
  Value centred = g.sub(x, rows.spread(g.widen(op.getMean())));
  Value dbias = rows.sum(dy), dscale = g.mul(rows.sum(g.mul(dy, centred)), rstd);
  // dx = scale * rstd * (dy - dbias / M - centred * rstd * dscale / M): everything that is a number a feature is computed once.
  Value slope = g.div(g.mul(rstd, dscale), rows.count());
  Value inner = g.sub(g.sub(dy, rows.spread(g.div(dbias, rows.count()))), g.mul(centred, rows.spread(slope)));
  Value dx = g.mul(rows.spread(g.mul(g.widen(op.getScale()), rstd)), inner);
  return {g.cast(dx, element), g.cast(dscale, element), g.cast(dbias, element)};
}

void mlir::raf::attachNormDecompositions(MLIRContext *context) {
  SoftmaxOp::attachInterface<Decomposition<SoftmaxOp, softmaxLike<SoftmaxOp>>>(*context);
  LogSoftmaxOp::attachInterface<Decomposition<LogSoftmaxOp, softmaxLike<LogSoftmaxOp>>>(*context);
  LayerNormOp::attachInterface<Decomposition<LayerNormOp, layerNorm>>(*context);
  RmsNormOp::attachInterface<Decomposition<RmsNormOp, rmsNorm>>(*context);
  BatchNormOp::attachInterface<Decomposition<BatchNormOp, batchNorm>>(*context);
  BatchNormGradOp::attachInterface<Decomposition<BatchNormGradOp, batchNormGrad>>(*context);
}
