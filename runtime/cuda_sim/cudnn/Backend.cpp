// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry points: descriptors are bags of attributes until they are finalized, which is when they are checked.
#include "cuda_sim/cudnn/Backend.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>

using namespace raf::sim;
using namespace raf::sim::dnn;

#define DNN_ENTRY extern "C" __attribute__((visibility("default")))

namespace {

thread_local std::string complaint;
/// Made and not destroyed.
std::atomic<std::int64_t> alive{0};

std::size_t sizeOf(cudnnBackendAttributeType_t type) {
  switch (type) {
  case CUDNN_TYPE_INT64:
  case CUDNN_TYPE_VOID_PTR:
  case CUDNN_TYPE_HANDLE:
  case CUDNN_TYPE_BACKEND_DESCRIPTOR:
    return 8;
  case CUDNN_TYPE_BOOLEAN:
  case CUDNN_TYPE_CHAR:
    return 1;
  default:
    return 4;
  }
}

/// An attribute that can be set; without those that are not optional a descriptor is not finalized.
struct Settable {
  int name;
  cudnnBackendAttributeType_t type;
  bool optional = false;
};

struct Kind {
  cudnnBackendDescriptorType_t type;
  std::vector<Settable> attributes;
};

const Kind *kindOf(cudnnBackendDescriptorType_t type) {
  constexpr auto desc = CUDNN_TYPE_BACKEND_DESCRIPTOR, i64 = CUDNN_TYPE_INT64, f32 = CUDNN_TYPE_FLOAT;
  auto convolution = [](int first) {
    return std::vector<Settable>{{first, f32}, {first + 1, f32}, {first + 2, desc}, {first + 3, desc}, {first + 4, desc}, {first + 5, desc}};
  };
  auto tensors = [](std::initializer_list<int> required, std::initializer_list<int> optional) {
    std::vector<Settable> result;
    for (int name : required)
      result.push_back({name, desc});
    for (int name : optional)
      result.push_back({name, desc, true});
    return result;
  };
  auto with = [](std::vector<Settable> a, std::vector<Settable> b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  static const std::vector<Kind> kinds = {
      {CUDNN_BACKEND_POINTWISE_DESCRIPTOR,
       {{CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE}, {CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE}, {CUDNN_ATTR_POINTWISE_SWISH_BETA, f32, true}}},
      {CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR,
       tensors({CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_ATTR_OPERATION_POINTWISE_YDESC}, {CUDNN_ATTR_OPERATION_POINTWISE_BDESC})},
      {CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR,
       {{CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE}, {CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE},
        {CUDNN_ATTR_CONVOLUTION_DILATIONS, i64}, {CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, i64}, {CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, i64},
        {CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, i64}, {CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, i64}}},
      {CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, {{CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE}, {CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, desc}}},
      {CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, {}},
      {CUDNN_BACKEND_ENGINE_DESCRIPTOR, {}},
      {CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, {{CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE}, {CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, desc, true},
                                                 {CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION, CUDNN_TYPE_CHAR, true}}},
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR, convolution(700)},
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR, convolution(706)},
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR, convolution(712)},
      {CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, {{CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE}, {CUDNN_ATTR_OPERATIONGRAPH_OPS, desc}}},
      {CUDNN_BACKEND_TENSOR_DESCRIPTOR,
       {{CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, i64}, {CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE}, {CUDNN_ATTR_TENSOR_DIMENSIONS, i64},
        {CUDNN_ATTR_TENSOR_STRIDES, i64}, {CUDNN_ATTR_TENSOR_UNIQUE_ID, i64}, {CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, true},
        {CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, true}}},
      {CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR,
       {{CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, i64}, {CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR}, {CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR}}},
      {CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR,
       with({{CUDNN_ATTR_OPERATION_NORM_FWD_MODE, CUDNN_TYPE_NORM_MODE}, {CUDNN_ATTR_OPERATION_NORM_FWD_PHASE, CUDNN_TYPE_NORM_FWD_PHASE}},
            tensors({CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC, CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC,
                     CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC, CUDNN_ATTR_OPERATION_NORM_FWD_YDESC},
                    {CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC, CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC}))},
      {CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR,
       with({{CUDNN_ATTR_OPERATION_NORM_BWD_MODE, CUDNN_TYPE_NORM_MODE}},
            tensors({CUDNN_ATTR_OPERATION_NORM_BWD_XDESC, CUDNN_ATTR_OPERATION_NORM_BWD_DYDESC, CUDNN_ATTR_OPERATION_NORM_BWD_SCALE_DESC,
                     CUDNN_ATTR_OPERATION_NORM_BWD_DSCALE_DESC, CUDNN_ATTR_OPERATION_NORM_BWD_DBIAS_DESC, CUDNN_ATTR_OPERATION_NORM_BWD_DXDESC},
                    {CUDNN_ATTR_OPERATION_NORM_BWD_MEAN_DESC, CUDNN_ATTR_OPERATION_NORM_BWD_INV_VARIANCE_DESC}))},
      {CUDNN_BACKEND_RESAMPLE_DESCRIPTOR,
       {{CUDNN_ATTR_RESAMPLE_MODE, CUDNN_TYPE_RESAMPLE_MODE}, {CUDNN_ATTR_RESAMPLE_COMP_TYPE, CUDNN_TYPE_DATA_TYPE}, {CUDNN_ATTR_RESAMPLE_SPATIAL_DIMS, i64},
        {CUDNN_ATTR_RESAMPLE_POST_PADDINGS, i64}, {CUDNN_ATTR_RESAMPLE_PRE_PADDINGS, i64}, {CUDNN_ATTR_RESAMPLE_STRIDES, i64}, {CUDNN_ATTR_RESAMPLE_WINDOW_DIMS, i64},
        {CUDNN_ATTR_RESAMPLE_NAN_PROPAGATION, CUDNN_TYPE_NAN_PROPOGATION, true}, {CUDNN_ATTR_RESAMPLE_PADDING_MODE, CUDNN_TYPE_PADDING_MODE, true}}},
      {CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR,
       tensors({CUDNN_ATTR_OPERATION_RESAMPLE_FWD_XDESC, CUDNN_ATTR_OPERATION_RESAMPLE_FWD_YDESC, CUDNN_ATTR_OPERATION_RESAMPLE_FWD_DESC},
               {CUDNN_ATTR_OPERATION_RESAMPLE_FWD_IDXDESC})},
      {CUDNN_BACKEND_OPERATION_RESAMPLE_BWD_DESCRIPTOR,
       tensors({CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DXDESC, CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DYDESC, CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DESC},
               {CUDNN_ATTR_OPERATION_RESAMPLE_BWD_IDXDESC})},
      {CUDNN_BACKEND_OPERATION_DIAGONAL_BAND_MASK_DESCRIPTOR,
       with({{CUDNN_ATTR_OPERATION_DIAGONAL_BAND_MASK_COMPARISON_MODE, CUDNN_TYPE_POINTWISE_MODE}},
            tensors({CUDNN_ATTR_OPERATION_DIAGONAL_BAND_MASK_XDESC, CUDNN_ATTR_OPERATION_DIAGONAL_BAND_MASK_YDESC, CUDNN_ATTR_OPERATION_DIAGONAL_BAND_MASK_SHIFT_RIGHT_BOUND_DESC,
                     CUDNN_ATTR_OPERATION_DIAGONAL_BAND_MASK_BDESC},
                    {}))},
      {CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR,
       with({{CUDNN_ATTR_OPERATION_SDPA_FWD_SUBGRAPH_INPUT_UID, i64, true}, {CUDNN_ATTR_OPERATION_SDPA_FWD_SUBGRAPH_OUTPUT_UID, i64, true}},
       tensors({CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC, CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC, CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC, CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC},
               {CUDNN_ATTR_OPERATION_SDPA_FWD_STATSDESC, CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC, CUDNN_ATTR_OPERATION_SDPA_FWD_SUBGRAPH}))},
      {CUDNN_BACKEND_OPERATION_SDPA_BWD_DESCRIPTOR,
       with({{CUDNN_ATTR_OPERATION_SDPA_BWD_SUBGRAPH_INPUT_UID, i64, true}, {CUDNN_ATTR_OPERATION_SDPA_BWD_SUBGRAPH_OUTPUT_UID, i64, true}},
       tensors({CUDNN_ATTR_OPERATION_SDPA_BWD_QDESC, CUDNN_ATTR_OPERATION_SDPA_BWD_KDESC, CUDNN_ATTR_OPERATION_SDPA_BWD_VDESC, CUDNN_ATTR_OPERATION_SDPA_BWD_ODESC,
                CUDNN_ATTR_OPERATION_SDPA_BWD_STATSDESC, CUDNN_ATTR_OPERATION_SDPA_BWD_DODDESC, CUDNN_ATTR_OPERATION_SDPA_BWD_DQDESC,
                CUDNN_ATTR_OPERATION_SDPA_BWD_DKDESC, CUDNN_ATTR_OPERATION_SDPA_BWD_DVDESC},
               {CUDNN_ATTR_OPERATION_SDPA_BWD_SCALEDESC, CUDNN_ATTR_OPERATION_SDPA_BWD_SUBGRAPH}))},
  };
  for (const Kind &kind : kinds)
    if (kind.type == type)
      return &kind;
  return nullptr;
}

