// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scaled dot-product attention of cuDNN as one operation, which it has from 9.13 on, and its gradient, from 9.17 on. What is done to the
// scores, from 9.21 on, is a graph of its own.
#include "core/PlanChecks.h"
#include "cuda/CudnnGraph.h"

#include <cmath>

using namespace raf::rt;
using namespace raf::rt::cuda;
using namespace raf::rt::plan;

namespace {

constexpr size_t kStatistics = 4; // among the buffers
constexpr std::size_t kModifiesScores = 92100; // the library's version

class AttentionRequest : public Request {
public:
  AttentionRequest(CudnnAttention given, bool backward) : attention(std::move(given)), backward(backward) {
    const Tensor &q = attention.q, &k = attention.k, &v = attention.v, &out = attention.out;
    for (auto [name, tensor] : {std::pair("q", &q), std::pair("k", &k), std::pair("v", &v), std::pair("out", &out)})
      checkTensor(*tensor, name, 4, 4);
    std::vector<int64_t> expected = {q.dims[0], q.dims[1], q.dims[2], v.dims[3]};
    if (k.dims[0] != q.dims[0] || v.dims[0] != q.dims[0] || k.dims[1] != v.dims[1] || q.dims[1] % k.dims[1] || k.dims[2] != v.dims[2] || k.dims[3] != q.dims[3] ||
        out.dims != expected)
      invalid("attention: q " + text(q.dims) + ", k " + text(k.dims) + ", v " + text(v.dims) + " and out " + text(out.dims) + " do not fit together");
    if (backward) {
      checkTensor(attention.gradient, "gradient", 4, 4);
      checkSameDims(attention.gradient, "gradient", out, "out");
    }
    if (attention.bias.present()) {
      const Tensor &bias = attention.bias;
      checkTensor(bias, "bias", 4, 4);
      bool fits = bias.dims[2] == q.dims[2] && bias.dims[3] == k.dims[2];
      for (int i : {0, 1})
        fits = fits && (bias.dims[i] == 1 || bias.dims[i] == q.dims[i]);
      if (!fits)
        invalid("attention: the bias " + text(bias.dims) + " cannot be added to scores " + text({q.dims[0], q.dims[1], q.dims[2], k.dims[2]}));
      if (bias.type != q.type)
        unsupported(std::string("cuDNN adds a bias of the type of q to scores, ") + typeName(q.type) + ", got " + typeName(bias.type));
    }
    if (attention.causal && q.dims[2] > k.dims[2])
      unsupported("causal attention of cuDNN is for as many keys as queries or more, got " + std::to_string(k.dims[2]) + " and " + std::to_string(q.dims[2]));
    if (!std::isfinite(attention.scale))
      invalid("attention: the scale is not finite");
    for (const Tensor *tensor : {&q, &k, &v, &out, backward ? &attention.gradient : &out}) {
      if ((tensor->type != Type::BF16 && tensor->type != Type::F16) || tensor->type != q.type)
        unsupported(std::string("attention of cuDNN is for one of bf16 and f16, got ") + typeName(tensor->type));
      if (tensor->strides[3] != 1)
        unsupported("attention of cuDNN wants heads that are contiguous, got strides " + text(tensor->strides));
    }
    for (const Tensor *tensor : {&q, &v})
      if (tensor->dims[3] % 8 || tensor->dims[3] > 128)
        unsupported("attention of cuDNN has heads of a multiple of 8 numbers and at most 128, got " + std::to_string(tensor->dims[3]));
  }

  std::vector<int64_t> bufferBytes() const override {
    std::vector<int64_t> bytes = {spanBytes(attention.q), spanBytes(attention.k), spanBytes(attention.v), spanBytes(attention.out), spanBytes(statistics())};
    if (backward) {
      bytes.push_back(spanBytes(attention.gradient));
      for (const Tensor *tensor : {&attention.q, &attention.k, &attention.v})
        bytes.push_back(spanBytes(dense(*tensor)));
    }
    if (attention.bias.present())
      bytes.push_back(spanBytes(attention.bias));
    return bytes;
  }

  /// Sums in f32 of what several blocks of rows add to.
  int64_t workspaceBytes() const override { return copiesBytes({&attention.q, &attention.k, &attention.v, &attention.out}); }

