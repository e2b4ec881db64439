// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions. Weights always go through oneDNN's own layout (they are small beside the work); activations do so only when
// the caller's layout has no fast kernel, or when the rule below says that the copies pay.
#include "cpu/Descs.h"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace raf::rt;
using namespace raf::rt::plan;
using dnnl::memory;

namespace {

void checkGeometry(const Convolution &conv, size_t spatial) {
  if (conv.strides.size() != spatial || conv.dilations.size() != spatial || conv.padBegin.size() != spatial ||
      conv.padEnd.size() != spatial)
    invalid("convolution: strides, dilations and padding must have " + std::to_string(spatial) + " elements each");
  constexpr int64_t kMost = int64_t(1) << 24;
  for (size_t i = 0; i < spatial; ++i) {
    for (int64_t value : {conv.strides[i], conv.dilations[i]})
      if (value < 1 || value > kMost)
        invalid("convolution: strides and dilations must be positive, got " + text(conv.strides) + " and " +
                text(conv.dilations));
    for (int64_t value : {conv.padBegin[i], conv.padEnd[i]})
      if (value < 0 || value > kMost)
        invalid("convolution: padding must not be negative, got " + text(conv.padBegin) + " and " + text(conv.padEnd));
    if (conv.weights.dims[i + 2] > kMost)
      invalid("convolution: wrong window " + text(conv.weights.dims));
    int64_t reach = (conv.weights.dims[i + 2] - 1) * conv.dilations[i] + 1;
    checkPlaces("convolution", conv.src, conv.dst, i, reach, conv.padBegin[i] + conv.padEnd[i], conv.strides[i]);
  }
}

void check(const Convolution &conv, Kind kind) {
  checkTensor(conv.src, "src", 3, 5);
  size_t rank = conv.src.dims.size();
  checkWeights(conv.weights, "weights", rank, rank);
  if (conv.weights.packed() && conv.groups != 1)
    invalid("convolution: packed weights must be of one group, got " + std::to_string(conv.groups));
  checkTensor(conv.dst, "dst", rank, rank);
  const auto &src = conv.src.dims, &weights = conv.weights.dims, &dst = conv.dst.dims;
  if (conv.groups < 1 || conv.groups > src[1] || src[1] % conv.groups || dst[1] % conv.groups)
    invalid("convolution: " + std::to_string(conv.groups) + " groups do not divide " + std::to_string(src[1]) + " and " +
            std::to_string(dst[1]) + " channels");
  if (src[0] != dst[0] || weights[0] != dst[1] || weights[1] != src[1] / conv.groups)
    invalid("convolution: src " + text(src) + ", weights " + text(weights) + " and dst " + text(dst) + " do not fit, " +
            std::to_string(conv.groups) + " groups");
  checkGeometry(conv, rank - 2);
  if (conv.bias.present()) {
    if (kind == Kind::ConvBackwardData)
      invalid("convolution: backward data takes no bias");
    checkTensor(conv.bias, "bias", 1, 1);
    if (conv.bias.dims[0] != dst[1])
      invalid("convolution: bias has " + std::to_string(conv.bias.dims[0]) + " elements for " + std::to_string(dst[1]) +
              " channels");
  }
  if (kind != Kind::ConvForward && !conv.postOps.empty())
    invalid("convolution: only the forward kind takes post-ops");
  checkPostOps(conv.postOps, conv.dst);
  if (conv.activations < Internal::Auto || conv.activations > Internal::Any)
    invalid("convolution: unknown choice of layout " + std::to_string(static_cast<int64_t>(conv.activations)));
}

/// [O, I / G, window...] as oneDNN's [G, O / G, I / G, window...].
Tensor grouped(const Tensor &weights, int64_t groups) {
  if (groups == 1)
    return weights;
  Tensor result = weights;
  int64_t perGroup = weights.dims[0] / groups;
  result.dims[0] = perGroup;
  result.dims.insert(result.dims.begin(), groups);
  result.strides.insert(result.strides.begin(), weights.strides[0] * perGroup);
  return result;
}

bool isChannelsLast(const Tensor &tensor) { return tensor.dims[1] == 1 || tensor.strides[1] == 1; }

double elements(const Tensor &tensor) {
  return std::accumulate(tensor.dims.begin(), tensor.dims.end(), 1.0, std::multiplies<double>());
}

/// How the primitive sees the activations.
enum class Layout { Theirs, Library, ChannelsLast };

/// Layouts to try, in order. The rules come from the measurements in runtime/README.md.
std::vector<Layout> layouts(const Convolution &conv, Kind kind) {
  if (conv.activations == Internal::Plain)
    return {Layout::Theirs};
  if (conv.activations == Internal::Any)
    return {Layout::Library, Layout::ChannelsLast, Layout::Theirs};
  const auto &weights = conv.weights.dims;
  bool pointwise = std::all_of(weights.begin() + 2, weights.end(), [](int64_t size) { return size == 1; });
  if (isChannelsLast(conv.src) && isChannelsLast(conv.dst)) {
    // The library's blocked kernels are the faster ones for deep layers with small images, where copies cost little.
    bool deep = !pointwise && elements(conv.weights) > elements(conv.src) + elements(conv.dst);
    if (deep && kind != Kind::ConvBackwardWeights)
      return {Layout::Library, Layout::Theirs};
    return {Layout::Theirs, Layout::Library};
  }
  int64_t inputs = weights[1];
  // A pointwise convolution of an image with channels first is a matrix product as it lies. A gradient of very few
  // channels would fill the library's blocks of 16 with zeros.
  if ((pointwise && conv.groups == 1) || (kind == Kind::ConvBackwardData && inputs <= 4))
    return {Layout::Theirs, Layout::Library, Layout::ChannelsLast};
  if (kind == Kind::ConvBackwardWeights && inputs > 4 && inputs % 16 != 0)
    return {Layout::ChannelsLast, Layout::Library, Layout::Theirs};
  return {Layout::Library, Layout::ChannelsLast, Layout::Theirs};
}

struct Geometry {
  memory::dims strides, dilations, padBegin, padEnd;

