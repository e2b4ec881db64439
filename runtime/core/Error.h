// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors inside the runtime are exceptions; `guarded` turns them into a status and a message at the C boundary.
#ifndef RAF_RUNTIME_CORE_ERROR_H
#define RAF_RUNTIME_CORE_ERROR_H

#include "raf_runtime.h"

#include <exception>
#include <new>
#include <string>
#include <utility>

namespace raf::rt {

struct Error : std::exception {
  Error(int64_t status, std::string message) : status(status), message(std::move(message)) {}
  const char *what() const noexcept override { return message.c_str(); }

  int64_t status;
  std::string message;
};

/// Stores the message where raf_rt_last_error(ctx) finds it; a NULL context means the calling thread.
void reportError(raf_rt_context *ctx, int64_t status, const char *message) noexcept;

template <class Body> int64_t guarded(raf_rt_context *ctx, Body &&body) noexcept {
  try {
    body();
    return RAF_RT_OK;
  } catch (const Error &error) {
    reportError(ctx, error.status, error.what());
    return error.status;
  } catch (const std::bad_alloc &) {
    reportError(ctx, RAF_RT_OUT_OF_MEMORY, "out of memory");
    return RAF_RT_OUT_OF_MEMORY;
  } catch (const std::exception &error) {
    reportError(ctx, RAF_RT_FAILED, error.what());
    return RAF_RT_FAILED;
  }
}

/// As `guarded`, for functions that must have a context.
template <class Body> int64_t guardedWith(raf_rt_context *ctx, Body &&body) noexcept {
  if (ctx)
    return guarded(ctx, std::forward<Body>(body));
  reportError(nullptr, RAF_RT_INVALID, "the context is NULL");
  return RAF_RT_INVALID;
}

} // namespace raf::rt

#endif
