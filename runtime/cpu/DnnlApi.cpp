// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C functions for oneDNN plans.
#include "cpu/DnnlPlan.h"

#include "core/Threads.h"

#include <algorithm>

using namespace raf::rt;

namespace {

double product(const std::vector<int64_t> &dims, size_t from = 0) {
  double result = 1;
  for (size_t i = from; i < dims.size(); ++i)
    result *= static_cast<double>(dims[i]);
  return result;
}

// Operations of a plan, roughly; the requests are not checked yet, so in doubles, which cannot overflow.
double work(const plan::Matmul &request) {
  return 2 * product(request.c.dims) * (request.a.dims.empty() ? 1 : static_cast<double>(request.a.dims.back()));
}
double work(const plan::Convolution &request) { return 2 * product(request.dst.dims) * product(request.weights.dims, 1); }
double work(const plan::Pooling &request) { return 2 * product(request.dst.dims) * product(request.window); }
double work(const plan::BatchNorm &request) { return 16 * product(request.src.dims); }
double work(const plan::Reorder &request) { return 8 * product(request.src.dims); }

/// Below this, waking the other threads costs more than they save (5 to 10 microseconds of one core).
constexpr double kSerialWork = 6e5;

template <class Request, class Build>
auto decodeAndBuild(const int64_t *words, int64_t count, int64_t &plannedWorkspace, Build build) {
  Request request;
  if (!plan::decode(words, count, request, plannedWorkspace))
    throw Error(RAF_RT_INVALID, "the words do not encode a plan of this kind and schema " + std::to_string(plan::kSchema));
  int64_t threads = work(request) < kSerialWork ? 1 : raf_rt_get_num_threads();
  ThreadScope scope(threads);
  return build(request, threads);
}

plan::Tensor packedWeights(int64_t kind, const int64_t *words, int64_t count) {
  int64_t planned;
  auto is = static_cast<plan::Kind>(kind);
  switch (is) {
  case plan::Kind::Matmul:
    return decodeAndBuild<plan::Matmul>(words, count, planned, [](const auto &request, int64_t) { return raf::rt::packedWeights(request); });
  case plan::Kind::ConvForward:
  case plan::Kind::ConvBackwardData:
  case plan::Kind::ConvBackwardWeights:
    return decodeAndBuild<plan::Convolution>(words, count, planned, [&](const auto &request, int64_t) { return raf::rt::packedWeights(request, is); });
  default:
    buildDnnlPlan(kind, words, count, planned); // for its errors
    return {};
  }
}

} // namespace

std::unique_ptr<DnnlPlan> raf::rt::buildDnnlPlan(int64_t kind, const int64_t *words, int64_t count,
                                                 int64_t &plannedWorkspace) {
  if (!words || count < 0)
    throw Error(RAF_RT_INVALID, "no words for a plan");
  auto is = static_cast<plan::Kind>(kind);
  switch (is) {
  case plan::Kind::Matmul:
    return decodeAndBuild<plan::Matmul>(words, count, plannedWorkspace, buildMatmul);
  case plan::Kind::ConvForward:
  case plan::Kind::ConvBackwardData:
  case plan::Kind::ConvBackwardWeights:
    return decodeAndBuild<plan::Convolution>(words, count, plannedWorkspace, [&](const auto &request, int64_t threads) {
      return buildConvolution(request, is, threads);
    });
  case plan::Kind::PoolForward:
  case plan::Kind::PoolBackward:
    return decodeAndBuild<plan::Pooling>(words, count, plannedWorkspace, [&](const auto &request, int64_t threads) {
      return buildPooling(request, is, threads);
    });
  case plan::Kind::BatchNormForward:
  case plan::Kind::BatchNormBackward:
    return decodeAndBuild<plan::BatchNorm>(words, count, plannedWorkspace, [&](const auto &request, int64_t threads) {
      return buildBatchNorm(request, is, threads);
    });
  case plan::Kind::Reorder:
    return decodeAndBuild<plan::Reorder>(words, count, plannedWorkspace, buildReorder);
  }
  throw Error(RAF_RT_INVALID, "unknown kind of plan " + std::to_string(kind));
}

