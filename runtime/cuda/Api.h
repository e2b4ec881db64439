// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime uses of the CUDA driver, declared here so that no CUDA is needed to build. Types and values are those of
// the driver's binary interface; test/runtime/cuda compares them with the real headers where those are installed.
#ifndef RAF_RUNTIME_CUDA_API_H
#define RAF_RUNTIME_CUDA_API_H

#include <cstddef>
#include <cstdint>

namespace raf::rt::cuda {

using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct Context *;
using CUmodule = struct Module *;
using CUfunction = struct Function *;
using CUstream = struct Stream *;
using CUevent = struct Event *;
using CUgraph = struct Graph *;
using CUgraphExec = struct GraphExec *;
using CUhostFn = void (*)(void *);

enum CUresult : int {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_STUB_LIBRARY = 34,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_ECC_UNCORRECTABLE = 214,
  CUDA_ERROR_INVALID_PTX = 218,
  CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221,
  CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_TIMEOUT = 702,
  CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
};

enum CUdevice_attribute : int {
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
};

enum CUpointer_attribute : int {
  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
  CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
  CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12,
};

enum CUfunction_attribute : int { CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8 };

enum CUjit_option : int { CU_JIT_ERROR_LOG_BUFFER = 5, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6 };

enum CUstreamCaptureMode : int { CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1 };

constexpr unsigned CU_STREAM_NON_BLOCKING = 1;
constexpr unsigned CU_EVENT_DEFAULT = 0;
constexpr unsigned CU_EVENT_DISABLE_TIMING = 2;

// X(name of the entry point, its parameters); all return a CUresult.
#define RAF_CUDA_DRIVER(X)                                                                                                     \
  X(cuInit, (unsigned flags))                                                                                                  \
  X(cuDriverGetVersion, (int *version))                                                                                        \
  X(cuGetErrorName, (CUresult error, const char **text))                                                                       \
  X(cuGetErrorString, (CUresult error, const char **text))                                                                     \
  X(cuDeviceGetCount, (int *count))                                                                                            \
  X(cuDeviceGet, (CUdevice *device, int ordinal))                                                                              \
  X(cuDeviceGetName, (char *name, int length, CUdevice device))                                                                \
  X(cuDeviceTotalMem_v2, (std::size_t * bytes, CUdevice device))                                                               \
  X(cuDeviceGetAttribute, (int *value, CUdevice_attribute attribute, CUdevice device))                                         \
  X(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))                                                          \
  X(cuDevicePrimaryCtxRelease_v2, (CUdevice device))                                                                           \
  X(cuDevicePrimaryCtxReset_v2, (CUdevice device))                                                                             \
  X(cuCtxSetCurrent, (CUcontext context))                                                                                      \
  X(cuMemGetInfo_v2, (std::size_t * free, std::size_t *total))                                                                 \
  X(cuMemAlloc_v2, (CUdeviceptr * address, std::size_t bytes))                                                                 \
  X(cuMemFree_v2, (CUdeviceptr address))                                                                                       \
  X(cuMemHostAlloc, (void **address, std::size_t bytes, unsigned flags))                                                       \
  X(cuMemFreeHost, (void *address))                                                                                            \
  X(cuPointerGetAttribute, (void *value, CUpointer_attribute attribute, CUdeviceptr address))                                  \
  X(cuMemcpyHtoDAsync_v2, (CUdeviceptr target, const void *source, std::size_t bytes, CUstream stream))                        \
  X(cuMemcpyDtoHAsync_v2, (void *target, CUdeviceptr source, std::size_t bytes, CUstream stream))                              \
  X(cuMemcpyDtoDAsync_v2, (CUdeviceptr target, CUdeviceptr source, std::size_t bytes, CUstream stream))                        \
  X(cuMemsetD8Async, (CUdeviceptr target, unsigned char value, std::size_t bytes, CUstream stream))                            \
  X(cuStreamCreate, (CUstream * stream, unsigned flags))                                                                       \
  X(cuStreamDestroy_v2, (CUstream stream))                                                                                     \
  X(cuStreamSynchronize, (CUstream stream))                                                                                    \
  X(cuStreamQuery, (CUstream stream))                                                                                          \
  X(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags))                                                       \
  X(cuStreamBeginCapture_v2, (CUstream stream, CUstreamCaptureMode mode))                                                      \
  X(cuStreamEndCapture, (CUstream stream, CUgraph *graph))                                                                     \
  X(cuEventCreate, (CUevent * event, unsigned flags))                                                                          \
  X(cuEventDestroy_v2, (CUevent event))                                                                                        \
  X(cuEventRecord, (CUevent event, CUstream stream))                                                                           \
  X(cuEventSynchronize, (CUevent event))                                                                                       \
  X(cuEventQuery, (CUevent event))                                                                                             \
  X(cuEventElapsedTime, (float *milliseconds, CUevent start, CUevent end))                                                     \
  X(cuModuleLoadDataEx, (CUmodule * module, const void *image, unsigned count, CUjit_option *options, void **values))          \
  X(cuModuleUnload, (CUmodule module))                                                                                         \
  X(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name))                                           \
  X(cuFuncSetAttribute, (CUfunction function, CUfunction_attribute attribute, int value))                                      \
  X(cuLaunchKernel, (CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,    \
                     unsigned blockZ, unsigned sharedBytes, CUstream stream, void **params, void **extra))                     \
  X(cuGraphInstantiateWithFlags, (CUgraphExec * exec, CUgraph graph, unsigned long long flags))                                \
  X(cuGraphDestroy, (CUgraph graph))                                                                                           \
  X(cuGraphExecDestroy, (CUgraphExec exec))                                                                                    \
  X(cuGraphLaunch, (CUgraphExec exec, CUstream stream))

/// The driver's entry points, as members of these names.
struct Driver {
#define RAF_DECLARE(name, parameters) CUresult(*name) parameters = nullptr;
  RAF_CUDA_DRIVER(RAF_DECLARE)
#undef RAF_DECLARE
  /// Of CUDA 12.4 and later; may be null. Fails for a number that no parameter has.
  CUresult (*cuFuncGetParamInfo)(CUfunction function, std::size_t index, std::size_t *offset, std::size_t *bytes) = nullptr;
  /// Only the stand-in has it: the text of its latest report, or "".
  const char *(*raf_sim_last_report)() = nullptr;
  /// As well: the module of the kernel that the report is about; null if it is about something else.
  CUmodule (*raf_sim_last_module)() = nullptr;
};

} // namespace raf::rt::cuda

#endif
