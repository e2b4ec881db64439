/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The C ABI of the RAF runtime for CUDA devices. Nothing of CUDA is needed to build it: the driver and the libraries are
 * opened by name at run time. The rules of raf_runtime.h hold; in addition:
 *  - a context has at most one device, opened before anything else here is called with it. Addresses that the device
 *    reads or writes are device addresses; everything else lies in host memory.
 *  - work is enqueued in order and runs while the host goes on. A failure that a call already knows is its status; one
 *    that shows later is the status of the next call that waits (download, read, synchronize, profile_read).
 *    With the environment variable RAF_CUDA_BLOCKING=1 each launch is waited for, so that a failure names the op.
 *  - after a failure of a kernel the device's context is lost, for all contexts of the process that have it open: every later call
 *    reports that failure again. The next one that opens the device has a new one made, if the driver does that.
 */
#ifndef RAF_CUDA_H
#define RAF_CUDA_H

#include "raf_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- device ---- */

/* Opens device number `device` for the context. `driver` is "cuda", or "cuda-sim" for the stand-in libraries of the
   package, which run the same programs on the CPU. The two differ only in the folder that libraries are searched in:
   RAF_CUDA_PATH (folders, separated by colons), PyPI's nvidia packages beside the runtime and the loader's own path, or
   for "cuda-sim" RAF_CUDA_SIM_PATH and the folder cuda_sim beside the runtime. */
RAF_RT_API int64_t raf_rt_cuda_open(raf_rt_context *ctx, const char *driver, int64_t device);

/* A JSON object of what is found for `driver`, without opening a device for a context:
   {"driver": {"file", "version"} or null, "devices": [{"name", "architecture", "memory", "multiprocessors"}],
    "libraries": {"cuBLASLt": {"file", "version"} or null, ...}, "missing": [sentences]}.
   The text is valid until the next call on this thread. */
RAF_RT_API const char *raf_rt_cuda_info(const char *driver);

typedef struct raf_rt_cuda_device {
  int64_t architecture; /* 90 for compute capability 9.0 */
  int64_t multiprocessors;
  int64_t memory_bytes;
  int64_t shared_bytes; /* most shared memory that a block can ask for */
  int64_t simulated;    /* 1 for the stand-in: it takes images of kind "sim" */
} raf_rt_cuda_device;

/* 1 after a failure of a kernel on its device, in this context or another one. */
RAF_RT_API int64_t raf_rt_cuda_lost(raf_rt_context *ctx);

RAF_RT_API int64_t raf_rt_cuda_properties(raf_rt_context *ctx, raf_rt_cuda_device *out);

/* ---- memory ---- */

/* Device memory, aligned to 256 bytes, contents undefined. `bytes` may be 0: *out is then NULL. A failure says how many bytes
   were asked for, are held already and are free. */
RAF_RT_API int64_t raf_rt_cuda_alloc(raf_rt_context *ctx, int64_t bytes, void **out);
/* Waits for the work that is enqueued. NULL is allowed. */
RAF_RT_API int64_t raf_rt_cuda_free(raf_rt_context *ctx, void *address);
/* current, peak and number of allocations of this context. */
RAF_RT_API int64_t raf_rt_cuda_memory(raf_rt_context *ctx, raf_rt_memory_stats *out);

/* Host to device, after all work enqueued so far and before all that comes. `source` may be changed when the call returns:
   the bytes go through pinned staging buffers. */
RAF_RT_API int64_t raf_rt_cuda_upload(raf_rt_context *ctx, void *target, const void *source, int64_t bytes);
/* As upload, but waits only for the steps before the latest one: that one, and what was enqueued after it, must not use `target`.
   The copy runs beside it, on a stream of its own. So inputs that take turns in two places are uploaded while a step runs. */
