// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products of warpgroups (wgmma). An instruction computes when its thread waits for it, from what lies in shared memory then. Until that its registers hold nothing, and whatever
// writes over its matrices is reported. Its 128 threads share out which 16 bytes of the matrices each answers for.
#include "cuda_sim/Block.h"

#include <algorithm>
#include <cstring>

using namespace raf::sim;

namespace {
constexpr int kWarpgroup = 128, kRows = 64, kChunk = 16;
// Of the depth, an instruction takes 32 bytes whatever the type.
constexpr int kDepthBytes = 32;

int bytesOf(int32_t type) { return type == RAF_SIM_MMA_TF32 ? 4 : type == RAF_SIM_MMA_S8 ? 1 : 2; }

/// A matrix in shared memory as its descriptor has it. It is of addresses there, which decide what the swizzle does.
struct Matrix {
  uint64_t start, leading, stride;
  int base, swizzle; // chunks that the swizzle exchanges: 8, 4, 2, or 1 without
  bool alongDepth;   // or along the rows
  int size;          // of an element

  Matrix(uint64_t descriptor, bool alongDepth, int size) : alongDepth(alongDepth), size(size) {
    auto field = [&](int first) { return (descriptor >> first & 0x3fff) * 16; };
    start = field(0);
    leading = field(16);
    stride = field(32);
    base = int(descriptor >> 49 & 7);
    constexpr int kSwizzles[] = {1, 8, 4, 2};
    swizzle = kSwizzles[descriptor >> 62];
  }

  /// The offset in shared memory of the chunk that holds byte `byte` of the depth of the row (along the depth), or the row's element at a place of the depth (along the rows).
  uint64_t place(uint64_t row, uint64_t depth) const {
    const uint64_t chunkElements = kChunk / size, width = uint64_t(swizzle) * kChunk;
    uint64_t at = start;
    if (alongDepth) {
      uint64_t byte = depth * size;
      at += row % 8 * width + row / 8 * stride + (swizzle > 1 ? byte : byte / kChunk * leading + byte % kChunk);
    } else {
      uint64_t across = chunkElements * swizzle, group = row / across;
      at += row % across * size + depth % 8 * width + (swizzle > 1 ? group * leading + depth / 8 * stride : group * stride + depth / 8 * leading);
    }
    return (at ^ (at >> 7 & (swizzle - 1)) << 4) - RAF_SIM_SHARED_ADDRESS;
  }

