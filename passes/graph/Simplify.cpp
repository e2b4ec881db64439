// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "dialects/raf/Sharding.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/graph/Passes.h"
#include "passes/graph/Ranges.h"

namespace mlir::raf {
#define GEN_PASS_DEF_SIMPLIFYPASS
#include "passes/graph/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
struct SimplifyPass : mlir::raf::impl::SimplifyPassBase<SimplifyPass> {
  using SimplifyPassBase::SimplifyPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet owned(context);
    populateAlgebraPatterns(owned);
    populateShapePatterns(owned);
    populateContractionPatterns(owned);
    populateIndexingPatterns(owned);
    populatePoolPatterns(owned);
    populateRecurrencePatterns(owned);
    populateLossPatterns(owned);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      if (op.getDialectNamespace() == RAFDialect::getDialectNamespace())
        op.getCanonicalizationPatterns(owned, context);
    patterns = FrozenRewritePatternSet(std::move(owned));
    return success();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    hoistSharedProducts(getOperation(), rewriter);
    ShardingListener listener;
    if (failed(applyPatternsGreedily(getOperation(), patterns, GreedyRewriteConfig().setListener(&listener))))
      return signalPassFailure();
    shareConcatenations(getOperation(), rewriter);
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