  explicit Geometry(const Convolution &conv)
      : strides(conv.strides), dilations(conv.dilations), padBegin(conv.padBegin), padEnd(conv.padEnd) {
    for (auto &dilation : dilations)
      --dilation; // oneDNN counts the gaps
  }
};

struct Descs {
  memory::desc src, weights, dst, bias;
};

/// The weights as the primitive takes them: those that are read may be stored in f32 for activations of 16 bits, and are rounded when they are brought into the primitive's layout.
Tensor computedWeights(const Convolution &conv, Kind kind) {
  Tensor weights = grouped(conv.weights, conv.groups);
  Type with = kind == Kind::ConvBackwardData ? conv.dst.type : conv.src.type;
  if (kind != Kind::ConvBackwardWeights && weights.type == Type::F32 && (with == Type::BF16 || with == Type::F16))
    weights.type = with;
  return weights;
}

memory::desc describeAs(const Tensor &tensor, Layout layout) {
  switch (layout) {
  case Layout::Library:
    return describeAny(tensor);
  case Layout::ChannelsLast:
    return describeTensor(Tensor::channelsLast(tensor.type, tensor.dims));
  default:
    return describeTensor(tensor);
  }
}

Descs describe(const Convolution &conv, Kind kind, Layout layout) {
  Descs descs;
  descs.src = describeAs(conv.src, layout);
  descs.dst = describeAs(conv.dst, layout);
  descs.weights = describeAny(computedWeights(conv, kind));
  if (conv.bias.present())
    descs.bias = describeTensor(Tensor::dense(conv.bias.type, conv.bias.dims));
  return descs;
}

dnnl::convolution_forward::primitive_desc forwardDesc(const Descs &descs, const Geometry &geometry,
                                                      const dnnl::primitive_attr &attr) {
  // Backward kinds need a training pass as their hint; for the forward kind itself it makes no difference.
  constexpr auto prop = dnnl::prop_kind::forward_training;
  constexpr auto direct = dnnl::algorithm::convolution_direct;
  if (descs.bias)
    return {dnnlEngine(),     prop, direct, descs.src, descs.weights, descs.bias, descs.dst, geometry.strides, geometry.dilations,
            geometry.padBegin, geometry.padEnd, attr};
  return {dnnlEngine(),      prop,           direct, descs.src, descs.weights, descs.dst, geometry.strides, geometry.dilations,
          geometry.padBegin, geometry.padEnd, attr};
}

dnnl::primitive_attr userScratchpad() { return attributes({}, {}); }

std::string request(const Convolution &conv) {
  return "src " + text(conv.src.dims) + ", weights " + text(conv.weights.dims) + ", " + std::to_string(conv.groups) +
         " groups";
}

/// Calls `make` with the layouts in order until one gives a fast implementation.
template <class Make> auto choose(const Convolution &conv, Kind kind, const char *what, Make make) {
  std::string reason;
  for (Layout layout : layouts(conv, kind)) {
    try {
      auto desc = make(layout);
      if (!isReference(desc))
        return desc;
      reason = "only a reference implementation";
    } catch (const dnnl::error &error) {
      reason = error.what();
    }
  }
  unsupported(std::string("oneDNN has no fast ") + what + " for " + request(conv) + ": " + reason);
}

memory::desc describeWeights(const Convolution &conv) { return describeTensor(grouped(conv.weights, conv.groups)); }

/// "avx512_core" of "brgconv_1x1:avx512_core".
std::string instructionSet(const char *implementation) {
  std::string text = implementation;
  return text.substr(text.rfind(':') + 1);
}

/// The primitive with weights in square blocks that divide them, where those that the library prefers would have to be filled with zeros: such weights could not be
/// kept in blocks between steps, and it would reorder them in each. Its kernel for these blocks is as fast if it has the same instructions (runtime/README.md). What was given where there is none.
dnnl::convolution_forward::primitive_desc withDenseBlocks(const dnnl::convolution_forward::primitive_desc &preferred, Descs descs, const Geometry &geometry,
                                                          const dnnl::primitive_attr &attr) {
  memory::desc weights = preferred.weights_desc();
  auto dims = weights.get_dims();
  if (weights.get_padded_dims() == dims || dims.size() != 4 || weights.get_data_type() != memory::data_type::f32)
    return preferred;
  for (auto [block, tag] : {std::pair(16, memory::format_tag::OIhw16i16o), std::pair(8, memory::format_tag::OIhw8i8o)}) {
    if (dims[0] % block || dims[1] % block)
      continue;
    descs.weights = memory::desc(dims, memory::data_type::f32, tag);
    try {
      auto desc = forwardDesc(descs, geometry, attr);
      if (!isReference(desc) && instructionSet(desc.impl_info_str()) == instructionSet(preferred.impl_info_str()))
        return desc;
    } catch (const dnnl::error &) {
    }
  }
  return preferred;
}

struct Forward {
  dnnl::convolution_forward::primitive_desc desc;
  std::vector<Operand> operands;
};

Forward chooseForward(const Convolution &conv, const Geometry &geometry) {
  Forward choice;
  choice.desc = choose(conv, Kind::ConvForward, "convolution", [&](Layout layout) {
    Descs descs = describe(conv, Kind::ConvForward, layout);
    dnnl::convolution_forward::primitive_desc desc;
    for (Operands how : {Operands::LikeResult, Operands::Expanded}) {
      Tensor dst = layout == Layout::ChannelsLast ? Tensor::channelsLast(conv.dst.type, conv.dst.dims) : conv.dst;
      choice.operands = operandsFor(conv.postOps, dst, how);
      if (layout == Layout::Library) // oneDNN then gives operands of the result's dims the result's layout
        for (Operand &operand : choice.operands)
          if (operand.wanted.get_dims() == conv.dst.dims)
            operand.wanted = memory::desc(conv.dst.dims, operand.wanted.get_data_type(), memory::format_tag::any);
      try {
        dnnl::primitive_attr attr = attributes(conv.postOps, choice.operands);
        desc = withDenseBlocks(forwardDesc(descs, geometry, attr), descs, geometry, attr);
        if (!isReference(desc))
          break;
      } catch (const dnnl::error &) {
        if (how == Operands::Expanded)
          throw;
      }
    }
    return desc;
  });
  for (Operand &operand : choice.operands)
    operand.wanted = choice.desc.query_md(
        dnnl::query::exec_arg_md, DNNL_ARG_ATTR_MULTIPLE_POST_OP(static_cast<int>(operand.index)) | DNNL_ARG_SRC_1);
  return choice;
}

std::unique_ptr<DnnlPlan> forward(const Convolution &conv, int64_t threads) {
  Geometry geometry(conv);
  auto [desc, operands] = chooseForward(conv, geometry);
  auto plan = std::make_unique<DnnlPlan>(conv.workspaceBuffer() + 1, threads);
  Arguments arguments(*plan);
  arguments.input(DNNL_ARG_SRC, 0, describeTensor(conv.src), desc.src_desc(), "src");
  arguments.input(DNNL_ARG_WEIGHTS, 1, describeWeights(conv), desc.weights_desc(), "weights");
  if (conv.bias.present())
    arguments.input(DNNL_ARG_BIAS, Convolution::kBias, describeTensor(conv.bias), desc.bias_desc(), "bias");
  arguments.operands(operands, conv.operandBuffer(0));
  arguments.output(DNNL_ARG_DST, 2, describeTensor(conv.dst), desc.dst_desc(), "dst", hasSum(conv.postOps));
  arguments.run(dnnl::convolution_forward(desc), desc);
  return plan;
}

dnnl::convolution_backward_data::primitive_desc chooseBackwardData(const Convolution &conv) {
  Geometry geometry(conv);
  return choose(conv, Kind::ConvBackwardData, "convolution backward data", [&](Layout layout) {
    Descs descs = describe(conv, Kind::ConvBackwardData, layout);
    // The gradient may be wider than the input of the forward pass, which has the type of dst.
    Descs hintDescs = descs;
    if (conv.src.type != conv.dst.type)
      hintDescs.src = memory::desc(descs.src.get_dims(), descs.dst.get_data_type(), memory::format_tag::any);
    auto hint = forwardDesc(hintDescs, geometry, userScratchpad());
    return dnnl::convolution_backward_data::primitive_desc(
        dnnlEngine(), dnnl::algorithm::convolution_direct, descs.src, descs.weights, descs.dst, geometry.strides,
        geometry.dilations, geometry.padBegin, geometry.padEnd, hint, userScratchpad());
  });
}

std::unique_ptr<DnnlPlan> backwardData(const Convolution &conv, int64_t threads) {
  auto desc = chooseBackwardData(conv);
  auto plan = std::make_unique<DnnlPlan>(conv.workspaceBuffer() + 1, threads);
  Arguments arguments(*plan);
  arguments.input(DNNL_ARG_DIFF_DST, 0, describeTensor(conv.dst), desc.diff_dst_desc(), "dst");
  arguments.input(DNNL_ARG_WEIGHTS, 1, describeWeights(conv), desc.weights_desc(), "weights");
  arguments.output(DNNL_ARG_DIFF_SRC, 2, describeTensor(conv.src), desc.diff_src_desc(), "src");
  arguments.run(dnnl::convolution_backward_data(desc), desc);
  return plan;
}

dnnl::convolution_backward_weights::primitive_desc chooseBackwardWeights(const Convolution &conv) {
  Geometry geometry(conv);
  return choose(conv, Kind::ConvBackwardWeights, "convolution backward weights", [&](Layout layout) {
    Descs descs = describe(conv, Kind::ConvBackwardWeights, layout);
    // The gradient may be wider than the weights of the forward pass, which have the type of src.
    Descs hintDescs = descs;
    hintDescs.weights = memory::desc(descs.weights.get_dims(), descs.src.get_data_type(), memory::format_tag::any);
    auto hint = forwardDesc(hintDescs, geometry, userScratchpad());
    constexpr auto direct = dnnl::algorithm::convolution_direct;
    using Desc = dnnl::convolution_backward_weights::primitive_desc;
    if (descs.bias)
      return Desc(dnnlEngine(), direct, descs.src, descs.weights, descs.bias, descs.dst, geometry.strides,
                  geometry.dilations, geometry.padBegin, geometry.padEnd, hint, userScratchpad());
    return Desc(dnnlEngine(), direct, descs.src, descs.weights, descs.dst, geometry.strides, geometry.dilations,
                geometry.padBegin, geometry.padEnd, hint, userScratchpad());
  });
}

std::unique_ptr<DnnlPlan> backwardWeights(const Convolution &conv, int64_t threads) {
  auto desc = chooseBackwardWeights(conv);
  auto plan = std::make_unique<DnnlPlan>(conv.workspaceBuffer() + 1, threads);
  Arguments arguments(*plan);
  arguments.input(DNNL_ARG_SRC, 0, describeTensor(conv.src), desc.src_desc(), "src");
  arguments.input(DNNL_ARG_DIFF_DST, 1, describeTensor(conv.dst), desc.diff_dst_desc(), "dst");
  arguments.output(DNNL_ARG_DIFF_WEIGHTS, 2, describeWeights(conv), desc.diff_weights_desc(), "weights");
  if (conv.bias.present())
    arguments.output(DNNL_ARG_DIFF_BIAS, Convolution::kBias, describeTensor(conv.bias), desc.diff_bias_desc(), "bias");
  arguments.run(dnnl::convolution_backward_weights(desc), desc);
  return plan;
}

} // namespace

std::unique_ptr<DnnlPlan> raf::rt::buildConvolution(const Convolution &conv, Kind kind, int64_t threads) {
  check(conv, kind);
  switch (kind) {
  case Kind::ConvBackwardData:
    return backwardData(conv, threads);
  case Kind::ConvBackwardWeights:
    return backwardWeights(conv, threads);
  default:
    return forward(conv, threads);
  }
}

Tensor raf::rt::packedWeights(const Convolution &conv, Kind kind) {
  check(conv, kind);
  if (conv.groups != 1)
    return {};
  memory::desc wanted = kind == Kind::ConvForward        ? chooseForward(conv, Geometry(conv)).desc.weights_desc()
                        : kind == Kind::ConvBackwardData ? chooseBackwardData(conv).weights_desc()
                                                         : chooseBackwardWeights(conv).diff_weights_desc();
  Tensor weights = computedWeights(conv, kind);
  return conv.weights.packed() && wanted == describeTensor(weights) ? Tensor() : packedTensor(wanted, weights.type);
}
