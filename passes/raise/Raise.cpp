// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "dialects/raf/Sharding.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/raise/Passes.h"

namespace mlir::raf {
#define GEN_PASS_DEF_RAISEPASS
#include "passes/raise/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
struct RaisePass : mlir::raf::impl::RaisePassBase<RaisePass> {
  using RaisePassBase::RaisePassBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet owned(context);
    populateRaiseAttention(owned);
    populateRaiseCrossEntropy(owned);
    populateRaiseIndexing(owned);
    populateRaiseNorm(owned);
    populateRaisePointwise(owned);
    populateRaiseRandom(owned);
    populateRaiseScan(owned);
    populateRaiseSoftmax(owned);
    // What moved shapes leave behind.
    MatmulOp::getCanonicalizationPatterns(owned, context);
    ReshapeOp::getCanonicalizationPatterns(owned, context);
    TransposeOp::getCanonicalizationPatterns(owned, context);
    patterns = FrozenRewritePatternSet(std::move(owned));
    return success();
  }

  static int64_t countRaised(Operation *root) {
    int64_t count = 0;
    root->walk([&](Operation *op) { count += isa<AttentionOp, SoftmaxOp, LogSoftmaxOp, LayerNormOp, RmsNormOp, GeluOp, SigmoidOp, SiluOp, CrossEntropyOp,
                                                 ReluOp, ThreefryOp>(op); });
    return count;
  }

  void runOnOperation() override {
    int64_t before = countRaised(getOperation());
    ShardingListener listener;
    if (failed(applyPatternsGreedily(getOperation(), patterns, GreedyRewriteConfig().setListener(&listener))))
      return signalPassFailure();
    numRaised += std::max<int64_t>(0, countRaised(getOperation()) - before);
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
