// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/Error.h"
#include "core/Threads.h"

#include <fstream>
#include <set>
#include <sstream>

#if defined(RAF_WITH_DNNL)
#include <dnnl.hpp>
#endif

using namespace raf::rt;

namespace {

std::string quoted(const std::string &value) {
  std::string result = "\"";
  for (char c : value) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (static_cast<unsigned char>(c) >= 0x20)
      result += c;
  }
  return result + "\"";
}

/// The value of the first of these keys in /proc/cpuinfo (x86 and AArch64 name them differently).
std::string cpuInfo(std::initializer_list<const char *> keys) {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    for (const char *key : keys) {
      size_t colon = line.find(':');
      if (colon != std::string::npos && line.rfind(key, 0) == 0)
        return colon + 2 <= line.size() ? line.substr(colon + 2) : "";
    }
  }
  return "unknown";
}

std::string features() {
  static const char *const interesting[] = {"sse4_1",      "avx",          "f16c",        "fma",         "avx2",
                                            "avx_vnni",    "avx512f",      "avx512bw",    "avx512dq",    "avx512vl",
                                            "avx512_vnni", "avx512_bf16",  "avx512_fp16", "amx_tile",    "amx_bf16",
                                            "amx_int8",    "asimd",        "sve",         "bf16",        "i8mm"};
  std::istringstream stream(cpuInfo({"flags", "Features"}));
  std::set<std::string> present;
  for (std::string flag; stream >> flag;)
    present.insert(flag);
  std::string result;
  for (const char *flag : interesting)
    if (present.count(flag))
      result += (result.empty() ? "" : ", ") + quoted(flag);
  return "[" + result + "]";
}

#if defined(RAF_WITH_DNNL)
const char *isaName(dnnl::cpu_isa isa) {
  switch (isa) {
  case dnnl::cpu_isa::sse41:
    return "sse41";
  case dnnl::cpu_isa::avx:
    return "avx";
  case dnnl::cpu_isa::avx2:
    return "avx2";
  case dnnl::cpu_isa::avx2_vnni:
    return "avx2_vnni";
  case dnnl::cpu_isa::avx2_vnni_2:
    return "avx2_vnni_2";
  case dnnl::cpu_isa::avx512_core:
    return "avx512_core";
  case dnnl::cpu_isa::avx512_core_vnni:
    return "avx512_core_vnni";
  case dnnl::cpu_isa::avx512_core_bf16:
    return "avx512_core_bf16";
  case dnnl::cpu_isa::avx512_core_fp16:
    return "avx512_core_fp16";
  case dnnl::cpu_isa::avx512_core_amx:
    return "avx512_core_amx";
  case dnnl::cpu_isa::avx512_core_amx_fp16:
    return "avx512_core_amx_fp16";
  default:
    return "other";
  }
}
#endif

std::string library() {
#if defined(RAF_WITH_DNNL)
  const dnnl_version_t *version = dnnl_version();
  return "{\"version\": " +
         quoted(std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
                std::to_string(version->patch)) +
         ", \"isa\": " + quoted(isaName(dnnl::get_effective_cpu_isa())) + "}";
#else
  return "null";
#endif
}

} // namespace

const char *raf_rt_info(void) {
  static thread_local std::string result;
  int64_t status = guarded(nullptr, [&] {
    result = "{\"abi\": " + std::to_string(RAF_RT_ABI_VERSION) +
             ", \"cpu\": " + quoted(cpuInfo({"model name", "Model"})) + ", \"features\": " + features() +
             ", \"cores\": " + std::to_string(availableCores()) +
             ", \"threads\": " + std::to_string(raf_rt_get_num_threads()) + ", \"onednn\": " + library() + "}";
  });
  return status == RAF_RT_OK ? result.c_str() : "{}";
}
