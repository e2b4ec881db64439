// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of an algorithm and the product itself: plain loops in f64, in the order of the stream.
#include "cuda_sim/cublaslt/Descriptors.h"
#include "cuda_sim/Library.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <tuple>
#include <vector>

using namespace raf::sim;
using namespace raf::sim::lt;

#define LT_ENTRY extern "C" __attribute__((visibility("default")))

namespace {

// ---- algorithms: what the words of cublasLtMatmulAlgo_t mean here ----

struct Algorithm {
  std::uint64_t magic;
  std::uint64_t slices;    // the product is split along K into as many
  std::uint64_t workspace; // bytes
  std::uint64_t alignment; // of A, B, C, D
  std::uint64_t problem;   // a hash of what it was chosen for
  std::uint64_t biasAlignment, auxAlignment; // of the pointers at the time
};
constexpr std::uint64_t kMagic = 0x7261662d6c742031;
static_assert(sizeof(Algorithm) <= sizeof(cublasLtMatmulAlgo_t));

/// Up to 16 bytes; of no pointer 1.
std::uint64_t alignmentOf(std::uint64_t address) { return address ? std::min<std::uint64_t>(16, address & ~(address - 1)) : 1; }

std::uint64_t hashOf(const Product &p) {
  std::uint64_t hash = 1469598103934665603u;
  auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 1099511628211u; };
  for (const LtMatrixLayout *layout : {&p.a, &p.b, &p.c, &p.d})
    for (std::uint64_t value : {std::uint64_t(layout->type), layout->rows, layout->columns, std::uint64_t(layout->ld),
                                std::uint64_t(layout->batch), std::uint64_t(layout->stride)})
      add(value);
  for (std::uint64_t value : {std::uint64_t(p.desc.compute), std::uint64_t(p.desc.transA), std::uint64_t(p.desc.transB),
                              std::uint64_t(p.desc.epilogue), std::uint64_t(p.desc.auxLd)})
    add(value);
  return hash;
}

// ---- numbers ----

Element elementOf(int type) {
  switch (type) {
  case CUDA_R_64F:
    return Element::F64;
  case CUDA_R_32F:
    return Element::F32;
  case CUDA_R_16BF:
    return Element::BF16;
  case CUDA_R_8F_E4M3:
    return Element::E4M3;
  case CUDA_R_8F_E5M2:
    return Element::E5M2;
  default:
    return Element::F16;
  }
}
double get(const char *memory, int type, std::int64_t index) { return readElement(memory, elementOf(type), index); }
void put(char *memory, int type, std::int64_t index, double value) { writeElement(memory, elementOf(type), index, value); }

constexpr double kGeluScale = 0.7978845608028654, kGeluCube = 0.044715; // sqrt(2 / pi)

double gelu(double x) { return 0.5 * x * (1 + std::tanh(kGeluScale * (x + kGeluCube * x * x * x))); }

