// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions of cuDNN, each a graph of one operation, or with what follows it of several.
#include "core/PlanChecks.h"
#include "cuda/CudnnGraph.h"

#include <limits>

using namespace raf::rt;
using namespace raf::rt::cuda;
using namespace raf::rt::plan;

namespace {

// Of a tensor within the graph.
enum Id : int64_t { kX, kW, kY };

/// Where the operations differ.
struct Operation {
  const char *name;
  cudnnBackendDescriptorType_t type;
  cudnnBackendAttributeName_t alpha, beta, conv, x, w, y;
  Id order[3]; // of the buffers
};

const Operation &operationOf(CudaKind kind) {
  static const Operation forward = {"cudnn.conv",
                                    CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
                                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
                                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
                                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
                                    {kX, kW, kY}};
  static const Operation data = {"cudnn.conv_input_grad",
                                 CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
                                 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                                 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
                                 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                                 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                                 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                                 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                                 {kY, kW, kX}};
  static const Operation weights = {"cudnn.conv_weight_grad",
                                    CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
                                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
                                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA,
                                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
                                    {kX, kY, kW}};
  return kind == CudaKind::ConvForward ? forward : kind == CudaKind::ConvBackwardData ? data : weights;
}

const Tensor &tensorOf(const Convolution &conv, Id id) { return id == kX ? conv.src : id == kW ? conv.weights : conv.dst; }

bool isFused(const Convolution &conv) { return conv.bias.present() || !conv.postOps.empty(); }

/// Whether sums of products in 16 bits are stored as they are, in f32. The library's own operations have one type; with a conversion of the sums after them it has engines that are
/// generated, for tensor cores.
bool widens(const Convolution &conv, CudaKind kind) {
  const Id *order = operationOf(kind).order;
  Type type = tensorOf(conv, order[0]).type;
  return (type == Type::BF16 || type == Type::F16) && tensorOf(conv, order[2]).type == Type::F32;
}

/// Engines that compute more than a convolution are made for tensor cores.
void checkFused(const Convolution &conv, bool tf32, CudaKind kind) {
  if (kind != CudaKind::ConvForward)
    invalid("convolution: bias and post-ops belong to the forward one");
  if (widens(conv, kind))
    unsupported("cuDNN computes more than a convolution in one type only");
  if (conv.bias.present())
    checkTensor(conv.bias, "bias", 1, 1);
  size_t count = conv.postOps.size(), sums = count && conv.postOps[0].kind == PostOpKind::Add;
  if (count > sums + 1 || (count > sums && (conv.postOps[sums].kind < PostOpKind::Relu || conv.postOps[sums].kind > PostOpKind::Swish)))
    unsupported("a convolution of cuDNN is followed by a bias, a sum and one of relu, gelu, tanh, logistic and swish at most");
  if (count > sums) {
    // The library has numbers for a slope below 0 and for the factor of swish: here they are its defaults.
    const PostOp &last = conv.postOps[sums];
    if (last.kind == PostOpKind::Relu && last.alpha != 0)
      unsupported("a convolution of cuDNN is followed by relu with a slope of 0 below 0, got " + std::to_string(last.alpha));
    if (last.kind == PostOpKind::Swish && last.alpha != 1)
      unsupported("a convolution of cuDNN is followed by swish with a factor of 1, got " + std::to_string(last.alpha));
  }
  if (conv.bias.present() && (conv.bias.dims != std::vector<int64_t>{conv.dst.dims[1]} || conv.bias.type != conv.dst.type || (conv.bias.dims[0] > 1 && conv.bias.strides[0] != 1)))
    invalid("convolution: the bias must be [" + std::to_string(conv.dst.dims[1]) + "] of " + typeName(conv.dst.type) + ", got " + text(conv.bias.dims) + " of " + typeName(conv.bias.type));
  if (sums && (conv.postOps[0].operand.type != conv.dst.type || conv.postOps[0].operand.dims != conv.dst.dims || conv.postOps[0].operand.strides != conv.dst.strides))
    unsupported("cuDNN adds to a convolution what lies as its result");
  if (conv.dst.type == Type::F32 && !tf32)
    unsupported("cuDNN computes more than a convolution on tensor cores only: in bf16, f16, or f32 as tf32");
  int64_t unit = 16 / elementBytes(conv.dst.type);
  if (!haveChannelsLast({&conv.src, &conv.weights, &conv.dst}) || conv.groups != 1 || conv.src.dims[1] % unit || conv.dst.dims[1] % unit)
    unsupported("cuDNN computes more than a convolution with channels last, in one group, of a multiple of " + std::to_string(unit) + " channels");
}

void checkRequest(const Convolution &conv, bool tf32, CudaKind kind) {
  checkTensor(conv.src, "src", 3, 5);
  checkTensor(conv.weights, "weights", 3, 5);
  checkTensor(conv.dst, "dst", 3, 5);
  size_t rank = conv.src.dims.size(), spatial = rank - 2;
  if (conv.weights.dims.size() != rank || conv.dst.dims.size() != rank)
    invalid("convolution: src, weights and dst must have one rank");
  for (const auto *values : {&conv.strides, &conv.dilations, &conv.padBegin, &conv.padEnd})
    if (values->size() != spatial)
      invalid("convolution: " + std::to_string(values->size()) + " window values for " + std::to_string(spatial) + " spatial dims");
  int64_t in = conv.src.dims[1], out = conv.dst.dims[1];
  if (conv.groups < 1 || in % conv.groups || out % conv.groups || conv.weights.dims[0] != out ||
      conv.weights.dims[1] != in / conv.groups || conv.src.dims[0] != conv.dst.dims[0])
    invalid("convolution: src " + text(conv.src.dims) + ", weights " + text(conv.weights.dims) + ", dst " + text(conv.dst.dims) +
            " and " + std::to_string(conv.groups) + " groups do not fit together");
  for (size_t i = 0; i < spatial; ++i) {
    if (conv.strides[i] < 1 || conv.dilations[i] < 1 || conv.padBegin[i] < 0 || conv.padEnd[i] < 0)
      invalid("convolution: strides and dilations must be positive, padding not negative");
    for (int64_t value : {conv.strides[i], conv.dilations[i], conv.padBegin[i], conv.padEnd[i], conv.weights.dims[i + 2]})
      if (value > std::numeric_limits<int32_t>::max())
        unsupported("convolution: a window of that size");
    checkPlaces("convolution", conv.src, conv.dst, i, (conv.weights.dims[i + 2] - 1) * conv.dilations[i] + 1,
                conv.padBegin[i] + conv.padEnd[i], conv.strides[i]);
    if (conv.padBegin[i] != conv.padEnd[i])
      unsupported("cuDNN pads equally on both sides, not by " + std::to_string(conv.padBegin[i]) + " and " +
                  std::to_string(conv.padEnd[i]));
  }
  const Id *order = operationOf(kind).order;
  Type type = tensorOf(conv, order[0]).type, other = tensorOf(conv, order[1]).type, result = tensorOf(conv, order[2]).type;
  if ((type != Type::F32 && type != Type::BF16 && type != Type::F16) || other != type || (result != type && !widens(conv, kind)))
    unsupported(std::string("cuDNN does not convolve ") + typeName(type) + " with " + typeName(other) + " to " + typeName(result));
  if (widens(conv, kind) && (!haveChannelsLast({&conv.src, &conv.weights, &conv.dst}) || conv.groups != 1 || in % 2 || out % 2))
    unsupported(std::string("cuDNN convolves ") + typeName(type) + " to f32 with channels last, in one group, of an even number of channels");
  if (tf32 && type != Type::F32)
    invalid("convolution: tf32 is for f32 operands");
  if (!haveOneLayout({&conv.src, &conv.weights, &conv.dst}))
    unsupported("cuDNN wants activations and weights both with channels first or both with channels last");
  if (isFused(conv))
    checkFused(conv, tf32, kind);
}

cudnnPointwiseMode_t functionOf(PostOpKind kind) {
  switch (kind) {
  case PostOpKind::GeluErf:
    return CUDNN_POINTWISE_GELU_FWD;
  case PostOpKind::GeluTanh:
    return CUDNN_POINTWISE_GELU_APPROX_TANH_FWD;
  case PostOpKind::Tanh:
    return CUDNN_POINTWISE_TANH_FWD;
  case PostOpKind::Logistic:
    return CUDNN_POINTWISE_SIGMOID_FWD;
  case PostOpKind::Swish:
    return CUDNN_POINTWISE_SWISH_FWD;
  case PostOpKind::Add:
    return CUDNN_POINTWISE_ADD;
  default:
    return CUDNN_POINTWISE_RELU_FWD;
  }
}

class ConvolutionRequest : public Request {
public:
  ConvolutionRequest(CudnnConvolution given, CudaKind kind) : conv(std::move(given.conv)), tf32(given.tf32), kind(kind) { checkRequest(conv, tf32, kind); }

