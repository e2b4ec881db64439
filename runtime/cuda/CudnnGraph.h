// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph of cuDNN as a plan: tensors, operations, the engines that the library proposes for them, and the first whose
// numerics are allowed and whose workspace fits.
#ifndef RAF_RUNTIME_CUDA_CUDNNGRAPH_H
#define RAF_RUNTIME_CUDA_CUDNNGRAPH_H

#include "cuda/CudaPlan.h"
#include "cuda/Cudnn.h"
#include "cuda/Device.h"

#include <functional>
#include <initializer_list>

namespace raf::rt::cuda {

/// The library, opened once a device.
struct CudnnLibrary {
  Cudnn api;
  cudnnHandle_t handle = nullptr;
  std::size_t version = 0;
  /// Only the stand-in has it: what it finds wrong, in words.
  const char *(*complaint)() = nullptr;

  explicit CudnnLibrary(Device &device);
  ~CudnnLibrary();
  void check(cudnnStatus_t status, const std::string &what) const;

  static std::shared_ptr<CudnnLibrary> of(Device &device);
};

class CudnnGraph : public Plan {
public:
  /// What engines may do to the results.
  struct Numerics {
    bool tf32 = false;
    bool nondeterministic = false;
  };

  CudnnGraph(raf_rt_context *ctx, Device &device, std::string description) : ctx(ctx), library(CudnnLibrary::of(device)), description(std::move(description)) {}
  ~CudnnGraph() override;

  /// Any descriptor; its attributes are set by `fill` and it is then final.
  cudnnBackendDescriptor_t make(cudnnBackendDescriptorType_t type, const std::function<void(cudnnBackendDescriptor_t)> &fill);
  /// What an operand is to the operation. Data in f32 forbids engines that round f32; numbers of a channel or a row, and sums, which
  /// are f32 beside data in 16 bits too, do not.
  enum class Use { Data, Statistic };
  /// A tensor whose address is the buffer of this number.
  cudnnBackendDescriptor_t tensor(const plan::Tensor &tensor, int64_t buffer, Use use = Use::Data);
  /// What one operation gives another, of f32: no memory is read or written for it.
  cudnnBackendDescriptor_t between(const plan::Tensor &like);
  /// y = function(x), or with an operand function(x, operand), which may be broadcast.
  cudnnBackendDescriptor_t pointwise(cudnnPointwiseMode_t function, cudnnBackendDescriptor_t x, cudnnBackendDescriptor_t operand, cudnnBackendDescriptor_t y);
  /// One number on the host.
  cudnnBackendDescriptor_t number(float value, size_t rank);
  cudnnBackendDescriptor_t number(std::int32_t value, size_t rank);
  /// Operations that another one applies to what it computes between.
  cudnnBackendDescriptor_t graph(const std::vector<cudnnBackendDescriptor_t> &operations);
  /// The number by which a graph knows the tensor made last.
  int64_t lastId() const { return static_cast<int64_t>(operands.size()); }
  /// That of the library, 91700 for 9.17.
  std::size_t version() const { return library->version; }

  void set(cudnnBackendDescriptor_t desc, cudnnBackendAttributeName_t name, cudnnBackendDescriptor_t value) { set(desc, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value); }
  void set(cudnnBackendDescriptor_t desc, cudnnBackendAttributeName_t name, int64_t value) { set(desc, name, CUDNN_TYPE_INT64, 1, &value); }
  void set(cudnnBackendDescriptor_t desc, cudnnBackendAttributeName_t name, const std::vector<int64_t> &values) { set(desc, name, CUDNN_TYPE_INT64, values.size(), values.data()); }
  void set(cudnnBackendDescriptor_t desc, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count, const void *elements);

  /// Ends the making: the graph of these operations, run by an engine with `workspace` bytes at most. Kind and words say which
  /// plan it is, for the cache.
  void plan(const std::vector<cudnnBackendDescriptor_t> &operations, int64_t workspaceBuffer, int64_t workspace, Numerics allowed, plan::CudaKind kind,
            std::vector<int64_t> words);

  const char *describe() const override { return description.c_str(); }
  void execute(void **buffers) override;

private:
  cudnnBackendDescriptor_t byValue(cudnnDataType_t type, std::int32_t bits, size_t rank);
  cudnnBackendDescriptor_t create(cudnnBackendDescriptorType_t type);
  std::vector<cudnnBackendDescriptor_t> engines(cudnnBackendDescriptor_t graph, cudnnBackendHeurMode_t mode);
  bool isAllowed(cudnnBackendDescriptor_t config, Numerics allowed, std::string &why);
  bool usable(cudnnBackendDescriptor_t config, int64_t workspace);
  bool fits(cudnnBackendDescriptor_t candidate, int64_t workspace);
  bool restore(const std::string &json, int64_t workspace);
  std::string json() const;
  void note(int64_t value);
  void note(cudnnBackendDescriptor_t desc, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count, const void *elements);
  /// Destroys the others from this number on.
  void keepOnly(size_t first, std::initializer_list<cudnnBackendDescriptor_t> kept);

  static constexpr int64_t kNumber = -1, kBetween = -2;
  struct Operand {
    int64_t buffer; // kNumber: the number, kBetween: none
    std::int32_t number; // its bits
  };

  raf_rt_context *ctx;
  std::shared_ptr<CudnnLibrary> library;
  std::string description;
  std::vector<cudnnBackendDescriptor_t> owned;
  std::vector<Operand> operands; // by id - 1
  bool exact = false;            // some data is f32
  std::string form;              // all that was set before a plan was chosen
  cudnnBackendDescriptor_t chosen = nullptr;
  int64_t workspaceBuffer = 0, needed = 0;
};

/// Dims and strides as the library counts them: lines become planes of height 1.
plan::Tensor asPlanes(plan::Tensor tensor);
std::vector<int64_t> asPlanes(std::vector<int64_t> window, int64_t neutral);

/// Whether all lie packed with channels first, or all with channels last.
bool haveOneLayout(std::initializer_list<const plan::Tensor *> tensors);

/// Whether each lies packed with channels last, of which there may be no telling: a plane of one element lies either way.
bool haveChannelsLast(std::initializer_list<const plan::Tensor *> tensors);

/// Room for each tensor in another layout, of f32: what engines are known to ask for.
int64_t copiesBytes(std::initializer_list<const plan::Tensor *> tensors);

} // namespace raf::rt::cuda

#endif
