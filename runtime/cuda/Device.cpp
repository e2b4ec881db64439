// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening a device, its errors, its memory and the copies to and from it.
#include "cuda/Device.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace raf::rt;
using namespace raf::rt::cuda;

namespace {

/// Of one pinned buffer; larger copies go through two of them in turns.
constexpr int64_t kStagingBytes = int64_t(4) << 20;

/// Failures of running kernels, after which a context answers nothing else.
bool isFinal(CUresult result) {
  return result == CUDA_ERROR_ILLEGAL_ADDRESS || result == CUDA_ERROR_LAUNCH_TIMEOUT || result == CUDA_ERROR_ECC_UNCORRECTABLE ||
         (result >= CUDA_ERROR_HARDWARE_STACK_ERROR && result <= CUDA_ERROR_LAUNCH_FAILED);
}

std::string plural(int64_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

} // namespace

Device::Device(Libraries &libraries, int64_t ordinal)
    : found(libraries), api(libraries.driver()), home(libraries.home(static_cast<int>(ordinal))) {
  const char *value = std::getenv("RAF_CUDA_BLOCKING");
  blocking = value && *value && std::strcmp(value, "0") != 0;
  int count = 0;
  check(api.cuDeviceGetCount(&count), "counting devices");
  if (ordinal < 0 || ordinal >= count)
    throw Error(count ? RAF_RT_INVALID : RAF_RT_UNSUPPORTED,
                found.name() + ": there is no device " + std::to_string(ordinal) + "; this machine has " +
                    std::to_string(count));
  check(api.cuDeviceGet(&device, static_cast<int>(ordinal)), "opening device " + std::to_string(ordinal));
  auto attribute = [&](CUdevice_attribute which) {
    int result = 0;
    check(api.cuDeviceGetAttribute(&result, which, device), "reading the device's properties");
    return result;
  };
  facts.architecture = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
                       attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  facts.multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  facts.shared_bytes = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  facts.simulated = api.raf_sim_last_report != nullptr;
  std::size_t bytes = 0;
  check(api.cuDeviceTotalMem_v2(&bytes, device), "reading the device's memory size");
  facts.memory_bytes = static_cast<int64_t>(bytes);
  char name[256] = "";
  api.cuDeviceGetName(name, sizeof name, device);
  deviceName = name;

  std::shared_lock<std::shared_mutex> use = openContext(static_cast<int>(ordinal));
  try {
    makeCurrent();
    useStream(0);
    check(api.cuStreamCreate(&copyStream, CU_STREAM_NON_BLOCKING), "making a stream");
    computed = newEvent(CU_EVENT_DISABLE_TIMING);
    copied = newEvent(CU_EVENT_DISABLE_TIMING);
    for (CUevent *event : {&fork, &foreign, &ended[0], &ended[1]})
      *event = newEvent(CU_EVENT_DISABLE_TIMING);
  } catch (...) {
    use.unlock();
    dispose();
    throw;
  }
}

/// The context of this process, a new one after a fault, and the right to use it.
std::shared_lock<std::shared_mutex> Device::openContext(int ordinal) {
  std::lock_guard<std::mutex> lock(home.mutex);
  generation = home.generation;
  if (!isLost()) {
    check(api.cuDevicePrimaryCtxRetain(&context, device), "opening the device's context");
    return std::shared_lock<std::shared_mutex>(home.inUse);
  }
  // A driver may refuse everything to a process after a fault.
  CUresult result;
  {
    std::lock_guard<std::shared_mutex> alone(home.inUse);
    result = api.cuDevicePrimaryCtxReset_v2(device);
    // Whatever follows: what others had is gone with the context, and must not be freed in the next one.
    if (result == CUDA_SUCCESS)
      home.generation = ++generation;
  }
  if (result == CUDA_SUCCESS)
    result = api.cuDevicePrimaryCtxRetain(&context, device);
  if (result != CUDA_SUCCESS)
    throw Error(RAF_RT_FAILED, found.name() + ": device " + std::to_string(ordinal) + " takes no more work of this process, which has to be started again (" +
                                   errorText(api, result) + "); before, " + home.because());
  return std::shared_lock<std::shared_mutex>(home.inUse);
}

Device::~Device() { dispose(); }

/// Failures are ignored: after one on the device every call fails, and there is nobody to tell.
void Device::finish() noexcept {
  std::lock_guard<std::mutex> lock(home.mutex);
  leave();
}

void Device::leave() noexcept {
  if (generation != home.generation)
    return;
  api.cuCtxSetCurrent(context);
  auto finish = [&](CUstream stream) {
    try {
      await(stream, "the program's work");
    } catch (const Error &) {
    }
  };
  for (CUstream stream : streams)
    finish(stream);
  if (copyStream)
    finish(copyStream);
  forgetGraphs();
}

void Device::dispose() {
  std::lock_guard<std::mutex> lock(home.mutex);
  if (generation != home.generation) {
    // All of it went with the context, and the driver must not be asked about it. Libraries' handles cannot be closed without theirs.
    new auto(std::move(shared));
    return;
  }
  leave();
  peers.reset();
  shared.clear();
  for (CUmodule module : modules)
    api.cuModuleUnload(module);
  for (auto &block : blocks)
    api.cuMemFree_v2(address(block.first));
  for (Staging &buffer : stagings) {
    api.cuMemFreeHost(buffer.memory);
    api.cuEventDestroy_v2(buffer.free);
  }
  std::vector<CUevent> all = {computed, copied, fork, base, foreign, ended[0], ended[1]};
  for (auto *list : {&events, &joins, &timers, &meetings, &spareMeetings})
    all.insert(all.end(), list->begin(), list->end());
  for (CUevent event : all)
    if (event)
      api.cuEventDestroy_v2(event);
  for (CUstream stream : streams)
    api.cuStreamDestroy_v2(stream);
  if (copyStream)
    api.cuStreamDestroy_v2(copyStream);
  api.cuDevicePrimaryCtxRelease_v2(device);
}

static Device &deviceOf(raf_rt_context *ctx) {
  if (!ctx->device)
    throw Error(RAF_RT_INVALID, "the context has no CUDA device: raf_rt_cuda_open comes first");
  return static_cast<Device &>(*ctx->device);
}

std::shared_lock<std::shared_mutex> Device::use(raf_rt_context *ctx) { return std::shared_lock<std::shared_mutex>(deviceOf(ctx).home.inUse); }

Device &Device::of(raf_rt_context *ctx) {
  Device &device = deviceOf(ctx);
  if (device.isLost())
    throw Error(RAF_RT_FAILED, device.lostBecause());
  device.makeCurrent();
  return device;
}

std::string Device::lostBecause() const { return home.because() + "; what was on the device is lost with it: compile or load the program again"; }

void Device::makeCurrent() { check(api.cuCtxSetCurrent(context), "making the device's context current"); }

void Device::check(CUresult result, const std::string &what) {
  if (result != CUDA_SUCCESS)
    fail(result, what);
}

void Device::fail(CUresult result, const std::string &what) {
  std::string message = found.name() + ": " + what + " failed: " + errorText(api, result);
  if (isFinal(result)) {
    const char *report = api.raf_sim_last_report ? api.raf_sim_last_report() : nullptr;
    if (report && *report)
      message += std::string("; ") + report;
    CUmodule module = api.raf_sim_last_module ? api.raf_sim_last_module() : nullptr;
    message += module ? nodesOfReport(report, module) : blocking ? nodesOf(currentOp) : "";
    if (!module && !blocking)
      message += "; run with RAF_CUDA_BLOCKING=1 to learn which op it was";
    home.lose(generation, message);
  }
  switch (result) {
  case CUDA_ERROR_OUT_OF_MEMORY:
    throw Error(RAF_RT_OUT_OF_MEMORY, message);
  case CUDA_ERROR_NO_DEVICE:
  case CUDA_ERROR_INVALID_IMAGE:
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_INVALID_PTX:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
  case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
    throw Error(RAF_RT_UNSUPPORTED, message);
  default:
    throw Error(RAF_RT_FAILED, message);
  }
}

CUevent Device::newEvent(unsigned flags) {
  CUevent event = nullptr;
  check(api.cuEventCreate(&event, flags), "making an event");
  return event;
}

void *Device::allocate(int64_t bytes) {
  if (bytes < 0)
    throw Error(RAF_RT_INVALID, "raf_rt_cuda_alloc: negative size " + std::to_string(bytes));
  if (bytes == 0)
    return nullptr;
  CUdeviceptr result = 0;
  CUresult status = api.cuMemAlloc_v2(&result, static_cast<std::size_t>(bytes));
  if (status == CUDA_ERROR_OUT_OF_MEMORY) {
    std::size_t free = 0, total = 0;
    api.cuMemGetInfo_v2(&free, &total);
    throw Error(RAF_RT_OUT_OF_MEMORY, found.name() + ": out of memory on " + deviceName + ": " + plural(bytes) +
                                          " are needed beside " + std::to_string(stats.current_bytes) +
                                          " held by this program, " + std::to_string(free) + " of " + std::to_string(total) +
                                          " are free");
  }
  check(status, "allocating " + plural(bytes));
  void *block = reinterpret_cast<void *>(result);
  blocks.emplace(block, bytes);
  stats.current_bytes += bytes;
  stats.peak_bytes = std::max(stats.peak_bytes, stats.current_bytes);
  stats.allocations += 1;
  return block;
}

void Device::release(void *block) {
  if (!block)
    return;
  auto entry = blocks.find(block);
  if (entry == blocks.end())
    throw Error(RAF_RT_INVALID, "raf_rt_cuda_free: the address was not allocated by raf_rt_cuda_alloc, or is free already");
  synchronize();
  // A graph may still name it.
  forgetGraphs();
  check(api.cuMemFree_v2(address(block)), "freeing " + plural(entry->second));
  stats.current_bytes -= entry->second;
  blocks.erase(entry);
}

Device::Staging &Device::staging(size_t index) {
  while (stagings.size() <= index) {
    Staging buffer;
    check(api.cuMemHostAlloc(&buffer.memory, kStagingBytes, 0), "allocating " + plural(kStagingBytes) + " of pinned memory");
    buffer.free = newEvent(CU_EVENT_DISABLE_TIMING);
    stagings.push_back(buffer);
  }
  Staging &buffer = stagings[index];
  if (buffer.used)
    await(buffer.free, "copying to the device");
  buffer.used = false;
  return buffer;
}

void Device::upload(void *target, const void *source, int64_t bytes, bool ordered) {
  if (ordered) {
    check(api.cuEventRecord(computed, streams[0]), "uploading");
    check(api.cuStreamWaitEvent(copyStream, computed, 0), "uploading");
  } else {
    // The target may have been the input of the step before the latest.
    if (steps >= 2)
      check(api.cuStreamWaitEvent(copyStream, ended[steps % 2], 0), "uploading");
    done.prefetches += 1;
  }
  size_t turn = 0;
  for (int64_t offset = 0; offset < bytes; offset += kStagingBytes, turn ^= 1) {
    Staging &buffer = staging(turn);
    int64_t part = std::min(kStagingBytes, bytes - offset);
    std::memcpy(buffer.memory, static_cast<const char *>(source) + offset, part);
    check(api.cuMemcpyHtoDAsync_v2(address(target) + offset, buffer.memory, part, copyStream), "uploading " + plural(bytes));
    check(api.cuEventRecord(buffer.free, copyStream), "uploading");
    buffer.used = true;
  }
  check(api.cuEventRecord(copied, copyStream), "uploading");
  check(api.cuStreamWaitEvent(streams[0], copied, 0), "uploading");
}

void Device::download(void *target, const void *source, int64_t bytes) {
  // While one part is copied out of its buffer the next is on its way.
  struct Part {
    int64_t offset, bytes;
  };
  std::vector<Part> parts;
  for (int64_t offset = 0; offset < bytes; offset += kStagingBytes)
    parts.push_back({offset, std::min(kStagingBytes, bytes - offset)});
  auto start = [&](size_t i) {
    Staging &buffer = staging(i % 2);
    check(api.cuMemcpyDtoHAsync_v2(buffer.memory, address(source) + parts[i].offset, parts[i].bytes, streams[0]),
          "downloading " + plural(bytes));
    check(api.cuEventRecord(buffer.free, streams[0]), "downloading");
    buffer.used = true;
  };
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i == 0)
      start(0);
    if (i + 1 < parts.size())
      start(i + 1);
    Staging &buffer = stagings[i % 2];
    await(buffer.free, "downloading " + plural(bytes));
    buffer.used = false;
    std::memcpy(static_cast<char *>(target) + parts[i].offset, buffer.memory, parts[i].bytes);
  }
  // A failure of what ran before shows here, not in an event.
  waitForAll("the program's work");
}

