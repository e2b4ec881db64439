// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scaled dot-product attention and its gradients, row by row.
#include "cuda_sim/cudnn/Backend.h"

#include <algorithm>

using namespace raf::sim;
using namespace raf::sim::dnn;

namespace {

class Attention : public Operation {
public:
  bool backward = false, scaled = false;
  Tensor q, k, v, o, stats, scale, grad;
  std::vector<std::shared_ptr<Modifier>> modifiers;

  const char *name() const override { return backward ? "the gradient of attention" : "attention"; }

  std::string refusal() const override {
    for (const Tensor *tensor : {&q, &k, &v, &o})
      if (tensor->strides[3] != 1)
        return "attention on heads that are not contiguous";
    if (q.dims[3] % 8 || v.dims[3] % 8 || q.dims[3] > 128 || v.dims[3] > 128)
      return "heads of " + std::to_string(q.dims[3]) + " and " + std::to_string(v.dims[3]) + " numbers";
    return {};
  }

  std::vector<std::vector<double>> compute(const Memory &memory) const override {
    std::int64_t heads = q.dims[1], rows = q.dims[2], depth = q.dims[3], keys = k.dims[2], width = v.dims[3];
    std::vector<double> Q = memory.load(q, "q of attention"), K = memory.load(k, "k of attention"), V = memory.load(v, "v of attention");
    std::vector<double> O, L, G, dQ, dK, dV;
    if (backward) {
      O = memory.load(o, "the result of attention");
      L = memory.load(stats, "the statistics of attention");
      G = memory.load(grad, "dy of attention");
      dQ.resize(Q.size());
      dK.resize(K.size());
      dV.resize(V.size());
    } else {
      O.resize(o.elements());
      L.resize(q.dims[0] * heads * rows);
    }
    double factor = scaled ? memory.number(scale) : 1;
    std::vector<double> S(q.dims[0] * heads * rows * keys);
    for (std::int64_t row = 0; row < q.dims[0] * heads * rows; ++row) {
      std::int64_t b = row / (heads * rows), h = row / rows % heads, first = (b * k.dims[1] + h / (heads / k.dims[1])) * keys * depth;
      for (std::int64_t s = 0; s < keys; ++s) {
        double score = 0;
        for (std::int64_t d = 0; d < depth; ++d)
          score += Q[row * depth + d] * K[first + s * depth + d];
        S[row * keys + s] = score * factor;
      }
    }
    for (const std::shared_ptr<Modifier> &modifier : modifiers)
      S = modifier->apply(std::move(S), memory);
    std::vector<double> p(keys);
    for (std::int64_t b = 0; b < q.dims[0]; ++b)
      for (std::int64_t h = 0; h < heads; ++h)
        for (std::int64_t t = 0; t < rows; ++t) {
          std::int64_t row = (b * heads + h) * rows + t;
          const double *query = &Q[row * depth];
          std::int64_t kFirst = (b * k.dims[1] + h / (heads / k.dims[1])) * keys * depth, vFirst = (b * v.dims[1] + h / (heads / v.dims[1])) * keys * width;
          double most = -INFINITY, sum = 0;
          for (std::int64_t s = 0; s < keys; ++s) {
            p[s] = S[row * keys + s];
            most = std::max(most, p[s]);
          }
          if (!backward) {
            for (double &weight : p)
              sum += weight = std::exp(weight - most);
            L[row] = most + std::log(sum);
            for (std::int64_t s = 0; s < keys; ++s)
              for (std::int64_t e = 0; e < width; ++e)
                O[row * width + e] += p[s] / sum * V[vFirst + s * width + e];
            continue;
          }
          double delta = 0;
          for (std::int64_t e = 0; e < width; ++e)
            delta += G[row * width + e] * O[row * width + e];
          for (std::int64_t s = 0; s < keys; ++s) {
            double weight = std::exp(p[s] - L[row]), slope = 0;
            for (std::int64_t e = 0; e < width; ++e) {
              slope += G[row * width + e] * V[vFirst + s * width + e];
              dV[vFirst + s * width + e] += weight * G[row * width + e];
            }
            slope = weight * (slope - delta) * factor;
            for (std::int64_t d = 0; d < depth; ++d) {
              dQ[row * depth + d] += slope * K[kFirst + s * depth + d];
              dK[kFirst + s * depth + d] += slope * query[d];
            }
          }
        }
    return backward ? std::vector{dQ, dK, dV} : std::vector{O, L};
  }
};

} // namespace

