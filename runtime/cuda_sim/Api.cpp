// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry points: devices, contexts, memory.
#include "cuda_sim/Api.h"

#include "cuda_sim/Image.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace raf::sim {

constexpr int kBlockThreads = 1024, kMultiprocessors = 132;
constexpr int64_t kSharedOptIn = 227 << 10;

static std::mutex primaryMutex;
static std::shared_ptr<Context> &primary = *new std::shared_ptr<Context>; // not destroyed when the process ends
static int primaryUsers;
static thread_local Context *currentContext;

static std::mutex reportMutex;
static std::string lastReport;
static Module *lastModule;

std::shared_ptr<Context> current() {
  std::lock_guard<std::mutex> lock(primaryMutex);
  return currentContext && currentContext == primary.get() ? primary : nullptr;
}

void setLastReport(const std::string &text, bool onlyFirst, Module *module) {
  std::lock_guard<std::mutex> lock(reportMutex);
  if (onlyFirst && !lastReport.empty())
    return;
  lastReport = text;
  lastModule = module;
}

void forgetReported(Module *module) {
  std::lock_guard<std::mutex> lock(reportMutex);
  if (lastModule == module)
    lastModule = nullptr;
}

CUresult withContext(const std::function<CUresult(Context &)> &body) {
  std::shared_ptr<Context> context = current();
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  try {
    return body(*context);
  } catch (const std::bad_alloc &) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
}

/// Copies and fills of the host's memory that must not happen while it is changed again.
static std::shared_ptr<std::vector<char>> snapshot(const void *source, size_t bytes) {
  auto begin = static_cast<const char *>(source);
  return std::make_shared<std::vector<char>>(begin, begin + bytes);
}

static void toDevice(Execution &execution, CUdeviceptr to, const void *from, size_t bytes) {
  if (execution.access(to, bytes, RAF_SIM_STORE | RAF_SIM_CHECK_MEMORY | RAF_SIM_CHECK_RACES, "destination"))
    std::memcpy(execution.context.memory.toHost(to), from, bytes);
}

static CUresult copyToDevice(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  return withContext([&](Context &context) {
    if (!from && bytes)
      return CUDA_ERROR_INVALID_VALUE;
    // From pageable memory the driver copies before it returns; from pinned memory the device reads when its turn comes.
    std::shared_ptr<std::vector<char>> staged = context.isPinned(from, bytes) ? nullptr : snapshot(from, bytes);
    return context.enqueue(stream, {"copy to the device", [=](Execution &execution) { toDevice(execution, to, staged ? staged->data() : from, bytes); }});
  });
}

static CUresult copyToHost(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return withContext([&](Context &context) -> CUresult {
    if (!to && bytes)
      return CUDA_ERROR_INVALID_VALUE;
    CUresult result = context.enqueue(stream, {"copy to the host", [=](Execution &execution) {
      if (execution.access(from, bytes, RAF_SIM_LOAD | RAF_SIM_CHECK_MEMORY | RAF_SIM_CHECK_RACES, "source"))
        std::memcpy(to, execution.context.memory.toHost(from), bytes);
    }});
    if (result || context.isPinned(to, bytes))
      return result;
    return !Context::isDefault(stream) && stream->capture ? CUDA_SUCCESS : context.synchronize(stream);
  });
}

static CUresult copyOnDevice(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return withContext([&](Context &context) {
    return context.enqueue(stream, {"copy on the device", [=](Execution &execution) {
      // What was not initialized stays so: a copy of it is not an error yet.
      if (!execution.access(from, bytes, RAF_SIM_LOAD | RAF_SIM_CHECK_RACES, "source") ||
          !execution.access(to, bytes, RAF_SIM_STORE | RAF_SIM_CHECK_MEMORY | RAF_SIM_CHECK_RACES, "destination"))
        return;
      Memory &memory = execution.context.memory;
      std::memmove(memory.toHost(to), memory.toHost(from), bytes);
      memory.copyInitialized(memory.toHost(to), memory.toHost(from), bytes);
    }});
  });
}

