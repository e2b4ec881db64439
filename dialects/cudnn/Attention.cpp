// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cudnn/Ops.h"
#include "dialects/dnnl/Encode.h"
#include "runtime/include/raf_cuda_plans.h"

namespace plan = raf::rt::plan;

namespace mlir::raf::cudnn {

static ArrayRef<int64_t> shapeOf(Value value) { return cast<ShapedType>(value.getType()).getShape(); }

template <typename Op>
static LogicalResult verifyAttention(Op op) {
  ArrayRef<int64_t> q = shapeOf(op.getQ()), k = shapeOf(op.getK()), v = shapeOf(op.getV());
  if (q.size() != 4 || k.size() != 4 || v.size() != 4 || k[0] != q[0] || v[0] != q[0] || k[1] != v[1] || k[1] == 0 || q[1] % k[1] != 0 || k[2] != v[2] || k[3] != q[3])
    return op.emitOpError() << "q [" << q << "], k [" << k << "] and v [" << v << "] do not fit together";
  Type element = getElementTypeOrSelf(op.getQ());
  for (Value value : {op.getK(), op.getV(), op.getY()})
    if (getElementTypeOrSelf(value) != element)
      return op.emitOpError() << "operands must have one element type, got " << element << " and " << getElementTypeOrSelf(value);
  if (op.getBias()) {
    ArrayRef<int64_t> bias = shapeOf(op.getBias());
    if (bias.size() != 4 || (bias[0] != 1 && bias[0] != q[0]) || (bias[1] != 1 && bias[1] != q[1]) || bias[2] != q[2] || bias[3] != k[2])
      return op.emitOpError() << "bias [" << bias << "] cannot be added to scores [" << ArrayRef<int64_t>{q[0], q[1], q[2], k[2]} << "]";
    if (getElementTypeOrSelf(op.getBias()) != element)
      return op.emitOpError() << "operands must have one element type, got " << element << " and " << getElementTypeOrSelf(op.getBias());
  }
  if (op.getCausal() && q[2] > k[2])
    return op.emitOpError() << "causal takes as many keys as queries or more, got " << k[2] << " and " << q[2];
  return failure(failed(dnnl::verifyShape(op, "y", op.getY(), {q[0], q[1], q[2], v[3]}, element)) || failed(dnnl::verifyShape(op, "lse", op.getLse(), q.take_front(3))) ||
                 failed(dnnl::verifyDestinations(op)));
}

LogicalResult AttentionOp::verify() { return verifyAttention(*this); }
LogicalResult AttentionGradOp::verify() {
  for (auto [name, gradient, of] : {std::tuple("dy", getDy(), getY()), std::tuple("dq", getDq(), getQ()), std::tuple("dk", getDk(), getK()), std::tuple("dv", getDv(), getV())})
    if (failed(dnnl::verifyShape(*this, name, gradient, shapeOf(of), getElementTypeOrSelf(of))))
      return failure();
  return verifyAttention(*this);
}

template <typename Op>
static SmallVector<int64_t> describe(Op op, Value gradient) {
  plan::CudnnAttention result{dnnl::encode(op.getQ()), dnnl::encode(op.getK()), dnnl::encode(op.getV()), dnnl::encode(op.getY()), {}, {}, op.getScale().convertToDouble(), op.getCausal()};
  if (op.getBias())
    result.bias = dnnl::encode(op.getBias());
  if (gradient)
    result.gradient = dnnl::encode(gradient);
  return dnnl::encodeWords(result, op.getWorkspaceBytes());
}

int64_t AttentionOp::getPlanKind() { return static_cast<int64_t>(plan::CudaKind::AttentionForward); }
int64_t AttentionGradOp::getPlanKind() { return static_cast<int64_t>(plan::CudaKind::AttentionBackward); }

SmallVector<int64_t> AttentionOp::getPlanWords() { return describe(*this, {}); }
SmallVector<int64_t> AttentionGradOp::getPlanWords() { return describe(*this, getDy()); }

static SmallVector<Value> withBias(SmallVector<Value> buffers, Value bias, Value workspace) {
  if (bias)
    buffers.push_back(bias);
  buffers.push_back(workspace);
  return buffers;
}
SmallVector<Value> AttentionOp::getPlanBuffers() { return withBias({getQ(), getK(), getV(), getY(), getLse()}, getBias(), getWorkspace()); }
SmallVector<Value> AttentionGradOp::getPlanBuffers() {
  return withBias({getQ(), getK(), getV(), getY(), getLse(), getDy(), getDq(), getDk(), getDv()}, getBias(), getWorkspace());
}

} // namespace mlir::raf::cudnn
