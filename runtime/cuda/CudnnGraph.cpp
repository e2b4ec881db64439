// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/CudnnGraph.h"

#include "core/PlanChecks.h"
#include "cuda/PlanCache.h"

#include <algorithm>
#include <cstring>

#include <dlfcn.h>

using namespace raf::rt;
using namespace raf::rt::cuda;
using plan::Tensor;
using plan::Type;

namespace {

constexpr int64_t kAlignment = 16;
/// Engines work on copies in other layouts; larger ones are not worth the memory.
constexpr int64_t kMostWorkspace = int64_t(256) << 20;
constexpr int64_t kEngines = 16; // asked for

cudnnDataType_t dataType(Type type) {
  switch (type) {
  case Type::BF16:
    return CUDNN_DATA_BFLOAT16;
  case Type::F16:
    return CUDNN_DATA_HALF;
  case Type::I8:
    return CUDNN_DATA_INT8;
  default:
    return CUDNN_DATA_FLOAT;
  }
}

bool sameMemory(const Tensor &tensor, const Tensor &packed) {
  for (size_t i = 0; i < tensor.dims.size(); ++i)
    if (tensor.dims[i] > 1 && tensor.strides[i] != packed.strides[i])
      return false;
  return true;
}

bool lie(std::initializer_list<const Tensor *> tensors, Tensor (*packed)(Type, std::vector<int64_t>)) {
  return std::all_of(tensors.begin(), tensors.end(), [&](const Tensor *tensor) { return sameMemory(*tensor, packed(tensor->type, tensor->dims)); });
}

} // namespace

Tensor raf::rt::cuda::asPlanes(Tensor tensor) {
  while (tensor.dims.size() < 4) {
    size_t at = std::min<size_t>(2, tensor.dims.size());
    int64_t inner = at < tensor.dims.size() ? tensor.strides[at] * tensor.dims[at] : 1;
    tensor.dims.insert(tensor.dims.begin() + at, 1);
    tensor.strides.insert(tensor.strides.begin() + at, inner);
  }
  return tensor;
}

std::vector<int64_t> raf::rt::cuda::asPlanes(std::vector<int64_t> window, int64_t neutral) {
  if (window.size() == 1)
    window.insert(window.begin(), neutral);
  return window;
}

bool raf::rt::cuda::haveChannelsLast(std::initializer_list<const Tensor *> tensors) { return lie(tensors, Tensor::channelsLast); }

bool raf::rt::cuda::haveOneLayout(std::initializer_list<const Tensor *> tensors) { return lie(tensors, Tensor::dense) || haveChannelsLast(tensors); }

int64_t raf::rt::cuda::copiesBytes(std::initializer_list<const Tensor *> tensors) {
  int64_t bytes = 0;
  for (const Tensor *tensor : tensors)
    bytes += std::min(kMostWorkspace, (spanBytes(*tensor) / elementBytes(tensor->type) * 4 + 255) / 256 * 256);
  return std::min(kMostWorkspace, bytes);
}

CudnnLibrary::CudnnLibrary(Device &device) {
  Libraries &libraries = device.libraries();
  const Libraries::Library &file = libraries.library("libcudnn.so.9");
#define RAF_LOAD(name, parameters) api.name = reinterpret_cast<decltype(api.name)>(libraries.symbol(file, #name));
  RAF_CUDNN(RAF_LOAD)
#undef RAF_LOAD
  if (void *function = dlsym(file.handle, "raf_sim_cudnn_complaint"))
    complaint = reinterpret_cast<const char *(*)()>(function);
  if (auto function = reinterpret_cast<std::size_t (*)()>(dlsym(file.handle, "cudnnGetVersion")))
    version = function();
  check(api.cudnnCreate(&handle), "starting");
}

CudnnLibrary::~CudnnLibrary() {
  if (handle)
    api.cudnnDestroy(handle);
}

void CudnnLibrary::check(cudnnStatus_t status, const std::string &what) const {
  if (status == CUDNN_STATUS_SUCCESS)
    return;
  // In cuDNN 9 the thousands say the kind of failure.
  int kind = status / 1000;
  const char *name = kind == 2 ? "bad parameter" : kind == 3 ? "not supported" : kind == 5 ? "the execution failed" : "see cudnnStatus_t";
  throw Error(kind == 3 ? RAF_RT_UNSUPPORTED : RAF_RT_FAILED,
              "cuDNN failed with status " + std::to_string(status) + " (" + name + "): " + what +
                  (complaint && *complaint() ? std::string("; ") + complaint() : ""));
}

