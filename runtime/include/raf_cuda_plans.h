// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The encoding of plans for CUDA's libraries, in the words of raf_dnnl.h (whose Tensor, Writer and Reader it uses): the
// compiler encodes, the runtime decodes. Every plan names its buffers; the workspace comes last, always.
#ifndef RAF_CUDA_PLANS_H
#define RAF_CUDA_PLANS_H

#include "raf_dnnl.h"

namespace raf::rt::plan {

/// Beside the kinds of oneDNN, so that a number says which library is meant: products are cuBLASLt's, collectives NCCL's, the
/// others cuDNN's.
enum class CudaKind : int64_t {
  Matmul = 101,
  ConvForward = 102,
  ConvBackwardData = 103,
  ConvBackwardWeights = 104,
  BatchNormForward = 105,
  BatchNormBackward = 106,
  PoolForward = 107,
  PoolBackward = 108,
  AttentionForward = 109,
  Collective = 110,
  AttentionBackward = 111,
};

enum class Activation : int64_t {
  None = 0,
  Relu = 1, // max(x, 0)
  Gelu = 2, // the tanh approximation
};

/// What a product also sums up into the bias buffer.
enum class BiasGradient : int64_t {
  None = 0,
  OfResult = 1, // the result over its rows: [N]; with an activation gradient only
  OfRhs = 2,    // b over K: [N]
  OfLhs = 3,    // a over K: [M]
};

/// A product of cuBLASLt. a: [batch..., M, K], b: [batch..., K, N], c: [batch..., M, N], all of one rank >= 2; a batch dim of
/// a or b may be 1 (broadcast). c is contiguous along N, or, without bias, activation and bias gradient, along M.
///   c = activation(alpha * a * b + beta * c + bias), or with `addend` beta times a buffer of its own that lies as c does
///   with `gradient`: c = (alpha * a * b) * activation'(what the forward product kept in aux)
/// bias: [N] (or [M], see BiasGradient), the type of c; read in a forward product, written with a bias gradient.
/// aux: an opaque buffer of auxBytes(). The forward product writes it if `aux`, a gradient reads it.
/// a and b of 8 bits, each contiguous along K, stand for themselves times one f32 in a buffer of its own, if `scaleA` and `scaleB`.
/// Buffers: a, b, c, bias if present, aux if `aux` or `gradient`, addend if `addend`, scale of a if `scaleA`, scale of b if
/// `scaleB`, workspace.
struct CublasMatmul {
  Tensor a, b, c, bias;
  double alpha = 1, beta = 0;
  Activation activation = Activation::None;
  bool gradient = false;
  bool aux = false;
  bool addend = false;
  BiasGradient biasGradient = BiasGradient::None;
  /// f32 operands may be rounded to tf32 (10 bits of mantissa) on the way in.
  bool tf32 = false;
  bool scaleA = false, scaleB = false;

  static constexpr int64_t kA = 0, kB = 1, kC = 2, kBias = 3;
  bool hasAux() const { return aux || gradient; }
  int64_t auxBuffer() const { return 3 + bias.present(); }
  int64_t addendBuffer() const { return auxBuffer() + hasAux(); }
  int64_t scaleABuffer() const { return addendBuffer() + addend; }
  int64_t scaleBBuffer() const { return scaleABuffer() + scaleA; }
  int64_t workspaceBuffer() const { return scaleBBuffer() + scaleB; }

  /// Distance of two rows of aux in elements: bits for a relu, values of c's type for a gelu.
  int64_t auxRow() const {
    int64_t columns = c.dims.back(), unit = activation == Activation::Relu ? 128 : 8;
    return (columns + unit - 1) / unit * unit;
  }
  int64_t auxBytes() const {
    int64_t rows = 1;
    for (std::size_t i = 0; i + 1 < c.dims.size(); ++i)
      rows *= c.dims[i];
    int64_t bits = activation == Activation::Relu ? 1 : 8 * (c.type == Type::F32 ? 4 : 2);
    return rows * auxRow() * bits / 8;
  }

