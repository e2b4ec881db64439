// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cross entropy row by row: the logit of the label is picked by comparing an iota with the label, so that a row is one fused kernel without a gather.
#include "passes/decompose/Decompositions.h"
#include "passes/decompose/RowLoop.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::raf;

/// [n], i1: the label is not ignore_index.
static Value countsOf(TensorBuilder &b, Value labels, int64_t ignoreIndex) {
  // An index that the type of the labels cannot hold ignores no row.
  if (llvm::isIntN(TensorBuilder::typeOf(labels).getElementType().getIntOrFloatBitWidth(), ignoreIndex))
    return b.compare(CompareKind::ne, labels, static_cast<double>(ignoreIndex));
  return b.splat(TensorBuilder::typeOf(labels).clone(b.getBuilder().getI1Type()), 1.0);
}

/// The number of rows that count, 0-d.
static Value rowsThatCount(TensorBuilder &b, Value counts, Type element) { return b.sum(b.cast(counts, element), {0}); }

namespace {
/// What forward and gradient share.
struct Labels {
  Value counts; ///< [n], i1: the label is not ignore_index
  Value hit;    ///< [n, c], i1: c is the label

  Labels(TensorBuilder &b, Value logits, Value labels, int64_t ignoreIndex) : counts(countsOf(b, labels, ignoreIndex)) {
    Type index = TensorBuilder::typeOf(labels).getElementType();
    hit = b.compare(CompareKind::eq, b.iota(TensorBuilder::typeOf(logits).clone(index), 1), b.broadcastLike(labels, logits, {0}));
  }
};
} // namespace

namespace {
/// The loss of each row before the mean, 0 in rows that do not count, and the logarithm of the sum of e^x over each.
struct RowLosses {
  Value loss, lse;

  RowLosses(TensorBuilder &b, Value x, Value labels, const Labels &target, double smoothing) {
    double classes = static_cast<double>(TensorBuilder::typeOf(x).getDimSize(1));
    Value max = b.reduce(ReduceKind::max, x, {1});
    lse = b.add(b.log(b.sum(b.exp(b.sub(x, b.broadcastLike(max, x, {0}))), {1})), max);
    Value picked = b.sum(b.select(target.hit, x, b.splatLike(x, 0.0)), {1});
    loss = b.sub(lse, smoothing == 0.0 ? picked : b.mul(picked, 1.0 - smoothing));
    if (smoothing != 0.0)
      loss = b.sub(loss, b.mul(b.sum(x, {1}), smoothing / classes));
    Value inRange = b.logicalAnd(b.compare(CompareKind::ge, labels, 0.0), b.compare(CompareKind::lt, labels, classes));
    loss = b.select(inRange, loss, b.splatLike(loss, std::numeric_limits<double>::quiet_NaN()));
    loss = b.select(target.counts, loss, b.splatLike(loss, 0.0));
  }
};
} // namespace

/// scale * (softmax(x) - what is wanted), 0 in rows that do not count; `scale` is 0-d.
static Value logitsGrad(TensorBuilder &b, Value x, Value lse, const Labels &target, double smoothing, Value scale) {
  double classes = static_cast<double>(TensorBuilder::typeOf(x).getDimSize(1));
  Value p = b.exp(b.sub(x, b.broadcastLike(lse, x, {0})));
  // (1 - s) [c = label] + s / C is one of two constants.
  Value wanted = b.select(target.hit, b.splatLike(x, 1.0 - smoothing + smoothing / classes), b.splatLike(x, smoothing / classes));
  Value rowScale = b.broadcastLike(scale, target.counts, {});
  Value grad = b.mul(b.sub(p, wanted), b.broadcastLike(rowScale, x, {0}));
  return b.select(b.broadcastLike(target.counts, x, {0}), grad, b.splatLike(grad, 0.0));
}

static SmallVector<Value> crossEntropy(CrossEntropyOp op, TensorBuilder &b) {
  Type element = TensorBuilder::typeOf(op.getLogits()).getElementType();
  Value x = b.widen(op.getLogits());
  Labels target(b, x, op.getLabels(), op.getIgnoreIndex());
  RowLosses rows(b, x, op.getLabels(), target, op.getLabelSmoothing().convertToDouble());
  Value loss = b.div(b.sum(rows.loss, {0}), rowsThatCount(b, target.counts, TensorBuilder::typeOf(x).getElementType()));
  return {b.cast(loss, element), b.cast(rows.lse, element)};
}

static SmallVector<Value> crossEntropyGrad(CrossEntropyGradOp op, TensorBuilder &b) {
  Value x = b.widen(op.getLogits());
  Labels target(b, x, op.getLabels(), op.getIgnoreIndex());
  Value scale = b.div(b.widen(op.getDloss()), rowsThatCount(b, target.counts, TensorBuilder::typeOf(x).getElementType()));
  Value grad = logitsGrad(b, x, b.widen(op.getLse()), target, op.getLabelSmoothing().convertToDouble(), scale);
  return {b.cast(grad, TensorBuilder::typeOf(op.getLogits()).getElementType())};
}

//===-- cross entropy of a product, by blocks of rows ------------------------------------------------------------===//

namespace {
/// A block of rows of raf.linear_cross_entropy. All its logits exist at once, and no others.
template <typename Op>
struct LinearRows {
  Value logits, grad, loss, lse;

