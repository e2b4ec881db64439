// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

// What JAX takes elements with: NaN where the index lies outside, which is where the loss of raf.cross_entropy is NaN as well.
static TakeAlongAxisOp takenOf(Value value) {
  auto select = stripShape(value).getDefiningOp<SelectOp>();
  std::optional<double> outside = select ? splatOf(select.getOnFalse()) : std::nullopt;
  auto taken = outside && std::isnan(*outside) ? stripShape(select.getOnTrue()).getDefiningOp<TakeAlongAxisOp>() : TakeAlongAxisOp();
  return taken && isInside(select.getPred(), taken.getIndices(), typeOf(taken.getX()).getDimSize(taken.getAxis())) ? taken : TakeAlongAxisOp();
}

namespace {
// -mean(log_softmax(x)[label]) over all rows of a matrix.
template <typename Root>
struct RaiseCrossEntropy : OpRewritePattern<Root> {
  using OpRewritePattern<Root>::OpRewritePattern;
  LogicalResult matchAndRewrite(Root op, PatternRewriter &rewriter) const override {
    Product product = productOf(op.getResult());
    auto sum = product.factors.size() == 1 ? product.factors.front().template getDefiningOp<ReduceOp>() : ReduceOp();
    if (!sum || sum.getKind() != ReduceKind::sum || sum.getType().getRank() != 0)
      return rewriter.notifyMatchFailure(op, "not a multiple of a sum");
    TakeAlongAxisOp taken = takenOf(sum.getX());
    auto logs = taken ? taken.getX().template getDefiningOp<LogSoftmaxOp>() : LogSoftmaxOp();
    if (!logs || typeOf(logs).getRank() != 2 || logs.getAxis() != 1 || taken.getAxis() != 1 || typeOf(taken).getDimSize(1) != 1)
      return rewriter.notifyMatchFailure(op, "not a sum of one log-probability a row");
    int64_t rows = typeOf(logs).getDimSize(0);
    if (!isClose(-product.constant * rows, 1.0))
      return rewriter.notifyMatchFailure(op, "not the negative mean");
    Location loc = op.getLoc();
    Value labels = ReshapeOp::create(rewriter, loc, RankedTensorType::get({rows}, typeOf(taken.getIndices()).getElementType()), taken.getIndices());
    // No label is left out: no index of the program is this one.
    auto loss = CrossEntropyOp::create(rewriter, loc, logs.getX(), labels, std::numeric_limits<int64_t>::min(), APFloat(0.0));
    rewriter.replaceOp(op, loss.getLoss());
    return success();
  }
};
} // namespace

void mlir::raf::populateRaiseCrossEntropy(RewritePatternSet &patterns) {
  patterns.add<RaiseCrossEntropy<NegOp>, RaiseCrossEntropy<MulOp>, RaiseCrossEntropy<DivOp>>(patterns.getContext());
}