cudnnStatus_t finalizeTensor(Descriptor &desc) {
  Tensor &tensor = desc.tensor;
  tensor.dims = desc.numbers(CUDNN_ATTR_TENSOR_DIMENSIONS);
  tensor.strides = desc.numbers(CUDNN_ATTR_TENSOR_STRIDES);
  if (tensor.dims.size() < 3 || tensor.dims.size() > 8 || tensor.strides.size() != tensor.dims.size())
    return wrong("a tensor of rank " + std::to_string(tensor.dims.size()) + " with " + std::to_string(tensor.strides.size()) + " strides");
  switch (int type = desc.choice(CUDNN_ATTR_TENSOR_DATA_TYPE)) {
  case CUDNN_DATA_FLOAT:
    tensor.type = Element::F32;
    break;
  case CUDNN_DATA_HALF:
    tensor.type = Element::F16;
    break;
  case CUDNN_DATA_BFLOAT16:
    tensor.type = Element::BF16;
    break;
  case CUDNN_DATA_INT32:
    tensor.type = Element::I32;
    break;
  case CUDNN_DATA_INT8:
    tensor.type = Element::I8;
    break;
  default:
    return unsupported("data type " + std::to_string(type));
  }
  tensor.id = desc.number(CUDNN_ATTR_TENSOR_UNIQUE_ID);
  tensor.alignment = desc.number(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT);
  tensor.byValue = desc.has(CUDNN_ATTR_TENSOR_IS_BY_VALUE) && *desc.attribute(CUDNN_ATTR_TENSOR_IS_BY_VALUE).as<bool>();
  tensor.isVirtual = desc.has(CUDNN_ATTR_TENSOR_IS_VIRTUAL) && *desc.attribute(CUDNN_ATTR_TENSOR_IS_VIRTUAL).as<bool>();
  if (tensor.isVirtual && tensor.byValue)
    return wrong("a tensor by value is not virtual");
  if (tensor.alignment < bytesOf(tensor.type))
    return wrong("a tensor aligned to " + std::to_string(tensor.alignment) + " bytes");
  for (std::size_t i = 0; i < tensor.dims.size(); ++i)
    if (tensor.dims[i] < 1 || (tensor.dims[i] > 1 && tensor.strides[i] < 1))
      return wrong("a tensor with dimension " + std::to_string(tensor.dims[i]) + " and stride " + std::to_string(tensor.strides[i]));
  if (tensor.byValue && (tensor.elements() != 1 || (tensor.type != Element::F32 && tensor.type != Element::I32)))
    return wrong("a tensor by value is one float or int32");
  return CUDNN_STATUS_SUCCESS;
}

