// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a step does on the device: images, kernels, streams, graphs and the times of ops.
#include "cuda/Device.h"

#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace raf::rt;
using namespace raf::rt::cuda;

namespace {

/// Graphs kept, one for each set of addresses: more than a program with double-buffered input has.
constexpr size_t kMostGraphs = 8;
constexpr int64_t kMostStreams = 64, kMostEvents = int64_t(1) << 20;

/// The driver is given no size: the simulated one finds an object's end by the tables in it, which may be damaged.
bool liesInside(const std::string &object) {
  Elf64_Ehdr header;
  if (object.size() < sizeof header)
    return false;
  std::memcpy(&header, object.data(), sizeof header);
  if (header.e_shoff > object.size() || header.e_shnum > (object.size() - header.e_shoff) / sizeof(Elf64_Shdr))
    return false;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, object.data() + header.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_NOBITS && (section.sh_offset > object.size() || section.sh_size > object.size() - section.sh_offset))
      return false;
  }
  return true;
}

} // namespace

void Device::addImage(const void *bytes, int64_t size) {
  if (!bytes || size <= 0)
    throw Error(RAF_RT_INVALID, "raf_rt_cuda_add_image: the image is empty");
  std::string image(static_cast<const char *>(bytes), size); // ends with a 0, which PTX needs
  if (facts.simulated && image.compare(0, SELFMAG, ELFMAG) == 0 && !liesInside(image))
    throw Error(RAF_RT_INVALID, "raf_rt_cuda_add_image: the object of " + std::to_string(size) + " bytes is damaged: a table or section is not inside it");
  char log[4096] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  CUmodule module = nullptr;
  CUresult result = api.cuModuleLoadDataEx(&module, image.data(), 2, options, values);
  if (result != CUDA_SUCCESS) {
    log[sizeof log - 1] = 0;
    fail(result, "loading an image of " + std::to_string(size) + " bytes for sm_" + std::to_string(facts.architecture) +
                     (*log ? " (" + std::string(log) + ")" : ""));
  }
  modules.push_back(module);
}

void Device::addKernel(int64_t id, const char *name) {
  if (id != static_cast<int64_t>(kernels.size()) || !name)
    throw Error(RAF_RT_INVALID, "kernel id " + std::to_string(id) + " where " + std::to_string(kernels.size()) + " is next");
  CUfunction function = nullptr;
  CUresult result = CUDA_ERROR_NOT_FOUND;
  for (CUmodule module : modules)
    if ((result = api.cuModuleGetFunction(&function, module, name)) != CUDA_ERROR_NOT_FOUND)
      break;
  if (result == CUDA_ERROR_NOT_FOUND)
    throw Error(RAF_RT_INVALID, std::string("no image has a kernel ") + name + "; the context has " +
                                    std::to_string(modules.size()) + (modules.size() == 1 ? " image" : " images"));
  check(result, std::string("finding the kernel ") + name);
  int32_t params = api.cuFuncGetParamInfo ? 0 : -1;
  for (std::size_t offset, bytes; params >= 0 && api.cuFuncGetParamInfo(function, params, &offset, &bytes) == CUDA_SUCCESS;)
    ++params;
  kernels.push_back({name, function, 0, params});
}

void Device::addConstant(int64_t id, const void *data, int64_t bytes) {
  if (id != static_cast<int64_t>(constants.size()) || bytes < 0 || (bytes && !data))
    throw Error(RAF_RT_INVALID, "constant id " + std::to_string(id) + " of " + std::to_string(bytes) + " bytes where " +
                                    std::to_string(constants.size()) + " is next");
  void *block = allocate(bytes);
  if (bytes)
    upload(block, data, bytes, /*ordered=*/true);
  constants.push_back(block);
}

void *Device::constant(int64_t id) const {
  return id >= 0 && id < static_cast<int64_t>(constants.size()) ? constants[id] : nullptr;
}

void Device::nameOps(const char *texts, int64_t count) {
  if (count < 0 || (count && !texts))
    throw Error(RAF_RT_INVALID, "raf_rt_cuda_ops: wrong arguments");
  ops.clear();
  for (int64_t i = 0; i < count; ++i) {
    NamedOp op;
    for (std::string *text : {&op.name, &op.nodes}) {
      *text = texts;
      texts += text->size() + 1;
    }
    ops.push_back(std::move(op));
  }
}

std::string Device::nodesOf(int64_t op) const {
  bool known = op >= 0 && op < static_cast<int64_t>(ops.size());
  return known && !ops[op].nodes.empty() ? "; this is " + ops[op].name + " for " + ops[op].nodes : "";
}

std::string Device::nodesOfReport(const std::string &report, CUmodule module) const {
  if (std::find(modules.begin(), modules.end(), module) == modules.end())
    return "; it is a kernel of another program";
  std::string nodes, name;
  for (const NamedOp &op : ops)
    if (!op.nodes.empty() && report.find("kernel '" + op.name + "'") != std::string::npos) {
      nodes += (nodes.empty() ? "" : "; or ") + op.nodes;
      name = op.name;
    }
  return nodes.empty() ? "" : "; this is " + name + " for " + nodes;
}

