/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The C ABI of the RAF runtime: what generated code, the compiler and the Python package call.
 *
 * Rules that hold for every function:
 *  - a function that can fail returns a status, RAF_RT_OK (0) or one of the codes below; the message is
 *    raf_rt_last_error(ctx). Functions without a context leave it in raf_rt_last_error(NULL) of the calling thread.
 *  - no exception, abort or signal crosses this boundary because of the values of scalar arguments. Pointers are trusted
 *    to be NULL (reported) or valid.
 *  - sizes and counts are int64_t, bytes unless said otherwise.
 */
#ifndef RAF_RUNTIME_H
#define RAF_RUNTIME_H

#include <stdint.h>

#if defined(__GNUC__)
#define RAF_RT_API __attribute__((visibility("default")))
#else
#define RAF_RT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever a function below changes its meaning; an executable stores the version that it was made for. */
#define RAF_RT_ABI_VERSION 2

enum raf_rt_status {
  RAF_RT_OK = 0,
  RAF_RT_INVALID = 1,       /* an argument is wrong: nothing was done */
  RAF_RT_UNSUPPORTED = 2,   /* the request is well formed, but this machine or library cannot serve it */
  RAF_RT_OUT_OF_MEMORY = 3, /* the allocation failed */
  RAF_RT_FAILED = 4         /* a library or the generated step reported a failure */
};

RAF_RT_API int64_t raf_rt_abi_version(void);

/* A JSON object: cpu brand, instruction sets, cores, threads, oneDNN version and effective instruction set. The text is
   valid until the next call on this thread. */
RAF_RT_API const char *raf_rt_info(void);

/* ---- context: one per loaded executable. It owns the library plans, the last error and the profile. ---- */

typedef struct raf_rt_context raf_rt_context;

RAF_RT_API int64_t raf_rt_context_create(raf_rt_context **out);
/* NULL is allowed. No other call may be using the context. */
RAF_RT_API void raf_rt_context_destroy(raf_rt_context *ctx);
/* The message of the latest failure of a call with this context, from any thread ("" if there was none); with NULL, of the
   calling thread's latest failure without a context. Valid until the next call of this function on this thread. */
RAF_RT_API const char *raf_rt_last_error(raf_rt_context *ctx);

/* ---- threads: OpenMP's pool (libgomp) is the only one, and oneDNN uses the same. ---- */

/* How many threads the process's steps use. Initially the environment variable RAF_NUM_THREADS, otherwise the physical
   cores that the affinity mask and the CPU quota of the process leave; a value of the variable that is not a positive
   number is ignored. Plans that exist keep the number that they were created with; everything else follows at the next
   call. In a child forked after its parent used the pool the number is 1, and executing a plan made for more fails. */
RAF_RT_API int64_t raf_rt_set_num_threads(int64_t threads);
RAF_RT_API int64_t raf_rt_get_num_threads(void);
/* The same for the calling thread alone: the plans that it creates and the steps that it runs, until it asks for another
   number; 0 follows the process again. Returns the number before, or -1 for a number that is not possible, which changes
   nothing. raf_rt_get_num_threads gives the number that holds for the calling thread. */
RAF_RT_API int64_t raf_rt_use_num_threads(int64_t threads);

/* Calls body(env, begin, end) on disjoint contiguous ranges that cover [0, n), each at least `grain` long but the last.
   Runs as one inline call when n <= grain, when there is one thread, or inside another parallel region. The ranges depend
   on the number of threads, so a body must not carry anything from one index to the next. */
RAF_RT_API void raf_rt_parallel_for(raf_rt_context *ctx, void (*body)(void *env, int64_t begin, int64_t end), void *env,
                                    int64_t n, int64_t grain);

/* ---- memory ---- */

/* 64-byte aligned memory for arenas, parameters and states. Its contents are undefined. Big blocks are aligned to and
   advised to use huge pages. `bytes` may be 0: *out is then a valid address that must be freed too. */
RAF_RT_API int64_t raf_rt_alloc(raf_rt_context *ctx, int64_t bytes, void **out);
/* NULL is allowed. An address that raf_rt_alloc did not return is reported and left alone. */
RAF_RT_API int64_t raf_rt_free(raf_rt_context *ctx, void *address);

