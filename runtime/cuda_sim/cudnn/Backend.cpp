// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry points: descriptors are bags of attributes until they are finalized, which is when they are checked.
#include "cuda_sim/cudnn/Backend.h"

using namespace raf::sim;
using namespace raf::sim::dnn;

#define DNN_ENTRY extern "C" __attribute__((visibility("default")))

namespace {

thread_local std::string complaint;

cudnnStatus_t wrong(const std::string &text) {
  complaint = text;
  return CUDNN_STATUS_BAD_PARAM;
}

cudnnStatus_t unsupported(const std::string &text) {
  complaint = text;
  return CUDNN_STATUS_NOT_SUPPORTED;
}

std::size_t sizeOf(cudnnBackendAttributeType_t type) {
  switch (type) {
  case CUDNN_TYPE_INT64:
  case CUDNN_TYPE_VOID_PTR:
  case CUDNN_TYPE_HANDLE:
  case CUDNN_TYPE_BACKEND_DESCRIPTOR:
    return 8;
  default:
    return 4;
  }
}

/// The attributes of a descriptor: first, last (their numbers are together) and their types in order; -1 for one that is not set.
struct Kind {
  cudnnBackendDescriptorType_t type;
  int first;
  std::vector<int> types;
};

const Kind *kindOf(cudnnBackendDescriptorType_t type) {
  constexpr int desc = CUDNN_TYPE_BACKEND_DESCRIPTOR, i64 = CUDNN_TYPE_INT64, f32 = CUDNN_TYPE_FLOAT;
  static const std::vector<Kind> kinds = {
      {CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, 100, {CUDNN_TYPE_DATA_TYPE, CUDNN_TYPE_CONVOLUTION_MODE, i64, i64, i64, i64, i64}},
      {CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, 200, {CUDNN_TYPE_HEUR_MODE, desc}},
      {CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, 300, {}},
      {CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, 400, {CUDNN_TYPE_HANDLE, desc}},
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR, 700, {f32, f32, desc, desc, desc, desc}},
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR, 706, {f32, f32, desc, desc, desc, desc}},
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR, 712, {f32, f32, desc, desc, desc, desc}},
      {CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, 800, {CUDNN_TYPE_HANDLE, desc}},
      {CUDNN_BACKEND_TENSOR_DESCRIPTOR, 900, {i64, CUDNN_TYPE_DATA_TYPE, i64, i64, -1, -1, i64}},
      {CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, 1000, {i64, CUDNN_TYPE_VOID_PTR, -1, CUDNN_TYPE_VOID_PTR}},
  };
  for (const Kind &kind : kinds)
    if (kind.type == type)
      return &kind;
  return nullptr;
}

const Attribute &attribute(const Descriptor &desc, int name) { return desc.attributes.at(name); }
std::int64_t number(const Descriptor &desc, int name) { return *attribute(desc, name).as<std::int64_t>(); }

/// The descriptor that an attribute holds, if it is one of this type and final.
Descriptor *held(const Descriptor &desc, int name, cudnnBackendDescriptorType_t type) {
  auto *result = *attribute(desc, name).as<Descriptor *>();
  return result && result->type == type && result->final ? result : nullptr;
}

