// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products of cuBLASLt. The library counts along columns: a row-major c = a b is for it c^T = b^T a^T, so its A is our
// b, its B our a, and a bias along our columns is one along its rows, which is what it offers.
#include "core/PlanChecks.h"
#include "cuda/CublasLt.h"
#include "cuda/CudaPlan.h"
#include "cuda/Device.h"
#include "cuda/PlanCache.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <dlfcn.h>

using namespace raf::rt;
using namespace raf::rt::cuda;
using namespace raf::rt::plan;

namespace {

/// cuBLASLt's faster kernels want this of every address; what lies otherwise takes others.
constexpr unsigned kAlignment = 16;
/// What NVIDIA recommends on sm_90; a product with a small result has no use for it.
constexpr int64_t kMostWorkspace = int64_t(32) << 20;
/// A sum is worth splitting into slices of this depth at least.
constexpr int64_t kMostSlices = 16, kSliceDepth = 64;
/// The least where a bias gradient is summed beside the product, by kernels whose needs are not documented. It is no more because small steps
/// are at their fullest in such products.
constexpr int64_t kBiasGradientBytes = int64_t(16) << 10;

/// A matrix as the library sees it: columns of `rows` elements, `ld` apart.
struct Matrix {
  int64_t rows = 1, columns = 1, ld = 1, batchStride = 0;
  bool transposed = false;
};

/// Columns of `inner` elements; false if those are not next to each other or columns would overlap.
bool along(int64_t inner, int64_t outer, int64_t innerStride, int64_t outerStride, bool transposed, Matrix &matrix) {
  int64_t ld = outer > 1 ? outerStride : inner;
  if ((inner > 1 && innerStride != 1) || ld < inner)
    return false;
  matrix.rows = inner;
  matrix.columns = outer;
  matrix.ld = ld;
  matrix.transposed = transposed;
  return true;
}

/// A strided [rows, columns] with a unit stride somewhere; false if there is none.
bool view(int64_t rows, int64_t columns, int64_t rowStride, int64_t columnStride, Matrix &matrix) {
  return along(rows, columns, rowStride, columnStride, false, matrix) || along(columns, rows, columnStride, rowStride, true, matrix);
}

bool isEight(Type type) { return type == Type::F8E4M3 || type == Type::F8E5M2; }

struct Problem {
  int64_t m, n, k, batch;
  Matrix a, b, d; // in the library's order
  bool swapped;   // the library's A is our b
};

/// [batch, rows, columns] for any rank, or false.
struct Operands {
  Tensor a, b, c;
};

void dropDim(Operands &operands, size_t dim) {
  for (Tensor *tensor : {&operands.a, &operands.b, &operands.c}) {
    tensor->dims.erase(tensor->dims.begin() + dim);
    tensor->strides.erase(tensor->strides.begin() + dim);
  }
}

bool mergeable(const Tensor &tensor, size_t outer, size_t inner) {
  if (tensor.dims[outer] == 1 || tensor.dims[inner] == 1)
    return tensor.dims[outer] == tensor.dims[inner];
  return tensor.strides[outer] == tensor.strides[inner] * tensor.dims[inner];
}

/// One batch dim at most; a batch of a alone becomes more rows.
void simplify(Operands &operands) {
  for (size_t dim = operands.c.dims.size() - 2; dim-- > 0;)
    if (operands.c.dims[dim] == 1)
      dropDim(operands, dim);
  for (size_t dim = operands.c.dims.size() - 2; dim-- > 1;)
    if (mergeable(operands.a, dim - 1, dim) && mergeable(operands.b, dim - 1, dim) && mergeable(operands.c, dim - 1, dim)) {
      for (Tensor *tensor : {&operands.a, &operands.b, &operands.c})
        tensor->dims[dim] *= tensor->dims[dim - 1];
      dropDim(operands, dim - 1);
    }
  while (operands.c.dims.size() > 2) {
    size_t batch = operands.c.dims.size() - 3;
    bool rowOnly = operands.c.dims[batch + 1] == 1;
    auto fits = [&](const Tensor &tensor) {
      return rowOnly || (tensor.dims[batch] > 1 && tensor.strides[batch] == tensor.strides[batch + 1] * tensor.dims[batch + 1]);
    };
    if (operands.b.dims[batch] != 1 || operands.a.dims[batch] == 1 || !fits(operands.a) || !fits(operands.c))
      break;
    for (Tensor *tensor : {&operands.a, &operands.c}) {
      tensor->dims[batch + 1] *= tensor->dims[batch];
      if (rowOnly)
        tensor->strides[batch + 1] = tensor->strides[batch];
    }
    dropDim(operands, batch);
  }
}

/// Which factor of a product.
enum class Side { A, B };

const char *nameOf(Side side) { return side == Side::A ? "a" : "b"; }

/// An operand of 8 bits, of which the library takes columns of `depth` elements only: its A is then transposed, its B not.
void alongDepth(const Tensor &tensor, Side side, int64_t depth, bool transposed, Matrix &matrix) {
  size_t rank = tensor.dims.size(), inner = rank - (side == Side::A ? 1 : 2), outer = rank - (side == Side::A ? 2 : 1);
  if (!along(depth, tensor.dims[outer], tensor.strides[inner], tensor.strides[outer], transposed, matrix))
    unsupported(std::string("cuBLASLt reads matrices of 8 bits along the depth of the product; ") + nameOf(side) + " " + text(tensor.dims) + " has strides " + text(tensor.strides));
}

/// What tensor cores want of products of 8 bits.
void checkEight(const CublasMatmul &request, const Problem &problem) {
  auto whole = [](int64_t elements, Type type, const std::string &what) {
    if (elements * elementBytes(type) % kAlignment)
      unsupported("cuBLASLt multiplies matrices of 8 bits whose " + what + " is a multiple of 16 bytes, got " + std::to_string(elements) + " elements of " + typeName(type));
  };
  whole(problem.k, request.a.type, "depth");
  whole(problem.m, request.c.type, "row of the result");
  for (auto [matrix, type] : {std::pair(&problem.a, request.a.type), std::pair(&problem.b, request.b.type), std::pair(&problem.d, request.c.type)}) {
    whole(matrix->ld, type, "leading dimension");
    whole(matrix->batchStride, type, "distance within a batch");
  }
}

Problem arrange(const CublasMatmul &request) {
  Operands operands{request.a, request.b, request.c};
  simplify(operands);
  const Tensor &a = operands.a, &b = operands.b, &c = operands.c;
  size_t rank = c.dims.size();
  if (rank > 3)
    unsupported("cuBLASLt takes one batch dimension; a " + text(request.a.dims) + ", b " + text(request.b.dims) + " and c " +
                text(request.c.dims) + " with their strides have " + std::to_string(rank - 2));
  int64_t rows = c.dims[rank - 2], columns = c.dims[rank - 1], depth = a.dims[rank - 1];
  bool extras = request.bias.present() || request.activation != Activation::None;
  Problem problem{};
  problem.k = depth;
  problem.batch = rank == 3 ? c.dims[0] : 1;
  bool alongRows = view(columns, rows, c.strides[rank - 1], c.strides[rank - 2], problem.d) && !problem.d.transposed;
  problem.swapped = alongRows;
  if (!alongRows) {
    if (!view(rows, columns, c.strides[rank - 2], c.strides[rank - 1], problem.d) || problem.d.transposed)
      unsupported("cuBLASLt writes matrices with a unit stride; c " + text(c.dims) + " has strides " + text(c.strides));
    if (extras)
      unsupported("cuBLASLt adds a bias and activations only where the result is contiguous along its columns");
  }
  auto operand = [&](const Tensor &tensor, Side side, int64_t r, int64_t s, bool flip, Matrix &matrix) {
    int64_t rowStride = tensor.strides[rank - 2], columnStride = tensor.strides[rank - 1];
    if (isEight(tensor.type))
      alongDepth(tensor, side, depth, &matrix == &problem.a, matrix);
    else if (flip ? !view(s, r, columnStride, rowStride, matrix) : !view(r, s, rowStride, columnStride, matrix))
      unsupported(std::string("cuBLASLt reads matrices with a unit stride; ") + nameOf(side) + " " + text(tensor.dims) +
                  " has strides " + text(tensor.strides));
    matrix.batchStride = rank == 3 && tensor.dims[0] > 1 ? tensor.strides[0] : 0;
  };
  operand(a, Side::A, rows, depth, alongRows, alongRows ? problem.b : problem.a);
  operand(b, Side::B, depth, columns, alongRows, alongRows ? problem.a : problem.b);
  problem.d.batchStride = rank == 3 ? c.strides[0] : 0;
  problem.m = alongRows ? columns : rows;
  problem.n = alongRows ? rows : columns;
  return problem;
}

void checkTypes(const CublasMatmul &request) {
  Type in = request.a.type, out = request.c.type;
  bool sixteen = in == Type::BF16 || in == Type::F16;
  bool known = (in == out && (sixteen || in == Type::F32 || in == Type::F64)) || (sixteen && out == Type::F32);
  bool eight = isEight(in) && isEight(request.b.type) && !(in == Type::F8E5M2 && request.b.type == in) && (out == Type::BF16 || out == Type::F16 || out == Type::F32);
  if (eight ? false : request.b.type != in || !known)
    unsupported(std::string("cuBLASLt does not multiply ") + typeName(in) + " and " + typeName(request.b.type) + " to " +
                typeName(out));
  bool extras = request.bias.present() || request.activation != Activation::None;
  if (eight && extras && (out == Type::F32 || request.gradient || request.aux || request.biasGradient != BiasGradient::None))
    unsupported("cuBLASLt adds a bias and activations, without what their gradients need, to products of 8 bits with a result of 16 bits only");
  if ((request.scaleA || request.scaleB) && !eight)
    invalid(std::string("matmul: scales belong to operands of 8 bits, got ") + typeName(in));
  if (in == Type::F64 && extras)
    unsupported("cuBLASLt has no bias and no activation for f64");
  if (request.bias.present() && request.bias.type != out)
    unsupported(std::string("the bias must have the type of the result, ") + typeName(out) + ", got " +
                typeName(request.bias.type));
  if (request.tf32 && in != Type::F32)
    invalid("matmul: tf32 is for f32 operands");
}

void checkRequest(const CublasMatmul &request) {
  checkTensor(request.a, "a", 2, kMaxRank);
  checkTensor(request.b, "b", 2, kMaxRank);
  checkTensor(request.c, "c", 2, kMaxRank);
  const auto &a = request.a.dims, &b = request.b.dims, &c = request.c.dims;
  size_t rank = c.size();
  bool fits = a.size() == rank && b.size() == rank && a[rank - 2] == c[rank - 2] && b[rank - 1] == c[rank - 1] &&
              a[rank - 1] == b[rank - 2];
  for (size_t i = 0; fits && i + 2 < rank; ++i)
    fits = (a[i] == c[i] || a[i] == 1) && (b[i] == c[i] || b[i] == 1);
  if (!fits)
    invalid("matmul: a " + text(a) + " times b " + text(b) + " is not c " + text(c));
  for (int64_t dim : {a[rank - 2], a[rank - 1], b[rank - 1]})
    if (dim > INT32_MAX)
      unsupported("a dimension of " + std::to_string(dim) + " is more than cuBLASLt counts");
  if (request.activation < Activation::None || request.activation > Activation::Gelu)
    invalid("matmul: unknown activation " + std::to_string(static_cast<int64_t>(request.activation)));
  if (request.biasGradient < BiasGradient::None || request.biasGradient > BiasGradient::OfLhs)
    invalid("matmul: unknown bias gradient " + std::to_string(static_cast<int64_t>(request.biasGradient)));
  if (!std::isfinite(request.alpha) || !std::isfinite(request.beta))
    invalid("matmul: alpha or beta is not finite");
  if (request.gradient && request.beta != 0)
    invalid("matmul: a gradient adds nothing to what the result held");
  if (request.addend && request.beta == 0)
    invalid("matmul: an addend comes with a beta");
  bool active = request.activation != Activation::None;
  if ((request.gradient || request.aux) && !active)
    invalid("matmul: aux and gradient belong to an activation");
  if (request.gradient && request.aux)
    invalid("matmul: a gradient reads aux and writes none");
  if (request.biasGradient != BiasGradient::None && !request.bias.present())
    invalid("matmul: a bias gradient needs a bias to write to");
  if ((request.biasGradient == BiasGradient::OfResult) != (request.gradient && request.bias.present()))
    invalid("matmul: the bias gradient of the result goes with the gradient of an activation");
  if (request.biasGradient > BiasGradient::OfResult && active)
    invalid("matmul: the bias gradient of an operand goes with no activation");
  if (request.bias.present()) {
    checkTensor(request.bias, "bias", 1, 1);
    int64_t length = c[rank - (request.biasGradient == BiasGradient::OfLhs ? 2 : 1)];
    if (request.bias.dims[0] != length || (length > 1 && request.bias.strides[0] != 1))
      invalid("matmul: the bias must be [" + std::to_string(length) + "], got " + text(request.bias.dims));
  }
  checkTypes(request);
}

cudaDataType_t dataType(Type type) {
  switch (type) {
  case Type::F64:
    return CUDA_R_64F;
  case Type::BF16:
    return CUDA_R_16BF;
  case Type::F16:
    return CUDA_R_16F;
  case Type::F8E4M3:
    return CUDA_R_8F_E4M3;
  case Type::F8E5M2:
    return CUDA_R_8F_E5M2;
  default:
    return CUDA_R_32F;
  }
}

cublasLtEpilogue_t epilogueOf(const CublasMatmul &request, bool swapped) {
  int result = 0;
  if (request.biasGradient == BiasGradient::OfRhs || request.biasGradient == BiasGradient::OfLhs)
    return (request.biasGradient == BiasGradient::OfRhs) == swapped ? CUBLASLT_EPILOGUE_BGRADA : CUBLASLT_EPILOGUE_BGRADB;
  bool relu = request.activation == Activation::Relu;
  if (request.activation != Activation::None)
    result = request.gradient ? (relu ? CUBLASLT_EPILOGUE_DRELU : CUBLASLT_EPILOGUE_DGELU)
             : request.aux    ? (relu ? CUBLASLT_EPILOGUE_RELU_AUX : CUBLASLT_EPILOGUE_GELU_AUX)
                              : (relu ? CUBLASLT_EPILOGUE_RELU : CUBLASLT_EPILOGUE_GELU);
  if (request.biasGradient == BiasGradient::OfResult)
    result |= CUBLASLT_EPILOGUE_DRELU_BGRAD & ~CUBLASLT_EPILOGUE_DRELU;
  else if (request.bias.present())
    result |= CUBLASLT_EPILOGUE_BIAS;
  return result ? static_cast<cublasLtEpilogue_t>(result) : CUBLASLT_EPILOGUE_DEFAULT;
}

/// What is computed beside the product, for people.
std::string extras(const CublasMatmul &request) {
  std::string result;
  if (request.biasGradient != BiasGradient::None)
    result += " and sums";
  else if (request.bias.present())
    result += " + bias";
  if (request.beta != 0)
    result += " + addend";
  if (request.activation != Activation::None)
    result += std::string(request.gradient ? ", gradient of " : ", ") + (request.activation == Activation::Relu ? "relu" : "gelu");
  return result;
}

/// The library, opened once a device.
struct Library {
  CublasLt api;
  cublasLtHandle_t handle = nullptr;
  /// Only the stand-in has it: what it finds wrong, in words.
  const char *(*complaint)() = nullptr;

