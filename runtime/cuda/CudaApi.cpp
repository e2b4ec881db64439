// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C functions for CUDA devices.
#include "cuda/Device.h"

using namespace raf::rt;

namespace {

/// Runs the body with the context's device, as `guardedWith` does: inside a step on the thread that runs it, otherwise
/// between steps.
template <class Body> int64_t onDevice(raf_rt_context *ctx, Body &&body) noexcept {
  auto run = [&] {
    cuda::Device &device = cuda::Device::of(ctx);
    device.forOp([&] { body(device); });
  };
  return guardedWith(ctx, [&] {
    if (ctx->executor.load(std::memory_order_relaxed) == std::this_thread::get_id())
      return run();
    cuda::DeviceLock lock(ctx);
    run();
  });
}

void checkCopy(const char *function, const void *target, const void *source, int64_t bytes) {
  if (bytes < 0 || (bytes > 0 && (!target || !source)))
    throw Error(RAF_RT_INVALID, std::string(function) + ": " + (bytes < 0 ? "negative size" : "an address is NULL"));
}

} // namespace

int64_t raf_rt_cuda_open(raf_rt_context *ctx, const char *driver, int64_t device) {
  return guardedWith(ctx, [&] {
    if (ctx->device)
      throw Error(RAF_RT_INVALID, "the context has a device already");
    ctx->device = std::make_unique<cuda::Device>(cuda::Libraries::of(driver), device);
  });
}

const char *raf_rt_cuda_info(const char *driver) {
  static thread_local std::string result;
  int64_t status = guarded(nullptr, [&] { result = cuda::Libraries::of(driver).describe(); });
  return status == RAF_RT_OK ? result.c_str() : "{}";
}

int64_t raf_rt_cuda_lost(raf_rt_context *ctx) { return ctx && ctx->device && static_cast<cuda::Device *>(ctx->device.get())->isLost(); }

int64_t raf_rt_cuda_properties(raf_rt_context *ctx, raf_rt_cuda_device *out) {
  return onDevice(ctx, [&](cuda::Device &device) {
    if (!out)
      throw Error(RAF_RT_INVALID, "raf_rt_cuda_properties: out is NULL");
    *out = device.properties();
  });
}

int64_t raf_rt_cuda_alloc(raf_rt_context *ctx, int64_t bytes, void **out) {
  return onDevice(ctx, [&](cuda::Device &device) {
    if (!out)
      throw Error(RAF_RT_INVALID, "raf_rt_cuda_alloc: out is NULL");
    *out = nullptr;
    *out = device.allocate(bytes);
  });
}

int64_t raf_rt_cuda_free(raf_rt_context *ctx, void *address) {
  return onDevice(ctx, [&](cuda::Device &device) { device.release(address); });
}

int64_t raf_rt_cuda_memory(raf_rt_context *ctx, raf_rt_memory_stats *out) {
  return onDevice(ctx, [&](cuda::Device &device) {
    if (!out)
      throw Error(RAF_RT_INVALID, "raf_rt_cuda_memory: out is NULL");
    *out = device.memory();
  });
}

int64_t raf_rt_cuda_upload(raf_rt_context *ctx, void *target, const void *source, int64_t bytes) {
  return onDevice(ctx, [&](cuda::Device &device) {
    checkCopy("raf_rt_cuda_upload", target, source, bytes);
    device.upload(target, source, bytes, /*ordered=*/true);
  });
}

int64_t raf_rt_cuda_prefetch(raf_rt_context *ctx, void *target, const void *source, int64_t bytes) {
  return onDevice(ctx, [&](cuda::Device &device) {
    checkCopy("raf_rt_cuda_prefetch", target, source, bytes);
    device.upload(target, source, bytes, /*ordered=*/false);
  });
}

int64_t raf_rt_cuda_download(raf_rt_context *ctx, void *target, const void *source, int64_t bytes) {
  return onDevice(ctx, [&](cuda::Device &device) {
    checkCopy("raf_rt_cuda_download", target, source, bytes);
    device.download(target, source, bytes);
  });
}

int64_t raf_rt_cuda_copy(raf_rt_context *ctx, void *target, const void *source, int64_t bytes) {
  return onDevice(ctx, [&](cuda::Device &device) {
    checkCopy("raf_rt_cuda_copy", target, source, bytes);
    device.copy(target, source, bytes);
  });
}

