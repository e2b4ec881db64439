// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updates of the part of a tensor that changes.
#include "dialects/raf/Folding.h"
#include "dialects/raf/Ops.h"
#include "passes/graph/Passes.h"

using namespace mlir;
using namespace mlir::raf;

namespace {
// A sum with a tensor that is zero but for a box adds to that box. It is what the gradient of a slice that a loop reads becomes: without this each
// iteration would add zeros to the whole tensor.
struct AddBox : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    for (auto [a, b] : {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())}) {
      auto box = b.getDefiningOp<DynamicUpdateSliceOp>();
      if (!box || !box->hasOneUse() || !isSplatConstant(box.getX(), 0.0))
        continue;
      Value old = DynamicSliceOp::create(rewriter, op.getLoc(), box.getUpdate().getType(), a, box.getStarts());
      Value sum = AddOp::create(rewriter, op.getLoc(), old, box.getUpdate());
      rewriter.replaceOpWithNewOp<DynamicUpdateSliceOp>(op, op.getType(), a, sum, box.getStarts());
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no operand is zero outside a box");
  }
};
} // namespace

void mlir::raf::populateIndexingPatterns(RewritePatternSet &patterns) { patterns.add<AddBox>(patterns.getContext()); }
