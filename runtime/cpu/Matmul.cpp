// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products. The request is first brought into the form that oneDNN's fast kernels take (row-major result, few batch
// dims, bias along N), by renaming dims only; what still does not fit is copied through the workspace.
#include "cpu/Descs.h"

#include <algorithm>
#include <cmath>

using namespace raf::rt;
using namespace raf::rt::plan;

namespace {

void check(const Matmul &matmul) {
  checkPart(matmul.a, "a", 2, kMaxRank);
  if (matmul.b.packed())
    checkWeights(matmul.b, "b", 2, 2);
  else
    checkPart(matmul.b, "b", 2, kMaxRank);
  checkTensor(matmul.c, "c", 2, kMaxRank);
  size_t rank = matmul.c.dims.size();
  const auto &a = matmul.a.dims, &c = matmul.c.dims;
  auto b = matmul.b.dims;
  if (matmul.b.packed() && rank > 2)
    b.insert(b.begin(), rank - 2, 1);
  bool fits = a.size() == rank && b.size() == rank && a[rank - 2] == c[rank - 2] && b[rank - 1] == c[rank - 1] &&
              a[rank - 1] == b[rank - 2];
  for (size_t i = 0; fits && i + 2 < rank; ++i)
    fits = (a[i] == c[i] || a[i] == 1) && (b[i] == c[i] || b[i] == 1);
  if (!fits)
    invalid("matmul: a " + text(a) + " times b " + text(b) + " is not c " + text(c));
  if (matmul.bias.present()) {
    checkTensor(matmul.bias, "bias", rank, rank);
    checkBroadcast(matmul.bias, "bias", matmul.c);
  }
  checkPostOps(matmul.postOps, matmul.c);
  if (matmul.packB < Internal::Auto || matmul.packB > Internal::Any)
    invalid("matmul: unknown packing " + std::to_string(static_cast<int64_t>(matmul.packB)));
}

/// The bias as the first post-op, unless it runs along N only. `bias` then keeps the buffer that it had.
bool biasAlongColumns(const Matmul &matmul) {
  const auto &dims = matmul.bias.dims;
  return std::all_of(dims.begin(), dims.end() - 1, [](int64_t dim) { return dim == 1; }) &&
         dims.back() == matmul.c.dims.back();
}

template <class Function> void eachTensor(Matmul &matmul, Function function) {
  function(matmul.a);
  function(matmul.b);
  function(matmul.c);
  if (matmul.bias.present())
    function(matmul.bias);
  for (PostOp &op : matmul.postOps)
    if (op.operand.present())
      function(op.operand);
}

template <class Function> bool allElementwise(const Matmul &matmul, Function function) {
  bool result = function(matmul.c) && (!matmul.bias.present() || function(matmul.bias));
  for (const PostOp &op : matmul.postOps)
    result = result && (!op.operand.present() || function(op.operand));
  return result;
}

void dropDim(Tensor &tensor, size_t dim) {
  tensor.dims.erase(tensor.dims.begin() + dim);
  tensor.strides.erase(tensor.strides.begin() + dim);
}

/// Whether dims `outer` and `inner` of the tensor can be walked as one.
bool mergeable(const Tensor &tensor, size_t outer, size_t inner) {
  if (tensor.dims[outer] == 1 || tensor.dims[inner] == 1)
    return tensor.dims[outer] == tensor.dims[inner];
  return tensor.strides[outer] == tensor.strides[inner] * tensor.dims[inner];
}

void merge(Tensor &tensor, size_t outer, size_t inner) {
  tensor.dims[inner] *= tensor.dims[outer];
  dropDim(tensor, outer);
}

/// (A B)^T = B^T A^T: a result that is contiguous along M becomes one that is contiguous along N.
void transpose(Matmul &matmul) {
  size_t m = matmul.c.dims.size() - 2;
  auto swap = [&](Tensor &tensor) {
    std::swap(tensor.dims[m], tensor.dims[m + 1]);
    std::swap(tensor.strides[m], tensor.strides[m + 1]);
  };
  eachTensor(matmul, swap);
}

struct Problem : Matmul {
  bool swapped = false;   // a and b of the request changed places
  bool biasFirst = false; // the bias has become the first post-op
};

Problem simplify(const Matmul &request) {
  Problem problem{request};
  if (request.b.packed()) { // its place is taken by a plain tensor of those dims
    problem.b = Tensor::dense(request.b.type, request.b.dims);
    problem.b.dims.insert(problem.b.dims.begin(), problem.c.dims.size() - 2, 1);
    problem.b.strides.insert(problem.b.strides.begin(), problem.c.dims.size() - 2, 1);
  }
  size_t m = problem.c.dims.size() - 2;
  const Tensor &c = problem.c;
  bool alongRows = c.strides[m] == 1 && c.dims[m] > 1 && (c.strides[m + 1] != 1 || c.dims[m + 1] == 1);
  if (alongRows && c.dims[m + 1] > 1) {
    transpose(problem);
    std::swap(problem.a, problem.b);
    problem.swapped = true;
  }

  // Batch dims of 1 go; neighbours that every tensor walks as one are merged.
  for (size_t dim = problem.c.dims.size() - 2; dim-- > 0;)
    if (problem.c.dims[dim] == 1)
      eachTensor(problem, [&](Tensor &tensor) { dropDim(tensor, dim); });
  for (size_t dim = problem.c.dims.size() - 2; dim-- > 1;) {
    auto fits = [&](const Tensor &tensor) { return mergeable(tensor, dim - 1, dim); };
    if (fits(problem.a) && fits(problem.b) && allElementwise(problem, fits))
      eachTensor(problem, [&](Tensor &tensor) { merge(tensor, dim - 1, dim); });
  }

  // Without a batch of its own in b, the batch of a is more rows.
  while (problem.c.dims.size() > 2) {
    size_t batch = problem.c.dims.size() - 3;
    int64_t rows = problem.c.dims[batch + 1];
    auto fits = [&](const Tensor &tensor) { return rows == 1 || mergeable(tensor, batch, batch + 1); };
    bool ofA = problem.a.dims[batch] != 1 && fits(problem.a);
    if (problem.b.dims[batch] != 1 || !ofA || !allElementwise(problem, fits))
      break;
    dropDim(problem.b, batch);
    auto fold = [&](Tensor &tensor) {
      if (rows == 1)
        dropDim(tensor, batch + 1);
      else
        merge(tensor, batch, batch + 1);
    };
    fold(problem.a);
    fold(problem.c);
    if (problem.bias.present())
      fold(problem.bias);
    for (PostOp &op : problem.postOps)
      if (op.operand.present())
        fold(op.operand);
  }
  return problem;
}

/// Whether the rows of b lie on top of one another in the first cache: 4 KiB apart or a multiple of it, with a kernel that reads b where it is. oneDNN copies b by itself where the
/// distance is a power of two, and b of 16 bits always. A copy is worth it from some dozens of rows of a on (figures in runtime/README.md).
bool rowsCollide(const Problem &problem) {
  constexpr int64_t kPage = 4096 / sizeof(float), kRows = 64, kDepth = 128;
  const Tensor &b = problem.b;
  size_t m = b.dims.size() - 2;
  int64_t row = b.strides[m];
  return b.dims.size() == 2 && b.type == Type::F32 && b.strides[m + 1] == 1 && row % kPage == 0 && (row & (row - 1)) != 0 && problem.a.dims[m] >= kRows && b.dims[m] >= kDepth;
}

/// One way to run the product.
struct Choice {
  bool copyMatrices; // a, b and c through dense copies
  Operands operands;
  bool pack;
};

struct Candidate {
  dnnl::memory::desc a, b, c, bias;
  std::vector<Operand> operands;
  dnnl::matmul::primitive_desc desc;
  float scale = 1; // of a
};

bool isGemm(const dnnl::matmul::primitive_desc &desc) { return std::string(desc.impl_info_str()).rfind("gemm", 0) == 0; }

/// False if oneDNN has no fast implementation; `reason` then says why.
bool tryPostOps(const Problem &problem, const Choice &choice, float scale, Candidate &candidate, std::string &reason) {
  auto inside = [&](const Tensor &tensor) { return choice.copyMatrices ? Tensor::dense(tensor.type, tensor.dims) : tensor; };
  candidate.a = describeTensor(inside(problem.a));
  candidate.b = choice.pack ? describeAny(problem.b) : describeTensor(inside(problem.b));
  candidate.c = describeTensor(inside(problem.c));
  candidate.operands = operandsFor(problem.postOps, inside(problem.c), choice.operands);
  candidate.scale = scale;
  dnnl::primitive_attr attr = attributes(problem.postOps, candidate.operands);
  if (scale != 1)
    attr.set_scales_mask(DNNL_ARG_SRC, 0);
  try {
    if (problem.bias.present()) {
      candidate.bias = describeTensor(Tensor::dense(problem.bias.type, problem.bias.dims));
      candidate.desc =
          dnnl::matmul::primitive_desc(dnnlEngine(), candidate.a, candidate.b, candidate.bias, candidate.c, attr);
    } else {
      candidate.desc = dnnl::matmul::primitive_desc(dnnlEngine(), candidate.a, candidate.b, candidate.c, attr);
    }
  } catch (const dnnl::error &error) {
    reason = error.what();
    return false;
  }
  candidate.b = candidate.desc.weights_desc();
  if (isReference(candidate.desc)) {
    reason = "only a reference implementation";
    return false;
  }
  return true;
}

bool tryChoice(const Problem &problem, const Choice &choice, Candidate &candidate, std::string &reason) {
  if (!tryPostOps(problem, choice, 1, candidate, reason))
    return false;
  // gemm's kernels multiply by a number on the way, but go over the result once more for post-ops (runtime/README.md). They multiply an operand, so that a large scale might overflow where the
  // result would not, and a tiny one lose digits; and with a scale of 0 they read no operand, which may hold NaN.
  const auto &ops = problem.postOps;
  constexpr double kLeast = 0x1p-16;
  bool scaled = !ops.empty() && ops.front().kind == PostOpKind::Linear && ops.front().beta == 0 && !problem.bias.present();
  double scale = scaled ? std::abs(ops.front().alpha) : 0;
  if (!isGemm(candidate.desc) || !(scale >= kLeast && scale <= 1))
    return true;
  Problem rest = problem;
  rest.postOps.erase(rest.postOps.begin());
  Candidate multiplied;
  std::string unused;
  if (tryPostOps(rest, choice, static_cast<float>(ops.front().alpha), multiplied, unused) && isGemm(multiplied.desc))
    candidate = std::move(multiplied);
  return true;
}

Problem prepare(const Matmul &request) {
  check(request);
  Matmul prepared = request;
  bool biasFirst = prepared.bias.present() && !biasAlongColumns(prepared);
  auto addBiasFirst = [&](Matmul &to) {
    biasFirst = true;
    to.postOps.insert(to.postOps.begin(), PostOp{PostOpKind::Add, 0, 0, to.bias});
    to.bias = Tensor();
  };
  if (biasFirst)
    addBiasFirst(prepared);
  Problem problem = simplify(prepared);
  // Transposing may have turned a bias along N into one along M, which oneDNN only takes as a post-op.
  if (problem.swapped && problem.bias.present())
    addBiasFirst(problem);
  problem.biasFirst = biasFirst;
  return problem;
}

/// Whether b can be handed over packed: it is a matrix in the place where the primitive takes weights.
bool takesPacked(const Problem &problem) { return !problem.swapped && problem.b.dims.size() == 2; }

bool packsInside(const Problem &problem) {
  return problem.packB == Internal::Any || (problem.packB == Internal::Auto && rowsCollide(problem));
}

} // namespace

