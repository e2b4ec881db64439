// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch under way: the threads of its block, its shared memory, and who waits for whom.
#ifndef RUNTIME_CUDA_SIM_BLOCK_H
#define RUNTIME_CUDA_SIM_BLOCK_H

#include "cuda_sim/Context.h"
#include "cuda_sim/Fibers.h"

#include <map>

namespace raf::sim {

constexpr int kWarp = 32, kGatherBytes = 128;

enum class State { Ready, AtBarrier, InWarp, Ended };

struct AsyncCopy {
  char *to, *from;
  int32_t bytes, read, flags, site;
};

/// wgmma.mma_async.
struct MatrixProduct {
  uint64_t a, b;
  float *registers;
  int32_t n, type, flags, site;
};
/// The sums of a thread. While instructions with them are under way, `values` has what they will hold.
struct MatrixRegisters {
  std::vector<float> values;
  int pending = 0;
  bool touched = true; // since the last fence, by something else
};
/// Who wrote four bytes of shared memory last, and how many fences for tensor cores and barriers that thread had behind it.
struct SharedWrite {
  int thread = -1;
  uint32_t fences = 0, epoch = 0;
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
  // wgmma: the same, and its registers
  std::vector<std::vector<MatrixProduct>> matrixGroups;
  std::map<float *, MatrixRegisters> registers;
  size_t matrixProducts = 0;
  uint32_t proxyFences = 0, proxyFenceEpoch = 0;

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
  void noteSharedStore(Thread &thread, uint64_t offset, int64_t bytes, int32_t site);
  /// Checks of what the simulator itself accesses: those that the kernel's own accesses have.
  int32_t moduleChecks() const { return request.module->checks & (RAF_SIM_CHECK_MEMORY | RAF_SIM_CHECK_RACES); }
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
  // Of kernels with instructions of warpgroups: how many of those under way read 16 bytes, who wrote four bytes, and what each warpgroup has run.
  std::vector<uint16_t> matrixReads;
  std::vector<SharedWrite> sharedWrites;
  std::vector<std::vector<MatrixProduct>> warpgroups;

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

/// An element of a fragment or matrix.
double matrixElement(const char *elements, int index, int type);

/// Where the calling fiber runs.
inline Thread &asThread(raf_sim_thread *thread) { return *static_cast<Thread *>(thread); }

} // namespace raf::sim

#endif // RUNTIME_CUDA_SIM_BLOCK_H
