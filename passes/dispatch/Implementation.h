// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a library offers to the dispatch.
#ifndef RAF_PASSES_DISPATCH_IMPLEMENTATION_H
#define RAF_PASSES_DISPATCH_IMPLEMENTATION_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::raf::dispatch {

/// One way to execute an op.
struct Implementation {
  StringRef library;
  /// The op that it starts from, such as "raf.matmul".
  StringRef op;
  /// Among the implementations of an op the highest goes first.
  unsigned preference;
  /// Replaces the op, with what it covers of the ops around it, and returns how many ops went; or changes nothing and says why.
  FailureOr<unsigned> (*apply)(Operation *op, RewriterBase &rewriter, std::string &reason);
  /// Whether it takes the op without ops far from it, so that its time can be compared with that of code generation.
  bool standsAlone = true;
};

/// The tables of oneDNN, cuBLASLt and cuDNN.
void appendDnnl(SmallVectorImpl<Implementation> &table);
void appendCublas(SmallVectorImpl<Implementation> &table);
void appendCudnn(SmallVectorImpl<Implementation> &table);

} // namespace mlir::raf::dispatch

#endif // RAF_PASSES_DISPATCH_IMPLEMENTATION_H
