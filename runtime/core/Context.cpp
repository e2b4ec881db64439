// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/Context.h"

#include "core/Threads.h"

using namespace raf::rt;

namespace {

thread_local std::string threadError;
// What raf_rt_last_error handed out: a copy, since another thread may fail meanwhile.
thread_local std::string handedOut;

} // namespace

void raf::rt::reportError(raf_rt_context *ctx, int64_t status, const char *message) noexcept {
  try {
    if (!ctx) {
      threadError = message;
      return;
    }
    std::lock_guard<std::mutex> lock(ctx->errorMutex);
    ctx->error = message;
    if (ctx->failures.fetch_add(1, std::memory_order_relaxed) == 0) {
      ctx->firstStatus = status;
      ctx->firstError = message;
    }
  } catch (const std::exception &) {
    // No memory for the message: the status alone must do.
  }
}

ExecutionLock::ExecutionLock(raf_rt_context *ctx) : ctx(ctx) {
  if (ctx->executor.load(std::memory_order_relaxed) == std::this_thread::get_id())
    throw Error(RAF_RT_INVALID, "called from inside a step of the same context");
  ctx->executing.lock();
  ctx->executor.store(std::this_thread::get_id(), std::memory_order_relaxed);
}

ExecutionLock::~ExecutionLock() {
  ctx->executor.store(std::thread::id(), std::memory_order_relaxed);
  ctx->executing.unlock();
}

int64_t raf_rt_abi_version(void) { return RAF_RT_ABI_VERSION; }

int64_t raf_rt_context_create(raf_rt_context **out) {
  return guarded(nullptr, [&] {
    if (!out)
      throw Error(RAF_RT_INVALID, "raf_rt_context_create: out is NULL");
    *out = nullptr;
    *out = new raf_rt_context;
  });
}

void raf_rt_context_destroy(raf_rt_context *ctx) {
  if (ctx && ctx->device)
    ctx->device->finish();
  delete ctx;
}

const char *raf_rt_last_error(raf_rt_context *ctx) {
  if (!ctx)
    return threadError.c_str();
  try {
    std::lock_guard<std::mutex> lock(ctx->errorMutex);
    handedOut = ctx->error;
    return handedOut.c_str();
  } catch (const std::exception &) {
    return "out of memory";
  }
}

int64_t raf_rt_execute(raf_rt_context *ctx, raf_rt_entry entry, void **args, void *arena) {
  return guardedWith(ctx, [&] {
    if (!entry)
      throw Error(RAF_RT_INVALID, "raf_rt_execute: the entry function is NULL");
    ExecutionLock lock(ctx);
    ctx->failures.store(0, std::memory_order_relaxed);
    ctx->profile.depth = 0;
    if (ctx->device) {
      ctx->device->runStep(ctx, entry, args, arena);
    } else {
      ThreadScope threads(raf_rt_get_num_threads());
      ProfileScope profile(ctx->profile);
      entry(ctx, args, arena);
    }

    if (ctx->failures.load(std::memory_order_relaxed) != 0) {
      std::string message;
      int64_t status;
      {
        std::lock_guard<std::mutex> errorLock(ctx->errorMutex);
        message = ctx->firstError;
        status = ctx->firstStatus;
      }
      throw Error(status, message);
    }
  });
}
