// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pooling runs in the caller's layout if there is a fast kernel for it, otherwise in oneDNN's.
#include "cpu/Descs.h"

#include <algorithm>

using namespace raf::rt;
using namespace raf::rt::plan;
using dnnl::memory;

namespace {

dnnl::algorithm algorithm(PoolMode mode) {
  switch (mode) {
  case PoolMode::AverageInside:
    return dnnl::algorithm::pooling_avg_exclude_padding;
  case PoolMode::AverageWindow:
    return dnnl::algorithm::pooling_avg_include_padding;
  default:
    return dnnl::algorithm::pooling_max;
  }
}

void checkWindow(const Pooling &pool, size_t i) {
  constexpr int64_t kMost = int64_t(1) << 24;
  for (int64_t value : {pool.window[i], pool.strides[i], pool.dilations[i]})
    if (value < 1 || value > kMost)
      invalid("pooling: window, strides and dilations must be positive");
  int64_t reach = (pool.window[i] - 1) * pool.dilations[i] + 1;
  // A window wholly inside the padding has no maximum and no average.
  for (int64_t value : {pool.padBegin[i], pool.padEnd[i]})
    if (value < 0 || value >= reach)
      invalid("pooling: padding must be from 0 to less than the window, got " + text(pool.padBegin) + " and " +
              text(pool.padEnd));
  checkPlaces("pooling", pool.src, pool.dst, i, reach, pool.padBegin[i] + pool.padEnd[i], pool.strides[i]);
}

void check(const Pooling &pool, Kind kind) {
  if (pool.mode < PoolMode::Max || pool.mode > PoolMode::AverageWindow)
    invalid("pooling: unknown mode " + std::to_string(static_cast<int64_t>(pool.mode)));
  checkTensor(pool.src, "src", 3, 5);
  size_t rank = pool.src.dims.size();
  checkTensor(pool.dst, "dst", rank, rank);
  if (pool.src.dims[0] != pool.dst.dims[0] || pool.src.dims[1] != pool.dst.dims[1] || pool.src.type != pool.dst.type)
    invalid("pooling: src " + text(pool.src.dims) + " and dst " + text(pool.dst.dims) + " do not fit");
  for (const auto *list : {&pool.window, &pool.strides, &pool.dilations, &pool.padBegin, &pool.padEnd})
    if (list->size() != rank - 2)
      invalid("pooling: window, strides, dilations and padding must have " + std::to_string(rank - 2) + " elements each");
  for (size_t i = 0; i < rank - 2; ++i)
    checkWindow(pool, i);
  bool max = pool.mode == PoolMode::Max;
  if (pool.indices && !max)
    invalid("pooling: only maximum pooling has indices");
  if (kind == Kind::PoolBackward && max && !pool.indices)
    invalid("pooling: the backward of maximum pooling needs indices");
}

struct Choice {
  dnnl::pooling_forward::primitive_desc forward;
  dnnl::pooling_backward::primitive_desc backward;
};

/// Forward and backward are always chosen together when there are indices, so that both plans agree on their layout.
Choice choose(const Pooling &pool, Kind kind) {
  memory::dims dilations = pool.dilations;
  for (auto &dilation : dilations)
    --dilation; // oneDNN counts the gaps
  dnnl::primitive_attr attr = attributes({}, {});
  bool training = kind == Kind::PoolBackward || pool.indices;
  std::string reason;
  for (bool any : {false, true}) {
    try {
      Choice choice;
      memory::desc src = describeTensor(pool.src);
      // Only src needs a layout of the caller's: oneDNN derives dst from it.
      if (any)
        src = memory::desc(pool.src.dims, dataType(pool.src.type),
                           pool.src.dims.size() == 3   ? memory::format_tag::nwc
                           : pool.src.dims.size() == 4 ? memory::format_tag::nhwc
                                                       : memory::format_tag::ndhwc);
      memory::desc dst = any ? describeAny(pool.dst) : describeTensor(pool.dst);
      choice.forward = dnnl::pooling_forward::primitive_desc(
          dnnlEngine(), training ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference,
          algorithm(pool.mode), src, dst, pool.strides, pool.window, dilations, pool.padBegin, pool.padEnd, attr);
      bool fast = !isReference(choice.forward);
      if (fast && training) {
        choice.backward = dnnl::pooling_backward::primitive_desc(
            dnnlEngine(), algorithm(pool.mode), choice.forward.src_desc(), choice.forward.dst_desc(), pool.strides,
            pool.window, dilations, pool.padBegin, pool.padEnd, choice.forward, attr);
        fast = !isReference(choice.backward);
      }
      if (fast)
        return choice;
      reason = "only a reference implementation";
    } catch (const dnnl::error &error) {
      reason = error.what();
    }
  }
  unsupported("oneDNN has no fast pooling for src " + text(pool.src.dims) + ", window " + text(pool.window) + ": " +
              reason);
}

} // namespace

std::unique_ptr<DnnlPlan> raf::rt::buildPooling(const Pooling &pool, Kind kind, int64_t threads) {
  check(pool, kind);
  Choice choice = choose(pool, kind);
  memory::desc src = describeTensor(pool.src), dst = describeTensor(pool.dst);
  auto plan = std::make_unique<DnnlPlan>(pool.workspaceBuffer() + 1, threads);
  Arguments arguments(*plan);
  if (kind == Kind::PoolForward) {
    arguments.input(DNNL_ARG_SRC, Pooling::kForwardSrc, src, choice.forward.src_desc(), "src");
    arguments.output(DNNL_ARG_DST, Pooling::kForwardDst, dst, choice.forward.dst_desc(), "dst");
    if (pool.indices)
      arguments.opaque(DNNL_ARG_WORKSPACE, Pooling::kForwardIndices, choice.forward.workspace_desc());
    arguments.run(dnnl::pooling_forward(choice.forward), choice.forward);
    return plan;
  }
  arguments.input(DNNL_ARG_DIFF_DST, Pooling::kBackwardDst, dst, choice.backward.diff_dst_desc(), "dst");
  if (pool.indices)
    arguments.opaque(DNNL_ARG_WORKSPACE, Pooling::kBackwardIndices, choice.forward.workspace_desc());
  arguments.output(DNNL_ARG_DIFF_SRC, pool.backwardSrc(), src, choice.backward.diff_src_desc(), "src");
  arguments.run(dnnl::pooling_backward(choice.backward), choice.backward);
  return plan;
}
