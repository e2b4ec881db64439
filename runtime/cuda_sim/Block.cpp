// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_sim/Block.h"

#include <algorithm>
#include <cstring>

namespace raf::sim {

constexpr uint64_t kSharedGuard = 4096;

// Operations run one at a time, so that one pool serves all.
static FiberPool &pool() {
  static auto *fibers = new FiberPool;
  return *fibers;
}

static std::string tuple(const int32_t v[3]) { return "(" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + ")"; }

Launch::Launch(Execution &execution, const LaunchRequest &request)
    : execution(execution), request(request), memory(execution.context.memory), checks(enabledChecks() | RAF_SIM_KIND), fibers(pool()) {
  threadCount = request.block[0] * request.block[1] * request.block[2];
  padded = (threadCount + kWarp - 1) / kWarp * kWarp;
  threads.resize(request.kernel->cooperative ? threadCount : 1);
  for (Thread &thread : threads) {
    thread.launch = this;
    std::copy_n(request.block, 3, thread.block_dim);
    std::copy_n(request.grid, 3, thread.grid_dim);
    thread.who = execution.who;
    thread.who.blockThreads = padded;
  }
  for (size_t place : request.places)
    params.push_back(const_cast<char *>(request.values.data()) + place);
  sharedBytes = (request.kernel->shared_bytes + 15) / 16 * 16 + request.dynamicShared;
  sharedAllocated = sharedBytes + kSharedGuard;
  sharedStorage.resize(sharedAllocated + 128);
  shared = sharedStorage.data() + (128 - reinterpret_cast<uintptr_t>(sharedStorage.data()) % 128);
  sharedInitialized.resize(sharedBytes / 8 + 8);
  sharedGranules.resize(sharedBytes / 4 + 4);
}

const char *Launch::site(int32_t index) const {
  const raf_sim_module *module = request.module;
  return index >= 0 && index < module->site_count ? module->sites[index] : "unknown location";
}

std::string Launch::threadName(int linear) const {
  int32_t id[3] = {linear % request.block[0], linear / request.block[0] % request.block[1], linear / (request.block[0] * request.block[1])};
  return tuple(id);
}

std::string Launch::place(const Thread &thread, int32_t site) const {
  return std::string("kernel '") + request.kernel->name + "', " + this->site(site) + ", block " + tuple(thread.block_id) + ", thread " + tuple(thread.thread_id);
}

void Launch::fail(Thread &thread, CUresult code, const std::string &message) {
  execution.fail(code, message);
  failed = true;
  thread.state = State::Ended;
  fibers.suspend(request.kernel->cooperative ? thread.linear : 0);
  __builtin_unreachable();
}

void Launch::wait(Thread &thread, State state, int32_t site) {
  if (!request.kernel->cooperative)
    fail(thread, CUDA_ERROR_LAUNCH_FAILED, place(thread, site) + ": a thread waits for others in a kernel that is not marked as cooperative");
  thread.state = state;
  thread.site = site;
  fibers.suspend(thread.linear);
}

void Launch::setThread(Thread &thread, int linear) {
  thread.linear = linear;
  thread.thread_id[0] = linear % request.block[0];
  thread.thread_id[1] = linear / request.block[0] % request.block[1];
  thread.thread_id[2] = linear / (request.block[0] * request.block[1]);
  std::copy_n(blockId, 3, thread.block_id);
  thread.shared = shared;
  thread.state = State::Ready;
  thread.who.thread = blockNumber * padded + linear;
  thread.who.block = blockNumber;
  thread.who.epoch = thread.who.warpEpoch = 0;
  thread.groups.clear();
  thread.matrixGroups.clear();
  thread.registers.clear();
  thread.matrixProducts = 0;
  thread.proxyFences = thread.proxyFenceEpoch = 0;
}

void Launch::beginBlock(uint32_t block) {
  blockNumber = block;
  blockId[0] = int32_t(block % request.grid[0]);
  blockId[1] = int32_t(block / request.grid[0] % request.grid[1]);
  blockId[2] = int32_t(block / (uint32_t(request.grid[0]) * request.grid[1]));
  if (sharedBytes) {
    std::memset(shared, kFresh, sharedBytes);
    std::memset(sharedInitialized.data(), 0, sharedInitialized.size());
    std::memset(static_cast<void *>(sharedGranules.data()), 0, sharedGranules.size() * sizeof(Granule));
    sharedSplit.clear();
  }
  if (request.kernel->warpgroups) {
    matrixReads.assign(sharedBytes / 16 + 1, 0);
    sharedWrites.assign(sharedBytes / 4 + 4, SharedWrite());
    warpgroups.assign(threadCount / 128 + 1, {});
  }
}

static void finishThread(Thread &thread) {
  // Copies that nobody waited for arrive nevertheless.
  if (!thread.groups.empty()) {
    raf_sim_async_commit(&thread);
    raf_sim_async_wait(&thread, 0);
  }
  thread.state = State::Ended;
}

void Launch::runPlain() {
  // On a fiber too, because a report has to leave the kernel without returning through it.
  fibers.prepare(0, [](void *data) {
    auto *launch = static_cast<Launch *>(data);
    uint32_t blocks = uint32_t(launch->request.grid[0]) * launch->request.grid[1] * launch->request.grid[2];
    Thread &thread = launch->threads[0];
    for (uint32_t block = 0; block < blocks; ++block) {
      launch->beginBlock(block);
      for (int i = 0; i < launch->threadCount; ++i) {
        launch->setThread(thread, i);
        launch->request.kernel->body(&thread, launch->params.data());
        finishThread(thread);
      }
    }
    launch->fibers.suspend(0);
  }, this);
  fibers.resume(0);
}

void Launch::divergent(const Thread &waiting, const Thread &other) {
  failed = true;
  std::string what = other.state == State::Ended ? "has ended" : "waits at " + std::string(site(other.site));
  execution.fail(CUDA_ERROR_LAUNCH_FAILED, std::string(waiting.state == State::AtBarrier ? "divergent barrier: " : "divergent warp: ") + place(waiting, waiting.site) +
                                               ": waits for thread " + threadName(other.linear) + ", which " + what);
}

/// Lanes [first, end) that wait for lanes of their warp, all of which have come, go on.
bool Launch::releaseLanes(int first, int end) {
  bool waiting = false, released = false;
  for (int i = first; i < end && !failed; ++i) {
    Thread &leader = threads[i];
    if (leader.state != State::InWarp)
      continue;
    waiting = true;
    bool complete = true;
    for (int j = first; j < end; ++j)
      if (leader.mask >> threads[j].lane() & 1)
        complete &= threads[j].state == State::InWarp && threads[j].site == leader.site && threads[j].mask == leader.mask;
    if (!complete)
      continue;
    leader.results.assign(kWarp * kGatherBytes, char(kFresh));
    for (int j = first; j < end; ++j) {
      Thread &lane = threads[j];
      if (!(leader.mask >> lane.lane() & 1))
        continue;
      std::memcpy(leader.results.data() + lane.lane() * lane.giveBytes, lane.give, lane.giveBytes);
      lane.result = leader.results.data();
      lane.state = State::Ready;
      lane.who.warpEpoch += lane.orders;
    }
    released = true;
  }
  if (waiting && !released)
    for (int i = first; i < end; ++i)
      for (int j = first; j < end && threads[i].state == State::InWarp; ++j)
        if ((threads[i].mask >> threads[j].lane() & 1) &&
            (threads[j].state != State::InWarp || threads[j].site != threads[i].site || threads[j].mask != threads[i].mask)) {
          divergent(threads[i], threads[j]);
          return false;
        }
  return released;
}

bool Launch::runWarp(int first, int end) {
  do {
    for (int i = first; i < end; ++i)
      if (threads[i].state == State::Ready) {
        fibers.resume(i);
        if (failed)
          return false;
      }
  } while (releaseLanes(first, end));
  return !failed;
}

/// All threads are at a barrier or have ended. False: no more to do.
bool Launch::releaseBarrier() {
  auto waiting = std::find_if(threads.begin(), threads.end(), [](const Thread &thread) { return thread.state == State::AtBarrier; });
  if (waiting == threads.end())
    return false;
  for (const Thread &thread : threads)
    if (thread.state == State::Ended || thread.site != waiting->site) {
      divergent(*waiting, thread);
      return false;
    }
  for (Thread &thread : threads) {
    thread.state = State::Ready;
    ++thread.who.epoch;
    thread.who.warpEpoch = 0;
  }
  return true;
}

void Launch::runCooperative() {
  uint32_t blocks = uint32_t(request.grid[0]) * request.grid[1] * request.grid[2];
  for (uint32_t block = 0; block < blocks && !failed; ++block) {
    beginBlock(block);
    for (int i = 0; i < threadCount; ++i) {
      setThread(threads[i], i);
      fibers.prepare(i, [](void *data) {
        auto *thread = static_cast<Thread *>(data);
        Launch *launch = thread->launch;
        launch->request.kernel->body(thread, launch->params.data());
        finishThread(*thread);
        launch->fibers.suspend(thread->linear);
      }, &threads[i]);
    }
    // Each warp runs as far as it can alone: far apart, warps show more mistakes than side by side.
    do
      for (int first = 0; first < threadCount; first += kWarp)
        if (!runWarp(first, std::min(first + kWarp, threadCount)))
          return;
    while (releaseBarrier());
  }
}

void Launch::run() {
  if (request.kernel->cooperative)
    runCooperative();
  else
    runPlain();
  if (!(request.module->checks & RAF_SIM_CHECK_MEMORY))
    for (size_t i = 0; i < params.size(); ++i) {
      CUdeviceptr start;
      size_t bytes;
      if (void *value; request.kernel->param_bytes[i] == sizeof value) {
        std::memcpy(&value, params[i], sizeof value);
        if (memory.isHost(value) && memory.find(memory.toDevice(value), &start, &bytes))
          memory.markInitialized(memory.toHost(start), int64_t(bytes));
      }
    }
  raf_sim_launch record = {};
  record.kernel = request.kernel->name;
  std::copy_n(request.grid, 3, record.grid);
  std::copy_n(request.block, 3, record.block);
  record.loaded = traffic.loaded;
  record.stored = traffic.stored;
  record.distinct_loaded = traffic.distinctLoaded;
  record.distinct_stored = traffic.distinctStored;
  record.block_loaded = traffic.blockLoaded;
  execution.context.recordLaunch(record);
}

void runKernel(Execution &execution, const LaunchRequest &request) { Launch(execution, request).run(); }

// ---- checks ----

static const char *verb(int32_t kind) { return (kind & RAF_SIM_KIND) == RAF_SIM_LOAD ? "load" : (kind & RAF_SIM_KIND) == RAF_SIM_STORE ? "store" : "atomic"; }

std::string Launch::describeConflict(const Thread &thread, const Conflict &conflict) const {
  const Cell &cell = conflict.cell;
  std::string what = conflict.withWrite ? (cell.atomic() ? "the atomic" : "the store") : "the load";
  if (cell.op != execution.who.op)
    return what + " by " + execution.context.describeOp(cell.op) + " is not ordered before this launch: is the wait for an event missing?";
  if (cell.thread / padded != thread.who.block || cell.spread() == Spread::Grid)
    return what + " by another block has no order with it";
  std::string name = threadName(cell.thread % padded);
  if (cell.thread == thread.who.thread)
    name = "other threads";
  else
    name = "thread " + name;
  return what + " by " + name + " of the block has no barrier between it and this one";
}

void Launch::outOfAllocation(Thread &thread, char *address, int64_t bytes, int32_t kind, int32_t site) {
  int64_t good = 0;
  while (good < bytes && memory.isHost(address + good) && memory.isAllocated(address + good, 1))
    ++good;
  std::string where = memory.describe(address + good);
  bool freed = where.find("inside a freed") != std::string::npos;
  fail(thread, CUDA_ERROR_ILLEGAL_ADDRESS, std::string(freed ? "use after free: " : "out of allocation: ") + place(thread, site) + ": " + verb(kind) + " of " + std::to_string(bytes) +
                                               " bytes " + where);
}

void Launch::check(Thread &thread, void *pointer, int64_t bytes, int32_t kind, int32_t site) {
  char *address = static_cast<char *>(pointer);
  const int access = kind & RAF_SIM_KIND;
  if (reinterpret_cast<uintptr_t>(address) & ((uint64_t(1) << (kind >> RAF_SIM_ALIGNMENT_SHIFT)) - 1))
    fail(thread, CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned: " + place(thread, site) + ": " + verb(kind) + " of " + std::to_string(bytes) + " bytes at an address that is not a multiple of " +
                                                    std::to_string(1 << (kind >> RAF_SIM_ALIGNMENT_SHIFT)));
  kind &= checks;
  bool inShared = isShared(address);
  if (!inShared) {
    if (access != RAF_SIM_STORE)
      traffic.loaded += bytes;
    if (access != RAF_SIM_LOAD)
      traffic.stored += bytes;
  }
  if (!inShared && !(memory.isHost(address) && memory.isHost(address + bytes - 1)))
    outOfAllocation(thread, address, bytes, kind, site);
  uint64_t offset = inShared ? uint64_t(address - shared) : memory.offset(address);
  uint8_t *bits = inShared ? sharedInitialized.data() : nullptr;
  if (kind & RAF_SIM_CHECK_MEMORY) {
    if (inShared ? offset + bytes > sharedBytes : !memory.isAllocated(address, bytes)) {
      if (!inShared)
        outOfAllocation(thread, address, bytes, kind, site);
      fail(thread, CUDA_ERROR_ILLEGAL_ADDRESS, "out of allocation: " + place(thread, site) + ": " + verb(kind) + " of " + std::to_string(bytes) + " bytes at byte " +
                                                   std::to_string(offset) + " of " + std::to_string(sharedBytes) + " bytes of shared memory");
    }
    if (access != RAF_SIM_STORE && !(inShared ? allSet(bits, offset, bytes) : memory.isInitialized(address, bytes)))
      fail(thread, CUDA_ERROR_LAUNCH_FAILED, "uninitialized read: " + place(thread, site) + ": " + verb(kind) + " of " + std::to_string(bytes) + " bytes that nothing has written, " +
                                                 (inShared ? "byte " + std::to_string(offset) + " of shared memory" : memory.describe(address)));
  } else if (inShared && offset + bytes > sharedBytes) {
    return;
  }
  if (access != RAF_SIM_LOAD && inShared && request.kernel->warpgroups)
    noteSharedStore(thread, offset, bytes, site);
  if (access != RAF_SIM_LOAD)
    inShared ? setBits(bits, offset, bytes, true) : memory.markInitialized(address, bytes);
  if (!(kind & RAF_SIM_CHECK_RACES))
    return;
  Granule *granule = inShared ? sharedGranules.data() + offset / 4 : memory.granule(address);
  Conflict conflict;
  if (!noteAccess(granule, inShared ? sharedSplit : memory.split, offset % 4, bytes, access, thread.who, inShared ? nullptr : &traffic, conflict))
    fail(thread, CUDA_ERROR_LAUNCH_FAILED, "race: " + place(thread, site) + ": " + verb(kind) + " of " + std::to_string(bytes) + " bytes " +
                                               (inShared ? "at byte " + std::to_string(offset) + " of shared memory" : memory.describe(address)) + "; " +
                                               describeConflict(thread, conflict));
}

} // namespace raf::sim

using namespace raf::sim;

extern "C" void raf_sim_access(raf_sim_thread *thread, void *address, int64_t bytes, int32_t kind, int32_t site) {
  Thread &self = asThread(thread);
  self.launch->check(self, address, bytes, kind, site);
}

extern "C" void raf_sim_out_of_bounds(raf_sim_thread *thread, int64_t index, int64_t size, int32_t site) {
  Thread &self = asThread(thread);
  self.launch->fail(self, CUDA_ERROR_ILLEGAL_ADDRESS, "out of bounds: " + self.launch->place(self, site) + ": index " + std::to_string(index) + " of a dimension of size " + std::to_string(size));
}

extern "C" void raf_sim_barrier(raf_sim_thread *thread, int32_t site) {
  Thread &self = asThread(thread);
  self.launch->wait(self, State::AtBarrier, site);
}
