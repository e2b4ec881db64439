// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dispatch/cudnn/Library.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;

template <typename Op>
static bool isLegal(Op op, std::string &reason) {
  llvm::raw_string_ostream stream(reason);
  Type element = getElementTypeOrSelf(op.getQ());
  int64_t queries = cast<RankedTensorType>(op.getQ().getType()).getDimSize(2), keys = cast<RankedTensorType>(op.getK().getType()).getDimSize(2);
  if (op.getSeed())
    stream << "the library would draw other numbers for dropout than raf.dropout, and steps could not be replayed elsewhere";
  else if (op.getBias() && getElementTypeOrSelf(op.getBias()) != element)
    stream << "cuDNN adds a bias of the type of q to scores, " << element << ", got " << getElementTypeOrSelf(op.getBias());
  else if (op.getCausal() && queries > keys)
    stream << "causal attention of cuDNN is for as many keys as queries or more, got " << keys << " and " << queries;
  else
    return true;
  return false;
}

// The library adds a row to each query's scores.
static Value rowsOfBias(raf::AttentionOp op, RewriterBase &rewriter) {
  auto bias = cast_or_null<TypedValue<RankedTensorType>>(op.getBias());
  int64_t queries = op.getQ().getType().getDimSize(2);
  if (!bias || bias.getType().getDimSize(2) == queries)
    return bias;
  SmallVector<int64_t> shape(bias.getType().getShape());
  shape[2] = queries;
  return BroadcastOp::create(rewriter, op.getLoc(), bias.getType().clone(shape), bias, ArrayRef<int64_t>{0, 1, 2, 3});
}
static Value givenBias(cudnn::AttentionOp op) {
  auto rows = op.getBias() ? op.getBias().getDefiningOp<BroadcastOp>() : BroadcastOp();
  return rows ? Value(rows.getX()) : Value(op.getBias());
}

FailureOr<unsigned> mlir::raf::dispatch::applyCudnnAttention(Operation *op, RewriterBase &rewriter, std::string &reason) {
  auto attention = cast<raf::AttentionOp>(op);
  if (!isLegal(attention, reason))
    return failure();
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  Type y = attention.getY().getType(), lse = attention.getLse().getType();
  auto candidate = cudnn::AttentionOp::create(rewriter, loc, TypeRange{y, lse}, attention.getQ(), attention.getK(), attention.getV(), rowsOfBias(attention, rewriter), emptyTensor(rewriter, loc, y),
                                              emptyTensor(rewriter, loc, lse), /*workspace=*/Value(), attention.getScale(), attention.getCausal());
  if (failed(replaceResults(op, candidate, 2, rewriter, reason)))
    return failure();
  return 0u;
}

static Value beforeCast(Value value) {
  auto cast = value.getDefiningOp<raf::CastOp>();
  return cast ? Value(cast.getX()) : value;
}

// Whether `value` is the sum of dy * y over the last dimension, which the library computes itself. Mixed precision may multiply in either type.
static bool isOwnDelta(Value value, Value dy, Value y) {
  auto sum = value.getDefiningOp<raf::ReduceOp>();
  auto product = sum && sum.getKind() == ReduceKind::sum && sum.getDims() == ArrayRef<int64_t>{3} ? beforeCast(sum.getX()).getDefiningOp<raf::MulOp>() : raf::MulOp();
  if (!product)
    return false;
  auto is = [](Value factor, Value of) { return beforeCast(factor) == beforeCast(of); };
  return (is(product.getLhs(), dy) && is(product.getRhs(), y)) || (is(product.getLhs(), y) && is(product.getRhs(), dy));
}

FailureOr<unsigned> mlir::raf::dispatch::applyCudnnAttentionGrad(Operation *op, RewriterBase &rewriter, std::string &reason, StringRef chip) {
  auto grad = cast<raf::AttentionGradOp>(op);
  // cuDNN 9.24 says that it has them for sm_100, and offers none for the description of a B200 (test_real_cudnn).
  if (!chip.empty()) {
    reason = ("no engine of cuDNN for the gradient of attention has been seen on " + chip).str();
    return failure();
  }
  if (!isLegal(grad, reason))
    return failure();
  if (grad.getBiasGrad()) {
    reason = "the gradient of a bias of scores is left to generated code";
    return failure();
  }
  auto forward = grad.getLse().getDefiningOp<cudnn::AttentionOp>();
  if (!forward || forward.getQ() != grad.getQ() || forward.getK() != grad.getK() || forward.getV() != grad.getV() || (forward.getBias() != grad.getBias() && givenBias(forward) != grad.getBias()) || !isOwnDelta(grad.getDelta(), grad.getDy(), forward->getResult(0))) {
    reason = "cuDNN computes the gradient of its own attention with respect to y only";
    return failure();
  }
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  SmallVector<Type> types(op->getResultTypes());
  auto empty = [&](Type type) { return emptyTensor(rewriter, loc, type); };
  auto candidate = cudnn::AttentionGradOp::create(rewriter, loc, types, grad.getQ(), grad.getK(), grad.getV(), forward->getResult(0), grad.getLse(), grad.getDy(), forward.getBias(), empty(types[0]),
                                                  empty(types[1]), empty(types[2]), /*workspace=*/Value(), grad.getScale(), grad.getCausal());
  if (failed(replaceResults(op, candidate, 3, rewriter, reason)))
    return failure();
  return 0u;
}
