// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/TensorBuilder.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/IR/Matchers.h"
#include "passes/raise/Match.h"
#include "passes/raise/Passes.h"

#include <cmath>

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::raise;

// Whether the value is the maximum of x along axis, or that with the guards that keep infinities out: maximum(-inf, m), select(isfinite(m), m, 0).
static bool isMaximum(Value value, Value x, int64_t axis) {
  if (auto stopped = value.getDefiningOp<StopGradientOp>()) // softmax does not depend on what is subtracted
    return isMaximum(stopped.getX(), x, axis);
  if (auto guard = value.getDefiningOp<MaximumOp>()) {
    for (auto [m, limit] : {std::pair(guard.getLhs(), guard.getRhs()), std::pair(guard.getRhs(), guard.getLhs())})
      if (std::optional<double> number = splatOf(limit); number && std::isinf(*number) && *number < 0)
        return isMaximum(m, x, axis);
    return false;
  }
  if (auto guard = value.getDefiningOp<SelectOp>())
    return isSplatClose(guard.getOnFalse(), 0.0) && isMaximum(guard.getOnTrue(), x, axis);
  // Both in another shape, in which the rows are where they were.
  bool isLast = axis + 1 == typeOf(x).getRank();
  auto moved = value.getDefiningOp<ReshapeOp>(), whole = x.getDefiningOp<ReshapeOp>();
  if (isLast && moved && whole && typeOf(whole.getX()).getRank() > 0 && typeOf(whole.getX()).getShape().back() == typeOf(x).getShape().back())
    return isMaximum(moved.getX(), whole.getX(), typeOf(whole.getX()).getRank() - 1);
  auto turned = value.getDefiningOp<TransposeOp>(), all = x.getDefiningOp<TransposeOp>();
  if (isLast && turned && all && all.getPermutation().back() == axis && turned.getPermutation() == all.getPermutation().drop_back())
    return isMaximum(turned.getX(), all.getX(), axis);
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
// JAX stops the gradient of a maximum between the shapes that it goes through to be replicated again.
struct StopGradientBeforeShape : OpRewritePattern<StopGradientOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(StopGradientOp op, PatternRewriter &rewriter) const override {
    Operation *shape = op.getX().getDefiningOp();
    if (!isa_and_nonnull<ReshapeOp, BroadcastOp>(shape))
      return rewriter.notifyMatchFailure(op, "not of a value in another shape");
    Value stopped = StopGradientOp::create(rewriter, op.getLoc(), shape->getOperand(0));
    Operation *moved = rewriter.clone(*shape);
    moved->setOperand(0, stopped);
    rewriter.replaceOp(op, moved->getResults());
    return success();
  }
};

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
// The value without ops that only give its elements another shape.
static Value withoutUnits(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<ReshapeOp, BroadcastOp>(op) && typeOf(op->getOperand(0)).getNumElements() == typeOf(value).getNumElements()) {
    value = op->getOperand(0);
    op = value.getDefiningOp();
  }
  return value;
}

// The same also without constant factors, which are multiplied into `constant`.
static Value withoutScale(Value value, double &constant) {
  while (true) {
    Product product = productOf(value);
    constant *= product.constant;
    if (product.factors.size() != 1)
      return value;
    Value inner = withoutUnits(product.factors.front());
    if (inner == product.factors.front())
      return inner;
    value = inner;
  }
}

// The same as replicated(value, axis), of any dimensions of size 1.
static Value replicatedRows(Value value, int64_t axis) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast || llvm::is_contained(broadcast.getDims(), axis))
    return replicated(value, axis);
  for (int64_t dim = 0; dim < broadcast.getType().getRank(); ++dim)
    if (dim != axis && broadcast.getType().getDimSize(dim) != 1 && !llvm::is_contained(broadcast.getDims(), dim))
      return {};
  for (auto [dim, size] : llvm::zip(broadcast.getDims(), broadcast.getX().getType().getShape()))
    if (size != broadcast.getType().getDimSize(dim))
      return {};
  return broadcast.getX();
}

