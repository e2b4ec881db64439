// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cudnn/Ops.h"
#include "dialects/dnnl/Encode.h"
#include "dialects/raf/infer/Shapes.h"
#include "runtime/include/raf_cuda_plans.h"

namespace plan = raf::rt::plan;

namespace mlir::raf::cudnn {

// All of `like` have the type of x, all of `features` one number a channel.
template <typename Op>
static LogicalResult verifyNorm(Op op, Value x, ValueRange like, ValueRange features) {
  auto type = cast<ShapedType>(x.getType());
  if (type.getRank() < 2)
    return op.emitOpError() << "x must have a batch and a channel dimension, got " << type;
  for (Value value : like)
    if (failed(dnnl::verifyShape(op, "each activation", value, type.getShape(), type.getElementType())))
      return failure();
  int64_t channels = type.getDimSize(LayoutDims(op.getLayout(), type.getRank()).feature);
  for (Value value : features)
    if (failed(dnnl::verifyShape(op, "each number of a channel", value, channels)))
      return failure();
  return dnnl::verifyDestinations(op);
}

template <typename Op>
static SmallVector<int64_t> describe(Op op, Value x, Value y, double epsilon) {
  plan::CudnnBatchNorm result;
  result.src = dnnl::encodeActivation(x, op.getLayout());
  result.dst = dnnl::encodeActivation(y, op.getLayout());
  result.epsilon = epsilon;
  return dnnl::encodeWords(result, op.getWorkspaceBytes());
}

LogicalResult BatchNormOp::verify() { return verifyNorm(*this, getX(), getY(), {getScale(), getBias(), getMean(), getRstd()}); }
LogicalResult BatchNormGradOp::verify() { return verifyNorm(*this, getX(), {getDy(), getDx()}, {getScale(), getMean(), getRstd(), getDscale(), getDbias()}); }

int64_t BatchNormOp::getPlanKind() { return static_cast<int64_t>(plan::CudaKind::BatchNormForward); }
int64_t BatchNormGradOp::getPlanKind() { return static_cast<int64_t>(plan::CudaKind::BatchNormBackward); }

SmallVector<int64_t> BatchNormOp::getPlanWords() { return describe(*this, getX(), getY(), getEpsilon().convertToDouble()); }
SmallVector<int64_t> BatchNormGradOp::getPlanWords() { return describe(*this, getX(), getDy(), 0.0); }

SmallVector<Value> BatchNormOp::getPlanBuffers() { return {getX(), getScale(), getBias(), getY(), getMean(), getRstd(), getWorkspace()}; }
SmallVector<Value> BatchNormGradOp::getPlanBuffers() {
  return {getX(), getDy(), getScale(), getMean(), getRstd(), getDx(), getDscale(), getDbias(), getWorkspace()};
}

} // namespace mlir::raf::cudnn
