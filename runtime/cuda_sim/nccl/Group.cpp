// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_sim/nccl/Group.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

using namespace raf::sim::nccl;

template <class Done> void Group::waitFor(const char *what, Done done) {
  const char *text = std::getenv("RAF_SIM_NCCL_TIMEOUT");
  double limit = text ? std::atof(text) : 60;
  timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int round = 0; !done(); ++round) {
    if (abandoned)
      throw Abandoned();
    timespec pause = {0, round < 50 ? 0 : 50'000};
    nanosleep(&pause, nullptr);
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (static_cast<double>(now.tv_sec - start.tv_sec) + static_cast<double>(now.tv_nsec - start.tv_nsec) * 1e-9 > limit)
      throw std::string(what) + ": another rank did not come within " + std::to_string(static_cast<int>(limit)) + " s";
  }
}

namespace {

struct flock byteOf(int rank) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = rank;
  lock.l_len = 1;
  return lock;
}

} // namespace

struct Group::Shared {
  enum Departure : std::int32_t { Present, Left, Gone };
  /// A message under way from one rank to another: a piece at a time.
  struct Box {
    std::atomic<std::int32_t> full;
    std::int32_t bytes;
    char data[kSlot];
  };
  std::atomic<std::int32_t> arrived, round;
  std::atomic<std::int32_t> departures[kMostRanks];
  Call calls[kMostRanks];
  char slots[kMostRanks][kSlot];
  Box boxes[kMostRanks][kMostRanks]; // from, to
};

Group::Group(const std::string &name, int ranks, int rank) : ranks(ranks), rank(rank), path("/" + name), size(sizeof(Shared)) {
  if (ranks > kMostRanks)
    throw "more than " + std::to_string(kMostRanks) + " ranks";
  file = shm_open(path.c_str(), O_RDWR | O_CREAT, 0600);
  struct flock lock = byteOf(rank);
  void *memory = MAP_FAILED;
  if (file >= 0 && ftruncate(file, static_cast<off_t>(size)) == 0 && fcntl(file, F_OFD_SETLK, &lock) == 0)
    memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) {
    std::string reason = std::strerror(errno);
    if (file >= 0)
      close(file);
    throw "shared memory is not to be had: " + reason;
  }
  shared = static_cast<Shared *>(memory); // of zeros, which is how all of it begins
  try {
    barrier();
  } catch (...) {
    munmap(shared, size);
    close(file);
    shm_unlink(path.c_str());
    throw;
  }
  // All have it open: the name can go.
  if (rank == 0)
    shm_unlink(path.c_str());
}

Group::~Group() {
  munmap(shared, size);
  close(file);
}

int Group::missingRank() const {
  for (int other = 0; other < ranks; ++other) {
    std::int32_t departure = shared->departures[other];
    if (other == rank || departure == Shared::Left)
      continue;
    struct flock lock = byteOf(other);
    if (departure == Shared::Gone || (fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK))
      return other;
  }
  return -1;
}

void Group::leave() { shared->departures[rank] = Shared::Left; }

void Group::abandon() {
  abandoned = true;
  shared->departures[rank] = Shared::Gone;
}

void Group::barrier() {
  std::int32_t round = shared->round.load();
  if (shared->arrived.fetch_add(1) + 1 == ranks) {
    shared->arrived.store(0);
    shared->round.fetch_add(1);
    return;
  }
  waitFor("waiting for the group", [&] { return shared->round.load() != round; });
}

void Group::agree(const Call &call) {
  shared->calls[rank] = call;
  barrier();
  int other = -1;
  for (int i = 0; i < ranks && other < 0; ++i)
    if (!(shared->calls[i] == call))
      other = i;
  Call theirs = other < 0 ? call : shared->calls[other];
  barrier();
  if (other >= 0)
    throw "the ranks disagree: rank " + std::to_string(rank) + " calls operation " + std::to_string(call.kind) + " on " +
        std::to_string(call.count) + " elements of type " + std::to_string(call.type) + ", rank " + std::to_string(other) +
        " operation " + std::to_string(theirs.kind) + " on " + std::to_string(theirs.count) + " of type " +
        std::to_string(theirs.type);
}

void Group::exchange(const char *data, std::int64_t bytes, const std::function<void(int, const char *)> &read) {
  if (data)
    std::memcpy(shared->slots[rank], data, bytes);
  barrier();
  for (int i = 0; i < ranks; ++i)
    read(i, shared->slots[i]);
  barrier();
}

void Group::transfer(std::vector<Message> messages) {
  std::vector<std::int64_t> done(messages.size());
  waitFor("waiting for a message", [&] {
    bool complete = true;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      Message &message = messages[i];
      if (done[i] == message.bytes)
        continue;
      complete = false;
      // Messages of one direction between two ranks keep their order.
      bool first = true;
      for (std::size_t j = 0; j < i; ++j)
        first = first && !(messages[j].sends == message.sends && messages[j].peer == message.peer && done[j] < messages[j].bytes);
      Shared::Box &box = message.sends ? shared->boxes[rank][message.peer] : shared->boxes[message.peer][rank];
      if (!first || (box.full.load() != 0) == message.sends)
        continue;
      if (message.sends) {
        box.bytes = static_cast<std::int32_t>(std::min(kSlot, message.bytes - done[i]));
        std::memcpy(box.data, message.data + done[i], box.bytes);
        done[i] += box.bytes;
        box.full.store(1);
      } else {
        if (box.bytes > message.bytes - done[i])
          throw "a message of more bytes than rank " + std::to_string(rank) + " receives from rank " + std::to_string(message.peer);
        std::memcpy(message.data + done[i], box.data, box.bytes);
        done[i] += box.bytes;
        box.full.store(0);
      }
    }
    return complete;
  });
}