// Whether the value is a sum of e along axis.
static bool isTotal(Value value, Value e, int64_t axis) {
  auto sum = value ? value.getDefiningOp<ReduceOp>() : ReduceOp();
  return sum && sum.getKind() == ReduceKind::sum && sum.getX() == e && sum.getDims() == ArrayRef<int64_t>(axis);
}

// Whether the value is 1 / total^2.
static bool isInverseSquare(Value value, Value total) {
  if (auto div = value.getDefiningOp<DivOp>())
    return isSplatClose(div.getLhs(), 1.0) && squareOf(div.getRhs()) == total;
  auto pow = value.getDefiningOp<PowOp>();
  return pow && pow.getLhs() == total && isSplatClose(pow.getRhs(), -2.0);
}

// The gradient that JAX gives for e / sum(e): (dy / sum(e) - sum(dy e / sum(e)^2)) e. It becomes that of raf.softmax, which keeps no exponentials.
struct RaiseSoftmaxGradient : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &rewriter) const override {
    for (auto [factor, e] : {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())}) {
      auto exp = e.getDefiningOp<ExpOp>();
      auto add = factor.getDefiningOp<AddOp>();
      if (!exp || !add)
        continue;
      for (auto [direct, shared] : {std::pair(add.getLhs(), add.getRhs()), std::pair(add.getRhs(), add.getLhs())}) {
        auto div = direct.getDefiningOp<DivOp>();
        auto [summed, axis] = div ? summedAndReplicated(div.getRhs(), [](Value sum) { return sum; }) : std::pair<Value, int64_t>();
        Value x = summed && summed == e ? shiftedByMaximum(exp.getX(), axis) : Value();
        if (!x || !isShared(shared, div, e, axis))
          continue;
        auto softmax = SoftmaxOp::create(rewriter, op.getLoc(), op.getType(), x, axis);
        auto rule = dyn_cast<DifferentiableOpInterface>(softmax.getOperation());
        Value dy = div.getLhs(), grad;
        if (!rule || failed(rule.buildVJP(rewriter, dy, true, grad)) || !grad)
          return rewriter.eraseOp(softmax), failure();
        rewriter.replaceOp(op, grad);
        return success();
      }
    }
    return rewriter.notifyMatchFailure(op, "not the gradient of exponentials over their sum");
  }

  // Whether the value is -sum(dy e / total^2) along the axis, replicated along it; quotient is dy / total.
  static bool isShared(Value value, DivOp quotient, Value e, int64_t axis) {
    Value inner = replicatedRows(value, axis), total = replicated(quotient.getRhs(), axis);
    double constant = 1.0;
    auto sum = inner ? withoutScale(inner, constant).getDefiningOp<ReduceOp>() : ReduceOp();
    if (!sum || sum.getKind() != ReduceKind::sum || sum.getDims() != ArrayRef<int64_t>(axis))
      return false;
    Product product = productOf(sum.getX());
    if (!isClose(constant * product.constant, -1.0) || product.factors.size() != 3 || !product.take(quotient.getLhs()) || !product.take(e))
      return false;
    Value square = replicated(product.factors.front(), axis);
    return square && isInverseSquare(square, total);
  }
};

// e v / sum(e), with v replicated along the axis: v times the softmax. In the gradients of log_softmax and of logsumexp.
struct RaiseScaledSoftmax : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &rewriter) const override {
    for (auto [factor, e] : {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())}) {
      auto exp = e.getDefiningOp<ExpOp>();
      for (int64_t axis = 0; exp && axis < op.getType().getRank(); ++axis) {
        Value inner = replicated(factor, axis);
        auto div = inner ? withoutUnits(inner).getDefiningOp<DivOp>() : DivOp();
        Value x = div && isTotal(withoutUnits(div.getRhs()), e, axis) ? shiftedByMaximum(exp.getX(), axis) : Value();
        if (!x)
          continue;
        TensorBuilder b(rewriter, op.getLoc());
        Value softmax = b.create<SoftmaxOp>(op.getType(), x, axis);
        rewriter.replaceOp(op, b.mul(b.unreduce(b.reshapeLike(div.getLhs(), inner), op.getType(), axis), softmax));
        return success();
      }
    }
    return rewriter.notifyMatchFailure(op, "not exponentials over their sum");
  }
};

