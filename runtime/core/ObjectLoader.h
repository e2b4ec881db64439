// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links relocatable ELF objects in memory: what a dynamic linker does for shared libraries, for files as a compiler writes them.
#ifndef RAF_RUNTIME_CORE_OBJECT_LOADER_H
#define RAF_RUNTIME_CORE_OBJECT_LOADER_H

#include "core/Relocation.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace raf::rt {

/// The address of a symbol that no object defines, or null.
using SymbolResolver = std::function<void *(const std::string &)>;

/// Objects that were linked together and are ready to run. No page is writable and executable.
class LoadedObjects {
public:
  /// Throws Error for what is damaged, for another machine, needs what this does not have, or lacks symbols. The files are read within their bounds only; what the
  /// code in them does when it is called is another matter. With a machine other than the host's the result is linked, but cannot run.
  static std::unique_ptr<LoadedObjects> load(const std::vector<std::string_view> &objects, const SymbolResolver &resolve, Machine machine);
  /// For the machine that this process runs on.
  static std::unique_ptr<LoadedObjects> load(const std::vector<std::string_view> &objects, const SymbolResolver &resolve);
  ~LoadedObjects();
  LoadedObjects(const LoadedObjects &) = delete;
  LoadedObjects &operator=(const LoadedObjects &) = delete;

  /// The address of a symbol that is visible between objects; null if none defines it.
  void *find(const std::string &symbol) const;

private:
  friend class ObjectLinker;
  LoadedObjects() = default;

  char *memory = nullptr;
  size_t bytes = 0;
  std::unordered_map<std::string, uint64_t> symbols;
};

} // namespace raf::rt

#endif
