// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry points of the stand-in for NCCL. Collectives run in the order of the stream, in pieces, with sums in f64.
#include "cuda/Nccl.h"
#include "cuda_sim/Library.h"
#include "cuda_sim/nccl/Group.h"

#include <functional>
#include <memory>
#include <random>
#include <vector>

namespace raf::rt::cuda {
struct NcclComm {
  std::shared_ptr<raf::sim::nccl::Group> group;
};
} // namespace raf::rt::cuda

using namespace raf::rt::cuda;
using namespace raf::sim;
using raf::sim::nccl::Call;
using raf::sim::nccl::Group;
using raf::sim::nccl::Message;

#define NCCL_ENTRY extern "C" __attribute__((visibility("default")))

namespace {

thread_local std::string complaint;
constexpr std::int64_t kSlot = Group::kSlot;

ncclResult_t wrong(const std::string &text) {
  complaint = text;
  return ncclInvalidArgument;
}

std::int64_t bytesOfType(int type) {
  switch (type) {
  case ncclInt8:
  case ncclUint8:
    return 1;
  case ncclFloat16:
  case ncclBfloat16:
    return 2;
  case ncclInt32:
  case ncclFloat32:
    return 4;
  case ncclFloat64:
    return 8;
  default:
    return 0;
  }
}

double read(const char *memory, int type, std::int64_t index) {
  switch (type) {
  case ncclInt8:
    return reinterpret_cast<const std::int8_t *>(memory)[index];
  case ncclUint8:
    return reinterpret_cast<const std::uint8_t *>(memory)[index];
  case ncclInt32:
    return reinterpret_cast<const std::int32_t *>(memory)[index];
  default:
    return readElement(memory, type == ncclFloat64 ? Element::F64 : type == ncclFloat32 ? Element::F32 : type == ncclBfloat16 ? Element::BF16 : Element::F16, index);
  }
}

void write(char *memory, int type, std::int64_t index, double value) {
  switch (type) {
  case ncclInt8:
    reinterpret_cast<std::int8_t *>(memory)[index] = static_cast<std::int8_t>(static_cast<std::int64_t>(value));
    break;
  case ncclUint8:
    reinterpret_cast<std::uint8_t *>(memory)[index] = static_cast<std::uint8_t>(static_cast<std::int64_t>(value));
    break;
  case ncclInt32:
    reinterpret_cast<std::int32_t *>(memory)[index] = static_cast<std::int32_t>(static_cast<std::int64_t>(value));
    break;
  default:
    writeElement(memory, type == ncclFloat64 ? Element::F64 : type == ncclFloat32 ? Element::F32 : type == ncclBfloat16 ? Element::BF16 : Element::F16, index, value);
  }
}

double combine(int op, double a, double b) {
  switch (op) {
  case ncclProd:
    return a * b;
  case ncclMax: // NaN stays
    return a > b || std::isnan(a) ? a : b;
  case ncclMin:
    return a < b || std::isnan(a) ? a : b;
  default:
    return a + b;
  }
}

// ---- work on a stream ----

struct Work {
  std::function<void()> body;
};

void run(void *data) {
  try {
    static_cast<Work *>(data)->body();
  } catch (const Stop &) {
    // The simulator has the report.
  } catch (const raf::sim::nccl::Abandoned &) {
    // Results are what they are.
  } catch (const std::string &reason) {
    Simulator::get().fail(reason.c_str());
  }
}

void release(void *data) { delete static_cast<Work *>(data); }

/// Sends and receives between ncclGroupStart and ncclGroupEnd go on at the same time.
struct Pending {
  std::shared_ptr<Group> group;
  CUstream stream;
  struct Part {
    bool sends;
    int peer;
    std::uint64_t address;
    std::int64_t bytes;
  };
  std::vector<Part> parts;
};
thread_local int depth = 0;
thread_local Pending pending;

ncclResult_t enqueue(CUstream stream, std::function<void()> body) {
  if (!Simulator::get().complete()) {
    complaint = "the simulated driver is not in this library's folder";
    return ncclSystemError;
  }
  auto *work = new Work{std::move(body)};
  return Simulator::get().enqueue(stream, "NCCL", run, work, release) == 0 ? ncclSuccess : ncclUnhandledCudaError;
}

ncclResult_t flush() {
  if (pending.parts.empty())
    return ncclSuccess;
  Pending now;
  std::swap(now, pending);
  return enqueue(now.stream, [now] {
    std::vector<Message> messages;
    for (const Pending::Part &part : now.parts)
      messages.push_back({part.sends, part.peer,
                          range(part.address, part.bytes, part.sends ? RAF_SIM_LOAD : RAF_SIM_STORE,
                                part.sends ? "what is sent" : "what is received"),
                          part.bytes});
    now.group->transfer(std::move(messages));
  });
}

ncclResult_t message(bool sends, const void *data, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm, CUstream stream) {
  std::int64_t size = bytesOfType(type);
  if (!comm || !data || size == 0 || peer < 0 || peer >= comm->group->ranks)
    return wrong("a message with rank " + std::to_string(peer) + " of elements of type " + std::to_string(type));
  if (!pending.parts.empty() && (pending.group != comm->group || pending.stream != stream))
    return wrong("messages of one group on different communicators or streams");
  pending.group = comm->group;
  pending.stream = stream;
  pending.parts.push_back({sends, peer, reinterpret_cast<std::uint64_t>(data), static_cast<std::int64_t>(count) * size});
  return depth ? ncclSuccess : flush();
}

struct Request {
  Call call;
  std::uint64_t in, out;
  std::int64_t size; // of an element
};

/// The check that all collectives share; `in` and `out` in elements.
ncclResult_t collective(int kind, const void *in, void *out, std::size_t count, ncclDataType_t type, int reduction, int root,
                        ncclComm_t comm, CUstream stream, void (*body)(Group &, const Request &)) {
  std::int64_t size = bytesOfType(type);
  if (!comm || !out || (!in && !(kind == 4 && root != comm->group->rank)) || size == 0 || count == 0 || reduction < ncclSum ||
      reduction > ncclAvg || root < 0 || root >= comm->group->ranks)
    return wrong("a collective on " + std::to_string(count) + " elements of type " + std::to_string(type) + " with root " + std::to_string(root));
  Request request{{kind, type, reduction, root, static_cast<std::int64_t>(count)},
                  reinterpret_cast<std::uint64_t>(in), reinterpret_cast<std::uint64_t>(out), size};
  std::shared_ptr<Group> group = comm->group;
  return enqueue(stream, [group, request, body] {
    group->agree(request.call);
    body(*group, request);
  });
}

/// Pieces of `count` elements: piece(first, how many).
template <class Piece> void eachPiece(std::int64_t count, std::int64_t size, Piece piece) {
  std::int64_t step = kSlot / size;
  for (std::int64_t first = 0; first < count; first += step)
    piece(first, std::min(step, count - first));
}

/// Reduces `count` elements at in + offset into out.
void reduce(Group &group, const Request &request, std::int64_t offset, std::int64_t count, bool mine) {
  const Call &call = request.call;
  std::vector<double> sums;
  eachPiece(count, request.size, [&](std::int64_t first, std::int64_t elements) {
    const char *in = range(request.in + (offset + first) * request.size, elements * request.size, RAF_SIM_LOAD, "the input of a collective");
    sums.assign(elements, 0);
    group.exchange(in, elements * request.size, [&](int rank, const char *theirs) {
      for (std::int64_t i = 0; i < elements; ++i) {
        double value = read(theirs, call.type, i);
        sums[i] = rank == 0 ? value : combine(call.reduction, sums[i], value);
      }
    });
    if (!mine)
      return;
    char *out = range(request.out + first * request.size, elements * request.size, RAF_SIM_STORE, "the output of a collective");
    for (std::int64_t i = 0; i < elements; ++i)
      write(out, call.type, i, call.reduction == ncclAvg ? sums[i] / group.ranks : sums[i]);
  });
}

void allReduce(Group &group, const Request &request) { reduce(group, request, 0, request.call.count, true); }

void reduceScatter(Group &group, const Request &request) {
  for (int rank = 0; rank < group.ranks; ++rank)
    reduce(group, request, rank * request.call.count, request.call.count, rank == group.rank);
}

void allGather(Group &group, const Request &request) {
  std::int64_t count = request.call.count, size = request.size;
  eachPiece(count, size, [&](std::int64_t first, std::int64_t elements) {
    const char *in = range(request.in + first * size, elements * size, RAF_SIM_LOAD, "the input of a collective");
    group.exchange(in, elements * size, [&](int rank, const char *theirs) {
      std::memcpy(range(request.out + (rank * count + first) * size, elements * size, RAF_SIM_STORE, "the output of a collective"),
                  theirs, elements * size);
    });
  });
}

void broadcast(Group &group, const Request &request) {
  std::int64_t size = request.size;
  bool root = request.call.root == group.rank;
  eachPiece(request.call.count, size, [&](std::int64_t first, std::int64_t elements) {
    const char *in = root ? range(request.in + first * size, elements * size, RAF_SIM_LOAD, "the input of a collective") : nullptr;
    group.exchange(in, elements * size, [&](int rank, const char *theirs) {
      if (rank == request.call.root)
        std::memmove(range(request.out + first * size, elements * size, RAF_SIM_STORE, "the output of a collective"), theirs, elements * size);
    });
  });
}

} // namespace

