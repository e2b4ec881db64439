// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/Descs.h"

#include <cmath>
#include <limits>

using namespace raf::rt;
using namespace raf::rt::plan;
using dnnl::memory;

namespace {

void check(const BatchNorm &norm) {
  checkTensor(norm.src, "src", 2, 5);
  checkTensor(norm.dst, "dst", 2, 5);
  checkSameDims(norm.src, "src", norm.dst, "dst");
  if (norm.src.type != norm.dst.type)
    invalid("batch norm: src and dst have different types");
  if (!std::isfinite(norm.epsilon) || norm.epsilon < 0)
    invalid("batch norm: epsilon must not be negative");
  if (norm.src.type != Type::F32 && norm.src.type != Type::BF16 && norm.src.type != Type::F16)
    unsupported("batch norm: src must be f32, bf16 or f16");
}

struct Choice {
  dnnl::batch_normalization_forward::primitive_desc forward;
  dnnl::batch_normalization_backward::primitive_desc backward;
};

/// Forward and backward are chosen together, so that both plans agree on the mask's layout.
Choice choose(const BatchNorm &norm) {
  auto flags = dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift;
  if (norm.relu)
    flags |= dnnl::normalization_flags::fuse_norm_relu;
  dnnl::primitive_attr attr = attributes({}, {});
  float epsilon = static_cast<float>(norm.epsilon);
  std::string reason;
  for (bool last : {false, true}) {
    Tensor tensor = last ? Tensor::channelsLast(norm.src.type, norm.src.dims) : norm.src;
    memory::desc data = describeTensor(tensor);
    try {
      Choice choice;
      choice.forward = {dnnlEngine(), dnnl::prop_kind::forward_training, data, data, epsilon, flags, attr};
      choice.backward = {dnnlEngine(), dnnl::prop_kind::backward, data, data, data, epsilon, flags, choice.forward, attr};
      if (!isReference(choice.forward) && !isReference(choice.backward))
        return choice;
      reason = "only a reference implementation";
    } catch (const dnnl::error &error) {
      reason = error.what();
    }
  }
  unsupported("oneDNN has no fast batch norm for src " + text(norm.src.dims) + ": " + reason);
}

template <typename Element> void fillChannel(const Tensor &tensor, Element *data, int64_t channel, Element value) {
  std::vector<int64_t> dims = tensor.dims, strides = tensor.strides;
  data += channel * strides[1];
  dims[1] = 1;
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  for (int64_t number = 0; number < count; ++number) {
    int64_t rest = number, offset = 0;
    for (size_t d = dims.size(); d-- > 0; rest /= dims[d])
      offset += rest % dims[d] * strides[d];
    data[offset] = value;
  }
}

/// The library's relu makes NaN 0, which would hide a broken step. A NaN or an infinity in src makes the variance of its
/// channel NaN and with it all of the channel, so a look at a few numbers a channel is enough to put NaN back.
void keepNaN(const Tensor &dst, void **buffers) {
  auto isNaN = [&](int64_t buffer, int64_t channel) {
    return std::isnan(static_cast<const float *>(buffers[buffer])[channel]);
  };
  constexpr int64_t scale = 1, shift = 2, mean = 4, variance = 5;
  for (int64_t channel = 0; channel < dst.dims[1]; ++channel) {
    if (!isNaN(scale, channel) && !isNaN(shift, channel) && !isNaN(mean, channel) && !isNaN(variance, channel))
      continue;
    if (dst.type == Type::F32)
      fillChannel(dst, static_cast<float *>(buffers[3]), channel, std::numeric_limits<float>::quiet_NaN());
    else
      fillChannel<uint16_t>(dst, static_cast<uint16_t *>(buffers[3]), channel, dst.type == Type::BF16 ? 0x7fc0 : 0x7e00);
  }
}

} // namespace

std::unique_ptr<DnnlPlan> raf::rt::buildBatchNorm(const BatchNorm &norm, Kind kind, int64_t threads) {
  check(norm);
  Choice choice = choose(norm);
  memory::desc src = describeTensor(norm.src), dst = describeTensor(norm.dst);
  memory::desc channel = describeTensor(Tensor::dense(Type::F32, {norm.src.dims[1]}));
  bool isForward = kind == Kind::BatchNormForward;
  auto plan =
      std::make_unique<DnnlPlan>((isForward ? norm.forwardWorkspace() : norm.backwardWorkspace()) + 1, threads);
  Arguments arguments(*plan);
  if (isForward) {
    memory::desc inside = choice.forward.src_desc();
    arguments.input(DNNL_ARG_SRC, 0, src, inside, "src");
    arguments.input(DNNL_ARG_SCALE, 1, channel, channel, "scale");
    arguments.input(DNNL_ARG_SHIFT, 2, channel, channel, "shift");
    arguments.output(DNNL_ARG_DST, 3, dst, inside, "dst");
    arguments.output(DNNL_ARG_MEAN, 4, channel, channel, "mean");
    arguments.output(DNNL_ARG_VARIANCE, 5, channel, channel, "variance");
    if (norm.relu) {
      arguments.opaque(DNNL_ARG_WORKSPACE, BatchNorm::kForwardMask, choice.forward.workspace_desc());
      plan->finally([dst = norm.dst](void **buffers) { keepNaN(dst, buffers); });
    }
    arguments.run(dnnl::batch_normalization_forward(choice.forward), choice.forward);
    return plan;
  }
  memory::desc inside = choice.backward.src_desc();
  arguments.input(DNNL_ARG_SRC, 0, src, inside, "src");
  arguments.input(DNNL_ARG_MEAN, 1, channel, channel, "mean");
  arguments.input(DNNL_ARG_VARIANCE, 2, channel, channel, "variance");
  arguments.input(DNNL_ARG_DIFF_DST, 3, dst, inside, "gradient of dst");
  arguments.input(DNNL_ARG_SCALE, 4, channel, channel, "scale");
  arguments.output(DNNL_ARG_DIFF_SRC, 5, src, inside, "gradient of src");
  arguments.output(DNNL_ARG_DIFF_SCALE, 6, channel, channel, "gradient of scale");
  arguments.output(DNNL_ARG_DIFF_SHIFT, 7, channel, channel, "gradient of shift");
  if (norm.relu)
    arguments.opaque(DNNL_ARG_WORKSPACE, BatchNorm::kBackwardMask, choice.forward.workspace_desc());
  arguments.run(dnnl::batch_normalization_backward(choice.backward), choice.backward);
  return plan;
}
