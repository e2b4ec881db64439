// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/infer/Shapes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "passes/dispatch/cudnn/Library.h"
#include "passes/dispatch/dnnl/Epilogue.h"

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
  Type element = getElementTypeOrSelf(op->getOperand(0).getType()); // of both operands; the result has that or f32
  if (!element.isF32() && !element.isBF16() && !element.isF16()) {
    llvm::raw_string_ostream(reason) << "cuDNN has no convolutions of element type " << element;
    return false;
  }
  return areLegalTypes(op->getOperands(), reason) && areLegalTypes(op->getResults(), reason);
}

template <typename To, typename From>
static To build(From op, Value first, Value second, Type type, RewriterBase &rewriter, const CudaSettings &settings) {
  return To::create(rewriter, op.getLoc(), TypeRange(type), first, second, emptyTensor(rewriter, op.getLoc(), type), /*workspace=*/Value(), op.getStrides(), op.getPadLow(),
                    op.getPadHigh(), op.getDilations(), op.getGroups(), op.getLayout(), settings.tf32 && getElementTypeOrSelf(first.getType()).isF32());
}

// Calls `replace` with w in the layout of the activations, before the op.
template <typename Op>
static FailureOr<unsigned> withWeights(Op op, RewriterBase &rewriter, std::string &reason, function_ref<FailureOr<unsigned>(Value w)> replace) {
  if (!isLegal(op, reason))
    return failure();
  if (op.getLayout() == Layout::channels_first)
    return replace(op.getW());
  rewriter.setInsertionPoint(op);
  auto transposed = raf::TransposeOp::create(rewriter, op.getLoc(), op.getW(), channelsLast(cast<RankedTensorType>(op.getW().getType()).getRank()));
  FailureOr<unsigned> result = replace(transposed.getY());
  if (failed(result))
    rewriter.eraseOp(transposed);
  return result;
}

// The activation of a post-op, none for others.
static cudnn::Activation activationOf(dnnl::PostOpKind kind) {
  using dnnl::PostOpKind;
  switch (kind) {
  case PostOpKind::relu:
    return cudnn::Activation::relu;
  case PostOpKind::gelu_erf:
    return cudnn::Activation::gelu_erf;
  case PostOpKind::gelu_tanh:
    return cudnn::Activation::gelu_tanh;
  case PostOpKind::tanh:
    return cudnn::Activation::tanh;
  case PostOpKind::sigmoid:
    return cudnn::Activation::sigmoid;
  case PostOpKind::silu:
    return cudnn::Activation::silu;
  default:
    return cudnn::Activation::none;
  }
}

// The convolution with what follows it, before `at`; null if activation(conv + bias + addend) cannot say that.
static PlanOpInterface build(raf::ConvOp conv, Value w, Operation *at, const Epilogue &epilogue, RewriterBase &rewriter, const CudaSettings &settings) {
  RankedTensorType type = conv.getType();
  Value bias, addend;
  auto activation = cudnn::Activation::none;
  if (epilogue.bias) {
    bias = epilogue.bias->base;
    if (cast<RankedTensorType>(bias.getType()).getRank() != 1)
      return {};
  }
  auto operand = epilogue.operands.begin();
  for (auto postOp : epilogue.postOps) {
    dnnl::PostOpKind kind = cast<dnnl::PostOpAttr>(postOp).getKind();
    if (activation != cudnn::Activation::none)
      return {};
    if (kind == dnnl::PostOpKind::add || kind == dnnl::PostOpKind::sum) {
      // The library has a destination of its own, so that of a sum is read as any other value.
      TracedView added = kind == dnnl::PostOpKind::add ? *operand++ : TracedView{epilogue.accumulator, View::dense(type.getShape())};
      if (addend || added.base.getType() != type || !(added.view == View::dense(type.getShape())))
        return {};
      addend = added.base;
      continue;
    }
    activation = activationOf(kind);
    // The library's relu does not keep NaN, which hides a step that has gone wrong.
    if (activation == cudnn::Activation::none || (activation == cudnn::Activation::relu && !settings.libraryRelu))
      return {};
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(at);
  return cudnn::ConvOp::create(rewriter, conv.getLoc(), TypeRange(type), conv.getX(), w, bias, addend, emptyTensor(rewriter, conv.getLoc(), type), /*workspace=*/Value(), activation,
                               conv.getStrides(), conv.getPadLow(), conv.getPadHigh(), conv.getDilations(), conv.getGroups(), conv.getLayout(),
                               settings.tf32 && getElementTypeOrSelf(conv.getX().getType()).isF32());
}

static FailureOr<unsigned> applyCudnnConv(Operation *op, RewriterBase &rewriter, std::string &reason, const CudaSettings &settings) {
  auto conv = cast<raf::ConvOp>(op);
  return withWeights(conv, rewriter, reason, [&](Value w) {
    int64_t feature = LayoutDims(conv.getLayout(), conv.getType().getRank()).feature;
    return fuse(op, conv.getY(), findChain(conv.getY(), /*moves=*/false), feature, rewriter, reason,
                [&](Operation *at, const Epilogue &epilogue) { return build(conv, w, at, epilogue, rewriter, settings); });
  });
}

static FailureOr<unsigned> applyCudnnInputGrad(Operation *op, RewriterBase &rewriter, std::string &reason, const CudaSettings &settings) {
  auto grad = cast<raf::ConvInputGradOp>(op);
  return withWeights(grad, rewriter, reason, [&](Value w) {
    rewriter.setInsertionPoint(op);
    return replaceBy(op, build<cudnn::ConvInputGradOp>(grad, grad.getDy(), w, grad.getType(), rewriter, settings), rewriter, reason);
  });
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
                           std::pair("raf.avg_pool", applyCudnnAvgPool), std::pair("raf.avg_pool_grad", applyCudnnAvgPoolGrad), std::pair("raf.attention", applyCudnnAttention)})
    table.push_back({"cudnn", op, 80, apply, /*standsAlone=*/false, /*byDefault=*/false});
  auto attentionGrad = [chip = settings.chip](Operation *op, RewriterBase &rewriter, std::string &reason) { return applyCudnnAttentionGrad(op, rewriter, reason, chip); };
  table.push_back({"cudnn", "raf.attention_grad", 80, attentionGrad, /*standsAlone=*/false, /*byDefault=*/false});
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