cudnnStatus_t readTensor(const Descriptor &desc, Tensor &tensor) {
  const Attribute &dims = attribute(desc, CUDNN_ATTR_TENSOR_DIMENSIONS), &strides = attribute(desc, CUDNN_ATTR_TENSOR_STRIDES);
  if ((dims.count != 4 && dims.count != 5) || strides.count != dims.count)
    return wrong("a tensor of rank " + std::to_string(dims.count) + " with " + std::to_string(strides.count) + " strides");
  int type = *attribute(desc, CUDNN_ATTR_TENSOR_DATA_TYPE).as<int>();
  if (type != CUDNN_DATA_FLOAT && type != CUDNN_DATA_HALF && type != CUDNN_DATA_BFLOAT16)
    return unsupported("data type " + std::to_string(type));
  tensor.type = type == CUDNN_DATA_FLOAT ? Element::F32 : type == CUDNN_DATA_HALF ? Element::F16 : Element::BF16;
  tensor.id = number(desc, CUDNN_ATTR_TENSOR_UNIQUE_ID);
  tensor.alignment = number(desc, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT);
  if (tensor.alignment < bytesOf(tensor.type))
    return wrong("a tensor aligned to " + std::to_string(tensor.alignment) + " bytes");
  for (int i = 0, from = 0; i < 5; ++i) {
    bool plane = dims.count == 4 && i == 2;
    tensor.dims[i] = plane ? 1 : dims.as<std::int64_t>()[from];
    tensor.strides[i] = plane ? 0 : strides.as<std::int64_t>()[from];
    from += !plane;
    if (tensor.dims[i] < 1 || (tensor.dims[i] > 1 && tensor.strides[i] < 1))
      return wrong("a tensor with dimension " + std::to_string(tensor.dims[i]) + " and stride " + std::to_string(tensor.strides[i]));
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t readWindow(const Descriptor &desc, Problem &problem, std::int64_t &spatial) {
  spatial = number(desc, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS);
  if (spatial != 2 && spatial != 3)
    return wrong(std::to_string(spatial) + " spatial dimensions");
  if (*attribute(desc, CUDNN_ATTR_CONVOLUTION_CONV_MODE).as<int>() != CUDNN_CROSS_CORRELATION)
    return unsupported("a flipped filter");
  if (*attribute(desc, CUDNN_ATTR_CONVOLUTION_COMP_TYPE).as<int>() != CUDNN_DATA_FLOAT)
    return unsupported("a compute type other than float");
  for (int name : {CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS,
                   CUDNN_ATTR_CONVOLUTION_POST_PADDINGS})
    if (attribute(desc, name).count != spatial)
      return wrong("attribute " + std::to_string(name) + " has " + std::to_string(attribute(desc, name).count) + " values for " +
                   std::to_string(spatial) + " spatial dimensions");
  for (int i = 0; i < 3; ++i) {
    std::int64_t at = i - (3 - spatial);
    auto value = [&](int name, std::int64_t neutral) { return at < 0 ? neutral : attribute(desc, name).as<std::int64_t>()[at]; };
    problem.stride[i] = value(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, 1);
    problem.dilation[i] = value(CUDNN_ATTR_CONVOLUTION_DILATIONS, 1);
    problem.padding[i] = value(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 0);
    if (problem.stride[i] < 1 || problem.dilation[i] < 1 || problem.padding[i] < 0)
      return wrong("a window with stride " + std::to_string(problem.stride[i]) + ", dilation " + std::to_string(problem.dilation[i]) +
                   " and padding " + std::to_string(problem.padding[i]));
    problem.samePadding &= problem.padding[i] == value(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, 0);
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t checkShapes(const Problem &p, const Descriptor &window) {
  const std::int64_t *x = p.x.dims, *w = p.w.dims, *y = p.y.dims;
  if (x[0] != y[0] || w[0] != y[1] || x[1] % w[1] || y[1] % (x[1] / w[1]))
    return wrong("x with " + std::to_string(x[1]) + " channels, w [" + std::to_string(w[0]) + ", " + std::to_string(w[1]) +
                 "] and y with " + std::to_string(y[1]) + " channels do not fit together");
  const Attribute &after = attribute(window, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS);
  for (int i = 0; i < 3; ++i) {
    std::int64_t at = i - (3 - after.count);
    std::int64_t post = at < 0 ? 0 : after.as<std::int64_t>()[at];
    std::int64_t reach = (w[i + 2] - 1) * p.dilation[i] + 1, room = x[i + 2] + p.padding[i] + post - reach;
    if (room < 0 || y[i + 2] != room / p.stride[i] + 1)
      return wrong("y has size " + std::to_string(y[i + 2]) + " along a spatial dimension, expected " +
                   std::to_string(room < 0 ? 0 : room / p.stride[i] + 1));
  }
  if (p.x.type != p.w.type || p.x.type != p.y.type)
    return unsupported("tensors of different types");
  if (p.x.id == p.w.id || p.x.id == p.y.id || p.w.id == p.y.id)
    return wrong("two tensors have one id");
  return CUDNN_STATUS_SUCCESS;
}

/// Where W, X (or DX) and Y (or DY) are among an operation's attributes, whose order differs.
struct Places {
  Direction direction;
  int first, w, x, y;
};

cudnnStatus_t finalizeOperation(Descriptor &desc) {
  Places places = desc.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR ? Places{Direction::Forward, 700, 703, 704, 705}
                  : desc.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR
                      ? Places{Direction::Data, 706, 709, 710, 711}
                      : Places{Direction::Filter, 712, 715, 716, 717};
  Problem &problem = desc.problem;
  problem.direction = places.direction;
  problem.alpha = *attribute(desc, places.first).as<float>();
  problem.beta = *attribute(desc, places.first + 1).as<float>();
  Descriptor *window = held(desc, places.first + 2, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  if (!window)
    return wrong("an operation without a final convolution descriptor");
  struct {
    int name;
    Tensor &tensor;
  } tensors[] = {{places.x, problem.x}, {places.w, problem.w}, {places.y, problem.y}};
  std::int64_t rank = 0, spatial = 0;
  for (auto &entry : tensors) {
    Descriptor *tensor = held(desc, entry.name, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    if (!tensor)
      return wrong("an operation without a final tensor for attribute " + std::to_string(entry.name));
    std::int64_t own = attribute(*tensor, CUDNN_ATTR_TENSOR_DIMENSIONS).count;
    if (rank && own != rank)
      return wrong("tensors of different ranks");
    rank = own;
    if (cudnnStatus_t status = readTensor(*tensor, entry.tensor); status != CUDNN_STATUS_SUCCESS)
      return status;
  }
  if (cudnnStatus_t status = readWindow(*window, problem, spatial); status != CUDNN_STATUS_SUCCESS)
    return status;
  if (rank != spatial + 2)
    return wrong("tensors of rank " + std::to_string(rank) + " for " + std::to_string(spatial) + " spatial dimensions");
  return checkShapes(problem, *window);
}

/// Packed, with the channels after the batch or last.
bool packed(const Tensor &tensor, bool last) {
  static const int first[] = {4, 3, 2, 1, 0}, channels[] = {1, 4, 3, 2, 0};
  std::int64_t expected = 1;
  for (int i : last ? channels : first) {
    if (tensor.dims[i] > 1 && tensor.strides[i] != expected)
      return false;
    expected *= tensor.dims[i];
  }
  return true;
}

cudnnStatus_t finalizeHeuristics(Descriptor &desc) {
  Descriptor *graph = held(desc, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  if (!graph)
    return wrong("heuristics without a final graph");
  int mode = *attribute(desc, CUDNN_ATTR_ENGINEHEUR_MODE).as<int>();
  if (mode != CUDNN_HEUR_MODE_A && mode != CUDNN_HEUR_MODE_FALLBACK)
    return unsupported("heuristics of mode " + std::to_string(mode));
  const Problem &p = graph->problem;
  auto all = [&](bool last) { return packed(p.x, last) && packed(p.w, last) && packed(p.y, last); };
  if (!all(false) && !all(true))
    return unsupported("no engine for tensors of mixed layouts");
  if (!p.samePadding)
    return unsupported("no engine for padding that differs on the two sides");
  desc.problem = p;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t finalize(Descriptor &desc) {
  const Kind &kind = *kindOf(desc.type);
  for (std::size_t i = 0; i < kind.types.size(); ++i)
    if (kind.types[i] >= 0 && !desc.attributes.count(kind.first + static_cast<int>(i)))
      return wrong("attribute " + std::to_string(kind.first + i) + " is not set");
  Tensor tensor{};
  Problem problem{};
  std::int64_t spatial = 0;
  switch (desc.type) {
  case CUDNN_BACKEND_TENSOR_DESCRIPTOR:
    return readTensor(desc, tensor);
  case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR:
    return readWindow(desc, problem, spatial);
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
    return finalizeOperation(desc);
  case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR: {
    const Attribute &ops = attribute(desc, CUDNN_ATTR_OPERATIONGRAPH_OPS);
    auto *op = *ops.as<Descriptor *>();
    if (ops.count != 1)
      return unsupported("a graph of " + std::to_string(ops.count) + " operations");
    if (!op || !op->final || op->type < CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR ||
        op->type > CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR)
      return wrong("a graph without a final operation");
    desc.problem = op->problem;
    return CUDNN_STATUS_SUCCESS;
  }
  case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR:
    return finalizeHeuristics(desc);
  case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR: {
    Descriptor *config = held(desc, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    if (!config)
      return wrong("a plan without an engine configuration of the heuristics");
    desc.problem = config->problem;
    desc.workspace = config->workspace;
    return CUDNN_STATUS_SUCCESS;
  }
  case CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR:
    if (attribute(desc, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS).count != attribute(desc, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS).count)
      return wrong("a variant pack with different numbers of ids and pointers");
    return CUDNN_STATUS_SUCCESS;
  default:
    return unsupported("finalizing a descriptor of type " + std::to_string(desc.type));
  }
}

} // namespace

/// Only the stand-in has it.
DNN_ENTRY const char *raf_sim_cudnn_complaint() { return complaint.c_str(); }

DNN_ENTRY std::size_t cudnnGetVersion() { return 91000; }

DNN_ENTRY cudnnStatus_t cudnnCreate(cudnnHandle_t *handle) {
  if (!handle)
    return wrong("the handle is null");
  *handle = new DnnContext;
  return CUDNN_STATUS_SUCCESS;
}

DNN_ENTRY cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  delete handle;
  return CUDNN_STATUS_SUCCESS;
}

DNN_ENTRY cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, CUstream stream) {
  if (!handle)
    return wrong("the handle is null");
  handle->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}

DNN_ENTRY cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t *desc) {
  if (!desc)
    return wrong("the descriptor is null");
  if (!kindOf(type))
    return unsupported("a descriptor of type " + std::to_string(static_cast<int>(type)));
  *desc = new Descriptor{type, false, {}, {}, 0};
  return CUDNN_STATUS_SUCCESS;
}

DNN_ENTRY cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t desc) {
  delete static_cast<Descriptor *>(desc);
  return CUDNN_STATUS_SUCCESS;
}

DNN_ENTRY cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t handle, cudnnBackendAttributeName_t name,
                                                 cudnnBackendAttributeType_t type, std::int64_t count, const void *elements) {
  auto *desc = static_cast<Descriptor *>(handle);
  if (!desc || !elements || count < 1)
    return wrong("an argument is null");
  if (desc->final)
    return wrong("the descriptor is final");
  const Kind &kind = *kindOf(desc->type);
  int place = name - kind.first;
  if (place < 0 || place >= static_cast<int>(kind.types.size()) || kind.types[place] != type)
    return wrong("attribute " + std::to_string(static_cast<int>(name)) + " of type " + std::to_string(static_cast<int>(type)) +
                 " is none of a descriptor of type " + std::to_string(static_cast<int>(desc->type)));
  auto *bytes = static_cast<const char *>(elements);
  desc->attributes[name] = {type, count, std::vector<char>(bytes, bytes + count * sizeOf(type))};
  return CUDNN_STATUS_SUCCESS;
}

DNN_ENTRY cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t handle) {
  auto *desc = static_cast<Descriptor *>(handle);
  if (!desc)
    return wrong("the descriptor is null");
  cudnnStatus_t status = finalize(*desc);
  desc->final = status == CUDNN_STATUS_SUCCESS;
  return status;
}

DNN_ENTRY cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t handle, cudnnBackendAttributeName_t name,
                                                 cudnnBackendAttributeType_t type, std::int64_t requested, std::int64_t *count,
                                                 void *elements) {
  auto *desc = static_cast<Descriptor *>(handle);
  if (!desc || !desc->final || !count || !elements || requested < 1)
    return wrong("an argument is null, or the descriptor is not final");
  if (name == CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE && type == CUDNN_TYPE_INT64 &&
      desc->type == CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR) {
    *static_cast<std::int64_t *>(elements) = desc->workspace;
    *count = 1;
    return CUDNN_STATUS_SUCCESS;
  }
  if (name != CUDNN_ATTR_ENGINEHEUR_RESULTS || type != CUDNN_TYPE_BACKEND_DESCRIPTOR || desc->type != CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR)
    return unsupported("attribute " + std::to_string(static_cast<int>(name)));
  // Two engines: one that leaves its sums in a workspace, and one that does without.
  std::int64_t workspaces[] = {desc->problem.result().elements() * 4, 0};
  *count = std::min<std::int64_t>(requested, 2);
  for (std::int64_t i = 0; i < *count; ++i) {
    auto *config = static_cast<Descriptor **>(elements)[i];
    if (!config || config->type != CUDNN_BACKEND_ENGINECFG_DESCRIPTOR)
      return wrong("the results must be engine configurations");
    config->problem = desc->problem;
    config->workspace = workspaces[i];
    config->final = true;
  }
  return CUDNN_STATUS_SUCCESS;
}

DNN_ENTRY cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t planHandle, cudnnBackendDescriptor_t packHandle) {
  auto *plan = static_cast<Descriptor *>(planHandle), *pack = static_cast<Descriptor *>(packHandle);
  if (!Simulator::get().complete()) {
    complaint = "the simulated driver is not in this library's folder";
    return CUDNN_STATUS_NOT_INITIALIZED;
  }
  if (!handle || !plan || !pack || plan->type != CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR ||
      pack->type != CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR || !plan->final || !pack->final)
    return wrong("a final plan and a final variant pack are needed");
  const Attribute &ids = attribute(*pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS), &pointers = attribute(*pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
  const Problem &p = plan->problem;
  std::uint64_t addresses[3];
  const Tensor *tensors[] = {&p.x, &p.w, &p.y};
  for (int t = 0; t < 3; ++t) {
    addresses[t] = 0;
    for (std::int64_t i = 0; i < ids.count; ++i)
      if (ids.as<std::int64_t>()[i] == tensors[t]->id)
        addresses[t] = pointers.as<std::uint64_t>()[i];
    if (addresses[t] == 0)
      return wrong("the variant pack has no address for tensor " + std::to_string(tensors[t]->id));
    if (addresses[t] % tensors[t]->alignment)
      return wrong("tensor " + std::to_string(tensors[t]->id) + " is not aligned to " + std::to_string(tensors[t]->alignment) + " bytes");
  }
  std::uint64_t workspace = *attribute(*pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE).as<std::uint64_t>();
  if (plan->workspace && !workspace)
    return wrong("the plan needs a workspace");
  return enqueue(handle->stream, p, addresses[0], addresses[1], addresses[2], workspace, plan->workspace) ? CUDNN_STATUS_SUCCESS
                                                                                                      : CUDNN_STATUS_EXECUTION_FAILED;
}
