// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the stand-ins of libraries share: the simulator beside them, and numbers as they lie in memory.
#ifndef RAF_RUNTIME_CUDA_SIM_LIBRARY_H
#define RAF_RUNTIME_CUDA_SIM_LIBRARY_H

#include "cuda_sim/raf_cuda_sim.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include <dlfcn.h>

namespace raf::sim {

/// The simulator in this library's folder.
struct Simulator {
  decltype(&raf_sim_enqueue) enqueue = nullptr;
  decltype(&raf_sim_memory) memory = nullptr;
  decltype(&raf_sim_fail) fail = nullptr;

  Simulator() {
    Dl_info info;
    if (!dladdr(reinterpret_cast<void *>(&get), &info) || !info.dli_fname)
      return;
    std::string own = info.dli_fname;
    void *driver = dlopen((own.substr(0, own.rfind('/') + 1) + "libcuda.so.1").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!driver)
      return;
    enqueue = reinterpret_cast<decltype(enqueue)>(dlsym(driver, "raf_sim_enqueue"));
    memory = reinterpret_cast<decltype(memory)>(dlsym(driver, "raf_sim_memory"));
    fail = reinterpret_cast<decltype(fail)>(dlsym(driver, "raf_sim_fail"));
  }

  bool complete() const { return enqueue && memory && fail; }

  static const Simulator &get() {
    static Simulator simulator;
    return simulator;
  }
};

/// Thrown after a report, which the simulator has.
struct Stop {};

/// Within work on a stream: the host's address of device memory, checked.
inline char *range(std::uint64_t address, std::int64_t bytes, int kind, const char *what) {
  void *memory = Simulator::get().memory(address, bytes, kind | RAF_SIM_CHECK_MEMORY | RAF_SIM_CHECK_RACES, what);
  if (!memory)
    throw Stop();
  return static_cast<char *>(memory);
}

inline float fromBf16(std::uint16_t bits) {
  std::uint32_t wide = std::uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, 4);
  return value;
}

inline std::uint16_t toBf16(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, 4);
  if (std::isnan(value))
    return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline float fromF16(std::uint16_t bits) {
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  float value = exponent == 0    ? std::ldexp(static_cast<float>(mantissa), -24)
                : exponent == 31 ? (mantissa ? NAN : INFINITY)
                                 : std::ldexp(static_cast<float>(mantissa | 1024), exponent - 25);
  return bits & 0x8000 ? -value : value;
}

inline std::uint16_t toF16(float value) {
  std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value))
    return sign | 0x7e00;
  double size = std::fabs(static_cast<double>(value));
  if (size >= 65520)
    return sign | 0x7c00;
  int exponent = size == 0 ? -14 : std::max(std::ilogb(size), -14);
  // nearbyint rounds halves to even, as the format does; a mantissa of 2048 carries into the exponent by itself.
  auto mantissa = static_cast<int>(std::nearbyint(std::ldexp(size, 10 - exponent)));
  return static_cast<std::uint16_t>(sign | (mantissa < 1024 ? mantissa : ((exponent + 14) << 10) + mantissa));
}

/// 1, 4 and 3 bits; there is no infinity, and of each sign one NaN.
inline float fromE4M3(std::uint8_t bits) {
  int exponent = bits >> 3 & 15, mantissa = bits & 7;
  float value = exponent == 0                     ? std::ldexp(static_cast<float>(mantissa), -9)
                : exponent == 15 && mantissa == 7 ? NAN
                                                  : std::ldexp(static_cast<float>(mantissa | 8), exponent - 10);
  return bits & 0x80 ? -value : value;
}

/// 1, 5 and 2 bits: the upper half of an f16.
inline float fromE5M2(std::uint8_t bits) { return fromF16(static_cast<std::uint16_t>(bits << 8)); }

/// Ten bits of mantissa, halves away from zero, as the tensor cores' conversion does.
inline float toTf32(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, 4);
  if (!std::isfinite(value))
    return value;
  bits = (bits + 0x1000) & ~std::uint32_t(0x1fff);
  std::memcpy(&value, &bits, 4);
  return value;
}

enum class Element { F32, F64, BF16, F16, I8, I32, E4M3, E5M2 };

inline std::int64_t bytesOf(Element type) {
  return type == Element::F64 ? 8 : type == Element::F32 || type == Element::I32 ? 4 : type == Element::BF16 || type == Element::F16 ? 2 : 1;
}

inline double readElement(const char *memory, Element type, std::int64_t index) {
  switch (type) {
  case Element::F64:
    return reinterpret_cast<const double *>(memory)[index];
  case Element::F32:
    return reinterpret_cast<const float *>(memory)[index];
  case Element::I8:
    return reinterpret_cast<const std::int8_t *>(memory)[index];
  case Element::I32:
    return reinterpret_cast<const std::int32_t *>(memory)[index];
  case Element::E4M3:
    return fromE4M3(reinterpret_cast<const std::uint8_t *>(memory)[index]);
  case Element::E5M2:
    return fromE5M2(reinterpret_cast<const std::uint8_t *>(memory)[index]);
  case Element::BF16:
    return fromBf16(reinterpret_cast<const std::uint16_t *>(memory)[index]);
  default:
    return fromF16(reinterpret_cast<const std::uint16_t *>(memory)[index]);
  }
}

inline void writeElement(char *memory, Element type, std::int64_t index, double value) {
  switch (type) {
  case Element::F64:
    reinterpret_cast<double *>(memory)[index] = value;
    break;
  case Element::F32:
    reinterpret_cast<float *>(memory)[index] = static_cast<float>(value);
    break;
  case Element::I8:
    reinterpret_cast<std::int8_t *>(memory)[index] = static_cast<std::int8_t>(value);
    break;
  case Element::BF16:
    reinterpret_cast<std::uint16_t *>(memory)[index] = toBf16(static_cast<float>(value));
    break;
  default:
    reinterpret_cast<std::uint16_t *>(memory)[index] = toF16(static_cast<float>(value));
  }
}

} // namespace raf::sim

#endif
