// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/Threads.h"

#include "core/Context.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <omp.h>
#include <pthread.h>
#include <sched.h>

using namespace raf::rt;

namespace {

constexpr int64_t kMaxThreads = 4096;

/// Logical CPUs that this process may run on; empty if the system does not say.
std::vector<int> allowedCpus() {
  std::vector<int> cpus;
  // A machine may have more CPUs than cpu_set_t holds: grow the mask until the kernel accepts it.
  for (int capacity = CPU_SETSIZE; capacity <= (1 << 16); capacity *= 2) {
    cpu_set_t *mask = CPU_ALLOC(capacity);
    if (!mask)
      break;
    size_t size = CPU_ALLOC_SIZE(capacity);
    CPU_ZERO_S(size, mask);
    bool known = sched_getaffinity(0, size, mask) == 0;
    for (int cpu = 0; known && cpu < capacity; ++cpu)
      if (CPU_ISSET_S(cpu, size, mask))
        cpus.push_back(cpu);
    CPU_FREE(mask);
    if (known)
      break;
  }
  return cpus;
}

int readInt(const std::string &path, int otherwise) {
  std::ifstream file(path);
  int value;
  return file >> value ? value : otherwise;
}

/// The CPUs that the control group may use per unit of time, or 0 when it has no limit.
double cpuQuota() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (file >> quota >> period && quota != "max" && period > 0)
    return std::strtod(quota.c_str(), nullptr) / period;
  double oldQuota = readInt("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", -1);
  double oldPeriod = readInt("/sys/fs/cgroup/cpu/cpu.cfs_period_us", 0);
  return oldQuota > 0 && oldPeriod > 0 ? oldQuota / oldPeriod : 0;
}

int64_t initialThreads() {
  if (const char *text = std::getenv("RAF_NUM_THREADS")) {
    char *end = nullptr;
    long value = std::strtol(text, &end, 10);
    if (end != text && *end == '\0' && value >= 1 && value <= kMaxThreads)
      return value;
  }
  return availableCores();
}

std::atomic<int64_t> &threadCount() {
  static std::atomic<int64_t> count{initialThreads()};
  return count;
}

// What the calling thread asked for; 0 follows the process.
thread_local int64_t ownThreads = 0;

std::atomic<bool> poolUsed{false}, lost{false};

[[maybe_unused]] const int forkHandler =
    pthread_atfork(nullptr, nullptr, [] { lost.store(poolUsed.load(std::memory_order_relaxed), std::memory_order_relaxed); });

} // namespace

void raf::rt::notePoolUse() {
  if (!poolUsed.load(std::memory_order_relaxed))
    poolUsed.store(true, std::memory_order_relaxed);
}

bool raf::rt::poolLost() { return lost.load(std::memory_order_relaxed); }

int64_t raf::rt::availableCores() {
  std::set<std::pair<int, int>> cores;
  for (int cpu : allowedCpus()) {
    std::string topology = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    // A CPU with unknown topology counts as a core of its own.
    int core = readInt(topology + "core_id", -1 - cpu);
    cores.emplace(readInt(topology + "physical_package_id", 0), core);
  }
  int64_t count = cores.empty() ? std::max(1u, std::thread::hardware_concurrency()) : cores.size();
  double quota = cpuQuota();
  if (quota > 0)
    count = std::min(count, static_cast<int64_t>(std::ceil(quota)));
  return std::clamp<int64_t>(count, 1, kMaxThreads);
}

ThreadScope::ThreadScope(int64_t threads) : previous(omp_get_max_threads()), changed(previous != threads) {
  if (changed)
    omp_set_num_threads(static_cast<int>(threads));
}

ThreadScope::~ThreadScope() {
  if (changed)
    omp_set_num_threads(previous);
}

int64_t raf_rt_set_num_threads(int64_t threads) {
  return guarded(nullptr, [&] {
    if (threads < 1 || threads > kMaxThreads)
      throw Error(RAF_RT_INVALID, "the number of threads must be between 1 and " + std::to_string(kMaxThreads) + ", got " +
                                      std::to_string(threads));
    threadCount().store(threads, std::memory_order_relaxed);
  });
}

int64_t raf_rt_use_num_threads(int64_t threads) {
  if (threads < 0 || threads > kMaxThreads)
    return -1;
  return std::exchange(ownThreads, threads);
}

int64_t raf_rt_get_num_threads(void) {
  if (poolLost())
    return 1;
  return ownThreads ? ownThreads : threadCount().load(std::memory_order_relaxed);
}

void raf_rt_parallel_for(raf_rt_context *, void (*body)(void *, int64_t, int64_t), void *env, int64_t n, int64_t grain) {
  if (n <= 0)
    return;
  grain = std::max<int64_t>(grain, 1);
  int64_t threads = raf_rt_get_num_threads();
  if (n <= grain || threads == 1 || omp_in_parallel()) {
    body(env, 0, n);
    return;
  }
  notePoolUse();
  Profile *profile = openProfile();
  int64_t op = profile ? profile->ops[profile->depth - 1] : 0;
  // Always the whole team, even when there are fewer ranges than threads: libgomp ends the threads that a smaller team
  // leaves out and starts them again for the next bigger one, which costs far more than an idle member.
  int64_t ranges = std::min(threads, (n + grain - 1) / grain);
#pragma omp parallel num_threads(static_cast<int>(threads))
  {
    // OpenMP may give fewer threads than were asked for, so every member strides over the ranges.
    int64_t team = omp_get_num_threads(), member = omp_get_thread_num();
    int64_t start = profile ? nanoseconds() : 0;
    for (int64_t range = member; range < ranges; range += team) {
      int64_t quotient = n / ranges, rest = n % ranges;
      int64_t begin = range * quotient + std::min(range, rest);
      int64_t end = begin + quotient + (range < rest);
      body(env, begin, end);
    }
    if (profile && member < ranges)
      profile->record({op, start, nanoseconds(), member});
  }
}