static CUresult fill(CUdeviceptr to, uint32_t value, size_t width, size_t count, CUstream stream) {
  return withContext([&](Context &context) {
    if (to % width)
      return CUDA_ERROR_INVALID_VALUE;
    return context.enqueue(stream, {"fill", [=](Execution &execution) {
      if (!execution.access(to, width * count, RAF_SIM_STORE | RAF_SIM_CHECK_MEMORY | RAF_SIM_CHECK_RACES, "destination"))
        return;
      char *host = execution.context.memory.toHost(to);
      for (size_t i = 0; i < count; ++i)
        std::memcpy(host + i * width, &value, width);
    }});
  });
}

static int attribute(int which) {
  switch (which) {
  case 1: return kBlockThreads;
  case 2: case 3: return 1024;
  case 4: return 64;
  case 5: return 0x7fffffff;
  case 6: case 7: return 65535;
  case 8: return 48 << 10;  // shared memory of a block
  case 9: return 64 << 10;  // constant memory
  case 10: return 32;       // warp
  case 12: return 64 << 10; // registers of a block
  case 13: return 1000000;  // kHz
  case 16: return kMultiprocessors;
  case 31: return 1;        // concurrent kernels
  case 36: return 1000000;
  case 37: return 5120;     // bits of the memory bus
  case 38: return 50 << 20; // L2
  case 39: return 2048;     // threads of a multiprocessor
  case 40: return 1;        // copy engines
  case 41: return 1;        // unified addresses
  case 75: return 9;
  case 76: return 0;
  case 81: return 228 << 10;
  case 82: return 64 << 10;
  case 97: return int(kSharedOptIn);
  default: return 0;
  }
}

} // namespace raf::sim

using namespace raf::sim;

RAF_SIM_ENTRY CUresult cuInit(unsigned flags) { return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }

RAF_SIM_ENTRY CUresult cuDriverGetVersion(int *version) {
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = kDriverVersion;
  return CUDA_SUCCESS;
}

RAF_SIM_ENTRY CUresult cuGetErrorName(CUresult error, const char **text) { return describeError(error, text, false); }
RAF_SIM_ENTRY CUresult cuGetErrorString(CUresult error, const char **text) { return describeError(error, text, true); }

RAF_SIM_ENTRY CUresult cuDeviceGetCount(int *count) {
  *count = 1;
  return CUDA_SUCCESS;
}

RAF_SIM_ENTRY CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  *device = 0;
  return ordinal ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

RAF_SIM_ENTRY CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  if (device || length < 1)
    return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
  std::strncpy(name, "RAF simulated GPU", length);
  name[length - 1] = 0;
  return CUDA_SUCCESS;
}

static size_t totalMemory() {
  static const size_t bytes = Memory().total();
  return bytes;
}

RAF_SIM_ENTRY CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  *bytes = totalMemory();
  return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

RAF_SIM_ENTRY CUresult cuDeviceGetAttribute(int *value, int which, CUdevice device) {
  if (device)
    return CUDA_ERROR_INVALID_DEVICE;
  *value = attribute(which);
  return CUDA_SUCCESS;
}

RAF_SIM_ENTRY CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice device) {
  if (device)
    return CUDA_ERROR_INVALID_DEVICE;
  std::lock_guard<std::mutex> lock(primaryMutex);
  try {
    if (!primary) {
      primary = std::make_shared<Context>();
      setLastReport("", false);
    }
  } catch (const std::bad_alloc &) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  ++primaryUsers;
  *out = primary.get();
  return CUDA_SUCCESS;
}

RAF_SIM_ENTRY CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  std::shared_ptr<Context> last; // ends after the lock
  std::lock_guard<std::mutex> lock(primaryMutex);
  if (device || !primary)
    return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_CONTEXT;
  if (--primaryUsers == 0)
    last.swap(primary);
  return CUDA_SUCCESS;
}

