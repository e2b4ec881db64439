// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batch normalization in training and its gradient.
#include "cuda_sim/cudnn/Backend.h"

#include <algorithm>

using namespace raf::sim;
using namespace raf::sim::dnn;

namespace {

class Norm : public Operation {
public:
  bool backward = false;
  Tensor x, dy, scale, bias, epsilon, mean, rstd; // bias, epsilon of the forward operation, dy of the backward one

  bool multiplies() const override { return false; }
  const char *name() const override { return backward ? "the gradient of a batch norm" : "a batch norm"; }

  std::string refusal() const override {
    std::int64_t bytes = bytesOf(x.type);
    if (x.dims[1] * bytes % 16)
      return "channels that fill no vectors of 16 bytes";
    const Tensor &result = outputs[0];
    for (bool last : {true, false})
      if (x.packed(last) && result.packed(last) && (!backward || dy.packed(last)))
        return last || bytes == 2 ? "" : "floats with channels first";
    return "tensors of mixed layouts";
  }

  std::vector<std::vector<double>> compute(const Memory &memory) const override {
    std::int64_t channels = x.dims[1], inner = x.elements() / (x.dims[0] * channels), count = x.dims[0] * inner;
    std::vector<double> values = memory.load(x, "x of a batch norm"), factors = memory.load(scale, "the scale of a batch norm");
    auto eachOf = [&](std::int64_t channel, auto body) {
      for (std::int64_t n = 0; n < x.dims[0]; ++n)
        for (std::int64_t i = 0; i < inner; ++i)
          body((n * channels + channel) * inner + i);
    };
    std::vector<double> result(values.size()), first(channels), second(channels);
    if (!backward) {
      std::vector<double> shifts = memory.load(bias, "the bias of a batch norm");
      double small = memory.number(epsilon);
      for (std::int64_t c = 0; c < channels; ++c) {
        double sum = 0, squares = 0;
        eachOf(c, [&](std::int64_t i) { sum += values[i]; });
        first[c] = sum / count;
        eachOf(c, [&](std::int64_t i) { squares += (values[i] - first[c]) * (values[i] - first[c]); });
        second[c] = 1 / std::sqrt(squares / count + small);
        eachOf(c, [&](std::int64_t i) { result[i] = (values[i] - first[c]) * second[c] * factors[c] + shifts[c]; });
      }
      return {result, first, second};
    }
    std::vector<double> slopes = memory.load(dy, "dy of a batch norm"), means = memory.load(mean, "the mean of a batch norm"),
                        rstds = memory.load(rstd, "the inverse variance of a batch norm");
    for (std::int64_t c = 0; c < channels; ++c) {
      eachOf(c, [&](std::int64_t i) {
        first[c] += slopes[i] * (values[i] - means[c]) * rstds[c];
        second[c] += slopes[i];
      });
      eachOf(c, [&](std::int64_t i) {
        result[i] = factors[c] * rstds[c] * (slopes[i] - second[c] / count - (values[i] - means[c]) * rstds[c] * first[c] / count);
      });
    }
    return {result, first, second};
  }
};

/// One number a channel, in f32.
cudnnStatus_t checkFeature(const Tensor &feature, const Tensor &x, const char *name) {
  std::vector<std::int64_t> expected(x.dims.size(), 1);
  expected[1] = x.dims[1];
  if (feature.dims != expected || !feature.packed(false))
    return wrong(std::string(name) + " of a batch norm must be one packed number a channel");
  return feature.type == Element::F32 ? CUDNN_STATUS_SUCCESS : unsupported(std::string(name) + " of a batch norm must be of floats");
}

} // namespace

cudnnStatus_t raf::sim::dnn::finalizeNorm(Descriptor &desc) {
  auto op = std::make_shared<Norm>();
  op->backward = desc.type == CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR;
  if (desc.choice(op->backward ? CUDNN_ATTR_OPERATION_NORM_BWD_MODE : CUDNN_ATTR_OPERATION_NORM_FWD_MODE) != CUDNN_BATCH_NORM)
    return unsupported("a normalization other than batch norm");
  if (!op->backward && desc.choice(CUDNN_ATTR_OPERATION_NORM_FWD_PHASE) != CUDNN_NORM_FWD_TRAINING)
    return unsupported("batch norm outside training");
  for (int name : op->backward ? std::vector<int>{CUDNN_ATTR_OPERATION_NORM_BWD_MEAN_DESC, CUDNN_ATTR_OPERATION_NORM_BWD_INV_VARIANCE_DESC}
                               : std::vector<int>{CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC, CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC})
    if (!desc.has(name))
      return unsupported("batch norm without attribute " + std::to_string(name));
  Tensor y, dscale, dbias;
  Reader reader(desc);
  if (op->backward)
    reader.tensor(CUDNN_ATTR_OPERATION_NORM_BWD_XDESC, op->x)
        .tensor(CUDNN_ATTR_OPERATION_NORM_BWD_DYDESC, op->dy)
        .tensor(CUDNN_ATTR_OPERATION_NORM_BWD_SCALE_DESC, op->scale)
        .tensor(CUDNN_ATTR_OPERATION_NORM_BWD_MEAN_DESC, op->mean)
        .tensor(CUDNN_ATTR_OPERATION_NORM_BWD_INV_VARIANCE_DESC, op->rstd)
        .tensor(CUDNN_ATTR_OPERATION_NORM_BWD_DXDESC, y)
        .tensor(CUDNN_ATTR_OPERATION_NORM_BWD_DSCALE_DESC, dscale)
        .tensor(CUDNN_ATTR_OPERATION_NORM_BWD_DBIAS_DESC, dbias);
  else
    reader.tensor(CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, op->x)
        .tensor(CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC, op->scale)
        .tensor(CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC, op->bias)
        .tensor(CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC, op->epsilon)
        .tensor(CUDNN_ATTR_OPERATION_NORM_FWD_YDESC, y)
        .tensor(CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC, op->mean)
        .tensor(CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC, op->rstd);
  if (reader.status() != CUDNN_STATUS_SUCCESS)
    return reader.status();
  const Tensor &x = op->x;
  if (x.dims.size() < 4 || x.dims.size() > 5)
    return unsupported("batch norm of rank " + std::to_string(x.dims.size()));
  if (y.dims != x.dims || (op->backward && op->dy.dims != x.dims))
    return wrong("the tensors of a batch norm have different dimensions");
  if (x.type == Element::I8 || y.type != x.type || (op->backward && op->dy.type != x.type))
    return unsupported("the tensors of a batch norm have different types");
  if (!op->backward && (!op->epsilon.byValue || op->epsilon.dims.size() != x.dims.size()))
    return wrong("epsilon must be one number by value, of the rank of x");
  std::vector<std::pair<const char *, const Tensor *>> features = {{"scale", &op->scale}, {"mean", &op->mean}, {"inverse variance", &op->rstd}};
  if (op->backward)
    features.insert(features.end(), {{"dscale", &dscale}, {"dbias", &dbias}});
  else
    features.push_back({"bias", &op->bias});
  for (auto [name, feature] : features)
    if (cudnnStatus_t status = checkFeature(*feature, x, name); status != CUDNN_STATUS_SUCCESS)
      return status;
  op->inputs = op->backward ? std::vector{x, op->dy, op->scale, op->mean, op->rstd} : std::vector{x, op->scale, op->bias, op->epsilon};
  op->outputs = op->backward ? std::vector{y, dscale, dbias} : std::vector{y, op->mean, op->rstd};
  desc.operation = op;
  return CUDNN_STATUS_SUCCESS;
}
