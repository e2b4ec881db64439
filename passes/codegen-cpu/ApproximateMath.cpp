// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/codegen-cpu/Passes.h"

namespace mlir::raf {
#define GEN_PASS_DEF_APPROXIMATEMATHPASS
#include "passes/codegen-cpu/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;

namespace {
// Arithmetic on f32 and i32 numbers, or vectors of them.
struct Single {
  ImplicitLocOpBuilder b;
  Type type; ///< f32, or a vector of them

  Type ofIntegers() const {
    Type i32 = IntegerType::get(type.getContext(), 32);
    if (auto vector = dyn_cast<VectorType>(type))
      return vector.clone(i32);
    return i32;
  }
  Value constant(double value) { return splat(type, b.getF32FloatAttr(static_cast<float>(value))); }
  Value integer(int32_t value) { return splat(ofIntegers(), b.getI32IntegerAttr(value)); }
  Value splat(Type of, TypedAttr element) {
    if (auto vector = dyn_cast<VectorType>(of))
      return arith::ConstantOp::create(b, DenseElementsAttr::get(vector, Attribute(element)));
    return arith::ConstantOp::create(b, element);
  }
  Value fma(Value x, Value y, Value z) { return math::FmaOp::create(b, x, y, z); }
  // NaN stays, in all three.
  Value within(Value x, double least, double most) { return atMost(atLeast(x, constant(least)), constant(most)); }
  Value atLeast(Value x, Value bound) { return arith::SelectOp::create(b, arith::CmpFOp::create(b, arith::CmpFPredicate::ULT, bound, x), x, bound); }
  Value atMost(Value x, Value bound) { return arith::SelectOp::create(b, arith::CmpFOp::create(b, arith::CmpFPredicate::UGT, bound, x), x, bound); }
};

// e^x = 2^n e^r with n the integer next to x / ln 2: 13 operations, at most 2 units in the last place off. The power of two is 2^(n - 1), which is a float for every finite
// result, and the polynomial twice e^r; so results below 2^-125.5 (1.7e-38) are 0.
struct ExpPattern : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    Single f{ImplicitLocOpBuilder(op.getLoc(), rewriter), op.getType()};
    // Beyond the bounds the scale is 0 or the result infinite already.
    Value x = f.within(op.getOperand(), -87.5, 88.8);
    // The last bits of a sum of this size are the integer n - 1, with the bias of an exponent.
    Value large = f.constant(12582912.0 + 126.0);
    Value biased = f.fma(x, f.constant(1.44269504088896341), large);
    Value n = arith::SubFOp::create(f.b, biased, large);
    // ln 2 in two parts, of which the first has few bits: n times it is exact.
    Value r = f.fma(n, f.constant(2.12194440e-4), f.fma(n, f.constant(-0.693359375), x));
    // Least relative error on [-ln 2 / 2, ln 2 / 2] with e^0 = 1.
    Value p = f.constant(0.01658054347);
    for (double coefficient : {0.08379631895, 0.3333527626, 0.99998295686, 1.99999941263, 2.0})
      p = f.fma(p, r, f.constant(coefficient));
    Value bits = arith::ShLIOp::create(f.b, arith::BitcastOp::create(f.b, f.ofIntegers(), biased), f.integer(23));
    Value scale = arith::BitcastOp::create(f.b, f.type, bits);
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, p, scale);
    return success();
  }
};

// An odd function that ends in its sign: x P(x^2) / Q(x^2) on [-c, c], outside of which it is the sign, polynomials of least relative error, the highest power first.
template <typename Op> struct QuotientPattern : OpRewritePattern<Op> {
  QuotientPattern(MLIRContext *context, double c, std::initializer_list<double> p, std::initializer_list<double> q) : OpRewritePattern<Op>(context), c(c), p(p), q(q) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    Single f{ImplicitLocOpBuilder(op.getLoc(), rewriter), op.getType()};
    Value x = f.within(op.getOperand(), -c, c), square = arith::MulFOp::create(f.b, x, x);
    auto polynomial = [&](ArrayRef<double> coefficients) {
      Value sum = f.constant(coefficients.front());
      for (double coefficient : coefficients.drop_front())
        sum = f.fma(sum, square, f.constant(coefficient));
      return sum;
    };
    Value y = arith::DivFOp::create(f.b, arith::MulFOp::create(f.b, x, polynomial(p)), polynomial(q));
    rewriter.replaceOp(op, f.within(y, -1.0, 1.0));
    return success();
  }

  double c; // the quotient is a bit more than 1 there
  SmallVector<double> p, q;
};

struct ApproximateMathPass : raf::impl::ApproximateMathPassBase<ApproximateMathPass> {
  using ApproximateMathPassBase::ApproximateMathPassBase;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpPattern>(&getContext());
    // 6 units in the last place, both.
    patterns.insert<QuotientPattern<math::ErfOp>>(
        &getContext(), 3.935, std::initializer_list<double>{2.02800766e-06, 0.000283478905, 0.00377392466, 0.0527791195, 0.190824121, 1.12837911},
        std::initializer_list<double>{3.77849756e-05, 0.00116135052, 0.0149908345, 0.114258267, 0.502446651, 1.0});
    patterns.insert<QuotientPattern<math::TanhOp>>(&getContext(), 9.2,
                                                   std::initializer_list<double>{1.3337157e-08, 2.05965373e-05, 0.00349482879, 0.133803872, 0.999999979},
                                                   std::initializer_list<double>{7.76942149e-07, 0.000328439101, 0.0258740961, 0.467137027, 1.0});
    // Not sine and cosine: the polynomials are right only near 0, since their argument is reduced in single precision.
    auto chosen = [](StringRef name) {
      return llvm::is_contained({math::ExpM1Op::getOperationName(), math::LogOp::getOperationName(), math::Log1pOp::getOperationName()}, name);
    };
    populateMathPolynomialApproximationPatterns(patterns, chosen);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
