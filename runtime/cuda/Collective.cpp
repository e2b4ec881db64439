// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives of NCCL between the devices of several processes.
#include "cuda/CudaPlan.h"
#include "cuda/Device.h"
#include "cuda/Nccl.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>

using namespace raf::rt;
using namespace raf::rt::cuda;
using plan::Collective;
using plan::CollectiveOp;
using plan::Reduction;

namespace {

/// The library, and the group that the context has joined.
struct Library : Peers {
  Nccl api;
  ncclComm_t comm = nullptr;
  int64_t ranks = 0, rank = 0;
  std::string left; // why there is no group any more
  double mostSeconds = 600;
  static constexpr double kPatience = 1;
  /// Only the stand-in has it: what it finds wrong, in words.
  const char *(*complaint)() = nullptr;

  explicit Library(Device &device) {
    Libraries &libraries = device.libraries();
    const Libraries::Library &file = libraries.library("libnccl.so.2");
#define RAF_LOAD(name, parameters) api.name = reinterpret_cast<decltype(api.name)>(libraries.symbol(file, #name));
    RAF_NCCL(RAF_LOAD)
#undef RAF_LOAD
    if (void *function = dlsym(file.handle, "raf_sim_nccl_complaint"))
      complaint = reinterpret_cast<const char *(*)()>(function);
    if (const char *text = std::getenv("RAF_NCCL_TIMEOUT")) {
      char *end = nullptr;
      mostSeconds = std::strtod(text, &end);
      if (end == text || *end || !(mostSeconds > 0) || std::isinf(mostSeconds))
        throw Error(RAF_RT_INVALID, std::string("RAF_NCCL_TIMEOUT must be a positive number of seconds, got '") + text + "'");
    }
  }
  /// Without the others NCCL's own end of a group would wait for them.
  ~Library() override {
    if (comm)
      state() == ncclSuccess ? api.ncclCommDestroy(comm) : api.ncclCommAbort(comm);
  }

  ncclResult_t state() const {
    ncclResult_t state = ncclSuccess, result = api.ncclCommGetAsyncError(comm, &state);
    if (result == ncclSuccess)
      result = state;
    return result == ncclInProgress ? ncclSuccess : result;
  }

  std::string failure(double seconds) override {
    // What has all that it needs of the others ends by itself.
    if (ncclResult_t result = seconds > kPatience ? state() : ncclSuccess)
      return describe(result);
    if (seconds > mostSeconds)
      return "nothing that waits for other processes has ended for " + std::to_string(static_cast<int64_t>(mostSeconds)) + " s (RAF_NCCL_TIMEOUT)";
    return {};
  }

  void abandon(const std::string &why) noexcept override {
    left = why;
    api.ncclCommAbort(comm);
    comm = nullptr;
  }

  std::string describe(ncclResult_t result) const {
    const char *name = result == ncclUnhandledCudaError ? "an error of CUDA"
                       : result == ncclSystemError      ? "an error of the system"
                       : result == ncclInvalidArgument  ? "an argument is wrong"
                       : result == ncclInvalidUsage     ? "it is used wrongly"
                       : result == ncclRemoteError      ? "another process failed"
                                                        : "an internal error";
    return "NCCL failed with " + std::to_string(result) + " (" + name + ")" + (complaint ? std::string("; ") + complaint() : "");
  }

  void check(ncclResult_t result, const std::string &what) const {
    if (result != ncclSuccess)
      throw Error(RAF_RT_FAILED, what + ": " + describe(result));
  }

