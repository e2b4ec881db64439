// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a derivative can be written by the result, it is: the operand then need not outlive the forward pass.
#include "dialects/raf/Folding.h"
#include "mlir/IR/Matchers.h"
#include "passes/autodiff/Rules.h"

#include <cmath>

using namespace mlir;
using namespace mlir::raf;

static const double kSqrtPi = 1.7724538509055160273, kSqrt2 = 1.4142135623730950488;

//===-- unary ----------------------------------------------------------------------------------------------------===//

static void neg(NegOp, VJP &g) { g.give(0, g.neg(g.dy())); }
static void abs(AbsOp op, VJP &g) { g.give(0, g.mul(g.dy(), g.fold<SignOp>(op.getX()))); }
static void exp(ExpOp op, VJP &g) { g.give(0, g.mul(g.dy(), op)); }
static void expm1(Expm1Op op, VJP &g) { g.give(0, g.mul(g.dy(), g.add(op, 1.0))); }
static void log(LogOp op, VJP &g) { g.give(0, g.div(g.dy(), op.getX())); }
static void log1p(Log1pOp op, VJP &g) { g.give(0, g.div(g.dy(), g.add(op.getX(), 1.0))); }
static void sqrt(SqrtOp op, VJP &g) { g.give(0, g.div(g.mul(g.dy(), 0.5), op)); }
static void rsqrt(RsqrtOp op, VJP &g) {
  Value y = g.widen(op);
  g.give(0, g.mul(g.mul(g.wideDy(), -0.5), g.mul(g.square(y), y)));
}
static void sin(SinOp op, VJP &g) { g.give(0, g.mul(g.dy(), g.fold<CosOp>(op.getX()))); }
static void cos(CosOp op, VJP &g) { g.give(0, g.neg(g.mul(g.dy(), g.fold<SinOp>(op.getX())))); }
static void cbrt(CbrtOp op, VJP &g) {
  Value y = g.widen(op);
  g.give(0, g.div(g.wideDy(), g.mul(g.square(y), 3.0)));
}
static void tanh(TanhOp op, VJP &g) { g.give(0, g.mul(g.wideDy(), g.sub(1.0, g.square(g.widen(op))))); }
static void sigmoid(SigmoidOp op, VJP &g) {
  Value y = g.widen(op);
  g.give(0, g.mul(g.wideDy(), g.mul(y, g.sub(1.0, y))));
}

static void erf(ErfOp op, VJP &g) {
  Value density = g.exp(g.neg(g.square(g.widen(op.getX()))));
  g.give(0, g.mul(g.wideDy(), g.mul(density, 2.0 / kSqrtPi)));
}

// y > 0 where x > 0, so that the result suffices.
static void relu(ReluOp op, VJP &g) {
  Value positive = g.compare(CompareKind::gt, op, 0.0);
  g.give(0, g.select(positive, g.dy(), g.zeros(op.getType())));
}

static void silu(SiluOp op, VJP &g) {
  Value x = g.widen(op.getX()), s = g.fold<SigmoidOp>(x);
  Value slope = g.mul(s, g.add(g.mul(x, g.sub(1.0, s)), 1.0));
  g.give(0, g.mul(g.wideDy(), slope));
}

static void gelu(GeluOp op, VJP &g) {
  Value x = g.widen(op.getX()), slope;
  if (op.getKind() == GeluKind::erf) {
    Value distribution = g.mul(g.add(g.fold<ErfOp>(g.mul(x, 1.0 / kSqrt2)), 1.0), 0.5);
    Value density = g.mul(g.exp(g.mul(g.square(x), -0.5)), 1.0 / (kSqrt2 * kSqrtPi));
    slope = g.add(distribution, g.mul(x, density));
  } else {
    const double a = kSqrt2 / kSqrtPi, b = 0.044715;
    Value square = g.square(x);
    Value t = g.fold<TanhOp>(g.mul(g.mul(x, g.add(g.mul(square, b), 1.0)), a));
    Value inner = g.mul(g.add(g.mul(square, 3.0 * b), 1.0), 0.5 * a);
    slope = g.add(g.mul(g.add(t, 1.0), 0.5), g.mul(g.mul(x, g.sub(1.0, g.square(t))), inner));
  }
  g.give(0, g.mul(g.wideDy(), slope));
}

static void convert(CastOp op, VJP &g) { g.give(0, g.cast(g.dy(), op.getX().getType().getElementType())); }

//===-- binary ---------------------------------------------------------------------------------------------------===//

static void add(AddOp, VJP &g) {
  g.give(0, g.dy());
  g.give(1, g.dy());
}

static void sub(SubOp, VJP &g) {
  g.give(0, g.dy());
  g.giveLazy(1, [&] { return g.neg(g.dy()); });
}

static void mul(MulOp op, VJP &g) {
  if (op.getLhs() == op.getRhs())
    return g.give(0, g.mul(g.dy(), g.mul(op.getLhs(), 2.0)));
  g.giveLazy(0, [&] { return g.mul(g.dy(), op.getRhs()); });
  g.giveLazy(1, [&] { return g.mul(g.dy(), op.getLhs()); });
}

static void div(DivOp op, VJP &g) {
  Value scaled = g.div(g.dy(), op.getRhs());
  g.give(0, scaled);
  g.giveLazy(1, [&] { return g.neg(g.mul(scaled, op)); });
}

