// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects of the stand-in for cuBLASLt, and the rules that a product must keep. Written from the library's
// documentation, apart from the runtime's own checks: where the two differ a test fails.
#ifndef RAF_RUNTIME_CUDA_SIM_CUBLASLT_DESCRIPTORS_H
#define RAF_RUNTIME_CUDA_SIM_CUBLASLT_DESCRIPTORS_H

#include "cuda/CublasLt.h"

#include <string>

namespace raf::rt::cuda {

struct LtContext {
  int alive = 1;
};

struct LtMatmulDesc {
  cublasComputeType_t compute;
  cudaDataType_t scale;
  cublasOperation_t transA = CUBLAS_OP_N, transB = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  std::uint64_t bias = 0, aux = 0, scaleA = 0, scaleB = 0;
  std::int64_t auxLd = 0, auxBatchStride = 0;
  int biasType = -1; // that of D
};

struct LtMatrixLayout {
  cudaDataType_t type;
  std::uint64_t rows, columns;
  std::int64_t ld;
  std::int32_t batch = 1;
  std::int64_t stride = 0;
};

struct LtMatmulPreference {
  std::uint64_t workspace = 0;
  std::uint32_t alignA = 256, alignB = 256, alignC = 256, alignD = 256;
};

} // namespace raf::rt::cuda

namespace raf::sim::lt {

using namespace raf::rt::cuda;

/// A product whose descriptors fit together: D = epilogue(alpha op(A) op(B) + beta C), all stored by columns.
struct Product {
  LtMatmulDesc desc;
  LtMatrixLayout a, b, c, d;
  std::int64_t m, n, k;
};

/// What is wrong with the latest call of this thread, for people.
void complain(const std::string &text);

/// CUBLAS_STATUS_SUCCESS, or the status of the library with a complaint.
cublasStatus_t check(const LtMatmulDesc *desc, const LtMatrixLayout *a, const LtMatrixLayout *b, const LtMatrixLayout *c,
                     const LtMatrixLayout *d, Product &product);

inline bool isEight(int type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }
inline std::int64_t bytesOf(int type) { return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : isEight(type) ? 1 : 2; }
inline bool has(cublasLtEpilogue_t epilogue, int bit) { return (epilogue & bit) != 0; }
inline constexpr int kRelu = 2, kBias = 4, kDRelu = 8, kBiasOfD = 16, kGelu = 32, kDGelu = 64, kAux = 128, kBiasOfA = 256, kBiasOfB = 512;

} // namespace raf::sim::lt

#endif
