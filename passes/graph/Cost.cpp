// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of each op: CostOpInterface for the raf dialect and those of libraries. A multiply-add counts as two, any other scalar function as one.
#include "dialects/cublas/Ops.h"
#include "dialects/cudnn/Ops.h"
#include "dialects/dnnl/Ops.h"
#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "passes/graph/Passes.h"

using namespace mlir;
using namespace mlir::raf;

static int64_t elements(Value value) { return cast<ShapedType>(value.getType()).getNumElements(); }
static ArrayRef<int64_t> shapeOf(Value value) { return cast<ShapedType>(value.getType()).getShape(); }

static int64_t largest(Operation *op) {
  int64_t result = 0;
  for (Value value : op->getOperands())
    result = std::max(result, elements(value));
  for (Value value : op->getResults())
    result = std::max(result, elements(value));
  return result;
}

// Multiply-adds of a convolution: each element of its result sees one filter.
static int64_t convolution(Value y, ArrayRef<int64_t> filters) { return 2 * elements(y) * ShapedType::getNumElements(filters.drop_front()); }
static int64_t convolution(Value y, Value w, dnnl::BlockedAttr layout = {}) { return convolution(y, layout ? layout.getDims() : shapeOf(w)); }

static int64_t count(raf::MatmulOp op) {
  ArrayRef<int64_t> lhs = shapeOf(op.getLhs());
  return 2 * elements(op.getY()) * lhs[lhs.size() - (op.getTransposeLhs() ? 2 : 1)];
}
// Pairs of a query and a key that it sees.
template <typename Op>
static int64_t scores(Op op) {
  ArrayRef<int64_t> q = shapeOf(op.getQ());
  int64_t t = q[2], s = shapeOf(op.getV())[2];
  // Row i sees the first i + 1 + s - t keys.
  int64_t seen = !op.getCausal() ? t * s : s >= t ? t * (s - t) + t * (t + 1) / 2 : s * (s + 1) / 2;
  return q[0] * q[1] * seen;
}
template <typename Op>
static int64_t attention(Op op) { return scores(op) * (2 * shapeOf(op.getQ())[3] + 2 * shapeOf(op.getV())[3] + 5); }
template <typename Op>
static int64_t attentionGrad(Op op) { return scores(op) * (6 * shapeOf(op.getQ())[3] + 4 * shapeOf(op.getV())[3] + 6); }
static int64_t count(AttentionOp op) { return attention(op); }
static int64_t count(AttentionGradOp op) { return attentionGrad(op); }
static int64_t logits(Value x, Value w, Value labels) { return elements(labels) * (elements(w) / std::max<int64_t>(1, shapeOf(x)[1])); }
static int64_t count(LinearCrossEntropyOp op) { return logits(op.getX(), op.getW(), op.getLabels()) * (2 * shapeOf(op.getX())[1] + 5); }
static int64_t count(LinearCrossEntropyGradOp op) { return logits(op.getX(), op.getW(), op.getLabels()) * (6 * shapeOf(op.getX())[1] + 9); }
static int64_t count(raf::ConvOp op) { return convolution(op.getY(), op.getW()); }
static int64_t count(raf::ConvInputGradOp op) { return convolution(op.getDy(), op.getW()); }
static int64_t count(raf::ConvWeightGradOp op) { return convolution(op.getDy(), op.getY()); }
static int64_t windowSize(ArrayRef<int64_t> kernel) {
  int64_t size = 1;
  for (int64_t dim : kernel)
    size *= dim;
  return size;
}
static int64_t count(raf::MaxPoolOp op) { return elements(op.getY()) * windowSize(op.getKernel()); }
static int64_t count(raf::MaxPoolGradOp op) { return elements(op.getDy()); }
static int64_t count(raf::AvgPoolOp op) { return elements(op.getY()) * windowSize(op.getKernel()); }
static int64_t count(raf::AvgPoolGradOp op) { return elements(op.getDy()) * windowSize(op.getKernel()); }
static int64_t count(SoftmaxOp op) { return 5 * elements(op.getX()); }
static int64_t count(LogSoftmaxOp op) { return 5 * elements(op.getX()); }
static int64_t count(LayerNormOp op) { return 8 * elements(op.getX()); }
static int64_t count(RmsNormOp op) { return 5 * elements(op.getX()); }
static int64_t count(raf::BatchNormOp op) { return 8 * elements(op.getX()); }
static int64_t count(raf::BatchNormGradOp op) { return 11 * elements(op.getX()); }
static int64_t count(dnnl::MatmulOp op) {
  int64_t inner = op.getLhsViewAttr() ? op.getLhsViewAttr().getDims().back() : shapeOf(op.getLhs()).back();
  return elements(op.getDst()) * (2 * inner + (op.getBias() ? 1 : 0) + op.getPostOps().size());
}
static int64_t count(dnnl::ConvOp op) { return convolution(op.getDst(), op.getW(), op.getWLayoutAttr()) + elements(op.getDst()) * ((op.getBias() ? 1 : 0) + op.getPostOps().size()); }
static int64_t count(dnnl::ConvInputGradOp op) { return convolution(op.getDy(), op.getW(), op.getWLayoutAttr()); }
static int64_t count(dnnl::ConvWeightGradOp op) { return convolution(op.getDy(), op.getDw(), op.getWLayoutAttr()); }
static int64_t count(dnnl::MaxPoolOp op) { return elements(op.getY()) * windowSize(op.getKernel()); }
static int64_t count(dnnl::MaxPoolGradOp op) { return elements(op.getDy()); }
static int64_t count(dnnl::AvgPoolOp op) { return elements(op.getY()) * windowSize(op.getKernel()); }
static int64_t count(dnnl::AvgPoolGradOp op) { return elements(op.getDy()) * windowSize(op.getKernel()); }
static int64_t count(dnnl::BatchNormOp op) { return 8 * elements(op.getX()); }
static int64_t count(dnnl::BatchNormGradOp op) { return 11 * elements(op.getX()); }
static int64_t count(cublas::MatmulOp op) {
  int64_t inner = op.getLhsViewAttr() ? op.getLhsViewAttr().getDims().back() : shapeOf(op.getLhs()).back();
  return elements(op.getDst()) * (2 * inner + (op.getBias() ? 1 : 0));
}
static int64_t count(cudnn::ConvOp op) {
  return convolution(op.getDst(), op.getW()) + elements(op.getDst()) * ((op.getBias() ? 1 : 0) + (op.getAddend() ? 1 : 0) + (op.getActivation() == cudnn::Activation::none ? 0 : 1));
}
static int64_t count(cudnn::MaxPoolOp op) { return elements(op.getY()) * windowSize(op.getKernel()); }
static int64_t count(cudnn::MaxPoolGradOp op) { return elements(op.getDy()); }
static int64_t count(cudnn::AvgPoolOp op) { return elements(op.getY()) * windowSize(op.getKernel()); }
static int64_t count(cudnn::AvgPoolGradOp op) { return elements(op.getDy()) * windowSize(op.getKernel()); }
static int64_t count(cudnn::BatchNormOp op) { return 8 * elements(op.getX()); }
static int64_t count(cudnn::BatchNormGradOp op) { return 11 * elements(op.getX()); }
static int64_t count(cudnn::AttentionOp op) { return attention(op); }
static int64_t count(cudnn::AttentionGradOp op) { return attentionGrad(op); }
static int64_t count(cudnn::ConvInputGradOp op) { return convolution(op.getDy(), op.getW()); }
static int64_t count(cudnn::ConvWeightGradOp op) { return convolution(op.getDy(), op.getDw()); }
// Twenty rounds of an addition, a rotation and an exclusive or, and the key after each fourth.
static int64_t count(ThreefryOp op) { return 120 * elements(op.getY()); }
// One operation an element of the largest tensor: pointwise ops, reductions, scans.
static int64_t count(Operation *op) { return largest(op); }

