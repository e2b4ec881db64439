// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/Symbols.h"

#include <cmath>
#include <cstdint>
#include <cstring>

using namespace raf::rt;

#ifdef __GLIBC__
extern "C" {
void sincos(double, double *, double *) noexcept;
void sincosf(float, float *, float *) noexcept;
}
#endif

namespace {

template <typename To, typename From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "bits of one size");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// Rounds to a float of `exponentBits` and `mantissaBits` at most 16 bits in all, to the nearest, ties to even; the bits.
template <int exponentBits, int mantissaBits> uint32_t round(double value) {
  uint64_t bits = bitCast<uint64_t>(value);
  constexpr int kBias = (1 << (exponentBits - 1)) - 1, kDoubleBias = 1023, kDoubleMantissa = 52;
  constexpr uint64_t kInfinity = ((uint64_t(1) << exponentBits) - 1) << mantissaBits;
  auto sign = static_cast<uint32_t>(bits >> 63) << (exponentBits + mantissaBits);
  int exponent = static_cast<int>(bits >> kDoubleMantissa & 0x7ff) - kDoubleBias;
  uint64_t mantissa = bits & ((uint64_t(1) << kDoubleMantissa) - 1);
  if (exponent == kDoubleBias + 1) // infinity, or NaN with its leading bits and made quiet
    return sign | static_cast<uint32_t>(kInfinity | (mantissa ? (uint64_t(1) << (mantissaBits - 1)) | mantissa >> (kDoubleMantissa - mantissaBits) : 0));
  if (exponent == -kDoubleBias) // a subnormal double is far below the least of these
    return sign;
  mantissa |= uint64_t(1) << kDoubleMantissa;
  // The bits that are lost: more of them below the least normal number.
  int lost = kDoubleMantissa - mantissaBits + (exponent < 1 - kBias ? 1 - kBias - exponent : 0);
  if (lost > kDoubleMantissa + 1)
    return sign;
  uint64_t half = uint64_t(1) << (lost - 1), kept = mantissa >> lost, rest = mantissa & ((half << 1) - 1);
  kept += rest > half || (rest == half && kept & 1);
  // A carry out of the mantissa goes into the exponent, which is what it should do.
  uint64_t result = exponent < 1 - kBias ? kept : kept + (static_cast<uint64_t>(exponent + kBias - 1) << mantissaBits);
  return sign | static_cast<uint32_t>(exponent > kBias || result > kInfinity ? kInfinity : result);
}

// LLVM calls these where the CPU has no instruction. A small float is passed and returned in the low 16 bits of a vector register, as is a float whose low bits it is.
float truncateToBF16(float value) { return bitCast<float>(round<8, 7>(value)); }
float truncateDoubleToBF16(double value) { return bitCast<float>(round<8, 7>(value)); }
float truncateToF16(float value) { return bitCast<float>(round<5, 10>(value)); }
float truncateDoubleToF16(double value) { return bitCast<float>(round<5, 10>(value)); }
float extendF16(float holder) {
  uint32_t bits = bitCast<uint32_t>(holder), sign = (bits & 0x8000) << 16, exponent = bits >> 10 & 0x1f, mantissa = bits & 0x3ff;
  if (exponent == 0) { // zero, or subnormal: a number of units of 2^-24
    float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  constexpr uint32_t kBias = 127 - 15, kQuiet = 1 << 22;
  if (exponent == 0x1f)
    return bitCast<float>(sign | 0x7f800000 | mantissa << 13 | (mantissa ? kQuiet : 0));
  return bitCast<float>(sign | (exponent + kBias) << 23 | mantissa << 13);
}

template <typename Function> void *address(Function *function) { return reinterpret_cast<void *>(function); }

void addMemory(std::unordered_map<std::string, void *> &symbols) {
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

void addMaths(std::unordered_map<std::string, void *> &symbols) {
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

const std::unordered_map<std::string, void *> &raf::rt::librarySymbols() {
  static const std::unordered_map<std::string, void *> symbols = [] {
    std::unordered_map<std::string, void *> made;
    addMemory(made);
    addMaths(made);
    return made;
  }();
  return symbols;
}
