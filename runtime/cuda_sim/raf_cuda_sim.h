/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The simulated GPU: what an image of kernels looks like (raf-gpu-to-sim writes it), what kernels call while they run, and
 * what the simulator's libcuda.so.1 offers beyond the driver's entry points.
 *
 * Device addresses are no addresses of the host: touching one there ends the process as it would with a GPU. Kernels get
 * addresses that they can use, because a launch translates its parameters.
 */
#ifndef RAF_CUDA_SIM_H
#define RAF_CUDA_SIM_H

#include <stdint.h>

#if defined(__GNUC__)
#define RAF_SIM_API __attribute__((visibility("default")))
#else
#define RAF_SIM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- images ---- */

#define RAF_SIM_VERSION 1

/* What a kernel sees of its thread. The simulator keeps more behind it. */
typedef struct raf_sim_thread {
  int32_t thread_id[3], block_id[3], block_dim[3], grid_dim[3];
  char *shared; /* the block's shared memory: the static part first, then the dynamic part, each aligned to 16 bytes */
} raf_sim_thread;

typedef struct raf_sim_kernel {
  const char *name;
  void (*body)(raf_sim_thread *thread, void **params); /* params[i] points to the value of parameter i */
  int64_t shared_bytes;                                /* static */
  int32_t param_count;
  int32_t cooperative; /* 1: waits for other threads somewhere, so that its threads must be fibers; 0: a plain loop runs it */
  const int32_t *param_bytes;
  int32_t block_size[3]; /* the block that it was compiled for; 0: any */
  int32_t warpgroups; /* 1: has instructions of warpgroups (wgmma) */
} raf_sim_kernel;

/* The symbol `raf_sim_kernels` of an image. */
typedef struct raf_sim_module {
  int32_t version; /* RAF_SIM_VERSION */
  int32_t count;
  const raf_sim_kernel *kernels;
  const char *const *sites; /* texts of source locations, for messages */
  int32_t site_count;
  int32_t checks; /* RAF_SIM_CHECK_*: those that all its accesses have. Without that of memory, all that a launch is given counts as initialized after it. */
} raf_sim_module;

/* ---- called by kernels; `site` indexes `sites`. A report ends the launch: such a call does not return. ---- */

enum raf_sim_kind {
  RAF_SIM_LOAD = 0,
  RAF_SIM_STORE = 1,
  RAF_SIM_ATOMIC = 2,
  RAF_SIM_KIND = 3,           /* mask of the three above */
  RAF_SIM_CHECK_MEMORY = 4,   /* report addresses outside allocations, and loads of what nothing has written */
  RAF_SIM_CHECK_RACES = 8,    /* report conflicts with unordered accesses of other threads, launches and copies */
  RAF_SIM_ALIGNMENT_SHIFT = 8 /* from here on: the binary logarithm of the alignment that the address must have */
};

/* All threads of the block. */
RAF_SIM_API void raf_sim_barrier(raf_sim_thread *, int32_t site);
/* The threads of the warp, whose accesses before it happen before those after it. */
RAF_SIM_API void raf_sim_warp_barrier(raf_sim_thread *, int32_t site);

enum raf_sim_shuffle_mode { RAF_SIM_XOR = 0, RAF_SIM_UP = 1, RAF_SIM_DOWN = 2, RAF_SIM_IDX = 3 };
/* The meaning of gpu.shuffle. *valid: whether the source lane exists in the `width` lanes around this one; if not, the
   result is the thread's own value. */
RAF_SIM_API uint32_t raf_sim_shuffle(raf_sim_thread *, uint32_t value, int32_t mode, int32_t offset, int32_t width,
                                     int32_t *valid, int32_t site);
/* Bit i: whether lane i voted nonzero. */
RAF_SIM_API uint32_t raf_sim_vote(raf_sim_thread *, int32_t predicate, int32_t site);
/* Every lane gives `bytes` (at most 128, equal in all lanes) and sees all of them: lane i's at i * bytes of the result,
   which is valid until the thread waits again. */
RAF_SIM_API const void *raf_sim_gather(raf_sim_thread *, const void *mine, int32_t bytes, int32_t site);

enum raf_sim_mma_type { RAF_SIM_MMA_F16 = 0, RAF_SIM_MMA_BF16 = 1, RAF_SIM_MMA_TF32 = 2, RAF_SIM_MMA_F64 = 3, RAF_SIM_MMA_S8 = 4 };
/* d = a * b + c of mma.sync.m<m>n<n>k<k>.row.col, on fragments as the PTX manual lays them out. `result` is the type of c and
   d: 0 f32, 1 f16, 2 f64, 3 s32. */
RAF_SIM_API void raf_sim_mma(raf_sim_thread *, const void *a, const void *b, const void *c, void *d, int32_t m, int32_t n,
                             int32_t k, int32_t type, int32_t result, int32_t site);
