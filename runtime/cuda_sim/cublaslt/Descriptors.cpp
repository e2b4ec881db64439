// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_sim/cublaslt/Descriptors.h"

#include <cstring>

using namespace raf::sim::lt;

#define LT_ENTRY extern "C" __attribute__((visibility("default")))

namespace {

thread_local std::string complaint;

bool known(int type) { return type == CUDA_R_32F || type == CUDA_R_64F || type == CUDA_R_16F || type == CUDA_R_16BF || isEight(type); }

/// Copies an attribute whose size must be that of the field.
template <class T> cublasStatus_t take(T &field, const void *value, std::size_t bytes) {
  if (!value || bytes != sizeof field) {
    complain("an attribute of " + std::to_string(bytes) + " bytes, expected " + std::to_string(sizeof field));
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  std::memcpy(&field, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

template <class T> cublasStatus_t destroy(T *object) {
  delete object;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t wrong(const std::string &text) {
  complain(text);
  return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t unsupported(const std::string &text) {
  complain(text);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

std::string text(const LtMatrixLayout &layout) {
  return std::to_string(layout.rows) + "x" + std::to_string(layout.columns) + " (leading dimension " +
         std::to_string(layout.ld) + ")";
}

cublasStatus_t checkLayout(const char *name, const LtMatrixLayout &layout, bool written) {
  if (layout.rows == 0 || layout.columns == 0 || layout.batch < 1)
    return wrong(std::string(name) + " is empty");
  if (layout.ld < static_cast<std::int64_t>(layout.rows))
    return wrong(std::string(name) + " is " + text(layout) + ": the leading dimension is less than the rows");
  auto rows = static_cast<std::int64_t>(layout.rows);
  std::int64_t size = layout.ld * static_cast<std::int64_t>(layout.columns - 1) + rows;
  // Matrices of a batch lie behind each other, or side by side within the columns.
  bool apart = layout.stride >= size || (layout.stride >= rows && layout.ld >= layout.stride * (layout.batch - 1) + rows);
  if (layout.batch > 1 && written && !apart)
    return wrong(std::string(name) + ": matrices of the batch overlap, " + std::to_string(layout.stride) + " apart, " +
                 std::to_string(size) + " long");
  return CUBLAS_STATUS_SUCCESS;
}

/// Products of 8 bits, as the table of them and the requirements of tensor cores have it.
cublasStatus_t checkEight(const Product &p) {
  if (!isEight(p.a.type) || !isEight(p.b.type) || (p.a.type == CUDA_R_8F_E5M2 && p.b.type == CUDA_R_8F_E5M2))
    return unsupported("A and B must both have 8 bits, one of them e4m3");
  if (p.c.type != p.d.type || p.d.type == CUDA_R_64F || isEight(p.d.type))
    return unsupported("C and D of a product of 8 bits must have one type of 16 or 32 bits");
  if (p.desc.compute != CUBLAS_COMPUTE_32F || p.desc.scale != CUDA_R_32F)
    return unsupported("products of 8 bits compute and scale in f32");
  if (p.desc.transA != CUBLAS_OP_T || p.desc.transB != CUBLAS_OP_N)
    return unsupported("products of 8 bits want A transposed and B not");
  const char *names[] = {"A", "B", "C", "D"};
  const LtMatrixLayout *all[] = {&p.a, &p.b, &p.c, &p.d};
  for (int i = 0; i < 4; ++i)
    for (std::int64_t value : {static_cast<std::int64_t>(all[i]->rows), all[i]->ld, all[i]->stride})
      if (value * bytesOf(all[i]->type) % 16)
        return unsupported(std::string(names[i]) + " of a product of 8 bits is " + text(*all[i]) + ": not multiples of 16 bytes");
  if (p.desc.epilogue != CUBLASLT_EPILOGUE_DEFAULT && p.d.type == CUDA_R_32F)
    return unsupported("a product of 8 bits with a result of f32 has no epilogue of that type");
  if (has(p.desc.epilogue, kAux | kBiasOfA | kBiasOfB | kBiasOfD))
    return unsupported("products of 8 bits have no gradients here");
  for (std::uint64_t scale : {p.desc.scaleA, p.desc.scaleB})
    if (scale % 4)
      return wrong("a scale is not aligned to its float");
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t checkTypes(const Product &p) {
  int in = p.a.type, out = p.d.type;
  if (isEight(in) || isEight(p.b.type))
    return checkEight(p);
  if (p.desc.scaleA || p.desc.scaleB)
    return wrong("scales are for matrices of 8 bits");
  bool wide = p.desc.compute == CUBLAS_COMPUTE_64F;
  if (p.desc.scale != (wide ? CUDA_R_64F : CUDA_R_32F))
    return unsupported("the scale type does not go with the compute type");
  if (p.b.type != in || p.c.type != out)
    return unsupported("A and B, and C and D, must have one type each");
  if (wide ? (in != CUDA_R_64F || out != CUDA_R_64F) : in == CUDA_R_64F)
    return unsupported("the compute type does not go with the types of the matrices");
  if (p.desc.compute == CUBLAS_COMPUTE_32F_FAST_TF32 && in != CUDA_R_32F)
    return unsupported("tf32 goes with f32 matrices");
  if (out != in && out != CUDA_R_32F)
    return unsupported("D must have the type of A and B or f32");
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t checkEpilogue(const Product &p) {
  const LtMatmulDesc &desc = p.desc;
  cublasLtEpilogue_t e = desc.epilogue;
  switch (e) {
  case CUBLASLT_EPILOGUE_DEFAULT:
    return CUBLAS_STATUS_SUCCESS;
  case CUBLASLT_EPILOGUE_RELU:
  case CUBLASLT_EPILOGUE_BIAS:
  case CUBLASLT_EPILOGUE_RELU_BIAS:
  case CUBLASLT_EPILOGUE_GELU:
  case CUBLASLT_EPILOGUE_GELU_BIAS:
  case CUBLASLT_EPILOGUE_RELU_AUX:
  case CUBLASLT_EPILOGUE_RELU_AUX_BIAS:
  case CUBLASLT_EPILOGUE_DRELU:
  case CUBLASLT_EPILOGUE_DRELU_BGRAD:
  case CUBLASLT_EPILOGUE_GELU_AUX:
  case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
  case CUBLASLT_EPILOGUE_DGELU:
  case CUBLASLT_EPILOGUE_DGELU_BGRAD:
  case CUBLASLT_EPILOGUE_BGRADA:
  case CUBLASLT_EPILOGUE_BGRADB:
    break;
  default:
    return wrong("unknown epilogue " + std::to_string(static_cast<int>(e)));
  }
  if (desc.compute == CUBLAS_COMPUTE_64F)
    return unsupported("f64 has no epilogues");
  if (has(e, kBias | kBiasOfD | kBiasOfA | kBiasOfB)) {
    if (desc.bias == 0)
      return wrong("the epilogue needs a bias, and its pointer is null");
    if (desc.bias % static_cast<std::uint64_t>(bytesOf(p.d.type)) != 0)
      return wrong("the bias is not aligned to its elements");
    if (desc.biasType >= 0 && desc.biasType != p.d.type)
      return unsupported("the bias must have the type of D");
    if (!has(e, kBias) && p.d.batch > 1)
      return unsupported("a bias gradient of a batch");
  }
  if (!has(e, kAux))
    return CUBLAS_STATUS_SUCCESS;
  if (desc.aux == 0)
    return wrong("the epilogue needs an auxiliary buffer, and its pointer is null");
  std::int64_t unit = has(e, kRelu | kDRelu) ? 128 : 8;
  if (unit == 8 && desc.aux % static_cast<std::uint64_t>(bytesOf(p.d.type)) != 0)
    return wrong("the auxiliary buffer is not aligned to its elements");
  if (desc.auxLd % unit != 0 || desc.auxLd < p.m)
    return wrong("the leading dimension of the auxiliary buffer must be a multiple of " + std::to_string(unit) +
                 " and at least " + std::to_string(p.m) + ", got " + std::to_string(desc.auxLd));
  if (p.d.batch > 1 && (desc.auxBatchStride % unit != 0 || desc.auxBatchStride < desc.auxLd * p.n))
    return wrong("the batch stride of the auxiliary buffer must be a multiple of " + std::to_string(unit) + " and at least " +
                 std::to_string(desc.auxLd * p.n) + ", got " + std::to_string(desc.auxBatchStride));
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace

void raf::sim::lt::complain(const std::string &text) { complaint = text; }

/// Only the stand-in has it.
LT_ENTRY const char *raf_sim_cublaslt_complaint() { return complaint.c_str(); }

cublasStatus_t raf::sim::lt::check(const LtMatmulDesc *desc, const LtMatrixLayout *a, const LtMatrixLayout *b,
                                   const LtMatrixLayout *c, const LtMatrixLayout *d, Product &product) {
  if (!desc || !a || !b || !c || !d)
    return wrong("a descriptor is null");
  product = {*desc, *a, *b, *c, *d, 0, 0, 0};
  const char *names[] = {"A", "B", "C", "D"};
  const LtMatrixLayout *all[] = {a, b, c, d};
  for (int i = 0; i < 4; ++i)
    if (cublasStatus_t status = checkLayout(names[i], *all[i], i == 3); status != CUBLAS_STATUS_SUCCESS)
      return status;
  bool ta = desc->transA == CUBLAS_OP_T, tb = desc->transB == CUBLAS_OP_T;
  product.m = static_cast<std::int64_t>(ta ? a->columns : a->rows);
  product.k = static_cast<std::int64_t>(ta ? a->rows : a->columns);
  product.n = static_cast<std::int64_t>(tb ? b->rows : b->columns);
  auto k = static_cast<std::int64_t>(tb ? b->columns : b->rows);
  auto is = [&](const LtMatrixLayout *x) {
    return static_cast<std::int64_t>(x->rows) == product.m && static_cast<std::int64_t>(x->columns) == product.n;
  };
  if (k != product.k || !is(c) || !is(d))
    return wrong("op(A) times op(B) does not give C and D: A is " + text(*a) + ", B is " + text(*b) + ", C is " + text(*c) +
                 ", D is " + text(*d));
  if (a->batch != d->batch || b->batch != d->batch || c->batch != d->batch)
    return wrong("the matrices have different batch counts");
  if (cublasStatus_t status = checkTypes(product); status != CUBLAS_STATUS_SUCCESS)
    return status;
  return checkEpilogue(product);
}

// ---- objects ----

LT_ENTRY std::size_t cublasLtGetVersion() { return 130100; }

LT_ENTRY cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  if (!handle)
    return wrong("the handle is null");
  *handle = new LtContext;
  return CUBLAS_STATUS_SUCCESS;
}

LT_ENTRY cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return destroy(handle); }

LT_ENTRY cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *desc, cublasComputeType_t compute, cudaDataType_t scale) {
  if (!desc)
    return wrong("the descriptor is null");
  if (compute != CUBLAS_COMPUTE_32F && compute != CUBLAS_COMPUTE_64F && compute != CUBLAS_COMPUTE_32F_FAST_TF32)
    return unsupported("compute type " + std::to_string(static_cast<int>(compute)));
  *desc = new LtMatmulDesc{compute, scale};
  return CUBLAS_STATUS_SUCCESS;
}

LT_ENTRY cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) { return destroy(desc); }

LT_ENTRY cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attribute,
                                                       const void *value, std::size_t bytes) {
  if (!desc)
    return wrong("the descriptor is null");
  switch (attribute) {
  case CUBLASLT_MATMUL_DESC_TRANSA:
    return take(desc->transA, value, bytes);
  case CUBLASLT_MATMUL_DESC_TRANSB:
    return take(desc->transB, value, bytes);
  case CUBLASLT_MATMUL_DESC_EPILOGUE:
    return take(desc->epilogue, value, bytes);
  case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
    return take(desc->bias, value, bytes);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
    return take(desc->aux, value, bytes);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
    return take(desc->auxLd, value, bytes);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE:
    return take(desc->auxBatchStride, value, bytes);
  case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
    return take(desc->scaleA, value, bytes);
  case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
    return take(desc->scaleB, value, bytes);
  case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
    return take(desc->biasType, value, bytes);
  }
  return wrong("unknown attribute " + std::to_string(static_cast<int>(attribute)) + " of a product");
}

LT_ENTRY cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType_t type, std::uint64_t rows,
                                                   std::uint64_t columns, std::int64_t ld) {
  if (!layout)
    return wrong("the layout is null");
  if (!known(type))
    return unsupported("data type " + std::to_string(static_cast<int>(type)));
  *layout = new LtMatrixLayout{type, rows, columns, ld};
  return CUBLAS_STATUS_SUCCESS;
}

LT_ENTRY cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) { return destroy(layout); }

LT_ENTRY cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute,
                                                         const void *value, std::size_t bytes) {
  if (!layout)
    return wrong("the layout is null");
  switch (attribute) {
  case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
    return take(layout->batch, value, bytes);
  case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
    return take(layout->stride, value, bytes);
  }
  return wrong("unknown attribute " + std::to_string(static_cast<int>(attribute)) + " of a layout");
}

LT_ENTRY cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) {
  if (!preference)
    return wrong("the preference is null");
  *preference = new LtMatmulPreference;
  return CUBLAS_STATUS_SUCCESS;
}

LT_ENTRY cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) { return destroy(preference); }

LT_ENTRY cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                             cublasLtMatmulPreferenceAttributes_t attribute, const void *value,
                                                             std::size_t bytes) {
  if (!preference)
    return wrong("the preference is null");
  switch (attribute) {
  case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
    return take(preference->workspace, value, bytes);
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES:
    return take(preference->alignA, value, bytes);
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES:
    return take(preference->alignB, value, bytes);
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES:
    return take(preference->alignC, value, bytes);
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES:
    return take(preference->alignD, value, bytes);
  }
  return wrong("unknown attribute " + std::to_string(static_cast<int>(attribute)) + " of a preference");
}