  template <class Archive> void fields(Archive &archive) {
    archive(a);
    archive(b);
    archive(c);
    archive(bias);
    archive(alpha);
    archive(beta);
    archive(activation);
    archive(gradient);
    archive(aux);
    archive(addend);
    archive(biasGradient);
    archive(tf32);
    archive(scaleA);
    archive(scaleB);
  }
};

/// A convolution of cuDNN: raf_dnnl.h's, with its buffers. The forward one may have a bias, then the sum with an operand of dst's
/// layout, then one of the activations Relu (NaN becomes 0), GeluErf, GeluTanh, Tanh, Logistic and Swish. Without these the result
/// may be f32 where what it is computed from is bf16 or f16.
struct CudnnConvolution {
  Convolution conv;
  /// f32 operands may be rounded to tf32 (10 bits of mantissa) on the way in.
  bool tf32 = false;

  template <class Archive> void fields(Archive &archive) {
    archive(conv);
    archive(tf32);
  }
};

/// Batch normalization in training. src, dst: [N, C, spatial...] of one type and layout; everything else is f32 [C].
/// rstd = 1 / sqrt(biased variance + epsilon).
///   BatchNormForward   buffers: src, scale, shift, dst, mean, rstd, workspace
///   BatchNormBackward  buffers: src, gradient of dst, scale, mean, rstd, gradient of src, gradient of scale, gradient of shift,
///                      workspace
struct CudnnBatchNorm {
  Tensor src, dst;
  double epsilon = 1e-5;

  template <class Archive> void fields(Archive &archive) {
    archive(src);
    archive(dst);
    archive(epsilon);
  }
};

// PoolForward and PoolBackward: raf_dnnl.h's Pooling with its buffers, without dilations. indices: one byte an element of dst,
// which lies as dst does.

/// softmax(scale * q k^T + bias) v, with `causal` without the scores s > t + (S - T), T <= S. bias (optional): [1 or B, 1 or H, T, S] of
/// the type of q. q: [B, H, T, D], k: [B, G, S, D], v: [B, G, S, E], out: [B, H, T, E], H a multiple of G, of one
/// 16-bit type and each with its strides; statistics: f32 [B, H, T], the logarithm of the sum of e^score over a row.
///   AttentionForward   buffers: q, k, v, out, statistics, bias if present, workspace
///   AttentionBackward  buffers: q, k, v, out, statistics, gradient of out, gradients of q, k and v, bias if present, workspace. The gradients of
///                      q, k and v lie as dense tensors, that of out as `gradient`.
struct CudnnAttention {
  Tensor q, k, v, out, gradient, bias;
  double scale = 1;
  bool causal = false;

  template <class Archive> void fields(Archive &archive) {
    archive(q);
    archive(k);
    archive(v);
    archive(out);
    archive(gradient);
    archive(bias);
    archive(scale);
    archive(causal);
  }
};

enum class CollectiveOp : int64_t {
  AllReduce = 1,     // out = reduction over the ranks of in
  AllGather = 2,     // out: the inputs of all ranks behind each other
  ReduceScatter = 3, // out: this rank's part of the reduction; in has `ranks` parts
  Broadcast = 4,     // out = the in of rank `peer`; only there in is read
  AllToAll = 5,      // part r of in goes to rank r, whose out has it at this rank's place
  Send = 6,          // in goes to rank `peer`, which receives it
  Receive = 7,       // out comes from rank `peer`
};

/// Mean divides the sum by the number of ranks.
enum class Reduction : int64_t { Sum = 1, Product = 2, Max = 3, Min = 4, Mean = 5 };

/// A collective of NCCL, on the ranks of raf_rt_cuda_join. All ranks execute the same ones in the same order.
/// `elements`: of in, or of out for Receive. Buffers: in (NULL for Receive), out (NULL for Send), workspace (empty). in and out
/// may be one buffer for AllReduce, Broadcast.
struct Collective {
  CollectiveOp op = CollectiveOp::AllReduce;
  Type type = Type::F32;
  Reduction reduction = Reduction::Sum;
  int64_t elements = 0;
  int64_t ranks = 1;
  int64_t peer = 0;

  template <class Archive> void fields(Archive &archive) {
    archive(op);
    archive(type);
    archive(reduction);
    archive(elements);
    archive(ranks);
    archive(peer);
  }
};

} // namespace raf::rt::plan

#endif