  explicit Library(Device &device) {
    Libraries &libraries = device.libraries();
    const Libraries::Library &file = libraries.library("libcublasLt.so.13");
#define RAF_LOAD(name, parameters) api.name = reinterpret_cast<decltype(api.name)>(libraries.symbol(file, #name));
    RAF_CUBLASLT(RAF_LOAD)
#undef RAF_LOAD
    if (void *function = dlsym(file.handle, "raf_sim_cublaslt_complaint"))
      complaint = reinterpret_cast<const char *(*)()>(function);
    check(api.cublasLtCreate(&handle), "starting");
  }
  ~Library() {
    if (handle)
      api.cublasLtDestroy(handle);
  }

  void check(cublasStatus_t status, const std::string &what) const {
    if (status == CUBLAS_STATUS_SUCCESS)
      return;
    const char *name = status == CUBLAS_STATUS_NOT_INITIALIZED    ? "not initialized"
                       : status == CUBLAS_STATUS_ALLOC_FAILED     ? "no memory"
                       : status == CUBLAS_STATUS_INVALID_VALUE    ? "a value is invalid"
                       : status == CUBLAS_STATUS_EXECUTION_FAILED ? "the execution failed"
                       : status == CUBLAS_STATUS_NOT_SUPPORTED    ? "not supported"
                                                                  : "see cublasStatus_t";
    throw Error(RAF_RT_FAILED, "cuBLASLt failed with status " + std::to_string(status) + " (" + name + "): " + what +
                                   (complaint && *complaint() ? std::string("; ") + complaint() : ""));
  }

