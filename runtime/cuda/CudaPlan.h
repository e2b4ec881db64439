// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans for CUDA's libraries. What a plan needs is known without them, so that programs can be compiled anywhere; the plan
// itself is made on a device.
#ifndef RAF_RUNTIME_CUDA_CUDAPLAN_H
#define RAF_RUNTIME_CUDA_CUDAPLAN_H

#include "core/Context.h"
#include "raf_cuda_plans.h"

#include <memory>
#include <string>
#include <vector>

namespace raf::rt::cuda {

class Device;

/// A checked request.
class Request {
public:
  virtual ~Request() = default;
  /// Of every buffer but the workspace, in order.
  virtual std::vector<int64_t> bufferBytes() const = 0;
  /// What the library can make use of.
  virtual int64_t workspaceBytes() const = 0;
  /// `workspace`: the bytes that the plan will be given.
  virtual std::unique_ptr<Plan> build(raf_rt_context *ctx, Device &device, int64_t workspace) const = 0;
};

/// Decodes and checks. Throws Error: RAF_RT_INVALID for words that mean nothing, RAF_RT_UNSUPPORTED for what the library does
/// not do. `planned` is the workspace word, -1 if the caller passes what is recommended.
std::unique_ptr<Request> readRequest(int64_t kind, const int64_t *words, int64_t count, int64_t &planned);

// One function a kind, in the file of its name.
std::unique_ptr<Request> checkMatmul(plan::CublasMatmul request);
std::unique_ptr<Request> checkConvolution(plan::CudnnConvolution request, plan::CudaKind kind);
std::unique_ptr<Request> checkBatchNorm(plan::CudnnBatchNorm request, plan::CudaKind kind);
std::unique_ptr<Request> checkPooling(plan::Pooling request, plan::CudaKind kind);
std::unique_ptr<Request> checkAttention(plan::CudnnAttention request, plan::CudaKind kind);
std::unique_ptr<Request> checkCollective(plan::Collective request);

/// Bytes from the first to behind the last element.
int64_t spanBytes(const plan::Tensor &tensor);
int64_t elementBytes(plan::Type type);
const char *typeName(plan::Type type);

} // namespace raf::rt::cuda

#endif
