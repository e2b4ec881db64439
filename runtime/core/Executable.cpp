// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/Cpu.h"
#include "core/Error.h"
#include "core/ObjectLoader.h"
#include "core/Symbols.h"
#include "raf_cuda.h"
#include "raf_executable.h"

#include <algorithm>
#include <cstdio>
#include <mutex>

using namespace raf::rt;

namespace {

/// While in scope, the number of threads that a load or a step of this thread uses; 0 follows the process.
class UseThreads {
public:
  explicit UseThreads(int64_t threads) : before(raf_rt_use_num_threads(threads)) {}
  ~UseThreads() { raf_rt_use_num_threads(before); }
  UseThreads(const UseThreads &) = delete;
  UseThreads &operator=(const UseThreads &) = delete;

private:
  int64_t before;
};

struct Buffer {
  std::string name;
  int64_t bytes = 0;
  int64_t alignment = 1;
  bool written = false;
  bool changed = false; // since the last check
};

std::string describe(size_t index, const Buffer &buffer) { return std::to_string(index) + " ('" + buffer.name + "')"; }

template <typename Item> void checkList(const Item *items, int64_t count, const char *name) {
  if (count < 0 || (count && !items))
    throw Error(RAF_RT_INVALID, std::string("raf_rt_executable_load: ") + name + " is not a list");
}

} // namespace

struct raf_rt_executable {
  ~raf_rt_executable() {
    if (arena)
      device.empty() ? raf_rt_free(ctx, arena) : raf_rt_cuda_free(ctx, arena);
    raf_rt_context_destroy(ctx);
  }

  void load(const raf_rt_program &program);
  void bind(int64_t index, uintptr_t address);
  void run();

  raf_rt_context *ctx = nullptr;
  void *arena = nullptr;

private:
  /// Fails with the context's message.
  void check(int64_t status, const char *what) const {
    if (status)
      throw Error(status, what + std::string(raf_rt_last_error(ctx)));
  }
  void *find(const char *symbol) const {
    void *address = code->find(symbol);
    if (!address)
      throw Error(RAF_RT_INVALID, std::string("the generated code cannot be loaded: it has no ") + symbol);
    return address;
  }
  void checkOverlaps();

  std::string device;
  std::unique_ptr<LoadedObjects> code;
  raf_rt_entry entry = nullptr;
  int64_t numThreads = 0;
  std::mutex mutex; // of what follows
  std::vector<Buffer> buffers;
  std::vector<void *> addresses;
  std::vector<size_t> changed;
  bool checked = false;
};

void raf_rt_executable::load(const raf_rt_program &program) {
  checkList(program.features, program.num_features, "features");
  checkList(program.objects, program.num_objects, "objects");
  checkList(program.buffers, program.num_buffers, "buffers");
  if (program.abi_version != RAF_RT_ABI_VERSION)
    throw Error(RAF_RT_UNSUPPORTED, "the executable was made for version " + std::to_string(program.abi_version) + " of the runtime, and this is version " +
                                        std::to_string(RAF_RT_ABI_VERSION) + "; compile the model again");
  std::vector<std::string> features(program.features, program.features + program.num_features);
  if (std::string reason = whyNotHere(program.triple ? program.triple : "", features); !reason.empty())
    throw Error(RAF_RT_UNSUPPORTED, "the executable cannot run here: " + reason + "; compile the model again");
  for (int64_t i = 0; i < program.num_buffers; ++i) {
    const raf_rt_buffer &buffer = program.buffers[i];
    if (buffer.bytes < 0 || buffer.alignment < 1)
      throw Error(RAF_RT_INVALID, "buffer " + std::to_string(i) + " has a size or an alignment that is not possible");
    buffers.push_back({buffer.name ? buffer.name : "", buffer.bytes, buffer.alignment, buffer.written != 0, false});
  }
  addresses.assign(buffers.size(), nullptr);
  numThreads = program.num_threads;

  std::vector<std::string_view> objects;
  for (int64_t i = 0; i < program.num_objects; ++i)
    objects.emplace_back(static_cast<const char *>(program.objects[i].data), static_cast<size_t>(program.objects[i].size));
  try {
    code = LoadedObjects::load(objects, [](const std::string &name) {
      auto found = knownSymbols().find(name);
      return found == knownSymbols().end() ? nullptr : found->second;
    });
  } catch (const Error &error) {
    throw Error(error.status, "the generated code cannot be loaded: " + error.message);
  }
  auto init = reinterpret_cast<int64_t (*)(raf_rt_context *)>(find("raf_init"));
  entry = reinterpret_cast<raf_rt_entry>(find("raf_run"));
  UseThreads threads(numThreads);
  check(raf_rt_context_create(&ctx), "");
  if (program.device) {
    checkList(program.images, program.num_images, "images");
    device = program.device;
    check(raf_rt_cuda_open(ctx, program.device, /*device=*/0), "");
    for (int64_t i = 0; i < program.num_images; ++i)
      check(raf_rt_cuda_add_image(ctx, program.images[i].data, program.images[i].size), "");
    check(raf_rt_cuda_capture(ctx, /*on=*/1, static_cast<int64_t>(buffers.size())), "");
  }
  check(init(ctx), device.empty() ? "a library plan could not be made: " : "the kernels, constants or library plans could not be made: ");
  check(device.empty() ? raf_rt_alloc(ctx, program.arena_bytes, &arena) : raf_rt_cuda_alloc(ctx, program.arena_bytes, &arena), "");
}

