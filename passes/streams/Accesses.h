// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ops of a planned step do to memory, and the attributes that give them streams.

#ifndef PASSES_STREAMS_ACCESSES_H
#define PASSES_STREAMS_ACCESSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::raf {

inline constexpr StringLiteral kStream = "raf.stream", kRecord = "raf.record", kWait = "raf.wait";
/// As many as the runtime makes.
inline constexpr int64_t kMostStreams = 64;

/// Bytes of an argument, of the arena or of a constant.
struct Access {
  const void *owner;
  int64_t begin, end;
  bool reads, writes;
  Value value; // as the op has it
};

class Accesses {
public:
  /// Whether the op is work for a device, rather than a view or a constant.
  static bool isWork(Operation *op);

  SmallVector<Access> of(Operation *op);

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
