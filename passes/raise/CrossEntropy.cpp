// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/TensorBuilder.h"
#include "mlir/IR/Matchers.h"
#include "passes/raise/Match.h"
#include "passes/raise/Passes.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::raise;

// The value without ops that only give it another shape, or the bits of a truth value another type.
static Value stripShape(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    auto broadcast = dyn_cast<BroadcastOp>(op);
    auto cast = dyn_cast<CastOp>(op);
    bool moves = isa<ReshapeOp>(op) || (broadcast && typeOf(broadcast.getX()).getNumElements() == broadcast.getType().getNumElements());
    bool stores = cast && (typeOf(cast.getX()).getElementType().isInteger(1) || (cast.getType().getElementType().isInteger(1) && cast.getX().getDefiningOp<ReshapeOp>()));
    if (!moves && !stores)
      break;
    value = op->getOperand(0);
  }
  return value;
}

static bool isIntSplat(Value value, int64_t number) {
  DenseIntElementsAttr constant;
  return matchPattern(value, m_Constant(&constant)) && constant.isSplat() && constant.getSplatValue<APInt>().getSExtValue() == number;
}

// Whether the predicate is 0 <= indices < size.
static bool isInside(Value predicate, Value indices, int64_t size) {
  auto both = stripShape(predicate).getDefiningOp<AndOp>();
  if (!both)
    return false;
  bool lower = false, upper = false;
  for (Value side : both->getOperands())
    if (auto compare = side.getDefiningOp<CompareOp>(); compare && stripShape(compare.getLhs()) == stripShape(indices)) {
      lower |= compare.getKind() == CompareKind::ge && isIntSplat(compare.getRhs(), 0);
      upper |= (compare.getKind() == CompareKind::le && isIntSplat(compare.getRhs(), size - 1)) || (compare.getKind() == CompareKind::lt && isIntSplat(compare.getRhs(), size));
    }
  return lower && upper;
}

// Whether the value lies within 0 and size - 1.
static bool isClamped(Value value, int64_t size) {
  auto upper = stripShape(value).getDefiningOp<MinimumOp>();
  auto lower = upper && isIntSplat(upper.getRhs(), size - 1) ? upper.getLhs().getDefiningOp<MaximumOp>() : MaximumOp();
  return lower && isIntSplat(lower.getRhs(), 0);
}

// What JAX takes elements with: NaN where the index lies outside, which is where the loss of raf.cross_entropy is NaN as well, or an index that lies within.
static TakeAlongAxisOp takenOf(Value value) {
  if (auto taken = stripShape(value).getDefiningOp<TakeAlongAxisOp>())
    return isClamped(taken.getIndices(), typeOf(taken.getX()).getDimSize(taken.getAxis())) ? taken : TakeAlongAxisOp();
  auto select = stripShape(value).getDefiningOp<SelectOp>();
  std::optional<double> outside = select ? splatOf(select.getOnFalse()) : std::nullopt;
  auto taken = outside && std::isnan(*outside) ? stripShape(select.getOnTrue()).getDefiningOp<TakeAlongAxisOp>() : TakeAlongAxisOp();
  return taken && isInside(select.getPred(), taken.getIndices(), typeOf(taken.getX()).getDimSize(taken.getAxis())) ? taken : TakeAlongAxisOp();
}

namespace {
// logsumexp(x) - x[label], as optax writes it: -log_softmax(x)[label].
struct RaiseLogLikelihood : OpRewritePattern<SubOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SubOp op, PatternRewriter &rewriter) const override {
    int64_t axis = -1;
    Value x = logSumExpOf(op.getLhs(), axis);
    TakeAlongAxisOp taken = x ? takenOf(op.getRhs()) : TakeAlongAxisOp();
    if (!taken || taken.getX() != x || static_cast<int64_t>(taken.getAxis()) != axis)
      return rewriter.notifyMatchFailure(op, "not logsumexp minus one element a row");
    TensorBuilder b(rewriter, op.getLoc());
    Value logs = b.create<LogSoftmaxOp>(x.getType(), x, axis), value = b.create<TakeAlongAxisOp>(logs, taken.getIndices(), axis)->getResult(0);
    if (auto select = stripShape(op.getRhs()).getDefiningOp<SelectOp>())
      value = b.select(select.getPred(), b.reshapeLike(value, select), select.getOnFalse());
    rewriter.replaceOp(op, b.neg(b.reshapeLike(value, op)));
    return success();
  }
};

// A multiple of the sum of log_softmax(x)[label] over all rows: of the mean cross entropy.
template <typename Root>
struct RaiseCrossEntropy : OpRewritePattern<Root> {
  using OpRewritePattern<Root>::OpRewritePattern;
  LogicalResult matchAndRewrite(Root op, PatternRewriter &rewriter) const override {
    Product product = productOf(op.getResult());
    auto sum = product.factors.size() == 1 ? product.factors.front().template getDefiningOp<ReduceOp>() : ReduceOp();
    if (!sum || sum.getKind() != ReduceKind::sum || sum.getType().getRank() != 0)
      return rewriter.notifyMatchFailure(op, "not a multiple of a sum");
    Product each = productOf(sum.getX());
    TakeAlongAxisOp taken = each.factors.size() == 1 ? takenOf(each.factors.front()) : TakeAlongAxisOp();
    auto logs = taken ? taken.getX().template getDefiningOp<LogSoftmaxOp>() : LogSoftmaxOp();
    int64_t rank = logs ? typeOf(logs).getRank() : 0;
    if (rank < 2 || logs.getType().getNumElements() == 0 || static_cast<int64_t>(logs.getAxis()) != rank - 1 || taken.getAxis() != logs.getAxis() || typeOf(taken).getDimSize(rank - 1) != 1)
      return rewriter.notifyMatchFailure(op, "not a sum of one log-probability a row");
    int64_t classes = typeOf(logs).getDimSize(rank - 1), rows = typeOf(logs).getNumElements() / classes;
    double weight = -product.constant * each.constant * rows;
    // Of what is multiplied further the factor is taken in there.
    auto multiplies = [](Operation *user) { return isa<NegOp>(user) || (isa<MulOp, DivOp>(user) && llvm::any_of(user->getOperands(), [](Value v) { return splatOf(v).has_value(); })); };
    if (!std::isfinite(weight) || weight == 0.0 || llvm::any_of(op->getUsers(), multiplies))
      return rewriter.notifyMatchFailure(op, "not the whole multiple");
    TensorBuilder b(rewriter, op.getLoc());
    // No label is left out: no index of the program is this one.
    auto loss = b.create<CrossEntropyOp>(b.reshape(logs.getX(), {rows, classes}), b.reshape(taken.getIndices(), {rows}), std::numeric_limits<int64_t>::min(), APFloat(0.0));
    rewriter.replaceOp(op, isClose(weight, 1.0) ? loss.getLoss() : b.mul(loss.getLoss(), weight));
    return success();
  }
};
} // namespace

void mlir::raf::populateRaiseCrossEntropy(RewritePatternSet &patterns) {
  patterns.add<RaiseLogLikelihood, RaiseCrossEntropy<ReduceOp>, RaiseCrossEntropy<NegOp>, RaiseCrossEntropy<MulOp>, RaiseCrossEntropy<DivOp>>(patterns.getContext());
}