void Device::copy(void *target, const void *source, int64_t bytes) {
  if (bytes)
    check(api.cuMemcpyDtoDAsync_v2(address(target), address(source), bytes, stream()), "copying " + plural(bytes));
}

void Device::fill(void *target, int64_t byte, int64_t bytes) {
  if (bytes)
    check(api.cuMemsetD8Async(address(target), static_cast<unsigned char>(byte), bytes, stream()), "filling " + plural(bytes));
}

void Device::waitFor(CUstream other) {
  check(api.cuEventRecord(foreign, other), "recording an event on the stream of another library");
  check(api.cuStreamWaitEvent(streams[0], foreign, 0), "waiting for the stream of another library");
}

void Device::letWait(CUstream other) {
  check(api.cuEventRecord(foreign, streams[0]), "recording an event");
  check(api.cuStreamWaitEvent(other, foreign, 0), "letting the stream of another library wait");
}

void Device::locate(const void *pointer, int64_t *ordinal, int64_t *bytes) {
  int number = 0;
  CUdeviceptr start = 0;
  std::size_t size = 0;
  auto ask = [&](void *value, CUpointer_attribute attribute) { return api.cuPointerGetAttribute(value, attribute, address(pointer)) == CUDA_SUCCESS; };
  if (!ask(&number, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) || number < 0)
    throw Error(RAF_RT_INVALID, "the address is not in the memory of a device of " + found.name());
  *ordinal = number;
  bool known = ask(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR) && ask(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE);
  *bytes = known ? static_cast<int64_t>(start + size - address(pointer)) : -1;
}

