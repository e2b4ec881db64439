// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_sim/Context.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace raf::sim {

static double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

int enabledChecks() {
  static const int checks = [] {
    const char *text = std::getenv("RAF_SIM_CHECK");
    if (!text)
      return RAF_SIM_CHECK_MEMORY | RAF_SIM_CHECK_RACES;
    return (std::strstr(text, "memory") ? RAF_SIM_CHECK_MEMORY : 0) | (std::strstr(text, "races") ? RAF_SIM_CHECK_RACES : 0);
  }();
  return checks;
}

Context::Context() {
  std::lock_guard<std::mutex> lock(mutex);
  sequences.resize(1);
  opNames.resize(1);
  defaultStream = start(0, true);
}

Context::~Context() {
  synchronizeAll();
  std::string leaks;
  auto add = [&](size_t count, const char *what) {
    if (count)
      leaks += (leaks.empty() ? "" : ", ") + std::to_string(count) + ' ' + what + (count > 1 ? "s" : "");
  };
  std::vector<Memory::Live> live = memory.live();
  size_t bytes = 0;
  for (const Memory::Live &block : live)
    bytes += block.bytes;
  if (!live.empty())
    leaks = std::to_string(live.size()) + (live.size() > 1 ? " allocations of together " : " allocation of ") + std::to_string(bytes) + " bytes";
  add(pinned.size(), "pinned host allocation");
  add(streams.size(), "stream");
  add(events.size(), "event");
  add(execs.size(), "executable graph");
  add(graphs.size(), "graph");
  // Who failed has freed nothing.
  if (!leaks.empty() && error == CUDA_SUCCESS) {
    leaks = "leaked at the end of the context: " + leaks;
    setLastReport(leaks, false);
    std::fprintf(stderr, "cuda-sim: %s\n", leaks.c_str());
  }
  for (Stream *stream : streams) {
    stop(stream);
    delete stream;
  }
  stop(defaultStream);
  delete defaultStream;
  for (Event *event : events)
    delete event;
  for (Graph *graph : graphs)
    delete graph;
  for (GraphExec *exec : execs)
    delete exec;
  for (auto &[address, size] : pinned)
    std::free(address);
}

void Context::fail(CUresult code, const std::string &message, Module *module) {
  std::lock_guard<std::mutex> lock(failing);
  if (error != CUDA_SUCCESS)
    return;
  // More than what a call was refused for earlier, and there before anybody sees the error.
  setLastReport(message, false, module);
  error = code;
}

// ---- the thread of a stream ----

void Context::serve(Stream *stream) {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    stream->wake.wait(lock, [&] { return stream->quit || !stream->queue.empty(); });
    if (stream->queue.empty())
      return;
    Stream::Item item = std::move(stream->queue.front());
    stream->queue.pop_front();
    stream->busy = true;
    if (item.wait) {
      progress.wait(lock, [&] { return item.wait->reached; });
    } else if (item.reach) {
      item.reach->reached = true;
      item.reach->seconds = now();
      progress.notify_all();
    } else if (error == CUDA_SUCCESS) {
      lock.unlock();
      {
        std::lock_guard<std::mutex> device(executing);
        Execution execution{*this, *item.operation, {}};
        execution.who.op = item.op;
        execution.who.clock = &item.clock;
        // Nothing of the simulator's own may end the process from a stream's thread.
        try {
          if (error == CUDA_SUCCESS)
            item.operation->run(execution);
        } catch (const std::exception &problem) {
          fail(CUDA_ERROR_OUT_OF_MEMORY, std::string("the simulator could not run it: ") + problem.what());
        }
      }
      item = Stream::Item();
      lock.lock();
    }
    stream->busy = false;
  }
}

Stream *Context::start(uint32_t index, bool blocking) {
  auto *stream = new Stream;
  stream->context = this;
  stream->index = index;
  stream->blocking = blocking;
  stream->thread = std::thread([this, stream] { serve(stream); });
  return stream;
}

void Context::stop(Stream *stream) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stream->quit = true;
    stream->wake.notify_all();
  }
  stream->thread.join();
}

void Context::push(Stream *stream, Stream::Item item) {
  stream->queue.push_back(std::move(item));
  stream->wake.notify_one();
}

// ---- order ----

bool Context::takeIndex(uint32_t *out) {
  if (!freeIndices.empty()) {
    *out = freeIndices.back();
    freeIndices.pop_back();
    return true;
  }
  if (sequences.size() > kMaxStreams)
    return false;
  *out = uint32_t(sequences.size());
  sequences.push_back(0);
  opNames.emplace_back();
  return true;
}

uint32_t Context::nextOp(uint32_t index, const std::string &name) {
  auto [entry, fresh] = nameIds.try_emplace(name, uint32_t(names.size()));
  if (fresh)
    names.push_back(name);
  if (sequences[index] < kMaxSequence) {
    ++sequences[index];
    opNames[index].push_back(entry->second);
  }
  return makeOp(index, sequences[index]);
}

