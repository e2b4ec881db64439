// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C functions for oneDNN plans in a build without oneDNN: the same answers for everything, "unsupported".
#include "core/Context.h"

using namespace raf::rt;

namespace {

constexpr const char *kMessage = "this RAF runtime was built without oneDNN (RAF_WITH_DNNL=OFF)";

int64_t refuse(raf_rt_context *ctx) {
  reportError(ctx, RAF_RT_UNSUPPORTED, kMessage);
  return RAF_RT_UNSUPPORTED;
}

} // namespace

int64_t raf_rt_dnnl_supported(int64_t, const int64_t *, int64_t) {
  refuse(nullptr);
  return 0;
}
int64_t raf_rt_dnnl_workspace(int64_t, const int64_t *, int64_t, int64_t *) { return refuse(nullptr); }
int64_t raf_rt_dnnl_buffers(int64_t, const int64_t *, int64_t, int64_t *, int64_t, int64_t *) { return refuse(nullptr); }
int64_t raf_rt_dnnl_packed(int64_t, const int64_t *, int64_t, int64_t *, int64_t, int64_t *) { return refuse(nullptr); }
int64_t raf_rt_dnnl_create(raf_rt_context *ctx, int64_t, int64_t, const int64_t *, int64_t) { return refuse(ctx); }
int64_t raf_rt_dnnl_execute(raf_rt_context *ctx, int64_t, void **) { return refuse(ctx); }
const char *raf_rt_dnnl_describe(raf_rt_context *, int64_t) { return nullptr; }
