// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The descriptors of the stand-in for cuDNN's graph interface. Written from the library's documentation, apart from the
// runtime's own checks: where the two differ a test fails.
#ifndef RAF_RUNTIME_CUDA_SIM_CUDNN_BACKEND_H
#define RAF_RUNTIME_CUDA_SIM_CUDNN_BACKEND_H

#include "cuda/Cudnn.h"
#include "cuda_sim/Library.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace raf::rt::cuda {
struct DnnContext {
  CUstream stream = nullptr;
};
} // namespace raf::rt::cuda

namespace raf::sim::dnn {

using namespace raf::rt::cuda;

/// A tensor of rank 4 or 5 as rank 5: [n, c, depth, height, width], or [k, c, ...] for a filter.
struct Tensor {
  Element type;
  std::int64_t id, alignment;
  std::int64_t dims[5], strides[5];

  std::int64_t elements() const { return dims[0] * dims[1] * dims[2] * dims[3] * dims[4]; }
};

enum class Direction { Forward, Data, Filter };

/// One convolution whose descriptors fit together.
struct Problem {
  Direction direction;
  Tensor x, w, y;
  std::int64_t stride[3], dilation[3], padding[3];
  float alpha, beta;
  bool samePadding = true; // before and after

  const Tensor &result() const { return direction == Direction::Forward ? y : direction == Direction::Data ? x : w; }
};

struct Attribute {
  cudnnBackendAttributeType_t type;
  std::int64_t count;
  std::vector<char> bytes;

  template <class T> const T *as() const { return reinterpret_cast<const T *>(bytes.data()); }
};

struct Descriptor {
  cudnnBackendDescriptorType_t type;
  bool final = false;
  std::map<int, Attribute> attributes;
  // Of operations, graphs, engines and plans: what they are about. Of engines and plans: the bytes that they work in.
  Problem problem{};
  std::int64_t workspace = 0;
};

/// Runs the problem in the order of the stream; false if the simulator does not take it.
bool enqueue(CUstream stream, const Problem &problem, std::uint64_t x, std::uint64_t w, std::uint64_t y, std::uint64_t workspace,
             std::int64_t workspaceBytes);

} // namespace raf::sim::dnn

#endif
