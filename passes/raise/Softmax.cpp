// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/raise/Match.h"
#include "passes/raise/Passes.h"

#include <cmath>

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::raise;

// Whether the value is the maximum of x along axis, or that with the guards that keep infinities out: maximum(-inf, m), select(isfinite(m), m, 0).
static bool isMaximum(Value value, Value x, int64_t axis) {
  if (auto guard = value.getDefiningOp<MaximumOp>()) {
    for (auto [m, limit] : {std::pair(guard.getLhs(), guard.getRhs()), std::pair(guard.getRhs(), guard.getLhs())})
      if (std::optional<double> number = splatOf(limit); number && std::isinf(*number) && *number < 0)
        return isMaximum(m, x, axis);
    return false;
  }
  if (auto guard = value.getDefiningOp<SelectOp>())
    return isSplatClose(guard.getOnFalse(), 0.0) && isMaximum(guard.getOnTrue(), x, axis);
  auto reduce = value.getDefiningOp<ReduceOp>();
  return reduce && reduce.getKind() == ReduceKind::max && reduce.getX() == x && reduce.getDims() == ArrayRef<int64_t>(axis);
}

// x if the value is x minus its maximum along axis.
static Value shiftedByMaximum(Value value, int64_t axis) {
  auto sub = value.getDefiningOp<SubOp>();
  Value maximum = sub ? replicated(sub.getRhs(), axis) : Value();
  return maximum && isMaximum(maximum, sub.getLhs(), axis) ? sub.getLhs() : Value();
}

// The one dimension of a sum whose result is replicated along it again, with what is summed.
static std::pair<Value, int64_t> summedAndReplicated(Value value, function_ref<Value(Value)> between) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return {};
  for (int64_t axis = 0; axis < broadcast.getType().getRank(); ++axis) {
    Value inner = replicated(value, axis);
    if (!inner || !(inner = between(inner)))
      continue;
    auto sum = inner.getDefiningOp<ReduceOp>();
    if (sum && sum.getKind() == ReduceKind::sum && sum.getDims() == ArrayRef<int64_t>(axis))
      return {sum.getX(), axis};
  }
  return {};
}

namespace {
// e / sum(e) with e = exp(x - max).
struct RaiseSoftmax : OpRewritePattern<DivOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DivOp op, PatternRewriter &rewriter) const override {
    auto [summed, axis] = summedAndReplicated(op.getRhs(), [](Value sum) { return sum; });
    auto exp = op.getLhs().getDefiningOp<ExpOp>();
    Value x = exp && summed == op.getLhs() ? shiftedByMaximum(exp.getX(), axis) : Value();
    if (!x)
      return rewriter.notifyMatchFailure(op, "not exp(x - max) over its sum");
    rewriter.replaceOpWithNewOp<SoftmaxOp>(op, op.getType(), x, axis);
    return success();
  }
};

// s - log(sum(exp(s))) with s = x - max.
struct RaiseLogSoftmax : OpRewritePattern<SubOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SubOp op, PatternRewriter &rewriter) const override {
    auto [summed, axis] = summedAndReplicated(op.getRhs(), [](Value value) {
      auto log = value.getDefiningOp<LogOp>();
      return log ? log.getX() : Value();
    });
    auto exp = summed ? summed.getDefiningOp<ExpOp>() : ExpOp();
    Value x = exp && exp.getX() == op.getLhs() ? shiftedByMaximum(op.getLhs(), axis) : Value();
    if (!x)
      return rewriter.notifyMatchFailure(op, "not x - max minus the logarithm of the sum of its exponentials");
    rewriter.replaceOpWithNewOp<LogSoftmaxOp>(op, op.getType(), x, axis);
    return success();
  }
};
} // namespace

void mlir::raf::populateRaiseSoftmax(RewritePatternSet &patterns) { patterns.add<RaiseLogSoftmax, RaiseSoftmax>(patterns.getContext()); }
