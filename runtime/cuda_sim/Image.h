// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RUNTIME_CUDA_SIM_IMAGE_H
#define RUNTIME_CUDA_SIM_IMAGE_H

#include "cuda_sim/Context.h"

namespace raf::rt {
class LoadedObjects;
}

namespace raf::sim {

struct Module {
  std::unique_ptr<rt::LoadedObjects> objects;
  const raf_sim_module *kernels = nullptr;
  std::deque<Function> functions;

  Module();
  ~Module();
};

/// Null with a reason for what is no image.
std::unique_ptr<Module> loadImage(const void *image, std::string *reason);

} // namespace raf::sim

#endif // RUNTIME_CUDA_SIM_IMAGE_H
