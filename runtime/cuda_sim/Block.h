// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch under way: the threads of its block, its shared memory, and who waits for whom.
#ifndef RUNTIME_CUDA_SIM_BLOCK_H
#define RUNTIME_CUDA_SIM_BLOCK_H

#include "cuda_sim/Context.h"
#include "cuda_sim/Fibers.h"

namespace raf::sim {

constexpr int kWarp = 32, kGatherBytes = 128;

enum class State { Ready, AtBarrier, InWarp, Ended };

struct AsyncCopy {
  char *to, *from;
  int32_t bytes, read, flags, site;
};

struct Launch;
struct Thread : raf_sim_thread {
  Launch *launch;
  int linear;
  State state;
  Accessor who;
  // While it waits:
  int32_t site;
  uint32_t mask;     // lanes that it waits for
  bool orders;       // memory too
  int32_t giveBytes;
  char give[kGatherBytes];
  const char *result;
  std::vector<char> results; // of the lanes that this one leads
  // cp.async: groups in order, the last one not committed
  std::vector<std::vector<AsyncCopy>> groups;

  int lane() const { return linear % kWarp; }
};

struct Launch {
  Launch(Execution &execution, const LaunchRequest &request);
  void run();

  /// Called on the thread's fiber; returns when the others have come, or never after a report.
  void wait(Thread &thread, State state, int32_t site);
  [[noreturn]] void fail(Thread &thread, CUresult code, const std::string &message);
  std::string place(const Thread &thread, int32_t site) const;
  const char *site(int32_t index) const;
  std::string threadName(int linear) const;
  void check(Thread &thread, void *address, int64_t bytes, int32_t kind, int32_t site);
  bool isShared(const void *address) const { return uint64_t(static_cast<const char *>(address) - shared) < sharedAllocated; }

  Execution &execution;
  const LaunchRequest &request;
  Memory &memory;
  const int checks;
  int threadCount, padded; // threads of a block; rounded up to whole warps
  std::vector<Thread> threads;
  std::vector<void *> params;
  Traffic traffic;
  bool failed = false;

  char *shared = nullptr; // with a guard zone behind it
  uint64_t sharedBytes = 0, sharedAllocated = 0;
  std::vector<char> sharedStorage;
  std::vector<uint8_t> sharedInitialized;
  std::vector<Granule> sharedGranules;
  SplitGranules sharedSplit;

private:
  void beginBlock(uint32_t block);
  void setThread(Thread &thread, int linear);
  void runPlain();
  void runCooperative();
  bool runWarp(int first, int end);
  bool releaseLanes(int first, int end);
  bool releaseBarrier();
  void divergent(const Thread &waiting, const Thread &other);
  std::string describeConflict(const Thread &thread, const Conflict &conflict) const;
  [[noreturn]] void outOfAllocation(Thread &thread, char *address, int64_t bytes, int32_t kind, int32_t site);

  int32_t blockId[3] = {0, 0, 0};
  uint32_t blockNumber = 0;
  FiberPool &fibers;
};

/// Where the calling fiber runs.
inline Thread &asThread(raf_sim_thread *thread) { return *static_cast<Thread *>(thread); }

} // namespace raf::sim

#endif // RUNTIME_CUDA_SIM_BLOCK_H