void raf_rt_executable::bind(int64_t index, uintptr_t address) {
  if (index < 0 || index >= static_cast<int64_t>(buffers.size()))
    throw Error(RAF_RT_INVALID, "there is no buffer " + std::to_string(index) + " to bind: the executable has " + std::to_string(buffers.size()));
  std::lock_guard<std::mutex> lock(mutex);
  Buffer &buffer = buffers[index];
  if (!address || address % buffer.alignment) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
    throw Error(RAF_RT_INVALID, "buffer " + describe(index, buffer) + " cannot be at address " + text + ": expected a multiple of " + std::to_string(buffer.alignment) + " other than 0");
  }
  addresses[index] = reinterpret_cast<void *>(address);
  if (!buffer.changed)
    changed.push_back(index);
  buffer.changed = true;
  checked = false;
}

// What the step writes must not lie over anything else: the generated code relies on it.
void raf_rt_executable::checkOverlaps() {
  if (auto unbound = std::find(addresses.begin(), addresses.end(), nullptr); unbound != addresses.end()) {
    size_t index = unbound - addresses.begin();
    throw Error(RAF_RT_INVALID, "buffer " + describe(index, buffers[index]) + " is not bound");
  }
  for (size_t i : changed)
    for (size_t j = 0; j < buffers.size(); ++j) {
      if (i == j || !(buffers[i].written || buffers[j].written))
        continue;
      auto *a = static_cast<char *>(addresses[i]), *b = static_cast<char *>(addresses[j]);
      if (a < b + buffers[j].bytes && b < a + buffers[i].bytes)
        throw Error(RAF_RT_INVALID, "buffers " + describe(i, buffers[i]) + " and " + describe(j, buffers[j]) + " overlap in memory, and the step writes one of them");
    }
  for (size_t i : changed)
    buffers[i].changed = false;
  changed.clear();
  checked = true;
}

void raf_rt_executable::run() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!checked)
    checkOverlaps();
  UseThreads threads(numThreads);
  check(raf_rt_execute(ctx, entry, addresses.data(), arena), "");
}

int64_t raf_rt_executable_load(const raf_rt_program *program, raf_rt_executable **out) {
  return guarded(nullptr, [&] {
    if (!program || !out)
      throw Error(RAF_RT_INVALID, "raf_rt_executable_load: an argument is NULL");
    *out = nullptr;
    auto made = std::make_unique<raf_rt_executable>();
    made->load(*program);
    *out = made.release();
  });
}

void raf_rt_executable_destroy(raf_rt_executable *executable) { delete executable; }

int64_t raf_rt_executable_bind(raf_rt_executable *executable, int64_t index, uintptr_t address) {
  return guarded(nullptr, [&] { executable->bind(index, address); });
}

int64_t raf_rt_executable_run(raf_rt_executable *executable) {
  return guarded(nullptr, [&] { executable->run(); });
}

raf_rt_context *raf_rt_executable_context(raf_rt_executable *executable) { return executable->ctx; }
void *raf_rt_executable_arena(raf_rt_executable *executable) { return executable->arena; }