namespace {
template <typename Op>
struct Cost : CostOpInterface::ExternalModel<Cost<Op>, Op> {
  int64_t getFlops(Operation *op) const { return count(cast<Op>(op)); }
};
template <typename Op>
struct Pointwise : CostOpInterface::ExternalModel<Pointwise<Op>, Op> {
  int64_t getFlops(Operation *op) const { return count(op); }
};

template <typename... Ops>
void attach(MLIRContext *context) {
  (Ops::template attachInterface<Cost<Ops>>(*context), ...);
}
template <typename... Ops>
void attachPointwise(MLIRContext *context) {
  (Ops::template attachInterface<Pointwise<Ops>>(*context), ...);
}
} // namespace

void mlir::raf::registerGraphExtensions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, RAFDialect *) {
    attach<raf::MatmulOp, AttentionOp, AttentionGradOp, LinearCrossEntropyOp, LinearCrossEntropyGradOp, raf::ConvOp, raf::ConvInputGradOp, raf::ConvWeightGradOp, raf::MaxPoolOp, raf::MaxPoolGradOp, raf::AvgPoolOp, raf::AvgPoolGradOp,
           SoftmaxOp, LogSoftmaxOp, LayerNormOp, RmsNormOp, raf::BatchNormOp, raf::BatchNormGradOp>(context);
    attachPointwise<NegOp, AbsOp, SignOp, FloorOp, CeilOp, RoundOp, ExpOp, Expm1Op, LogOp, Log1pOp, SqrtOp, RsqrtOp, SinOp, CosOp, TanhOp, SigmoidOp, ErfOp, ReluOp, SiluOp,
                    GeluOp, AddOp, SubOp, MulOp, DivOp, RemOp, PowOp, MaximumOp, MinimumOp, CompareOp, SelectOp, ReduceOp, ArgReduceOp, CumsumOp, ScatterAddOp,
                    ScatterOp, AddAlongAxisOp, CbrtOp, Atan2Op, PopcountOp, CountLeadingZerosOp, DivUnsignedOp, RemUnsignedOp, ShiftLeftOp, ShiftRightLogicalOp,
                    ShiftRightArithmeticOp>(context);
    attach<ThreefryOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, cublas::CublasDialect *) { attach<cublas::MatmulOp>(context); });
  registry.addExtension(+[](MLIRContext *context, cudnn::CudnnDialect *) {
    attach<cudnn::ConvOp, cudnn::ConvInputGradOp, cudnn::ConvWeightGradOp, cudnn::MaxPoolOp, cudnn::MaxPoolGradOp, cudnn::AvgPoolOp, cudnn::AvgPoolGradOp, cudnn::BatchNormOp,
           cudnn::BatchNormGradOp, cudnn::AttentionOp, cudnn::AttentionGradOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, dnnl::DnnlDialect *) {
    attach<dnnl::MatmulOp, dnnl::ConvOp, dnnl::ConvInputGradOp, dnnl::ConvWeightGradOp, dnnl::MaxPoolOp, dnnl::MaxPoolGradOp, dnnl::AvgPoolOp, dnnl::AvgPoolGradOp,
           dnnl::BatchNormOp, dnnl::BatchNormGradOp>(context);
  });
}
