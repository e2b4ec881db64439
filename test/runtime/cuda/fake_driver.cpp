// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver for tests of runtime/cuda: everything happens at once, each call is written to a log, and the environment
// variable FAKE_FAIL = "<function>=<code>" makes one function fail; with FAKE_BUSY streams have work that never ends. Kernels: `twice` doubles eight floats, `fault` is a
// kernel that fails. Built by the test as libcuda.so.1.
#include "runtime/cuda/Api.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

using namespace raf::rt::cuda;

namespace {

struct Recorded {
  std::string kernel;
  float *x;
};

std::string calls;
CUresult sticky = CUDA_SUCCESS;
std::size_t held = 0;
constexpr std::size_t kMemory = 1 << 20;
std::map<void *, std::size_t> blocks;
std::map<CUstream, int> names;
std::vector<Recorded> *capturing = nullptr;
int next = 0;

CUresult fails(const char *function) {
  const char *plan = std::getenv("FAKE_FAIL");
  std::size_t length = std::strlen(function);
  if (plan && std::strncmp(plan, function, length) == 0 && plan[length] == '=')
    return static_cast<CUresult>(std::atoi(plan + length + 1));
  return sticky;
}

void say(const std::string &text) { calls += text + "\n"; }

std::string name(CUstream stream) { return "s" + std::to_string(names.count(stream) ? names[stream] : -1); }

struct FakeEvent {
  int number;
  double at = 0;
};

std::string name(CUevent event) { return "e" + std::to_string(reinterpret_cast<FakeEvent *>(event)->number); }

void run(const Recorded &work) {
  if (work.kernel == "twice")
    for (int i = 0; i < 8; ++i)
      work.x[i] *= 2;
  else
    sticky = CUDA_ERROR_ILLEGAL_ADDRESS;
}

double now() { return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

} // namespace

#define ENTER(function)                                                                                                        \
  if (CUresult result = fails(#function); result != CUDA_SUCCESS)                                                              \
  return result

extern "C" {

const char *fake_calls() {
  static std::string copy;
  copy.swap(calls);
  calls.clear();
  return copy.c_str();
}

CUresult cuInit(unsigned) { return fails("cuInit"); }
CUresult cuDriverGetVersion(int *version) { return *version = 13000, CUDA_SUCCESS; }
CUresult cuGetErrorName(CUresult, const char **text) { return *text = "FAKE_NAME", CUDA_SUCCESS; }
CUresult cuGetErrorString(CUresult, const char **text) { return *text = "fake text", CUDA_SUCCESS; }
CUresult cuDeviceGetCount(int *count) { return *count = 1, CUDA_SUCCESS; }
CUresult cuDeviceGet(CUdevice *device, int) { return *device = 0, CUDA_SUCCESS; }
CUresult cuDeviceGetName(char *text, int length, CUdevice) { return std::snprintf(text, length, "Fake GPU"), CUDA_SUCCESS; }
CUresult cuDeviceTotalMem_v2(std::size_t *bytes, CUdevice) { return *bytes = kMemory, CUDA_SUCCESS; }
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice) {
  const char *major = std::getenv("FAKE_MAJOR");
  *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR   ? (major ? std::atoi(major) : 9)
           : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? 0
           : attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT     ? 4
                                                                       : 232448;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) {
  ENTER(cuDevicePrimaryCtxRetain);
  return *context = nullptr, CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) { return sticky = CUDA_SUCCESS; }
CUresult cuDevicePrimaryCtxReset_v2(CUdevice) {
  CUresult before = sticky;
  sticky = CUDA_SUCCESS;
  if (CUresult result = fails("cuDevicePrimaryCtxReset_v2"); result != CUDA_SUCCESS)
    return sticky = before, result;
  for (auto &block : blocks)
    std::free(block.first);
  blocks.clear();
  held = 0;
  names.clear();
  say("reset");
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuMemGetInfo_v2(std::size_t *free, std::size_t *total) { return *free = kMemory - held, *total = kMemory, CUDA_SUCCESS; }

CUresult cuMemAlloc_v2(CUdeviceptr *address, std::size_t bytes) {
  ENTER(cuMemAlloc_v2);
  if (held + bytes > kMemory)
    return CUDA_ERROR_OUT_OF_MEMORY;
  void *block = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  blocks[block] = bytes;
  held += bytes;
  *address = reinterpret_cast<CUdeviceptr>(block);
  return CUDA_SUCCESS;
}
CUresult cuMemFree_v2(CUdeviceptr address) {
  void *block = reinterpret_cast<void *>(address);
  if (!blocks.count(block))
    return say("nothing to free"), CUDA_ERROR_INVALID_VALUE;
  held -= blocks.at(block);
  blocks.erase(block);
  std::free(block);
  return CUDA_SUCCESS;
}
CUresult cuMemHostAlloc(void **address, std::size_t bytes, unsigned) { return *address = std::malloc(bytes), CUDA_SUCCESS; }
CUresult cuMemFreeHost(void *address) { return std::free(address), CUDA_SUCCESS; }

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr address) {
  for (auto &[block, bytes] : blocks) {
    CUdeviceptr start = reinterpret_cast<CUdeviceptr>(block);
    if (address - start >= bytes)
      continue;
    if (attribute == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
      *static_cast<int *>(value) = 0;
    else if (attribute == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR)
      *static_cast<CUdeviceptr *>(value) = start;
    else
      *static_cast<std::size_t *>(value) = bytes;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr target, const void *source, std::size_t bytes, CUstream stream) {
  ENTER(cuMemcpyHtoDAsync_v2);
  say("up " + std::to_string(bytes) + " " + name(stream));
  std::memcpy(reinterpret_cast<void *>(target), source, bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoHAsync_v2(void *target, CUdeviceptr source, std::size_t bytes, CUstream stream) {
  ENTER(cuMemcpyDtoHAsync_v2);
  say("down " + std::to_string(bytes) + " " + name(stream));
  std::memcpy(target, reinterpret_cast<void *>(source), bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr target, CUdeviceptr source, std::size_t bytes, CUstream) {
  return std::memcpy(reinterpret_cast<void *>(target), reinterpret_cast<void *>(source), bytes), CUDA_SUCCESS;
}
CUresult cuMemsetD8Async(CUdeviceptr target, unsigned char value, std::size_t bytes, CUstream) {
  return std::memset(reinterpret_cast<void *>(target), value, bytes), CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *stream, unsigned) {
  *stream = reinterpret_cast<CUstream>(new int);
  names[*stream] = static_cast<int>(names.size());
  return CUDA_SUCCESS;
}
CUresult cuStreamDestroy_v2(CUstream stream) { return names.erase(stream), delete reinterpret_cast<int *>(stream), CUDA_SUCCESS; }
CUresult cuStreamSynchronize(CUstream stream) {
  ENTER(cuStreamSynchronize);
  if (std::getenv("FAKE_BUSY"))
    say("hang " + name(stream));
  return CUDA_SUCCESS;
}
CUresult cuStreamQuery(CUstream stream) {
  ENTER(cuStreamQuery);
  say("query " + name(stream));
  return std::getenv("FAKE_BUSY") ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  return say("wait " + name(event) + " " + name(stream)), CUDA_SUCCESS;
}
CUresult cuStreamBeginCapture_v2(CUstream, CUstreamCaptureMode) { return capturing = new std::vector<Recorded>, CUDA_SUCCESS; }
CUresult cuStreamEndCapture(CUstream, CUgraph *graph) {
  *graph = reinterpret_cast<CUgraph>(capturing);
  capturing = nullptr;
  return CUDA_SUCCESS;
}
CUresult cuEventCreate(CUevent *event, unsigned) { return *event = reinterpret_cast<CUevent>(new FakeEvent{next++}), CUDA_SUCCESS; }
CUresult cuEventDestroy_v2(CUevent event) { return delete reinterpret_cast<FakeEvent *>(event), CUDA_SUCCESS; }
CUresult cuEventRecord(CUevent event, CUstream stream) {
  reinterpret_cast<FakeEvent *>(event)->at = now();
  return say("record " + name(event) + " " + name(stream)), CUDA_SUCCESS;
}
CUresult cuEventSynchronize(CUevent) { return CUDA_SUCCESS; }
CUresult cuEventQuery(CUevent) { return CUDA_SUCCESS; }
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  *milliseconds = static_cast<float>(reinterpret_cast<FakeEvent *>(end)->at - reinterpret_cast<FakeEvent *>(start)->at);
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options, void **values) {
  ENTER(cuModuleLoadDataEx);
  if (std::strcmp(static_cast<const char *>(image), "kernels") == 0)
    return *module = reinterpret_cast<CUmodule>(const_cast<void *>(image)), CUDA_SUCCESS;
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
      std::strcpy(static_cast<char *>(values[i]), "line 1: no kernels here");
  return CUDA_ERROR_INVALID_PTX;
}
CUresult cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }
CUresult cuModuleGetFunction(CUfunction *function, CUmodule, const char *text) {
  static const char *known[] = {"twice", "fault"};
  for (const char *kernel : known)
    if (std::strcmp(kernel, text) == 0)
      return *function = reinterpret_cast<CUfunction>(const_cast<char *>(kernel)), CUDA_SUCCESS;
  return CUDA_ERROR_NOT_FOUND;
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int value) { return say("shared " + std::to_string(value)), CUDA_SUCCESS; }
CUresult cuLaunchKernel(CUfunction function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream stream,
                        void **params, void **) {
  ENTER(cuLaunchKernel);
  Recorded work{reinterpret_cast<const char *>(function), *static_cast<float **>(params[0])};
  say("launch " + work.kernel + " " + name(stream));
  if (capturing)
    capturing->push_back(work);
  else
    run(work);
  return CUDA_SUCCESS;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long) {
  *exec = reinterpret_cast<CUgraphExec>(new std::vector<Recorded>(*reinterpret_cast<std::vector<Recorded> *>(graph)));
  return CUDA_SUCCESS;
}
CUresult cuGraphDestroy(CUgraph graph) { return delete reinterpret_cast<std::vector<Recorded> *>(graph), CUDA_SUCCESS; }
CUresult cuGraphExecDestroy(CUgraphExec exec) { return delete reinterpret_cast<std::vector<Recorded> *>(exec), CUDA_SUCCESS; }
CUresult cuGraphLaunch(CUgraphExec exec, CUstream) {
  say("graph");
  for (const Recorded &work : *reinterpret_cast<std::vector<Recorded> *>(exec))
    run(work);
  return CUDA_SUCCESS;
}
}
