// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalizations as reductions over rows and pointwise ops, in forms that fuse into one kernel a row.
#include "passes/decompose/Decompositions.h"

using namespace mlir;
using namespace mlir::raf;

namespace {
/// x as rows: statistics have the dimensions `outer` of x, the others are reduced.
struct Rows {
  TensorBuilder &b;
  Value x;
  SmallVector<int64_t> outer, reduced;

  double count() const {
    double product = 1.0;
    for (int64_t dim : reduced)
      product *= static_cast<double>(TensorBuilder::typeOf(x).getDimSize(dim));
    return product;
  }
  Value spread(Value statistic) const { return b.broadcastLike(statistic, x, outer); }
  /// A parameter with the reduced dimensions, for each row alike.
  Value repeat(Value parameter) const { return b.broadcastLike(parameter, x, reduced); }
  Value sum(Value value) const { return b.sum(value, reduced); }
  Value mean(Value value) const { return b.div(sum(value), count()); }
};
} // namespace

template <typename Op>
static SmallVector<Value> softmaxLike(Op op, TensorBuilder &b) {
  Value x = b.widen(op.getX());
  int64_t rank = op.getType().getRank(), axis = op.getAxis();
  Rows rows{b, x, otherDims(rank, {axis}), {axis}};
  Value shifted = b.sub(x, rows.spread(b.reduce(ReduceKind::max, x, rows.reduced)));
  Value e = b.exp(shifted), sum = rows.sum(e), y;
  if constexpr (std::is_same_v<Op, SoftmaxOp>)
    y = b.mul(e, rows.spread(b.div(1.0, sum))); // one division a row: a vector of them takes as long as half of an exponential
  else
    y = b.sub(shifted, rows.spread(b.log(sum)));
  return {b.cast(y, op.getType().getElementType())};
}

static Value reciprocalRoot(TensorBuilder &b, Value variance, const APFloat &epsilon) { return b.rsqrt(b.add(variance, epsilon.convertToDouble())); }

static SmallVector<Value> layerNorm(LayerNormOp op, TensorBuilder &b) {
  Type element = TensorBuilder::typeOf(op.getX()).getElementType(), statistic = TensorBuilder::typeOf(op.getMean()).getElementType();
  Value x = b.widen(op.getX());
  int64_t rank = TensorBuilder::typeOf(x).getRank(), axis = op.getAxis();
  Rows rows{b, x, dimRange(0, axis), dimRange(axis, rank)};
  Value mean = rows.mean(x);
  Value centred = b.sub(x, rows.spread(mean));
  Value rstd = reciprocalRoot(b, rows.mean(b.mul(centred, centred)), op.getEpsilon());
  Value scale = rows.repeat(b.widen(op.getScale())), bias = rows.repeat(b.widen(op.getBias()));
  Value y = b.add(b.mul(b.mul(centred, rows.spread(rstd)), scale), bias);
  return {b.cast(y, element), b.cast(mean, statistic), b.cast(rstd, statistic)};
}

static SmallVector<Value> rmsNorm(RmsNormOp op, TensorBuilder &b) {
  Type element = TensorBuilder::typeOf(op.getX()).getElementType();
  Value x = b.widen(op.getX());
  int64_t rank = TensorBuilder::typeOf(x).getRank(), axis = op.getAxis();
  Rows rows{b, x, dimRange(0, axis), dimRange(axis, rank)};
  Value rstd = reciprocalRoot(b, rows.mean(b.mul(x, x)), op.getEpsilon());
  Value y = b.mul(b.mul(x, rows.spread(rstd)), rows.repeat(b.widen(op.getScale())));
  return {b.cast(y, element), b.cast(rstd, TensorBuilder::typeOf(op.getRstd()).getElementType())};
}

static SmallVector<Value> batchNorm(BatchNormOp op, TensorBuilder &b) {
  Type element = TensorBuilder::typeOf(op.getX()).getElementType(), statistic = TensorBuilder::typeOf(op.getMean()).getElementType();
  Value x = b.widen(op.getX());
  int64_t rank = TensorBuilder::typeOf(x).getRank(), axis = op.getAxis();
  Rows rows{b, x, {axis}, otherDims(rank, {axis})};
  Value mean = rows.mean(x);
  Value centred = b.sub(x, rows.spread(mean));
  Value variance = rows.mean(b.mul(centred, centred));
  Value rstd = reciprocalRoot(b, variance, op.getEpsilon());
  Value factor = b.mul(rstd, b.widen(op.getScale()));
  Value y = b.add(b.mul(centred, rows.spread(factor)), rows.spread(b.widen(op.getBias())));
  double momentum = op.getMomentum().convertToDouble();
  auto running = [&](Value old, Value now) { return b.cast(b.add(b.mul(b.widen(old), momentum), b.mul(now, 1.0 - momentum)), statistic); };
  return {b.cast(y, element), running(op.getRunningMean(), mean), running(op.getRunningVar(), variance), b.cast(mean, statistic), b.cast(rstd, statistic)};
}

static SmallVector<Value> batchNormGrad(BatchNormGradOp op, TensorBuilder &b) {
  Type element = TensorBuilder::typeOf(op.getX()).getElementType(), statistic = TensorBuilder::typeOf(op.getMean()).getElementType();
  Value x = b.widen(op.getX()), dy = b.widen(op.getDy()), rstd = b.widen(op.getRstd());
  int64_t rank = TensorBuilder::typeOf(x).getRank(), axis = op.getAxis();
  Rows rows{b, x, {axis}, otherDims(rank, {axis})};
  Value centred = b.sub(x, rows.spread(b.widen(op.getMean())));
  Value dbias = rows.sum(dy), dscale = b.mul(rows.sum(b.mul(dy, centred)), rstd);
  // dx = scale * rstd * (dy - dbias / M - centred * rstd * dscale / M): everything that is a number a feature is computed once.
  Value slope = b.div(b.mul(rstd, dscale), rows.count());
  Value inner = b.sub(b.sub(dy, rows.spread(b.div(dbias, rows.count()))), b.mul(centred, rows.spread(slope)));
  Value dx = b.mul(rows.spread(b.mul(b.widen(op.getScale()), rstd)), inner);
  return {b.cast(dx, element), b.cast(dscale, statistic), b.cast(dbias, statistic)};
}

void mlir::raf::attachNormDecompositions(MLIRContext *context) {
  SoftmaxOp::attachInterface<Decomposition<SoftmaxOp, softmaxLike<SoftmaxOp>>>(*context);
  LogSoftmaxOp::attachInterface<Decomposition<LogSoftmaxOp, softmaxLike<LogSoftmaxOp>>>(*context);
  LayerNormOp::attachInterface<Decomposition<LayerNormOp, layerNorm>>(*context);
  RmsNormOp::attachInterface<Decomposition<RmsNormOp, rmsNorm>>(*context);
  BatchNormOp::attachInterface<Decomposition<BatchNormOp, batchNorm>>(*context);
  BatchNormGradOp::attachInterface<Decomposition<BatchNormGradOp, batchNormGrad>>(*context);
}
