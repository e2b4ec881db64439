// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolution and its gradients.
#include "cuda_sim/cudnn/Backend.h"

#include <algorithm>

using namespace raf::sim;
using namespace raf::sim::dnn;

namespace {

enum class Direction { Forward, Data, Filter };

struct Window {
  std::vector<std::int64_t> stride, dilation, before, after;
};

/// As a volume: [n, c, depth, height, width].
std::vector<std::int64_t> volume(const std::vector<std::int64_t> &dims) {
  std::vector<std::int64_t> result = dims;
  if (result.size() == 4)
    result.insert(result.begin() + 2, 1);
  return result;
}

std::vector<std::int64_t> deep(std::vector<std::int64_t> window, std::int64_t neutral) {
  if (window.size() == 2)
    window.insert(window.begin(), neutral);
  return window;
}

class Convolution : public Operation {
public:
  Direction direction = Direction::Forward;
  Tensor x, w, y;
  Window window;

  const char *name() const override { return "a convolution"; }

  std::string refusal() const override {
    return inputs[0].type != outputs[0].type ? "a result of another type" : misfit();
  }

  /// Why no engine takes tensors that lie like this.
  std::string misfit() const {
    for (bool last : {false, true})
      if (x.packed(last) && w.packed(last) && y.packed(last))
        return window.before == window.after ? "" : "padding that differs on the two sides";
    return "tensors of mixed layouts";
  }

  /// Engines that are generated for a graph: tensor cores with channels last.
  std::string fusionRefusal(bool converts) const override {
    if (converts && inputs[0].type != Element::F32 && x.packed(true) && w.packed(true) && y.packed(true) && x.dims[1] == w.dims[1] && x.dims[1] % 2 == 0 && y.dims[1] % 2 == 0)
      return misfit();
    std::int64_t unit = 16 / bytesOf(x.type);
    if (direction != Direction::Forward)
      return "operations after the gradient of a convolution";
    if (!x.packed(true) || !w.packed(true) || !y.packed(true))
      return "operations after a convolution with channels that are not last";
    if (x.dims[1] != w.dims[1] || x.dims[1] % unit || y.dims[1] % unit)
      return "operations after a convolution of " + std::to_string(x.dims[1]) + " to " + std::to_string(y.dims[1]) + " channels";
    return misfit();
  }

