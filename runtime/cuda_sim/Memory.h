// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory: an address space of which kernels see a second mapping, with three shadows of it. One bit a byte says what is
// allocated, one what is initialized, and a granule of four bytes keeps who accessed it last, for races.
#ifndef RUNTIME_CUDA_SIM_MEMORY_H
#define RUNTIME_CUDA_SIM_MEMORY_H

#include "cuda_sim/Cuda.h"

#include <array>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace raf::sim {

constexpr unsigned char kFresh = 0xff; // NaN in every floating type, -1 as an index
constexpr unsigned char kFreed = 0xfd;
constexpr unsigned char kGuard = 0xa5;

/// How far each stream had come when something happened: index -> sequence number of the last operation before it.
struct Clock {
  std::vector<uint32_t> last;
  uint32_t operator[](uint32_t i) const { return i < last.size() ? last[i] : 0; }
  void raise(uint32_t i, uint32_t to) {
    if (i >= last.size())
      last.resize(i + 1);
    if (last[i] < to)
      last[i] = to;
  }
  void join(const Clock &other) {
    for (uint32_t i = 0; i < other.last.size(); ++i)
      raise(i, other.last[i]);
  }
};

/// A launch, copy or library call: stream index and sequence number in one word. 0 is none.
constexpr uint32_t kSequenceBits = 25, kMaxSequence = (1u << kSequenceBits) - 1, kMaxStreams = 127;
constexpr uint32_t makeOp(uint32_t stream, uint32_t sequence) { return stream << kSequenceBits | sequence; }
constexpr uint32_t streamOf(uint32_t op) { return op >> kSequenceBits; }
constexpr uint32_t sequenceOf(uint32_t op) { return op & kMaxSequence; }

/// Who accesses memory. Copies and library calls are operations of one thread.
struct Accessor {
  uint32_t op = 0;
  const Clock *clock = nullptr;
  uint32_t thread = 0; // in the grid, blocks padded to whole warps
  uint32_t block = 0;
  uint32_t blockThreads = 1; // padded to whole warps
  uint32_t epoch = 0, warpEpoch = 0;
};

enum class Spread : uint8_t { Thread, Warp, Block, Grid };

/// Accesses to four bytes: of one thread, or (`spread`) of several that are equal but for the thread.
struct Cell {
  uint32_t op = 0, thread = 0;
  uint16_t epoch = 0;
  uint8_t warpEpoch = 0;
  uint8_t bits = 0; // 4 of the bytes, 2 of the spread, 1 atomic
  uint8_t mask() const { return bits & 15; }
  Spread spread() const { return Spread(bits >> 4 & 3); }
  bool atomic() const { return bits & 64; }
  static constexpr uint8_t kSplit = 128; // in the granule's store: its bytes are kept one by one, `thread` says where
  static uint8_t pack(uint8_t mask, Spread spread, bool atomic) { return mask | uint8_t(spread) << 4 | (atomic ? 64 : 0); }
};
struct Granule {
  Cell write, read;
  uint32_t otherReads[2]; // operations of other streams that read it too
};
static_assert(sizeof(Granule) == 32);

/// Granules whose bytes several accessors have each for themselves, a granule a byte.
struct SplitGranules {
  std::deque<std::array<Granule, 4>> bytes;
  std::vector<uint32_t> free;
  void clear() {
    bytes.clear();
    free.clear();
  }
};

/// The access that another one conflicts with.
struct Conflict {
  bool withWrite = false;
  Cell cell;
};
struct Traffic {
  int64_t loaded = 0, stored = 0, distinctLoaded = 0, distinctStored = 0, blockLoaded = 0;
};
/// `kind`: RAF_SIM_LOAD, _STORE or _ATOMIC. `first` is the granule of the first of `bytes` bytes, which begin at `offset` in it. False for a conflict.
bool noteAccess(Granule *first, SplitGranules &split, unsigned offset, int64_t bytes, int kind, const Accessor &who, Traffic *traffic, Conflict &conflict);

/// Bits, one a byte.
bool allSet(const uint8_t *bits, uint64_t begin, int64_t count);
void setBits(uint8_t *bits, uint64_t begin, int64_t count, bool value);

class Memory {
public:
  Memory();
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  CUresult allocate(size_t bytes, CUdeviceptr *out);
  /// `damage`: a sentence if something wrote to the guard zones. False: no such allocation.
  bool free(CUdeviceptr address, std::string *damage);
  bool isLive(CUdeviceptr address, int64_t bytes) const;
  /// Start and size of the live allocation around the address.
  bool find(CUdeviceptr address, CUdeviceptr *base, size_t *bytes) const;

  /// An address of kernels, or of the device.
  bool isHost(const void *address) const { return uint64_t(static_cast<const char *>(address) - base) < size; }
  bool isDevice(CUdeviceptr address) const { return address - deviceBase < size; }
  char *toHost(CUdeviceptr address) const { return base + (address - deviceBase); }
  CUdeviceptr toDevice(const void *address) const { return deviceBase + offset(address); }
  uint64_t offset(const void *address) const { return static_cast<const char *>(address) - base; }

  bool isAllocated(const void *address, int64_t bytes) const { return allSet(allocated, offset(address), bytes); }
  bool isInitialized(const void *address, int64_t bytes) const { return allSet(initialized, offset(address), bytes); }
  void markInitialized(const void *address, int64_t bytes, bool value = true) { setBits(initialized, offset(address), bytes, value); }
  /// Copies of bytes take with them which were initialized.
  void copyInitialized(const void *to, const void *from, int64_t bytes);
  SplitGranules split;
  Granule *granule(const void *address) const { return granules + offset(address) / 4; }

  /// "4 bytes behind an allocation of 32 bytes", "inside a freed allocation of 32 bytes".
  std::string describe(const void *address) const;

  size_t total() const { return capacity; }
  size_t used() const { return usedBytes; }
  struct Live {
    CUdeviceptr address;
    size_t bytes;
  };
  std::vector<Live> live() const;

private:
  struct Block {
    size_t bytes = 0, reserved = 0;
    bool freed = false;
  };
  std::string checkGuards(uint64_t at, const Block &block) const;
  void retire(uint64_t at, Block &block);

  char *base = nullptr;
  uint64_t deviceBase = 0;
  uint64_t size = 0;
  uint8_t *allocated = nullptr, *initialized = nullptr;
  Granule *granules = nullptr;
  std::map<uint64_t, Block> blocks; // by offset
  std::vector<uint64_t> quarantine; // freed blocks whose bytes still hold kFreed
  size_t quarantineBytes = 0;
  uint64_t next = 0;
  size_t capacity = 0, usedBytes = 0;
};

} // namespace raf::sim

#endif // RUNTIME_CUDA_SIM_MEMORY_H
