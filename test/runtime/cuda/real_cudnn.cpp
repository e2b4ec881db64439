// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the runtime and the real cuDNN, on a machine without a device: what names a handle names the properties of a device instead, for which the library chooses
// engines and compiles them all the same. Built by the test as libcudnn.so.9; REAL_CUDNN is the library, REAL_CUDNN_DEVICE the properties.
#include "runtime/cuda/Cudnn.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include <dlfcn.h>

using namespace raf::rt::cuda;

namespace {

constexpr auto kProperties = static_cast<cudnnBackendDescriptorType_t>(38);
constexpr auto kOfHeuristics = static_cast<cudnnBackendAttributeName_t>(204), kOfPlan = static_cast<cudnnBackendAttributeName_t>(407), kJson = static_cast<cudnnBackendAttributeName_t>(2702);

struct Library {
  Cudnn api;
  std::size_t (*version)() = nullptr;
  cudnnBackendDescriptor_t properties = nullptr;
  std::map<cudnnBackendDescriptor_t, cudnnBackendDescriptorType_t> types;

  Library() {
    const char *file = std::getenv("REAL_CUDNN"), *json = std::getenv("REAL_CUDNN_DEVICE");
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      fail(dlerror());
#define LOAD(name, parameters) api.name = reinterpret_cast<decltype(api.name)>(dlsym(handle, #name));
    RAF_CUDNN(LOAD)
#undef LOAD
    version = reinterpret_cast<decltype(version)>(dlsym(handle, "cudnnGetVersion"));
    if (api.cudnnBackendCreateDescriptor(kProperties, &properties) || api.cudnnBackendSetAttribute(properties, kJson, CUDNN_TYPE_CHAR, std::strlen(json), json) ||
        api.cudnnBackendFinalize(properties))
      fail("the library does not take the properties of the device");
  }

  static void fail(const char *why) {
    std::fprintf(stderr, "%s\n", why);
    std::abort();
  }
};

Library &real() {
  static Library library;
  return library;
}

cudnnStatus_t setProperties(cudnnBackendDescriptor_t desc, cudnnBackendAttributeName_t name) {
  return real().api.cudnnBackendSetAttribute(desc, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &real().properties);
}

} // namespace

extern "C" {

cudnnStatus_t cudnnCreate(cudnnHandle_t *handle) { return *handle = reinterpret_cast<cudnnHandle_t>(&real()), CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnDestroy(cudnnHandle_t) { return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnSetStream(cudnnHandle_t, CUstream) { return CUDNN_STATUS_SUCCESS; }
std::size_t cudnnGetVersion() { return real().version(); }

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t *desc) {
  cudnnStatus_t status = real().api.cudnnBackendCreateDescriptor(type, desc);
  real().types[*desc] = type;
  return status;
}
cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t desc) {
  real().types.erase(desc);
  return real().api.cudnnBackendDestroyDescriptor(desc);
}
cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t desc, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t requested, std::int64_t *count,
                                       void *elements) {
  return real().api.cudnnBackendGetAttribute(desc, name, type, requested, count, elements);
}
cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t desc, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count, const void *elements) {
  if (type != CUDNN_TYPE_HANDLE)
    return real().api.cudnnBackendSetAttribute(desc, name, type, count, elements);
  return real().types[desc] == CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR ? setProperties(desc, kOfPlan) : CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t desc) {
  if (real().types[desc] == CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR)
    if (cudnnStatus_t status = setProperties(desc, kOfHeuristics))
      return status;
  return real().api.cudnnBackendFinalize(desc);
}
cudnnStatus_t cudnnBackendExecute(cudnnHandle_t, cudnnBackendDescriptor_t, cudnnBackendDescriptor_t) { return static_cast<cudnnStatus_t>(5000); }
}
