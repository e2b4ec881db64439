// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "passes/dispatch/cudnn/Library.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;

// [o, c, spatial...] to [o, spatial..., c].
static SmallVector<int64_t> channelsLast(int64_t rank) {
  SmallVector<int64_t> permutation{0};
  llvm::append_range(permutation, llvm::seq<int64_t>(2, rank));
  permutation.push_back(1);
  return permutation;
}

template <typename Op>
static bool isLegal(Op op, std::string &reason) {
  Type element = op.getType().getElementType();
  if (!element.isF32() && !element.isBF16() && !element.isF16()) {
    llvm::raw_string_ostream(reason) << "cuDNN has no convolutions of element type " << element;
    return false;
  }
  if (llvm::all_of(op->getOperandTypes(), [&](Type type) { return getElementTypeOrSelf(type) == element; }))
    return areLegalTypes(op->getOperands(), reason) && areLegalTypes(op->getResults(), reason);
  llvm::raw_string_ostream(reason) << "cuDNN computes " << element << " from " << element << " only";
  return false;
}

template <typename To, typename From>
static To build(From op, Value first, Value second, Type type, RewriterBase &rewriter, const CudaSettings &settings) {
  return To::create(rewriter, op.getLoc(), TypeRange(type), first, second, emptyTensor(rewriter, op.getLoc(), type), /*workspace=*/Value(), op.getStrides(), op.getPadLow(),
                    op.getPadHigh(), op.getDilations(), op.getGroups(), op.getLayout(), settings.tf32 && getElementTypeOrSelf(type).isF32());
}

// `weights`: the operand that is w.
template <typename To, typename From>
static FailureOr<unsigned> replaceWithWeights(From op, Value weights, RewriterBase &rewriter, std::string &reason, const CudaSettings &settings) {
  if (!isLegal(op, reason))
    return failure();
  rewriter.setInsertionPoint(op);
  raf::TransposeOp transposed;
  if (op.getLayout() == Layout::channels_last) {
    int64_t rank = cast<RankedTensorType>(weights.getType()).getRank();
    transposed = raf::TransposeOp::create(rewriter, op.getLoc(), weights, channelsLast(rank));
    weights = transposed.getY();
  }
  FailureOr<unsigned> result = replaceBy(op, build<To>(op, op->getOperand(0), weights, op.getType(), rewriter, settings), rewriter, reason);
  if (failed(result) && transposed)
    rewriter.eraseOp(transposed);
  return result;
}

static FailureOr<unsigned> applyCudnnConv(Operation *op, RewriterBase &rewriter, std::string &reason, const CudaSettings &settings) {
  auto conv = cast<raf::ConvOp>(op);
  return replaceWithWeights<cudnn::ConvOp>(conv, conv.getW(), rewriter, reason, settings);
}

static FailureOr<unsigned> applyCudnnInputGrad(Operation *op, RewriterBase &rewriter, std::string &reason, const CudaSettings &settings) {
  auto grad = cast<raf::ConvInputGradOp>(op);
  return replaceWithWeights<cudnn::ConvInputGradOp>(grad, grad.getW(), rewriter, reason, settings);
}

static FailureOr<unsigned> applyCudnnWeightGrad(Operation *op, RewriterBase &rewriter, std::string &reason, const CudaSettings &settings) {
  auto grad = cast<raf::ConvWeightGradOp>(op);
  if (!isLegal(grad, reason))
    return failure();
  rewriter.setInsertionPoint(op);
  RankedTensorType type = grad.getType();
  bool last = grad.getLayout() == Layout::channels_last;
  SmallVector<int64_t> permutation = channelsLast(type.getRank());
  auto made = last ? RankedTensorType::get(applyPermutation(type.getShape(), permutation), type.getElementType()) : type;
  auto candidate = build<cudnn::ConvWeightGradOp>(grad, grad.getX(), grad.getDy(), made, rewriter, settings);
  FailureOr<PlanOpInterface> completed = complete(candidate, rewriter, reason);
  if (failed(completed)) {
    rewriter.eraseOp(candidate);
    return failure();
  }
  Value result = (*completed)->getResult(0);
  if (last)
    result = raf::TransposeOp::create(rewriter, op->getLoc(), result, invertPermutationVector(permutation)).getY();
  rewriter.replaceOp(op, result);
  return 0u;
}

void mlir::raf::dispatch::appendCudnn(SmallVectorImpl<Implementation> &table, const CudaSettings &settings) {
  for (auto [op, apply] : {std::pair("raf.conv", applyCudnnConv), std::pair("raf.conv_input_grad", applyCudnnInputGrad), std::pair("raf.conv_weight_grad", applyCudnnWeightGrad)})
    table.push_back({"cudnn", op, 90, [apply = apply, settings](Operation *op, RewriterBase &rewriter, std::string &reason) { return apply(op, rewriter, reason, settings); }});
  // Others only where the user asks for them: nobody has timed them against generated code, which reads and writes as much, and more with what is around.
  for (auto [op, apply] : {std::pair("raf.batch_norm", applyCudnnBatchNorm), std::pair("raf.batch_norm_grad", applyCudnnBatchNormGrad), std::pair("raf.max_pool", applyCudnnMaxPool),
                           std::pair("raf.avg_pool", applyCudnnAvgPool), std::pair("raf.avg_pool_grad", applyCudnnAvgPoolGrad), std::pair("raf.attention", applyCudnnAttention),
                           std::pair("raf.attention_grad", applyCudnnAttentionGrad)})
    table.push_back({"cudnn", op, 80, apply, /*standsAlone=*/false, /*byDefault=*/false});
}

LogicalResult mlir::raf::dispatch::replaceResults(Operation *op, PlanOpInterface candidate, unsigned results, RewriterBase &rewriter, std::string &reason) {
  FailureOr<PlanOpInterface> completed = complete(candidate, rewriter, reason);
  if (failed(completed)) {
    rewriter.eraseOp(candidate);
    return failure();
  }
  rewriter.replaceOp(op, (*completed)->getResults().take_front(results));
  return success();
}
