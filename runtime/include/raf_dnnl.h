// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The encoding of oneDNN plans as flat int64 words, shared by the compiler (which encodes) and the runtime (which decodes).
// One `fields` function a struct serves both directions, so the two sides cannot disagree.
//
//   words = [ kSchema, planned workspace bytes or -1, fields of the plan ... ]
//   vector = [ length, elements ... ]      double = its 64 bits      enum, bool = its value
//
// Tensors are described by logical dims and strides in elements, so that a layout (NCHW or NHWC, transposed, a view of
// split heads) is only a choice of strides; see Tensor::dense, channelsLast and permuted. Dims are at least 1; strides are
// positive and no two elements share an address. A dim of 1 may have any stride. The operands of a product and what is
// reordered may begin `offset` elements into their buffer. Weights may also be packed: a blocked
// layout of oneDNN, which a Reorder has brought them into for all plans that want it (raf_rt_dnnl_packed says which).
//
// Every plan names its buffers by the static constants and functions of its struct; the workspace comes last, always.
#ifndef RAF_DNNL_H
#define RAF_DNNL_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace raf::rt::plan {

constexpr int64_t kSchema = 3;
constexpr int64_t kHeaderWords = 2;
constexpr int64_t kWorkspaceWord = 1;
constexpr int64_t kMaxRank = 12;
constexpr int64_t kMaxPostOps = 16;

enum class Kind : int64_t {
  Matmul = 1,
  ConvForward = 2,
  ConvBackwardData = 3,
  ConvBackwardWeights = 4,
  PoolForward = 5,
  PoolBackward = 6,
  BatchNormForward = 7,
  BatchNormBackward = 8,
  Reorder = 9,
};

/// F64 has a number so that a request for it is answered by "unsupported", not by "bad words".
enum class Type : int64_t { F32 = 1, F64 = 2, BF16 = 3, F16 = 4, I32 = 5, I8 = 6, U8 = 7, F8E4M3 = 8, F8E5M2 = 9 };

/// x is the value so far, starting with the result of the matmul or convolution plus bias.
enum class PostOpKind : int64_t {
  Relu = 1,      // x > 0 ? x : alpha * x, so NaN stays NaN (as does -infinity times an alpha of 0)
  GeluErf = 2,   // x * (1 + erf(x / sqrt 2)) / 2
  GeluTanh = 3,  // the tanh approximation
  Tanh = 4,      //
  Logistic = 5,  // 1 / (1 + exp(-x))
  Swish = 6,     // x * logistic(alpha * x)
  Linear = 7,    // alpha * x + beta: output scale is Linear with beta 0
  Clip = 8,      // min(max(x, alpha), beta)
  Elu = 9,       // x > 0 ? x : alpha * (exp(x) - 1)
  HardSwish = 10, // x * min(max(alpha * x + beta, 0), 1)
  Add = 20,      // x + operand
  Sub = 21,      // x - operand
  Mul = 22,      // x * operand
  Sum = 30,      // x + alpha * (what the output buffer held); convolutions take it as the first post-op
};

inline bool isBinary(PostOpKind kind) { return kind == PostOpKind::Add || kind == PostOpKind::Sub || kind == PostOpKind::Mul; }

/// Whether the runtime may keep an operand in the library's own layout inside, paying a reorder in each execute.
/// Auto follows a measured rule; see runtime/README.md.
enum class Internal : int64_t { Auto = 0, Plain = 1, Any = 2 };

class Writer {
public:
  std::vector<int64_t> words;

  void operator()(const int64_t &value) { words.push_back(value); }
  void operator()(const bool &value) { words.push_back(value); }
  void operator()(const double &value) {
    int64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    words.push_back(bits);
  }
  template <class T> void operator()(const std::vector<T> &values) {
    words.push_back(static_cast<int64_t>(values.size()));
    for (const T &value : values)
      (*this)(value);
  }
  template <class T> void operator()(const T &value) {
    if constexpr (__is_enum(T))
      words.push_back(static_cast<int64_t>(value));
    else
      const_cast<T &>(value).fields(*this);
  }
};

class Reader {
public:
  Reader(const int64_t *words, int64_t count) : next(words), end(words + count) {}

  /// True when every word was there and none is left.
  bool complete() const { return good && next == end; }

  void operator()(int64_t &value) { value = take(); }
  void operator()(bool &value) { value = take() != 0; }
  void operator()(double &value) {
    int64_t bits = take();
    __builtin_memcpy(&value, &bits, sizeof bits);
  }
  template <class T> void operator()(std::vector<T> &values) {
    int64_t length = take();
    // Each element takes at least one word, so a length beyond the words left is wrong (and must not be allocated).
    if (length < 0 || length > end - next)
      good = false;
    for (int64_t i = 0; good && i < length; ++i) {
      values.emplace_back();
      (*this)(values.back());
    }
  }
  template <class T> void operator()(T &value) {
    if constexpr (__is_enum(T))
      value = static_cast<T>(take());
    else
      value.fields(*this);
  }

private:
  int64_t take() {
    if (!good || next == end) {
      good = false;
      return 0;
    }
    return *next++;
  }