RAF_SIM_ENTRY CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  if (device)
    return CUDA_ERROR_INVALID_DEVICE;
  std::shared_ptr<Context> last; // ends after the lock
  std::lock_guard<std::mutex> lock(primaryMutex);
  last.swap(primary);
  primaryUsers = 0;
  return CUDA_SUCCESS;
}

RAF_SIM_ENTRY CUresult cuCtxSetCurrent(CUcontext context) {
  {
    std::lock_guard<std::mutex> lock(primaryMutex);
    if (context && context != primary.get())
      return CUDA_ERROR_INVALID_CONTEXT;
  }
  currentContext = context;
  return CUDA_SUCCESS;
}

RAF_SIM_ENTRY CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = current().get();
  return CUDA_SUCCESS;
}

RAF_SIM_ENTRY CUresult cuCtxSynchronize() {
  return withContext([&](Context &context) { return context.disturbsCapture() ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : context.synchronizeAll(); });
}

RAF_SIM_ENTRY CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  return withContext([&](Context &context) {
    std::lock_guard<std::mutex> device(context.executing);
    *total = context.memory.total();
    *free = *total - context.memory.used();
    return CUDA_SUCCESS;
  });
}

RAF_SIM_ENTRY CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  return withContext([&](Context &context) -> CUresult {
    if (context.error != CUDA_SUCCESS)
      return context.error;
    if (!address || !bytes)
      return CUDA_ERROR_INVALID_VALUE;
    if (context.disturbsCapture())
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    std::lock_guard<std::mutex> device(context.executing);
    return context.memory.allocate(bytes, address);
  });
}

RAF_SIM_ENTRY CUresult cuMemFree_v2(CUdeviceptr address) {
  return withContext([&](Context &context) -> CUresult {
    if (!address)
      return CUDA_SUCCESS;
    if (context.disturbsCapture())
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    context.synchronizeAll();
    std::string damage;
    {
      std::lock_guard<std::mutex> device(context.executing);
      if (!context.memory.free(address, &damage)) {
        setLastReport("cuMemFree: the address is not the start of a live allocation", true);
        return CUDA_ERROR_INVALID_VALUE;
      }
    }
    if (!damage.empty())
      context.fail(CUDA_ERROR_ILLEGAL_ADDRESS, "damaged guard zone: " + damage);
    return context.error;
  });
}

RAF_SIM_ENTRY CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned) {
  return withContext([&](Context &context) {
    if (context.disturbsCapture())
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    *address = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (!*address)
      return CUDA_ERROR_OUT_OF_MEMORY;
    std::memset(*address, kFresh, bytes);
    std::lock_guard<std::mutex> lock(context.mutex);
    context.pinned[*address] = bytes;
    return CUDA_SUCCESS;
  });
}

RAF_SIM_ENTRY CUresult cuMemFreeHost(void *address) {
  return withContext([&](Context &context) {
    context.synchronizeAll();
    std::lock_guard<std::mutex> lock(context.mutex);
    if (!context.pinned.erase(address))
      return CUDA_ERROR_INVALID_VALUE;
    std::free(address);
    return CUDA_SUCCESS;
  });
}

RAF_SIM_ENTRY CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address) {
  return withContext([&](Context &context) {
    std::lock_guard<std::mutex> device(context.executing);
    CUdeviceptr start;
    size_t size;
    if (!context.memory.find(address, &start, &size))
      return CUDA_ERROR_NOT_FOUND;
    if (base)
      *base = start;
    if (bytes)
      *bytes = size;
    return CUDA_SUCCESS;
  });
}