int64_t raf_rt_cuda_fill(raf_rt_context *ctx, void *target, int64_t byte, int64_t bytes) {
  return onDevice(ctx, [&](cuda::Device &device) {
    checkCopy("raf_rt_cuda_fill", target, target, bytes);
    device.fill(target, byte, bytes);
  });
}

int64_t raf_rt_cuda_synchronize(raf_rt_context *ctx) {
  return onDevice(ctx, [&](cuda::Device &device) { device.synchronize(); });
}

int64_t raf_rt_cuda_wait_for(raf_rt_context *ctx, void *stream) {
  return onDevice(ctx, [&](cuda::Device &device) { device.waitFor(static_cast<cuda::CUstream>(stream)); });
}

int64_t raf_rt_cuda_let_wait(raf_rt_context *ctx, void *stream) {
  return onDevice(ctx, [&](cuda::Device &device) { device.letWait(static_cast<cuda::CUstream>(stream)); });
}

int64_t raf_rt_cuda_locate(raf_rt_context *ctx, const void *address, int64_t *ordinal, int64_t *bytes) {
  return onDevice(ctx, [&](cuda::Device &device) {
    if (!ordinal || !bytes)
      throw Error(RAF_RT_INVALID, "raf_rt_cuda_locate: an argument is NULL");
    device.locate(address, ordinal, bytes);
  });
}

void *raf_rt_cuda_stream(raf_rt_context *ctx) {
  return ctx && ctx->device ? static_cast<cuda::Device &>(*ctx->device).stream() : nullptr;
}

int64_t raf_rt_cuda_add_image(raf_rt_context *ctx, const void *bytes, int64_t size) {
  return onDevice(ctx, [&](cuda::Device &device) { device.addImage(bytes, size); });
}

int64_t raf_rt_cuda_kernel(raf_rt_context *ctx, int64_t id, const char *name) {
  return onDevice(ctx, [&](cuda::Device &device) { device.addKernel(id, name); });
}

int64_t raf_rt_cuda_constant(raf_rt_context *ctx, int64_t id, const void *data, int64_t bytes) {
  return onDevice(ctx, [&](cuda::Device &device) { device.addConstant(id, data, bytes); });
}

void *raf_rt_cuda_constant_address(raf_rt_context *ctx, int64_t id) {
  return ctx && ctx->device ? static_cast<cuda::Device &>(*ctx->device).constant(id) : nullptr;
}

int64_t raf_rt_cuda_ops(raf_rt_context *ctx, const char *texts, int64_t count) {
  return onDevice(ctx, [&](cuda::Device &device) { device.nameOps(texts, count); });
}

void raf_rt_cuda_op(raf_rt_context *ctx, int64_t op) {
  if (ctx && ctx->device)
    static_cast<cuda::Device &>(*ctx->device).enterOp(op);
}

int64_t raf_rt_cuda_launch(raf_rt_context *ctx, int64_t id, const int32_t gridBlock[6], int32_t sharedBytes, void **params,
                           int32_t count) {
  return onDevice(ctx, [&](cuda::Device &device) { device.launch(id, gridBlock, sharedBytes, params, count); });
}

int64_t raf_rt_cuda_read(raf_rt_context *ctx, void *target, const void *source, int64_t bytes) {
  return onDevice(ctx, [&](cuda::Device &device) {
    checkCopy("raf_rt_cuda_read", target, source, bytes);
    device.read(target, source, bytes);
  });
}

int64_t raf_rt_cuda_use_stream(raf_rt_context *ctx, int64_t stream) {
  return onDevice(ctx, [&](cuda::Device &device) { device.useStream(stream); });
}

int64_t raf_rt_cuda_record(raf_rt_context *ctx, int64_t event) {
  return onDevice(ctx, [&](cuda::Device &device) { device.record(event); });
}

int64_t raf_rt_cuda_wait(raf_rt_context *ctx, int64_t event) {
  return onDevice(ctx, [&](cuda::Device &device) { device.wait(event); });
}

int64_t raf_rt_cuda_capture(raf_rt_context *ctx, int64_t on, int64_t arguments) {
  return onDevice(ctx, [&](cuda::Device &device) { device.setCapture(on != 0, arguments); });
}

int64_t raf_rt_cuda_count(raf_rt_context *ctx, raf_rt_cuda_counts *out) {
  return onDevice(ctx, [&](cuda::Device &device) {
    if (!out)
      throw Error(RAF_RT_INVALID, "raf_rt_cuda_count: out is NULL");
    *out = device.counts();
  });
}
