// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pooling of cuDNN: what its graph interface calls resampling.
#include "core/PlanChecks.h"
#include "cuda/CudnnGraph.h"

using namespace raf::rt;
using namespace raf::rt::cuda;
using namespace raf::rt::plan;

namespace {

/// An index is one signed byte.
constexpr int64_t kMostTaps = 127;

void checkRequest(const Pooling &pool) {
  checkTensor(pool.src, "src", 3, 5);
  checkTensor(pool.dst, "dst", 3, 5);
  size_t rank = pool.src.dims.size(), spatial = rank - 2;
  if (pool.dst.dims.size() != rank || pool.src.dims[0] != pool.dst.dims[0] || pool.src.dims[1] != pool.dst.dims[1])
    invalid("pooling: src " + text(pool.src.dims) + " and dst " + text(pool.dst.dims) + " do not fit together");
  if (pool.mode < PoolMode::Max || pool.mode > PoolMode::AverageWindow)
    invalid("pooling: unknown mode " + std::to_string(static_cast<int64_t>(pool.mode)));
  for (const auto *values : {&pool.window, &pool.strides, &pool.dilations, &pool.padBegin, &pool.padEnd})
    if (values->size() != spatial)
      invalid("pooling: " + std::to_string(values->size()) + " window values for " + std::to_string(spatial) + " spatial dims");
  int64_t taps = 1;
  for (size_t i = 0; i < spatial; ++i) {
    if (pool.window[i] < 1 || pool.strides[i] < 1 || pool.padBegin[i] < 0 || pool.padEnd[i] < 0)
      invalid("pooling: windows and strides must be positive, padding not negative");
    if (pool.dilations[i] != 1)
      unsupported("cuDNN pools dense windows, without dilation");
    checkPlaces("pooling", pool.src, pool.dst, i, pool.window[i], pool.padBegin[i] + pool.padEnd[i], pool.strides[i]);
    taps *= pool.window[i];
  }
  if (pool.indices && pool.mode != PoolMode::Max)
    invalid("pooling: indices go with maxima");
  if (pool.indices && taps > kMostTaps)
    unsupported("cuDNN numbers windows of at most " + std::to_string(kMostTaps) + " elements, got " + std::to_string(taps));
  Type type = pool.src.type;
  if ((type != Type::F32 && type != Type::BF16 && type != Type::F16) || pool.dst.type != type)
    unsupported(std::string("cuDNN does not pool ") + typeName(type) + " to " + typeName(pool.dst.type));
  if (!haveChannelsLast({&pool.src, &pool.dst}))
    unsupported("cuDNN's graphs pool activations with channels last");
}

class PoolingRequest : public Request {
public:
  PoolingRequest(Pooling given, bool backward) : pool(std::move(given)), backward(backward) {
    checkRequest(pool);
    if (backward && pool.mode == PoolMode::Max && !pool.indices)
      invalid("pooling: the gradient of maxima needs indices");
    // Of f32 it has averages and maxima that nobody differentiates; its other engines round to tf32.
    if (pool.src.type == Type::F32 && (backward || pool.indices))
      unsupported(backward ? "cuDNN has gradients of pools in bf16 and f16, got f32" : "cuDNN numbers maxima of bf16 and f16, got f32");
  }

  std::vector<int64_t> bufferBytes() const override {
    std::vector<int64_t> bytes = {spanBytes(backward ? pool.dst : pool.src)};
    if (!backward)
      bytes.push_back(spanBytes(pool.dst));
    if (pool.indices)
      bytes.push_back(spanBytes(index()));
    if (backward)
      bytes.push_back(spanBytes(pool.src));
    return bytes;
  }

  int64_t workspaceBytes() const override { return copiesBytes({&pool.src, &pool.dst}); }