  static std::shared_ptr<Library> of(Device &device) {
    std::shared_ptr<void> &entry = device.shared["cublasLt"];
    if (!entry)
      entry = std::make_shared<Library>(device);
    return std::static_pointer_cast<Library>(entry);
  }
};

class MatmulPlan : public Plan {
public:
  MatmulPlan(raf_rt_context *ctx, Device &device, const CublasMatmul &request, const Problem &problem, int64_t workspace)
      : ctx(ctx), library(Library::of(device)), request(request), workspaceBytes(workspace) {
    description = "cublas.matmul " + text(request.a.dims) + " x " + text(request.b.dims) + " " + typeName(request.a.type) +
                  (request.a.type == request.b.type ? "" : std::string("*") + typeName(request.b.type)) +
                  (request.a.type == request.c.type ? "" : std::string("->") + typeName(request.c.type)) + extras(request);
    try {
      prepare(problem);
    } catch (...) {
      dispose();
      throw;
    }
  }
  ~MatmulPlan() override { dispose(); }

  const char *describe() const override { return description.c_str(); }

  void execute(void **buffers) override {
    for (int64_t i = 0; i < request.workspaceBuffer(); ++i)
      if (!buffers[i])
        throw Error(RAF_RT_INVALID, "buffer " + std::to_string(i) + " is NULL (" + description + ")");
    void *workspace = buffers[request.workspaceBuffer()];
    std::uint64_t all = 0;
    for (int64_t i = 0; i < request.scaleABuffer(); ++i)
      all |= reinterpret_cast<std::uint64_t>(buffers[i]);
    bool aligned = all % kAlignment == 0;
    if (!aligned && isEight(request.a.type))
      throw Error(RAF_RT_INVALID, "matrices of 8 bits are not aligned to 16 bytes (" + description + ")");
    if (!aligned && !unalignedKnown) {
      auto least = static_cast<unsigned>(elementBytes(request.c.type) < elementBytes(request.a.type) ? elementBytes(request.c.type)
                                                                                                      : elementBytes(request.a.type));
      // cuBLASLt takes the alignment of these from the addresses themselves.
      setPointers(reinterpret_cast<void *>(std::uintptr_t(least)), reinterpret_cast<void *>(std::uintptr_t(least)));
      unaligned = choose(least);
    }
    unalignedKnown = unalignedKnown || !aligned;
    const cublasLtMatmulHeuristicResult_t &algorithm = aligned ? best : unaligned;
    if (algorithm.workspaceSize && !workspace)
      throw Error(RAF_RT_INVALID, "the workspace is NULL (" + description + ")");
    setPointers(request.bias.present() ? buffers[CublasMatmul::kBias] : nullptr, request.hasAux() ? buffers[request.auxBuffer()] : nullptr);
    if (request.scaleA)
      set(swapped ? CUBLASLT_MATMUL_DESC_B_SCALE_POINTER : CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, buffers[request.scaleABuffer()]);
    if (request.scaleB)
      set(swapped ? CUBLASLT_MATMUL_DESC_A_SCALE_POINTER : CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, buffers[request.scaleBBuffer()]);
    const void *first = buffers[swapped ? CublasMatmul::kB : CublasMatmul::kA];
    const void *second = buffers[swapped ? CublasMatmul::kA : CublasMatmul::kB];
    void *result = buffers[CublasMatmul::kC], *addend = request.addend ? buffers[request.addendBuffer()] : result;
    auto alpha = static_cast<float>(request.alpha), beta = static_cast<float>(request.beta);
    bool wide = request.a.type == Type::F64;
    library->check(library->api.cublasLtMatmul(library->handle, desc, wide ? static_cast<void *>(&request.alpha) : &alpha, first, a,
                                               second, b, wide ? static_cast<void *>(&request.beta) : &beta, addend, d, result,
                                               d, &algorithm.algo, workspace, workspaceBytes,
                                               static_cast<Device &>(*ctx->device).stream()),
                   description);
  }

private:
  template <class T> void set(cublasLtMatmulDescAttributes_t attribute, const T &value) {
    library->check(library->api.cublasLtMatmulDescSetAttribute(desc, attribute, &value, sizeof value), description);
  }

