// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_sim/Image.h"

#include "core/Error.h"
#include "core/ObjectLoader.h"
#include "core/Symbols.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace raf::sim {

Module::Module() = default;
Module::~Module() = default;

static void *resolve(const std::string &name) {
#define RAF_SIM_SYMBOL(f) {#f, reinterpret_cast<void *>(&f)}
  static const std::unordered_map<std::string, void *> own = {
      RAF_SIM_SYMBOL(raf_sim_barrier),     RAF_SIM_SYMBOL(raf_sim_warp_barrier), RAF_SIM_SYMBOL(raf_sim_shuffle),      RAF_SIM_SYMBOL(raf_sim_vote),
      RAF_SIM_SYMBOL(raf_sim_gather),      RAF_SIM_SYMBOL(raf_sim_mma),          RAF_SIM_SYMBOL(raf_sim_ldmatrix),     RAF_SIM_SYMBOL(raf_sim_async_copy),
      RAF_SIM_SYMBOL(raf_sim_async_commit), RAF_SIM_SYMBOL(raf_sim_async_wait),  RAF_SIM_SYMBOL(raf_sim_out_of_bounds), RAF_SIM_SYMBOL(raf_sim_access),
      RAF_SIM_SYMBOL(raf_sim_proxy_fence), RAF_SIM_SYMBOL(raf_sim_wgmma),       RAF_SIM_SYMBOL(raf_sim_wgmma_registers), RAF_SIM_SYMBOL(raf_sim_wgmma_fence),
      RAF_SIM_SYMBOL(raf_sim_wgmma_commit), RAF_SIM_SYMBOL(raf_sim_wgmma_wait),
  };
#undef RAF_SIM_SYMBOL
  auto found = own.find(name);
  if (found != own.end())
    return found->second;
  const auto &library = rt::librarySymbols();
  auto entry = library.find(name);
  return entry == library.end() ? nullptr : entry->second;
}

/// The driver is given no size: an object ends with its last section or header.
static size_t objectSize(const char *bytes) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes, sizeof header);
  size_t end = std::max<size_t>(sizeof header, header.e_shoff + size_t(header.e_shnum) * sizeof(Elf64_Shdr));
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, bytes + header.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_NOBITS)
      end = std::max<size_t>(end, section.sh_offset + section.sh_size);
  }
  return end;
}

std::unique_ptr<Module> loadImage(const void *image, std::string *reason) {
  auto module = std::make_unique<Module>();
  auto bytes = static_cast<const char *>(image);
  if (std::memcmp(bytes, ELFMAG, SELFMAG) == 0 && bytes[EI_CLASS] == ELFCLASS64) {
    try {
      module->objects = rt::LoadedObjects::load({std::string_view(bytes, objectSize(bytes))}, resolve);
    } catch (const std::exception &error) {
      *reason = error.what();
      return nullptr;
    }
    module->kernels = static_cast<const raf_sim_module *>(module->objects->find("raf_sim_kernels"));
    if (!module->kernels) {
      *reason = "the image is an object without the symbol raf_sim_kernels: it was not made by raf-gpu-to-sim";
      return nullptr;
    }
  } else {
    *reason = "the image is not one for the simulated GPU, which takes objects made for the target cuda-sim (PTX and cubins need a GPU)";
    return nullptr;
  }
  if (module->kernels->version != RAF_SIM_VERSION) {
    *reason = "the image has version " + std::to_string(module->kernels->version) + "; this simulator takes version " + std::to_string(RAF_SIM_VERSION);
    return nullptr;
  }
  for (int32_t i = 0; i < module->kernels->count; ++i) {
    Function function;
    function.module = module.get();
    function.kernel = &module->kernels->kernels[i];
    module->functions.push_back(function);
  }
  return module;
}

} // namespace raf::sim
