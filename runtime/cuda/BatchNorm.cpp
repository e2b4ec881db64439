// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batch normalization of cuDNN in training, and its gradient. Running statistics are the caller's: the library's of the variance
// are unbiased.
#include "core/PlanChecks.h"
#include "cuda/CudnnGraph.h"

#include <cmath>

using namespace raf::rt;
using namespace raf::rt::cuda;
using namespace raf::rt::plan;

namespace {

/// What its engines read and write at once.
constexpr int64_t kVector = 16;

class BatchNormRequest : public Request {
public:
  BatchNormRequest(CudnnBatchNorm given, bool backward) : norm(std::move(given)), backward(backward) {
    checkTensor(norm.src, "src", 2, 5);
    checkTensor(norm.dst, "dst", 2, 5);
    checkSameDims(norm.src, "src", norm.dst, "dst");
    if (!std::isfinite(norm.epsilon) || norm.epsilon < 0)
      invalid("batch norm: epsilon must be finite and not negative");
    Type type = norm.src.type;
    if ((type != Type::F32 && type != Type::BF16 && type != Type::F16) || norm.dst.type != type)
      unsupported(std::string("cuDNN does not normalize ") + typeName(type) + " to " + typeName(norm.dst.type));
    // With channels first it copies 16-bit activations to the other layout and back, and has nothing for f32.
    if (!haveChannelsLast({&norm.src, &norm.dst}))
      unsupported("cuDNN normalizes activations with channels last");
    if (int64_t bytes = norm.src.dims[1] * elementBytes(type); bytes % kVector)
      unsupported("cuDNN normalizes channels that fill vectors of " + std::to_string(kVector) + " bytes, got " + std::to_string(bytes) + " bytes");
  }

  std::vector<int64_t> bufferBytes() const override {
    int64_t activation = spanBytes(norm.src), feature = spanBytes(perChannel());
    if (backward)
      return {activation, activation, feature, feature, feature, activation, feature, feature};
    return {activation, feature, feature, activation, feature, feature};
  }

  int64_t workspaceBytes() const override { return copiesBytes({&norm.src, &norm.dst}); }

  std::unique_ptr<Plan> build(raf_rt_context *ctx, Device &device, int64_t workspace) const override {
    auto graph = std::make_unique<CudnnGraph>(ctx, device, (backward ? "cudnn.batch_norm_grad " : "cudnn.batch_norm ") + text(norm.src.dims) + " " + typeName(norm.src.type));
    using Name = cudnnBackendAttributeName_t;
    std::vector<std::pair<Name, const Tensor *>> operands;
    Tensor feature = perChannel();
    if (backward)
      operands = {{CUDNN_ATTR_OPERATION_NORM_BWD_XDESC, &norm.src},        {CUDNN_ATTR_OPERATION_NORM_BWD_DYDESC, &norm.dst},
                  {CUDNN_ATTR_OPERATION_NORM_BWD_SCALE_DESC, &feature},    {CUDNN_ATTR_OPERATION_NORM_BWD_MEAN_DESC, &feature},
                  {CUDNN_ATTR_OPERATION_NORM_BWD_INV_VARIANCE_DESC, &feature}, {CUDNN_ATTR_OPERATION_NORM_BWD_DXDESC, &norm.src},
                  {CUDNN_ATTR_OPERATION_NORM_BWD_DSCALE_DESC, &feature},   {CUDNN_ATTR_OPERATION_NORM_BWD_DBIAS_DESC, &feature}};
    else
      operands = {{CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, &norm.src},     {CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC, &feature},
                  {CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC, &feature},  {CUDNN_ATTR_OPERATION_NORM_FWD_YDESC, &norm.dst},
                  {CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC, &feature},  {CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC, &feature}};
    std::vector<std::pair<Name, cudnnBackendDescriptor_t>> tensors;
    for (size_t i = 0; i < operands.size(); ++i)
      tensors.push_back({operands[i].first, graph->tensor(*operands[i].second, i, operands[i].second == &feature ? CudnnGraph::Use::Statistic : CudnnGraph::Use::Data)});
    if (!backward)
      tensors.push_back({CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC, graph->number(static_cast<float>(norm.epsilon), feature.dims.size())});
    auto type = backward ? CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR : CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR;
    cudnnBackendDescriptor_t op = graph->make(type, [&](cudnnBackendDescriptor_t desc) {
      cudnnBackendNormMode_t mode = CUDNN_BATCH_NORM;
      cudnnBackendNormFwdPhase_t phase = CUDNN_NORM_FWD_TRAINING;
      graph->set(desc, backward ? CUDNN_ATTR_OPERATION_NORM_BWD_MODE : CUDNN_ATTR_OPERATION_NORM_FWD_MODE, CUDNN_TYPE_NORM_MODE, 1, &mode);
      if (!backward)
        graph->set(desc, CUDNN_ATTR_OPERATION_NORM_FWD_PHASE, CUDNN_TYPE_NORM_FWD_PHASE, 1, &phase);
      for (auto [name, tensor] : tensors)
        graph->set(desc, name, tensor);
    });
    graph->plan({op}, operands.size(), workspace, {}, backward ? CudaKind::BatchNormBackward : CudaKind::BatchNormForward, encode(norm, workspace));
    return graph;
  }

private:
  /// One number a channel, of the rank of the activations.
  Tensor perChannel() const {
    std::vector<int64_t> dims(std::max<size_t>(4, norm.src.dims.size()), 1);
    dims[1] = norm.src.dims[1];
    return Tensor::channelsLast(Type::F32, dims);
  }

  CudnnBatchNorm norm;
  bool backward;
};

} // namespace

std::unique_ptr<Request> raf::rt::cuda::checkBatchNorm(CudnnBatchNorm request, CudaKind kind) {
  return std::make_unique<BatchNormRequest>(std::move(request), kind == CudaKind::BatchNormBackward);
}