/* ldmatrix.m8n8.x<count>.b16: `row` is the address of this lane's row in shared memory; 4 * count bytes go to `out`. */
RAF_SIM_API void raf_sim_ldmatrix(raf_sim_thread *, void *row, int32_t count, int32_t transpose, void *out, int32_t site);

/* cp.async: the bytes arrive when the thread waits. The `bytes - read` last bytes become zero. */
RAF_SIM_API void raf_sim_async_copy(raf_sim_thread *, void *to, void *from, int32_t bytes, int32_t read, int32_t flags,
                                    int32_t site);
RAF_SIM_API void raf_sim_async_commit(raf_sim_thread *);
/* Waits until at most `pending` of the latest groups are under way. */
RAF_SIM_API void raf_sim_async_wait(raf_sim_thread *, int32_t pending);

/* fence.proxy.async for shared memory. */
RAF_SIM_API void raf_sim_proxy_fence(raf_sim_thread *);

enum raf_sim_wgmma_flags {
  RAF_SIM_WGMMA_ADD = 1, /* to what the registers hold */
  RAF_SIM_WGMMA_NEGATIVE_A = 2,
  RAF_SIM_WGMMA_NEGATIVE_B = 4,
  RAF_SIM_WGMMA_A_ALONG_ROWS = 8, /* instead of along the depth */
  RAF_SIM_WGMMA_B_ALONG_ROWS = 16
};
/* The address of the first byte of shared memory, for instructions that are given addresses. As on devices, it may begin where no pattern of a swizzle does. */
enum { RAF_SIM_SHARED_ADDRESS = 16 };
/* wgmma.mma_async.m64n<n> with 32 bytes of the depth and sums of f32. `registers`: the n / 2 sums of the thread, as the PTX
   manual lays them out; they hold nothing until the thread has waited. */
RAF_SIM_API void raf_sim_wgmma(raf_sim_thread *, uint64_t a, uint64_t b, float *registers, int32_t n, int32_t type, int32_t flags, int32_t site);
/* Before anything else reads or writes such registers. */
RAF_SIM_API void raf_sim_wgmma_registers(raf_sim_thread *, float *registers, int32_t site);
RAF_SIM_API void raf_sim_wgmma_fence(raf_sim_thread *);
RAF_SIM_API void raf_sim_wgmma_commit(raf_sim_thread *);
/* Waits until at most `pending` of the latest groups are under way. */
RAF_SIM_API void raf_sim_wgmma_wait(raf_sim_thread *, int32_t pending);

RAF_SIM_API void raf_sim_out_of_bounds(raf_sim_thread *, int64_t index, int64_t size, int32_t site);
/* Before an access to global or shared memory. `kind`: raf_sim_kind with flags. Counts the bytes. */
RAF_SIM_API void raf_sim_access(raf_sim_thread *, void *address, int64_t bytes, int32_t kind, int32_t site);

/* ---- beyond the driver ---- */

/* What ended the context, or else the first report since it was created ("" if there is none): what, kernel, source, thread. */
RAF_SIM_API const char *raf_sim_last_report(void);
/* The module (CUmodule) of the kernel whose fault that is; NULL for all other reports, and when it was unloaded since. */
RAF_SIM_API void *raf_sim_last_module(void);

/* What a launch moved in global memory, if its kernel was built with checks. What it has to move is what is distinct; what it
   moves, when a block finds again what it has loaded, is block_loaded and stored. */
typedef struct raf_sim_launch {
  const char *kernel; /* valid while its module is loaded */
  int32_t grid[3], block[3];
  int64_t loaded, stored;                   /* bytes of all accesses */
  int64_t distinct_loaded, distinct_stored; /* each byte once */
  int64_t block_loaded;                     /* each byte once in every block that loads it */
} raf_sim_launch;
/* Begins (1) or ends (0) a record of the launches; beginning clears it. For the context that exists, whatever the thread. */
RAF_SIM_API void raf_sim_record_launches(int32_t on);
/* Copies up to `capacity` of the recorded launches, and returns how many there are. Call it after synchronizing. */
RAF_SIM_API int64_t raf_sim_launches(raf_sim_launch *out, int64_t capacity);

/* For the stand-ins of libraries: a piece of work in the order of the stream, or a node of the graph that the stream is
   captured into (then `work` can run many times). `release`, if any, is called once, after the last time.
   Returns a CUresult. */
RAF_SIM_API int32_t raf_sim_enqueue(void *stream, const char *name, void (*work)(void *), void *data, void (*release)(void *));
/* Within such work: the host's address of device memory after the checks of `kind` (a raf_sim_kind with flags), or NULL
   after a report. Stores count as initialized from here on. */
RAF_SIM_API void *raf_sim_memory(uint64_t address, int64_t bytes, int32_t kind, const char *what);
/* Within such work: reports a failure of its own. */
RAF_SIM_API void raf_sim_fail(const char *message);
/* At any time: whether [address, address + bytes) lies inside one live allocation. */
RAF_SIM_API int32_t raf_sim_is_device_memory(uint64_t address, int64_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* RAF_CUDA_SIM_H */
