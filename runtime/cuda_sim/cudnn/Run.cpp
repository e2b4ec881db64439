// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The execution of an operation: plain loops in f64, in the order of the stream. What its engine says of its numerics is so.
#include "cuda_sim/cudnn/Backend.h"

#include <algorithm>
#include <atomic>

using namespace raf::sim;
using namespace raf::sim::dnn;

namespace {

struct Work {
  std::shared_ptr<const Operation> operation;
  Engine engine;
  Memory memory;
  std::uint64_t workspace;
};

/// Calls body(index in memory, index in row-major order).
template <class Body> void eachElement(const Tensor &tensor, Body body) {
  std::vector<std::int64_t> at(tensor.dims.size(), 0);
  std::int64_t offset = 0;
  for (std::int64_t dense = 0, count = tensor.elements(); dense < count; ++dense) {
    body(offset, dense);
    for (std::size_t i = at.size(); i-- > 0;) {
      offset += tensor.strides[i];
      if (++at[i] < tensor.dims[i])
        break;
      offset -= tensor.strides[i] * tensor.dims[i];
      at[i] = 0;
    }
  }
}

/// What the engine's numerics make of a result.
void distort(const Engine &engine, std::vector<double> &values) {
  static std::atomic<int> runs{0};
  if (engine.kind == Engine::Kind::Coarse)
    for (double &value : values)
      value = fromBf16(toBf16(static_cast<float>(value)));
  if (engine.kind == Engine::Kind::Varying) {
    double factor = 1 + std::ldexp(1.0, -16) * (++runs % 2);
    for (double &value : values)
      value *= factor;
  }
}

void run(void *data) {
  const Work &work = *static_cast<Work *>(data);
  const Operation &operation = *work.operation;
  std::string name = operation.name(), resultName = "the result of " + name, workspaceName = "the workspace of " + name;
  try {
    std::vector<std::vector<double>> results = operation.compute(work.memory);
    std::int64_t at = 0;
    for (std::size_t k = 0; k < results.size(); ++k) {
      std::vector<double> &result = results[k];
      distort(work.engine, result);
      if (work.engine.workspace) {
        // An engine with a workspace leaves its sums there, as f32.
        char *memory = range(work.workspace + at, result.size() * 4, RAF_SIM_STORE, workspaceName.c_str());
        at += result.size() * 4;
        for (std::size_t i = 0; i < result.size(); ++i) {
          writeElement(memory, Element::F32, i, result[i]);
          result[i] = readElement(memory, Element::F32, i);
        }
      }
    }
    for (std::size_t k = 0; k < results.size(); ++k) {
      const Tensor &tensor = operation.outputs[k];
      std::uint64_t address = work.memory.addresses.at(tensor.id);
      std::int64_t bytes = tensor.span() * bytesOf(tensor.type);
      const char *old = operation.beta != 0 ? range(address, bytes, RAF_SIM_LOAD, resultName.c_str()) : nullptr;
      char *memory = range(address, bytes, RAF_SIM_STORE, resultName.c_str());
      eachElement(tensor, [&](std::int64_t to, std::int64_t from) {
        double value = operation.alpha * results[k][from] + (old ? operation.beta * readElement(old, tensor.type, to) : 0);
        writeElement(memory, tensor.type, to, value);
      });
    }
  } catch (const Stop &) {
    // The simulator has the report.
  } catch (const std::bad_alloc &) {
    Simulator::get().fail("cudnnBackendExecute: no memory on the host");
  }
}

void release(void *data) { delete static_cast<Work *>(data); }

} // namespace

std::int64_t Tensor::elements() const {
  std::int64_t count = 1;
  for (std::int64_t dim : dims)
    count *= dim;
  return count;
}

std::int64_t Tensor::span() const {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < dims.size(); ++i)
    last += (dims[i] - 1) * strides[i];
  return last + 1;
}

bool Tensor::packed(bool channelsLast) const {
  std::int64_t expected = 1;
  auto fits = [&](std::size_t i) {
    bool good = dims[i] == 1 || strides[i] == expected;
    expected *= dims[i];
    return good;
  };
  bool all = !channelsLast || fits(1);
  for (std::size_t i = dims.size(); i-- > 0;)
    if (!channelsLast || i != 1)
      all = fits(i) && all;
  return all;
}

std::vector<double> Memory::load(const Tensor &tensor, const char *what) const {
  const char *memory = range(addresses.at(tensor.id), tensor.span() * bytesOf(tensor.type), RAF_SIM_LOAD, what);
  std::vector<double> result(tensor.elements());
  eachElement(tensor, [&](std::int64_t from, std::int64_t to) {
    double value = readElement(memory, tensor.type, from);
    result[to] = tf32 && tensor.type == Element::F32 ? toTf32(static_cast<float>(value)) : value;
  });
  return result;
}

double Memory::number(const Tensor &tensor) const {
  auto found = numbers.find(tensor.id);
  return found != numbers.end() ? found->second : load(tensor, "a number of cuDNN").front();
}

bool raf::sim::dnn::enqueue(CUstream stream, std::shared_ptr<const Operation> operation, const Engine &engine, Memory memory, std::uint64_t workspace) {
  memory.tf32 = engine.kind == Engine::Kind::Rounding && operation->multiplies();
  auto work = std::make_unique<Work>(Work{std::move(operation), engine, std::move(memory), workspace});
  return Simulator::get().enqueue(stream, "cudnnBackendExecute", run, work.release(), release) == CUDA_SUCCESS;
}