void Device::await(CUstream stream, const std::string &what) {
  haveMetPeers();
  check(meetings.empty() ? api.cuStreamSynchronize(stream) : poll([&] { return api.cuStreamQuery(stream); }, what), what);
}

void Device::await(CUevent event, const std::string &what) {
  haveMetPeers();
  check(meetings.empty() ? api.cuEventSynchronize(event) : poll([&] { return api.cuEventQuery(event); }, what), what);
}

void Device::waitsForPeers() {
  // What is captured waits when the graph runs.
  if (!peers || capturing)
    return;
  if (spareMeetings.empty())
    haveMetPeers();
  if (spareMeetings.empty())
    spareMeetings.push_back(newEvent(CU_EVENT_DISABLE_TIMING));
  check(api.cuEventRecord(spareMeetings.back(), stream()), "recording an event");
  meetings.push_back(spareMeetings.back());
  spareMeetings.pop_back();
}

bool Device::haveMetPeers() {
  auto ended = std::partition(meetings.begin(), meetings.end(), [&](CUevent event) { return api.cuEventQuery(event) == CUDA_ERROR_NOT_READY; });
  bool any = ended != meetings.end();
  spareMeetings.insert(spareMeetings.end(), ended, meetings.end());
  meetings.erase(ended, meetings.end());
  return any;
}

