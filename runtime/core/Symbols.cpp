// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/Symbols.h"

#include "raf_cuda.h"
#include "raf_runtime.h"

using namespace raf::rt;

namespace {

template <typename Function> void *address(Function *function) { return reinterpret_cast<void *>(function); }

void addRuntime(std::unordered_map<std::string, void *> &symbols) {
#define RAF_SYMBOL(name) symbols[#name] = address(name)
  RAF_SYMBOL(raf_rt_parallel_for);
  RAF_SYMBOL(raf_rt_profile_begin);
  RAF_SYMBOL(raf_rt_profile_end);
  RAF_SYMBOL(raf_rt_dnnl_create);
  RAF_SYMBOL(raf_rt_dnnl_execute);
  RAF_SYMBOL(raf_rt_cuda_kernel);
  RAF_SYMBOL(raf_rt_cuda_constant);
  RAF_SYMBOL(raf_rt_cuda_constant_address);
  RAF_SYMBOL(raf_rt_cuda_ops);
  RAF_SYMBOL(raf_rt_cuda_op);
  RAF_SYMBOL(raf_rt_cuda_launch);
  RAF_SYMBOL(raf_rt_cuda_copy);
  RAF_SYMBOL(raf_rt_cuda_read);
  RAF_SYMBOL(raf_rt_cuda_use_stream);
  RAF_SYMBOL(raf_rt_cuda_record);
  RAF_SYMBOL(raf_rt_cuda_wait);
  RAF_SYMBOL(raf_rt_cuda_create);
  RAF_SYMBOL(raf_rt_cuda_execute);
#undef RAF_SYMBOL
}

} // namespace

const std::unordered_map<std::string, void *> &raf::rt::knownSymbols() {
  static const std::unordered_map<std::string, void *> symbols = [] {
    std::unordered_map<std::string, void *> made = librarySymbols();
    addRuntime(made);
    return made;
  }();
  return symbols;
}