  static std::shared_ptr<Library> of(Device &device) {
    std::shared_ptr<void> &entry = device.shared["nccl"];
    if (!entry)
      entry = std::make_shared<Library>(device);
    return std::static_pointer_cast<Library>(entry);
  }
};

const char *nameOf(CollectiveOp op) {
  static const char *const names[] = {"all_reduce", "all_gather", "reduce_scatter", "broadcast", "all_to_all", "send", "receive"};
  return names[static_cast<int64_t>(op) - 1];
}

ncclDataType_t dataType(plan::Type type) {
  switch (type) {
  case plan::Type::F64:
    return ncclFloat64;
  case plan::Type::BF16:
    return ncclBfloat16;
  case plan::Type::F16:
    return ncclFloat16;
  case plan::Type::I32:
    return ncclInt32;
  case plan::Type::I8:
    return ncclInt8;
  case plan::Type::U8:
    return ncclUint8;
  default:
    return ncclFloat32;
  }
}

ncclRedOp_t reductionOf(Reduction reduction) {
  switch (reduction) {
  case Reduction::Product:
    return ncclProd;
  case Reduction::Max:
    return ncclMax;
  case Reduction::Min:
    return ncclMin;
  case Reduction::Mean:
    return ncclAvg;
  default:
    return ncclSum;
  }
}

class CollectivePlan : public Plan {
public:
  CollectivePlan(raf_rt_context *ctx, std::shared_ptr<Library> library, const Collective &collective)
      : ctx(ctx), library(std::move(library)), collective(collective),
        description(std::string("nccl.") + nameOf(collective.op) + " " + std::to_string(collective.elements) + " x " +
                    typeName(collective.type)) {}

  const char *describe() const override { return description.c_str(); }

  void execute(void **buffers) override {
    const void *in = buffers[0];
    void *out = buffers[1];
    if ((!in && collective.op != CollectiveOp::Receive) || (!out && collective.op != CollectiveOp::Send))
      throw Error(RAF_RT_INVALID, "a buffer is NULL (" + description + ")");
    if (!library->comm)
      throw Error(RAF_RT_FAILED, description + ": the context has left its group: " + library->left);
    auto &device = static_cast<Device &>(*ctx->device);
    enqueue(in, out, device.stream());
    device.waitsForPeers();
  }

private:
  void enqueue(const void *in, void *out, CUstream stream) {
    const Nccl &api = library->api;
    ncclDataType_t type = dataType(collective.type);
    ncclRedOp_t reduction = reductionOf(collective.reduction);
    auto count = static_cast<std::size_t>(collective.elements), part = count / collective.ranks;
    int peer = static_cast<int>(collective.peer);
    ncclComm_t comm = library->comm;
    switch (collective.op) {
    case CollectiveOp::AllReduce:
      return library->check(api.ncclAllReduce(in, out, count, type, reduction, comm, stream), description);
    case CollectiveOp::AllGather:
      return library->check(api.ncclAllGather(in, out, count, type, comm, stream), description);
    case CollectiveOp::ReduceScatter:
      return library->check(api.ncclReduceScatter(in, out, part, type, reduction, comm, stream), description);
    case CollectiveOp::Broadcast:
      return library->check(api.ncclBroadcast(in, out, count, type, peer, comm, stream), description);
    case CollectiveOp::Send:
      return library->check(api.ncclSend(in, count, type, peer, comm, stream), description);
    case CollectiveOp::Receive:
      return library->check(api.ncclRecv(out, count, type, peer, comm, stream), description);
    case CollectiveOp::AllToAll:
      return exchange(in, out, part, type, stream);
    }
  }

  void exchange(const void *in, void *out, std::size_t part, ncclDataType_t type, CUstream stream) {
    const Nccl &api = library->api;
    std::size_t bytes = part * elementBytes(collective.type);
    library->check(api.ncclGroupStart(), description);
    ncclResult_t result = ncclSuccess;
    for (int64_t rank = 0; rank < collective.ranks && result == ncclSuccess; ++rank) {
      result = api.ncclSend(static_cast<const char *>(in) + rank * bytes, part, type, static_cast<int>(rank), library->comm, stream);
      if (result == ncclSuccess)
        result = api.ncclRecv(static_cast<char *>(out) + rank * bytes, part, type, static_cast<int>(rank), library->comm, stream);
    }
    ncclResult_t ended = api.ncclGroupEnd();
    library->check(result == ncclSuccess ? ended : result, description);
  }

