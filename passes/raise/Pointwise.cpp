// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/autodiff/Reverse.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "passes/raise/Evaluate.h"
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
      // The complementary error function is written with polynomials where it is small.
      auto function = PointwiseFunction::of(term, x);
      if (function && !function->getOther() && function->equals([&](double at) { return 1.0 + std::erf(at / kSqrt2); }))
        return raise(op, GeluKind::erf, x, rewriter);
    }
    return rewriter.notifyMatchFailure(op, "no factor is 1 + erf or 1 + tanh of the other");
  }

  static LogicalResult raise(MulOp op, GeluKind kind, Value x, PatternRewriter &rewriter) {
    rewriter.replaceOpWithNewOp<GeluOp>(op, op.getType(), kind, x);
    return success();
  }
};

static double geluSlope(GeluKind kind, double x) {
  if (kind == GeluKind::erf)
    return 0.5 * (1.0 + std::erf(x / kSqrt2)) + x * std::exp(-0.5 * x * x) * 0.5 * kTanhScale;
  double t = std::tanh(kTanhScale * (x + kTanhCube * x * x * x));
  return 0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * kTanhScale * (1.0 + 3.0 * kTanhCube * x * x);
}

// dy times the derivative of gelu, in whatever form: it becomes the one that raf-autodiff gives, if that is shorter.
template <typename Root>
struct RaiseGeluGradient : OpRewritePattern<Root> {
  using OpRewritePattern<Root>::OpRewritePattern;
  LogicalResult matchAndRewrite(Root op, PatternRewriter &rewriter) const override {
    if (!isa<FloatType>(op.getType().getElementType()))
      return failure();
    for (auto [kind, x] : candidates(op.getResult())) {
      std::optional<PointwiseFunction> function = PointwiseFunction::of(op.getResult(), x);
      // What raf-autodiff builds has as many ops.
      if (!function || !function->getOther() || function->getNumOps() <= (kind == GeluKind::erf ? 11u : 17u))
        continue;
      auto isSlope = [&, kind = kind](double dy) { return function->equals([&](double at) { return dy * geluSlope(kind, at); }, dy); };
      if (!isSlope(1.0) || !isSlope(-2.0) || !isSlope(0.0))
        continue;
      auto gelu = GeluOp::create(rewriter, op.getLoc(), cast<RankedTensorType>(x.getType()), kind, x);
      auto rule = dyn_cast<DifferentiableOpInterface>(gelu.getOperation());
      Value dy = function->getOther(), grad;
      if (!rule || dy.getType() != x.getType() || failed(rule.buildVJP(rewriter, dy, true, grad)) || !grad)
        return rewriter.eraseOp(gelu), failure();
      rewriter.replaceOp(op, grad);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "not a multiple of the derivative of gelu");
  }

  // What the error functions and tangents near the value may be of.
  static SmallVector<std::pair<GeluKind, Value>> candidates(Value value) {
    SmallVector<std::pair<GeluKind, Value>> found;
    SmallVector<Value> stack = {value};
    llvm::SmallPtrSet<Operation *, 16> visited;
    while (!stack.empty() && visited.size() < 160) {
      Operation *op = stack.pop_back_val().getDefiningOp();
      if (!op || !op->hasTrait<OpTrait::Elementwise>() || !visited.insert(op).second)
        continue;
      if (auto erf = dyn_cast<ErfOp>(op)) {
        if (Product argument = productOf(erf.getX()); argument.factors.size() == 1)
          found.push_back({GeluKind::erf, argument.factors.front()});
      } else if (auto tanh = dyn_cast<TanhOp>(op)) {
        for (Value factor : productOf(tanh.getX()).factors)
          for (Value x : factor.getDefiningOp<AddOp>() ? SmallVector<Value>{factor, factor.getDefiningOp()->getOperand(0), factor.getDefiningOp()->getOperand(1)} : SmallVector<Value>{factor})
            if (isTanhArgument(tanh.getX(), x))
              found.push_back({GeluKind::tanh, x});
      }
      llvm::append_range(stack, op->getOperands());
    }
    return found;
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
// A call of max(x, 0) with the gradient of raf.relu, 0 at 0: raf.maximum would have half of it there.
struct RaiseRelu : OpRewritePattern<func::CallOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(func::CallOp op, PatternRewriter &rewriter) const override {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, op.getCalleeAttr());
    auto name = callee ? callee->getAttrOfType<FlatSymbolRefAttr>(kGradientAttribute) : FlatSymbolRefAttr();
    auto gradient = name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, name) : func::FuncOp();
    Value forward = valueOf(callee, 1), backward = valueOf(gradient, 2);
    auto maximum = forward ? forward.getDefiningOp<MaximumOp>() : MaximumOp();
    auto select = backward ? backward.getDefiningOp<SelectOp>() : SelectOp();
    auto positive = select ? select.getPred().getDefiningOp<CompareOp>() : CompareOp();
    bool isRelu = maximum && positive && maximum.getLhs() == callee.getArgument(0) && isSplatClose(maximum.getRhs(), 0.0) && positive.getKind() == CompareKind::gt &&
                  positive.getLhs() == gradient.getArgument(0) && isSplatClose(positive.getRhs(), 0.0) && select.getOnTrue() == gradient.getArgument(1) &&
                  isSplatClose(select.getOnFalse(), 0.0);
    if (!isRelu)
      return rewriter.notifyMatchFailure(op, "not of max(x, 0) with the gradient x > 0");
    rewriter.replaceOpWithNewOp<ReluOp>(op, op.getOperand(0).getType(), op.getOperand(0));
    return success();
  }

  // What a function of so many arguments returns if that is one value.
  static Value valueOf(func::FuncOp function, unsigned arguments) {
    if (!function || function.getNumArguments() != arguments || function.getNumResults() != 1 || !function.getBody().hasOneBlock())
      return {};
    return function.getBody().front().getTerminator()->getOperand(0);
  }
};
} // namespace

void mlir::raf::populateRaisePointwise(RewritePatternSet &patterns) { patterns.add<RaiseGelu, RaiseGeluGradient<AddOp>, RaiseGeluGradient<MulOp>, RaiseGeluGradient<SubOp>, RaiseRelu, RaiseSigmoid, RaiseSilu>(patterns.getContext()); }