template <class Query> CUresult Device::poll(Query query, const std::string &what) {
  for (int64_t begin = nanoseconds(), round = 0;; ++round) {
    if (CUresult result = query(); result != CUDA_ERROR_NOT_READY)
      return result;
    // As long as the others come the work is only long, and so is what waits for nobody.
    if (haveMetPeers() || meetings.empty())
      begin = nanoseconds();
    if (std::string why = peers->failure(static_cast<double>(nanoseconds() - begin) * 1e-9); !why.empty()) {
      peers->abandon(why);
      peers.reset();
      for (CUstream stream : streams)
        api.cuStreamSynchronize(stream);
      haveMetPeers();
      // They contain what waited for the others.
      forgetGraphs();
      throw Error(RAF_RT_FAILED, found.name() + ": " + what + " does not end: " + why);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(round < 100 ? 0 : 50));
  }
}

void Device::waitForAll(const std::string &what) {
  for (CUstream stream : streams)
    await(stream, what);
}

/// What was enqueued earlier may have failed meanwhile, which is then the reason of every failure. Nothing is waited for: a collective whose
/// other rank is gone never ends.
void Device::checkEarlierWork() {
  if (isLost())
    throw;
  if (capturing)
    return;
  for (CUstream stream : streams)
    if (CUresult result = api.cuStreamQuery(stream); result != CUDA_ERROR_NOT_READY)
      check(result, "the program's work");
}

void Device::synchronize() {
  await(copyStream, "copying to the device");
  waitForAll("the program's work");
}
