// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime uses of cuBLASLt 13; see Api.h.
#ifndef RAF_RUNTIME_CUDA_CUBLASLT_H
#define RAF_RUNTIME_CUDA_CUBLASLT_H

#include "cuda/Api.h"

namespace raf::rt::cuda {

using cublasLtHandle_t = struct LtContext *;
using cublasLtMatmulDesc_t = struct LtMatmulDesc *;
using cublasLtMatrixLayout_t = struct LtMatrixLayout *;
using cublasLtMatmulPreference_t = struct LtMatmulPreference *;

enum cublasStatus_t : int {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
};

enum cudaDataType_t : int { CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_R_16BF = 14, CUDA_R_8F_E4M3 = 28, CUDA_R_8F_E5M2 = 29 };

enum cublasComputeType_t : int { CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_64F = 70, CUBLAS_COMPUTE_32F_FAST_TF32 = 77 };

enum cublasOperation_t : int { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1 };

enum cublasLtMatmulDescAttributes_t : int {
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,
  CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
  CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
  CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26,
};

enum cublasLtMatrixLayoutAttribute_t : int {
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,
};

enum cublasLtMatmulPreferenceAttributes_t : int {
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
};

enum cublasLtEpilogue_t : int {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_BIAS = 36,
  CUBLASLT_EPILOGUE_RELU_AUX = 130,
  CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 134,
  CUBLASLT_EPILOGUE_DRELU = 136,
  CUBLASLT_EPILOGUE_DRELU_BGRAD = 152,
  CUBLASLT_EPILOGUE_GELU_AUX = 160,
  CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
  CUBLASLT_EPILOGUE_DGELU = 192,
  CUBLASLT_EPILOGUE_DGELU_BGRAD = 208,
  CUBLASLT_EPILOGUE_BGRADA = 256,
  CUBLASLT_EPILOGUE_BGRADB = 512,
};

struct cublasLtMatmulAlgo_t {
  std::uint64_t data[8];
};

struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
  std::size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
};

// X(name of the entry point, its parameters); all return a cublasStatus_t.
#define RAF_CUBLASLT(X)                                                                                                        \
  X(cublasLtCreate, (cublasLtHandle_t * handle))                                                                               \
  X(cublasLtDestroy, (cublasLtHandle_t handle))                                                                                \
  X(cublasLtMatmulDescCreate, (cublasLtMatmulDesc_t * desc, cublasComputeType_t compute, cudaDataType_t scale))                \
  X(cublasLtMatmulDescDestroy, (cublasLtMatmulDesc_t desc))                                                                    \
  X(cublasLtMatmulDescSetAttribute,                                                                                            \
    (cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attribute, const void *value, std::size_t bytes))               \
  X(cublasLtMatrixLayoutCreate,                                                                                                \
    (cublasLtMatrixLayout_t * layout, cudaDataType_t type, std::uint64_t rows, std::uint64_t columns, std::int64_t ld))        \
  X(cublasLtMatrixLayoutDestroy, (cublasLtMatrixLayout_t layout))                                                              \
  X(cublasLtMatrixLayoutSetAttribute,                                                                                          \
    (cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute, const void *value, std::size_t bytes))          \
  X(cublasLtMatmulPreferenceCreate, (cublasLtMatmulPreference_t * preference))                                                 \
  X(cublasLtMatmulPreferenceDestroy, (cublasLtMatmulPreference_t preference))                                                  \
  X(cublasLtMatmulPreferenceSetAttribute, (cublasLtMatmulPreference_t preference,                                              \
                                           cublasLtMatmulPreferenceAttributes_t attribute, const void *value,                  \
                                           std::size_t bytes))                                                                 \
  X(cublasLtMatmulAlgoGetHeuristic,                                                                                            \
    (cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,                   \
     cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t preference, int requested,                 \
     cublasLtMatmulHeuristicResult_t *results, int *returned))                                                                 \
  X(cublasLtMatmulAlgoCheck,                                                                                                   \
    (cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,                   \
     cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t *algo,                                     \
     cublasLtMatmulHeuristicResult_t *result))                                                                                 \
  X(cublasLtMatmul,                                                                                                            \
    (cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha, const void *a, cublasLtMatrixLayout_t aLayout,     \
     const void *b, cublasLtMatrixLayout_t bLayout, const void *beta, const void *c, cublasLtMatrixLayout_t cLayout, void *d,  \
     cublasLtMatrixLayout_t dLayout, const cublasLtMatmulAlgo_t *algo, void *workspace, std::size_t workspaceBytes,            \
     CUstream stream))

struct CublasLt {
#define RAF_DECLARE(name, parameters) cublasStatus_t(*name) parameters = nullptr;
  RAF_CUBLASLT(RAF_DECLARE)
#undef RAF_DECLARE
};

} // namespace raf::rt::cuda

#endif