std::shared_ptr<CudnnLibrary> CudnnLibrary::of(Device &device) {
  std::shared_ptr<void> &entry = device.shared["cudnn"];
  if (!entry)
    entry = std::make_shared<CudnnLibrary>(device);
  return std::static_pointer_cast<CudnnLibrary>(entry);
}

CudnnGraph::~CudnnGraph() {
  for (auto desc = owned.rbegin(); desc != owned.rend(); ++desc)
    library->api.cudnnBackendDestroyDescriptor(*desc);
}

cudnnBackendDescriptor_t CudnnGraph::create(cudnnBackendDescriptorType_t type) {
  cudnnBackendDescriptor_t desc = nullptr;
  library->check(library->api.cudnnBackendCreateDescriptor(type, &desc), description);
  owned.push_back(desc);
  return desc;
}

cudnnBackendDescriptor_t CudnnGraph::make(cudnnBackendDescriptorType_t type, const std::function<void(cudnnBackendDescriptor_t)> &fill) {
  cudnnBackendDescriptor_t desc = create(type);
  fill(desc);
  library->check(library->api.cudnnBackendFinalize(desc), description);
  return desc;
}

void CudnnGraph::set(cudnnBackendDescriptor_t desc, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count,
                     const void *elements) {
  if (!chosen)
    note(desc, name, type, count, elements);
  library->check(library->api.cudnnBackendSetAttribute(desc, name, type, count, elements), description);
}

void CudnnGraph::note(int64_t value) { form.append(reinterpret_cast<const char *>(&value), sizeof value); }

void CudnnGraph::note(cudnnBackendDescriptor_t desc, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count, const void *elements) {
  // Descriptors by the order in which they were made.
  auto numberOf = [&](cudnnBackendDescriptor_t made) { return std::find(owned.begin(), owned.end(), made) - owned.begin(); };
  for (int64_t value : {static_cast<int64_t>(numberOf(desc)), static_cast<int64_t>(name), static_cast<int64_t>(type), count})
    note(value);
  if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR)
    for (int64_t i = 0; i < count; ++i)
      note(numberOf(static_cast<const cudnnBackendDescriptor_t *>(elements)[i]));
  else if (type != CUDNN_TYPE_HANDLE && type != CUDNN_TYPE_VOID_PTR)
    form.append(static_cast<const char *>(elements), count * (type == CUDNN_TYPE_INT64 ? 8 : type == CUDNN_TYPE_BOOLEAN || type == CUDNN_TYPE_CHAR ? 1 : 4));
}

void CudnnGraph::keepOnly(size_t first, std::initializer_list<cudnnBackendDescriptor_t> kept) {
  for (size_t i = owned.size(); i-- > first;)
    if (std::find(kept.begin(), kept.end(), owned[i]) == kept.end()) {
      library->api.cudnnBackendDestroyDescriptor(owned[i]);
      owned.erase(owned.begin() + i);
    }
}

cudnnBackendDescriptor_t CudnnGraph::tensor(const Tensor &given, int64_t buffer, Use use) {
  Tensor tensor = asPlanes(given);
  exact |= tensor.type == Type::F32 && use == Use::Data;
  operands.push_back({buffer, 0});
  note(buffer);
  return make(CUDNN_BACKEND_TENSOR_DESCRIPTOR, [&](cudnnBackendDescriptor_t desc) {
    cudnnDataType_t type = dataType(tensor.type);
    set(desc, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type);
    set(desc, CUDNN_ATTR_TENSOR_DIMENSIONS, tensor.dims);
    set(desc, CUDNN_ATTR_TENSOR_STRIDES, tensor.strides);
    set(desc, CUDNN_ATTR_TENSOR_UNIQUE_ID, static_cast<int64_t>(operands.size()));
    set(desc, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, kAlignment);
  });
}

cudnnBackendDescriptor_t CudnnGraph::between(const Tensor &like) {
  Tensor tensor = asPlanes(like);
  operands.push_back({kBetween, 0});
  return make(CUDNN_BACKEND_TENSOR_DESCRIPTOR, [&](cudnnBackendDescriptor_t desc) {
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
    bool isVirtual = true;
    set(desc, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type);
    set(desc, CUDNN_ATTR_TENSOR_DIMENSIONS, tensor.dims);
    set(desc, CUDNN_ATTR_TENSOR_STRIDES, tensor.strides);
    set(desc, CUDNN_ATTR_TENSOR_UNIQUE_ID, static_cast<int64_t>(operands.size()));
    set(desc, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, kAlignment);
    set(desc, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, &isVirtual);
  });
}