std::string Context::describeOp(uint32_t op) {
  std::lock_guard<std::mutex> lock(mutex);
  uint32_t stream = streamOf(op), sequence = sequenceOf(op);
  if (stream >= opNames.size() || sequence == 0 || sequence > opNames[stream].size())
    return "an earlier operation";
  return "'" + names[opNames[stream][sequence - 1]] + "'";
}

std::shared_ptr<Moment> Context::mark(Stream *stream) {
  auto moment = std::make_shared<Moment>();
  moment->clock = stream->clock;
  moment->clock.join(host);
  Stream::Item item;
  item.reach = moment;
  push(stream, std::move(item));
  return moment;
}

void Context::await(Stream *stream, const std::shared_ptr<Moment> &moment) {
  stream->clock.join(moment->clock);
  if (moment->reached)
    return;
  Stream::Item item;
  item.wait = moment;
  push(stream, std::move(item));
}

CUresult Context::begin(Stream *&stream) {
  if (error != CUDA_SUCCESS)
    return error;
  stream = resolve(stream);
  if (!stream)
    return CUDA_ERROR_INVALID_HANDLE;
  if (stream->capture)
    return stream->capture->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
  if (stream == defaultStream) {
    for (Stream *other : streams)
      if (other->blocking && !other->capture)
        await(stream, mark(other));
    defaultStream->defaultSeen = nullptr;
  } else if (stream->blocking && sequences[0]) {
    if (!defaultStream->defaultSeen)
      defaultStream->defaultSeen = mark(defaultStream);
    if (stream->defaultSeen != defaultStream->defaultSeen) {
      stream->defaultSeen = defaultStream->defaultSeen;
      await(stream, stream->defaultSeen);
    }
  }
  return CUDA_SUCCESS;
}

CUresult Context::enqueue(Stream *stream, Operation operation) {
  std::lock_guard<std::mutex> lock(mutex);
  if (CUresult result = begin(stream))
    return result;
  if (stream->capture) {
    Graph &graph = *stream->capture->graph;
    graph.nodes.push_back({std::make_shared<Operation>(std::move(operation)), stream->frontier, stream->branch});
    stream->frontier = {int(graph.nodes.size()) - 1};
    return CUDA_SUCCESS;
  }
  Stream::Item item;
  item.op = nextOp(stream->index, operation.name);
  item.operation = std::make_shared<Operation>(std::move(operation));
  stream->clock.join(host);
  item.clock = stream->clock;
  stream->clock.raise(stream->index, sequenceOf(item.op));
  push(stream, std::move(item));
  return CUDA_SUCCESS;
}

CUresult Context::createStream(bool blocking, Stream **out) {
  std::lock_guard<std::mutex> lock(mutex);
  uint32_t index;
  if (!takeIndex(&index))
    return CUDA_ERROR_OUT_OF_MEMORY;
  *out = start(index, blocking);
  streams.insert(*out);
  return CUDA_SUCCESS;
}

CUresult Context::destroyStream(Stream *stream) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!stream || !streams.erase(stream))
      return CUDA_ERROR_INVALID_HANDLE;
    freeIndices.push_back(stream->index);
  }
  // What is enqueued is finished first, as the driver does.
  stop(stream);
  delete stream;
  return CUDA_SUCCESS;
}

CUresult Context::record(Event *event, Stream *stream) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!events.count(event))
    return CUDA_ERROR_INVALID_HANDLE;
  if (CUresult result = begin(stream))
    return result;
  if (stream->capture) {
    event->captured = {stream->capture, stream->frontier};
    return CUDA_SUCCESS;
  }
  event->captured = {};
  event->moment = mark(stream);
  return CUDA_SUCCESS;
}

CUresult Context::wait(Stream *stream, Event *event) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!events.count(event))
    return CUDA_ERROR_INVALID_HANDLE;
  if (CUresult result = begin(stream))
    return result;
  const CapturePoint &point = event->captured;
  if (!point.capture || !point.capture->graph) {
    if (stream->capture)
      return event->moment ? CUDA_ERROR_STREAM_CAPTURE_ISOLATION : CUDA_SUCCESS;
    if (event->moment)
      await(stream, event->moment);
    return CUDA_SUCCESS;
  }
  if (stream->capture && stream->capture != point.capture)
    return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  if (!stream->capture) {
    stream->capture = point.capture;
    stream->frontier.clear();
    stream->branch = point.capture->graph->branches++;
  }
  for (int node : point.nodes)
    if (std::find(stream->frontier.begin(), stream->frontier.end(), node) == stream->frontier.end())
      stream->frontier.push_back(node);
  return CUDA_SUCCESS;
}