Tensor raf::rt::packedWeights(const Matmul &request) {
  Problem problem = prepare(request);
  if (request.b.packed() || !takesPacked(problem))
    return {};
  Candidate plain, packed;
  std::string reason;
  for (Operands operands : {Operands::AsTheyAre, Operands::LikeResult, Operands::Expanded}) {
    if (!tryChoice(problem, {false, operands, false}, plain, reason))
      continue;
    if (!tryChoice(problem, {false, operands, true}, packed, reason))
      return {};
    // A kernel that copies b itself has the copy in its scratchpad.
    bool copies = plain.desc.scratchpad_desc().get_size() > packed.desc.scratchpad_desc().get_size();
    return copies || packsInside(problem) ? packedTensor(packed.b, problem.b.type) : Tensor();
  }
  return {};
}

std::unique_ptr<DnnlPlan> raf::rt::buildMatmul(const Matmul &request, int64_t threads) {
  Problem problem = prepare(request);
  bool given = request.b.packed();
  if (given && !takesPacked(problem))
    unsupported("a packed b " + text(request.b.dims) + " where the product is not one of matrices with a row-major result");

  bool pack = given || packsInside(problem);
  std::vector<Choice> choices;
  for (bool copyMatrices : {false, true})
    for (Operands operands : {Operands::AsTheyAre, Operands::LikeResult, Operands::Expanded}) {
      if (pack)
        choices.push_back({copyMatrices, operands, true});
      if (!given)
        choices.push_back({copyMatrices, operands, false});
    }
  Candidate candidate;
  std::string reason;
  bool found = false;
  for (const Choice &choice : choices)
    if ((found = tryChoice(problem, choice, candidate, reason)))
      break;
  if (!found)
    unsupported("oneDNN has no fast matmul for a " + text(request.a.dims) + ", b " + text(request.b.dims) + ": " +
                reason);

  auto plan = std::make_unique<DnnlPlan>(request.workspaceBuffer() + 1, threads);
  Arguments arguments(*plan);
  int64_t bufferA = problem.swapped ? Matmul::kB : Matmul::kA;
  int64_t bufferB = problem.swapped ? Matmul::kA : Matmul::kB;
  arguments.input(DNNL_ARG_SRC, bufferA, describeTensor(problem.a), candidate.a, "a", problem.a.offset);
  arguments.input(DNNL_ARG_WEIGHTS, bufferB, describeTensor(given ? request.b : problem.b), candidate.b, "b", problem.b.offset);
  if (problem.bias.present())
    arguments.input(DNNL_ARG_BIAS, Matmul::kBias, describeTensor(problem.bias), candidate.bias, "bias");
  if (candidate.scale != 1) {
    arguments.constant(DNNL_ARG_ATTR_SCALES | DNNL_ARG_SRC, candidate.scale);
    plan->note("scale(a)");
  }
  // A bias that became a post-op is the operand just before the others, which is also where its buffer is.
  int64_t firstOperand = problem.biasFirst ? Matmul::kBias : request.operandBuffer(0);
  arguments.operands(candidate.operands, firstOperand);
  arguments.output(DNNL_ARG_DST, Matmul::kC, describeTensor(problem.c), candidate.c, "c", hasSum(problem.postOps));
  arguments.run(dnnl::matmul(candidate.desc), candidate.desc);
  return plan;
}
