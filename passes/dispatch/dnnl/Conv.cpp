// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "dialects/raf/infer/Shapes.h"
#include "passes/dispatch/dnnl/Epilogue.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;

static bool isLegal(Operation *op, std::string &reason) { return areLegalTypes(op->getOperands(), reason) && areLegalTypes(op->getResults(), reason); }

FailureOr<unsigned> mlir::raf::dispatch::applyConv(Operation *op, RewriterBase &rewriter, std::string &reason) {
  auto conv = cast<raf::ConvOp>(op);
  if (!isLegal(op, reason))
    return failure();
  auto build = [&](Operation *at, const Epilogue &epilogue) -> PlanOpInterface {
    auto isVector = [](Value value) { return cast<RankedTensorType>(value.getType()).getRank() == 1; };
    if (epilogue.bias && !isVector(epilogue.bias->base))
      return {};
    SmallVector<Value> operands;
    for (const TracedView &operand : epilogue.operands) {
      if (operand.base.getType() != conv.getType() || !(operand.view == View::dense(conv.getType().getShape())))
        return {};
      operands.push_back(operand.base);
    }
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(at);
    Value destination = epilogue.accumulator ? epilogue.accumulator : emptyTensor(rewriter, op->getLoc(), conv.getType());
    return dnnl::ConvOp::create(rewriter, op->getLoc(), TypeRange(conv.getType()), conv.getX(), conv.getW(), epilogue.bias ? epilogue.bias->base : Value(), operands,
                                destination, Value(), conv.getStrides(), conv.getPadLow(), conv.getPadHigh(), conv.getDilations(), conv.getGroups(),
                                conv.getLayout(), rewriter.getArrayAttr(epilogue.postOps), dnnl::BlockedAttr());
  };
  int64_t feature = LayoutDims(conv.getLayout(), conv.getType().getRank()).feature;
  return fuse(op, conv.getY(), findChain(conv.getY(), /*moves=*/false), feature, rewriter, reason, build);
}

template <typename To, typename From>
static FailureOr<unsigned> applyGradient(From op, RewriterBase &rewriter, std::string &reason) {
  if (!isLegal(op, reason))
    return failure();
  rewriter.setInsertionPoint(op);
  Value destination = emptyTensor(rewriter, op.getLoc(), op.getType());
  auto candidate = To::create(rewriter, op.getLoc(), TypeRange(op.getType()), op->getOperand(0), op->getOperand(1), destination, Value(), op.getStrides(),
                              op.getPadLow(), op.getPadHigh(), op.getDilations(), op.getGroups(), op.getLayout(), dnnl::BlockedAttr());
  return replaceBy(op, candidate, rewriter, reason);
}

FailureOr<unsigned> mlir::raf::dispatch::applyConvInputGrad(Operation *op, RewriterBase &rewriter, std::string &reason) {
  return applyGradient<dnnl::ConvInputGradOp>(cast<raf::ConvInputGradOp>(op), rewriter, reason);
}
FailureOr<unsigned> mlir::raf::dispatch::applyConvWeightGrad(Operation *op, RewriterBase &rewriter, std::string &reason) {
  return applyGradient<dnnl::ConvWeightGradOp>(cast<raf::ConvWeightGradOp>(op), rewriter, reason);
}
