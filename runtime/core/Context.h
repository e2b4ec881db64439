// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_RUNTIME_CORE_CONTEXT_H
#define RAF_RUNTIME_CORE_CONTEXT_H

#include "core/Error.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace raf::rt {

/// A library call whose preparation is done. Back ends derive from it.
class Plan {
public:
  virtual ~Plan() = default;
  virtual void execute(void **buffers) = 0;
  virtual const char *describe() const = 0;
};

/// Where the steps of a context run, if not on the CPU. Back ends derive from it.
class DeviceInterface {
public:
  virtual ~DeviceInterface() = default;
  virtual void runStep(raf_rt_context *ctx, raf_rt_entry entry, void **args, void *arena) = 0;
  /// Waits for all that was asked of it. Plans are destroyed afterwards, which work that is under way may still use.
  virtual void finish() noexcept = 0;
  virtual void profileBegin(int64_t op) = 0;
  virtual void profileEnd(int64_t op) = 0;
};

struct Profile {
  static constexpr int kDepth = 16;

  std::atomic<bool> on{false};
  std::vector<raf_rt_profile_record> ring;
  std::atomic<int64_t> recorded{0}; // since it was last read; the ring holds the newest
  int64_t starts[kDepth] = {};
  int64_t ops[kDepth] = {};
  int depth = 0;

  /// Called by several threads at once.
  void record(const raf_rt_profile_record &entry) {
    ring[recorded.fetch_add(1, std::memory_order_relaxed) % ring.size()] = entry;
  }
};

/// Nanoseconds of the monotonic clock.
int64_t nanoseconds();

/// While in scope, what the calling thread hands to the pool belongs to the profile, if that records.
class ProfileScope {
public:
  explicit ProfileScope(Profile &profile);
  ~ProfileScope();
  ProfileScope(const ProfileScope &) = delete;
  ProfileScope &operator=(const ProfileScope &) = delete;

private:
  Profile *previous;
};

/// The profile that records the op which the calling thread runs, or null.
Profile *openProfile();

} // namespace raf::rt

struct raf_rt_context {
  std::unique_ptr<raf::rt::DeviceInterface> device; // before what lives on it
  std::vector<std::unique_ptr<raf::rt::Plan>> plans;
  raf::rt::Profile profile;

  // Held by the thread inside raf_rt_execute.
  std::mutex executing;
  std::atomic<std::thread::id> executor{};

  std::mutex errorMutex;
  std::string error;
  // Failures since the step began, so that raf_rt_execute can tell; generated code does not check each call.
  std::atomic<int64_t> failures{0};
  int64_t firstStatus = RAF_RT_OK;
  std::string firstError;
};

namespace raf::rt {

/// Waits until no step of the context runs and keeps others out while in scope.
class ExecutionLock {
public:
  explicit ExecutionLock(raf_rt_context *ctx);
  ~ExecutionLock();
  ExecutionLock(const ExecutionLock &) = delete;
  ExecutionLock &operator=(const ExecutionLock &) = delete;

private:
  raf_rt_context *ctx;
};

} // namespace raf::rt

#endif
