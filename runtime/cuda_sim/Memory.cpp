// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_sim/Memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace raf::sim {

constexpr uint64_t kAlign = 256, kGuardBytes = 4096, kLargestSpace = 1ull << 36, kSmallestSpace = 1ull << 30;
constexpr size_t kQuarantine = 64 << 20;

static void *reserve(uint64_t bytes, int protection) {
  void *address = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return address == MAP_FAILED ? nullptr : address;
}

static void release(void *address, uint64_t bytes) {
  if (address)
    munmap(address, bytes);
}

Memory::Memory() {
  // The address space is larger than the memory, so that the addresses of freed memory need not be used again.
  for (size = kLargestSpace; size >= kSmallestSpace; size /= 2) {
    void *device = reserve(size, PROT_NONE), *host = reserve(size, PROT_READ | PROT_WRITE);
    void *alloc = reserve(size / 8, PROT_READ | PROT_WRITE), *init = reserve(size / 8, PROT_READ | PROT_WRITE);
    void *cells = reserve(size / 4 * sizeof(Granule), PROT_READ | PROT_WRITE);
    if (device && host && alloc && init && cells) {
      deviceBase = reinterpret_cast<uint64_t>(device);
      base = static_cast<char *>(host);
      allocated = static_cast<uint8_t *>(alloc);
      initialized = static_cast<uint8_t *>(init);
      granules = static_cast<Granule *>(cells);
      break;
    }
    release(device, size);
    release(host, size);
    release(alloc, size / 8);
    release(init, size / 8);
    release(cells, size / 4 * sizeof(Granule));
  }
  if (!base)
    throw std::bad_alloc();
  const char *text = std::getenv("RAF_SIM_MEMORY");
  long long wanted = text ? std::atoll(text) : 0;
  capacity = std::min<uint64_t>(wanted > 0 ? wanted : 1ull << 34, size / 2);
}

Memory::~Memory() {
  release(reinterpret_cast<void *>(deviceBase), size);
  release(base, size);
  release(allocated, size / 8);
  release(initialized, size / 8);
  release(granules, size / 4 * sizeof(Granule));
}

CUresult Memory::allocate(size_t bytes, CUdeviceptr *out) {
  if (bytes > capacity || usedBytes + bytes > capacity)
    return CUDA_ERROR_OUT_OF_MEMORY;
  uint64_t reserved = (bytes + kAlign - 1) / kAlign * kAlign + kGuardBytes;
  uint64_t at = next + kGuardBytes;
  if (at + reserved > size) {
    // Only now are addresses used twice.
    auto found = std::find_if(blocks.begin(), blocks.end(), [&](const auto &entry) { return entry.second.freed && entry.second.reserved >= reserved; });
    if (found == blocks.end())
      return CUDA_ERROR_OUT_OF_MEMORY;
    at = found->first;
    reserved = found->second.reserved;
    retire(at, found->second);
    quarantine.erase(std::remove(quarantine.begin(), quarantine.end(), at), quarantine.end());
    std::memset(static_cast<void *>(granule(base + at)), 0, (bytes + 3) / 4 * sizeof(Granule));
  } else {
    std::memset(base + next, kGuard, kGuardBytes);
    next = at + reserved - kGuardBytes;
  }
  blocks[at] = Block{bytes, size_t(reserved), false};
  std::memset(base + at, kFresh, bytes);
  std::memset(base + at + bytes, kGuard, reserved - bytes);
  setBits(allocated, at, bytes, true);
  setBits(initialized, at, bytes, false);
  usedBytes += bytes;
  *out = deviceBase + at;
  return CUDA_SUCCESS;
}

std::string Memory::checkGuards(uint64_t at, const Block &block) const {
  auto whole = [&](const char *begin, const char *end) { return std::all_of(begin, end, [](char c) { return static_cast<unsigned char>(c) == kGuard; }); };
  const char *start = base + at, *behind = start + block.bytes;
  const char *which = !whole(start - kAlign, start) ? "before" : !whole(behind, start + block.reserved - kGuardBytes + kAlign) ? "behind" : nullptr;
  return which ? std::string("something wrote to the bytes ") + which + " an allocation of " + std::to_string(block.bytes) + " bytes" : std::string();
}

void Memory::retire(uint64_t at, Block &block) {
  uint64_t page = 4096, begin = (at + page - 1) / page * page, end = (at + block.bytes) / page * page;
  if (begin < end)
    madvise(base + begin, end - begin, MADV_DONTNEED);
}

bool Memory::free(CUdeviceptr address, std::string *damage) {
  auto found = isDevice(address) ? blocks.find(address - deviceBase) : blocks.end();
  if (found == blocks.end() || found->second.freed)
    return false;
  uint64_t at = found->first;
  Block &block = found->second;
  *damage = checkGuards(at, block);
  block.freed = true;
  usedBytes -= block.bytes;
  setBits(allocated, at, block.bytes, false);
  std::memset(base + at, kFreed, block.bytes);
  quarantine.push_back(at);
  quarantineBytes += block.bytes;
  while (quarantineBytes > kQuarantine) {
    Block &oldest = blocks[quarantine.front()];
    quarantineBytes -= oldest.bytes;
    retire(quarantine.front(), oldest);
    quarantine.erase(quarantine.begin());
  }
  return true;
}

bool Memory::find(CUdeviceptr address, CUdeviceptr *start, size_t *bytes) const {
  if (!isDevice(address))
    return false;
  uint64_t at = address - deviceBase;
  auto next = blocks.upper_bound(at);
  if (next == blocks.begin())
    return false;
  auto &[begin, block] = *std::prev(next);
  if (block.freed || at - begin >= std::max<size_t>(block.bytes, 1))
    return false;
  *start = deviceBase + begin;
  *bytes = block.bytes;
  return true;
}

bool Memory::isLive(CUdeviceptr address, int64_t bytes) const {
  CUdeviceptr start;
  size_t whole;
  return find(address, &start, &whole) && bytes >= 0 && address - start + uint64_t(bytes) <= whole;
}

void Memory::copyInitialized(const void *to, const void *from, int64_t bytes) {
  if (isInitialized(from, bytes))
    return markInitialized(to, bytes);
  std::vector<bool> bits(bytes);
  for (int64_t i = 0; i < bytes; ++i)
    bits[i] = allSet(initialized, offset(from) + i, 1);
  for (int64_t i = 0; i < bytes; ++i)
    setBits(initialized, offset(to) + i, 1, bits[i]);
}

std::string Memory::describe(const void *address) const {
  if (!isHost(address))
    return "at an address that is not of this device";
  uint64_t at = offset(address);
  auto next = blocks.upper_bound(at);
  auto name = [](const Block &block) { return (block.freed ? "a freed allocation of " : "an allocation of ") + std::to_string(block.bytes) + " bytes"; };
  if (next != blocks.begin()) {
    auto &[begin, block] = *std::prev(next);
    if (at < begin + block.bytes)
      return "inside " + name(block) + ", " + std::to_string(at - begin) + " bytes after its start";
    if (next == blocks.end() || at - begin - block.bytes <= next->first - at)
      return std::to_string(at - begin - block.bytes) + " bytes behind the end of " + name(block);
  }
  if (next != blocks.end())
    return std::to_string(next->first - at) + " bytes before " + name(next->second);
  return "where nothing was ever allocated";
}

std::vector<Memory::Live> Memory::live() const {
  std::vector<Live> result;
  for (auto &[at, block] : blocks)
    if (!block.freed)
      result.push_back({deviceBase + at, block.bytes});
  return result;
}

} // namespace raf::sim
