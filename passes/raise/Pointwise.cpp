// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/raise/Match.h"
#include "passes/raise/Passes.h"

#include <cmath>

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::raise;

static const double kSqrt2 = 1.4142135623730950488, kTanhScale = 0.79788456080286535588 /* sqrt(2 / pi) */, kTanhCube = 0.044715;

// Whether the value is constant * x.
static bool isMultiple(Value value, double constant, Value x) {
  Product product = productOf(value);
  return isClose(product.constant, constant) && product.take(x) && product.factors.empty();
}

// Whether the value is 1 + erf(x / sqrt 2): as that, or as 1 - erf(-x / sqrt 2), which is the complementary error function of -x / sqrt 2.
static bool isErfTerm(Value value, Value x) {
  if (auto sum = plusConstant(value); sum && isClose(sum->second, 1.0))
    if (auto erf = sum->first.getDefiningOp<ErfOp>())
      return isMultiple(erf.getX(), 1.0 / kSqrt2, x);
  if (auto sub = value.getDefiningOp<SubOp>(); sub && isSplatClose(sub.getLhs(), 1.0))
    if (auto erf = sub.getRhs().getDefiningOp<ErfOp>())
      return isMultiple(erf.getX(), -1.0 / kSqrt2, x);
  return false;
}

// Whether the value is sqrt(2 / pi) (x + 0.044715 x^3), or x (1 + 0.044715 x^2) with the factor.
static bool isTanhArgument(Value value, Value x) {
  Product product = productOf(value);
  if (!isClose(product.constant, kTanhScale))
    return false;
  bool timesX = product.factors.size() == 2 && product.take(x);
  if (product.factors.size() != 1)
    return false;
  auto isPower = [&](Value term, unsigned power) {
    Product cube = productOf(term);
    return isClose(cube.constant, kTanhCube) && cube.factors.size() == power && llvm::all_of(cube.factors, [&](Value factor) { return factor == x; });
  };
  if (timesX) {
    auto sum = plusConstant(product.factors.front());
    return sum && isClose(sum->second, 1.0) && isPower(sum->first, 2);
  }
  auto add = product.factors.front().getDefiningOp<AddOp>();
  return add && ((add.getLhs() == x && isPower(add.getRhs(), 3)) || (add.getRhs() == x && isPower(add.getLhs(), 3)));
}

static bool isTanhTerm(Value value, Value x) {
  auto sum = plusConstant(value);
  auto tanh = sum && isClose(sum->second, 1.0) ? sum->first.getDefiningOp<TanhOp>() : TanhOp();
  return tanh && isTanhArgument(tanh.getX(), x);
}

namespace {
// x / 2 times (1 + erf(...)) or (1 + tanh(...)).
struct RaiseGelu : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &rewriter) const override {
    Product product = productOf(op);
    if (product.factors.size() != 2 || !isClose(product.constant, 0.5))
      return rewriter.notifyMatchFailure(op, "not half the product of two factors");
    for (unsigned k : {0u, 1u}) {
      Value x = product.factors[k], term = product.factors[1 - k];
      if (isErfTerm(term, x))
        return raise(op, GeluKind::erf, x, rewriter);
      if (isTanhTerm(term, x))
        return raise(op, GeluKind::tanh, x, rewriter);
    }
    return rewriter.notifyMatchFailure(op, "no factor is 1 + erf or 1 + tanh of the other");
  }

  static LogicalResult raise(MulOp op, GeluKind kind, Value x, PatternRewriter &rewriter) {
    rewriter.replaceOpWithNewOp<GeluOp>(op, op.getType(), kind, x);
    return success();
  }
};

struct RaiseSigmoid : OpRewritePattern<DivOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DivOp op, PatternRewriter &rewriter) const override {
    auto sum = plusConstant(op.getRhs());
    auto exp = sum && isSplatClose(op.getLhs(), 1.0) && isClose(sum->second, 1.0) ? sum->first.getDefiningOp<ExpOp>() : ExpOp();
    auto neg = exp ? exp.getX().getDefiningOp<NegOp>() : NegOp();
    if (!neg)
      return rewriter.notifyMatchFailure(op, "not 1 / (1 + exp(-x))");
    rewriter.replaceOpWithNewOp<SigmoidOp>(op, op.getType(), neg.getX());
    return success();
  }
};

struct RaiseSilu : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &rewriter) const override {
    for (auto [x, s] : {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())})
      if (auto sigmoid = s.getDefiningOp<SigmoidOp>(); sigmoid && sigmoid.getX() == x) {
        rewriter.replaceOpWithNewOp<SiluOp>(op, op.getType(), x);
        return success();
      }
    return rewriter.notifyMatchFailure(op, "not x times its sigmoid");
  }
};
} // namespace

void mlir::raf::populateRaisePointwise(RewritePatternSet &patterns) { patterns.add<RaiseGelu, RaiseSigmoid, RaiseSilu>(patterns.getContext()); }