cudnnStatus_t raf::sim::dnn::finalizeAttention(Descriptor &desc) {
  auto op = std::make_shared<Attention>();
  op->backward = desc.type == CUDNN_BACKEND_OPERATION_SDPA_BWD_DESCRIPTOR;
  auto name = [&](int forward, int backward) { return op->backward ? backward : forward; };
  Tensor dq, dk, dv;
  int stats = name(CUDNN_ATTR_OPERATION_SDPA_FWD_STATSDESC, CUDNN_ATTR_OPERATION_SDPA_BWD_STATSDESC);
  int scale = name(CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC, CUDNN_ATTR_OPERATION_SDPA_BWD_SCALEDESC);
  if (!desc.has(stats))
    return unsupported("attention without statistics");
  Reader reader(desc);
  reader.tensor(name(CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC, CUDNN_ATTR_OPERATION_SDPA_BWD_QDESC), op->q)
      .tensor(name(CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC, CUDNN_ATTR_OPERATION_SDPA_BWD_KDESC), op->k)
      .tensor(name(CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC, CUDNN_ATTR_OPERATION_SDPA_BWD_VDESC), op->v)
      .tensor(name(CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC, CUDNN_ATTR_OPERATION_SDPA_BWD_ODESC), op->o)
      .tensor(stats, op->stats)
      .tensor(scale, op->scale, /*optional=*/true);
  if (op->backward)
    reader.tensor(CUDNN_ATTR_OPERATION_SDPA_BWD_DODDESC, op->grad)
        .tensor(CUDNN_ATTR_OPERATION_SDPA_BWD_DQDESC, dq)
        .tensor(CUDNN_ATTR_OPERATION_SDPA_BWD_DKDESC, dk)
        .tensor(CUDNN_ATTR_OPERATION_SDPA_BWD_DVDESC, dv);
  if (reader.status() != CUDNN_STATUS_SUCCESS)
    return reader.status();
  op->scaled = desc.has(scale);
  const std::vector<std::int64_t> &q = op->q.dims, &k = op->k.dims, &v = op->v.dims;
  if (q.size() != 4 || k.size() != 4 || v.size() != 4)
    return wrong("the tensors of attention have four dimensions");
  std::vector<std::int64_t> o = {q[0], q[1], q[2], v[3]}, s = {q[0], q[1], q[2], 1};
  if (k[0] != q[0] || v[0] != q[0] || q[1] % k[1] || q[1] % v[1] || k[2] != v[2] || k[3] != q[3] || op->o.dims != o || op->stats.dims != s)
    return wrong("the tensors of attention do not fit together");
  if (op->backward && (op->grad.dims != o || dq.dims != q || dk.dims != k || dv.dims != v))
    return wrong("a gradient of attention does not have the dimensions of its tensor");
  for (const Tensor *tensor : {&op->q, &op->k, &op->v, &op->o})
    if ((tensor->type != Element::BF16 && tensor->type != Element::F16) || tensor->type != op->q.type)
      return unsupported("attention on other types than half or bfloat16");
  for (const Tensor *tensor : {&op->grad, &dq, &dk, &dv})
    if (op->backward && tensor->type != op->q.type)
      return unsupported("gradients of attention of another type");
  if (op->stats.type != Element::F32 || !op->stats.packed(false))
    return unsupported("the statistics of attention must be packed floats");
  if (op->scaled && (op->scale.type != Element::F32 || op->scale.dims != std::vector<std::int64_t>(4, 1)))
    return wrong("the scale of attention is one float");
  op->inputs = {op->q, op->k, op->v};
  if (op->backward)
    op->inputs.insert(op->inputs.end(), {op->o, op->stats, op->grad});
  if (op->scaled)
    op->inputs.push_back(op->scale);
  int modified = name(CUDNN_ATTR_OPERATION_SDPA_FWD_SUBGRAPH, CUDNN_ATTR_OPERATION_SDPA_BWD_SUBGRAPH);
  int input = name(CUDNN_ATTR_OPERATION_SDPA_FWD_SUBGRAPH_INPUT_UID, CUDNN_ATTR_OPERATION_SDPA_BWD_SUBGRAPH_INPUT_UID);
  int output = name(CUDNN_ATTR_OPERATION_SDPA_FWD_SUBGRAPH_OUTPUT_UID, CUDNN_ATTR_OPERATION_SDPA_BWD_SUBGRAPH_OUTPUT_UID);
  if (desc.has(modified) != desc.has(input) || desc.has(modified) != desc.has(output))
    return wrong("a graph on scores comes with the ids of its first and its last tensor");
  if (desc.has(modified)) {
    Descriptor *graph = desc.held(modified, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    if (!graph)
      return wrong("attention without a final graph on scores");
    if (cudnnStatus_t status = readModifiers(*graph, desc.number(input), desc.number(output), {q[0], q[1], q[2], k[2]}, op->modifiers, op->inputs); status != CUDNN_STATUS_SUCCESS)
      return status;
  }
  op->outputs = op->backward ? std::vector{dq, dk, dv} : std::vector{op->o, op->stats};
  desc.operation = op;
  return CUDNN_STATUS_SUCCESS;
}
