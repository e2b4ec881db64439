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

/// Thrown out of what waits for others in a group that has been abandoned.
struct Abandoned {};

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

  /// A rank that has ended without leaving the group, or has abandoned it; -1 if there is none.
  int missingRank() const;
  void leave();
  void abandon();

  const int ranks, rank;

private:
  struct Shared;
  void barrier();
  /// Runs until done() is true; throws after RAF_SIM_NCCL_TIMEOUT seconds (60).
  template <class Done> void waitFor(const char *what, Done done);

  std::string path;
  std::atomic<bool> abandoned{false};
  int file = -1; // a rank holds a lock on its byte, which ends with its process
  Shared *shared = nullptr;
  std::size_t size = 0;
};

} // namespace raf::sim::nccl

#endif