  std::unique_ptr<Plan> build(raf_rt_context *ctx, Device &device, int64_t workspace) const override {
    std::string name = pool.mode == PoolMode::Max ? "cudnn.max_pool" : "cudnn.avg_pool";
    auto graph = std::make_unique<CudnnGraph>(ctx, device, name + (backward ? "_grad " : " ") + text(pool.src.dims) + " " + typeName(pool.src.type));
    cudnnBackendDescriptor_t x = graph->tensor(pool.src, backward ? pool.backwardSrc() : 0), y = graph->tensor(pool.dst, backward ? 0 : 1);
    cudnnBackendDescriptor_t indices = pool.indices ? graph->tensor(index(), backward ? 1 : 2) : nullptr;
    cudnnBackendDescriptor_t window = graph->make(CUDNN_BACKEND_RESAMPLE_DESCRIPTOR, [&](cudnnBackendDescriptor_t desc) {
      cudnnResampleMode_t mode = pool.mode == PoolMode::Max             ? CUDNN_RESAMPLE_MAXPOOL
                                 : pool.mode == PoolMode::AverageWindow ? CUDNN_RESAMPLE_AVGPOOL_INCLUDE_PADDING
                                                                        : CUDNN_RESAMPLE_AVGPOOL_EXCLUDE_PADDING;
      cudnnDataType_t compute = CUDNN_DATA_FLOAT;
      cudnnNanPropagation_t nan = CUDNN_PROPAGATE_NAN;
      cudnnPaddingMode_t padding = pool.mode == PoolMode::Max ? CUDNN_NEG_INF_PAD : CUDNN_ZERO_PAD;
      std::vector<int64_t> size = asPlanes(pool.window, 1);
      graph->set(desc, CUDNN_ATTR_RESAMPLE_MODE, CUDNN_TYPE_RESAMPLE_MODE, 1, &mode);
      graph->set(desc, CUDNN_ATTR_RESAMPLE_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &compute);
      graph->set(desc, CUDNN_ATTR_RESAMPLE_NAN_PROPAGATION, CUDNN_TYPE_NAN_PROPOGATION, 1, &nan);
      graph->set(desc, CUDNN_ATTR_RESAMPLE_PADDING_MODE, CUDNN_TYPE_PADDING_MODE, 1, &padding);
      graph->set(desc, CUDNN_ATTR_RESAMPLE_SPATIAL_DIMS, static_cast<int64_t>(size.size()));
      graph->set(desc, CUDNN_ATTR_RESAMPLE_WINDOW_DIMS, size);
      graph->set(desc, CUDNN_ATTR_RESAMPLE_STRIDES, asPlanes(pool.strides, 1));
      graph->set(desc, CUDNN_ATTR_RESAMPLE_PRE_PADDINGS, asPlanes(pool.padBegin, 0));
      graph->set(desc, CUDNN_ATTR_RESAMPLE_POST_PADDINGS, asPlanes(pool.padEnd, 0));
    });
    auto type = backward ? CUDNN_BACKEND_OPERATION_RESAMPLE_BWD_DESCRIPTOR : CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR;
    cudnnBackendDescriptor_t op = graph->make(type, [&](cudnnBackendDescriptor_t desc) {
      graph->set(desc, backward ? CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DESC : CUDNN_ATTR_OPERATION_RESAMPLE_FWD_DESC, window);
      graph->set(desc, backward ? CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DXDESC : CUDNN_ATTR_OPERATION_RESAMPLE_FWD_XDESC, x);
      graph->set(desc, backward ? CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DYDESC : CUDNN_ATTR_OPERATION_RESAMPLE_FWD_YDESC, y);
      if (indices)
        graph->set(desc, backward ? CUDNN_ATTR_OPERATION_RESAMPLE_BWD_IDXDESC : CUDNN_ATTR_OPERATION_RESAMPLE_FWD_IDXDESC, indices);
    });
    graph->plan({op}, pool.workspaceBuffer(), workspace, {}, backward ? CudaKind::PoolBackward : CudaKind::PoolForward, encode(pool, workspace));
    return graph;
  }

private:
  Tensor index() const { return Tensor::channelsLast(Type::I8, pool.dst.dims); }

  Pooling pool;
  bool backward;
};

} // namespace

std::unique_ptr<Request> raf::rt::cuda::checkPooling(Pooling request, CudaKind kind) {
  return std::make_unique<PoolingRequest>(std::move(request), kind == CudaKind::PoolBackward);
}
