// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A group of processes on one machine that exchange bytes through a piece of shared memory. Every call checks that the ranks
// agree on what they do, and gives up with a reason when one does not come.
#ifndef RAF_RUNTIME_CUDA_SIM_NCCL_GROUP_H
#define RAF_RUNTIME_CUDA_SIM_NCCL_GROUP_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace raf::sim::nccl {

/// What a rank is about to do; equal on all ranks, or the program is wrong.
struct Call {
  std::int32_t kind, type, reduction, root;
  std::int64_t count;

  bool operator==(const Call &other) const {
    return kind == other.kind && type == other.type && reduction == other.reduction && root == other.root && count == other.count;
  }
};

/// One message of a set that goes on at the same time.
struct Message {
  bool sends;
  int peer;
  char *data;
  std::int64_t bytes;
};

class Group {
public:
  static constexpr std::int64_t kSlot = 1 << 16; // bytes of a piece
  static constexpr int kMostRanks = 16;

  /// Waits for all ranks. Throws std::string with the reason.
  Group(const std::string &name, int ranks, int rank);
  ~Group();

  /// Whether all ranks are about to do the same; otherwise throws the difference.
  void agree(const Call &call);
  /// Gives `bytes` (at most kSlot) and, while nobody goes on, calls read(rank, its bytes).
  void exchange(const char *data, std::int64_t bytes, const std::function<void(int, const char *)> &read);
  /// Sends and receives the messages, all at the same time.
  void transfer(std::vector<Message> messages);

  const int ranks, rank;

private:
  struct Shared;
  void barrier();

  std::string path;
  Shared *shared = nullptr;
  std::size_t size = 0;
};

} // namespace raf::sim::nccl

#endif
