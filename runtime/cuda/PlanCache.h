// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libraries have chosen for plans, kept on disk: the choice takes longer than the plan, and for some engines kernels are
// compiled. A file is read only for the device, the versions (RAF's too), the words and the form that it was written for; what is
// damaged is as if it were not there, and is written again.
#ifndef RAF_RUNTIME_CUDA_PLANCACHE_H
#define RAF_RUNTIME_CUDA_PLANCACHE_H

#include "cuda/Device.h"

#include <string>
#include <vector>

namespace raf::rt::cuda {

class PlanCache {
public:
  /// `versionFunction` of the library answers with its version. `form` is what the runtime makes of the words, where that is kept with
  /// the choice: a runtime that makes something else of the same words chooses again.
  PlanCache(Device &device, const std::string &libraryFile, const char *versionFunction, const std::vector<int64_t> &words, const std::string &form = {});

  /// The bytes that were stored; empty if there are none.
  std::string load() const;
  /// Whole or not at all. Failures are nobody's concern: the next process chooses again.
  void store(const std::string &payload) const noexcept;

private:
  std::string key, path; // no path: caching is off
};

} // namespace raf::rt::cuda

#endif