RAF_SIM_ENTRY CUresult cuPointerGetAttribute(void *value, int which, CUdeviceptr address) {
  return withContext([&](Context &context) {
    std::lock_guard<std::mutex> device(context.executing);
    CUdeviceptr start;
    size_t size;
    if (!value || !context.memory.find(address, &start, &size))
      return CUDA_ERROR_INVALID_VALUE;
    switch (which) {
    case 2: *static_cast<unsigned *>(value) = 2; break; // memory of a device
    case 9: *static_cast<int *>(value) = 0; break;
    case 11: *static_cast<CUdeviceptr *>(value) = start; break;
    case 12: *static_cast<size_t *>(value) = size; break;
    default: return CUDA_ERROR_NOT_SUPPORTED;
    }
    return CUDA_SUCCESS;
  });
}

RAF_SIM_ENTRY CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) { return copyToDevice(to, from, bytes, stream); }
RAF_SIM_ENTRY CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) { return copyToHost(to, from, bytes, stream); }
RAF_SIM_ENTRY CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) { return copyOnDevice(to, from, bytes, stream); }

static CUresult waited(CUresult result) { return result ? result : withContext([](Context &context) { return context.synchronize(static_cast<Stream *>(nullptr)); }); }
RAF_SIM_ENTRY CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) { return waited(copyToDevice(to, from, bytes, nullptr)); }
RAF_SIM_ENTRY CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) { return waited(copyToHost(to, from, bytes, nullptr)); }
RAF_SIM_ENTRY CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) { return waited(copyOnDevice(to, from, bytes, nullptr)); }

RAF_SIM_ENTRY CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) { return fill(to, value, 1, count, stream); }
RAF_SIM_ENTRY CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) { return fill(to, value, 2, count, stream); }
RAF_SIM_ENTRY CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) { return fill(to, value, 4, count, stream); }

// ---- beyond the driver ----

extern "C" const char *raf_sim_last_report(void) {
  static thread_local std::string copy;
  std::lock_guard<std::mutex> lock(reportMutex);
  copy = lastReport;
  return copy.c_str();
}

extern "C" void *raf_sim_last_module(void) {
  std::lock_guard<std::mutex> lock(reportMutex);
  return lastModule;
}

extern "C" void raf_sim_record_launches(int32_t on) {
  std::lock_guard<std::mutex> lock(primaryMutex);
  if (primary)
    primary->setRecording(on);
}

extern "C" int64_t raf_sim_launches(raf_sim_launch *out, int64_t capacity) {
  std::lock_guard<std::mutex> lock(primaryMutex);
  std::vector<raf_sim_launch> all = primary ? primary->recorded() : std::vector<raf_sim_launch>();
  std::copy_n(all.begin(), std::min<int64_t>(all.size(), std::max<int64_t>(capacity, 0)), out);
  return int64_t(all.size());
}

static thread_local Execution *executionUnderWay;

extern "C" int32_t raf_sim_enqueue(void *stream, const char *name, void (*work)(void *), void *data, void (*release)(void *)) {
  std::shared_ptr<void> owner(data, [release](void *owned) {
    if (release)
      release(owned);
  });
  return withContext([&](Context &context) {
    return context.enqueue(static_cast<Stream *>(stream), {name, [work, owner](Execution &execution) {
      executionUnderWay = &execution;
      work(owner.get());
      executionUnderWay = nullptr;
    }});
  });
}

extern "C" void *raf_sim_memory(uint64_t address, int64_t bytes, int32_t kind, const char *what) {
  Execution *execution = executionUnderWay;
  return execution && execution->access(address, bytes, kind, what) ? execution->context.memory.toHost(address) : nullptr;
}

extern "C" void raf_sim_fail(const char *message) {
  if (Execution *execution = executionUnderWay)
    execution->fail(CUDA_ERROR_LAUNCH_FAILED, "'" + execution->operation.name + "': " + message);
}

extern "C" int32_t raf_sim_is_device_memory(uint64_t address, int64_t bytes) {
  std::shared_ptr<Context> context = current();
  if (!context)
    return 0;
  std::lock_guard<std::mutex> device(context->executing);
  return context->memory.isLive(address, bytes);
}
