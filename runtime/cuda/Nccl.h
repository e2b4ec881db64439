// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime uses of NCCL 2; see Api.h.
#ifndef RAF_RUNTIME_CUDA_NCCL_H
#define RAF_RUNTIME_CUDA_NCCL_H

#include "cuda/Api.h"

namespace raf::rt::cuda {

using ncclComm_t = struct NcclComm *;

struct ncclUniqueId {
  char internal[128];
};

enum ncclResult_t : int {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7,
};

enum ncclDataType_t : int {
  ncclInt8 = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclFloat16 = 6,
  ncclFloat32 = 7,
  ncclFloat64 = 8,
  ncclBfloat16 = 9,
};

enum ncclRedOp_t : int { ncclSum = 0, ncclProd = 1, ncclMax = 2, ncclMin = 3, ncclAvg = 4 };

// X(name of the entry point, its parameters); all return an ncclResult_t.
#define RAF_NCCL(X)                                                                                                            \
  X(ncclGetUniqueId, (ncclUniqueId * id))                                                                                      \
  X(ncclCommInitRank, (ncclComm_t * comm, int ranks, ncclUniqueId id, int rank))                                               \
  X(ncclCommDestroy, (ncclComm_t comm))                                                                                        \
  X(ncclCommAbort, (ncclComm_t comm))                                                                                          \
  X(ncclCommGetAsyncError, (ncclComm_t comm, ncclResult_t * state))                                                            \
  X(ncclGroupStart, ())                                                                                                        \
  X(ncclGroupEnd, ())                                                                                                          \
  X(ncclAllReduce, (const void *send, void *receive, std::size_t count, ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,  \
                    CUstream stream))                                                                                          \
  X(ncclAllGather, (const void *send, void *receive, std::size_t count, ncclDataType_t type, ncclComm_t comm, CUstream stream)) \
  X(ncclReduceScatter, (const void *send, void *receive, std::size_t count, ncclDataType_t type, ncclRedOp_t op,               \
                        ncclComm_t comm, CUstream stream))                                                                     \
  X(ncclBroadcast, (const void *send, void *receive, std::size_t count, ncclDataType_t type, int root, ncclComm_t comm,        \
                    CUstream stream))                                                                                          \
  X(ncclSend, (const void *send, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm, CUstream stream))          \
  X(ncclRecv, (void *receive, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm, CUstream stream))

struct Nccl {
#define RAF_DECLARE(name, parameters) ncclResult_t(*name) parameters = nullptr;
  RAF_NCCL(RAF_DECLARE)
#undef RAF_DECLARE
};

} // namespace raf::rt::cuda

#endif