int64_t raf_rt_dnnl_supported(int64_t kind, const int64_t *words, int64_t count) {
  int64_t planned;
  return guarded(nullptr, [&] { buildDnnlPlan(kind, words, count, planned); }) == RAF_RT_OK;
}

int64_t raf_rt_dnnl_workspace(int64_t kind, const int64_t *words, int64_t count, int64_t *bytes) {
  return guarded(nullptr, [&] {
    if (!bytes)
      throw Error(RAF_RT_INVALID, "raf_rt_dnnl_workspace: bytes is NULL");
    int64_t planned;
    *bytes = buildDnnlPlan(kind, words, count, planned)->bufferBytes().back();
  });
}

int64_t raf_rt_dnnl_buffers(int64_t kind, const int64_t *words, int64_t count, int64_t *bytes, int64_t capacity,
                            int64_t *buffers) {
  return guarded(nullptr, [&] {
    if (!bytes || !buffers)
      throw Error(RAF_RT_INVALID, "raf_rt_dnnl_buffers: bytes or buffers is NULL");
    int64_t planned;
    std::unique_ptr<DnnlPlan> plan = buildDnnlPlan(kind, words, count, planned);
    int64_t needed = plan->bufferBytes().size();
    if (needed > capacity)
      throw Error(RAF_RT_INVALID, "the plan has " + std::to_string(needed) + " buffers, room for " +
                                      std::to_string(capacity));
    std::copy(plan->bufferBytes().begin(), plan->bufferBytes().end(), bytes);
    *buffers = needed;
  });
}

int64_t raf_rt_dnnl_packed(int64_t kind, const int64_t *words, int64_t count, int64_t *layout, int64_t capacity, int64_t *length) {
  return guarded(nullptr, [&] {
    if (!layout || !length)
      throw Error(RAF_RT_INVALID, "raf_rt_dnnl_packed: layout or length is NULL");
    if (!words)
      throw Error(RAF_RT_INVALID, "no words for a plan");
    plan::Tensor packed = packedWeights(kind, words, count);
    plan::Writer writer;
    if (packed.present())
      writer(packed);
    if (static_cast<int64_t>(writer.words.size()) > capacity)
      throw Error(RAF_RT_INVALID, "the layout takes " + std::to_string(writer.words.size()) + " words, room for " + std::to_string(capacity));
    std::copy(writer.words.begin(), writer.words.end(), layout);
    *length = writer.words.size();
  });
}

int64_t raf_rt_dnnl_create(raf_rt_context *ctx, int64_t planId, int64_t kind, const int64_t *words, int64_t count) {
  return guardedWith(ctx, [&] {
    if (planId != static_cast<int64_t>(ctx->plans.size()))
      throw Error(RAF_RT_INVALID, "plan id " + std::to_string(planId) + " where " + std::to_string(ctx->plans.size()) +
                                      " is next");
    int64_t planned = -1;
    std::unique_ptr<DnnlPlan> plan = buildDnnlPlan(kind, words, count, planned);
    if (planned >= 0 && planned < plan->bufferBytes().back())
      plan->ownWorkspace();
    ctx->plans.push_back(std::move(plan));
  });
}

int64_t raf_rt_dnnl_execute(raf_rt_context *ctx, int64_t planId, void **buffers) {
  return guardedWith(ctx, [&] {
    if (planId < 0 || planId >= static_cast<int64_t>(ctx->plans.size()))
      throw Error(RAF_RT_INVALID, "there is no plan " + std::to_string(planId));
    if (!buffers)
      throw Error(RAF_RT_INVALID, "raf_rt_dnnl_execute: buffers is NULL");
    ctx->plans[planId]->execute(buffers);
  });
}

const char *raf_rt_dnnl_describe(raf_rt_context *ctx, int64_t planId) {
  if (!ctx || planId < 0 || planId >= static_cast<int64_t>(ctx->plans.size()))
    return nullptr;
  return ctx->plans[planId]->describe();
}
