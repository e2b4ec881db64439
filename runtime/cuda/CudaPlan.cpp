// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C functions for plans of CUDA's libraries.
#include "cuda/CudaPlan.h"

#include "cuda/Device.h"

#include <algorithm>

using namespace raf::rt;
using namespace raf::rt::cuda;

int64_t raf::rt::cuda::elementBytes(plan::Type type) {
  switch (type) {
  case plan::Type::F64:
    return 8;
  case plan::Type::F32:
  case plan::Type::I32:
    return 4;
  case plan::Type::BF16:
  case plan::Type::F16:
    return 2;
  default:
    return 1;
  }
}

const char *raf::rt::cuda::typeName(plan::Type type) {
  static const char *const names[] = {"f32", "f64", "bf16", "f16", "i32", "i8", "u8", "f8E4M3FN", "f8E5M2"};
  return names[static_cast<int64_t>(type) - 1];
}

int64_t raf::rt::cuda::spanBytes(const plan::Tensor &tensor) {
  int64_t last = 0;
  for (size_t i = 0; i < tensor.dims.size(); ++i)
    last += (tensor.dims[i] - 1) * tensor.strides[i];
  return (last + 1) * elementBytes(tensor.type);
}

std::unique_ptr<Request> raf::rt::cuda::readRequest(int64_t kind, const int64_t *words, int64_t count, int64_t &planned) {
  if (!words || count < 0)
    throw Error(RAF_RT_INVALID, "no words for a plan");
  auto read = [&](auto request) {
    if (!plan::decode(words, count, request, planned))
      throw Error(RAF_RT_INVALID, "the words do not encode a plan of this kind and schema " + std::to_string(plan::kSchema));
    return request;
  };
  switch (static_cast<plan::CudaKind>(kind)) {
  case plan::CudaKind::Matmul:
    return checkMatmul(read(plan::CublasMatmul()));
  case plan::CudaKind::ConvForward:
  case plan::CudaKind::ConvBackwardData:
  case plan::CudaKind::ConvBackwardWeights:
    return checkConvolution(read(plan::CudnnConvolution()), static_cast<plan::CudaKind>(kind));
  case plan::CudaKind::BatchNormForward:
  case plan::CudaKind::BatchNormBackward:
    return checkBatchNorm(read(plan::CudnnBatchNorm()), static_cast<plan::CudaKind>(kind));
  case plan::CudaKind::PoolForward:
  case plan::CudaKind::PoolBackward:
    return checkPooling(read(plan::Pooling()), static_cast<plan::CudaKind>(kind));
  case plan::CudaKind::AttentionForward:
  case plan::CudaKind::AttentionBackward:
    return checkAttention(read(plan::CudnnAttention()), static_cast<plan::CudaKind>(kind));
  case plan::CudaKind::Collective:
    return checkCollective(read(plan::Collective()));
  }
  throw Error(RAF_RT_INVALID, "unknown kind of plan for CUDA " + std::to_string(kind));
}

int64_t raf_rt_cuda_supported(int64_t kind, const int64_t *words, int64_t count) {
  int64_t planned;
  return guarded(nullptr, [&] { readRequest(kind, words, count, planned); }) == RAF_RT_OK;
}

int64_t raf_rt_cuda_workspace(int64_t kind, const int64_t *words, int64_t count, int64_t *bytes) {
  return guarded(nullptr, [&] {
    if (!bytes)
      throw Error(RAF_RT_INVALID, "raf_rt_cuda_workspace: bytes is NULL");
    int64_t planned;
    *bytes = readRequest(kind, words, count, planned)->workspaceBytes();
  });
}

int64_t raf_rt_cuda_buffers(int64_t kind, const int64_t *words, int64_t count, int64_t *bytes, int64_t capacity,
                            int64_t *buffers) {
  return guarded(nullptr, [&] {
    if (!bytes || !buffers)
      throw Error(RAF_RT_INVALID, "raf_rt_cuda_buffers: bytes or buffers is NULL");
    int64_t planned;
    std::unique_ptr<Request> request = readRequest(kind, words, count, planned);
    std::vector<int64_t> sizes = request->bufferBytes();
    sizes.push_back(request->workspaceBytes());
    int64_t needed = sizes.size();
    if (needed > capacity)
      throw Error(RAF_RT_INVALID, "the plan has " + std::to_string(needed) + " buffers, room for " + std::to_string(capacity));
    std::copy(sizes.begin(), sizes.end(), bytes);
    *buffers = needed;
  });
}

int64_t raf_rt_cuda_create(raf_rt_context *ctx, int64_t planId, int64_t kind, const int64_t *words, int64_t count) {
  return guardedWith(ctx, [&] {
    DeviceLock lock(ctx);
    Device &device = Device::of(ctx);
    if (planId != static_cast<int64_t>(ctx->plans.size()))
      throw Error(RAF_RT_INVALID, "plan id " + std::to_string(planId) + " where " + std::to_string(ctx->plans.size()) +
                                      " is next");
    int64_t planned = -1;
    device.forOp([&] {
      std::unique_ptr<Request> request = readRequest(kind, words, count, planned);
      ctx->plans.push_back(request->build(ctx, device, planned < 0 ? request->workspaceBytes() : planned));
    });
  });
}

int64_t raf_rt_cuda_execute(raf_rt_context *ctx, int64_t planId, void **buffers) {
  auto execute = [&] {
    Device &device = Device::of(ctx);
    if (planId < 0 || planId >= static_cast<int64_t>(ctx->plans.size()))
      throw Error(RAF_RT_INVALID, "there is no plan " + std::to_string(planId));
    if (!buffers)
      throw Error(RAF_RT_INVALID, "raf_rt_cuda_execute: buffers is NULL");
    Range range(device.libraries().nvtx(), ctx->plans[planId]->describe());
    device.forOp([&] {
      ctx->plans[planId]->execute(buffers);
      device.executed(ctx->plans[planId]->describe());
    });
  };
  return guardedWith(ctx, [&] {
    if (ctx->executor.load(std::memory_order_relaxed) == std::this_thread::get_id())
      return execute();
    DeviceLock lock(ctx);
    execute();
  });
}

const char *raf_rt_cuda_describe(raf_rt_context *ctx, int64_t planId) {
  if (!ctx || planId < 0 || planId >= static_cast<int64_t>(ctx->plans.size()))
    return nullptr;
  return ctx->plans[planId]->describe();
}
