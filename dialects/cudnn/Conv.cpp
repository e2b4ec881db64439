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
  Type element = getElementTypeOrSelf(x);
  if (getElementTypeOrSelf(w) != element || getElementTypeOrSelf(y) != element)
    return op.emitOpError() << "operands must have one element type, got " << element << ", " << getElementTypeOrSelf(w) << " and " << getElementTypeOrSelf(y);
  MaybeType expected = inferConv(op.getLoc(), name, tensorType(x), logicalWeights(w, op.getLayout()), op.getStrides(), op.getPadLow(), op.getPadHigh(), op.getDilations(),
                                 op.getGroups(), op.getLayout());
  return failure(failed(expected) || failed(dnnl::verifyShape(op, "the convolution's result", y, expected->getShape())) || failed(dnnl::verifyDestinations(op)));
}

template <typename Op>
static SmallVector<int64_t> describe(Op op, Value x, Value w, Value y) {
  plan::CudnnConvolution request;
  plan::Convolution &result = request.conv;
  result.src = dnnl::encodeActivation(x, op.getLayout());
  result.weights = dnnl::encodeActivation(w, op.getLayout());
  result.dst = dnnl::encodeActivation(y, op.getLayout());
  result.groups = op.getGroups();
  dnnl::encodeWindow(result, op);
  request.tf32 = op.getTf32();
  return dnnl::encodeWords(request, op.getWorkspaceBytes());
}

LogicalResult ConvOp::verify() { return verifyConvolution(*this, "conv", getX(), getW(), getDst()); }
LogicalResult ConvInputGradOp::verify() { return verifyConvolution(*this, "conv_input_grad", getDx(), getW(), getDy()); }
LogicalResult ConvWeightGradOp::verify() { return verifyConvolution(*this, "conv_weight_grad", getX(), getDw(), getDy()); }

int64_t ConvOp::getPlanKind() { return static_cast<int64_t>(plan::CudaKind::ConvForward); }
int64_t ConvInputGradOp::getPlanKind() { return static_cast<int64_t>(plan::CudaKind::ConvBackwardData); }
int64_t ConvWeightGradOp::getPlanKind() { return static_cast<int64_t>(plan::CudaKind::ConvBackwardWeights); }

SmallVector<int64_t> ConvOp::getPlanWords() { return describe(*this, getX(), getW(), getDst()); }
SmallVector<int64_t> ConvInputGradOp::getPlanWords() { return describe(*this, getDx(), getW(), getDy()); }
SmallVector<int64_t> ConvWeightGradOp::getPlanWords() { return describe(*this, getX(), getDw(), getDy()); }

SmallVector<Value> ConvOp::getPlanBuffers() { return {getX(), getW(), getDst(), getWorkspace()}; }
SmallVector<Value> ConvInputGradOp::getPlanBuffers() { return {getDy(), getW(), getDx(), getWorkspace()}; }
SmallVector<Value> ConvWeightGradOp::getPlanBuffers() { return {getX(), getDy(), getDw(), getWorkspace()}; }

} // namespace mlir::raf::cudnn
