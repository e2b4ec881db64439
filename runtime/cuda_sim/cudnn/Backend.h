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
#include <memory>
#include <string>
#include <vector>

namespace raf::rt::cuda {
struct DnnContext {
  CUstream stream = nullptr;
};
} // namespace raf::rt::cuda

namespace raf::sim::dnn {

using namespace raf::rt::cuda;

struct Tensor {
  Element type;
  std::int64_t id, alignment;
  bool byValue = false;
  bool isVirtual = false; // between two operations of a graph, without memory
  std::vector<std::int64_t> dims, strides;

  std::int64_t elements() const;
  /// Elements from the first to behind the last.
  std::int64_t span() const;
  /// Packed, with the channels in dimension 1 or last in memory.
  bool packed(bool channelsLast) const;
};

/// Where tensors are while an operation runs.
struct Memory {
  std::map<std::int64_t, std::uint64_t> addresses;
  std::map<std::int64_t, double> numbers; // those by value
  bool tf32 = false;                     // operands are rounded on the way in

  /// The elements in row-major order.
  std::vector<double> load(const Tensor &tensor, const char *what) const;
  double number(const Tensor &tensor) const;
};

/// What an engine does, and says of itself.
struct Engine {
  enum class Kind { Rounding, Varying, Coarse, WithWorkspace, Plain } kind;
  std::vector<int> notes;
  std::int64_t workspace = 0;
};

/// An operation whose descriptors fit together.
class Operation {
public:
  virtual ~Operation() = default;
  std::vector<Tensor> inputs, outputs;
  std::string recipe; // to make it again
  float alpha = 1, beta = 0;

  /// Of products, which tensor cores round.
  virtual bool multiplies() const { return true; }
  virtual const char *name() const = 0;
  /// Why no engine takes it, or nothing.
  virtual std::string refusal() const { return {}; }
  /// The outputs in row-major order.
  virtual std::vector<std::vector<double>> compute(const Memory &memory) const = 0;
  /// Why no engine takes it together with pointwise operations on its result, or, as `converts` says, with just a conversion of it; or nothing.
  virtual std::string fusionRefusal([[maybe_unused]] bool converts) const { return std::string(name()) + " with operations after it"; }
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
  Tensor tensor;                              // of a tensor
  std::shared_ptr<Operation> operation;       // of operations, graphs, heuristics, engines and plans
  std::string flaw;                           // of graphs: why it is none that can be executed, although another one may hold it
  Engine engine;                              // of engines, their configurations and plans

  bool has(int name) const { return attributes.count(name) != 0; }
  const Attribute &attribute(int name) const { return attributes.at(name); }
  std::int64_t number(int name) const { return *attribute(name).as<std::int64_t>(); }
  int choice(int name) const { return *attribute(name).as<int>(); }
  std::vector<std::int64_t> numbers(int name) const;
  /// The descriptor that an attribute holds, if it is one of this type and final.
  Descriptor *held(int name, cudnnBackendDescriptorType_t type) const;
};

/// The statuses of the library, with a complaint for people.
cudnnStatus_t wrong(const std::string &text);
cudnnStatus_t unsupported(const std::string &text);

/// Collects the tensors of an operation from its attributes.
class Reader {
public:
  explicit Reader(const Descriptor &desc) : desc(desc) {}
  /// Copies the tensor of an attribute; the first failure is the status.
  Reader &tensor(int name, Tensor &tensor, bool optional = false);
  cudnnStatus_t status() const { return result; }

private:
  const Descriptor &desc;
  cudnnStatus_t result = CUDNN_STATUS_SUCCESS;
};

// One function a family, in the file of its name: checks a descriptor and gives it its operation.
cudnnStatus_t finalizeWindow(const Descriptor &desc);
cudnnStatus_t finalizeConvolution(Descriptor &desc);
cudnnStatus_t finalizeNorm(Descriptor &desc);
cudnnStatus_t finalizeResample(const Descriptor &desc);
cudnnStatus_t finalizePool(Descriptor &desc);
cudnnStatus_t finalizeAttention(Descriptor &desc);
cudnnStatus_t finalizePointwise(const Descriptor &desc);
cudnnStatus_t finalizePointwiseOperation(Descriptor &desc);
cudnnStatus_t finalizeBandMask(Descriptor &desc);
/// What a graph within an operation does to a value.
class Modifier {
public:
  virtual ~Modifier() = default;
  /// All elements in row-major order.
  virtual std::vector<double> apply(std::vector<double> values, const Memory &memory) const = 0;
};
/// Those of a graph whose operations lead from one virtual tensor to another, of these dimensions; `operands` grows by what they read.
cudnnStatus_t readModifiers(const Descriptor &graph, std::int64_t input, std::int64_t output, const std::vector<std::int64_t> &dims,
                            std::vector<std::shared_ptr<Modifier>> &modifiers, std::vector<Tensor> &operands);
/// A graph of an operation and a chain of pointwise ones after it.
cudnnStatus_t finalizeChain(Descriptor &graph, const std::vector<Descriptor *> &operations);

cudnnStatus_t finalize(Descriptor &desc);
/// Fastest first, as the library has it: those that are not exact come before those that are.
std::vector<Engine> enginesOf(const Operation &operation);

/// The text from which an operation is made again.
std::string recipe(const Descriptor &operation);
/// A plan as text, and from it.
std::string serialize(const Descriptor &plan);
bool restore(const std::string &text, Descriptor &plan);

/// Runs the operation in the order of the stream; false if the simulator does not take it.
bool enqueue(CUstream stream, std::shared_ptr<const Operation> operation, const Engine &engine, Memory memory, std::uint64_t workspace);

} // namespace raf::sim::dnn

#endif