  /// `scale`, the gradient of a row's loss, is null where no gradients are wanted.
  LinearRows(Op op, TensorBuilder &b, Value x, Value labels, Value scale) {
    logits = b.wideMatmul(x, op.getW(), false, op.getTransposeW());
    if (op.getBias())
      logits = b.add(logits, b.broadcastLike(b.widen(op.getBias()), logits, {1}));
    double smoothing = op.getLabelSmoothing().convertToDouble();
    Labels target(b, logits, labels, op.getIgnoreIndex());
    RowLosses rows(b, logits, labels, target, smoothing);
    loss = rows.loss, lse = rows.lse;
    if (scale)
      grad = logitsGrad(b, logits, lse, target, smoothing, scale);
  }
};

/// Rows of x in a block. The gradient of w is read and written once a block, so blocks are larger than caches: as large as a few products of that size take time for.
int64_t rowsOfBlock(RankedTensorType x, int64_t classes) {
  constexpr int64_t kBlockOfLogits = 8 * kBlockBytes, kFewest = 128;
  int64_t bytes = TensorBuilder::computeType(x.getElementType()).getIntOrFloatBitWidth() / 8, n = x.getDimSize(0);
  int64_t most = std::max(kFewest, kBlockOfLogits / std::max<int64_t>(1, bytes * classes)), blocks = llvm::divideCeil(n, most);
  return blocks < 2 ? n : llvm::divideCeil(n, blocks);
}
} // namespace

// Of the last rows first, which may be fewer; the loop over the other blocks goes on from what they give.
template <typename Op>
static SmallVector<Value> linearLoss(Op op, TensorBuilder &b, Value dloss) {
  RankedTensorType x = op.getX().getType();
  Type element = x.getElementType(), wide = TensorBuilder::computeType(element);
  bool transposed = op.getTransposeW(), hasBias = static_cast<bool>(op.getBias());
  int64_t n = x.getDimSize(0), classes = op.getW().getType().getDimSize(transposed ? 0 : 1), rows = rowsOfBlock(x, classes), trips = n == 0 ? 0 : llvm::divideCeil(n, rows) - 1;
  Value count = rowsThatCount(b, countsOf(b, op.getLabels(), op.getIgnoreIndex()), wide);
  Value scale = dloss ? b.div(dloss, count) : Value();

  // Of a block: losses and lse, then the gradients of x, of w and of the bias; the last two are added up.
  auto ofBlock = [&](TensorBuilder &inner, Value rowsOfX, Value labels, ValueRange sums) -> SmallVector<Value> {
    LinearRows<Op> block(op, inner, rowsOfX, labels, scale);
    SmallVector<Value> values = {block.loss, block.lse};
    if (!scale)
      return values;
    Value grad = inner.cast(block.grad, element);
    values.push_back(inner.matmul(grad, op.getW(), false, !transposed));
    // In the type of sums: of roundings to 16 bits the next block would add to little.
    Value dw = transposed ? inner.wideMatmul(grad, rowsOfX, true, false) : inner.wideMatmul(rowsOfX, grad, true, false);
    values.push_back(sums.empty() ? dw : inner.add(sums[0], dw));
    if (hasBias) {
      Value db = inner.sum(block.grad, {0});
      values.push_back(sums.empty() ? db : inner.add(sums[1], db));
    }
    return values;
  };

  SmallVector<Value> results;
  if (trips == 0) {
    results = ofBlock(b, op.getX(), op.getLabels(), {});
  } else {
    int64_t done = trips * rows;
    Value lastX = b.slice(op.getX(), {done, 0}, x.getShape(), {1, 1}), lastLabels = b.slice(op.getLabels(), {done}, {n}, {1});
    SmallVector<Value> last = ofBlock(b, lastX, lastLabels, {});
    Value at = b.splat(RankedTensorType::get({}, b.getBuilder().getI64Type()), static_cast<double>(done)), zero = b.zeros(at.getType());
    SmallVector<RankedTensorType> types = {RankedTensorType::get({n}, wide), RankedTensorType::get({n}, wide)};
    if (scale)
      types.push_back(x);
    SmallVector<Value> tails;
    for (auto [k, type] : llvm::enumerate(types)) {
      Value empty = tensor::EmptyOp::create(b.getBuilder(), b.getLoc(), type.getShape(), type.getElementType());
      tails.push_back(b.create<DynamicUpdateSliceOp>(type, empty, last[k], type.getRank() == 1 ? SmallVector<Value>{at} : SmallVector<Value>{at, zero}));
    }
    results = buildRowLoop(b, trips, types, SmallVector<int64_t>(types.size(), rows), ArrayRef<Value>(last).drop_front(types.size()),
                           [&](TensorBuilder &inner, Value position, ValueRange sums) {
                             return ofBlock(inner, rowsOf(inner, op.getX(), position, rows), rowsOf(inner, op.getLabels(), position, rows), sums);
                           }, tails);
  }
  results[0] = b.div(b.sum(results[0], {0}), count);
  for (Value &gradient : MutableArrayRef<Value>(results).drop_front(2))
    gradient = b.cast(gradient, element);
  return results;
}

static SmallVector<Value> linearCrossEntropy(LinearCrossEntropyOp op, TensorBuilder &b) { return linearLoss(op, b, Value()); }
static SmallVector<Value> linearCrossEntropyGrad(LinearCrossEntropyGradOp op, TensorBuilder &b) { return linearLoss(op, b, op.getDloss()); }

void mlir::raf::attachLossDecompositions(MLIRContext *context) {
  LinearCrossEntropyOp::attachInterface<Decomposition<LinearCrossEntropyOp, linearCrossEntropy>>(*context);
  LinearCrossEntropyGradOp::attachInterface<Decomposition<LinearCrossEntropyGradOp, linearCrossEntropyGrad>>(*context);
  CrossEntropyOp::attachInterface<Decomposition<CrossEntropyOp, crossEntropy>>(*context);
  CrossEntropyGradOp::attachInterface<Decomposition<CrossEntropyGradOp, crossEntropyGrad>>(*context);
}
