// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/Error.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <unordered_map>

#include <sys/mman.h>

using namespace raf::rt;

namespace {

constexpr int64_t kAlignment = 64;
constexpr int64_t kHugePage = int64_t(2) << 20;
// From here on the rounding to whole huge pages is small beside the block.
constexpr int64_t kHugeFrom = 4 * kHugePage;

struct Ledger {
  std::mutex mutex;
  std::unordered_map<void *, int64_t> blocks;
  raf_rt_memory_stats stats{};
};

Ledger &ledger() {
  // Never destroyed: blocks may be freed by destructors that run later.
  static Ledger *instance = new Ledger;
  return *instance;
}

} // namespace

int64_t raf_rt_alloc(raf_rt_context *ctx, int64_t bytes, void **out) {
  return guarded(ctx, [&] {
    if (!out)
      throw Error(RAF_RT_INVALID, "raf_rt_alloc: out is NULL");
    *out = nullptr;
    if (bytes < 0)
      throw Error(RAF_RT_INVALID, "raf_rt_alloc: negative size " + std::to_string(bytes));
    bool huge = bytes >= kHugeFrom;
    int64_t alignment = huge ? kHugePage : kAlignment;
    std::string failure = "cannot allocate " + std::to_string(bytes) + " bytes";
    if (bytes > INT64_MAX / 2)
      throw Error(RAF_RT_OUT_OF_MEMORY, failure);
    int64_t rounded = std::max(alignment, (bytes + alignment - 1) / alignment * alignment);
    void *address = std::aligned_alloc(alignment, rounded);
    if (!address)
      throw Error(RAF_RT_OUT_OF_MEMORY, failure);
    if (huge) // not the rest behind the last whole one, of which little might be used; advice: a refusal changes nothing
      madvise(address, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);

    Ledger &books = ledger();
    std::lock_guard<std::mutex> lock(books.mutex);
    try {
      books.blocks.emplace(address, bytes);
    } catch (...) {
      std::free(address);
      throw;
    }
    books.stats.current_bytes += bytes;
    books.stats.peak_bytes = std::max(books.stats.peak_bytes, books.stats.current_bytes);
    books.stats.allocations += 1;
    *out = address;
  });
}

int64_t raf_rt_free(raf_rt_context *ctx, void *address) {
  return guarded(ctx, [&] {
    if (!address)
      return;
    Ledger &books = ledger();
    {
      std::lock_guard<std::mutex> lock(books.mutex);
      auto block = books.blocks.find(address);
      if (block == books.blocks.end())
        throw Error(RAF_RT_INVALID, "raf_rt_free: the address was not allocated by raf_rt_alloc, or is free already");
      books.stats.current_bytes -= block->second;
      books.blocks.erase(block);
    }
    std::free(address);
  });
}

int64_t raf_rt_memory(raf_rt_memory_stats *out) {
  return guarded(nullptr, [&] {
    if (!out)
      throw Error(RAF_RT_INVALID, "raf_rt_memory: out is NULL");
    Ledger &books = ledger();
    std::lock_guard<std::mutex> lock(books.mutex);
    *out = books.stats;
  });
}

void raf_rt_memory_reset_peak(void) {
  Ledger &books = ledger();
  std::lock_guard<std::mutex> lock(books.mutex);
  books.stats.peak_bytes = books.stats.current_bytes;
}