void Device::launch(int64_t id, const int32_t *gridBlock, int32_t sharedBytes, void **params, int32_t count) {
  if (id < 0 || id >= static_cast<int64_t>(kernels.size()))
    throw Error(RAF_RT_INVALID, "there is no kernel " + std::to_string(id));
  if (!gridBlock || sharedBytes < 0 || count < 0 || (count && !params))
    throw Error(RAF_RT_INVALID, "raf_rt_cuda_launch: wrong arguments for the kernel " + kernels[id].name);
  Kernel &kernel = kernels[id];
  for (int i = 0; i < 6; ++i)
    if (gridBlock[i] < 1)
      throw Error(RAF_RT_INVALID, "the kernel " + kernel.name + " is launched with " + std::to_string(gridBlock[i]) +
                                      (i < 3 ? " blocks" : " threads") + " along " + "xyz"[i % 3]);
  if (kernel.params >= 0 && count != kernel.params)
    throw Error(RAF_RT_INVALID, "the kernel " + kernel.name + " is launched with " + std::to_string(count) + " parameters; it has " + std::to_string(kernel.params));
  Range range(found.nvtx(), kernel.name.c_str());
  // Without asking a block has 48 KiB together with its static memory, whose size is not known here.
  if (sharedBytes > kernel.sharedBytes) {
    check(api.cuFuncSetAttribute(kernel.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, sharedBytes),
          "giving the kernel " + kernel.name + " " + std::to_string(sharedBytes) + " bytes of shared memory");
    kernel.sharedBytes = sharedBytes;
  }
  check(api.cuLaunchKernel(kernel.function, gridBlock[0], gridBlock[1], gridBlock[2], gridBlock[3], gridBlock[4],
                           gridBlock[5], sharedBytes, stream(), params, nullptr),
        "launching the kernel " + kernel.name);
  done.launches += 1;
  if (blocking)
    await(stream(), "the kernel " + kernel.name);
}

void Device::executed(const std::string &what) {
  done.plans += 1;
  if (blocking)
    await(stream(), what);
}

void Device::read(void *target, const void *source, int64_t bytes) {
  reads = true;
  std::memset(target, 0, bytes);
  if (capturing)
    throw Error(RAF_RT_FAILED, "a step that decides by values of the device cannot become a graph");
  check(api.cuMemcpyDtoHAsync_v2(target, address(source), bytes, stream()), "reading a value that the host decides by");
  await(stream(), "reading a value that the host decides by");
}

void Device::useStream(int64_t number) {
  if (number < 0 || number >= kMostStreams)
    throw Error(RAF_RT_INVALID, "stream " + std::to_string(number) + " is not between 0 and " + std::to_string(kMostStreams - 1));
  while (static_cast<int64_t>(streams.size()) <= number) {
    CUstream stream = nullptr;
    check(api.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "making a stream");
    streams.push_back(stream);
    busy.push_back(false);
    joins.push_back(newEvent(CU_EVENT_DISABLE_TIMING));
  }
  current = number;
  if (number > 0 && !busy[number]) {
    // In a step it begins where the step began; a captured stream must hang together with the first one anyway.
    check(api.cuStreamWaitEvent(streams[number], fork, 0), "beginning a stream");
    busy[number] = true;
  }
}

CUevent Device::numberedEvent(int64_t event) {
  if (event < 0 || event >= kMostEvents)
    throw Error(RAF_RT_INVALID, "event " + std::to_string(event) + " is not between 0 and " + std::to_string(kMostEvents - 1));
  while (static_cast<int64_t>(events.size()) <= event)
    events.push_back(newEvent(CU_EVENT_DISABLE_TIMING));
  return events[event];
}

void Device::record(int64_t event) { check(api.cuEventRecord(numberedEvent(event), stream()), "recording an event"); }

void Device::wait(int64_t event) {
  check(api.cuStreamWaitEvent(stream(), numberedEvent(event), 0), "waiting for an event");
}

void Device::joinStreams() {
  for (size_t i = 1; i < streams.size(); ++i) {
    if (!busy[i])
      continue;
    check(api.cuEventRecord(joins[i], streams[i]), "joining a stream");
    check(api.cuStreamWaitEvent(streams[0], joins[i], 0), "joining a stream");
    busy[i] = false;
  }
  current = 0;
}

void Device::setCapture(bool on, int64_t count) {
  if (count < 0)
    throw Error(RAF_RT_INVALID, "raf_rt_cuda_capture: " + std::to_string(count) + " arguments");
  forgetGraphs();
  const char *value = std::getenv("RAF_CUDA_GRAPHS");
  // A graph does not say which of its nodes failed.
  graphs = on && !blocking && !(value && std::strcmp(value, "0") == 0);
  arguments = count;
}

