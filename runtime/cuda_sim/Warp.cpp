// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the threads of a warp do together, and asynchronous copies.
#include "cuda_sim/Block.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace raf::sim;

static const char *exchange(Thread &self, const void *mine, int32_t bytes, uint32_t mask, bool orders, int32_t site) {
  std::memcpy(self.give, mine, bytes);
  self.giveBytes = bytes;
  self.mask = mask;
  self.orders = orders;
  self.launch->wait(self, State::InWarp, site);
  return self.result;
}

extern "C" void raf_sim_warp_barrier(raf_sim_thread *thread, int32_t site) { exchange(asThread(thread), "", 0, ~0u, true, site); }

extern "C" const void *raf_sim_gather(raf_sim_thread *thread, const void *mine, int32_t bytes, int32_t site) {
  return exchange(asThread(thread), mine, bytes, ~0u, false, site);
}

extern "C" uint32_t raf_sim_shuffle(raf_sim_thread *thread, uint32_t value, int32_t mode, int32_t offset, int32_t width, int32_t *valid, int32_t site) {
  Thread &self = asThread(thread);
  if (width < 1 || width > kWarp || self.lane() >= width)
    self.launch->fail(self, CUDA_ERROR_LAUNCH_FAILED, "shuffle: " + self.launch->place(self, site) + ": lane " + std::to_string(self.lane()) + " takes part in a shuffle of the first " +
                                                          std::to_string(width) + " lanes");
  const char *all = exchange(self, &value, 4, ~0u >> (kWarp - width), false, site);
  int lane = self.lane();
  int source = mode == RAF_SIM_XOR ? lane ^ offset : mode == RAF_SIM_UP ? lane - offset : mode == RAF_SIM_DOWN ? lane + offset : offset;
  bool exists = source >= 0 && source < width;
  *valid = exists;
  uint32_t result;
  std::memcpy(&result, all + (exists ? source : lane) * 4, 4);
  return result;
}

extern "C" uint32_t raf_sim_vote(raf_sim_thread *thread, int32_t predicate, int32_t site) {
  Thread &self = asThread(thread);
  char mine = predicate != 0;
  const char *all = exchange(self, &mine, 1, ~0u, false, site);
  uint32_t votes = 0;
  for (int lane = 0; lane < kWarp; ++lane)
    votes |= uint32_t(all[lane] == 1) << lane;
  return votes;
}

// ---- matrix fragments ----

namespace {
float asFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

float fromHalf(uint16_t half) {
  int exponent = half >> 10 & 31, fraction = half & 1023;
  float value = exponent == 31 ? (fraction ? NAN : INFINITY) : exponent ? std::ldexp(float(1024 + fraction), exponent - 25) : std::ldexp(float(fraction), -24);
  return half >> 15 ? -value : value;
}

uint16_t toHalf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  uint16_t sign = bits >> 16 & 0x8000;
  float size = std::fabs(value);
  if (std::isnan(value))
    return sign | 0x7e00;
  if (size >= 65520.f)
    return sign | 0x7c00;
  int exponent = size > 0 ? std::max(std::ilogb(size), -14) : -14;
  // Ten bits behind the leading one, to nearest even as the processor rounds.
  auto fraction = uint32_t(std::nearbyint(std::ldexp(size, 10 - exponent)));
  return sign | uint16_t((exponent + 14) * 1024 + fraction);
}

/// One operand of a shape whose elements are `bits` wide: element (row, column) lies in lane `lane` at `index` of its fragment.
struct Place {
  int lane, index;
};

// A (m x k, by rows): groups of 8 rows are spread over the lanes by four; a register of 32 bits holds neighbours in k.
Place placeA(int row, int column, int perRegister) {
  int chunk = 4 * perRegister; // columns that the four lanes of a group hold in one register
  int lane = row % 8 * 4 + column % chunk / perRegister;
  int reg = row / 8 + column / chunk * 2;
  return {lane, reg * perRegister + column % perRegister};
}
// B (k x n, by columns), n = 8.
Place placeB(int row, int column, int perRegister) {
  int chunk = 4 * perRegister;
  return {column * 4 + row % chunk / perRegister, row / chunk * perRegister + row % perRegister};
}
// C and D (m x n), n = 8, lie in lane row % 8 * 4 + column / 2: two neighbours a row.
int indexInC(int row, int column) { return row / 8 * 2 + column % 2; }
} // namespace

double raf::sim::matrixElement(const char *fragment, int index, int type) {
  switch (type) {
  case RAF_SIM_MMA_F16:
  case RAF_SIM_MMA_BF16: {
    uint16_t bits;
    std::memcpy(&bits, fragment + index * 2, 2);
    return type == RAF_SIM_MMA_F16 ? fromHalf(bits) : asFloat(uint32_t(bits) << 16);
  }
  case RAF_SIM_MMA_TF32: {
    uint32_t bits;
    std::memcpy(&bits, fragment + index * 4, 4);
    return asFloat(bits & ~0x1fffu); // the tensor core ignores the low bits
  }
  case RAF_SIM_MMA_F64: {
    double value;
    std::memcpy(&value, fragment + index * 8, 8);
    return value;
  }
  default:
    return static_cast<const signed char *>(static_cast<const void *>(fragment))[index];
  }
}

