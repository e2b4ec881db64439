// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_sim/Cuda.h"
#include "cuda_sim/raf_cuda_sim.h"

using namespace raf::sim;

RAF_SIM_ENTRY CUresult cuInit(unsigned flags) { return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }

RAF_SIM_ENTRY CUresult cuDriverGetVersion(int *version) {
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = kDriverVersion;
  return CUDA_SUCCESS;
}