  void setPointers(void *bias, void *aux) {
    if (request.bias.present())
      set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
    if (request.hasAux())
      set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux);
  }

  cublasLtMatrixLayout_t layout(Type type, const Matrix &matrix, int64_t batch) {
    cublasLtMatrixLayout_t result = nullptr;
    auto check = [&](cublasStatus_t status) { library->check(status, description); };
    check(library->api.cublasLtMatrixLayoutCreate(&result, dataType(type), matrix.rows, matrix.columns, matrix.ld));
    layouts.push_back(result);
    if (batch > 1) {
      std::int32_t count = static_cast<std::int32_t>(batch);
      std::int64_t stride = matrix.batchStride;
      check(library->api.cublasLtMatrixLayoutSetAttribute(result, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count));
      check(library->api.cublasLtMatrixLayoutSetAttribute(result, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                                                          sizeof stride));
    }
    return result;
  }

  void prepare(const Problem &problem) {
    swapped = problem.swapped;
    bool wide = request.a.type == Type::F64;
    library->check(library->api.cublasLtMatmulDescCreate(
                       &desc, wide           ? CUBLAS_COMPUTE_64F
                              : request.tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32
                                             : CUBLAS_COMPUTE_32F,
                       wide ? CUDA_R_64F : CUDA_R_32F),
                   description);
    set(CUBLASLT_MATMUL_DESC_TRANSA, problem.a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_TRANSB, problem.b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogueOf(request, swapped));
    // While an algorithm is chosen the library takes the alignment of these from their values.
    if (request.bias.present()) {
      set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, dataType(request.bias.type));
      set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, reinterpret_cast<const void *>(std::uint64_t(kAlignment)));
    }
    if (request.hasAux()) {
      set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, reinterpret_cast<const void *>(std::uint64_t(kAlignment)));
      set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, request.auxRow());
      if (problem.batch > 1)
        set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, request.auxRow() * problem.n);
    }
    a = layout((swapped ? request.b : request.a).type, problem.a, problem.batch);
    b = layout((swapped ? request.a : request.b).type, problem.b, problem.batch);
    d = layout(request.c.type, problem.d, problem.batch);
    best = choose(kAlignment);
  }

  /// What an earlier process chose, if the library still takes it.
  bool restore(const PlanCache &cache, cublasLtMatmulHeuristicResult_t &result) const {
    std::string stored = cache.load();
    if (stored.size() != sizeof result.algo)
      return false;
    std::memcpy(&result.algo, stored.data(), sizeof result.algo);
    cublasLtMatmulHeuristicResult_t facts{};
    if (library->api.cublasLtMatmulAlgoCheck(library->handle, desc, a, b, d, d, &result.algo, &facts) != CUBLAS_STATUS_SUCCESS || facts.workspaceSize > workspaceBytes)
      return false;
    result.workspaceSize = facts.workspaceSize;
    result.state = CUBLAS_STATUS_SUCCESS;
    return true;
  }

  cublasLtMatmulHeuristicResult_t choose(unsigned alignment) {
    std::vector<int64_t> words = encode(request, workspaceBytes);
    words.insert(words.begin(), static_cast<int64_t>(alignment));
    PlanCache cache(static_cast<Device &>(*ctx->device), "libcublasLt.so.13", "cublasLtGetVersion", words);
    cublasLtMatmulHeuristicResult_t result{};
    if (restore(cache, result))
      return result;
    result = ask(alignment);
    cache.store(std::string(reinterpret_cast<const char *>(&result.algo), sizeof result.algo));
    return result;
  }

  cublasLtMatmulHeuristicResult_t ask(unsigned alignment) {
    cublasLtMatmulPreference_t preference = nullptr;
    library->check(library->api.cublasLtMatmulPreferenceCreate(&preference), description);
    auto want = [&](cublasLtMatmulPreferenceAttributes_t attribute, const auto &value) {
      library->api.cublasLtMatmulPreferenceSetAttribute(preference, attribute, &value, sizeof value);
    };
    want(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<std::uint64_t>(workspaceBytes));
    for (auto attribute : {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
                           CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
      want(attribute, static_cast<std::uint32_t>(alignment));
    cublasLtMatmulHeuristicResult_t result{};
    int count = 0;
    cublasStatus_t status =
        library->api.cublasLtMatmulAlgoGetHeuristic(library->handle, desc, a, b, d, d, preference, 1, &result, &count);
    library->api.cublasLtMatmulPreferenceDestroy(preference);
    if (status == CUBLAS_STATUS_SUCCESS && count > 0 && result.state == CUBLAS_STATUS_SUCCESS)
      return result;
    if (status != CUBLAS_STATUS_SUCCESS && status != CUBLAS_STATUS_NOT_SUPPORTED)
      library->check(status, description);
    throw Error(RAF_RT_UNSUPPORTED, "cuBLASLt has no algorithm for " + description + " with " +
                                        std::to_string(workspaceBytes) + " bytes of workspace and addresses aligned to " +
                                        std::to_string(alignment));
  }

  void dispose() {
    for (cublasLtMatrixLayout_t layout : layouts)
      library->api.cublasLtMatrixLayoutDestroy(layout);
    if (desc)
      library->api.cublasLtMatmulDescDestroy(desc);
  }

  raf_rt_context *ctx;
  std::shared_ptr<Library> library;
  CublasMatmul request;
  std::size_t workspaceBytes;
  bool swapped = false;
  std::string description;
  cublasLtMatmulDesc_t desc = nullptr;
  std::vector<cublasLtMatrixLayout_t> layouts;
  cublasLtMatrixLayout_t a = nullptr, b = nullptr, d = nullptr;
  cublasLtMatmulHeuristicResult_t best{}, unaligned{};
  bool unalignedKnown = false;
};

class MatmulRequest : public Request {
public:
  explicit MatmulRequest(CublasMatmul given) : request(std::move(given)) {
    checkRequest(request);
    problem = arrange(request);
    if (isEight(request.a.type))
      checkEight(request, problem);
    if (request.biasGradient != BiasGradient::None && problem.batch > 1)
      unsupported("cuBLASLt does not sum a bias gradient over a batch");
  }

  std::vector<int64_t> bufferBytes() const override {
    std::vector<int64_t> bytes = {spanBytes(request.a), spanBytes(request.b), spanBytes(request.c)};
    if (request.bias.present())
      bytes.push_back(spanBytes(request.bias));
    if (request.hasAux())
      bytes.push_back(request.auxBytes());
    if (request.addend)
      bytes.push_back(spanBytes(request.c));
    bytes.resize(bytes.size() + request.scaleA + request.scaleB, sizeof(float));
    return bytes;
  }

  /// Room for the partial results of a product that is split along K, and for those of a bias gradient. How much an algorithm needs only the
  /// library knows, which a compiler without a device cannot ask: this is what it may have, and the plan is chosen among those that need no more.
  int64_t workspaceBytes() const override {
    auto room = [](int64_t elements, int64_t slices) { return slices < 2 ? 0 : std::min(kMostWorkspace, std::min((elements * 4 + 255) / 256 * 256, kMostWorkspace) * slices); };
    int64_t product = room(problem.m * problem.n * problem.batch, std::min(problem.k / kSliceDepth, kMostSlices));
    if (request.biasGradient == BiasGradient::None)
      return product;
    return std::max({product, room(spanBytes(request.bias) / elementBytes(request.bias.type), kMostSlices), kBiasGradientBytes});
  }

  std::unique_ptr<Plan> build(raf_rt_context *ctx, Device &device, int64_t workspace) const override {
    if (int64_t architecture = device.properties().architecture; isEight(request.a.type) && architecture < 89)
      unsupported("products of 8 bits need a device of sm_89 or later, this one is sm_" + std::to_string(architecture));
    return std::make_unique<MatmulPlan>(ctx, device, request, problem, workspace);
  }

private:
  CublasMatmul request;
  Problem problem;
};

} // namespace

std::unique_ptr<Request> raf::rt::cuda::checkMatmul(CublasMatmul request) {
  return std::make_unique<MatmulRequest>(std::move(request));
}