  raf_rt_context *ctx;
  std::shared_ptr<Library> library;
  Collective collective;
  std::string description;
};

class CollectiveRequest : public Request {
public:
  explicit CollectiveRequest(const Collective &collective) : collective(collective) {
    auto invalid = [](const std::string &what) { throw Error(RAF_RT_INVALID, "collective: " + what); };
    if (collective.op < CollectiveOp::AllReduce || collective.op > CollectiveOp::Receive)
      invalid("unknown operation " + std::to_string(static_cast<int64_t>(collective.op)));
    if (collective.type < plan::Type::F32 || collective.type > plan::Type::U8)
      invalid("unknown element type " + std::to_string(static_cast<int64_t>(collective.type)));
    if (collective.reduction < Reduction::Sum || collective.reduction > Reduction::Mean)
      invalid("unknown reduction " + std::to_string(static_cast<int64_t>(collective.reduction)));
    if (collective.ranks < 1 || collective.ranks > INT32_MAX || collective.peer < 0 || collective.peer >= collective.ranks)
      invalid("rank " + std::to_string(collective.peer) + " of " + std::to_string(collective.ranks));
    if (collective.elements < 1 || collective.elements > (int64_t(1) << 48))
      invalid(std::to_string(collective.elements) + " elements");
    bool parts = collective.op == CollectiveOp::ReduceScatter || collective.op == CollectiveOp::AllToAll;
    if (parts && collective.elements % collective.ranks)
      invalid(std::to_string(collective.elements) + " elements in " + std::to_string(collective.ranks) + " equal parts");
  }

  std::vector<int64_t> bufferBytes() const override {
    int64_t bytes = collective.elements * elementBytes(collective.type);
    switch (collective.op) {
    case CollectiveOp::AllGather:
      return {bytes, bytes * collective.ranks};
    case CollectiveOp::ReduceScatter:
      return {bytes, bytes / collective.ranks};
    case CollectiveOp::Send:
      return {bytes, 0};
    case CollectiveOp::Receive:
      return {0, bytes};
    default:
      return {bytes, bytes};
    }
  }

  int64_t workspaceBytes() const override { return 0; }

  std::unique_ptr<Plan> build(raf_rt_context *ctx, Device &device, int64_t) const override {
    std::shared_ptr<Library> library = Library::of(device);
    if (library->ranks != collective.ranks)
      throw Error(RAF_RT_INVALID, "a collective of " + std::to_string(collective.ranks) + " ranks in a context that " +
                                      (library->ranks ? "is one of " + std::to_string(library->ranks)
                                                      : std::string("has joined no group: raf_rt_cuda_join comes first")));
    return std::make_unique<CollectivePlan>(ctx, library, collective);
  }

private:
  Collective collective;
};

} // namespace

std::unique_ptr<Request> raf::rt::cuda::checkCollective(Collective request) { return std::make_unique<CollectiveRequest>(request); }

int64_t raf_rt_cuda_group_id(raf_rt_context *ctx, char id[RAF_RT_CUDA_ID_BYTES]) {
  return guardedWith(ctx, [&] {
    if (!id)
      throw Error(RAF_RT_INVALID, "raf_rt_cuda_group_id: id is NULL");
    DeviceLock lock(ctx);
    std::shared_ptr<Library> library = Library::of(Device::of(ctx));
    ncclUniqueId unique;
    static_assert(sizeof unique == RAF_RT_CUDA_ID_BYTES);
    library->check(library->api.ncclGetUniqueId(&unique), "naming a group");
    std::memcpy(id, unique.internal, sizeof unique);
  });
}

int64_t raf_rt_cuda_join(raf_rt_context *ctx, const char id[RAF_RT_CUDA_ID_BYTES], int64_t ranks, int64_t rank) {
  return guardedWith(ctx, [&] {
    if (!id || ranks < 1 || ranks > INT32_MAX || rank < 0 || rank >= ranks)
      throw Error(RAF_RT_INVALID, "raf_rt_cuda_join: rank " + std::to_string(rank) + " of " + std::to_string(ranks));
    DeviceLock lock(ctx);
    std::shared_ptr<Library> library = Library::of(Device::of(ctx));
    if (library->comm)
      throw Error(RAF_RT_INVALID, "the context is rank " + std::to_string(library->rank) + " of a group already");
    ncclUniqueId unique;
    std::memcpy(unique.internal, id, sizeof unique);
    library->check(library->api.ncclCommInitRank(&library->comm, static_cast<int>(ranks), unique, static_cast<int>(rank)),
                   "joining a group as rank " + std::to_string(rank) + " of " + std::to_string(ranks));
    library->ranks = ranks;
    library->rank = rank;
    static_cast<Device &>(*ctx->device).peers = library;
  });
}