RAF_RT_API int64_t raf_rt_cuda_prefetch(raf_rt_context *ctx, void *target, const void *source, int64_t bytes);
/* Device to host, after all work enqueued so far; waits for it. */
RAF_RT_API int64_t raf_rt_cuda_download(raf_rt_context *ctx, void *target, const void *source, int64_t bytes);
/* Device to device, and a byte repeated; in order with the other work. */
RAF_RT_API int64_t raf_rt_cuda_copy(raf_rt_context *ctx, void *target, const void *source, int64_t bytes);
RAF_RT_API int64_t raf_rt_cuda_fill(raf_rt_context *ctx, void *target, int64_t byte, int64_t bytes);
/* Waits for everything and reports what failed. */
RAF_RT_API int64_t raf_rt_cuda_synchronize(raf_rt_context *ctx);
/* The stream (a CUstream) that the work is enqueued on, for exchange with other libraries; NULL without a device. */
RAF_RT_API void *raf_rt_cuda_stream(raf_rt_context *ctx);

/* ---- exchange with other libraries on their stream (a CUstream of the device; 1 and 2 are the driver's default streams) ---- */

/* What is enqueued here from now on waits for what is enqueued on `stream` so far. */
RAF_RT_API int64_t raf_rt_cuda_wait_for(raf_rt_context *ctx, void *stream);
/* What is enqueued on `stream` from now on waits for what is enqueued here so far. */
RAF_RT_API int64_t raf_rt_cuda_let_wait(raf_rt_context *ctx, void *stream);
/* The number of the device whose memory the address is in, and the bytes from it to the end of its allocation (-1: the driver does
   not say). Fails for other addresses. */
RAF_RT_API int64_t raf_rt_cuda_locate(raf_rt_context *ctx, const void *address, int64_t *device, int64_t *bytes);

/* ---- programs: called when an executable is loaded ---- */

/* Kernels: PTX (text; the terminating 0 is added), cubin, or the stand-in's image. Copied. */
RAF_RT_API int64_t raf_rt_cuda_add_image(raf_rt_context *ctx, const void *bytes, int64_t size);
/* Binds kernel `id` to the kernel of this name in the images. Ids are dense: the next one is the number of kernels so far. */
RAF_RT_API int64_t raf_rt_cuda_kernel(raf_rt_context *ctx, int64_t id, const char *name);
/* Device memory with these contents, kept until the context is destroyed. Ids are dense, as for kernels. */
RAF_RT_API int64_t raf_rt_cuda_constant(raf_rt_context *ctx, int64_t id, const void *data, int64_t bytes);
/* Its device address, NULL if there is no such constant. */
RAF_RT_API void *raf_rt_cuda_constant_address(raf_rt_context *ctx, int64_t id);

/* What the program's ops are called, for the messages of errors: two zero-terminated texts for each op, its kernel or library call and the
   model's nodes that it is for (may be empty), one after the other. Copied. */
RAF_RT_API int64_t raf_rt_cuda_ops(raf_rt_context *ctx, const char *texts, int64_t count);
/* The op that the calls which follow are for; a negative number: none. */
RAF_RT_API void raf_rt_cuda_op(raf_rt_context *ctx, int64_t op);

/* ---- several devices: one process each, joined by NCCL ---- */

#define RAF_RT_CUDA_ID_BYTES 128
/* A name for a group of processes, to be made by one of them and given to all. */
RAF_RT_API int64_t raf_rt_cuda_group_id(raf_rt_context *ctx, char id[RAF_RT_CUDA_ID_BYTES]);
/* Makes the context rank `rank` of `ranks`; waits for the others, as long as NCCL does. Comes before the creation of plans of collectives.
   What later waits for work of the device fails when another rank is gone, or no collective, and no step that runs as a graph, has ended for
   RAF_NCCL_TIMEOUT seconds (600) though some are enqueued: the context has then left the group. */
RAF_RT_API int64_t raf_rt_cuda_join(raf_rt_context *ctx, const char id[RAF_RT_CUDA_ID_BYTES], int64_t ranks, int64_t rank);

/* ---- library plans. raf_cuda_plans.h defines the kinds, the words and the order of the buffers. ---- */