extern "C" void raf_sim_mma(raf_sim_thread *thread, const void *a, const void *b, const void *c, void *d, int32_t m, int32_t n, int32_t k, int32_t type, int32_t result, int32_t site) {
  Thread &self = asThread(thread);
  const int size = type == RAF_SIM_MMA_F64 ? 8 : type == RAF_SIM_MMA_TF32 ? 4 : type == RAF_SIM_MMA_S8 ? 1 : 2;
  // A register is 32 bits, but for f64.
  const int perRegister = type == RAF_SIM_MMA_F64 ? 1 : 4 / size;
  const int aBytes = m * k * size / kWarp, bBytes = k * n * size / kWarp;
  if (n != 8 || m % 8 || aBytes + bBytes > kGatherBytes)
    self.launch->fail(self, CUDA_ERROR_LAUNCH_FAILED, "mma: " + self.launch->place(self, site) + ": no such shape: m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k));
  char mine[kGatherBytes];
  std::memcpy(mine, a, aBytes);
  std::memcpy(mine + aBytes, b, bBytes);
  const char *all = exchange(self, mine, aBytes + bBytes, ~0u, false, site);
  // The results of this lane.
  for (int row = self.lane() / 4; row < m; row += 8)
    for (int column = self.lane() % 4 * 2, end = column + 2; column < end; ++column) {
      int out = indexInC(row, column);
      // With m = 8 only the first of each pair of registers exists.
      auto placeOfA = [&](int i, int j) {
        Place place = placeA(i, j, perRegister);
        return m > 8 ? place : Place{place.lane, place.index / (2 * perRegister) * perRegister + place.index % perRegister};
      };
      double sum = 0;
      for (int i = 0; i < k; ++i) {
        Place left = placeOfA(row, i), right = placeB(i, column, perRegister);
        const char *leftLane = all + left.lane * (aBytes + bBytes), *rightLane = all + right.lane * (aBytes + bBytes) + aBytes;
        sum += matrixElement(leftLane, left.index, type) * matrixElement(rightLane, right.index, type);
      }
      if (result == 0)
        static_cast<float *>(d)[out] = float(sum + static_cast<const float *>(c)[out]);
      else if (result == 1)
        static_cast<uint16_t *>(d)[out] = toHalf(float(sum + fromHalf(static_cast<const uint16_t *>(c)[out])));
      else if (result == 2)
        static_cast<double *>(d)[out] = sum + static_cast<const double *>(c)[out];
      else
        static_cast<int32_t *>(d)[out] = int32_t(uint32_t(int64_t(sum)) + uint32_t(static_cast<const int32_t *>(c)[out]));
    }
}

extern "C" void raf_sim_ldmatrix(raf_sim_thread *thread, void *row, int32_t count, int32_t transpose, void *out, int32_t site) {
  Thread &self = asThread(thread);
  char mine[16] = {};
  if (self.lane() < 8 * count) {
    self.launch->check(self, row, 16, RAF_SIM_LOAD | self.launch->moduleChecks(), site);
    if (reinterpret_cast<uintptr_t>(row) % 16)
      self.launch->fail(self, CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned: " + self.launch->place(self, site) + ": the address of a row of ldmatrix is not a multiple of 16");
    std::memcpy(mine, row, 16);
  }
  const char *all = exchange(self, mine, 16, ~0u, false, site);
  for (int matrix = 0; matrix < count; ++matrix)
    for (int half = 0; half < 2; ++half) {
      int r = self.lane() / 4, column = self.lane() % 4 * 2 + half;
      if (transpose)
        std::swap(r, column);
      std::memcpy(static_cast<char *>(out) + matrix * 4 + half * 2, all + (matrix * 8 + r) * 16 + column * 2, 2);
    }
}

// ---- cp.async ----

extern "C" void raf_sim_async_copy(raf_sim_thread *thread, void *to, void *from, int32_t bytes, int32_t read, int32_t flags, int32_t site) {
  Thread &self = asThread(thread);
  if (read)
    self.launch->check(self, from, read, RAF_SIM_LOAD | flags, site);
  // From now on the destination belongs to the copy; what lies there is of no use before it has arrived.
  self.launch->check(self, to, bytes, RAF_SIM_STORE | flags, site);
  if (self.launch->isShared(to)) {
    std::memset(to, kFresh, bytes);
    setBits(self.launch->sharedInitialized.data(), static_cast<char *>(to) - self.launch->shared, bytes, false);
  }
  if (self.groups.empty())
    self.groups.emplace_back();
  self.groups.back().push_back({static_cast<char *>(to), static_cast<char *>(from), bytes, read, flags, site});
}

extern "C" void raf_sim_async_commit(raf_sim_thread *thread) {
  Thread &self = asThread(thread);
  // An empty group counts as well.
  self.groups.resize(std::max<size_t>(self.groups.size(), 1) + 1);
}

extern "C" void raf_sim_async_wait(raf_sim_thread *thread, int32_t pending) {
  Thread &self = asThread(thread);
  // The last group is not committed yet.
  while (int64_t(self.groups.size()) - 1 > pending) {
    for (const AsyncCopy &copy : self.groups.front()) {
      self.launch->check(self, copy.to, copy.bytes, RAF_SIM_STORE | copy.flags, copy.site);
      std::memcpy(copy.to, copy.from, copy.read);
      std::memset(copy.to + copy.read, 0, copy.bytes - copy.read);
    }
    self.groups.erase(self.groups.begin());
  }
}