/// Only the stand-in has it.
NCCL_ENTRY const char *raf_sim_nccl_complaint() { return complaint.c_str(); }

NCCL_ENTRY ncclResult_t ncclGetVersion(int *version) { return *version = 22703, ncclSuccess; }

NCCL_ENTRY ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  if (!id)
    return wrong("the id is null");
  static const char digits[] = "0123456789abcdef";
  std::random_device random;
  std::memset(id, 0, sizeof *id);
  std::string name = "raf-nccl-";
  for (int i = 0; i < 24; ++i)
    name += digits[random() % 16];
  std::memcpy(id->internal, name.c_str(), name.size());
  return ncclSuccess;
}

NCCL_ENTRY ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank) {
  std::string name(id.internal, strnlen(id.internal, sizeof id.internal));
  if (!comm || ranks < 1 || rank < 0 || rank >= ranks || name.rfind("raf-nccl-", 0) != 0 || name.find('/') != std::string::npos)
    return wrong("rank " + std::to_string(rank) + " of " + std::to_string(ranks) + ", or an id that ncclGetUniqueId did not make");
  try {
    *comm = new NcclComm{std::make_shared<Group>(name, ranks, rank)};
    return ncclSuccess;
  } catch (const std::string &reason) {
    complaint = reason;
    return ncclSystemError;
  }
}

