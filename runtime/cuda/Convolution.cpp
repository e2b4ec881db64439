// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions of cuDNN, each a graph of one operation: tensors, the operation, engines that the library proposes for it, and
// the first plan whose workspace fits.
#include "core/PlanChecks.h"
#include "cuda/CudaPlan.h"
#include "cuda/Cudnn.h"
#include "cuda/Device.h"

#include <algorithm>
#include <limits>

#include <dlfcn.h>

using namespace raf::rt;
using namespace raf::rt::cuda;
using namespace raf::rt::plan;

namespace {

constexpr int64_t kAlignment = 16;
/// Engines work on copies in other layouts; larger ones are not worth the memory.
constexpr int64_t kMostWorkspace = int64_t(256) << 20;
constexpr int64_t kEngines = 16; // asked for

// Of a tensor within the graph.
enum Id : int64_t { kX = 1, kW = 2, kY = 3 };

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

bool sameMemory(const Tensor &tensor, const Tensor &packed) {
  for (size_t i = 0; i < tensor.dims.size(); ++i)
    if (tensor.dims[i] > 1 && tensor.strides[i] != packed.strides[i])
      return false;
  return true;
}

void checkRequest(const Convolution &conv) {
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
  if (conv.bias.present() || !conv.postOps.empty())
    unsupported("a convolution of cuDNN has no bias and no post-ops here");
  Type type = conv.src.type;
  if ((type != Type::F32 && type != Type::BF16 && type != Type::F16) || conv.weights.type != type || conv.dst.type != type)
    unsupported(std::string("cuDNN does not convolve ") + typeName(type) + " with " + typeName(conv.weights.type) + " to " +
                typeName(conv.dst.type));
  bool first = true, last = true;
  for (const Tensor *tensor : {&conv.src, &conv.weights, &conv.dst}) {
    first = first && sameMemory(*tensor, Tensor::dense(tensor->type, tensor->dims));
    last = last && sameMemory(*tensor, Tensor::channelsLast(tensor->type, tensor->dims));
  }
  if (!first && !last)
    unsupported("cuDNN wants activations and weights both with channels first or both with channels last");
}

/// The library, opened once a device.
struct Library {
  Cudnn api;
  cudnnHandle_t handle = nullptr;
  /// Only the stand-in has it: what it finds wrong, in words.
  const char *(*complaint)() = nullptr;

  explicit Library(Device &device) {
    Libraries &libraries = device.libraries();
    const Libraries::Library &file = libraries.library("libcudnn.so.9");
#define RAF_LOAD(name, parameters) api.name = reinterpret_cast<decltype(api.name)>(libraries.symbol(file, #name));
    RAF_CUDNN(RAF_LOAD)
#undef RAF_LOAD
    if (void *function = dlsym(file.handle, "raf_sim_cudnn_complaint"))
      complaint = reinterpret_cast<const char *(*)()>(function);
    check(api.cudnnCreate(&handle), "starting");
  }
  ~Library() {
    if (handle)
      api.cudnnDestroy(handle);
  }

  void check(cudnnStatus_t status, const std::string &what) const {
    if (status == CUDNN_STATUS_SUCCESS)
      return;
    // In cuDNN 9 the thousands say the kind of failure.
    int kind = status / 1000;
    const char *name = kind == 2 ? "bad parameter" : kind == 3 ? "not supported" : kind == 5 ? "the execution failed" : "see cudnnStatus_t";
    throw Error(kind == 3 ? RAF_RT_UNSUPPORTED : RAF_RT_FAILED,
                "cuDNN failed with status " + std::to_string(status) + " (" + name + "): " + what +
                    (complaint ? std::string("; ") + complaint() : ""));
  }

  static std::shared_ptr<Library> of(Device &device) {
    std::shared_ptr<void> &entry = device.shared["cudnn"];
    if (!entry)
      entry = std::make_shared<Library>(device);
    return std::static_pointer_cast<Library>(entry);
  }
};

cudnnDataType_t dataType(Type type) {
  return type == Type::BF16 ? CUDNN_DATA_BFLOAT16 : type == Type::F16 ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;
}

class ConvolutionPlan : public Plan {
public:
  ConvolutionPlan(raf_rt_context *ctx, Device &device, const Convolution &conv, CudaKind kind, int64_t workspace)
      : ctx(ctx), library(Library::of(device)), operation(operationOf(kind)) {
    description = operation.name + (" " + text(conv.src.dims)) + " * " + text(conv.weights.dims) + " " + typeName(conv.src.type);
    try {
      prepare(conv, workspace);
    } catch (...) {
      dispose();
      throw;
    }
  }
  ~ConvolutionPlan() override { dispose(); }

