// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RUNTIME_CUDA_SIM_API_H
#define RUNTIME_CUDA_SIM_API_H

#include "cuda_sim/Context.h"

namespace raf::sim {

/// Calls the body with the calling thread's context, or says that there is none.
CUresult withContext(const std::function<CUresult(Context &)> &body);

/// The name of an error, or a sentence about it.
CUresult describeError(CUresult error, const char **text, bool sentence);

} // namespace raf::sim

#endif // RUNTIME_CUDA_SIM_API_H
