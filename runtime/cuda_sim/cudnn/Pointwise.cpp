// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointwise operations after another one: bias, sum, activation.
#include "cuda_sim/cudnn/Backend.h"

#include <algorithm>

using namespace raf::sim;
using namespace raf::sim::dnn;

namespace {

double activate(int mode, double x) {
  switch (mode) {
  case CUDNN_POINTWISE_IDENTITY:
    return x;
  case CUDNN_POINTWISE_RELU_FWD:
    return x > 0 ? x : 0;
  case CUDNN_POINTWISE_TANH_FWD:
    return std::tanh(x);
  case CUDNN_POINTWISE_SIGMOID_FWD:
    return 1 / (1 + std::exp(-x));
  case CUDNN_POINTWISE_GELU_FWD:
    return x * (1 + std::erf(x / std::sqrt(2.0))) / 2;
  case CUDNN_POINTWISE_GELU_APPROX_TANH_FWD:
    return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
  default:
    return x / (1 + std::exp(-x));
  }
}

/// An operation that reads x, and maybe more, and gives as much.
class Step : public Operation, public Modifier {
public:
  Tensor x, y;
  std::vector<Tensor> more;

  bool multiplies() const override { return false; }
  std::vector<std::vector<double>> compute(const Memory &memory) const override { return {apply(memory.load(x, "x of a pointwise operation"), memory)}; }
};

/// Keeps the columns up to the row's number plus a shift.
class BandMask : public Step {
public:
  Tensor shift, fill;

  const char *name() const override { return "a band mask"; }
  std::string refusal() const override { return "a band mask alone"; }

  std::vector<double> apply(std::vector<double> values, const Memory &memory) const override {
    auto most = static_cast<std::int64_t>(memory.number(shift));
    double other = memory.number(fill);
    std::int64_t rows = x.dims[x.dims.size() - 2], columns = x.dims.back();
    for (std::size_t i = 0; i < values.size(); ++i)
      if (static_cast<std::int64_t>(i) / columns % rows + most < static_cast<std::int64_t>(i) % columns)
        values[i] = other;
    return values;
  }
};

class Pointwise : public Step {
public:
  int mode = 0;
  Tensor b;

  const char *name() const override { return "a pointwise operation"; }
  std::string refusal() const override { return "a pointwise operation alone"; }

  std::vector<double> apply(std::vector<double> values, const Memory &memory) const override {
    if (mode != CUDNN_POINTWISE_ADD) {
      for (double &value : values)
        value = activate(mode, value);
      return values;
    }
    std::vector<double> added = memory.load(b, "the second operand of a pointwise operation");
    for (std::size_t i = 0; i < values.size(); ++i) {
      // The place in b, along which it may have one element for many.
      std::int64_t rest = static_cast<std::int64_t>(i), at = 0, step = 1;
      for (std::size_t d = x.dims.size(); d-- > 0;) {
        at += b.dims[d] > 1 ? rest % x.dims[d] * step : 0;
        step *= b.dims[d];
        rest /= x.dims[d];
      }
      values[i] += added[at];
    }
    return values;
  }
};

class Chain : public Operation {
public:
  std::shared_ptr<Operation> first;
  std::vector<std::shared_ptr<Pointwise>> steps;

  bool multiplies() const override { return first->multiplies(); }
  const char *name() const override { return first->name(); }
  std::string refusal() const override {
    return first->fusionRefusal(std::all_of(steps.begin(), steps.end(), [](const std::shared_ptr<Pointwise> &step) { return step->mode == CUDNN_POINTWISE_IDENTITY; }));
  }

  std::vector<std::vector<double>> compute(const Memory &memory) const override {
    std::vector<double> values = first->compute(memory)[0];
    for (double &value : values)
      value *= first->alpha;
    // Tensor cores round what they multiply, not what is added.
    Memory exact = memory;
    exact.tf32 = false;
    for (const std::shared_ptr<Pointwise> &step : steps)
      values = step->apply(std::move(values), exact);
    return {values};
  }
};

} // namespace

