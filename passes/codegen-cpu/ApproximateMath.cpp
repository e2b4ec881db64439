// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/codegen-cpu/Passes.h"

namespace mlir::raf {
#define GEN_PASS_DEF_APPROXIMATEMATHPASS
#include "passes/codegen-cpu/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;

namespace {
struct ApproximateMathPass : raf::impl::ApproximateMathPassBase<ApproximateMathPass> {
  using ApproximateMathPassBase::ApproximateMathPassBase;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    // Not sine and cosine: the polynomials are right only near 0, since their argument is reduced in single precision.
    auto chosen = [](StringRef name) {
      return llvm::is_contained({math::ExpOp::getOperationName(), math::ExpM1Op::getOperationName(), math::LogOp::getOperationName(), math::Log1pOp::getOperationName(),
                                 math::TanhOp::getOperationName(), math::ErfOp::getOperationName()},
                                name);
    };
    populateMathPolynomialApproximationPatterns(patterns, chosen);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
