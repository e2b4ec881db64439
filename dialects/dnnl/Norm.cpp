// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dnnl/Encode.h"
#include "dialects/raf/infer/Shapes.h"
#include "mlir/IR/Builders.h"

namespace mlir::raf::dnnl {

// x and y have one type; everything that belongs to a feature is f32.
template <typename Op>
static LogicalResult verifyNorm(Op op, Value y, std::initializer_list<std::pair<StringRef, Value>> statistics) {
  auto x = cast<ShapedType>(op.getX().getType());
  if (x.getRank() < 2)
    return op.emitOpError() << "x must have a batch and a feature dimension, got " << x;
  if (failed(verifyShape(op, "y", y, x.getShape(), x.getElementType())))
    return failure();
  int64_t features = x.getDimSize(LayoutDims(op.getLayout(), x.getRank()).feature);
  for (auto [name, value] : statistics)
    if (failed(verifyShape(op, name, value, {features}, Float32Type::get(op.getContext()))))
      return failure();
  return verifyDestinations(op);
}

template <typename Op>
static plan::BatchNorm describe(Op op) {
  plan::BatchNorm result;
  result.src = encodeActivation(op.getX(), op.getLayout());
  result.dst = result.src;
  result.epsilon = op.getEpsilon().convertToDouble();
  result.relu = static_cast<bool>(op.getMask());
  return result;
}

LogicalResult BatchNormOp::verify() {
  return verifyNorm(*this, getY(), {{"scale", getScale()}, {"shift", getShift()}, {"mean", getMean()}, {"variance", getVariance()}});
}
LogicalResult BatchNormGradOp::verify() {
  if (failed(verifyShape(*this, "dy", getDy(), cast<ShapedType>(getX().getType()).getShape(), getElementTypeOrSelf(getX()))))
    return failure();
  return verifyNorm(*this, getDx(),
                    {{"scale", getScale()}, {"mean", getMean()}, {"variance", getVariance()}, {"dscale", getDscale()}, {"dshift", getDshift()}});
}

int64_t BatchNormOp::getPlanKind() { return static_cast<int64_t>(plan::Kind::BatchNormForward); }
int64_t BatchNormGradOp::getPlanKind() { return static_cast<int64_t>(plan::Kind::BatchNormBackward); }

SmallVector<int64_t> BatchNormOp::getPlanWords() { return encodeWords(describe(*this), getWorkspaceBytes()); }
SmallVector<int64_t> BatchNormGradOp::getPlanWords() { return encodeWords(describe(*this), getWorkspaceBytes()); }

SmallVector<Value> BatchNormOp::getPlanBuffers() {
  SmallVector<Value> buffers{getX(), getScale(), getShift(), getY(), getMean(), getVariance()};
  if (getMask())
    buffers.push_back(getMask());
  buffers.push_back(getWorkspace());
  return buffers;
}
SmallVector<Value> BatchNormGradOp::getPlanBuffers() {
  SmallVector<Value> buffers{getX(), getMean(), getVariance(), getDy(), getScale(), getDx(), getDscale(), getDshift()};
  if (getMask())
    buffers.push_back(getMask());
  buffers.push_back(getWorkspace());
  return buffers;
}

SmallVector<std::pair<int64_t, int64_t>> BatchNormGradOp::getMayAlias() { return {{getDyMutable().getOperandNumber(), 0}}; }

void BatchNormOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { destinationEffects(*this, effects); }
void BatchNormGradOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { destinationEffects(*this, effects); }

} // namespace mlir::raf::dnnl
