// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dnnl/Encode.h"
#include "dialects/nccl/Ops.h"
#include "runtime/include/raf_cuda_plans.h"

namespace plan = raf::rt::plan;

namespace mlir::raf::nccl {

static_assert(static_cast<int>(Reduction::sum) == static_cast<int>(plan::Reduction::Sum) && static_cast<int>(Reduction::product) == static_cast<int>(plan::Reduction::Product) &&
                  static_cast<int>(Reduction::max) == static_cast<int>(plan::Reduction::Max) && static_cast<int>(Reduction::min) == static_cast<int>(plan::Reduction::Min) &&
                  static_cast<int>(Reduction::mean) == static_cast<int>(plan::Reduction::Mean),
              "the dialect and the runtime number reductions alike");

static ArrayRef<int64_t> shapeOf(Value value) { return cast<ShapedType>(value.getType()).getShape(); }

// y has this shape and the element type of x.
static LogicalResult verifyResult(Operation *op, Value x, Value y, ArrayRef<int64_t> shape) {
  return failure(failed(dnnl::verifyShape(op, "the destination", y, shape, getElementTypeOrSelf(x))) || failed(dnnl::verifyDestinations(op)));
}

template <typename Op>
static LogicalResult verifyRank(Op op, StringRef name, int64_t rank) {
  return rank < static_cast<int64_t>(op.getRanks()) ? success() : LogicalResult(op.emitOpError() << name << " must be less than the " << op.getRanks() << " ranks, got " << rank);
}

LogicalResult AllReduceOp::verify() { return verifyResult(*this, getX(), getY(), shapeOf(getX())); }
LogicalResult AllGatherOp::verify() {
  SmallVector<int64_t> shape(shapeOf(getX()));
  if (shape.empty())
    return emitOpError() << "must have a first dimension along which values are put behind each other";
  shape.front() *= getRanks();
  return verifyResult(*this, getX(), getY(), shape);
}
LogicalResult BroadcastOp::verify() { return failure(failed(verifyRank(*this, "root", getRoot())) || failed(verifyResult(*this, getX(), getY(), shapeOf(getX())))); }
LogicalResult SendOp::verify() { return failure(failed(verifyRank(*this, "peer", getPeer())) || failed(dnnl::verifyDestinations(*this))); }
LogicalResult ReceiveOp::verify() { return failure(failed(verifyRank(*this, "peer", getPeer())) || failed(dnnl::verifyDestinations(*this))); }

template <typename Op>
static LogicalResult verifyParts(Op op) {
  ArrayRef<int64_t> shape = shapeOf(op.getX());
  if (shape.empty() || shape.front() % op.getRanks())
    return op.emitOpError() << "must have a first dimension that the " << op.getRanks() << " ranks divide, got [" << shape << "]";
  return success();
}

LogicalResult ReduceScatterOp::verify() {
  if (failed(verifyParts(*this)))
    return failure();
  SmallVector<int64_t> shape(shapeOf(getX()));
  shape.front() /= getRanks();
  return verifyResult(*this, getX(), getY(), shape);
}
LogicalResult AllToAllOp::verify() { return failure(failed(verifyParts(*this)) || failed(verifyResult(*this, getX(), getY(), shapeOf(getX())))); }

// ---- plans ----

static plan::Type typeOf(Value value) {
  Type element = getElementTypeOrSelf(value);
  if (element.isInteger(32))
    return plan::Type::I32;
  return element.isInteger(8) ? plan::Type::I8 : dnnl::encodeType(element);
}

template <typename Op>
static SmallVector<int64_t> describe(Op op, plan::CollectiveOp kind, Value value, Reduction reduction = Reduction::sum, int64_t peer = 0) {
  plan::Collective result;
  result.op = kind;
  result.type = typeOf(value);
  result.reduction = static_cast<plan::Reduction>(reduction);
  result.elements = cast<ShapedType>(value.getType()).getNumElements();
  result.ranks = op.getRanks();
  result.peer = peer;
  return dnnl::encodeWords(result, /*workspace=*/-1);
}

SmallVector<int64_t> AllReduceOp::getPlanWords() { return describe(*this, plan::CollectiveOp::AllReduce, getX(), getReduction()); }
SmallVector<int64_t> AllGatherOp::getPlanWords() { return describe(*this, plan::CollectiveOp::AllGather, getX()); }
SmallVector<int64_t> ReduceScatterOp::getPlanWords() { return describe(*this, plan::CollectiveOp::ReduceScatter, getX(), getReduction()); }
SmallVector<int64_t> BroadcastOp::getPlanWords() { return describe(*this, plan::CollectiveOp::Broadcast, getX(), Reduction::sum, getRoot()); }
SmallVector<int64_t> AllToAllOp::getPlanWords() { return describe(*this, plan::CollectiveOp::AllToAll, getX()); }
SmallVector<int64_t> SendOp::getPlanWords() { return describe(*this, plan::CollectiveOp::Send, getX(), Reduction::sum, getPeer()); }
SmallVector<int64_t> ReceiveOp::getPlanWords() { return describe(*this, plan::CollectiveOp::Receive, getY(), Reduction::sum, getPeer()); }

SmallVector<std::pair<int64_t, int64_t>> AllReduceOp::getMayAlias() { return {{0, 0}}; }
SmallVector<std::pair<int64_t, int64_t>> BroadcastOp::getMayAlias() { return {{0, 0}}; }

// A message is seen by another process, so that it must not be removed even on tensors.
static void messageEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

#define RAF_NCCL_OP(op, ...)                                                                                                                                                   \
  int64_t op::getPlanKind() { return static_cast<int64_t>(plan::CudaKind::Collective); }                                                                                      \
  SmallVector<Value> op::getPlanBuffers() { return {__VA_ARGS__, Value()}; }                                                                                                  \
  void op::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects)

RAF_NCCL_OP(AllReduceOp, getX(), getY()) { dnnl::destinationEffects(*this, effects); }
RAF_NCCL_OP(AllGatherOp, getX(), getY()) { dnnl::destinationEffects(*this, effects); }
RAF_NCCL_OP(ReduceScatterOp, getX(), getY()) { dnnl::destinationEffects(*this, effects); }
RAF_NCCL_OP(BroadcastOp, getX(), getY()) { dnnl::destinationEffects(*this, effects); }
RAF_NCCL_OP(AllToAllOp, getX(), getY()) { dnnl::destinationEffects(*this, effects); }
RAF_NCCL_OP(SendOp, getX(), Value()) { messageEffects(effects); }
RAF_NCCL_OP(ReceiveOp, Value(), getY()) { messageEffects(effects); }

#undef RAF_NCCL_OP

} // namespace mlir::raf::nccl
