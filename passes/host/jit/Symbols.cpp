// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/jit/Loader.h"

#include "runtime/include/raf_runtime.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <cstring>

using namespace mlir::raf;

#ifdef __GLIBC__
extern "C" {
void sincos(double, double *, double *) noexcept;
void sincosf(float, float *, float *) noexcept;
}
#endif

namespace {

// LLVM calls these where the CPU has no instruction. A small float is passed and returned in the low 16 bits of a vector register, as is a float whose low bits it is.
template <typename From> float narrow(From value, const llvm::fltSemantics &semantics) {
  llvm::APFloat number(value);
  bool inexact;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &inexact);
  uint32_t bits = number.bitcastToAPInt().getZExtValue();
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}
float truncateToBF16(float value) { return narrow(value, llvm::APFloat::BFloat()); }
float truncateDoubleToBF16(double value) { return narrow(value, llvm::APFloat::BFloat()); }
float truncateToF16(float value) { return narrow(value, llvm::APFloat::IEEEhalf()); }
float truncateDoubleToF16(double value) { return narrow(value, llvm::APFloat::IEEEhalf()); }
float extendF16(float holder) {
  uint32_t bits;
  std::memcpy(&bits, &holder, sizeof bits);
  llvm::APFloat number(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits & 0xffff));
  bool inexact;
  number.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return number.convertToFloat();
}

template <typename Function> void *address(Function *function) { return reinterpret_cast<void *>(function); }

void addRuntime(llvm::StringMap<void *> &symbols) {
#define RAF_SYMBOL(name) symbols[#name] = address(name)
  RAF_SYMBOL(raf_rt_parallel_for);
  RAF_SYMBOL(raf_rt_profile_begin);
  RAF_SYMBOL(raf_rt_profile_end);
  RAF_SYMBOL(raf_rt_dnnl_create);
  RAF_SYMBOL(raf_rt_dnnl_execute);
#undef RAF_SYMBOL
  symbols["memcpy"] = address(static_cast<void *(*)(void *, const void *, size_t)>(std::memcpy));
  symbols["memmove"] = address(static_cast<void *(*)(void *, const void *, size_t)>(std::memmove));
  symbols["memset"] = address(static_cast<void *(*)(void *, int, size_t)>(std::memset));
  symbols["memcmp"] = address(static_cast<int (*)(const void *, const void *, size_t)>(std::memcmp));
  symbols["__truncsfbf2"] = address(truncateToBF16);
  symbols["__truncdfbf2"] = address(truncateDoubleToBF16);
  symbols["__truncsfhf2"] = address(truncateToF16);
  symbols["__truncdfhf2"] = address(truncateDoubleToF16);
  symbols["__extendhfsf2"] = address(extendF16);
}

void addMaths(llvm::StringMap<void *> &symbols) {
#define RAF_UNARY(name)                                                                                                                                            \
  symbols[#name] = address(static_cast<double (*)(double)>(::name));                                                                                              \
  symbols[#name "f"] = address(static_cast<float (*)(float)>(::name##f));
#define RAF_BINARY(name)                                                                                                                                           \
  symbols[#name] = address(static_cast<double (*)(double, double)>(::name));                                                                                      \
  symbols[#name "f"] = address(static_cast<float (*)(float, float)>(::name##f));
  RAF_UNARY(acos)
  RAF_UNARY(acosh)
  RAF_UNARY(asin)
  RAF_UNARY(asinh)
  RAF_UNARY(atan)
  RAF_UNARY(atanh)
  RAF_UNARY(cbrt)
  RAF_UNARY(ceil)
  RAF_UNARY(cos)
  RAF_UNARY(cosh)
  RAF_UNARY(erf)
  RAF_UNARY(erfc)
  RAF_UNARY(exp)
  RAF_UNARY(exp2)
  RAF_UNARY(expm1)
  RAF_UNARY(floor)
  RAF_UNARY(log)
  RAF_UNARY(log10)
  RAF_UNARY(log1p)
  RAF_UNARY(log2)
  RAF_UNARY(nearbyint)
  RAF_UNARY(rint)
  RAF_UNARY(round)
  RAF_UNARY(sin)
  RAF_UNARY(sinh)
  RAF_UNARY(sqrt)
  RAF_UNARY(tan)
  RAF_UNARY(tanh)
  RAF_UNARY(trunc)
  RAF_BINARY(atan2)
  RAF_BINARY(fmax)
  RAF_BINARY(fmin)
  RAF_BINARY(fmod)
  RAF_BINARY(pow)
#undef RAF_UNARY
#undef RAF_BINARY
  // Not in every C library; nearbyint is the same in the only rounding mode that is ever set.
  symbols["roundeven"] = address(static_cast<double (*)(double)>(::nearbyint));
  symbols["roundevenf"] = address(static_cast<float (*)(float)>(::nearbyintf));
  symbols["fma"] = address(static_cast<double (*)(double, double, double)>(::fma));
  symbols["fmaf"] = address(static_cast<float (*)(float, float, float)>(::fmaf));
  symbols["ldexp"] = address(static_cast<double (*)(double, int)>(::ldexp));
  symbols["ldexpf"] = address(static_cast<float (*)(float, int)>(::ldexpf));
#ifdef __GLIBC__
  symbols["sincos"] = address(::sincos);
  symbols["sincosf"] = address(::sincosf);
#endif
}

} // namespace

const llvm::StringMap<void *> &mlir::raf::getKnownSymbols() {
  static const llvm::StringMap<void *> symbols = [] {
    llvm::StringMap<void *> made;
    addRuntime(made);
    addMaths(made);
    return made;
  }();
  return symbols;
}