  const char *describe() const override { return description.c_str(); }

  void execute(void **buffers) override {
    for (int i = 0; i < 3; ++i)
      if (!buffers[i] || reinterpret_cast<std::uint64_t>(buffers[i]) % kAlignment)
        throw Error(RAF_RT_INVALID, "buffer " + std::to_string(i) + (buffers[i] ? " is not aligned to 16 bytes (" : " is NULL (") +
                                        description + ")");
    void *workspace = buffers[3];
    if (needed > 0 && !workspace)
      throw Error(RAF_RT_INVALID, "the workspace is NULL (" + description + ")");
    int64_t ids[] = {operation.order[0], operation.order[1], operation.order[2]};
    cudnnBackendDescriptor_t pack = nullptr;
    library->check(library->api.cudnnBackendCreateDescriptor(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, &pack), description);
    try {
      set(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, 3, ids);
      set(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, 3, buffers);
      set(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
      library->check(library->api.cudnnBackendFinalize(pack), description);
      library->check(library->api.cudnnSetStream(library->handle, static_cast<Device &>(*ctx->device).stream()), description);
      library->check(library->api.cudnnBackendExecute(library->handle, plan, pack), description);
    } catch (...) {
      library->api.cudnnBackendDestroyDescriptor(pack);
      throw;
    }
    library->api.cudnnBackendDestroyDescriptor(pack);
  }

private:
  void set(cudnnBackendDescriptor_t desc, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count,
           const void *elements) {
    library->check(library->api.cudnnBackendSetAttribute(desc, name, type, count, elements), description);
  }

  cudnnBackendDescriptor_t create(cudnnBackendDescriptorType_t type) {
    cudnnBackendDescriptor_t desc = nullptr;
    library->check(library->api.cudnnBackendCreateDescriptor(type, &desc), description);
    owned.push_back(desc);
    return desc;
  }

  void finalize(cudnnBackendDescriptor_t desc) { library->check(library->api.cudnnBackendFinalize(desc), description); }

  cudnnBackendDescriptor_t tensor(const Tensor &given, int64_t id) {
    std::vector<int64_t> dims = given.dims, strides = given.strides;
    if (dims.size() == 3) { // the library knows planes and volumes: a line is a plane of height 1
      dims.insert(dims.begin() + 2, 1);
      strides.insert(strides.begin() + 2, strides[2] * dims[3]);
    }
    cudnnBackendDescriptor_t desc = create(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    cudnnDataType_t type = dataType(given.type);
    int64_t rank = dims.size(), alignment = kAlignment;
    set(desc, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type);
    set(desc, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, rank, dims.data());
    set(desc, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, rank, strides.data());
    set(desc, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &id);
    set(desc, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &alignment);
    finalize(desc);
    return desc;
  }

  cudnnBackendDescriptor_t window(const Convolution &conv) {
    cudnnBackendDescriptor_t desc = create(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    cudnnDataType_t compute = CUDNN_DATA_FLOAT;
    cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
    auto widened = [](std::vector<int64_t> values, int64_t neutral) {
      if (values.size() == 1)
        values.insert(values.begin(), neutral);
      return values;
    };
    std::vector<int64_t> strides = widened(conv.strides, 1), dilations = widened(conv.dilations, 1), padding = widened(conv.padBegin, 0);
    int64_t spatial = strides.size();
    set(desc, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &compute);
    set(desc, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode);
    set(desc, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, 1, &spatial);
    set(desc, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, spatial, strides.data());
    set(desc, CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, spatial, dilations.data());
    set(desc, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, spatial, padding.data());
    set(desc, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, spatial, padding.data());
    finalize(desc);
    return desc;
  }

  void prepare(const Convolution &conv, int64_t workspace) {
    cudnnBackendDescriptor_t x = tensor(conv.src, kX), w = tensor(conv.weights, kW), y = tensor(conv.dst, kY), c = window(conv);
    cudnnBackendDescriptor_t op = create(operation.type);
    float one = 1, zero = 0;
    set(op, operation.conv, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &c);
    set(op, operation.x, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &x);
    set(op, operation.w, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &w);
    set(op, operation.y, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &y);
    set(op, operation.alpha, CUDNN_TYPE_FLOAT, 1, &one);
    set(op, operation.beta, CUDNN_TYPE_FLOAT, 1, &zero);
    finalize(op);
    cudnnBackendDescriptor_t graph = create(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    set(graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &library->handle);
    set(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &op);
    finalize(graph);
    for (cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK})
      for (cudnnBackendDescriptor_t config : engines(graph, mode))
        if (usable(config, workspace))
          return;
    unsupported("cuDNN has no engine for " + description + " with " + std::to_string(workspace) + " bytes of workspace");
  }

  std::vector<cudnnBackendDescriptor_t> engines(cudnnBackendDescriptor_t graph, cudnnBackendHeurMode_t mode) {
    cudnnBackendDescriptor_t heuristics = create(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    set(heuristics, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &graph);
    set(heuristics, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode);
    if (library->api.cudnnBackendFinalize(heuristics) != CUDNN_STATUS_SUCCESS)
      return {}; // nothing in this mode
    std::vector<cudnnBackendDescriptor_t> configs;
    for (int64_t i = 0; i < kEngines; ++i)
      configs.push_back(create(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR));
    int64_t count = 0;
    library->check(library->api.cudnnBackendGetAttribute(heuristics, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                                         kEngines, &count, configs.data()),
                   description);
    configs.resize(std::min(count, kEngines));
    return configs;
  }

  /// Whether the engine makes a plan that the workspace is large enough for.
  bool usable(cudnnBackendDescriptor_t config, int64_t workspace) {
    cudnnBackendDescriptor_t candidate = create(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    set(candidate, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &library->handle);
    set(candidate, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &config);
    if (library->api.cudnnBackendFinalize(candidate) != CUDNN_STATUS_SUCCESS)
      return false; // an engine may be proposed and not be there on this device
    int64_t count = 0;
    library->check(library->api.cudnnBackendGetAttribute(candidate, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1,
                                                         &count, &needed),
                   description);
    if (needed > workspace)
      return false;
    plan = candidate;
    return true;
  }

  void dispose() {
    for (auto desc = owned.rbegin(); desc != owned.rend(); ++desc)
      library->api.cudnnBackendDestroyDescriptor(*desc);
  }

  raf_rt_context *ctx;
  std::shared_ptr<Library> library;
  const Operation &operation;
  std::string description;
  std::vector<cudnnBackendDescriptor_t> owned;
  cudnnBackendDescriptor_t plan = nullptr;
  int64_t needed = 0;
};

class ConvolutionRequest : public Request {
public:
  ConvolutionRequest(Convolution given, CudaKind kind) : conv(std::move(given)), kind(kind) { checkRequest(conv); }

  std::vector<int64_t> bufferBytes() const override {
    std::vector<int64_t> bytes;
    for (Id id : operationOf(kind).order)
      bytes.push_back(spanBytes(id == kX ? conv.src : id == kW ? conv.weights : conv.dst));
    return bytes;
  }

  /// Room for each tensor in another layout, of f32.
  int64_t workspaceBytes() const override {
    int64_t bytes = 0;
    for (const Tensor *tensor : {&conv.src, &conv.weights, &conv.dst})
      bytes += std::min(kMostWorkspace, (spanBytes(*tensor) / elementBytes(tensor->type) * 4 + 255) / 256 * 256);
    return std::min(kMostWorkspace, bytes);
  }

  std::unique_ptr<Plan> build(raf_rt_context *ctx, Device &device, int64_t workspace) const override {
    return std::make_unique<ConvolutionPlan>(ctx, device, conv, kind, workspace);
  }

private:
  Convolution conv;
  CudaKind kind;
};

} // namespace

std::unique_ptr<Request> raf::rt::cuda::checkConvolution(Convolution request, CudaKind kind) {
  return std::make_unique<ConvolutionRequest>(std::move(request), kind);
}
