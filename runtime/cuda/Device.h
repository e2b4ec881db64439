// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device of a context: its streams, memory, kernels and graphs. Every member throws Error; the functions of the C ABI
// turn that into a status.
#ifndef RAF_RUNTIME_CUDA_DEVICE_H
#define RAF_RUNTIME_CUDA_DEVICE_H

#include "core/Context.h"
#include "cuda/Loader.h"
#include "raf_cuda.h"

#include <map>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace raf::rt::cuda {

inline CUdeviceptr address(const void *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

/// Other processes that work of the device may wait for.
class Peers {
public:
  virtual ~Peers() = default;
  /// Why work that waits for them never will be done, if none of it was for so long; "" as long as it may.
  virtual std::string failure(double seconds) = 0;
  /// Gives the others up: what waits for them ends, with whatever it has.
  virtual void abandon(const std::string &why) noexcept = 0;
};

class Device : public DeviceInterface {
public:
  Device(Libraries &libraries, int64_t ordinal);
  ~Device() override;

  /// The device of a context, made current on this thread. Throws if the context has none or has lost it.
  static Device &of(raf_rt_context *ctx);
  /// While it is held nobody resets the context of a program's device.
  static std::shared_lock<std::shared_mutex> use(raf_rt_context *ctx);
  /// After a fault of a kernel, of this program or another one.
  bool isLost() const { return generation <= home.lost; }
  std::string lostBecause() const;

  const Driver &driver() const { return api; }
  Libraries &libraries() const { return found; }
  const raf_rt_cuda_device &properties() const { return facts; }
  /// The stream that work is enqueued on.
  CUstream stream() const { return streams[current]; }
  /// Where plans keep what they share, such as a library's handle.
  std::unordered_map<std::string, std::shared_ptr<void>> shared;
  /// Null in a program of one process.
  std::shared_ptr<Peers> peers;
  /// What was enqueued last on the stream may wait for them.
  void waitsForPeers();

  void *allocate(int64_t bytes);
  void release(void *address);
  const raf_rt_memory_stats &memory() const { return stats; }
  void upload(void *target, const void *source, int64_t bytes, bool ordered);
  void download(void *target, const void *source, int64_t bytes);
  void copy(void *target, const void *source, int64_t bytes);
  void fill(void *target, int64_t byte, int64_t bytes);
  void synchronize();
  /// Work of ours and of another library's stream, one after the other.
  void waitFor(CUstream other);
  void letWait(CUstream other);
  /// The number of the device whose memory the address is in, and how many bytes there are from it on.
  void locate(const void *address, int64_t *ordinal, int64_t *bytes);

  void addImage(const void *bytes, int64_t size);
  void addKernel(int64_t id, const char *name);
  void addConstant(int64_t id, const void *data, int64_t bytes);
  void *constant(int64_t id) const;

  void nameOps(const char *texts, int64_t count);
  void enterOp(int64_t op) { currentOp = op; }
  /// Runs the body; an error in it says which op of the program it was.
  template <class Body> void forOp(Body &&body) {
    try {
      body();
    } catch (const Error &error) {
      checkEarlierWork();
      if (currentOp < 0)
        throw;
      throw Error(error.status, error.message + nodesOf(currentOp));
    }
  }

  void launch(int64_t id, const int32_t *gridBlock, int32_t sharedBytes, void **params, int32_t count);
  /// Around the execution of a plan, for errors and counts.
  void executed(const std::string &what);
  void read(void *target, const void *source, int64_t bytes);
  void useStream(int64_t stream);
  void record(int64_t event);
  void wait(int64_t event);

  void setCapture(bool on, int64_t arguments);
  const raf_rt_cuda_counts &counts() const { return done; }

  void runStep(raf_rt_context *ctx, raf_rt_entry entry, void **args, void *arena) override;
  void finish() noexcept override;
  void profileBegin(int64_t op) override;
  void profileEnd(int64_t op) override;

  /// Throws with the driver's text; `what` names what failed.
  void check(CUresult result, const std::string &what);
  [[noreturn]] void fail(CUresult result, const std::string &what);

private:
  struct Kernel {
    std::string name;
    CUfunction function;
    int32_t sharedBytes;
    int32_t params; // -1: the driver does not say
  };
  /// An op of the program: its kernel or library call, and the model's nodes that it is for.
  struct NamedOp {
    std::string name, nodes;
  };
  /// A step by its addresses: how often it ran, and its graph from the second time on.
  struct Captured {
    int64_t runs = 0;
    CUgraphExec graph = nullptr;
  };
  struct Staging {
    void *memory = nullptr;
    CUevent free = nullptr; // when the copy from it is done
    bool used = false;
  };
  struct Timed {
    int64_t op;
    CUevent begin, end;
  };

  std::string nodesOf(int64_t op) const;
  /// Of the ops that launch the kernel which a report of the simulated device names. All programs of the process have kernels of the same names.
  std::string nodesOfReport(const std::string &report, CUmodule module) const;
  void makeCurrent();
  std::shared_lock<std::shared_mutex> openContext(int ordinal);
  void dispose();
  void leave() noexcept;
  CUevent newEvent(unsigned flags);
  CUevent numberedEvent(int64_t event);
  CUevent timingEvent();
  Staging &staging(size_t index);
  /// Every wait of the host for the device is one of these. Where others may be waited for in turn, it ends with an error if they are gone.
  void await(CUstream stream, const std::string &what);
  void await(CUevent event, const std::string &what);
  template <class Query> CUresult poll(Query query, const std::string &what);
  /// Whether some of what may wait for other processes has ended since it was asked last.
  bool haveMetPeers();
  void waitForAll(const std::string &what);
  /// Inside a handler of Error: throws if it has a reason of its own.
  void checkEarlierWork();
  /// False if something inside the step failed.
  bool capture(Captured &captured, raf_rt_context *ctx, raf_rt_entry entry, void **args, void *arena);
  void joinStreams();
  void beginTiming();
  void endTiming(Profile &profile);
  void forgetGraphs();

  Libraries &found;
  const Driver &api;
  CUdevice device = 0;
  CUcontext context = nullptr;
  raf_rt_cuda_device facts{};
  std::string deviceName;
  bool blocking = false;
  Home &home;
  int64_t generation = 0;

  std::vector<CUstream> streams; // the first is the one that everything outside a step uses
  std::vector<bool> busy;        // streams used in this step
  size_t current = 0;
  CUstream copyStream = nullptr;
  CUevent computed = nullptr, copied = nullptr, foreign = nullptr;
  CUevent ended[2] = {nullptr, nullptr}; // of the latest step and the one before, by the number of the step
  int64_t steps = 0;
  std::vector<CUevent> events; // numbered by the program
  std::vector<CUevent> joins;  // one a stream: where it ends
  CUevent fork = nullptr;      // where the step began
  std::vector<CUevent> meetings, spareMeetings; // where what may wait for other processes ends
  std::vector<Staging> stagings;

  raf_rt_memory_stats stats{};
  std::unordered_map<void *, int64_t> blocks;
  std::vector<CUmodule> modules;
  std::vector<Kernel> kernels;
  std::vector<void *> constants;
  std::vector<NamedOp> ops;
  int64_t currentOp = -1;

  bool capturing = false, graphs = false, reads = false;
  int64_t arguments = 0;
  std::map<std::vector<void *>, Captured> captures;
  raf_rt_cuda_counts done{};

  bool timing = false;
  std::vector<Timed> timed;
  std::vector<size_t> open;
  std::vector<CUevent> timers;
  size_t timersUsed = 0;
  CUevent base = nullptr;
  int64_t baseNanoseconds = 0;
};

/// The lock of a program with its device: between steps, and while nobody resets the device's context.
class DeviceLock {
public:
  explicit DeviceLock(raf_rt_context *ctx) : execution(ctx), use(Device::use(ctx)) {}

private:
  ExecutionLock execution;
  std::shared_lock<std::shared_mutex> use;
};

} // namespace raf::rt::cuda

#endif