cudnnStatus_t raf::sim::dnn::finalizePointwise(const Descriptor &desc) {
  int mode = desc.choice(CUDNN_ATTR_POINTWISE_MODE);
  switch (mode) {
  case CUDNN_POINTWISE_ADD:
  case CUDNN_POINTWISE_IDENTITY:
  case CUDNN_POINTWISE_RELU_FWD:
  case CUDNN_POINTWISE_TANH_FWD:
  case CUDNN_POINTWISE_SIGMOID_FWD:
  case CUDNN_POINTWISE_GELU_FWD:
  case CUDNN_POINTWISE_SWISH_FWD:
  case CUDNN_POINTWISE_GELU_APPROX_TANH_FWD:
    break;
  default:
    return unsupported("a pointwise operation of mode " + std::to_string(mode));
  }
  if (desc.choice(CUDNN_ATTR_POINTWISE_MATH_PREC) != CUDNN_DATA_FLOAT)
    return unsupported("a compute type other than float");
  if (desc.has(CUDNN_ATTR_POINTWISE_SWISH_BETA) && *desc.attribute(CUDNN_ATTR_POINTWISE_SWISH_BETA).as<float>() != 1)
    return unsupported("a swish with a factor");
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t raf::sim::dnn::finalizePointwiseOperation(Descriptor &desc) {
  Descriptor *function = desc.held(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  if (!function)
    return wrong("an operation without a final pointwise descriptor");
  auto op = std::make_shared<Pointwise>();
  op->mode = function->choice(CUDNN_ATTR_POINTWISE_MODE);
  bool binary = op->mode == CUDNN_POINTWISE_ADD;
  if (binary != desc.has(CUDNN_ATTR_OPERATION_POINTWISE_BDESC))
    return wrong(binary ? "a sum without a second operand" : "an activation with a second operand");
  Reader reader(desc);
  reader.tensor(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, op->x).tensor(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, op->y).tensor(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, op->b, /*optional=*/true);
  if (reader.status() != CUDNN_STATUS_SUCCESS)
    return reader.status();
  if (op->x.dims != op->y.dims)
    return wrong("x and y of a pointwise operation have different dimensions");
  bool fits = !binary || op->b.dims.size() == op->x.dims.size();
  for (std::size_t i = 0; fits && binary && i < op->x.dims.size(); ++i)
    fits = op->b.dims[i] == op->x.dims[i] || op->b.dims[i] == 1;
  if (!fits)
    return wrong("the second operand of a pointwise operation cannot be broadcast to x");
  op->inputs = {op->x};
  if (binary) {
    op->inputs.push_back(op->b);
    op->more = {op->b};
  }
  op->outputs = {op->y};
  desc.operation = op;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t raf::sim::dnn::finalizeBandMask(Descriptor &desc) {
  auto op = std::make_shared<BandMask>();
  Reader reader(desc);
  reader.tensor(CUDNN_ATTR_OPERATION_DIAGONAL_BAND_MASK_XDESC, op->x)
      .tensor(CUDNN_ATTR_OPERATION_DIAGONAL_BAND_MASK_YDESC, op->y)
      .tensor(CUDNN_ATTR_OPERATION_DIAGONAL_BAND_MASK_SHIFT_RIGHT_BOUND_DESC, op->shift)
      .tensor(CUDNN_ATTR_OPERATION_DIAGONAL_BAND_MASK_BDESC, op->fill);
  if (reader.status() != CUDNN_STATUS_SUCCESS)
    return reader.status();
  if (desc.choice(CUDNN_ATTR_OPERATION_DIAGONAL_BAND_MASK_COMPARISON_MODE) != CUDNN_POINTWISE_CMP_GE)
    return unsupported("a band mask that compares otherwise than by greater or equal");
  if (op->x.dims != op->y.dims)
    return wrong("x and y of a band mask have different dimensions");
  if (!op->shift.byValue || op->shift.type != Element::I32 || !op->fill.byValue || op->fill.type != Element::F32)
    return unsupported("the shift of a band mask is an int32 and what it fills with a float, both by value");
  op->inputs = {op->x, op->shift, op->fill};
  op->more = {op->shift, op->fill};
  op->outputs = {op->y};
  desc.operation = op;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t raf::sim::dnn::readModifiers(const Descriptor &graph, std::int64_t input, std::int64_t output, const std::vector<std::int64_t> &dims,
                                           std::vector<std::shared_ptr<Modifier>> &modifiers, std::vector<Tensor> &operands) {
  const Attribute &ops = graph.attribute(CUDNN_ATTR_OPERATIONGRAPH_OPS);
  std::int64_t value = input;
  for (std::int64_t i = 0; i < ops.count; ++i) {
    auto step = std::dynamic_pointer_cast<Step>(ops.as<Descriptor *>()[i]->operation);
    auto *function = dynamic_cast<Pointwise *>(step.get());
    if (!step || (function && function->mode != CUDNN_POINTWISE_ADD))
      return unsupported("a graph on scores of other operations than sums and band masks");
    if (step->x.id != value || step->x.dims != dims)
      return wrong("operation " + std::to_string(i) + " of a graph on scores does not read what the one before it gives");
    for (const Tensor *tensor : {&step->x, &step->y})
      if (!tensor->isVirtual || tensor->type != Element::F32)
        return wrong("tensor " + std::to_string(tensor->id) + " of a graph on scores is not virtual, or no float");
    for (const Tensor &tensor : step->more) {
      if (tensor.isVirtual)
        return wrong("tensor " + std::to_string(tensor.id) + " is virtual, and no operation gives it");
      operands.push_back(tensor);
    }
    value = step->y.id;
    modifiers.push_back(step);
  }
  return value == output ? CUDNN_STATUS_SUCCESS : wrong("a graph on scores gives tensor " + std::to_string(value) + ", not " + std::to_string(output));
}

cudnnStatus_t raf::sim::dnn::finalizeChain(Descriptor &graph, const std::vector<Descriptor *> &operations) {
  auto chain = std::make_shared<Chain>();
  chain->first = operations[0]->operation;
  if (chain->first->outputs.size() != 1 || chain->first->beta != 0)
    return unsupported("a graph whose first operation has several results, or adds to one");
  chain->inputs = chain->first->inputs;
  Tensor value = chain->first->outputs[0];
  for (std::size_t i = 1; i < operations.size(); ++i) {
    auto step = std::dynamic_pointer_cast<Pointwise>(operations[i]->operation);
    if (!step)
      return unsupported("a graph of other operations than pointwise ones after the first");
    if (step->x.id != value.id || step->x.dims != value.dims || step->x.strides != value.strides)
      return wrong("operation " + std::to_string(i) + " of a graph does not read what the one before it gives");
    if (!value.isVirtual)
      return unsupported("a graph that stores what its operations give each other");
    if (step->b.isVirtual && step->mode == CUDNN_POINTWISE_ADD)
      return wrong("tensor " + std::to_string(step->b.id) + " is virtual, and no operation gives it");
    if (step->mode == CUDNN_POINTWISE_ADD)
      chain->inputs.push_back(step->b);
    value = step->y;
    chain->steps.push_back(std::move(step));
  }
  chain->outputs = {value};
  std::vector<std::int64_t> ids;
  for (const std::vector<Tensor> *tensors : {&chain->inputs, &chain->outputs})
    for (const Tensor &tensor : *tensors) {
      ids.push_back(tensor.id);
      if (tensor.isVirtual)
        return wrong("tensor " + std::to_string(tensor.id) + " is virtual at the edge of a graph");
    }
  std::sort(ids.begin(), ids.end());
  if (std::adjacent_find(ids.begin(), ids.end()) != ids.end())
    return wrong("two tensors have one id");
  chain->recipe = recipe(graph);
  graph.operation = chain;
  return CUDNN_STATUS_SUCCESS;
}