double geluDerivative(double x) {
  double t = std::tanh(kGeluScale * (x + kGeluCube * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * kGeluScale * (1 + 3 * kGeluCube * x * x);
}

// ---- the product ----

struct Work {
  Product product;
  Algorithm algorithm;
  double alpha, beta;
  std::uint64_t a, b, c, d, workspace;
};

/// Column `j` of a matrix of a batch, checked.
char *column(std::uint64_t address, const LtMatrixLayout &layout, std::int64_t batch, std::int64_t j, int kind, const char *what) {
  std::int64_t size = bytesOf(layout.type);
  return range(address + (batch * layout.stride + j * layout.ld) * size, static_cast<std::int64_t>(layout.rows) * size, kind, what);
}

/// op(matrix) as rows x columns, by columns.
std::vector<double> load(std::uint64_t address, const LtMatrixLayout &layout, bool transposed, std::int64_t batch, bool tf32,
                         const char *what) {
  auto rows = static_cast<std::int64_t>(layout.rows), columns = static_cast<std::int64_t>(layout.columns);
  std::vector<double> result(rows * columns);
  for (std::int64_t j = 0; j < columns; ++j) {
    const char *memory = column(address, layout, batch, j, RAF_SIM_LOAD, what);
    for (std::int64_t i = 0; i < rows; ++i) {
      double value = get(memory, layout.type, i);
      result[transposed ? i * columns + j : j * rows + i] = tf32 ? toTf32(static_cast<float>(value)) : value;
    }
  }
  return result;
}

/// Sums over K, in as many slices as the algorithm has; what lies in the workspace is f32, as the library's partial sums are.
void multiply(const Work &work, const std::vector<double> &a, const std::vector<double> &b, std::int64_t batch,
              std::vector<double> &result) {
  const Product &p = work.product;
  result.assign(p.m * p.n, 0);
  auto slices = static_cast<std::int64_t>(work.algorithm.slices);
  std::vector<double> sum(p.m);
  for (std::int64_t slice = 0; slice < slices; ++slice) {
    std::int64_t begin = p.k * slice / slices, end = p.k * (slice + 1) / slices;
    char *partial = nullptr;
    if (slices > 1)
      partial = range(work.workspace + (batch * slices + slice) * p.m * p.n * 4, p.m * p.n * 4, RAF_SIM_STORE,
                      "the workspace of cublasLtMatmul");
    for (std::int64_t j = 0; j < p.n; ++j) {
      std::fill(sum.begin(), sum.end(), 0.0);
      for (std::int64_t q = begin; q < end; ++q) {
        double factor = b[j * p.k + q];
        const double *from = &a[q * p.m];
        for (std::int64_t i = 0; i < p.m; ++i)
          sum[i] += from[i] * factor;
      }
      for (std::int64_t i = 0; i < p.m; ++i) {
        if (partial) {
          put(partial, CUDA_R_32F, j * p.m + i, sum[i]);
          sum[i] = get(partial, CUDA_R_32F, j * p.m + i);
        }
        result[j * p.m + i] += sum[i];
      }
    }
  }
}

void finish(const Work &work, std::int64_t batch, std::vector<double> &result) {
  const Product &p = work.product;
  cublasLtEpilogue_t e = p.desc.epilogue;
  double scale = work.alpha;
  for (std::uint64_t factor : {p.desc.scaleA, p.desc.scaleB})
    if (factor)
      scale *= get(range(factor, 4, RAF_SIM_LOAD, "a scale of cublasLtMatmul"), CUDA_R_32F, 0);
  std::int64_t size = bytesOf(p.d.type);
  char *bias = has(e, kBias) ? range(p.desc.bias, p.m * size, RAF_SIM_LOAD, "the bias of cublasLtMatmul") : nullptr;
  bool bits = has(e, kRelu | kDRelu), writesAux = has(e, kAux) && !has(e, kDRelu | kDGelu);
  std::vector<double> biasGradient(has(e, kBiasOfD) ? p.m : 0);
  for (std::int64_t j = 0; j < p.n; ++j) {
    const char *old = work.beta != 0 ? column(work.c, p.c, batch, j, RAF_SIM_LOAD, "C of cublasLtMatmul") : nullptr;
    char *aux = nullptr;
    if (has(e, kAux)) {
      std::int64_t offset = batch * p.desc.auxBatchStride + j * p.desc.auxLd;
      aux = range(p.desc.aux + (bits ? offset / 8 : offset * size), bits ? (p.m + 7) / 8 : p.m * size,
                  writesAux ? RAF_SIM_STORE : RAF_SIM_LOAD, "the auxiliary buffer of cublasLtMatmul");
      if (writesAux && bits)
        std::memset(aux, 0, (p.m + 7) / 8);
    }
    for (std::int64_t i = 0; i < p.m; ++i) {
      double value = scale * result[j * p.m + i];
      if (old)
        value += work.beta * get(old, p.c.type, i);
      if (bias)
        value += get(bias, p.d.type, i);
      if (has(e, kRelu)) {
        if (writesAux && value > 0)
          aux[i / 8] = static_cast<char>(aux[i / 8] | 1 << i % 8);
        value = value > 0 ? value : 0;
      } else if (has(e, kGelu)) {
        if (writesAux)
          put(aux, p.d.type, i, value);
        value = gelu(value);
      } else if (has(e, kDRelu)) {
        value = aux[i / 8] >> i % 8 & 1 ? value : 0;
      } else if (has(e, kDGelu)) {
        value *= geluDerivative(get(aux, p.d.type, i));
      }
      if (has(e, kBiasOfD))
        biasGradient[i] += value;
      result[j * p.m + i] = value;
    }
  }
  for (std::int64_t j = 0; j < p.n; ++j) {
    char *memory = column(work.d, p.d, batch, j, RAF_SIM_STORE, "D of cublasLtMatmul");
    for (std::int64_t i = 0; i < p.m; ++i)
      put(memory, p.d.type, i, result[j * p.m + i]);
  }
  if (has(e, kBiasOfD)) {
    char *memory = range(p.desc.bias, p.m * size, RAF_SIM_STORE, "the bias gradient of cublasLtMatmul");
    for (std::int64_t i = 0; i < p.m; ++i)
      put(memory, p.d.type, i, biasGradient[i]);
  }
}

/// Sums op(A) along its rows, or op(B) along its columns.
void sumOperand(const Product &p, const std::vector<double> &a, const std::vector<double> &b) {
  bool ofA = has(p.desc.epilogue, kBiasOfA);
  std::int64_t length = ofA ? p.m : p.n;
  char *memory = range(p.desc.bias, length * bytesOf(p.d.type), RAF_SIM_STORE, "the bias gradient of cublasLtMatmul");
  for (std::int64_t i = 0; i < length; ++i) {
    double sum = 0;
    for (std::int64_t q = 0; q < p.k; ++q)
      sum += ofA ? a[q * p.m + i] : b[i * p.k + q];
    put(memory, p.d.type, i, sum);
  }
}

void run(void *data) {
  const Work &work = *static_cast<Work *>(data);
  const Product &p = work.product;
  bool tf32 = p.desc.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  try {
    std::vector<double> a, b, result;
    for (std::int64_t batch = 0; batch < p.d.batch; ++batch) {
      if (batch == 0 || p.a.stride)
        a = load(work.a, p.a, p.desc.transA == CUBLAS_OP_T, batch, tf32, "A of cublasLtMatmul");
      if (batch == 0 || p.b.stride)
        b = load(work.b, p.b, p.desc.transB == CUBLAS_OP_T, batch, tf32, "B of cublasLtMatmul");
      multiply(work, a, b, batch, result);
      finish(work, batch, result);
      if (has(p.desc.epilogue, kBiasOfA | kBiasOfB))
        sumOperand(p, a, b);
    }
  } catch (const Stop &) {
    // The simulator has the report.
  } catch (const std::bad_alloc &) {
    Simulator::get().fail("cublasLtMatmul: no memory on the host");
  }
}

void release(void *data) { delete static_cast<Work *>(data); }

cublasStatus_t wrong(const std::string &text) {
  complain(text);
  return CUBLAS_STATUS_INVALID_VALUE;
}

} // namespace

LT_ENTRY cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                                       cublasLtMatmulPreference_t preference, int requested,
                                                       cublasLtMatmulHeuristicResult_t *results, int *returned) {
  if (!handle || !preference || requested < 1 || !results || !returned)
    return wrong("an argument is null");
  *returned = 0;
  Product product;
  if (cublasStatus_t status = check(desc, a, b, c, d, product); status != CUBLAS_STATUS_SUCCESS)
    return status;
  // Split along K wherever the partial sums have room, so that workspaces are used.
  std::uint64_t partial = static_cast<std::uint64_t>(product.m * product.n) * 4 * product.d.batch;
  std::uint64_t slices = product.desc.compute != CUBLAS_COMPUTE_64F && product.k >= 2 && preference->workspace >= 2 * partial ? 2 : 1;
  Algorithm algorithm{kMagic, slices, slices > 1 ? slices * partial : 0,
                      std::min({preference->alignA, preference->alignB, preference->alignC, preference->alignD}),
                      hashOf(product), alignmentOf(product.desc.bias), alignmentOf(product.desc.aux)};
  *results = {};
  std::memcpy(&results->algo, &algorithm, sizeof algorithm);
  results->workspaceSize = algorithm.workspace;
  results->state = CUBLAS_STATUS_SUCCESS;
  results->wavesCount = 1;
  *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}

