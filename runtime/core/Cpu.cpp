// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/Cpu.h"

#include "raf_executable.h"

#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

using namespace raf::rt;

namespace {

#if defined(__x86_64__)

enum Register { kEax, kEbx, kEcx, kEdx };

/// The registers that the system saves for a program, without which a CPU's feature is of no use.
enum Saved { kAlways, kAvx, kAvx512, kAmx, kApx };

struct Feature {
  const char *name;
  uint32_t leaf, subleaf;
  Register where;
  int bit;
  Saved saved = kAlways;
};

constexpr uint32_t kExtended = 0x80000001, kExtended8 = 0x80000008;

constexpr Feature kFeatures[] = {
    {"cx8", 1, 0, kEdx, 8},
    {"cmov", 1, 0, kEdx, 15},
    {"mmx", 1, 0, kEdx, 23},
    {"fxsr", 1, 0, kEdx, 24},
    {"sse", 1, 0, kEdx, 25},
    {"sse2", 1, 0, kEdx, 26},
    {"sse3", 1, 0, kEcx, 0},
    {"pclmul", 1, 0, kEcx, 1},
    {"ssse3", 1, 0, kEcx, 9},
    {"fma", 1, 0, kEcx, 12, kAvx},
    {"cx16", 1, 0, kEcx, 13},
    {"sse4.1", 1, 0, kEcx, 19},
    {"sse4.2", 1, 0, kEcx, 20},
    {"crc32", 1, 0, kEcx, 20},
    {"movbe", 1, 0, kEcx, 22},
    {"popcnt", 1, 0, kEcx, 23},
    {"aes", 1, 0, kEcx, 25},
    {"xsave", 1, 0, kEcx, 26, kAvx},
    {"avx", 1, 0, kEcx, 28, kAvx},
    {"f16c", 1, 0, kEcx, 29, kAvx},
    {"rdrnd", 1, 0, kEcx, 30},
    {"sahf", kExtended, 0, kEcx, 0},
    {"lzcnt", kExtended, 0, kEcx, 5},
    {"sse4a", kExtended, 0, kEcx, 6},
    {"prfchw", kExtended, 0, kEcx, 8},
    {"xop", kExtended, 0, kEcx, 11, kAvx},
    {"lwp", kExtended, 0, kEcx, 15},
    {"fma4", kExtended, 0, kEcx, 16, kAvx},
    {"tbm", kExtended, 0, kEcx, 21},
    {"mwaitx", kExtended, 0, kEcx, 29},
    {"64bit", kExtended, 0, kEdx, 29},
    {"clzero", kExtended8, 0, kEbx, 0},
    {"rdpru", kExtended8, 0, kEbx, 4},
    {"wbnoinvd", kExtended8, 0, kEbx, 9},
    {"fsgsbase", 7, 0, kEbx, 0},
    {"sgx", 7, 0, kEbx, 2},
    {"bmi", 7, 0, kEbx, 3},
    {"avx2", 7, 0, kEbx, 5, kAvx},
    {"bmi2", 7, 0, kEbx, 8},
    {"invpcid", 7, 0, kEbx, 10},
    {"rtm", 7, 0, kEbx, 11},
    {"avx512f", 7, 0, kEbx, 16, kAvx512},
    {"avx512dq", 7, 0, kEbx, 17, kAvx512},
    {"rdseed", 7, 0, kEbx, 18},
    {"adx", 7, 0, kEbx, 19},
    {"avx512ifma", 7, 0, kEbx, 21, kAvx512},
    {"clflushopt", 7, 0, kEbx, 23},
    {"clwb", 7, 0, kEbx, 24},
    {"avx512cd", 7, 0, kEbx, 28, kAvx512},
    {"sha", 7, 0, kEbx, 29},
    {"avx512bw", 7, 0, kEbx, 30, kAvx512},
    {"avx512vl", 7, 0, kEbx, 31, kAvx512},
    {"avx512vbmi", 7, 0, kEcx, 1, kAvx512},
    {"pku", 7, 0, kEcx, 4},
    {"waitpkg", 7, 0, kEcx, 5},
    {"avx512vbmi2", 7, 0, kEcx, 6, kAvx512},
    {"shstk", 7, 0, kEcx, 7},
    {"gfni", 7, 0, kEcx, 8},
    {"vaes", 7, 0, kEcx, 9, kAvx},
    {"vpclmulqdq", 7, 0, kEcx, 10, kAvx},
    {"avx512vnni", 7, 0, kEcx, 11, kAvx512},
    {"avx512bitalg", 7, 0, kEcx, 12, kAvx512},
    {"avx512vpopcntdq", 7, 0, kEcx, 14, kAvx512},
    {"rdpid", 7, 0, kEcx, 22},
    {"kl", 7, 0, kEcx, 23},
    {"cldemote", 7, 0, kEcx, 25},
    {"movdiri", 7, 0, kEcx, 27},
    {"movdir64b", 7, 0, kEcx, 28},
    {"enqcmd", 7, 0, kEcx, 29},
    {"uintr", 7, 0, kEdx, 5},
    {"avx512vp2intersect", 7, 0, kEdx, 8, kAvx512},
    {"serialize", 7, 0, kEdx, 14},
    {"tsxldtrk", 7, 0, kEdx, 16},
    {"pconfig", 7, 0, kEdx, 18},
    {"amx-bf16", 7, 0, kEdx, 22, kAmx},
    {"avx512fp16", 7, 0, kEdx, 23, kAvx512},
    {"amx-tile", 7, 0, kEdx, 24, kAmx},
    {"amx-int8", 7, 0, kEdx, 25, kAmx},
    {"sha512", 7, 1, kEax, 0},
    {"sm3", 7, 1, kEax, 1},
    {"sm4", 7, 1, kEax, 2},
    {"raoint", 7, 1, kEax, 3},
    {"avxvnni", 7, 1, kEax, 4, kAvx},
    {"avx512bf16", 7, 1, kEax, 5, kAvx512},
    {"cmpccxadd", 7, 1, kEax, 7},
    {"amx-fp16", 7, 1, kEax, 21, kAmx},
    {"hreset", 7, 1, kEax, 22},
    {"avxifma", 7, 1, kEax, 23, kAvx},
    {"movrs", 7, 1, kEax, 31},
    {"avxvnniint8", 7, 1, kEdx, 4, kAvx},
    {"avxneconvert", 7, 1, kEdx, 5, kAvx},
    {"amx-complex", 7, 1, kEdx, 8, kAmx},
    {"avxvnniint16", 7, 1, kEdx, 10, kAvx},
    {"prefetchi", 7, 1, kEdx, 14},
    {"usermsr", 7, 1, kEdx, 15},
    {"avx10.1", 7, 1, kEdx, 19, kAvx512},
    {"egpr", 7, 1, kEdx, 21, kApx},
    {"push2pop2", 7, 1, kEdx, 21, kApx},
    {"ppx", 7, 1, kEdx, 21, kApx},
    {"ndd", 7, 1, kEdx, 21, kApx},
    {"ccmp", 7, 1, kEdx, 21, kApx},
    {"nf", 7, 1, kEdx, 21, kApx},
    {"cf", 7, 1, kEdx, 21, kApx},
    {"zu", 7, 1, kEdx, 21, kApx},
    {"xsaveopt", 0xd, 1, kEax, 0, kAvx},
    {"xsavec", 0xd, 1, kEax, 1, kAvx},
    {"xsaves", 0xd, 1, kEax, 3, kAvx},
    {"ptwrite", 0x14, 0, kEbx, 4},
    {"widekl", 0x19, 0, kEbx, 2},
    {"amx-fp8", 0x1e, 1, kEax, 4, kAmx},
    {"amx-tf32", 0x1e, 1, kEax, 6, kAmx},
    {"amx-avx512", 0x1e, 1, kEax, 7, kAmx},
    {"amx-movrs", 0x1e, 1, kEax, 8, kAmx},
};

using Registers = std::array<uint32_t, 4>;

Registers cpuid(uint32_t leaf, uint32_t subleaf) {
  Registers found = {};
  if (!__get_cpuid_count(leaf, subleaf, &found[kEax], &found[kEbx], &found[kEcx], &found[kEdx]))
    found = {};
  return found;
}

/// The sets of registers that the system saves, as the CPU is told (XCR0).
uint64_t savedRegisters() {
  constexpr int kXsaveEnabled = 27;
  if (!(cpuid(1, 0)[kEcx] >> kXsaveEnabled & 1))
    return 0;
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t(high) << 32 | low;
}

std::set<std::string> findFeatures() {
  constexpr uint64_t kNeeded[] = {0, 0x6, 0xe6, 0x60006, 0x80006};
  uint64_t saved = savedRegisters();
  std::set<std::string> found;
  for (const Feature &feature : kFeatures)
    if ((saved & kNeeded[feature.saved]) == kNeeded[feature.saved] && (cpuid(feature.leaf, feature.subleaf)[feature.where] >> feature.bit & 1))
      found.insert(feature.name);
  if (found.count("avx10.1") && (cpuid(0x24, 0)[kEbx] & 0xff) >= 2)
    found.insert("avx10.2");
  return found;
}

#else

std::set<std::string> findFeatures() {
  static const struct {
    const char *kernel, *llvm;
  } kFeatures[] = {{"asimd", "neon"}, {"fp", "fp-armv8"}, {"crc32", "crc"}, {"atomics", "lse"}, {"rng", "rand"}, {"sha3", "sha3"}, {"sm4", "sm4"}, {"sve", "sve"},
                   {"sve2", "sve2"}, {"sveaes", "sve-aes"}, {"svesha3", "sve-sha3"}, {"svesm4", "sve-sm4"}, {"aes", "aes"}, {"sha2", "sha2"}, {"asimddp", "dotprod"},
                   {"asimdhp", "fullfp16"}, {"bf16", "bf16"}, {"i8mm", "i8mm"}, {"jscvt", "jsconv"}, {"fcma", "complxnum"}, {"lrcpc", "rcpc"}};
  std::set<std::string> found;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("Features", 0) != 0)
      continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    for (std::string word; words >> word;)
      for (const auto &feature : kFeatures)
        if (word == feature.kernel)
          found.insert(feature.llvm);
    break;
  }
  return found;
}

#endif

#if defined(__x86_64__)
constexpr const char *kTriple = "x86_64-unknown-linux-gnu";
#elif defined(__aarch64__)
constexpr const char *kTriple = "aarch64-unknown-linux-gnu";
#else
constexpr const char *kTriple = "unknown";
#endif

} // namespace

const std::set<std::string> &raf::rt::hostFeatures() {
  static const std::set<std::string> features = findFeatures();
  return features;
}

std::string raf::rt::whyNotHere(const std::string &triple, const std::vector<std::string> &features) {
  if (triple != kTriple)
    return "it was made for " + triple + ", and this is " + kTriple;
  std::string missing;
  for (const std::string &feature : features)
    if (!hostFeatures().count(feature))
      missing += (missing.empty() ? "" : ", ") + feature;
  return missing.empty() ? "" : "this CPU lacks " + missing;
}

const char *raf_rt_host_triple(void) { return kTriple; }

const char *raf_rt_host_features(void) {
  static const std::string text = [] {
    std::string joined;
    for (const std::string &feature : hostFeatures())
      joined += (joined.empty() ? "" : ",") + feature;
    return joined;
  }();
  return text.c_str();
}