  /// The offset of the i-th of the 16 bytes that `rows` rows have.
  uint64_t chunk(int i) const {
    int perChunk = kChunk / size;
    return alongDepth ? place(i / 2, i % 2 * perChunk) : place(uint64_t(i / (kDepthBytes / size)) * perChunk, i % (kDepthBytes / size));
  }
};

struct Fields {
  Matrix a, b;
  Fields(const MatrixProduct &op)
      : a(op.a, !(op.flags & RAF_SIM_WGMMA_A_ALONG_ROWS), bytesOf(op.type)), b(op.b, !(op.flags & RAF_SIM_WGMMA_B_ALONG_ROWS), bytesOf(op.type)) {}
};

int rank(const Thread &thread) { return thread.linear % kWarpgroup; }

/// Calls `visit(offset in shared memory)` for the chunks of the matrices that the thread answers for.
template <typename Visit>
void forEachChunk(const Thread &thread, const MatrixProduct &op, Visit visit) {
  Fields fields(op);
  for (int i = rank(thread); i < kRows * 2; i += kWarpgroup)
    visit(fields.a.chunk(i));
  for (int i = rank(thread); i < op.n * 2; i += kWarpgroup)
    visit(fields.b.chunk(i));
}

[[noreturn]] void refuse(Thread &thread, int32_t site, const std::string &what) { thread.launch->fail(thread, CUDA_ERROR_LAUNCH_FAILED, "wgmma: " + thread.launch->place(thread, site) + ": " + what); }

void checkChunks(Thread &thread, const MatrixProduct &op) {
  forEachChunk(thread, op, [&](uint64_t offset) {
    Launch &launch = *thread.launch;
    if (offset >= launch.sharedBytes || launch.sharedBytes - offset < kChunk)
      launch.fail(thread, CUDA_ERROR_ILLEGAL_ADDRESS, "out of allocation: " + launch.place(thread, op.site) + ": a matrix has 16 bytes at byte " + std::to_string(int64_t(offset)) + " of " +
                                                          std::to_string(launch.sharedBytes) + " bytes of shared memory");
    launch.check(thread, launch.shared + offset, kChunk, RAF_SIM_LOAD | launch.moduleChecks(), op.site);
  });
}

/// What threads have written is there for the tensor cores after a fence of the writer, or of the reader once they have met.
void checkFences(Thread &thread, const MatrixProduct &op) {
  Launch &launch = *thread.launch;
  forEachChunk(thread, op, [&](uint64_t offset) {
    for (uint64_t granule = offset / 4; granule < (offset + kChunk) / 4; ++granule) {
      const SharedWrite &write = launch.sharedWrites[granule];
      if (write.thread >= 0 && launch.threads[write.thread].proxyFences <= write.fences && thread.proxyFenceEpoch <= write.epoch)
        refuse(thread, op.site, "byte " + std::to_string(granule * 4) + " of shared memory was written by thread " + launch.threadName(write.thread) +
                                    " without fence.proxy.async between the write and the read by tensor cores");
    }
  });
}

/// All threads of a warpgroup run the same instructions.
void checkUniform(Thread &thread, const MatrixProduct &op) {
  Launch &launch = *thread.launch;
  uint64_t mine[2] = {op.a, op.b};
  const char *all = static_cast<const char *>(raf_sim_gather(&thread, mine, sizeof mine, op.site));
  for (int lane = 0; lane < kWarp; ++lane)
    if (std::memcmp(all + lane * sizeof mine, mine, sizeof mine) != 0)
      refuse(thread, op.site, "its descriptors differ within the warp");
  auto &issued = launch.warpgroups[thread.linear / kWarpgroup];
  if (thread.matrixProducts == issued.size())
    issued.push_back(op);
  const MatrixProduct &first = issued[thread.matrixProducts++];
  if (first.site != op.site || first.a != op.a || first.b != op.b)
    refuse(thread, op.site, "its descriptors differ within the warpgroup, or other warps of it run another instruction");
}

void compute(const Thread &thread, const MatrixProduct &op, std::vector<float> &sums) {
  const Launch &launch = *thread.launch;
  Fields fields(op);
  const int size = bytesOf(op.type), depth = kDepthBytes / size;
  double rows[2][kDepthBytes], column[kDepthBytes];
  auto decode = [&](const Matrix &matrix, int row, bool negative, double *out) {
    for (int i = 0; i < depth; ++i)
      out[i] = (negative ? -1 : 1) * matrixElement(launch.shared + matrix.place(row, i), 0, op.type);
  };
  int row = rank(thread) / kWarp * 16 + thread.lane() / 4;
  for (int half = 0; half < 2; ++half)
    decode(fields.a, row + half * 8, op.flags & RAF_SIM_WGMMA_NEGATIVE_A, rows[half]);
  for (int j = 0; j < op.n / 8; ++j)
    for (int i = 0; i < 2; ++i) {
      decode(fields.b, j * 8 + thread.lane() % 4 * 2 + i, op.flags & RAF_SIM_WGMMA_NEGATIVE_B, column);
      for (int half = 0; half < 2; ++half) {
        float &result = sums[j * 4 + half * 2 + i];
        double sum = op.flags & RAF_SIM_WGMMA_ADD ? result : 0;
        for (int k = 0; k < depth; ++k)
          sum += rows[half][k] * column[k];
        result = float(sum);
      }
    }
}
} // namespace