LT_ENTRY cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                                                cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                                const cublasLtMatmulAlgo_t *algo, cublasLtMatmulHeuristicResult_t *result) {
  if (!handle || !algo || !result)
    return wrong("an argument is null");
  Product product;
  if (cublasStatus_t status = check(desc, a, b, c, d, product); status != CUBLAS_STATUS_SUCCESS)
    return status;
  Algorithm algorithm;
  std::memcpy(&algorithm, algo, sizeof algorithm);
  if (algorithm.magic != kMagic || algorithm.problem != hashOf(product))
    return wrong("the algorithm was chosen for another product");
  result->workspaceSize = algorithm.workspace;
  result->state = CUBLAS_STATUS_SUCCESS;
  result->wavesCount = 1;
  return CUBLAS_STATUS_SUCCESS;
}

LT_ENTRY cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha, const void *a,
                                       cublasLtMatrixLayout_t aLayout, const void *b, cublasLtMatrixLayout_t bLayout,
                                       const void *beta, const void *c, cublasLtMatrixLayout_t cLayout, void *d,
                                       cublasLtMatrixLayout_t dLayout, const cublasLtMatmulAlgo_t *algo, void *workspace,
                                       std::size_t workspaceBytes, CUstream stream) {
  const Simulator &simulator = Simulator::get();
  if (!simulator.complete()) {
    complain("the simulated driver is not in this library's folder");
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  if (!handle || !alpha || !beta || !a || !b || !d || !algo)
    return wrong("an argument is null");
  auto work = std::make_unique<Work>();
  if (cublasStatus_t status = check(desc, aLayout, bLayout, cLayout, dLayout, work->product); status != CUBLAS_STATUS_SUCCESS)
    return status;
  std::memcpy(&work->algorithm, algo, sizeof(Algorithm));
  const Algorithm &algorithm = work->algorithm;
  if (algorithm.magic != kMagic || algorithm.problem != hashOf(work->product))
    return wrong("the algorithm was chosen for another product");
  if (workspaceBytes < algorithm.workspace || (algorithm.workspace && !workspace))
    return wrong("the algorithm needs a workspace of " + std::to_string(algorithm.workspace) + " bytes, got " +
                 std::to_string(workspace ? workspaceBytes : 0));
  auto address = [](const void *pointer) { return reinterpret_cast<std::uint64_t>(pointer); };
  if (algorithm.workspace && address(workspace) % 16 != 0)
    return wrong("the workspace is not aligned to 16 bytes");
  const char *names[] = {"A", "B", "C", "D"};
  const void *pointers[] = {a, b, c, d};
  for (int i = 0; i < 4; ++i)
    if (address(pointers[i]) % algorithm.alignment != 0)
      return wrong(std::string(names[i]) + " is not aligned to the " + std::to_string(algorithm.alignment) +
                   " bytes that the algorithm was chosen for");
  for (int i = 0; i < 4 && isEight(work->product.a.type); ++i)
    if (address(pointers[i]) % 16 != 0)
      return wrong(std::string(names[i]) + " of a product of 8 bits is not aligned to 16 bytes");
  const LtMatmulDesc &given = work->product.desc;
  for (auto [name, pointer, chosen] : {std::tuple("the bias", given.bias, algorithm.biasAlignment), std::tuple("the auxiliary buffer", given.aux, algorithm.auxAlignment)})
    if (pointer % chosen != 0)
      return wrong(std::string(name) + " is not aligned to the " + std::to_string(chosen) + " bytes that it had when the algorithm was chosen");
  bool wide = given.scale == CUDA_R_64F;
  auto scalar = [&](const void *value) { return wide ? *static_cast<const double *>(value) : *static_cast<const float *>(value); };
  work->alpha = scalar(alpha);
  work->beta = scalar(beta);
  if (work->beta != 0 && !c)
    return wrong("C is null and beta is not 0");
  work->a = address(a);
  work->b = address(b);
  work->c = address(c);
  work->d = address(d);
  work->workspace = address(workspace);
  // The queue owns it from here on, whether or not it takes it.
  return simulator.enqueue(stream, "cublasLtMatmul", run, work.release(), release) == CUDA_SUCCESS ? CUBLAS_STATUS_SUCCESS
                                                                                                  : CUBLAS_STATUS_EXECUTION_FAILED;
}