// ---- waiting ----

CUresult Context::finish(std::unique_lock<std::mutex> &lock, const std::shared_ptr<Moment> &moment) {
  progress.wait(lock, [&] { return moment->reached; });
  host.join(moment->clock);
  return error;
}

bool Context::disturbsCapture() {
  std::lock_guard<std::mutex> lock(mutex);
  captures.erase(std::remove_if(captures.begin(), captures.end(), [](auto &capture) { return !capture->graph; }), captures.end());
  bool disturbed = false;
  for (auto &capture : captures)
    if (capture->mode == 0 || (capture->mode == 1 && capture->thread == std::this_thread::get_id()))
      disturbed = capture->invalid = true;
  return disturbed;
}

CUresult Context::synchronize(Stream *stream) {
  std::unique_lock<std::mutex> lock(mutex);
  stream = resolve(stream);
  if (!stream)
    return CUDA_ERROR_INVALID_HANDLE;
  if (stream->capture) {
    stream->capture->invalid = true;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  return finish(lock, mark(stream));
}

CUresult Context::synchronizeAll() {
  std::unique_lock<std::mutex> lock(mutex);
  std::vector<std::shared_ptr<Moment>> moments = {mark(defaultStream)};
  for (Stream *stream : streams)
    moments.push_back(mark(stream));
  for (auto &moment : moments)
    finish(lock, moment);
  return error;
}

CUresult Context::synchronize(Event *event) {
  std::unique_lock<std::mutex> lock(mutex);
  if (!events.count(event))
    return CUDA_ERROR_INVALID_HANDLE;
  if (event->captured.capture)
    return CUDA_ERROR_CAPTURED_EVENT;
  std::shared_ptr<Moment> moment = event->moment;
  return moment ? finish(lock, moment) : error.load();
}

CUresult Context::query(Event *event) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!events.count(event))
    return CUDA_ERROR_INVALID_HANDLE;
  if (event->captured.capture)
    return CUDA_ERROR_CAPTURED_EVENT;
  if (event->moment && !event->moment->reached)
    return CUDA_ERROR_NOT_READY;
  if (event->moment)
    host.join(event->moment->clock);
  return error;
}

CUresult Context::query(Stream *stream) {
  std::lock_guard<std::mutex> lock(mutex);
  stream = resolve(stream);
  if (!stream)
    return CUDA_ERROR_INVALID_HANDLE;
  if (stream->capture) {
    stream->capture->invalid = true;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  if (error != CUDA_SUCCESS)
    return error;
  if (stream->busy || !stream->queue.empty())
    return CUDA_ERROR_NOT_READY;
  host.join(stream->clock);
  return error;
}

// ---- graphs ----

CUresult Context::beginCapture(Stream *stream, int mode) {
  std::lock_guard<std::mutex> lock(mutex);
  if (error != CUDA_SUCCESS)
    return error;
  if (!stream || !streams.count(stream))
    return stream ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (stream->capture || mode < 0 || mode > 2)
    return CUDA_ERROR_INVALID_VALUE;
  stream->capture = std::make_shared<Capture>();
  stream->capture->origin = stream;
  stream->capture->mode = mode;
  stream->capture->thread = std::this_thread::get_id();
  stream->frontier.clear();
  stream->branch = 0;
  captures.push_back(stream->capture);
  return CUDA_SUCCESS;
}

static bool reaches(const Graph &graph, const std::vector<int> &from, int node) {
  std::vector<bool> seen(graph.nodes.size());
  std::vector<int> work = from;
  while (!work.empty()) {
    int at = work.back();
    work.pop_back();
    if (at == node)
      return true;
    if (seen[at])
      continue;
    seen[at] = true;
    work.insert(work.end(), graph.nodes[at].after.begin(), graph.nodes[at].after.end());
  }
  return false;
}

CUresult Context::endCapture(Stream *stream, Graph **out) {
  std::lock_guard<std::mutex> lock(mutex);
  *out = nullptr;
  if (!stream || !streams.count(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  std::shared_ptr<Capture> capture = stream->capture;
  if (!capture)
    return CUDA_ERROR_INVALID_VALUE;
  if (capture->origin != stream)
    return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  bool joined = true;
  for (Stream *other : streams) {
    if (other->capture != capture)
      continue;
    for (int node : other->frontier)
      joined &= reaches(*capture->graph, stream->frontier, node);
    if (other != stream)
      other->capture = nullptr;
  }
  stream->capture = nullptr;
  std::unique_ptr<Graph> graph = std::move(capture->graph);
  if (capture->invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (!joined)
    return CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
  graphs.insert(graph.get());
  *out = graph.release();
  return CUDA_SUCCESS;
}

CUresult Context::instantiate(Graph *graph, GraphExec **out) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!graphs.count(graph))
    return CUDA_ERROR_INVALID_VALUE;
  auto exec = std::make_unique<GraphExec>();
  exec->graph = *graph;
  exec->indices.resize(graph->branches - 1);
  for (uint32_t &index : exec->indices)
    if (!takeIndex(&index))
      return CUDA_ERROR_OUT_OF_MEMORY;
  *out = exec.get();
  execs.insert(exec.release());
  return CUDA_SUCCESS;
}

CUresult Context::destroy(GraphExec *exec) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!execs.erase(exec))
    return CUDA_ERROR_INVALID_VALUE;
  freeIndices.insert(freeIndices.end(), exec->indices.begin(), exec->indices.end());
  delete exec;
  return CUDA_SUCCESS;
}

