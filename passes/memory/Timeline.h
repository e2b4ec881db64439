// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A straight line of ops as memory sees it: what each op makes, reads and overwrites, and for an order of them which buffers are alive when. Knows nothing of MLIR.

#ifndef PASSES_MEMORY_TIMELINE_H
#define PASSES_MEMORY_TIMELINE_H

#include "passes/memory/Packing.h"

#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace mlir::raf {

/// What an op makes.
struct MadeValue {
  int64_t bytes = 0; // 0 for what lies in an argument or a result of the function
  int64_t kind = 0;  // values of one kind may take over each other's buffers
  int64_t over = -1; // the number of the read whose buffer this value lies in
  bool escapes = false;
  bool optional = false; // a run does not make it if nobody reads it
  llvm::SmallVector<unsigned, 2> mayTake; // the numbers of the reads whose buffer the value may take if it dies here
};

struct LineOp {
  llvm::SmallVector<int64_t, 4> reads; // values, each once
  llvm::SmallVector<MadeValue, 2> makes;
  int64_t firstValue = 0;                  // of those that it makes; the others follow
  int64_t scratch = 0;                     // bytes alive while it runs
  llvm::SmallVector<unsigned, 2> before;   // ops that must come earlier, besides those that make what it reads
  llvm::SmallVector<unsigned, 2> overwriters; // ops that overwrite an argument which it reads
};

/// One execution of an op. In a line without repetitions the runs are the ops; where ops run again each run has values of its own.
struct Run {
  unsigned op = 0;
  llvm::SmallVector<int64_t, 4> reads; // values of runs, for each read of the op
  int64_t firstValue = 0;
};

struct Line {
  std::vector<LineOp> ops; // in the order given; the last one is the end of the function
  int64_t values = 0;
};

/// The runs of a line in which each op runs once, in the given order.
std::vector<Run> runOnce(const Line &line);

/// The buffers of the runs in the given order, with their lifetimes, as raf-inplace, raf-bufferize-host and raf-plan-memory make them.
llvm::SmallVector<Lifetime> getBuffers(const Line &line, llvm::ArrayRef<Run> runs, llvm::ArrayRef<unsigned> order, int64_t values);

/// The bytes alive at each moment.
llvm::SmallVector<int64_t> getProfile(llvm::ArrayRef<Lifetime> buffers, size_t moments);

/// An order of the line's ops whose arena is no larger than that of the given order; with `late`, what takes much memory only while it runs is put off to where the least is alive. Equal input gives equal output; the time grows with n log n, and n for each op put off.
llvm::SmallVector<unsigned> findOrder(const Line &line, bool late);

} // namespace mlir::raf

#endif // PASSES_MEMORY_TIMELINE_H