NCCL_ENTRY ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  comm->group->leave();
  delete comm;
  return ncclSuccess;
}

NCCL_ENTRY ncclResult_t ncclCommAbort(ncclComm_t comm) {
  comm->group->abandon();
  delete comm;
  return ncclSuccess;
}

NCCL_ENTRY ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *state) {
  if (!comm || !state)
    return wrong("no communicator, or no place for its state");
  int missing = comm->group->missingRank();
  *state = missing < 0 ? ncclSuccess : ncclRemoteError;
  if (missing >= 0)
    complaint = "rank " + std::to_string(missing) + " is gone";
  return ncclSuccess;
}

NCCL_ENTRY ncclResult_t ncclGroupStart() { return ++depth, ncclSuccess; }

NCCL_ENTRY ncclResult_t ncclGroupEnd() {
  if (depth == 0) {
    complaint = "ncclGroupEnd without ncclGroupStart";
    return ncclInvalidUsage;
  }
  return --depth ? ncclSuccess : flush();
}

NCCL_ENTRY ncclResult_t ncclAllReduce(const void *send, void *receive, std::size_t count, ncclDataType_t type, ncclRedOp_t op,
                                      ncclComm_t comm, CUstream stream) {
  return collective(1, send, receive, count, type, op, 0, comm, stream, allReduce);
}

NCCL_ENTRY ncclResult_t ncclAllGather(const void *send, void *receive, std::size_t count, ncclDataType_t type, ncclComm_t comm,
                                      CUstream stream) {
  return collective(2, send, receive, count, type, ncclSum, 0, comm, stream, allGather);
}

NCCL_ENTRY ncclResult_t ncclReduceScatter(const void *send, void *receive, std::size_t count, ncclDataType_t type, ncclRedOp_t op,
                                          ncclComm_t comm, CUstream stream) {
  return collective(3, send, receive, count, type, op, 0, comm, stream, reduceScatter);
}

NCCL_ENTRY ncclResult_t ncclBroadcast(const void *send, void *receive, std::size_t count, ncclDataType_t type, int root,
                                      ncclComm_t comm, CUstream stream) {
  return collective(4, send, receive, count, type, ncclSum, root, comm, stream, broadcast);
}

NCCL_ENTRY ncclResult_t ncclSend(const void *send, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm, CUstream stream) {
  return message(true, send, count, type, peer, comm, stream);
}

NCCL_ENTRY ncclResult_t ncclRecv(void *receive, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm, CUstream stream) {
  return message(false, receive, count, type, peer, comm, stream);
}
