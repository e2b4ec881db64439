// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the simulator implements of the driver's C interface: handles, and the numbers of errors, attributes and flags.
#ifndef RUNTIME_CUDA_SIM_CUDA_H
#define RUNTIME_CUDA_SIM_CUDA_H

#include <cstddef>
#include <cstdint>

namespace raf::sim {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = uint64_t;
using CUcontext = struct Context *;
using CUmodule = struct Module *;
using CUfunction = struct Function *;
using CUstream = struct Stream *;
using CUevent = struct Event *;
using CUgraph = struct Graph *;
using CUgraphExec = struct GraphExec *;

constexpr CUresult CUDA_SUCCESS = 0;
constexpr CUresult CUDA_ERROR_INVALID_VALUE = 1;
constexpr CUresult CUDA_ERROR_OUT_OF_MEMORY = 2;
constexpr CUresult CUDA_ERROR_NOT_INITIALIZED = 3;
constexpr CUresult CUDA_ERROR_INVALID_DEVICE = 101;
constexpr CUresult CUDA_ERROR_INVALID_IMAGE = 200;
constexpr CUresult CUDA_ERROR_INVALID_CONTEXT = 201;
constexpr CUresult CUDA_ERROR_INVALID_HANDLE = 400;
constexpr CUresult CUDA_ERROR_NOT_FOUND = 500;
constexpr CUresult CUDA_ERROR_NOT_READY = 600;
constexpr CUresult CUDA_ERROR_ILLEGAL_ADDRESS = 700;
constexpr CUresult CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701;
constexpr CUresult CUDA_ERROR_MISALIGNED_ADDRESS = 716;
constexpr CUresult CUDA_ERROR_LAUNCH_FAILED = 719;
constexpr CUresult CUDA_ERROR_NOT_SUPPORTED = 801;
constexpr CUresult CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900;
constexpr CUresult CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901;
constexpr CUresult CUDA_ERROR_STREAM_CAPTURE_UNMATCHED = 903;
constexpr CUresult CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904;
constexpr CUresult CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905;

constexpr CUresult CUDA_ERROR_CAPTURED_EVENT = 907;

constexpr int kDriverVersion = 13000;

} // namespace raf::sim

/// The entry points have C linkage and plain types.
#define RAF_SIM_ENTRY extern "C" __attribute__((visibility("default")))

#endif // RUNTIME_CUDA_SIM_CUDA_H
