// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device's context, its streams and graphs. Each stream is a thread with a queue. Operations run one at a time, in an order
// that the streams and events allow, and the order that a program may rely on is kept beside it as clocks (Memory.h): so a
// missing wait is reported whatever order the threads happened to take.
#ifndef RUNTIME_CUDA_SIM_CONTEXT_H
#define RUNTIME_CUDA_SIM_CONTEXT_H

#include "cuda_sim/Memory.h"
#include "cuda_sim/raf_cuda_sim.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>

namespace raf::sim {

/// What runs: once a launch, or once a replay of the graph that it is a node of.
struct Operation {
  std::string name;
  std::function<void(struct Execution &)> run;
  Module *module = nullptr; // of a kernel
};

/// An operation under way.
struct Execution {
  Context &context;
  const Operation &operation;
  Accessor who;

  /// Checks an access of a copy or library call; false after a report.
  bool access(CUdeviceptr address, int64_t bytes, int kind, const std::string &what);
  void fail(CUresult code, const std::string &message);
};

/// One recording of an event.
struct Moment {
  bool reached = false;
  double seconds = 0;
  Clock clock;
};

/// Where an event was recorded in a capture.
struct Capture;
struct CapturePoint {
  std::shared_ptr<Capture> capture;
  std::vector<int> nodes;
};

struct Event {
  Context *context;
  bool timed;
  std::shared_ptr<Moment> moment; // null: never recorded
  CapturePoint captured;
};

struct Node {
  std::shared_ptr<Operation> operation;
  std::vector<int> after;
  int branch; // of the streams that were captured
};

struct Graph {
  std::vector<Node> nodes;
  int branches = 1;
};

struct GraphExec {
  Graph graph;
  std::vector<uint32_t> indices; // of the branches but the first, which is the stream that it is launched on
};

struct Capture {
  std::unique_ptr<Graph> graph = std::make_unique<Graph>();
  Stream *origin;
  int mode;               // 0 global, 1 of the thread, 2 relaxed
  std::thread::id thread; // that began it
  bool invalid = false;
};

struct Stream {
  Context *context = nullptr;
  uint32_t index = 0;
  bool blocking = true; // in order with the default stream
  Clock clock;
  std::shared_ptr<Moment> defaultSeen;

  std::shared_ptr<Capture> capture;
  std::vector<int> frontier; // nodes that the next one comes after
  int branch = 0;

  struct Item {
    std::shared_ptr<Operation> operation; // or
    std::shared_ptr<Moment> reach, wait;
    uint32_t op = 0;
    Clock clock;
  };
  std::deque<Item> queue;
  std::condition_variable wake;
  bool quit = false, busy = false;
  std::thread thread;
};

struct Function {
  Module *module;
  const raf_sim_kernel *kernel;
  int64_t maxDynamicShared = 48 << 10;
};

class Context {
public:
  Context();
  ~Context();

  Memory memory;
  std::mutex mutex;     // all that follows, and the streams' fields
  std::mutex executing; // held by the operation that runs
  std::atomic<CUresult> error{CUDA_SUCCESS};
  std::set<Stream *> streams;
  std::set<Event *> events;
  std::set<Module *> modules;
  std::set<Graph *> graphs;
  std::set<GraphExec *> execs;
  std::unordered_map<void *, size_t> pinned;

  /// Only the first failure counts: the context is lost after it. `module`: of the kernel that failed, if one did.
  void fail(CUresult code, const std::string &message, Module *module = nullptr);

  /// These lock `mutex`. A stream of null is the default one.
  CUresult enqueue(Stream *stream, Operation operation);
  CUresult createStream(bool blocking, Stream **out);
  CUresult destroyStream(Stream *stream);
  CUresult record(Event *event, Stream *stream);
  CUresult wait(Stream *stream, Event *event);
  CUresult synchronize(Stream *stream);
  CUresult synchronizeAll();
  CUresult synchronize(Event *event);
  CUresult query(Event *event);
  CUresult query(Stream *stream);
  CUresult beginCapture(Stream *stream, int mode);
  CUresult endCapture(Stream *stream, Graph **out);
  CUresult instantiate(Graph *graph, GraphExec **out);
  CUresult destroy(GraphExec *exec);
  CUresult launch(GraphExec *exec, Stream *stream);

  /// 1 and 2 are the driver's names of the default stream.
  static bool isDefault(Stream *stream) { return reinterpret_cast<uintptr_t>(stream) <= 2; }
  Stream *resolve(Stream *stream) { return !isDefault(stream) ? (streams.count(stream) ? stream : nullptr) : defaultStream; }
  /// Whether a call that waits for the device, or may, has to be refused because of a capture, which it ends: one of this thread, or a global one of any.
  bool disturbsCapture();
  bool isPinned(const void *address, size_t bytes);
  std::string describeOp(uint32_t op);
  void recordLaunch(const raf_sim_launch &launch);
  void setRecording(bool on);
  std::vector<raf_sim_launch> recorded();

private:
  CUresult begin(Stream *&stream); // checks, and the order of the default stream
  std::shared_ptr<Moment> mark(Stream *stream);
  void await(Stream *stream, const std::shared_ptr<Moment> &moment);
  void push(Stream *stream, Stream::Item item);
  CUresult finish(std::unique_lock<std::mutex> &lock, const std::shared_ptr<Moment> &moment);
  uint32_t nextOp(uint32_t index, const std::string &name);
  bool takeIndex(uint32_t *out);
  void serve(Stream *stream);
  Stream *start(uint32_t index, bool blocking);
  void stop(Stream *stream);

  Stream *defaultStream = nullptr;
  std::condition_variable progress; // a moment was reached
  Clock host;                       // what the host has waited for
  std::vector<uint32_t> sequences;  // by stream index
  std::vector<std::vector<uint32_t>> opNames;
  std::vector<std::string> names;
  std::unordered_map<std::string, uint32_t> nameIds;
  std::vector<uint32_t> freeIndices;
  std::vector<std::shared_ptr<Capture>> captures;
  std::mutex failing;
  std::mutex recordMutex;
  bool recording = false;
  std::vector<raf_sim_launch> launches;
};

/// The context of the calling thread; null if it has none. It lives as long as somebody uses it, also after a reset.
std::shared_ptr<Context> current();
void setLastReport(const std::string &text, bool onlyFirst, Module *module = nullptr);
/// A module that is no more.
void forgetReported(Module *module);

/// The checks that the environment variable RAF_SIM_CHECK leaves ("bounds,memory,races"; all of them without it).
int enabledChecks();

/// Runs a kernel: Launch.cpp.
struct LaunchRequest {
  const raf_sim_kernel *kernel;
  const raf_sim_module *module;
  int32_t grid[3], block[3];
  int64_t dynamicShared;
  std::vector<char> values;   // of the parameters, each aligned to 8 bytes
  std::vector<size_t> places; // of the parameters in `values`
};
void runKernel(Execution &execution, const LaunchRequest &request);

} // namespace raf::sim

#endif // RUNTIME_CUDA_SIM_CONTEXT_H
