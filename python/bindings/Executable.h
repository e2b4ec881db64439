// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// raf._core.Executable: the runtime's executables for Python. Needs no compiler.
#ifndef RAF_PYTHON_BINDINGS_EXECUTABLE_H
#define RAF_PYTHON_BINDINGS_EXECUTABLE_H

#include "runtime/include/raf_cuda.h"
#include "runtime/include/raf_executable.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
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
  /// Kernels of a device: what they are ("kind target"), and the bytes.
  std::vector<std::pair<std::string, std::string>> images;
};

class Executable {
public:
  /// Raises raf.CompileError with the reason if the parts cannot run here.
  explicit Executable(Parts parts);
  Executable(const Executable &) = delete;

  using Images = std::vector<std::pair<std::string, nanobind::bytes>>;
  static std::unique_ptr<Executable> load(const std::string &manifest, const std::vector<nanobind::bytes> &objects, const Images &images);
  static std::unique_ptr<Executable> deserialize(nanobind::bytes data);
  nanobind::bytes serialize() const;

  const std::string &manifest() const { return parts.manifest; }
  std::vector<nanobind::bytes> objects() const;
  Images images() const;
  void bind(int64_t index, uintptr_t address);
  void run();
  /// Runs that did not fail.
  int64_t runs() const { return countOfRuns; }
  uintptr_t arenaAddress() const { return reinterpret_cast<uintptr_t>(raf_rt_executable_arena(handle.get())); }
  int64_t arenaBytes() const { return bytesOfArena; }
  void profile(int64_t capacity);
  nanobind::tuple profileRecords(int64_t capacity);
  std::vector<std::string> plans() const;
  nanobind::dict deviceCounts() const;
  /// What it holds of its device beside what is bound.
  nanobind::dict deviceMemory();
  /// To and from the memory of the executable's device, in order with its steps.
  void upload(uintptr_t target, uintptr_t source, int64_t bytes);
  void download(uintptr_t target, uintptr_t source, int64_t bytes);
  /// As upload, beside the running step, which must not use the target.
  void prefetch(uintptr_t target, uintptr_t source, int64_t bytes);
  /// From one place of the device to another.
  void copy(uintptr_t target, uintptr_t source, int64_t bytes);
  /// The order of its work and that on the stream of another library.
  void waitFor(uintptr_t stream);
  void letWait(uintptr_t stream);
  uintptr_t stream() const { return reinterpret_cast<uintptr_t>(raf_rt_cuda_stream(context())); }

private:
  struct Destroy {
    void operator()(raf_rt_executable *executable) const { raf_rt_executable_destroy(executable); }
  };
  raf_rt_context *context() const { return raf_rt_executable_context(handle.get()); }

  Parts parts;
  int64_t bytesOfArena = 0, countOfRuns = 0;
  std::unique_ptr<raf_rt_executable, Destroy> handle;
};

/// A device by itself: the memory that executables for it share.
class Device {
public:
  Device(const std::string &driver, int64_t number);
  ~Device() { raf_rt_context_destroy(ctx); }
  Device(const Device &) = delete;

  uintptr_t alloc(int64_t bytes);
  void free(uintptr_t address);
  void upload(uintptr_t target, uintptr_t source, int64_t bytes);
  void download(uintptr_t target, uintptr_t source, int64_t bytes);
  void synchronize();
  bool isLost() const { return raf_rt_cuda_lost(ctx); }
  nanobind::dict memory();
  uintptr_t stream() const { return reinterpret_cast<uintptr_t>(raf_rt_cuda_stream(ctx)); }
  void waitFor(uintptr_t stream);
  void letWait(uintptr_t stream);
  /// The number of the device whose memory an address is in, and the bytes to the end of its allocation.
  nanobind::tuple locate(uintptr_t address);

private:
  raf_rt_context *ctx = nullptr;
};

} // namespace raf::python

#endif