  std::unique_ptr<Plan> build(raf_rt_context *ctx, Device &device, int64_t workspace) const override {
    auto graph = std::make_unique<CudnnGraph>(ctx, device, (backward ? "cudnn.attention_grad " : "cudnn.attention ") + text(attention.q.dims) + " x " + text(attention.k.dims) + " " +
                                                               typeName(attention.q.type) + (attention.bias.present() ? " + bias" : "") + (attention.causal ? ", causal" : ""));
    if ((attention.bias.present() || attention.causal) && graph->version() < kModifiesScores)
      unsupported("attention with a bias or a mask needs cuDNN 9.21, this one is " + std::to_string(graph->version() / 10000) + "." + std::to_string(graph->version() / 100 % 100));
    using Name = cudnnBackendAttributeName_t;
    std::vector<std::pair<Name, Tensor>> operands = {
        {backward ? CUDNN_ATTR_OPERATION_SDPA_BWD_QDESC : CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC, attention.q},
        {backward ? CUDNN_ATTR_OPERATION_SDPA_BWD_KDESC : CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC, attention.k},
        {backward ? CUDNN_ATTR_OPERATION_SDPA_BWD_VDESC : CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC, attention.v},
        {backward ? CUDNN_ATTR_OPERATION_SDPA_BWD_ODESC : CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC, attention.out},
        {backward ? CUDNN_ATTR_OPERATION_SDPA_BWD_STATSDESC : CUDNN_ATTR_OPERATION_SDPA_FWD_STATSDESC, statistics()}};
    if (backward)
      operands.insert(operands.end(), {{CUDNN_ATTR_OPERATION_SDPA_BWD_DODDESC, attention.gradient},
                                       {CUDNN_ATTR_OPERATION_SDPA_BWD_DQDESC, dense(attention.q)},
                                       {CUDNN_ATTR_OPERATION_SDPA_BWD_DKDESC, dense(attention.k)},
                                       {CUDNN_ATTR_OPERATION_SDPA_BWD_DVDESC, dense(attention.v)}});
    std::vector<std::pair<Name, cudnnBackendDescriptor_t>> tensors;
    for (size_t i = 0; i < operands.size(); ++i)
      tensors.push_back({operands[i].first, graph->tensor(operands[i].second, i, i == kStatistics ? CudnnGraph::Use::Statistic : CudnnGraph::Use::Data)});
    tensors.push_back({backward ? CUDNN_ATTR_OPERATION_SDPA_BWD_SCALEDESC : CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC, graph->number(static_cast<float>(attention.scale), 4)});
    Scores scores = attention.bias.present() || attention.causal ? modifyScores(*graph, operands.size()) : Scores();
    auto type = backward ? CUDNN_BACKEND_OPERATION_SDPA_BWD_DESCRIPTOR : CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR;
    cudnnBackendDescriptor_t op = graph->make(type, [&](cudnnBackendDescriptor_t desc) {
      for (auto [name, tensor] : tensors)
        graph->set(desc, name, tensor);
      if (!scores.graph)
        return;
      graph->set(desc, backward ? CUDNN_ATTR_OPERATION_SDPA_BWD_SUBGRAPH : CUDNN_ATTR_OPERATION_SDPA_FWD_SUBGRAPH, scores.graph);
      graph->set(desc, backward ? CUDNN_ATTR_OPERATION_SDPA_BWD_SUBGRAPH_INPUT_UID : CUDNN_ATTR_OPERATION_SDPA_FWD_SUBGRAPH_INPUT_UID, scores.input);
      graph->set(desc, backward ? CUDNN_ATTR_OPERATION_SDPA_BWD_SUBGRAPH_OUTPUT_UID : CUDNN_ATTR_OPERATION_SDPA_FWD_SUBGRAPH_OUTPUT_UID, scores.output);
    });
    graph->plan({op}, operands.size() + attention.bias.present(), workspace, {}, backward ? CudaKind::AttentionBackward : CudaKind::AttentionForward, encode(attention, workspace));
    return graph;
  }

private:
  /// What is done to the scores after they are scaled.
  struct Scores {
    cudnnBackendDescriptor_t graph = nullptr;
    int64_t input = 0, output = 0;
  };

  Scores modifyScores(CudnnGraph &graph, int64_t biasBuffer) const {
    Tensor like = Tensor::dense(Type::F32, {attention.q.dims[0], attention.q.dims[1], attention.q.dims[2], attention.k.dims[2]});
    std::vector<cudnnBackendDescriptor_t> operations;
    cudnnBackendDescriptor_t value = graph.between(like);
    Scores result;
    result.input = result.output = graph.lastId();
    if (attention.bias.present()) {
      cudnnBackendDescriptor_t bias = graph.tensor(attention.bias, biasBuffer), next = graph.between(like);
      result.output = graph.lastId();
      operations.push_back(graph.pointwise(CUDNN_POINTWISE_ADD, value, bias, next));
      value = next;
    }
    if (attention.causal) {
      // Kept are the keys s <= t + shift.
      cudnnBackendDescriptor_t shift = graph.number(static_cast<std::int32_t>(attention.k.dims[2] - attention.q.dims[2]), 4), fill = graph.number(-INFINITY, 4), next = graph.between(like);
      result.output = graph.lastId();
      operations.push_back(graph.make(CUDNN_BACKEND_OPERATION_DIAGONAL_BAND_MASK_DESCRIPTOR, [&](cudnnBackendDescriptor_t desc) {
        cudnnPointwiseMode_t comparison = CUDNN_POINTWISE_CMP_GE;
        graph.set(desc, CUDNN_ATTR_OPERATION_DIAGONAL_BAND_MASK_XDESC, value);
        graph.set(desc, CUDNN_ATTR_OPERATION_DIAGONAL_BAND_MASK_SHIFT_RIGHT_BOUND_DESC, shift);
        graph.set(desc, CUDNN_ATTR_OPERATION_DIAGONAL_BAND_MASK_BDESC, fill);
        graph.set(desc, CUDNN_ATTR_OPERATION_DIAGONAL_BAND_MASK_YDESC, next);
        graph.set(desc, CUDNN_ATTR_OPERATION_DIAGONAL_BAND_MASK_COMPARISON_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &comparison);
      }));
    }
    result.graph = graph.graph(operations);
    return result;
  }

  static Tensor dense(const Tensor &tensor) { return Tensor::dense(tensor.type, tensor.dims); }
  Tensor statistics() const { return Tensor::dense(Type::F32, {attention.q.dims[0], attention.q.dims[1], attention.q.dims[2], 1}); }

  CudnnAttention attention;
  bool backward;
};

} // namespace

std::unique_ptr<Request> raf::rt::cuda::checkAttention(CudnnAttention request, CudaKind kind) {
  return std::make_unique<AttentionRequest>(std::move(request), kind == CudaKind::AttentionBackward);
}