/* 1 if the libraries can execute the plan; otherwise 0, with the reason in raf_rt_last_error(NULL). Answers by the documented
   limits of the libraries and needs neither them nor a device. */
RAF_RT_API int64_t raf_rt_cuda_supported(int64_t kind, const int64_t *words, int64_t count);
/* The bytes of the workspace that the plan should be given: the last buffer of every plan. */
RAF_RT_API int64_t raf_rt_cuda_workspace(int64_t kind, const int64_t *words, int64_t count, int64_t *bytes);
/* The bytes of every buffer in order, workspace included, to bytes[0..*buffers). `capacity` is the room in `bytes`. */
RAF_RT_API int64_t raf_rt_cuda_buffers(int64_t kind, const int64_t *words, int64_t count, int64_t *bytes, int64_t capacity,
                                       int64_t *buffers);
/* Plan ids are dense and shared with raf_rt_dnnl_create. */
RAF_RT_API int64_t raf_rt_cuda_create(raf_rt_context *ctx, int64_t plan_id, int64_t kind, const int64_t *words, int64_t count);
/* What the plan runs, for people; NULL if there is no such plan. */
RAF_RT_API const char *raf_rt_cuda_describe(raf_rt_context *ctx, int64_t plan_id);

/* ---- called by generated code inside a step ---- */

/* params[i] points to the value of parameter i, as in cuLaunchKernel. grid_block: blocks x, y, z, threads x, y, z. */
RAF_RT_API int64_t raf_rt_cuda_launch(raf_rt_context *ctx, int64_t id, const int32_t grid_block[6], int32_t shared_bytes,
                                      void **params, int32_t count);
RAF_RT_API int64_t raf_rt_cuda_execute(raf_rt_context *ctx, int64_t plan_id, void **buffers);
/* A value that the host decides by: device to host, waits. A step that reads cannot be a graph, and is then run as it is. */
RAF_RT_API int64_t raf_rt_cuda_read(raf_rt_context *ctx, void *target, const void *source, int64_t bytes);
/* Several streams in a step. Stream 0 is current when a step begins; each step ends by joining all that it used. Streams
   and events are made at their first use. */
RAF_RT_API int64_t raf_rt_cuda_use_stream(raf_rt_context *ctx, int64_t stream);
/* Event `event` now stands for the work enqueued so far on the current stream. */
RAF_RT_API int64_t raf_rt_cuda_record(raf_rt_context *ctx, int64_t event);
/* Work enqueued on the current stream from now on waits for the event. */
RAF_RT_API int64_t raf_rt_cuda_wait(raf_rt_context *ctx, int64_t event);

/* ---- execution: raf_rt_execute runs the step (args and arena are device addresses) and returns when it is enqueued ---- */

/* With `on`, steps run as a CUDA graph: the first step with some addresses runs as it is, the second is captured, further
   ones replay it; other addresses begin again, and a step that reads stays as it is. RAF_CUDA_GRAPHS=0 in the environment
   keeps every step as it is. `arguments` is the number of addresses
   in args. Without `on` that ends. */
RAF_RT_API int64_t raf_rt_cuda_capture(raf_rt_context *ctx, int64_t on, int64_t arguments);

typedef struct raf_rt_cuda_counts {
  int64_t launches; /* kernels enqueued one by one so far */
  int64_t plans;    /* library plans executed so far */
  int64_t captures; /* graphs made so far */
  int64_t replays;  /* steps that ran as a graph so far */
  int64_t prefetches; /* uploads beside a step so far */
} raf_rt_cuda_counts;

RAF_RT_API int64_t raf_rt_cuda_count(raf_rt_context *ctx, raf_rt_cuda_counts *out);

/* Profile: raf_rt_profile_enable, _begin, _end and _read work as on the CPU. Records hold the times of the device, taken by
   events, on the scale of the monotonic clock; a step that is profiled does not run as a graph. */

#ifdef __cplusplus
}
#endif

#endif