// a = b q + y with q = trunc(a / b), which is constant between its jumps.
static void rem(RemOp op, VJP &g) {
  g.give(0, g.dy());
  g.giveLazy(1, [&] {
    Value quotient = g.fold<RoundOp>(g.div(g.sub(op.getLhs(), op), op.getRhs()));
    return g.neg(g.mul(g.dy(), quotient));
  });
}

static void powByConstant(PowOp op, double exponent, VJP &g) {
  Value x = op.getLhs(), slope;
  if (exponent == 0.0)
    return;
  if (exponent == 1.0)
    return g.give(0, g.dy());
  if (exponent == 0.5)
    return g.give(0, g.div(g.mul(g.dy(), 0.5), op));
  if (exponent == 2.0)
    slope = x;
  else if (exponent == 3.0)
    slope = g.square(x);
  else
    slope = g.fold<PowOp>(x, g.splatLike(x, exponent - 1.0));
  g.give(0, g.mul(g.dy(), g.mul(slope, exponent)));
}

static void pow(PowOp op, VJP &g) {
  Value a = op.getLhs(), b = op.getRhs();
  Attribute constant;
  if (matchPattern(b, m_Constant(&constant)))
    if (auto splat = dyn_cast<SplatElementsAttr>(constant); splat && !g.wants(1)) {
      // A 16-bit exponent is what it was rounded to.
      APFloat value = splat.getSplatValue<APFloat>();
      bool inexact;
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
      return powByConstant(op, value.convertToDouble(), g);
    }
  g.giveLazy(0, [&] {
    // b = 0 gives 0 even where a^(b-1) is infinite.
    Value isZero = g.compare(CompareKind::eq, b, 0.0);
    Value lowered = g.select(isZero, g.splatLike(b, 1.0), g.sub(b, 1.0));
    return g.mul(g.dy(), g.mul(b, g.fold<PowOp>(a, lowered)));
  });
  g.giveLazy(1, [&] {
    Value isZero = g.compare(CompareKind::eq, a, 0.0);
    Value base = g.select(isZero, g.splatLike(a, 1.0), a);
    return g.mul(g.dy(), g.mul(op, g.log(base)));
  });
}

static void atan2(Atan2Op op, VJP &g) {
  Value a = g.widen(op.getLhs()), b = g.widen(op.getRhs());
  Value scaled = g.div(g.wideDy(), g.add(g.square(a), g.square(b)));
  g.giveLazy(0, [&] { return g.mul(scaled, b); });
  g.giveLazy(1, [&] { return g.neg(g.mul(scaled, a)); });
}

// The side that wins gets the gradient, at a tie each gets half.
template <typename Op>
static void extremum(Op op, CompareKind wins, VJP &g) {
  Value a = op.getLhs(), b = op.getRhs(), zero = g.zeros(op.getType());
  Value tie = g.select(g.compare(CompareKind::eq, a, b), g.mul(g.dy(), 0.5), zero);
  g.giveLazy(0, [&] { return g.select(g.compare(wins, a, b), g.dy(), tie); });
  g.giveLazy(1, [&] { return g.select(g.compare(wins, b, a), g.dy(), tie); });
}
static void maximum(MaximumOp op, VJP &g) { extremum(op, CompareKind::gt, g); }
static void minimum(MinimumOp op, VJP &g) { extremum(op, CompareKind::lt, g); }

static void select(SelectOp op, VJP &g) {
  Value zero = g.zeros(op.getType());
  g.giveLazy(1, [&] { return g.select(op.getPred(), g.dy(), zero); });
  g.giveLazy(2, [&] { return g.select(op.getPred(), zero, g.dy()); });
}

void mlir::raf::attachElementwiseRules(MLIRContext *context) {
  attachRule<NegOp, neg>(context);
  attachRule<AbsOp, abs>(context);
  attachRule<SignOp, zeroGradient>(context);
  attachRule<FloorOp, zeroGradient>(context);
  attachRule<CeilOp, zeroGradient>(context);
  attachRule<RoundOp, zeroGradient>(context);
  attachRule<ExpOp, exp>(context);
  attachRule<Expm1Op, expm1>(context);
  attachRule<LogOp, log>(context);
  attachRule<Log1pOp, log1p>(context);
  attachRule<SqrtOp, sqrt>(context);
  attachRule<RsqrtOp, rsqrt>(context);
  attachRule<SinOp, sin>(context);
  attachRule<CosOp, cos>(context);
  attachRule<TanhOp, tanh>(context);
  attachRule<CbrtOp, cbrt>(context);
  attachRule<Atan2Op, atan2>(context);
  attachRule<BitcastOp, zeroGradient>(context);
  attachRule<SigmoidOp, sigmoid>(context);
  attachRule<ErfOp, erf>(context);
  attachRule<ReluOp, relu>(context);
  attachRule<SiluOp, silu>(context);
  attachRule<GeluOp, gelu>(context);
  attachRule<CastOp, convert>(context);
  attachRule<AddOp, add>(context);
  attachRule<SubOp, sub>(context);
  attachRule<MulOp, mul>(context);
  attachRule<DivOp, div>(context);
  attachRule<RemOp, rem>(context);
  attachRule<PowOp, pow>(context);
  attachRule<MaximumOp, maximum>(context);
  attachRule<MinimumOp, minimum>(context);
  attachRule<SelectOp, select>(context);
}
