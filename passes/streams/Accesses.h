// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ops of a planned step do to memory, and the attributes that give them streams.

#ifndef PASSES_STREAMS_ACCESSES_H
#define PASSES_STREAMS_ACCESSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"

#include <map>

namespace mlir::raf {

inline constexpr StringLiteral kStream = "raf.stream", kRecord = "raf.record", kWait = "raf.wait";
/// As many as the runtime makes.
inline constexpr int64_t kMostStreams = 64;

/// Bytes of an argument, of the arena or of a constant.
struct ByteAccess {
  const void *owner;
  int64_t begin, end;
  bool reads, writes;
  Value value; // as the op has it
};

/// Makes a stretch of bytes that contains the position two, of which one begins there. `Stretch` has an `end`; stretches are kept by their begin and do not overlap.
template <typename Stretch>
void cutAt(std::map<int64_t, Stretch> &stretches, int64_t at) {
  auto after = stretches.upper_bound(at);
  if (after == stretches.begin())
    return;
  auto stretch = std::prev(after);
  if (stretch->first == at || stretch->second.end <= at)
    return;
  Stretch rest = stretch->second;
  stretch->second.end = at;
  stretches.emplace(at, std::move(rest));
}

class Accesses {
public:
  /// Whether the op is work for a device, rather than a view or a constant.
  static bool isWork(Operation *op);

  SmallVector<ByteAccess> of(Operation *op);

private:
  /// What the body of a kernel may do to each of its arguments.
  struct Use {
    bool reads = false, writes = false;
  };
  static Use useOf(Value argument);
  ArrayRef<Use> usesBy(gpu::GPUFuncOp kernel);

  SymbolTableCollection symbols;
  DenseMap<Operation *, SmallVector<Use>> kernels;
};

/// The stream of an op.
int64_t streamOf(Operation *op);

/// Whether other devices take part in the op: they must all enqueue such ops in one order, so these share a stream.
bool isCollective(Operation *op);

} // namespace mlir::raf

#endif // PASSES_STREAMS_ACCESSES_H
