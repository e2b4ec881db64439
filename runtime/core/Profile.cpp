// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/Context.h"

#include <algorithm>

#include <time.h>

using namespace raf::rt;

namespace {

constexpr int64_t kMaxRecords = int64_t(1) << 26;

// Of the step that this thread runs.
thread_local Profile *current = nullptr;

void profileOnDevice(raf_rt_context *ctx, void (DeviceInterface::*hook)(int64_t), int64_t opId) {
  guarded(ctx, [&] { (ctx->device.get()->*hook)(opId); });
}

} // namespace

int64_t raf::rt::nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

ProfileScope::ProfileScope(Profile &profile) : previous(current) {
  current = profile.on.load(std::memory_order_relaxed) ? &profile : nullptr;
}

ProfileScope::~ProfileScope() { current = previous; }

Profile *raf::rt::openProfile() {
  return current && current->depth > 0 && current->depth <= Profile::kDepth ? current : nullptr;
}

int64_t raf_rt_profile_enable(raf_rt_context *ctx, int64_t capacity) {
  return guardedWith(ctx, [&] {
    if (capacity < 0 || capacity > kMaxRecords)
      throw Error(RAF_RT_INVALID, "the profile's capacity must be between 0 and " + std::to_string(kMaxRecords) + ", got " +
                                      std::to_string(capacity));
    ExecutionLock lock(ctx);
    Profile &profile = ctx->profile;
    profile.on.store(false, std::memory_order_relaxed);
    std::vector<raf_rt_profile_record>(capacity).swap(profile.ring);
    profile.recorded = 0;
    profile.depth = 0;
    profile.on.store(capacity > 0, std::memory_order_relaxed);
  });
}

void raf_rt_profile_begin(raf_rt_context *ctx, int64_t opId) {
  if (!ctx || !ctx->profile.on.load(std::memory_order_relaxed))
    return;
  if (ctx->device)
    return profileOnDevice(ctx, &DeviceInterface::profileBegin, opId);
  Profile &profile = ctx->profile;
  if (profile.depth < Profile::kDepth) {
    profile.ops[profile.depth] = opId;
    profile.starts[profile.depth] = nanoseconds();
  }
  ++profile.depth;
}

void raf_rt_profile_end(raf_rt_context *ctx, int64_t opId) {
  if (!ctx || !ctx->profile.on.load(std::memory_order_relaxed))
    return;
  if (ctx->device)
    return profileOnDevice(ctx, &DeviceInterface::profileEnd, opId);
  Profile &profile = ctx->profile;
  if (profile.depth == 0) // recording began inside the pair
    return;
  if (--profile.depth >= Profile::kDepth)
    return;
  profile.record({opId, profile.starts[profile.depth], nanoseconds(), -1});
}

int64_t raf_rt_profile_read(raf_rt_context *ctx, raf_rt_profile_record *out, int64_t capacity, int64_t *count,
                            int64_t *lost) {
  return guardedWith(ctx, [&] {
    if (!count || !lost || capacity < 0 || (capacity > 0 && !out))
      throw Error(RAF_RT_INVALID, "raf_rt_profile_read: wrong arguments");
    ExecutionLock lock(ctx);
    Profile &profile = ctx->profile;
    int64_t size = profile.ring.size(), recorded = profile.recorded;
    int64_t copied = std::min({recorded, size, capacity});
    for (int64_t i = 0; i < copied; ++i)
      out[i] = profile.ring[(recorded - copied + i) % size];
    *count = copied;
    *lost = recorded - copied;
    profile.recorded = 0;
  });
}
