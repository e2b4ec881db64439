// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pooling: the downsampling modes of resampling, and their gradients. Of a maximum's window the place of the first one is
// recorded, as a number within the window.
#include "cuda_sim/cudnn/Backend.h"

#include <algorithm>
#include <limits>

using namespace raf::sim;
using namespace raf::sim::dnn;

namespace {

struct Window {
  int mode = 0;
  bool keepsNan = false;
  int padding = CUDNN_ZERO_PAD;
  std::vector<std::int64_t> size, stride, before, after;
};

class Pool : public Operation {
public:
  bool backward = false, recorded = false;
  Tensor x, y, index; // or their gradients
  Window window;

  bool multiplies() const override { return false; }
  const char *name() const override { return backward ? "the gradient of a pooling" : "a pooling"; }

  std::string refusal() const override {
    if (!x.packed(true) || !y.packed(true) || (recorded && !index.packed(true)))
      return "pooling with channels that are not last";
    if (window.mode == CUDNN_RESAMPLE_MAXPOOL && backward && !recorded)
      return "the gradient of maximum pooling without indices";
    if (x.type == Element::F32 && (backward || recorded))
      return backward ? "the gradient of a pooling of floats" : "indices of maxima of floats";
    return {};
  }

  std::vector<std::vector<double>> compute(const Memory &memory) const override {
    std::vector<double> result(outputs[0].elements()), places(recorded && !backward ? y.elements() : 0);
    std::vector<double> given = memory.load(backward ? y : x, backward ? "dy of a pooling" : "x of a pooling");
    std::vector<double> chosen = backward && recorded ? memory.load(index, "the indices of a pooling") : std::vector<double>();
    std::int64_t planes = x.dims[0] * x.dims[1], in = x.elements() / planes, out = y.elements() / planes, taps = 1;
    for (std::int64_t size : window.size)
      taps *= size;
    for (std::int64_t plane = 0; plane < planes; ++plane)
      for (std::int64_t o = 0; o < out; ++o) {
        std::int64_t at = plane * out + o, inside = 0;
        double sum = 0, best = -std::numeric_limits<double>::infinity(), place = -1;
        for (std::int64_t tap = 0; tap < taps; ++tap)
          if (std::int64_t i = source(o, tap); i >= 0) {
            ++inside;
            if (backward)
              continue;
            double value = given[plane * in + i];
            sum += value;
            if (place < 0 || value > best || (std::isnan(value) && !std::isnan(best) && window.keepsNan)) {
              best = value;
              place = tap;
            }
          }
        double divisor = window.mode == CUDNN_RESAMPLE_AVGPOOL_INCLUDE_PADDING ? taps : inside;
        bool maximum = window.mode == CUDNN_RESAMPLE_MAXPOOL;
        if (!backward) {
          result[at] = maximum ? best : sum / divisor;
          if (recorded)
            places[at] = place;
          continue;
        }
        for (std::int64_t tap = 0; tap < taps; ++tap)
          if (std::int64_t i = source(o, tap); i >= 0 && (!maximum || tap == chosen[at]))
            result[plane * in + i] += maximum ? given[at] : given[at] / divisor;
      }
    if (recorded && !backward)
      return {result, places};
    return {result};
  }

private:
  /// The place within a plane of x that a tap of the window at a place of y covers, -1 for padding.
  std::int64_t source(std::int64_t place, std::int64_t tap) const {
    std::int64_t result = 0, step = 1;
    for (std::size_t d = window.size.size(); d-- > 0;) {
      std::int64_t size = y.dims[d + 2], at = place % size * window.stride[d] + tap % window.size[d] - window.before[d];
      if (at < 0 || at >= x.dims[d + 2])
        return -1;
      result += at * step;
      step *= x.dims[d + 2];
      place /= size;
      tap /= window.size[d];
    }
    return result;
  }
};

cudnnStatus_t readWindow(const Descriptor &desc, Window &window) {
  window.mode = desc.choice(CUDNN_ATTR_RESAMPLE_MODE);
  if (window.mode != CUDNN_RESAMPLE_MAXPOOL && window.mode != CUDNN_RESAMPLE_AVGPOOL_INCLUDE_PADDING && window.mode != CUDNN_RESAMPLE_AVGPOOL_EXCLUDE_PADDING)
    return unsupported("resampling of mode " + std::to_string(window.mode));
  if (desc.choice(CUDNN_ATTR_RESAMPLE_COMP_TYPE) != CUDNN_DATA_FLOAT)
    return unsupported("a compute type other than float");
  window.keepsNan = desc.has(CUDNN_ATTR_RESAMPLE_NAN_PROPAGATION) && desc.choice(CUDNN_ATTR_RESAMPLE_NAN_PROPAGATION) == CUDNN_PROPAGATE_NAN;
  if (desc.has(CUDNN_ATTR_RESAMPLE_PADDING_MODE))
    window.padding = desc.choice(CUDNN_ATTR_RESAMPLE_PADDING_MODE);
  std::int64_t spatial = desc.number(CUDNN_ATTR_RESAMPLE_SPATIAL_DIMS);
  window.size = desc.numbers(CUDNN_ATTR_RESAMPLE_WINDOW_DIMS);
  window.stride = desc.numbers(CUDNN_ATTR_RESAMPLE_STRIDES);
  window.before = desc.numbers(CUDNN_ATTR_RESAMPLE_PRE_PADDINGS);
  window.after = desc.numbers(CUDNN_ATTR_RESAMPLE_POST_PADDINGS);
  for (const auto *values : {&window.size, &window.stride, &window.before, &window.after})
    if (static_cast<std::int64_t>(values->size()) != spatial)
      return unsupported("a window with " + std::to_string(values->size()) + " values for " + std::to_string(spatial) + " spatial dimensions");
  for (std::int64_t i = 0; i < spatial; ++i)
    if (window.size[i] < 1 || window.stride[i] < 1 || window.before[i] < 0 || window.after[i] < 0)
      return wrong("a window of size " + std::to_string(window.size[i]) + " with stride " + std::to_string(window.stride[i]));
  // Padding must not win a maximum, nor count in a mean.
  if (window.padding != (window.mode == CUDNN_RESAMPLE_MAXPOOL ? CUDNN_NEG_INF_PAD : CUDNN_ZERO_PAD))
    return unsupported("padding of mode " + std::to_string(window.padding) + " in resampling of mode " + std::to_string(window.mode));
  return CUDNN_STATUS_SUCCESS;
}

} // namespace