/// After an operation has been checked otherwise.
cudnnStatus_t complete(const Descriptor &desc, cudnnStatus_t status) {
  if (status != CUDNN_STATUS_SUCCESS)
    return status;
  std::vector<std::int64_t> ids;
  for (const std::vector<Tensor> *tensors : {&desc.operation->inputs, &desc.operation->outputs})
    for (const Tensor &tensor : *tensors)
      ids.push_back(tensor.id);
  std::sort(ids.begin(), ids.end());
  if (std::adjacent_find(ids.begin(), ids.end()) != ids.end())
    return wrong("two tensors have one id");
  desc.operation->recipe = recipe(desc);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t finalizeGraph(Descriptor &desc) {
  const Attribute &ops = desc.attribute(CUDNN_ATTR_OPERATIONGRAPH_OPS);
  std::vector<Descriptor *> operations(ops.as<Descriptor *>(), ops.as<Descriptor *>() + ops.count);
  for (Descriptor *op : operations)
    if (!op || !op->final || !op->operation || op->type == CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR)
      return wrong("a graph without a final operation");
  // A graph that another one holds has virtual tensors at its edges, so that what is executed is judged where it is used.
  cudnnStatus_t status = operations.size() > 1 ? finalizeChain(desc, operations) : CUDNN_STATUS_SUCCESS;
  if (operations.size() == 1) {
    desc.operation = operations[0]->operation;
    for (const std::vector<Tensor> *tensors : {&desc.operation->inputs, &desc.operation->outputs})
      for (const Tensor &tensor : *tensors)
        if (tensor.isVirtual)
          status = wrong("tensor " + std::to_string(tensor.id) + " is virtual at the edge of a graph");
  }
  bool inner = std::all_of(operations.begin(), operations.end(), [](Descriptor *op) {
    return op->type == CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR || op->type == CUDNN_BACKEND_OPERATION_DIAGONAL_BAND_MASK_DESCRIPTOR;
  });
  if (status == CUDNN_STATUS_SUCCESS || !inner)
    return status;
  desc.flaw = complaint;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t finalizeHeuristics(Descriptor &desc) {
  Descriptor *graph = desc.held(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  if (!graph)
    return wrong("heuristics without a final graph");
  if (!graph->flaw.empty())
    return wrong(graph->flaw);
  int mode = desc.choice(CUDNN_ATTR_ENGINEHEUR_MODE);
  if (mode != CUDNN_HEUR_MODE_A && mode != CUDNN_HEUR_MODE_FALLBACK)
    return unsupported("heuristics of mode " + std::to_string(mode));
  desc.operation = graph->operation;
  std::string refusal = desc.operation->refusal();
  return refusal.empty() ? CUDNN_STATUS_SUCCESS : unsupported("no engine for " + refusal);
}

template <class T> cudnnStatus_t give(std::int64_t requested, std::int64_t *count, void *elements, const std::vector<T> &values) {
  *count = static_cast<std::int64_t>(values.size());
  std::copy_n(values.begin(), std::min(requested, *count), static_cast<T *>(elements));
  return CUDNN_STATUS_SUCCESS;
}

} // namespace

cudnnStatus_t raf::sim::dnn::finalize(Descriptor &desc) {
  for (const Settable &attribute : kindOf(desc.type)->attributes)
    if (!attribute.optional && !desc.has(attribute.name))
      return wrong("attribute " + std::to_string(attribute.name) + " is not set");
  switch (desc.type) {
  case CUDNN_BACKEND_TENSOR_DESCRIPTOR:
    return finalizeTensor(desc);
  case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR:
    return finalizeWindow(desc);
  case CUDNN_BACKEND_RESAMPLE_DESCRIPTOR:
    return finalizeResample(desc);
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
    return complete(desc, finalizeConvolution(desc));
  case CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR:
  case CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR:
    return complete(desc, finalizeNorm(desc));
  case CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR:
  case CUDNN_BACKEND_OPERATION_RESAMPLE_BWD_DESCRIPTOR:
    return complete(desc, finalizePool(desc));
  case CUDNN_BACKEND_POINTWISE_DESCRIPTOR:
    return finalizePointwise(desc);
  case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR:
    return complete(desc, finalizePointwiseOperation(desc));
  case CUDNN_BACKEND_OPERATION_DIAGONAL_BAND_MASK_DESCRIPTOR:
    return complete(desc, finalizeBandMask(desc));
  case CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR:
  case CUDNN_BACKEND_OPERATION_SDPA_BWD_DESCRIPTOR:
    return complete(desc, finalizeAttention(desc));
  case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR:
    return finalizeGraph(desc);
  case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR:
    return finalizeHeuristics(desc);
  case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR: {
    if (desc.has(CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION)) {
      const Attribute &text = desc.attribute(CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION);
      return restore(std::string(text.bytes.begin(), text.bytes.end()), desc) ? CUDNN_STATUS_SUCCESS : wrong("the text is that of no plan");
    }
    if (!desc.has(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG))
      return wrong("a plan of nothing");
    Descriptor *config = desc.held(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    if (!config)
      return wrong("a plan without an engine configuration of the heuristics");
    desc.operation = config->operation;
    desc.engine = config->engine;
    return CUDNN_STATUS_SUCCESS;
  }
  case CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR:
    if (desc.attribute(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS).count != desc.attribute(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS).count)
      return wrong("a variant pack with different numbers of ids and pointers");
    return CUDNN_STATUS_SUCCESS;
  default:
    return unsupported("finalizing a descriptor of type " + std::to_string(desc.type));
  }
}

std::vector<Engine> raf::sim::dnn::enginesOf(const Operation &operation) {
  std::vector<Engine> engines;
  std::int64_t elements = 0;
  bool exact = false;
  for (const Tensor &tensor : operation.inputs)
    exact |= tensor.type == Element::F32 && !tensor.byValue;
  for (const Tensor &tensor : operation.outputs)
    elements += tensor.elements();
  engines.push_back({Engine::Kind::Rounding, {CUDNN_NUMERICAL_NOTE_TENSOR_CORE}});
  if (exact)
    engines.back().notes.push_back(CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS);
  if (operation.multiplies())
    engines.push_back({Engine::Kind::Coarse, {CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION}});
  engines.push_back({Engine::Kind::Varying, {CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC}});
  engines.push_back({Engine::Kind::WithWorkspace, {}, elements * 4});
  engines.push_back({Engine::Kind::Plain, {}});
  // A library that lacks some of them, for tests.
  if (const char *named = std::getenv("RAF_SIM_CUDNN_ENGINES")) {
    static const char *const names[] = {"rounding", "varying", "coarse", "workspace", "plain"};
    auto isMissing = [&](const Engine &engine) { return !std::strstr(named, names[static_cast<int>(engine.kind)]); };
    engines.erase(std::remove_if(engines.begin(), engines.end(), isMissing), engines.end());
  }
  return engines;
}

cudnnStatus_t raf::sim::dnn::wrong(const std::string &text) {
  complaint = text;
  return CUDNN_STATUS_BAD_PARAM;
}

cudnnStatus_t raf::sim::dnn::unsupported(const std::string &text) {
  complaint = text;
  return CUDNN_STATUS_NOT_SUPPORTED;
}

std::vector<std::int64_t> Descriptor::numbers(int name) const {
  const Attribute &values = attribute(name);
  return std::vector<std::int64_t>(values.as<std::int64_t>(), values.as<std::int64_t>() + values.count);
}

Descriptor *Descriptor::held(int name, cudnnBackendDescriptorType_t type) const {
  auto *result = *attribute(name).as<Descriptor *>();
  return result && result->type == type && result->final ? result : nullptr;
}

Reader &Reader::tensor(int name, Tensor &tensor, bool optional) {
  if (result != CUDNN_STATUS_SUCCESS || (optional && !desc.has(name)))
    return *this;
  if (Descriptor *held = desc.held(name, CUDNN_BACKEND_TENSOR_DESCRIPTOR))
    tensor = held->tensor;
  else
    result = wrong("an operation without a final tensor for attribute " + std::to_string(name));
  return *this;
}

/// Only the stand-in has it.
DNN_ENTRY const char *raf_sim_cudnn_complaint() { return complaint.c_str(); }

/// For tests.
DNN_ENTRY std::int64_t raf_sim_cudnn_descriptors() { return alive; }

DNN_ENTRY std::size_t cudnnGetVersion() {
  const char *older = std::getenv("RAF_SIM_CUDNN_VERSION"); // for tests
  return older ? std::strtoul(older, nullptr, 10) : 92800;
}

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
  *desc = new Descriptor{type, false, {}, {}, {}, {}, {}};
  ++alive;
  return CUDNN_STATUS_SUCCESS;
}

DNN_ENTRY cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t desc) {
  alive -= desc != nullptr;
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
  const std::vector<Settable> &known = kindOf(desc->type)->attributes;
  if (std::none_of(known.begin(), known.end(), [&](const Settable &attribute) { return attribute.name == name && attribute.type == type; }))
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
  // Without room for elements it says how many there are.
  if (!desc || !desc->final || !count || (requested > 0 && !elements) || requested < 0)
    return wrong("an argument is null, or the descriptor is not final");
  auto asked = [&](cudnnBackendDescriptorType_t of, int attribute, cudnnBackendAttributeType_t as) { return desc->type == of && name == attribute && type == as; };
  if (asked(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64))
    return give(requested, count, elements, std::vector<std::int64_t>{desc->engine.workspace});
  if (asked(CUDNN_BACKEND_ENGINE_DESCRIPTOR, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE))
    return give(requested, count, elements, desc->engine.notes);
  if (asked(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION, CUDNN_TYPE_CHAR)) {
    std::string text = serialize(*desc);
    return give(requested, count, elements, std::vector<char>(text.begin(), text.end()));
  }
  if (requested < 1)
    return wrong("no room for what is asked for");
  // What is asked for is copied into descriptors that the caller has made.
  auto fill = [&](std::int64_t i, cudnnBackendDescriptorType_t expected, const Engine &engine) {
    auto *made = static_cast<Descriptor **>(elements)[i];
    if (!made || made->type != expected)
      return wrong("element " + std::to_string(i) + " is no descriptor of type " + std::to_string(static_cast<int>(expected)));
    made->operation = desc->operation;
    made->engine = engine;
    made->final = true;
    return CUDNN_STATUS_SUCCESS;
  };
  if (asked(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR)) {
    *count = 1;
    return fill(0, CUDNN_BACKEND_ENGINE_DESCRIPTOR, desc->engine);
  }
  if (asked(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR)) {
    std::vector<Engine> engines = enginesOf(*desc->operation);
    *count = std::min<std::int64_t>(requested, engines.size());
    for (std::int64_t i = 0; i < *count; ++i)
      if (cudnnStatus_t status = fill(i, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, engines[i]); status != CUDNN_STATUS_SUCCESS)
        return status;
    return CUDNN_STATUS_SUCCESS;
  }
  return unsupported("attribute " + std::to_string(static_cast<int>(name)));
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
  std::vector<std::int64_t> ids = pack->numbers(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
  auto *pointers = pack->attribute(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS).as<std::uint64_t>();
  Memory memory;
  for (const std::vector<Tensor> *tensors : {&plan->operation->inputs, &plan->operation->outputs})
    for (const Tensor &tensor : *tensors) {
      auto found = std::find(ids.begin(), ids.end(), tensor.id);
      std::uint64_t address = found == ids.end() ? 0 : pointers[found - ids.begin()];
      if (address == 0)
        return wrong("the variant pack has no address for tensor " + std::to_string(tensor.id));
      if (address % tensor.alignment)
        return wrong("tensor " + std::to_string(tensor.id) + " is not aligned to " + std::to_string(tensor.alignment) + " bytes");
      if (tensor.byValue)
        memory.numbers[tensor.id] = readElement(reinterpret_cast<const char *>(address), tensor.type, 0);
      else
        memory.addresses[tensor.id] = address;
    }
  std::uint64_t workspace = *pack->attribute(CUDNN_ATTR_VARIANT_PACK_WORKSPACE).as<std::uint64_t>();
  if (plan->engine.workspace && !workspace)
    return wrong("the plan needs a workspace");
  return enqueue(handle->stream, plan->operation, plan->engine, std::move(memory), workspace) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_EXECUTION_FAILED;
}
