// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cross entropy with the product that makes its logits, so that these need not exist all at once.
#include "dialects/raf/Ops.h"
#include "dialects/raf/TensorBuilder.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/graph/Passes.h"

namespace mlir::raf {
#define GEN_PASS_DEF_FUSELOSSPASS
#include "passes/graph/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

// The op, if nothing else reads its result.
template <typename Op>
static Op onlyFor(Value value) {
  return value.hasOneUse() ? value.getDefiningOp<Op>() : Op();
}

namespace {
struct FuseLinearLoss : OpRewritePattern<CrossEntropyOp> {
  FuseLinearLoss(MLIRContext *context, int64_t minBytes) : OpRewritePattern(context), minBytes(minBytes) {}

  LogicalResult matchAndRewrite(CrossEntropyOp op, PatternRewriter &rewriter) const override {
    Value logits = op.getLogits();
    RankedTensorType type = typeOf(logits);
    Type compute = TensorBuilder::computeType(type.getElementType());
    if (static_cast<double>(type.getNumElements()) * (compute.getIntOrFloatBitWidth() / 8) < static_cast<double>(minBytes))
      return rewriter.notifyMatchFailure(op, "few logits");
    // Logits that were computed in 16 bits and widened for the loss.
    if (auto cast = onlyFor<CastOp>(logits); cast && TensorBuilder::computeType(typeOf(cast.getX()).getElementType()) == type.getElementType())
      logits = cast.getX();
    logits = throughReshapes(logits);
    Value bias;
    if (auto add = onlyFor<AddOp>(logits))
      for (auto [left, right] : {std::pair(add.getLhs(), add.getRhs()), std::pair(add.getRhs(), add.getLhs())})
        if (Value vector = biasOf(right, typeOf(logits)); vector && !bias) {
          bias = vector;
          logits = throughReshapes(left);
        }
    auto product = onlyFor<MatmulOp>(logits);
    if (!product || product.getTransposeLhs() || typeOf(product).getRank() != 2 || typeOf(product).getShape() != type.getShape())
      return rewriter.notifyMatchFailure(op, "the logits are not those of a product of two matrices, or something else reads them");
    // A weight that is another one transposed, as that of an embedding, is used as it lies.
    Value w = product.getRhs();
    bool transposed = product.getTransposeRhs();
    if (auto transpose = w.getDefiningOp<TransposeOp>(); transpose && transpose.getPermutation()[0] == 1) {
      w = transpose.getX();
      transposed = !transposed;
    }
    auto fused = LinearCrossEntropyOp::create(rewriter, op.getLoc(), product.getLhs(), w, op.getLabels(), bias, transposed, op.getIgnoreIndex(), op.getLabelSmoothing());
    TensorBuilder b(rewriter, op.getLoc());
    rewriter.replaceOp(op, {b.cast(fused.getLoss(), type.getElementType()), b.cast(fused.getLse(), type.getElementType())});
    return success();
  }

  static Value throughReshapes(Value value) {
    while (auto reshape = onlyFor<ReshapeOp>(value))
      value = reshape.getX();
    return value;
  }

  // The vector that is added to each row, if the value is one.
  static Value biasOf(Value value, RankedTensorType sum) {
    auto broadcast = value.getDefiningOp<BroadcastOp>();
    bool alongClasses = broadcast && typeOf(broadcast.getX()).getRank() == 1 && broadcast.getDims().size() == 1 && broadcast.getDims()[0] == sum.getRank() - 1 &&
                        typeOf(broadcast.getX()).getDimSize(0) == sum.getShape().back();
    return alongClasses ? broadcast.getX() : Value();
  }

  int64_t minBytes;
};

// The op that computes the gradients computes the loss on the way, if it can run as early.
struct ShareLogits : OpRewritePattern<LinearCrossEntropyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LinearCrossEntropyOp op, PatternRewriter &rewriter) const override {
    for (Operation *user : op.getX().getUsers()) {
      auto grad = dyn_cast<LinearCrossEntropyGradOp>(user);
      if (!grad || grad->getBlock() != op->getBlock() || grad.getX() != op.getX() || grad.getW() != op.getW() || grad.getLabels() != op.getLabels() ||
          grad.getBias() != op.getBias() || grad.getTransposeW() != op.getTransposeW() || grad.getIgnoreIndex() != op.getIgnoreIndex() ||
          grad.getLabelSmoothing() != op.getLabelSmoothing())
        continue;
      if (op->isBeforeInBlock(grad)) {
        SmallVector<Operation *> late; // what the gradient of the loss is made of, each after its operands
        if (!collectLate(grad.getDloss(), op, late))
          continue;
        for (Operation *part : late)
          rewriter.moveOpBefore(part, op);
        rewriter.moveOpBefore(grad, op);
      }
      rewriter.replaceOp(op, {grad.getLoss(), grad.getLse()});
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no op computes its gradients");
  }

  static bool collectLate(Value value, Operation *before, SmallVectorImpl<Operation *> &late) {
    Operation *maker = value.getDefiningOp();
    if (!maker || maker->getBlock() != before->getBlock() || (maker != before && maker->isBeforeInBlock(before)) || llvm::is_contained(late, maker))
      return true;
    // A scale and its like is short; what comes of the loss itself never ends elsewhere than in the op.
    constexpr size_t kMost = 16;
    if (maker == before || late.size() >= kMost || !isPure(maker))
      return false;
    for (Value operand : maker->getOperands())
      if (!collectLate(operand, before, late))
        return false;
    late.push_back(maker);
    return true;
  }
};

struct FuseLossPass : mlir::raf::impl::FuseLossPassBase<FuseLossPass> {
  using FuseLossPassBase::FuseLossPassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseLinearLoss>(&getContext(), minBytes);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void mlir::raf::populateLossPatterns(RewritePatternSet &patterns) { patterns.add<ShareLogits>(patterns.getContext()); }