// Whether the value is a sum of exponentials, which is not negative.
static bool isSumOfExponentials(Value value) {
  auto sum = withoutUnits(value).getDefiningOp<ReduceOp>();
  return sum && sum.getKind() == ReduceKind::sum && sum.getX().getDefiningOp<ExpOp>();
}

// |sum(exp)|, of which jax.nn.logsumexp takes the logarithm.
struct RaiseAbsOfExponentials : OpRewritePattern<AbsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AbsOp op, PatternRewriter &rewriter) const override {
    if (!isSumOfExponentials(op.getX()))
      return rewriter.notifyMatchFailure(op, "not of a sum of exponentials");
    rewriter.replaceOp(op, op.getX());
    return success();
  }
};

// The gradient of that: select(s >= 0, g, 0) - select(s >= 0, 0, g) is g, also where s and with it g is NaN.
struct RaiseGradientOfAbsOfExponentials : OpRewritePattern<SubOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SubOp op, PatternRewriter &rewriter) const override {
    auto positive = op.getLhs().getDefiningOp<SelectOp>(), negative = op.getRhs().getDefiningOp<SelectOp>();
    auto compare = positive ? positive.getPred().getDefiningOp<CompareOp>() : CompareOp();
    Value g = positive ? positive.getOnTrue() : Value();
    auto div = g ? g.getDefiningOp<DivOp>() : DivOp();
    if (!negative || !compare || !div || positive.getPred() != negative.getPred() || negative.getOnFalse() != g || !isSplatClose(positive.getOnFalse(), 0.0) ||
        !isSplatClose(negative.getOnTrue(), 0.0) || compare.getKind() != CompareKind::ge || !isSplatClose(compare.getRhs(), 0.0) ||
        withoutUnits(div.getRhs()) != withoutUnits(compare.getLhs()) || !isSumOfExponentials(compare.getLhs()))
      return rewriter.notifyMatchFailure(op, "not the gradient of the magnitude of a sum of exponentials");
    rewriter.replaceOp(op, g);
    return success();
  }
};
} // namespace

Value mlir::raf::raise::logSumExpOf(Value value, int64_t &axis) {
  auto add = value.getDefiningOp<AddOp>();
  if (!add)
    return {};
  for (auto [left, maximum] : {std::pair(add.getLhs(), add.getRhs()), std::pair(add.getRhs(), add.getLhs())}) {
    auto log = left.getDefiningOp<LogOp>();
    auto sum = log ? withoutUnits(log.getX()).getDefiningOp<ReduceOp>() : ReduceOp();
    auto exp = sum && sum.getKind() == ReduceKind::sum && sum.getDims().size() == 1 ? sum.getX().getDefiningOp<ExpOp>() : ExpOp();
    Value x = exp ? shiftedByMaximum(exp.getX(), sum.getDims()[0]) : Value();
    if (!x || !isMaximum(withoutUnits(maximum), x, sum.getDims()[0]))
      continue;
    axis = sum.getDims()[0];
    return x;
  }
  return {};
}

void mlir::raf::populateRaiseSoftmax(RewritePatternSet &patterns) {
  patterns.add<RaiseAbsOfExponentials, RaiseGradientOfAbsOfExponentials>(patterns.getContext());
  patterns.add<RaiseLogSoftmax, RaiseScaledSoftmax, RaiseSoftmax, RaiseSoftmaxGradient, StopGradientBeforeShape>(patterns.getContext());
}
