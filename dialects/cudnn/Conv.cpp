// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cudnn/Ops.h"
#include "dialects/dnnl/Encode.h"
#include "dialects/raf/infer/Shapes.h"
#include "runtime/include/raf_cuda_plans.h"

namespace plan = raf::rt::plan;

namespace mlir::raf::cudnn {

// The dimensions of w as the raf dialect has them, [o, c / groups, spatial...].
static RankedTensorType logicalWeights(Value w, Layout layout) {
  auto type = cast<ShapedType>(w.getType());
  SmallVector<int64_t> shape(type.getShape());
  if (layout == Layout::channels_last && shape.size() > 2)
    std::rotate(shape.begin() + 1, shape.end() - 1, shape.end());
  return RankedTensorType::get(shape, type.getElementType());
}

static RankedTensorType tensorType(Value value) {
  auto type = cast<ShapedType>(value.getType());
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

// x, w and y fit together as in the raf convolution with these attributes.
template <typename Op>
static LogicalResult verifyConvolution(Op op, StringRef name, Value x, Value w, Value y) {
  Type first = getElementTypeOrSelf(op->getOperand(0)), second = getElementTypeOrSelf(op->getOperand(1)), result = getElementTypeOrSelf(op.getDpsInits()[0]);
  if (second != first || (result != first && !result.isF32()))
    return op.emitOpError() << "operands must have one element type, and the result that or f32, got " << first << ", " << second << " and " << result;
  MaybeType expected = inferConv(op.getLoc(), name, tensorType(x).clone(first), logicalWeights(w, op.getLayout()).clone(first), op.getStrides(), op.getPadLow(), op.getPadHigh(), op.getDilations(),
                                 op.getGroups(), op.getLayout());
  return failure(failed(expected) || failed(dnnl::verifyShape(op, "the convolution's result", y, expected->getShape())) || failed(dnnl::verifyDestinations(op)));
}

static_assert(static_cast<int>(Activation::relu) == static_cast<int>(plan::PostOpKind::Relu) && static_cast<int>(Activation::gelu_erf) == static_cast<int>(plan::PostOpKind::GeluErf) &&
                  static_cast<int>(Activation::gelu_tanh) == static_cast<int>(plan::PostOpKind::GeluTanh) && static_cast<int>(Activation::tanh) == static_cast<int>(plan::PostOpKind::Tanh) &&
                  static_cast<int>(Activation::sigmoid) == static_cast<int>(plan::PostOpKind::Logistic) && static_cast<int>(Activation::silu) == static_cast<int>(plan::PostOpKind::Swish),
              "the dialect and the runtime number activations alike");

template <typename Op>
static plan::CudnnConvolution describe(Op op, Value x, Value w, Value y) {
  plan::CudnnConvolution request;
  plan::Convolution &result = request.conv;
  result.src = dnnl::encodeActivation(x, op.getLayout());
  result.weights = dnnl::encodeActivation(w, op.getLayout());
  result.dst = dnnl::encodeActivation(y, op.getLayout());
  result.groups = op.getGroups();
  dnnl::encodeWindow(result, op);
  request.tf32 = op.getTf32();
  return request;
}

// What follows the convolution.
static void describeEpilogue(ConvOp op, plan::Convolution &conv) {
  if (op.getBias())
    conv.bias = dnnl::encode(op.getBias());
  if (op.getAddend())
    conv.postOps.push_back({plan::PostOpKind::Add, 0, 0, dnnl::encodeActivation(op.getAddend(), op.getLayout())});
  if (op.getActivation() != Activation::none)
    conv.postOps.push_back({static_cast<plan::PostOpKind>(op.getActivation()), op.getActivation() == Activation::silu ? 1.0 : 0.0, 0, {}});
}

LogicalResult ConvOp::verify() {
  auto dst = cast<ShapedType>(getDst().getType());
  if (failed(verifyConvolution(*this, "conv", getX(), getW(), getDst())))
    return failure();
  if (getBias() && failed(dnnl::verifyShape(*this, "bias", getBias(), {dst.getDimSize(getLayout() == Layout::channels_first ? 1 : dst.getRank() - 1)}, dst.getElementType())))
    return failure();
  return getAddend() ? dnnl::verifyShape(*this, "addend", getAddend(), dst.getShape(), dst.getElementType()) : success();
}
LogicalResult ConvInputGradOp::verify() { return verifyConvolution(*this, "conv_input_grad", getDx(), getW(), getDy()); }
LogicalResult ConvWeightGradOp::verify() { return verifyConvolution(*this, "conv_weight_grad", getX(), getDw(), getDy()); }

int64_t ConvOp::getPlanKind() { return static_cast<int64_t>(plan::CudaKind::ConvForward); }
int64_t ConvInputGradOp::getPlanKind() { return static_cast<int64_t>(plan::CudaKind::ConvBackwardData); }
int64_t ConvWeightGradOp::getPlanKind() { return static_cast<int64_t>(plan::CudaKind::ConvBackwardWeights); }

SmallVector<int64_t> ConvOp::getPlanWords() {
  plan::CudnnConvolution request = describe(*this, getX(), getW(), getDst());
  describeEpilogue(*this, request.conv);
  return dnnl::encodeWords(request, getWorkspaceBytes());
}
SmallVector<int64_t> ConvInputGradOp::getPlanWords() { return dnnl::encodeWords(describe(*this, getDx(), getW(), getDy()), getWorkspaceBytes()); }
SmallVector<int64_t> ConvWeightGradOp::getPlanWords() { return dnnl::encodeWords(describe(*this, getX(), getDw(), getDy()), getWorkspaceBytes()); }

SmallVector<Value> ConvOp::getPlanBuffers() {
  SmallVector<Value> buffers{getX(), getW(), getDst()};
  for (Value operand : {getBias(), getAddend()})
    if (operand)
      buffers.push_back(operand);
  buffers.push_back(getWorkspace());
  return buffers;
}
SmallVector<Value> ConvInputGradOp::getPlanBuffers() { return {getDy(), getW(), getDx(), getWorkspace()}; }
SmallVector<Value> ConvWeightGradOp::getPlanBuffers() { return {getX(), getDy(), getDw(), getWorkspace()}; }

} // namespace mlir::raf::cudnn
