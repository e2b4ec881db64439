// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolution and its gradients: plain loops in f64, in the order of the stream.
#include "cuda_sim/cudnn/Backend.h"

#include <memory>

using namespace raf::sim;
using namespace raf::sim::dnn;

namespace {

struct Work {
  Problem problem;
  std::uint64_t x, w, y, workspace;
  std::int64_t workspaceBytes;
};

/// Calls body(index in memory, index in row-major order).
template <class Body> void eachElement(const Tensor &tensor, Body body) {
  const std::int64_t *d = tensor.dims, *s = tensor.strides;
  std::int64_t dense = 0;
  for (std::int64_t i = 0; i < d[0]; ++i)
    for (std::int64_t j = 0; j < d[1]; ++j)
      for (std::int64_t k = 0; k < d[2]; ++k)
        for (std::int64_t l = 0; l < d[3]; ++l)
          for (std::int64_t m = 0; m < d[4]; ++m)
            body(i * s[0] + j * s[1] + k * s[2] + l * s[3] + m * s[4], dense++);
}

/// Tensors are packed, so their memory is one range.
std::vector<double> load(std::uint64_t address, const Tensor &tensor, const char *what) {
  const char *memory = range(address, tensor.elements() * bytesOf(tensor.type), RAF_SIM_LOAD, what);
  std::vector<double> result(tensor.elements());
  eachElement(tensor, [&](std::int64_t from, std::int64_t to) { result[to] = readElement(memory, tensor.type, from); });
  return result;
}

/// For each product x * w that goes into an element of y, by rows along the width: body(x, w, y, count, step of x).
template <class Body> void eachRow(const Problem &p, Body body) {
  const std::int64_t *x = p.x.dims, *w = p.w.dims, *y = p.y.dims;
  std::int64_t outputs = y[1] / (x[1] / w[1]); // of a group
  auto inside = [&](int dim, std::int64_t place, std::int64_t tap) {
    return place * p.stride[dim] + tap * p.dilation[dim] - p.padding[dim];
  };
  for (std::int64_t n = 0; n < x[0]; ++n)
    for (std::int64_t k = 0; k < y[1]; ++k)
      for (std::int64_t c = 0; c < w[1]; ++c)
        for (std::int64_t rd = 0; rd < w[2]; ++rd)
          for (std::int64_t rh = 0; rh < w[3]; ++rh)
            for (std::int64_t rw = 0; rw < w[4]; ++rw) {
              std::int64_t channel = k / outputs * w[1] + c;
              std::int64_t filter = (((k * w[1] + c) * w[2] + rd) * w[3] + rh) * w[4] + rw;
              // The first and the last place of the row whose tap lies inside x.
              std::int64_t shift = rw * p.dilation[2] - p.padding[2];
              std::int64_t begin = shift < 0 ? (-shift + p.stride[2] - 1) / p.stride[2] : 0;
              std::int64_t end = x[4] - 1 - shift < 0 ? 0 : std::min(y[4], (x[4] - 1 - shift) / p.stride[2] + 1);
              if (begin >= end)
                continue;
              for (std::int64_t od = 0; od < y[2]; ++od)
                for (std::int64_t oh = 0; oh < y[3]; ++oh) {
                  std::int64_t id = inside(0, od, rd), ih = inside(1, oh, rh);
                  if (id < 0 || id >= x[2] || ih < 0 || ih >= x[3])
                    continue;
                  std::int64_t input = (((n * x[1] + channel) * x[2] + id) * x[3] + ih) * x[4] + begin * p.stride[2] + shift;
                  std::int64_t output = (((n * y[1] + k) * y[2] + od) * y[3] + oh) * y[4] + begin;
                  body(input, filter, output, end - begin, p.stride[2]);
                }
            }
}

std::vector<double> compute(const Work &work) {
  const Problem &p = work.problem;
  std::vector<double> result(p.result().elements());
  if (p.direction == Direction::Forward) {
    std::vector<double> x = load(work.x, p.x, "x of a convolution"), w = load(work.w, p.w, "w of a convolution");
    eachRow(p, [&](std::int64_t i, std::int64_t f, std::int64_t o, std::int64_t count, std::int64_t step) {
      for (std::int64_t j = 0; j < count; ++j)
        result[o + j] += w[f] * x[i + j * step];
    });
  } else if (p.direction == Direction::Data) {
    std::vector<double> y = load(work.y, p.y, "dy of a convolution"), w = load(work.w, p.w, "w of a convolution");
    eachRow(p, [&](std::int64_t i, std::int64_t f, std::int64_t o, std::int64_t count, std::int64_t step) {
      for (std::int64_t j = 0; j < count; ++j)
        result[i + j * step] += w[f] * y[o + j];
    });
  } else {
    std::vector<double> x = load(work.x, p.x, "x of a convolution"), y = load(work.y, p.y, "dy of a convolution");
    eachRow(p, [&](std::int64_t i, std::int64_t f, std::int64_t o, std::int64_t count, std::int64_t step) {
      double sum = 0;
      for (std::int64_t j = 0; j < count; ++j)
        sum += x[i + j * step] * y[o + j];
      result[f] += sum;
    });
  }
  return result;
}

void run(void *data) {
  const Work &work = *static_cast<Work *>(data);
  const Problem &p = work.problem;
  try {
    std::vector<double> result = compute(work);
    if (work.workspaceBytes) {
      // An engine with a workspace leaves its sums there, as f32.
      char *memory = range(work.workspace, work.workspaceBytes, RAF_SIM_STORE, "the workspace of a convolution");
      for (std::size_t i = 0; i < result.size(); ++i) {
        writeElement(memory, Element::F32, i, result[i]);
        result[i] = readElement(memory, Element::F32, i);
      }
    }
    const Tensor &tensor = p.result();
    std::uint64_t address = p.direction == Direction::Forward ? work.y : p.direction == Direction::Data ? work.x : work.w;
    std::int64_t bytes = tensor.elements() * bytesOf(tensor.type);
    const char *old = p.beta != 0 ? range(address, bytes, RAF_SIM_LOAD, "the result of a convolution") : nullptr;
    char *memory = range(address, bytes, RAF_SIM_STORE, "the result of a convolution");
    eachElement(tensor, [&](std::int64_t to, std::int64_t from) {
      double value = p.alpha * result[from] + (old ? p.beta * readElement(old, tensor.type, to) : 0);
      writeElement(memory, tensor.type, to, value);
    });
  } catch (const Stop &) {
    // The simulator has the report.
  } catch (const std::bad_alloc &) {
    Simulator::get().fail("cudnnBackendExecute: no memory on the host");
  }
}

void release(void *data) { delete static_cast<Work *>(data); }

} // namespace

bool raf::sim::dnn::enqueue(CUstream stream, const Problem &problem, std::uint64_t x, std::uint64_t w, std::uint64_t y,
                            std::uint64_t workspace, std::int64_t workspaceBytes) {
  auto work = std::make_unique<Work>(Work{problem, x, w, y, workspace, workspaceBytes});
  return Simulator::get().enqueue(stream, "cudnnBackendExecute", run, work.release(), release) == CUDA_SUCCESS;
}
