/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Executables: object files of generated code with what is known about them, linked and ready to run. The rules of
 * raf_runtime.h hold; every message is in raf_rt_last_error(NULL).
 */
#ifndef RAF_EXECUTABLE_H
#define RAF_EXECUTABLE_H

#include "raf_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct raf_rt_executable raf_rt_executable;

typedef struct raf_rt_bytes {
  const void *data;
  int64_t size;
} raf_rt_bytes;

/* An argument of the step or a result of its own. */
typedef struct raf_rt_buffer {
  const char *name; /* for messages */
  int64_t bytes;
  int64_t alignment; /* of its address */
  int64_t written;   /* not 0: the step writes it, so it may not overlap another */
} raf_rt_buffer;

/* What an executable consists of; everything is copied where it must last. */
typedef struct raf_rt_program {
  int64_t abi_version;         /* RAF_RT_ABI_VERSION of the compiler's runtime */
  const char *triple;          /* the machine of the objects, as LLVM names it */
  const char *const *features; /* of its CPU, by LLVM's names */
  int64_t num_features;
  const raf_rt_bytes *objects; /* ELF; they define raf_init and raf_run */
  int64_t num_objects;
  const char *device;         /* NULL: the CPU; otherwise "cuda" or "cuda-sim" (raf_rt_cuda_open): then all addresses are the device's */
  const raf_rt_bytes *images; /* kernels of the device */
  int64_t num_images;
  const raf_rt_buffer *buffers;
  int64_t num_buffers;
  int64_t arena_bytes;
  int64_t num_threads; /* 0: as many as the process's steps use */
} raf_rt_program;

/* Links the objects, makes the library plans and the arena. Refuses what is of another version, for another machine, or
   damaged. NULL in *out after a failure. */
RAF_RT_API int64_t raf_rt_executable_load(const raf_rt_program *program, raf_rt_executable **out);
/* NULL is allowed. No other call may be using it. */
RAF_RT_API void raf_rt_executable_destroy(raf_rt_executable *executable);

/* Says where a buffer is. The memory must outlive every run. */
RAF_RT_API int64_t raf_rt_executable_bind(raf_rt_executable *executable, int64_t index, uintptr_t address);
/* One step. Calls from several threads run one after the other. */
RAF_RT_API int64_t raf_rt_executable_run(raf_rt_executable *executable);

RAF_RT_API raf_rt_context *raf_rt_executable_context(raf_rt_executable *executable);
RAF_RT_API void *raf_rt_executable_arena(raf_rt_executable *executable);

/* The triple of this process, and the features of its CPU by LLVM's names, separated by commas. Valid for ever. */
RAF_RT_API const char *raf_rt_host_triple(void);
RAF_RT_API const char *raf_rt_host_features(void);

#ifdef __cplusplus
}
#endif

#endif
