// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// raf._core.Executable: the runtime's executables for Python. Needs no compiler.
#ifndef RAF_PYTHON_BINDINGS_EXECUTABLE_H
#define RAF_PYTHON_BINDINGS_EXECUTABLE_H

#include "runtime/include/raf_executable.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <vector>

namespace raf::python {

/// Raises raf.CompileError or raf.RuntimeError.
[[noreturn]] void raise(const char *kind, const std::vector<std::string> &messages);

/// Raises raf.RuntimeError for a status that is not good.
void check(int64_t status, raf_rt_context *ctx = nullptr);

/// What an executable consists of: what a compilation gives and files hold.
struct Parts {
  std::string manifest; // JSON
  std::vector<std::string> objects;
};

class Executable {
public:
  /// Raises raf.CompileError with the reason if the parts cannot run here.
  explicit Executable(Parts parts);
  Executable(const Executable &) = delete;

  static std::unique_ptr<Executable> load(const std::string &manifest, const std::vector<nanobind::bytes> &objects);
  static std::unique_ptr<Executable> deserialize(nanobind::bytes data);
  nanobind::bytes serialize() const;

  const std::string &manifest() const { return parts.manifest; }
  std::vector<nanobind::bytes> objects() const;
  void bind(int64_t index, uintptr_t address);
  void run();
  uintptr_t arenaAddress() const { return reinterpret_cast<uintptr_t>(raf_rt_executable_arena(handle.get())); }
  int64_t arenaBytes() const { return bytesOfArena; }
  void profile(int64_t capacity);
  nanobind::tuple profileRecords(int64_t capacity);
  std::vector<std::string> plans() const;

private:
  struct Destroy {
    void operator()(raf_rt_executable *executable) const { raf_rt_executable_destroy(executable); }
  };
  raf_rt_context *context() const { return raf_rt_executable_context(handle.get()); }

  Parts parts;
  int64_t bytesOfArena = 0;
  std::unique_ptr<raf_rt_executable, Destroy> handle;
};

} // namespace raf::python

#endif