  const int64_t *next, *end;
  bool good = true;
};

/// Logical dims and strides in elements. No dims: the tensor is absent. Packed: dim blockDims[i] is cut in blocks of blocks[i],
/// the last of them innermost, and strides are those between whole blocks.
struct Tensor {
  Type type = Type::F32;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;
  std::vector<int64_t> blocks = {}, blockDims = {};
  int64_t offset = 0;

  template <class Archive> void fields(Archive &archive) {
    archive(type);
    archive(dims);
    archive(strides);
    archive(blocks);
    archive(blockDims);
    archive(offset);
  }

  bool present() const { return !dims.empty(); }
  bool packed() const { return !blocks.empty(); }

  /// Row-major.
  static Tensor dense(Type type, std::vector<int64_t> dims) {
    std::vector<int64_t> strides(dims.size(), 1);
    for (std::size_t i = dims.size(); i-- > 1;)
      strides[i - 1] = strides[i] * dims[i];
    return {type, static_cast<std::vector<int64_t> &&>(dims), static_cast<std::vector<int64_t> &&>(strides)};
  }

  /// Logical dims N, C, spatial...; memory N, spatial..., C.
  static Tensor channelsLast(Type type, std::vector<int64_t> dims) {
    std::vector<int64_t> strides(dims.size(), 1);
    int64_t step = dims.size() > 1 ? dims[1] : 1;
    for (std::size_t i = dims.size(); i-- > 2;) {
      strides[i] = step;
      step *= dims[i];
    }
    if (!strides.empty())
      strides[0] = step;
    return {type, static_cast<std::vector<int64_t> &&>(dims), static_cast<std::vector<int64_t> &&>(strides)};
  }

  /// The view whose dim i is this tensor's dim order[i].
  Tensor permuted(const std::vector<int64_t> &order) const {
    Tensor result{type, {}, {}};
    for (int64_t from : order) {
      result.dims.push_back(dims[from]);
      result.strides.push_back(strides[from]);
    }
    return result;
  }
};

struct PostOp {
  PostOpKind kind = PostOpKind::Relu;
  double alpha = 0;
  double beta = 0;
  /// Of the binary kinds: the rank of the output, each dim that of the output or 1 (broadcast).
  Tensor operand;

  template <class Archive> void fields(Archive &archive) {
    archive(kind);
    archive(alpha);
    archive(beta);
    archive(operand);
  }
};

inline int64_t binaryCount(const std::vector<PostOp> &postOps) {
  int64_t count = 0;
  for (const PostOp &op : postOps)
    count += isBinary(op.kind);
  return count;
}

/// c = postOps(a * b + bias) over batch dims. a: [..., M, K], b: [..., K, N], c: [..., M, N], all of one rank >= 2; a batch
/// dim of a or b may be 1 (broadcast). bias (optional): the rank of c, each dim that of c or 1. A packed b is [K, N], whatever the
/// rank of c: all rows of a are multiplied by it.
/// Buffers: a, b, c, bias if present, operands of the binary post-ops in order, workspace.
struct Matmul {
  Tensor a, b, c, bias;
  std::vector<PostOp> postOps;
  /// Whether b is repacked in the workspace before each product.
  Internal packB = Internal::Auto;

  static constexpr int64_t kA = 0, kB = 1, kC = 2, kBias = 3;
  int64_t operandBuffer(int64_t binary) const { return 3 + bias.present() + binary; }
  int64_t workspaceBuffer() const { return operandBuffer(binaryCount(postOps)); }

  template <class Archive> void fields(Archive &archive) {
    archive(a);
    archive(b);
    archive(c);
    archive(bias);
    archive(postOps);
    archive(packB);
  }
};

/// Convolution with 1 to 3 spatial dims. src: [N, C, spatial...], weights: [O, C / groups, window...], dst: [N, O, spatial...]
/// and bias: [O] (optional); dilation 1 is a dense window. weights may be packed, of one group; those that are read may be f32
/// beside src and dst of 16 bits, to which they are rounded. The tensors mean the same in all three kinds:
///   ConvForward          dst = postOps(conv(src, weights) + bias)
///                        buffers: src, weights, dst, bias if present, operands of the post-ops, workspace
///   ConvBackwardData     src is the gradient computed from dst, the gradient given; no bias, no post-ops
///                        buffers: dst, weights, src, workspace
///   ConvBackwardWeights  weights (and bias, if present) are the gradients computed from src and the gradient dst; no post-ops
///                        buffers: src, dst, weights, bias if present, workspace
struct Convolution {
  Tensor src, weights, dst, bias;
  int64_t groups = 1;
  std::vector<int64_t> strides, dilations, padBegin, padEnd;
  std::vector<PostOp> postOps;
  /// Whether src and dst may be held in the library's layout inside (weights always may).
  Internal activations = Internal::Auto;