CUresult Context::launch(GraphExec *exec, Stream *stream) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!execs.count(exec))
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult result = begin(stream))
    return result;
  if (stream->capture)
    return CUDA_ERROR_NOT_SUPPORTED;
  // The nodes run one after the other; their clocks know only what the graph orders.
  stream->clock.join(host);
  Clock start = stream->clock;
  std::vector<Clock> ends;
  for (const Node &node : exec->graph.nodes) {
    uint32_t index = node.branch ? exec->indices[node.branch - 1] : stream->index;
    Stream::Item item;
    item.operation = node.operation;
    item.op = nextOp(index, node.operation->name);
    item.clock = start;
    for (int before : node.after)
      item.clock.join(ends[before]);
    ends.push_back(item.clock);
    ends.back().raise(index, sequenceOf(item.op));
    stream->clock.join(ends.back());
    push(stream, std::move(item));
  }
  return CUDA_SUCCESS;
}

// ---- the record of launches ----

void Context::recordLaunch(const raf_sim_launch &launch) {
  std::lock_guard<std::mutex> lock(recordMutex);
  if (recording)
    launches.push_back(launch);
}

void Context::setRecording(bool on) {
  std::lock_guard<std::mutex> lock(recordMutex);
  if (on)
    launches.clear();
  recording = on;
}

std::vector<raf_sim_launch> Context::recorded() {
  std::lock_guard<std::mutex> lock(recordMutex);
  return launches;
}

bool Context::isPinned(const void *address, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &[start, size] : pinned) {
    size_t offset = static_cast<const char *>(address) - static_cast<const char *>(start);
    if (offset < size && bytes <= size - offset)
      return true;
  }
  return false;
}

// ---- copies and library calls ----

bool Execution::access(CUdeviceptr address, int64_t bytes, int kind, const std::string &what) {
  if (bytes <= 0 || context.error != CUDA_SUCCESS)
    return context.error == CUDA_SUCCESS;
  Memory &memory = context.memory;
  kind &= enabledChecks() | RAF_SIM_KIND;
  int access = kind & RAF_SIM_KIND;
  std::string prefix = "'" + operation.name + "': " + (access == RAF_SIM_LOAD ? "load" : "store") + " of " + std::to_string(bytes) + " bytes (" + what + ") ";
  if (!memory.isDevice(address) || !memory.isDevice(address + bytes - 1)) {
    fail(CUDA_ERROR_ILLEGAL_ADDRESS, prefix + "at an address that is not of this device");
    return false;
  }
  char *host = memory.toHost(address);
  if (!memory.isAllocated(host, bytes)) {
    int64_t good = 0;
    while (memory.isAllocated(host + good, 1))
      ++good;
    fail(CUDA_ERROR_ILLEGAL_ADDRESS, "out of allocation: " + prefix + "touches a byte " + memory.describe(host + good));
    return false;
  }
  if (access != RAF_SIM_STORE && (kind & RAF_SIM_CHECK_MEMORY) && !memory.isInitialized(host, bytes)) {
    int64_t good = 0;
    while (memory.isInitialized(host + good, 1))
      ++good;
    fail(CUDA_ERROR_LAUNCH_FAILED, "uninitialized read: " + prefix + "reads a byte that nothing has written, " + memory.describe(host + good));
    return false;
  }
  if (kind & RAF_SIM_CHECK_RACES) {
    Conflict conflict;
    if (!noteAccess(memory.granule(host), memory.split, memory.offset(host) % 4, bytes, access, who, nullptr, conflict)) {
      fail(CUDA_ERROR_LAUNCH_FAILED, "race: " + prefix + "is not ordered after the " + (conflict.withWrite ? "store" : "load") + " by " + context.describeOp(conflict.cell.op) +
                                         ", " + memory.describe(host) + ": is the wait for an event missing?");
      return false;
    }
  }
  if (access != RAF_SIM_LOAD)
    memory.markInitialized(host, bytes);
  return true;
}

void Execution::fail(CUresult code, const std::string &message) { context.fail(code, message, operation.module); }

} // namespace raf::sim