typedef struct raf_rt_memory_stats {
  int64_t current_bytes; /* held now, by everybody in the process */
  int64_t peak_bytes;    /* most ever held at once since the process started or raf_rt_memory_reset_peak */
  int64_t allocations;   /* calls that obtained memory so far: unchanged by a step */
} raf_rt_memory_stats;

RAF_RT_API int64_t raf_rt_memory(raf_rt_memory_stats *out);
RAF_RT_API void raf_rt_memory_reset_peak(void);

/* ---- execution ---- */

typedef void (*raf_rt_entry)(raf_rt_context *ctx, void **args, void *arena);

/* Runs a step. Calls on one context from several threads run one after the other. Fails if anything inside the step
   failed; the message is that of the first failure. */
RAF_RT_API int64_t raf_rt_execute(raf_rt_context *ctx, raf_rt_entry entry, void **args, void *arena);

/* ---- profile ---- */

typedef struct raf_rt_profile_record {
  int64_t op_id;
  int64_t start_ns; /* of the monotonic clock */
  int64_t end_ns;
  int64_t thread; /* -1: the op; otherwise the member of the thread team that ran this part of it */
} raf_rt_profile_record;

/* Starts recording into a ring of `capacity` records (the oldest are overwritten); 0 stops and forgets. */
RAF_RT_API int64_t raf_rt_profile_enable(raf_rt_context *ctx, int64_t capacity);
/* Called by generated code around an op, on the thread that runs the step. Pairs nest up to 16 deep. What
   raf_rt_parallel_for runs inside is recorded too, each member's part for itself, before the op. A load and a branch when
   recording is off. */
RAF_RT_API void raf_rt_profile_begin(raf_rt_context *ctx, int64_t op_id);
RAF_RT_API void raf_rt_profile_end(raf_rt_context *ctx, int64_t op_id);
/* Copies up to `capacity` of the newest records to `out`, oldest first, and forgets them all. *count is the number copied,
   *lost the number that was overwritten or did not fit. */
RAF_RT_API int64_t raf_rt_profile_read(raf_rt_context *ctx, raf_rt_profile_record *out, int64_t capacity, int64_t *count,
                                       int64_t *lost);

/* ---- oneDNN plans. raf_dnnl.h defines the kinds, the words and the order of the buffers. ---- */

/* 1 if the plan can be created here and runs an optimized implementation; otherwise 0, with the reason in
   raf_rt_last_error(NULL). */
RAF_RT_API int64_t raf_rt_dnnl_supported(int64_t kind, const int64_t *words, int64_t count);
/* The bytes of the workspace: the last buffer of every plan. */
RAF_RT_API int64_t raf_rt_dnnl_workspace(int64_t kind, const int64_t *words, int64_t count, int64_t *bytes);
/* The bytes of every buffer in order, workspace included, to bytes[0..*buffers). `capacity` is the room in `bytes`. */
RAF_RT_API int64_t raf_rt_dnnl_buffers(int64_t kind, const int64_t *words, int64_t count, int64_t *bytes, int64_t capacity,
                                       int64_t *buffers);
/* The packed layout in which this plan would take its weights (b of a matmul, weights of a convolution or their gradient) without copying them inside:
   the words of a Tensor of raf_dnnl.h to layout[0..*length). *length is 0 if it reads them where they lie, or has them packed already.
   `capacity` is the room in `layout`. */
RAF_RT_API int64_t raf_rt_dnnl_packed(int64_t kind, const int64_t *words, int64_t count, int64_t *layout, int64_t capacity,
                                      int64_t *length);
/* Plan ids of a context are dense: the next one is the number of plans created so far. */
RAF_RT_API int64_t raf_rt_dnnl_create(raf_rt_context *ctx, int64_t plan_id, int64_t kind, const int64_t *words,
                                      int64_t count);
/* Runs the plan on these buffers, which may be others in each call. Makes no allocation of its own. One context's plans
   must not be executed by several threads at once; raf_rt_execute sees to that. */
RAF_RT_API int64_t raf_rt_dnnl_execute(raf_rt_context *ctx, int64_t plan_id, void **buffers);
/* What the plan runs, for people: the implementation and the reorders around it, such as "brg:avx512_core +
   reorder(b)". NULL if there is no such plan; otherwise valid as long as the context. */
RAF_RT_API const char *raf_rt_dnnl_describe(raf_rt_context *ctx, int64_t plan_id);

#ifdef __cplusplus
}
#endif

#endif
