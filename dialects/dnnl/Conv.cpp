// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dnnl/Encode.h"
#include "dialects/raf/infer/Shapes.h"

namespace mlir::raf::dnnl {

// The shape of a tensor or memref. What the library computes may have another element type than what it is computed from.
static RankedTensorType shapeLike(Value value, Type element) { return RankedTensorType::get(cast<ShapedType>(value.getType()).getShape(), element); }

// The element type of weights, which bytes do not say.
static Type elementOfWeights(Value w, Type computed) { return getElementTypeOrSelf(w).isInteger(8) ? computed : getElementTypeOrSelf(w); }

// Whether weights are stored wider than what they are multiplied with.
static bool areRounded(Value w, Type weights, Value second, Type computed) { return w == second && weights.isF32() && (computed.isBF16() || computed.isF16()); }

// x, w and y fit together as in the raf convolution with these attributes; two of them are operands, of one element type.
template <typename Op>
static LogicalResult verifyConvolution(Op op, StringRef name, Value x, Value w, Value y) {
  Type first = getElementTypeOrSelf(op->getOperand(0)), second = getElementTypeOrSelf(op->getOperand(1));
  BlockedAttr layout = op.getWLayoutAttr();
  if (failed(verifyPacked(op, "w", w, layout, elementOfWeights(w, first), /*mayBeElements=*/true)))
    return failure();
  if (layout && (op.getGroups() != 1 || layout.getDims().size() != shapeLike(x, first).getShape().size()))
    return op.emitOpError() << "packed w must be of one group and the rank of the input, got " << op.getGroups() << " groups and layout " << layout;
  if (first != second && !second.isInteger(8) && !areRounded(w, second, op->getOperand(1), first))
    return op.emitOpError() << "operands must have one element type, got " << first << " and " << second;
  MaybeType expected = inferConv(op.getLoc(), name, shapeLike(x, first), RankedTensorType::get(weightDims(w, layout), first), op.getStrides(), op.getPadLow(), op.getPadHigh(), op.getDilations(), op.getGroups(),
                                 op.getLayout());
  return failure(failed(expected) || failed(verifyShape(op, "the convolution's result", y, expected->getShape())) || failed(verifyDestinations(op)));
}

template <typename Op>
static plan::Convolution describe(Op op, Value x, Value w, Value y) {
  plan::Convolution result;
  result.src = encodeActivation(x, op.getLayout());
  result.weights = op.getWLayoutAttr() ? encodePacked(op.getWLayoutAttr(), elementOfWeights(w, getElementTypeOrSelf(x))) : encode(w);
  result.dst = encodeActivation(y, op.getLayout());
  result.groups = op.getGroups();
  encodeWindow(result, op);
  return result;
}

LogicalResult ConvOp::verify() {
  if (failed(verifyConvolution(*this, "conv", getX(), getW(), getDst())) || failed(verifyPostOps(*this, getPostOps(), getPostOperands().size())))
    return failure();
  if (getBias() && failed(verifyShape(*this, "bias", getBias(), {weightDims(getW(), getWLayoutAttr()).front()})))
    return failure();
  for (Value operand : getPostOperands())
    if (failed(verifyShape(*this, "operand", operand, cast<ShapedType>(getDst().getType()).getShape())))
      return failure();
  return success();
}

LogicalResult ConvInputGradOp::verify() { return verifyConvolution(*this, "conv_input_grad", getDx(), getW(), getDy()); }
LogicalResult ConvWeightGradOp::verify() { return verifyConvolution(*this, "conv_weight_grad", getX(), getDw(), getDy()); }

int64_t ConvOp::getPlanKind() { return static_cast<int64_t>(plan::Kind::ConvForward); }
int64_t ConvInputGradOp::getPlanKind() { return static_cast<int64_t>(plan::Kind::ConvBackwardData); }
int64_t ConvWeightGradOp::getPlanKind() { return static_cast<int64_t>(plan::Kind::ConvBackwardWeights); }

SmallVector<int64_t> ConvOp::getPlanWords() {
  plan::Convolution result = describe(*this, getX(), getW(), getDst());
  if (getBias())
    result.bias = encode(getBias());
  std::vector<plan::Tensor> operands;
  for (Value operand : getPostOperands())
    operands.push_back(encodeActivation(operand, getLayout()));
  result.postOps = encodePostOps(getPostOps(), std::move(operands));
  return encodeWords(result, getWorkspaceBytes());
}
SmallVector<int64_t> ConvInputGradOp::getPlanWords() { return encodeWords(describe(*this, getDx(), getW(), getDy()), getWorkspaceBytes()); }
SmallVector<int64_t> ConvWeightGradOp::getPlanWords() { return encodeWords(describe(*this, getX(), getDw(), getDy()), getWorkspaceBytes()); }

SmallVector<Value> ConvOp::getPlanBuffers() {
  SmallVector<Value> buffers{getX(), getW(), getDst()};
  if (getBias())
    buffers.push_back(getBias());
  llvm::append_range(buffers, getPostOperands());
  buffers.push_back(getWorkspace());
  return buffers;
}
SmallVector<Value> ConvInputGradOp::getPlanBuffers() { return {getDy(), getW(), getDx(), getWorkspace()}; }
SmallVector<Value> ConvWeightGradOp::getPlanBuffers() { return {getX(), getDy(), getDw(), getWorkspace()}; }

bool ConvOp::readsInit(int64_t init) { return init == 0 && hasSum(getPostOps()); }

void ConvOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { destinationEffects(*this, effects); }
void ConvInputGradOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { destinationEffects(*this, effects); }
void ConvWeightGradOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { destinationEffects(*this, effects); }

} // namespace mlir::raf::dnnl