void Launch::noteSharedStore(Thread &thread, uint64_t offset, int64_t bytes, int32_t site) {
  for (uint64_t chunk = offset / kChunk; chunk * kChunk < offset + bytes; ++chunk)
    if (matrixReads[chunk])
      fail(thread, CUDA_ERROR_LAUNCH_FAILED, "race: " + place(thread, site) + ": store of " + std::to_string(bytes) + " bytes at byte " + std::to_string(offset) +
                                                 " of shared memory, which a wgmma.mma_async under way reads: a wait (wgmma.wait_group) is missing");
  for (uint64_t granule = offset / 4; granule * 4 < offset + bytes; ++granule)
    sharedWrites[granule] = {thread.linear, thread.proxyFences, thread.who.epoch};
}

extern "C" void raf_sim_proxy_fence(raf_sim_thread *thread) {
  Thread &self = asThread(thread);
  ++self.proxyFences;
  self.proxyFenceEpoch = self.who.epoch;
}

extern "C" void raf_sim_wgmma_fence(raf_sim_thread *thread) {
  for (auto &[address, registers] : asThread(thread).registers)
    registers.touched = false;
}

extern "C" void raf_sim_wgmma_registers(raf_sim_thread *thread, float *registers, int32_t site) {
  Thread &self = asThread(thread);
  auto &state = self.registers[registers];
  if (state.pending)
    refuse(self, site, "registers of a wgmma.mma_async under way are used before wgmma.wait_group");
  state.touched = true;
}

extern "C" void raf_sim_wgmma(raf_sim_thread *thread, uint64_t a, uint64_t b, float *registers, int32_t n, int32_t type, int32_t flags, int32_t site) {
  Thread &self = asThread(thread);
  Launch &launch = *self.launch;
  MatrixProduct op{a, b, registers, n, type, flags, site};
  if (n < 8 || n > 256 || n % 8 || (type != RAF_SIM_MMA_F16 && type != RAF_SIM_MMA_BF16 && type != RAF_SIM_MMA_TF32))
    refuse(self, site, "no such shape or type");
  if (type == RAF_SIM_MMA_TF32 && (flags & (RAF_SIM_WGMMA_A_ALONG_ROWS | RAF_SIM_WGMMA_B_ALONG_ROWS)))
    refuse(self, site, "only elements of 16 bits may lie along the rows");
  if (self.linear / kWarpgroup * kWarpgroup + kWarpgroup > launch.threadCount)
    refuse(self, site, "the block has no whole warpgroup of 128 threads here");
  checkUniform(self, op);
  Fields fields(op);
  if (fields.a.base || fields.b.base)
    refuse(self, site, "descriptors with a base offset cannot be simulated: the pattern of the swizzle has to begin at a multiple of its size");
  auto &state = self.registers[registers];
  if (state.touched)
    refuse(self, site, "its registers were used since the last wgmma.fence");
  checkChunks(self, op);
  checkFences(self, op);
  if (!state.pending)
    state.values.assign(registers, registers + n / 2);
  else if (state.values.size() != size_t(n / 2))
    refuse(self, site, "an instruction of another shape that is under way has the same registers");
  ++state.pending;
  std::memset(registers, kFresh, size_t(n / 2) * 4);
  forEachChunk(self, op, [&](uint64_t offset) { ++launch.matrixReads[offset / kChunk]; });
  if (self.matrixGroups.empty())
    self.matrixGroups.emplace_back();
  self.matrixGroups.back().push_back(op);
}

extern "C" void raf_sim_wgmma_commit(raf_sim_thread *thread) {
  Thread &self = asThread(thread);
  // An empty group counts as well.
  self.matrixGroups.resize(std::max<size_t>(self.matrixGroups.size(), 1) + 1);
}

extern "C" void raf_sim_wgmma_wait(raf_sim_thread *thread, int32_t pending) {
  Thread &self = asThread(thread);
  // The last group is not committed yet.
  while (int64_t(self.matrixGroups.size()) - 1 > pending) {
    for (const MatrixProduct &op : self.matrixGroups.front()) {
      auto &state = self.registers[op.registers];
      checkChunks(self, op);
      compute(self, op, state.values);
      forEachChunk(self, op, [&](uint64_t offset) { --self.launch->matrixReads[offset / kChunk]; });
      if (--state.pending == 0)
        std::copy(state.values.begin(), state.values.end(), op.registers);
    }
    self.matrixGroups.erase(self.matrixGroups.begin());
  }
}
