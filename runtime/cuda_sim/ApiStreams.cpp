// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry points: errors, streams, events, graphs, modules, launches.
#include "cuda_sim/Api.h"
#include "cuda_sim/Image.h"

#include <cstdio>
#include <cstring>

namespace raf::sim {

CUresult describeError(CUresult error, const char **text, bool sentence) {
  struct Row {
    CUresult code;
    const char *name, *sentence;
  };
  static const Row rows[] = {
      {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
      {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
      {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
      {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "the driver is not initialized"},
      {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "no such device"},
      {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "the image of kernels is not valid for this device"},
      {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "no valid context is current on this thread"},
      {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid handle"},
      {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "no such symbol"},
      {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "not ready yet"},
      {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
      {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "the launch needs more than the device has"},
      {CUDA_ERROR_MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
      {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "a launch failed"},
      {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "the simulated GPU does not do this"},
      {CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "not allowed while a stream is captured"},
      {CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "the capture failed because of an earlier error"},
      {CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "the capture was not begun on this stream"},
      {CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "the capture has a stream that was not joined to the one that it was begun on"},
      {CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION", "a dependency would cross the border of the capture"},
      {CUDA_ERROR_CAPTURED_EVENT, "CUDA_ERROR_CAPTURED_EVENT", "the event was last recorded in a capture, so the host cannot wait for it"},
  };
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  for (const Row &row : rows)
    if (row.code == error) {
      *text = sentence ? row.sentence : row.name;
      return CUDA_SUCCESS;
    }
  *text = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

static CUresult launch(Context &context, Function *function, const unsigned grid[3], const unsigned block[3], unsigned sharedBytes, Stream *stream, void **params) {
  auto invalid = [&](const std::string &why) {
    setLastReport("launch of kernel '" + std::string(function->kernel->name) + "': " + why, true);
    return CUDA_ERROR_INVALID_VALUE;
  };
  const raf_sim_kernel &kernel = *function->kernel;
  uint64_t threads = uint64_t(block[0]) * block[1] * block[2];
  if (!threads || threads > 1024 || block[2] > 64)
    return invalid("a block of " + std::to_string(threads) + " threads; 1 to 1024 are possible");
  if (!grid[0] || !grid[1] || !grid[2] || grid[0] > 0x7fffffffu || grid[1] > 65535 || grid[2] > 65535)
    return invalid("a grid of " + std::to_string(grid[0]) + " x " + std::to_string(grid[1]) + " x " + std::to_string(grid[2]) + " blocks is not possible");
  for (int i = 0; i < 3; ++i)
    if (kernel.block_size[i] && unsigned(kernel.block_size[i]) != block[i])
      return invalid("it was compiled for " + std::to_string(kernel.block_size[i]) + " threads in dimension " + std::to_string(i) + ", not " + std::to_string(block[i]));
  if (int64_t(sharedBytes) > function->maxDynamicShared - kernel.shared_bytes)
    return invalid(std::to_string(kernel.shared_bytes + sharedBytes) + " bytes of shared memory a block; " + std::to_string(function->maxDynamicShared) + " were allowed");
  if (kernel.param_count && !params)
    return invalid("no parameters");
  auto request = std::make_shared<LaunchRequest>();
  request->kernel = &kernel;
  request->module = function->module->kernels;
  for (int i = 0; i < 3; ++i) {
    request->grid[i] = int32_t(grid[i]);
    request->block[i] = int32_t(block[i]);
  }
  request->dynamicShared = sharedBytes;
  size_t size = 0;
  for (int32_t i = 0; i < kernel.param_count; ++i) {
    request->places.push_back(size);
    size += (kernel.param_bytes[i] + 7) / 8 * 8;
  }
  request->values.resize(size);
  for (int32_t i = 0; i < kernel.param_count; ++i) {
    char *value = request->values.data() + request->places[i];
    std::memcpy(value, params[i], kernel.param_bytes[i]);
    // Addresses of the device become those that the code can use. Nothing else has such values: the address space lies where no size or bit pattern of a number does.
    CUdeviceptr address;
    if (kernel.param_bytes[i] != sizeof address)
      continue;
    std::memcpy(&address, value, sizeof address);
    if (context.memory.isDevice(address)) {
      char *host = context.memory.toHost(address);
      std::memcpy(value, &host, sizeof host);
    }
  }
  return context.enqueue(stream, {kernel.name, [request](Execution &execution) { runKernel(execution, *request); }, function->module});
}

} // namespace raf::sim

using namespace raf::sim;

// ---- streams and events ----

RAF_SIM_ENTRY CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return withContext([&](Context &context) { return flags > 1 ? CUDA_ERROR_INVALID_VALUE : context.createStream(!flags, stream); });
}
RAF_SIM_ENTRY CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int) { return cuStreamCreate(stream, flags); }
RAF_SIM_ENTRY CUresult cuStreamDestroy_v2(CUstream stream) {
  return withContext([&](Context &context) { return context.destroyStream(stream); });
}
RAF_SIM_ENTRY CUresult cuStreamSynchronize(CUstream stream) {
  return withContext([&](Context &context) { return context.synchronize(stream); });
}
RAF_SIM_ENTRY CUresult cuStreamQuery(CUstream stream) {
  return withContext([&](Context &context) { return context.query(stream); });
}
RAF_SIM_ENTRY CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  return withContext([&](Context &context) { return context.wait(stream, event); });
}
RAF_SIM_ENTRY CUresult cuLaunchHostFunc(CUstream stream, void (*body)(void *), void *data) {
  return withContext([&](Context &context) { return context.enqueue(stream, {"host function", [=](Execution &) { body(data); }}); });
}

RAF_SIM_ENTRY CUresult cuEventCreate(CUevent *event, unsigned flags) {
  return withContext([&](Context &context) {
    std::lock_guard<std::mutex> lock(context.mutex);
    *event = new Event{&context, !(flags & 2), nullptr, {}};
    context.events.insert(*event);
    return CUDA_SUCCESS;
  });
}
RAF_SIM_ENTRY CUresult cuEventDestroy_v2(CUevent event) {
  return withContext([&](Context &context) {
    std::lock_guard<std::mutex> lock(context.mutex);
    if (!context.events.erase(event))
      return CUDA_ERROR_INVALID_HANDLE;
    delete event;
    return CUDA_SUCCESS;
  });
}
RAF_SIM_ENTRY CUresult cuEventRecord(CUevent event, CUstream stream) {
  return withContext([&](Context &context) { return context.record(event, stream); });
}
RAF_SIM_ENTRY CUresult cuEventSynchronize(CUevent event) {
  return withContext([&](Context &context) { return context.synchronize(event); });
}
RAF_SIM_ENTRY CUresult cuEventQuery(CUevent event) {
  return withContext([&](Context &context) { return context.query(event); });
}
RAF_SIM_ENTRY CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return withContext([&](Context &context) -> CUresult {
    std::lock_guard<std::mutex> lock(context.mutex);
    if (context.events.count(start) && context.events.count(end) && (start->captured.capture || end->captured.capture))
      return CUDA_ERROR_CAPTURED_EVENT;
    if (!context.events.count(start) || !context.events.count(end) || !start->timed || !end->timed || !start->moment || !end->moment)
      return CUDA_ERROR_INVALID_HANDLE;
    if (!start->moment->reached || !end->moment->reached)
      return CUDA_ERROR_NOT_READY;
    *milliseconds = float((end->moment->seconds - start->moment->seconds) * 1e3);
    return context.error;
  });
}

// ---- graphs ----

RAF_SIM_ENTRY CUresult cuStreamBeginCapture_v2(CUstream stream, int mode) {
  return withContext([&](Context &context) { return context.beginCapture(stream, mode); });
}
RAF_SIM_ENTRY CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  return withContext([&](Context &context) { return context.endCapture(stream, graph); });
}
RAF_SIM_ENTRY CUresult cuStreamIsCapturing(CUstream stream, int *status) {
  return withContext([&](Context &context) {
    std::lock_guard<std::mutex> lock(context.mutex);
    if (stream && !context.streams.count(stream))
      return CUDA_ERROR_INVALID_HANDLE;
    *status = !stream || !stream->capture ? 0 : stream->capture->invalid ? 2 : 1;
    return CUDA_SUCCESS;
  });
}
RAF_SIM_ENTRY CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long) {
  return withContext([&](Context &context) { return context.instantiate(graph, exec); });
}
RAF_SIM_ENTRY CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return withContext([&](Context &context) { return context.launch(exec, stream); });
}
RAF_SIM_ENTRY CUresult cuGraphExecDestroy(CUgraphExec exec) {
  return withContext([&](Context &context) { return context.destroy(exec); });
}
RAF_SIM_ENTRY CUresult cuGraphDestroy(CUgraph graph) {
  return withContext([&](Context &context) {
    std::lock_guard<std::mutex> lock(context.mutex);
    if (!context.graphs.erase(graph))
      return CUDA_ERROR_INVALID_VALUE;
    delete graph;
    return CUDA_SUCCESS;
  });
}

// ---- modules and launches ----

RAF_SIM_ENTRY CUresult cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned count, int *options, void **values) {
  return withContext([&](Context &context) -> CUresult {
    if (!out || !image)
      return CUDA_ERROR_INVALID_VALUE;
    std::string reason;
    std::unique_ptr<Module> module = loadImage(image, &reason);
    if (module) {
      std::lock_guard<std::mutex> lock(context.mutex);
      *out = module.get();
      context.modules.insert(module.release());
      return CUDA_SUCCESS;
    }
    setLastReport(reason, true);
    // CU_JIT_ERROR_LOG_BUFFER and its size.
    char *log = nullptr;
    size_t size = 0;
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] == 5)
        log = static_cast<char *>(values[i]);
      if (options[i] == 6)
        size = reinterpret_cast<size_t>(values[i]);
    }
    if (log && size)
      std::snprintf(log, size, "%s", reason.c_str());
    return CUDA_ERROR_INVALID_IMAGE;
  });
}
RAF_SIM_ENTRY CUresult cuModuleLoadData(CUmodule *out, const void *image) { return cuModuleLoadDataEx(out, image, 0, nullptr, nullptr); }
RAF_SIM_ENTRY CUresult cuModuleUnload(CUmodule module) {
  return withContext([&](Context &context) {
    context.synchronizeAll();
    std::lock_guard<std::mutex> lock(context.mutex);
    if (!context.modules.erase(module))
      return CUDA_ERROR_INVALID_HANDLE;
    forgetReported(module);
    delete module;
    return CUDA_SUCCESS;
  });
}
RAF_SIM_ENTRY CUresult cuModuleGetFunction(CUfunction *out, CUmodule module, const char *name) {
  return withContext([&](Context &context) {
    std::lock_guard<std::mutex> lock(context.mutex);
    if (!context.modules.count(module))
      return CUDA_ERROR_INVALID_HANDLE;
    for (Function &function : module->functions)
      if (std::strcmp(function.kernel->name, name) == 0) {
        *out = &function;
        return CUDA_SUCCESS;
      }
    return CUDA_ERROR_NOT_FOUND;
  });
}
RAF_SIM_ENTRY CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes) {
  return withContext([&](Context &) {
    if (!function || !offset || index >= size_t(function->kernel->param_count))
      return CUDA_ERROR_INVALID_VALUE;
    *offset = 0;
    for (size_t i = 0; i < index; ++i)
      *offset += (function->kernel->param_bytes[i] + 7) / 8 * 8;
    if (bytes)
      *bytes = function->kernel->param_bytes[index];
    return CUDA_SUCCESS;
  });
}
RAF_SIM_ENTRY CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  return withContext([&](Context &) {
    constexpr int kMaxDynamicShared = 8, kCarveout = 9;
    if (attribute == kCarveout)
      return CUDA_SUCCESS;
    if (attribute != kMaxDynamicShared || value < 0 || value + function->kernel->shared_bytes > 227 << 10)
      return CUDA_ERROR_INVALID_VALUE;
    function->maxDynamicShared = value + function->kernel->shared_bytes;
    return CUDA_SUCCESS;
  });
}
RAF_SIM_ENTRY CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                                      CUstream stream, void **params, void **extra) {
  return withContext([&](Context &context) -> CUresult {
    if (!function || extra)
      return function ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_HANDLE;
    const unsigned grid[3] = {gridX, gridY, gridZ}, block[3] = {blockX, blockY, blockZ};
    return launch(context, function, grid, block, sharedBytes, stream, params);
  });
}