  std::vector<std::vector<double>> compute(const Memory &memory) const override {
    std::vector<double> result(outputs[0].elements());
    if (direction == Direction::Forward) {
      std::vector<double> a = memory.load(x, "x of a convolution"), b = memory.load(w, "w of a convolution");
      eachRow([&](std::int64_t i, std::int64_t f, std::int64_t o, std::int64_t count, std::int64_t step) {
        for (std::int64_t j = 0; j < count; ++j)
          result[o + j] += b[f] * a[i + j * step];
      });
    } else if (direction == Direction::Data) {
      std::vector<double> a = memory.load(y, "dy of a convolution"), b = memory.load(w, "w of a convolution");
      eachRow([&](std::int64_t i, std::int64_t f, std::int64_t o, std::int64_t count, std::int64_t step) {
        for (std::int64_t j = 0; j < count; ++j)
          result[i + j * step] += b[f] * a[o + j];
      });
    } else {
      std::vector<double> a = memory.load(x, "x of a convolution"), b = memory.load(y, "dy of a convolution");
      eachRow([&](std::int64_t i, std::int64_t f, std::int64_t o, std::int64_t count, std::int64_t step) {
        double sum = 0;
        for (std::int64_t j = 0; j < count; ++j)
          sum += a[i + j * step] * b[o + j];
        result[f] += sum;
      });
    }
    return {result};
  }

private:
  /// For each product x * w that goes into an element of y, by rows along the width: body(x, w, y, count, step of x).
  template <class Body> void eachRow(Body body) const {
    std::vector<std::int64_t> in = volume(x.dims), filter = volume(w.dims), out = volume(y.dims);
    std::vector<std::int64_t> stride = deep(window.stride, 1), dilation = deep(window.dilation, 1), padding = deep(window.before, 0);
    std::int64_t outputsOfGroup = out[1] / (in[1] / filter[1]);
    auto inside = [&](int dim, std::int64_t place, std::int64_t tap) { return place * stride[dim] + tap * dilation[dim] - padding[dim]; };
    for (std::int64_t n = 0; n < in[0]; ++n)
      for (std::int64_t k = 0; k < out[1]; ++k)
        for (std::int64_t c = 0; c < filter[1]; ++c)
          for (std::int64_t rd = 0; rd < filter[2]; ++rd)
            for (std::int64_t rh = 0; rh < filter[3]; ++rh)
              for (std::int64_t rw = 0; rw < filter[4]; ++rw) {
                std::int64_t channel = k / outputsOfGroup * filter[1] + c;
                std::int64_t tap = (((k * filter[1] + c) * filter[2] + rd) * filter[3] + rh) * filter[4] + rw;
                // The first and the last place of the row whose tap lies inside x.
                std::int64_t shift = rw * dilation[2] - padding[2];
                std::int64_t begin = shift < 0 ? (-shift + stride[2] - 1) / stride[2] : 0;
                std::int64_t end = in[4] - 1 - shift < 0 ? 0 : std::min(out[4], (in[4] - 1 - shift) / stride[2] + 1);
                if (begin >= end)
                  continue;
                for (std::int64_t od = 0; od < out[2]; ++od)
                  for (std::int64_t oh = 0; oh < out[3]; ++oh) {
                    std::int64_t id = inside(0, od, rd), ih = inside(1, oh, rh);
                    if (id < 0 || id >= in[2] || ih < 0 || ih >= in[3])
                      continue;
                    std::int64_t input = (((n * in[1] + channel) * in[2] + id) * in[3] + ih) * in[4] + begin * stride[2] + shift;
                    std::int64_t output = (((n * out[1] + k) * out[2] + od) * out[3] + oh) * out[4] + begin;
                    body(input, tap, output, end - begin, stride[2]);
                  }
              }
  }
};

cudnnStatus_t readWindow(const Descriptor &desc, Window &window) {
  std::int64_t spatial = desc.number(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS);
  if (spatial != 2 && spatial != 3)
    return wrong(std::to_string(spatial) + " spatial dimensions");
  if (desc.choice(CUDNN_ATTR_CONVOLUTION_CONV_MODE) != CUDNN_CROSS_CORRELATION)
    return unsupported("a flipped filter");
  if (desc.choice(CUDNN_ATTR_CONVOLUTION_COMP_TYPE) != CUDNN_DATA_FLOAT)
    return unsupported("a compute type other than float");
  struct {
    int name;
    std::vector<std::int64_t> &values;
    std::int64_t least;
  } lists[] = {{CUDNN_ATTR_CONVOLUTION_DILATIONS, window.dilation, 1},
               {CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, window.stride, 1},
               {CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, window.before, 0},
               {CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, window.after, 0}};
  for (auto &list : lists) {
    list.values = desc.numbers(list.name);
    if (static_cast<std::int64_t>(list.values.size()) != spatial)
      return wrong("attribute " + std::to_string(list.name) + " has " + std::to_string(list.values.size()) + " values for " +
                   std::to_string(spatial) + " spatial dimensions");
  }
  for (std::int64_t i = 0; i < spatial; ++i)
    if (window.stride[i] < 1 || window.dilation[i] < 1 || window.before[i] < 0)
      return wrong("a window with stride " + std::to_string(window.stride[i]) + ", dilation " + std::to_string(window.dilation[i]) +
                   " and padding " + std::to_string(window.before[i]));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t checkShapes(const Convolution &p) {
  const std::vector<std::int64_t> &x = p.x.dims, &w = p.w.dims, &y = p.y.dims;
  std::size_t spatial = p.window.stride.size();
  if (x.size() != w.size() || x.size() != y.size())
    return wrong("tensors of different ranks");
  if (x.size() != spatial + 2)
    return wrong("tensors of rank " + std::to_string(x.size()) + " for " + std::to_string(spatial) + " spatial dimensions");
  if (x[0] != y[0] || w[0] != y[1] || x[1] % w[1] || y[1] % (x[1] / w[1]))
    return wrong("x with " + std::to_string(x[1]) + " channels, w [" + std::to_string(w[0]) + ", " + std::to_string(w[1]) +
                 "] and y with " + std::to_string(y[1]) + " channels do not fit together");
  for (std::size_t i = 0; i < spatial; ++i) {
    std::int64_t reach = (w[i + 2] - 1) * p.window.dilation[i] + 1, room = x[i + 2] + p.window.before[i] + p.window.after[i] - reach;
    if (room < 0 || y[i + 2] != room / p.window.stride[i] + 1)
      return wrong("y has size " + std::to_string(y[i + 2]) + " along a spatial dimension, expected " +
                   std::to_string(room < 0 ? 0 : room / p.window.stride[i] + 1));
  }
  return CUDNN_STATUS_SUCCESS;
}

} // namespace

cudnnStatus_t raf::sim::dnn::finalizeWindow(const Descriptor &desc) {
  Window window;
  return readWindow(desc, window);
}

cudnnStatus_t raf::sim::dnn::finalizeConvolution(Descriptor &desc) {
  // Where W, X (or DX) and Y (or DY) are among an operation's attributes, whose order differs.
  struct {
    Direction direction;
    int first, w, x, y;
  } places = desc.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR    ? decltype(places){Direction::Forward, 700, 703, 704, 705}
             : desc.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR ? decltype(places){Direction::Data, 706, 709, 710, 711}
                                                                                         : decltype(places){Direction::Filter, 712, 715, 716, 717};
  auto op = std::make_shared<Convolution>();
  op->direction = places.direction;
  op->alpha = *desc.attribute(places.first).as<float>();
  op->beta = *desc.attribute(places.first + 1).as<float>();
  Descriptor *window = desc.held(places.first + 2, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  if (!window)
    return wrong("an operation without a final convolution descriptor");
  if (cudnnStatus_t status = Reader(desc).tensor(places.x, op->x).tensor(places.w, op->w).tensor(places.y, op->y).status(); status != CUDNN_STATUS_SUCCESS)
    return status;
  if (cudnnStatus_t status = readWindow(*window, op->window); status != CUDNN_STATUS_SUCCESS)
    return status;
  if (cudnnStatus_t status = checkShapes(*op); status != CUDNN_STATUS_SUCCESS)
    return status;
  op->inputs = places.direction == Direction::Forward ? std::vector{op->x, op->w} : places.direction == Direction::Data ? std::vector{op->y, op->w} : std::vector{op->x, op->y};
  op->outputs = {places.direction == Direction::Forward ? op->y : places.direction == Direction::Data ? op->x : op->w};
  if (op->inputs[0].type != op->inputs[1].type || (op->inputs[0].type != op->outputs[0].type && op->outputs[0].type != Element::F32))
    return unsupported("tensors of different types");
  desc.operation = op;
  return CUDNN_STATUS_SUCCESS;
}
