// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dnnl/Encode.h"
#include "dialects/raf/infer/Shapes.h"

namespace mlir::raf::dnnl {

template <typename Op>
static LogicalResult verifyPool(Op op, StringRef name, Value x, Value y) {
  auto type = cast<ShapedType>(x.getType());
  Window window{op.getKernel(), op.getStrides(), op.getPadLow(), op.getPadHigh(), op.getDilations()};
  MaybeType expected = inferPool(op.getLoc(), name, RankedTensorType::get(type.getShape(), type.getElementType()), window, op.getLayout());
  return failure(failed(expected) || failed(verifyShape(op, "the pool's result", y, expected->getShape(), type.getElementType())) || failed(verifyDestinations(op)));
}

template <typename Op>
static plan::Pooling describe(Op op, Value x, Value y, plan::PoolMode mode, bool indices = false) {
  plan::Pooling result;
  result.mode = mode;
  result.src = encodeActivation(x, op.getLayout());
  result.dst = encodeActivation(y, op.getLayout());
  result.window = encodeInts(op.getKernel());
  encodeWindow(result, op);
  result.indices = indices;
  return result;
}

static plan::PoolMode average(bool countIncludePad) { return countIncludePad ? plan::PoolMode::AverageWindow : plan::PoolMode::AverageInside; }

LogicalResult MaxPoolOp::verify() { return verifyPool(*this, "max_pool", getX(), getY()); }
LogicalResult MaxPoolGradOp::verify() { return verifyPool(*this, "max_pool_grad", getDx(), getDy()); }
LogicalResult AvgPoolOp::verify() { return verifyPool(*this, "avg_pool", getX(), getY()); }
LogicalResult AvgPoolGradOp::verify() { return verifyPool(*this, "avg_pool_grad", getDx(), getDy()); }

int64_t MaxPoolOp::getPlanKind() { return static_cast<int64_t>(plan::Kind::PoolForward); }
int64_t MaxPoolGradOp::getPlanKind() { return static_cast<int64_t>(plan::Kind::PoolBackward); }
int64_t AvgPoolOp::getPlanKind() { return static_cast<int64_t>(plan::Kind::PoolForward); }
int64_t AvgPoolGradOp::getPlanKind() { return static_cast<int64_t>(plan::Kind::PoolBackward); }

SmallVector<int64_t> MaxPoolOp::getPlanWords() {
  return encodeWords(describe(*this, getX(), getY(), plan::PoolMode::Max, static_cast<bool>(getIndices())), getWorkspaceBytes());
}
SmallVector<int64_t> MaxPoolGradOp::getPlanWords() { return encodeWords(describe(*this, getDx(), getDy(), plan::PoolMode::Max, true), getWorkspaceBytes()); }
SmallVector<int64_t> AvgPoolOp::getPlanWords() { return encodeWords(describe(*this, getX(), getY(), average(getCountIncludePad())), getWorkspaceBytes()); }
SmallVector<int64_t> AvgPoolGradOp::getPlanWords() { return encodeWords(describe(*this, getDx(), getDy(), average(getCountIncludePad())), getWorkspaceBytes()); }

SmallVector<Value> MaxPoolOp::getPlanBuffers() {
  SmallVector<Value> buffers{getX(), getY()};
  if (getIndices())
    buffers.push_back(getIndices());
  buffers.push_back(getWorkspace());
  return buffers;
}
SmallVector<Value> MaxPoolGradOp::getPlanBuffers() { return {getDy(), getIndices(), getDx(), getWorkspace()}; }
SmallVector<Value> AvgPoolOp::getPlanBuffers() { return {getX(), getY(), getWorkspace()}; }
SmallVector<Value> AvgPoolGradOp::getPlanBuffers() { return {getDy(), getDx(), getWorkspace()}; }

void MaxPoolOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { destinationEffects(*this, effects); }
void MaxPoolGradOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { destinationEffects(*this, effects); }
void AvgPoolOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { destinationEffects(*this, effects); }
void AvgPoolGradOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { destinationEffects(*this, effects); }

} // namespace mlir::raf::dnnl
