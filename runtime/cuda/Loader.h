// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's libraries, found and opened at run time. Those of one flavour ("cuda" or "cuda-sim") and search path are opened once a
// process and stay open; they do not see those of another one.
#ifndef RAF_RUNTIME_CUDA_LOADER_H
#define RAF_RUNTIME_CUDA_LOADER_H

#include "core/Error.h"
#include "cuda/Api.h"

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

namespace raf::rt::cuda {

/// The context that all programs of a process have on a device. A fault of a kernel is the end of it for all of them; the next program that
/// opens the device has a new one made, of the next generation.
struct Home {
  std::mutex mutex;        // held while one is made, and while a program leaves
  std::shared_mutex inUse; // shared by all that call the driver; alone while the context is reset. Taken after the lock of a program and after `mutex`.
  std::atomic<int64_t> generation{1};
  std::atomic<int64_t> lost{0}; // the latest generation that was lost
  std::string because() const;
  void lose(int64_t which, const std::string &why);

private:
  mutable std::mutex textMutex;
  std::string text;
};

class Libraries {
public:
  /// By the search path as it is now. Throws Error for a name that is neither.
  static Libraries &of(const char *flavour);

  struct Library {
    void *handle = nullptr; // null: not there
    std::string file;
    std::string reason; // why not
  };

  const std::string &name() const { return flavour; }
  bool simulated() const { return flavour == "cuda-sim"; }

  /// Of a device by its number.
  Home &home(int ordinal);
  /// The initialized driver. Throws Error with one sentence that says what is missing.
  const Driver &driver();
  /// By the name of its file, such as "libcublasLt.so.13".
  const Library &library(const std::string &file);
  /// Fills a table of function pointers; throws Error naming the first symbol that the library lacks.
  void *symbol(const Library &library, const char *name);

  /// Pushes and pops names of what the host does, for Nsight Systems; both null without NVTX.
  struct Nvtx {
    int (*push)(const char *name) = nullptr;
    int (*pop)() = nullptr;
  };
  const Nvtx &nvtx();

  std::string describe();

private:
  explicit Libraries(std::string flavour);
  std::vector<std::string> folders() const;
  Library open(const std::string &file) const;

  std::string flavour;
  struct State;
  State *state; // never destroyed: other threads may use it while the process ends
};

/// A range of NVTX.
class Range {
public:
  Range(const Libraries::Nvtx &nvtx, const char *name) : nvtx(nvtx) {
    if (nvtx.push)
      nvtx.push(name);
  }
  ~Range() {
    if (nvtx.pop)
      nvtx.pop();
  }
  Range(const Range &) = delete;
  Range &operator=(const Range &) = delete;

private:
  const Libraries::Nvtx &nvtx;
};

/// The driver's name and text of an error.
std::string errorText(const Driver &driver, CUresult result);

} // namespace raf::rt::cuda

#endif