cudnnStatus_t raf::sim::dnn::finalizeResample(const Descriptor &desc) {
  Window window;
  return readWindow(desc, window);
}

cudnnStatus_t raf::sim::dnn::finalizePool(Descriptor &desc) {
  auto op = std::make_shared<Pool>();
  op->backward = desc.type == CUDNN_BACKEND_OPERATION_RESAMPLE_BWD_DESCRIPTOR;
  auto name = [&](int forward, int backward) { return op->backward ? backward : forward; };
  int index = name(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_IDXDESC, CUDNN_ATTR_OPERATION_RESAMPLE_BWD_IDXDESC);
  op->recorded = desc.has(index);
  Descriptor *window = desc.held(name(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_DESC, CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DESC), CUDNN_BACKEND_RESAMPLE_DESCRIPTOR);
  if (!window)
    return wrong("an operation without a final resample descriptor");
  if (cudnnStatus_t status = Reader(desc)
                                 .tensor(name(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_XDESC, CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DXDESC), op->x)
                                 .tensor(name(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_YDESC, CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DYDESC), op->y)
                                 .tensor(index, op->index, /*optional=*/true)
                                 .status();
      status != CUDNN_STATUS_SUCCESS)
    return status;
  if (cudnnStatus_t status = readWindow(*window, op->window); status != CUDNN_STATUS_SUCCESS)
    return status;
  const std::vector<std::int64_t> &x = op->x.dims, &y = op->y.dims;
  std::size_t spatial = op->window.size.size();
  if (x.size() != spatial + 2 || y.size() != x.size() || x[0] != y[0] || x[1] != y[1])
    return wrong("the tensors of a pooling do not fit together");
  std::int64_t taps = 1;
  for (std::size_t i = 0; i < spatial; ++i) {
    std::int64_t expected = 1 + (x[i + 2] + op->window.before[i] + op->window.after[i] - op->window.size[i]) / op->window.stride[i];
    if (y[i + 2] != expected)
      return wrong("y has size " + std::to_string(y[i + 2]) + " along a spatial dimension, expected " + std::to_string(expected));
    taps *= op->window.size[i];
  }
  if (op->x.type != op->y.type || op->x.type == Element::I8)
    return unsupported("the tensors of a pooling have different types");
  if (op->recorded && (op->window.mode != CUDNN_RESAMPLE_MAXPOOL || op->index.dims != y))
    return wrong("indices go with maximum pooling and have the dimensions of y");
  if (op->recorded && (op->index.type != Element::I8 || taps > 127))
    return unsupported("indices must be int8, of windows of at most 127 elements");
  op->inputs = {op->backward ? op->y : op->x};
  op->outputs = {op->backward ? op->x : op->y};
  if (op->recorded)
    (op->backward ? op->inputs : op->outputs).push_back(op->index);
  desc.operation = op;
  return CUDNN_STATUS_SUCCESS;
}