  std::vector<int64_t> bufferBytes() const override {
    std::vector<int64_t> bytes;
    for (Id id : operationOf(kind).order)
      bytes.push_back(spanBytes(of(id)));
    if (conv.bias.present())
      bytes.push_back(spanBytes(conv.bias));
    for (const PostOp &op : conv.postOps)
      if (isBinary(op.kind))
        bytes.push_back(spanBytes(op.operand));
    return bytes;
  }

  int64_t workspaceBytes() const override { return copiesBytes({&conv.src, &conv.weights, &conv.dst}); }

  std::unique_ptr<Plan> build(raf_rt_context *ctx, Device &device, int64_t workspace) const override {
    const Operation &operation = operationOf(kind);
    auto graph = std::make_unique<CudnnGraph>(ctx, device, operation.name + (" " + text(conv.src.dims)) + " * " + text(conv.weights.dims) + " " + typeName(of(operation.order[0]).type) + extras());
    cudnnBackendDescriptor_t tensors[3];
    for (int64_t buffer = 0; buffer < 3; ++buffer)
      tensors[operation.order[buffer]] =
          graph->tensor(of(operation.order[buffer]), buffer, buffer == 2 && widens(conv, kind) ? CudnnGraph::Use::Statistic : CudnnGraph::Use::Data);
    Id last = operation.order[2];
    cudnnBackendDescriptor_t result = tensors[last];
    if (isFused(conv) || widens(conv, kind))
      tensors[last] = graph->between(of(last));
    cudnnBackendDescriptor_t window = graph->make(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, [&](cudnnBackendDescriptor_t desc) {
      cudnnDataType_t compute = CUDNN_DATA_FLOAT;
      cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
      std::vector<int64_t> strides = asPlanes(conv.strides, 1), padding = asPlanes(conv.padBegin, 0);
      graph->set(desc, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &compute);
      graph->set(desc, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode);
      graph->set(desc, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, static_cast<int64_t>(strides.size()));
      graph->set(desc, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, strides);
      graph->set(desc, CUDNN_ATTR_CONVOLUTION_DILATIONS, asPlanes(conv.dilations, 1));
      graph->set(desc, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, padding);
      graph->set(desc, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, padding);
    });
    cudnnBackendDescriptor_t op = graph->make(operation.type, [&](cudnnBackendDescriptor_t desc) {
      float one = 1, zero = 0;
      graph->set(desc, operation.conv, window);
      graph->set(desc, operation.x, tensors[kX]);
      graph->set(desc, operation.w, tensors[kW]);
      graph->set(desc, operation.y, tensors[kY]);
      graph->set(desc, operation.alpha, CUDNN_TYPE_FLOAT, 1, &one);
      graph->set(desc, operation.beta, CUDNN_TYPE_FLOAT, 1, &zero);
    });
    std::vector<cudnnBackendDescriptor_t> operations = {op};
    struct Step {
      cudnnPointwiseMode_t function;
      cudnnBackendDescriptor_t operand;
    };
    std::vector<Step> steps;
    if (conv.bias.present()) {
      std::vector<int64_t> dims(conv.dst.dims.size(), 1);
      dims[1] = conv.dst.dims[1];
      steps.push_back({CUDNN_POINTWISE_ADD, graph->tensor(Tensor::channelsLast(conv.bias.type, dims), Convolution::kBias)});
    }
    for (const PostOp &postOp : conv.postOps)
      steps.push_back({functionOf(postOp.kind), isBinary(postOp.kind) ? graph->tensor(postOp.operand, conv.operandBuffer(0)) : nullptr});
    if (widens(conv, kind))
      steps.push_back({CUDNN_POINTWISE_IDENTITY, nullptr});
    cudnnBackendDescriptor_t value = tensors[last];
    for (size_t i = 0; i < steps.size(); ++i) {
      cudnnBackendDescriptor_t next = i + 1 < steps.size() ? graph->between(of(last)) : result;
      operations.push_back(graph->pointwise(steps[i].function, value, steps[i].operand, next));
      value = next;
    }
    graph->plan(operations, conv.workspaceBuffer(), workspace, {tf32}, kind, encode(CudnnConvolution{conv, tf32}, workspace));
    return graph;
  }

private:
  /// What follows the convolution, for people.
  std::string extras() const {
    static const char *const names[] = {", relu", ", gelu", ", gelu", ", tanh", ", logistic", ", swish"};
    std::string result = widens(conv, kind) ? " to f32" : conv.bias.present() ? " + bias" : "";
    for (const PostOp &op : conv.postOps)
      result += op.kind == PostOpKind::Add ? " + addend" : names[static_cast<int64_t>(op.kind) - 1];
    return result;
  }

  const Tensor &of(Id id) const { return tensorOf(conv, id); }

  Convolution conv;
  bool tf32;
  CudaKind kind;
};

} // namespace

std::unique_ptr<Request> raf::rt::cuda::checkConvolution(CudnnConvolution request, CudaKind kind) {
  return std::make_unique<ConvolutionRequest>(std::move(request), kind);
}