cudnnBackendDescriptor_t CudnnGraph::pointwise(cudnnPointwiseMode_t function, cudnnBackendDescriptor_t x, cudnnBackendDescriptor_t operand, cudnnBackendDescriptor_t y) {
  cudnnBackendDescriptor_t described = make(CUDNN_BACKEND_POINTWISE_DESCRIPTOR, [&](cudnnBackendDescriptor_t desc) {
    cudnnDataType_t compute = CUDNN_DATA_FLOAT;
    float one = 1;
    set(desc, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &function);
    set(desc, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, &compute);
    if (function == CUDNN_POINTWISE_SWISH_FWD)
      set(desc, CUDNN_ATTR_POINTWISE_SWISH_BETA, CUDNN_TYPE_FLOAT, 1, &one);
  });
  return make(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, [&](cudnnBackendDescriptor_t desc) {
    set(desc, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, described);
    set(desc, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
    if (operand)
      set(desc, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, operand);
    set(desc, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
  });
}

cudnnBackendDescriptor_t CudnnGraph::graph(const std::vector<cudnnBackendDescriptor_t> &operations) {
  return make(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, [&](cudnnBackendDescriptor_t desc) {
    set(desc, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &library->handle);
    set(desc, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, operations.size(), operations.data());
  });
}

cudnnBackendDescriptor_t CudnnGraph::number(float value, size_t rank) {
  std::int32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return byValue(CUDNN_DATA_FLOAT, bits, rank);
}

cudnnBackendDescriptor_t CudnnGraph::number(std::int32_t value, size_t rank) { return byValue(CUDNN_DATA_INT32, value, rank); }

cudnnBackendDescriptor_t CudnnGraph::byValue(cudnnDataType_t type, std::int32_t bits, size_t rank) {
  operands.push_back({kNumber, bits});
  note(bits);
  return make(CUDNN_BACKEND_TENSOR_DESCRIPTOR, [&](cudnnBackendDescriptor_t desc) {
    bool byValue = true;
    std::vector<int64_t> ones(rank, 1);
    set(desc, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type);
    set(desc, CUDNN_ATTR_TENSOR_DIMENSIONS, ones);
    set(desc, CUDNN_ATTR_TENSOR_STRIDES, ones);
    set(desc, CUDNN_ATTR_TENSOR_UNIQUE_ID, static_cast<int64_t>(operands.size()));
    set(desc, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, int64_t(4));
    set(desc, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &byValue);
  });
}

void CudnnGraph::plan(const std::vector<cudnnBackendDescriptor_t> &operations, int64_t buffer, int64_t workspace, Numerics allowed, plan::CudaKind kind,
                      std::vector<int64_t> words) {
  workspaceBuffer = buffer;
  words.insert(words.begin(), static_cast<int64_t>(kind));
  for (bool value : {allowed.tf32, allowed.nondeterministic, exact})
    note(value);
  PlanCache cache(static_cast<Device &>(*ctx->device), "libcudnn.so.9", "cudnnGetVersion", words, form);
  size_t first = owned.size();
  if (restore(cache.load(), workspace))
    return;
  keepOnly(first, {});
  cudnnBackendDescriptor_t graph = this->graph(operations);
  std::string why;
  for (cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK})
    for (cudnnBackendDescriptor_t config : engines(graph, mode))
      if (isAllowed(config, allowed, why) && usable(config, workspace)) {
        if (std::string made = json(); !made.empty())
          cache.store(made);
        keepOnly(first, {graph, config, chosen});
        return;
      }
  unsupported("cuDNN has no engine for " + description + " with " + std::to_string(workspace) + " bytes of workspace" + (why.empty() ? "" : "; left out were engines that " + why));
}

std::vector<cudnnBackendDescriptor_t> CudnnGraph::engines(cudnnBackendDescriptor_t graph, cudnnBackendHeurMode_t mode) {
  cudnnBackendDescriptor_t heuristics = create(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  set(heuristics, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
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

bool CudnnGraph::isAllowed(cudnnBackendDescriptor_t config, Numerics allowed, std::string &why) {
  cudnnBackendDescriptor_t engine = create(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  int64_t count = 0;
  library->check(library->api.cudnnBackendGetAttribute(config, CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count, &engine), description);
  cudnnBackendNumericalNote_t notes[32];
  library->check(library->api.cudnnBackendGetAttribute(engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE, 32, &count, notes), description);
  auto has = [&](cudnnBackendNumericalNote_t note) { return std::find(notes, notes + count, note) != notes + count; };
  auto forbid = [&](bool found, const char *text) {
    if (found && why.find(text) == std::string::npos)
      why += std::string(why.empty() ? "" : ", or ") + text;
    return found;
  };
  // Tensor cores multiply f32 as tf32.
  bool rounds = forbid(!allowed.tf32 && exact && (has(CUDNN_NUMERICAL_NOTE_TENSOR_CORE) || has(CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS)), "round f32 to tf32");
  bool sums = forbid(has(CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION), "sum in less than f32");
  bool varies = forbid(!allowed.nondeterministic && has(CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC), "give other results in another run");
  return !rounds && !sums && !varies;
}

/// Whether the engine makes a plan that the workspace is large enough for.
bool CudnnGraph::usable(cudnnBackendDescriptor_t config, int64_t workspace) {
  cudnnBackendDescriptor_t candidate = create(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  set(candidate, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &library->handle);
  set(candidate, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
  if (library->api.cudnnBackendFinalize(candidate) != CUDNN_STATUS_SUCCESS)
    return false; // an engine may be proposed and not be there on this device
  return fits(candidate, workspace);
}

bool CudnnGraph::fits(cudnnBackendDescriptor_t candidate, int64_t workspace) {
  int64_t count = 0;
  library->check(library->api.cudnnBackendGetAttribute(candidate, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &count,
                                                       &needed),
                 description);
  if (needed > workspace)
    return false;
  chosen = candidate;
  form = {};
  return true;
}

/// The plan that an earlier process made, if the library still takes it.
bool CudnnGraph::restore(const std::string &json, int64_t workspace) {
  if (json.empty())
    return false;
  try {
    return fits(make(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR,
                     [&](cudnnBackendDescriptor_t desc) {
                       set(desc, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &library->handle);
                       set(desc, CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION, CUDNN_TYPE_CHAR, json.size(), json.data());
                     }),
                workspace);
  } catch (const Error &) {
    return false;
  }
}

/// The chosen plan as text; empty where its engine cannot say it.
std::string CudnnGraph::json() const {
  int64_t size = 0;
  auto get = [&](int64_t requested, char *text) {
    return library->api.cudnnBackendGetAttribute(chosen, CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION, CUDNN_TYPE_CHAR, requested, &size, text) == CUDNN_STATUS_SUCCESS;
  };
  if (!get(0, nullptr) || size < 1)
    return {};
  std::string result(size, '\0');
  return get(size, result.data()) ? result : std::string();
}

void CudnnGraph::execute(void **buffers) {
  std::vector<int64_t> ids;
  std::vector<void *> addresses;
  for (size_t i = 0; i < operands.size(); ++i) {
    int64_t buffer = operands[i].buffer;
    if (buffer == kBetween)
      continue;
    void *address = buffer < 0 ? static_cast<void *>(&operands[i].number) : buffers[buffer];
    if (buffer >= 0 && (!address || reinterpret_cast<std::uint64_t>(address) % kAlignment))
      throw Error(RAF_RT_INVALID, "buffer " + std::to_string(buffer) + (address ? " is not aligned to 16 bytes (" : " is NULL (") + description + ")");
    ids.push_back(i + 1);
    addresses.push_back(address);
  }
  void *workspace = buffers[workspaceBuffer];
  if (needed > 0 && !workspace)
    throw Error(RAF_RT_INVALID, "the workspace is NULL (" + description + ")");
  cudnnBackendDescriptor_t pack = nullptr;
  library->check(library->api.cudnnBackendCreateDescriptor(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, &pack), description);
  try {
    library->check(library->api.cudnnSetStream(library->handle, static_cast<Device &>(*ctx->device).stream()), description);
    set(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, ids);
    set(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, addresses.size(), addresses.data());
    set(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
    library->check(library->api.cudnnBackendFinalize(pack), description);
    library->check(library->api.cudnnBackendExecute(library->handle, chosen, pack), description);
  } catch (...) {
    library->api.cudnnBackendDestroyDescriptor(pack);
    throw;
  }
  library->api.cudnnBackendDestroyDescriptor(pack);
}