  static constexpr int64_t kFirst = 0, kSecond = 1, kResult = 2, kBias = 3;
  int64_t operandBuffer(int64_t binary) const { return 3 + bias.present() + binary; }
  int64_t workspaceBuffer() const { return operandBuffer(binaryCount(postOps)); }

  template <class Archive> void fields(Archive &archive) {
    archive(src);
    archive(weights);
    archive(dst);
    archive(bias);
    archive(groups);
    archive(strides);
    archive(dilations);
    archive(padBegin);
    archive(padEnd);
    archive(postOps);
    archive(activations);
  }
};

/// AverageInside divides by the number of elements of the window inside the input, AverageWindow by the window's size.
enum class PoolMode : int64_t { Max = 1, AverageInside = 2, AverageWindow = 3 };

/// Pooling with 1 to 3 spatial dims. src: [N, C, spatial...], dst: [N, C, spatial...]; dilation 1 is a dense window.
///   PoolForward   buffers: src, dst, indices if `indices`, workspace
///   PoolBackward  src is the gradient computed from dst, the gradient given
///                 buffers: dst, indices if `indices`, src, workspace
/// `indices` (an opaque buffer, see raf_rt_dnnl_buffers) exists in maximum pooling only: required in the backward plan,
/// optional in the forward one. The first of equal elements, in memory order of the window, takes the gradient.
struct Pooling {
  PoolMode mode = PoolMode::Max;
  Tensor src, dst;
  std::vector<int64_t> window, strides, dilations, padBegin, padEnd;
  bool indices = false;

  int64_t workspaceBuffer() const { return 2 + indices; }
  static constexpr int64_t kForwardSrc = 0, kForwardDst = 1, kForwardIndices = 2;
  static constexpr int64_t kBackwardDst = 0, kBackwardIndices = 1;
  int64_t backwardSrc() const { return 1 + indices; }

  template <class Archive> void fields(Archive &archive) {
    archive(mode);
    archive(src);
    archive(dst);
    archive(window);
    archive(strides);
    archive(dilations);
    archive(padBegin);
    archive(padEnd);
    archive(indices);
  }
};

/// Batch normalization in training. src, dst: [N, C, spatial...] of one type and layout; scale, shift, mean, variance and
/// their gradients: f32 [C]. variance is the biased one. With `relu` the result is max(0, .) and `mask` an opaque buffer; a
/// channel whose statistics, scale or shift are NaN is NaN.
///   BatchNormForward   buffers: src, scale, shift, dst, mean, variance, mask if `relu`, workspace
///   BatchNormBackward  buffers: src, mean, variance, gradient of dst, scale, gradient of src, gradient of scale,
///                      gradient of shift, mask if `relu`, workspace
/// The gradient of src may be in the buffer of the gradient of dst.
struct BatchNorm {
  Tensor src, dst;
  double epsilon = 1e-5;
  bool relu = false;

  static constexpr int64_t kForwardMask = 6, kBackwardMask = 8;
  int64_t forwardWorkspace() const { return 6 + relu; }
  int64_t backwardWorkspace() const { return 8 + relu; }

  template <class Archive> void fields(Archive &archive) {
    archive(src);
    archive(dst);
    archive(epsilon);
    archive(relu);
  }
};

/// dst = src, with other strides, packed or of another type. Buffers: src, dst, workspace.
struct Reorder {
  Tensor src, dst;

  int64_t workspaceBuffer() const { return 2; }

  template <class Archive> void fields(Archive &archive) {
    archive(src);
    archive(dst);
  }
};

/// `workspace` is what raf_rt_dnnl_workspace answered for these words, when the caller plans memory with it: a plan that needs
/// more where it is loaded (another number of threads) then brings its own. -1: the caller passes enough.
template <class Plan> std::vector<int64_t> encode(const Plan &plan, int64_t workspace = -1) {
  Writer writer;
  writer(kSchema);
  writer(workspace);
  writer(plan);
  return static_cast<std::vector<int64_t> &&>(writer.words);
}

/// False when the words do not have exactly the shape of this plan. Values are not checked.
template <class Plan> bool decode(const int64_t *words, int64_t count, Plan &plan, int64_t &workspace) {
  if (!words || count < kHeaderWords)
    return false;
  Reader reader(words, count);
  int64_t schema = 0;
  reader(schema);
  reader(workspace);
  reader(plan);
  return schema == kSchema && reader.complete();
}

} // namespace raf::rt::plan

#endif