void Device::forgetGraphs() {
  for (auto &entry : captures)
    if (entry.second.graph)
      api.cuGraphExecDestroy(entry.second.graph);
  captures.clear();
}

void Device::runStep(raf_rt_context *ctx, raf_rt_entry entry, void **args, void *arena) {
  std::shared_lock<std::shared_mutex> use(home.inUse);
  if (isLost())
    throw Error(RAF_RT_FAILED, lostBecause());
  makeCurrent();
  Range range(found.nvtx(), "RAF step");
  struct Mark {
    Device &device;
    ~Mark() {
      device.currentOp = -1;
      device.api.cuEventRecord(device.ended[device.steps++ % 2], device.streams[0]);
    }
  } mark{*this};
  current = 0;
  currentOp = -1;
  busy.assign(busy.size(), false); // after a capture that failed some may be left
  bool profiled = ctx->profile.on.load(std::memory_order_relaxed);
  Captured *captured = nullptr;
  if (graphs && !profiled && !reads) {
    std::vector<void *> key(args, args + arguments);
    key.push_back(arena);
    if (captures.size() >= kMostGraphs && !captures.count(key))
      forgetGraphs();
    captured = &captures[key];
    if (captured->runs++ > 0) {
      if (!captured->graph && !capture(*captured, ctx, entry, args, arena))
        return; // raf_rt_execute reports the first failure inside the step
      check(api.cuGraphLaunch(captured->graph, streams[0]), "running the step as a graph");
      waitsForPeers();
      done.replays += 1;
      return;
    }
  }
  if (profiled)
    beginTiming();
  check(api.cuEventRecord(fork, streams[0]), "beginning the step");
  entry(ctx, args, arena);
  joinStreams();
  if (profiled)
    endTiming(ctx->profile);
}

bool Device::capture(Captured &captured, raf_rt_context *ctx, raf_rt_entry entry, void **args, void *arena) {
  check(api.cuStreamBeginCapture_v2(streams[0], CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "capturing the step");
  capturing = true;
  // The capture must be ended whatever happens.
  std::string failure;
  try {
    check(api.cuEventRecord(fork, streams[0]), "capturing the step");
    entry(ctx, args, arena);
    joinStreams();
  } catch (const Error &error) {
    failure = error.message;
  }
  capturing = false;
  currentOp = -1;
  CUgraph graph = nullptr;
  CUresult result = api.cuStreamEndCapture(streams[0], &graph);
  bool failed = ctx->failures.load(std::memory_order_relaxed) != 0;
  if (failed || !failure.empty() || result != CUDA_SUCCESS) {
    if (graph)
      api.cuGraphDestroy(graph);
    if (!failure.empty())
      throw Error(RAF_RT_FAILED, failure);
    if (!failed)
      fail(result, "capturing the step");
    return false;
  }
  CUgraphExec exec = nullptr;
  result = api.cuGraphInstantiateWithFlags(&exec, graph, 0);
  api.cuGraphDestroy(graph);
  check(result, "making a graph of the step");
  captured.graph = exec;
  done.captures += 1;
  return true;
}

// ---- profile ----

CUevent Device::timingEvent() {
  if (timersUsed == timers.size())
    timers.push_back(newEvent(CU_EVENT_DEFAULT));
  return timers[timersUsed++];
}

/// Times of the device are distances from one event, whose time on the host's clock is known because nothing else runs.
void Device::beginTiming() {
  synchronize();
  timersUsed = 0;
  timed.clear();
  open.clear();
  if (!base)
    base = newEvent(CU_EVENT_DEFAULT);
  check(api.cuEventRecord(base, streams[0]), "timing the step");
  await(base, "timing the step");
  baseNanoseconds = nanoseconds();
  timing = true;
}

void Device::profileBegin(int64_t op) {
  if (!timing)
    return;
  if (open.size() >= Profile::kDepth) {
    open.push_back(timed.size());
    return;
  }
  CUevent begin = timingEvent();
  check(api.cuEventRecord(begin, stream()), "timing an op");
  open.push_back(timed.size());
  timed.push_back({op, begin, nullptr});
}

void Device::profileEnd(int64_t) {
  if (!timing || open.empty())
    return;
  size_t index = open.back();
  open.pop_back();
  if (open.size() >= Profile::kDepth)
    return;
  timed[index].end = timingEvent();
  check(api.cuEventRecord(timed[index].end, stream()), "timing an op");
}

void Device::endTiming(Profile &profile) {
  timing = false;
  synchronize();
  auto at = [&](CUevent event) {
    float milliseconds = 0;
    check(api.cuEventElapsedTime(&milliseconds, base, event), "timing the step");
    return baseNanoseconds + static_cast<int64_t>(static_cast<double>(milliseconds) * 1e6);
  };
  for (const Timed &entry : timed)
    if (entry.end)
      profile.record({entry.op, at(entry.begin), at(entry.end), -1});
}
