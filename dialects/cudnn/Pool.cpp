// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cudnn/Ops.h"
#include "dialects/dnnl/Encode.h"
#include "dialects/raf/infer/Shapes.h"
#include "runtime/include/raf_cuda_plans.h"

namespace plan = raf::rt::plan;

namespace mlir::raf::cudnn {

template <typename Op>
static LogicalResult verifyPool(Op op, StringRef name, Value x, Value y, Value indices = {}) {
  auto type = cast<ShapedType>(x.getType());
  SmallVector<int64_t> dense(op.getStrides().size(), 1);
  MaybeType expected = inferPool(op.getLoc(), name, RankedTensorType::get(type.getShape(), type.getElementType()),
                                 Window{op.getKernel(), op.getStrides(), op.getPadLow(), op.getPadHigh(), dense}, Layout::channels_last);
  if (failed(expected) || failed(dnnl::verifyShape(op, "the pool's result", y, expected->getShape(), type.getElementType())))
    return failure();
  if (indices && failed(dnnl::verifyShape(op, "indices", indices, expected->getNumElements())))
    return failure();
  return dnnl::verifyDestinations(op);
}

template <typename Op>
static SmallVector<int64_t> describe(Op op, Value x, Value y, plan::PoolMode mode, bool indices = false) {
  plan::Pooling result;
  result.mode = mode;
  result.src = dnnl::encodeActivation(x, Layout::channels_last);
  result.dst = dnnl::encodeActivation(y, Layout::channels_last);
  result.window = dnnl::encodeInts(op.getKernel());
  result.strides = dnnl::encodeInts(op.getStrides());
  result.dilations.assign(result.strides.size(), 1);
  result.padBegin = dnnl::encodeInts(op.getPadLow());
  result.padEnd = dnnl::encodeInts(op.getPadHigh());
  result.indices = indices;
  return dnnl::encodeWords(result, op.getWorkspaceBytes());
}

static plan::PoolMode average(bool countIncludePad) { return countIncludePad ? plan::PoolMode::AverageWindow : plan::PoolMode::AverageInside; }

LogicalResult MaxPoolOp::verify() { return verifyPool(*this, "max_pool", getX(), getY(), getIndices()); }
LogicalResult MaxPoolGradOp::verify() { return verifyPool(*this, "max_pool_grad", getDx(), getDy(), getIndices()); }
LogicalResult AvgPoolOp::verify() { return verifyPool(*this, "avg_pool", getX(), getY()); }
LogicalResult AvgPoolGradOp::verify() { return verifyPool(*this, "avg_pool_grad", getDx(), getDy()); }

int64_t MaxPoolOp::getPlanKind() { return static_cast<int64_t>(plan::CudaKind::PoolForward); }
int64_t MaxPoolGradOp::getPlanKind() { return static_cast<int64_t>(plan::CudaKind::PoolBackward); }
int64_t AvgPoolOp::getPlanKind() { return static_cast<int64_t>(plan::CudaKind::PoolForward); }
int64_t AvgPoolGradOp::getPlanKind() { return static_cast<int64_t>(plan::CudaKind::PoolBackward); }

SmallVector<int64_t> MaxPoolOp::getPlanWords() { return describe(*this, getX(), getY(), plan::PoolMode::Max, static_cast<bool>(getIndices())); }
SmallVector<int64_t> MaxPoolGradOp::getPlanWords() { return describe(*this, getDx(), getDy(), plan::PoolMode::Max, true); }
SmallVector<int64_t> AvgPoolOp::getPlanWords() { return describe(*this, getX(), getY(), average(getCountIncludePad())); }
SmallVector<int64_t> AvgPoolGradOp::getPlanWords() { return describe(*this, getDx(), getDy(), average(getCountIncludePad())); }

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

} // namespace mlir::raf::cudnn
