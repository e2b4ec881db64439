// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a library offers to the dispatch.
#ifndef RAF_PASSES_DISPATCH_IMPLEMENTATION_H
#define RAF_PASSES_DISPATCH_IMPLEMENTATION_H

#include "mlir/IR/PatternMatch.h"
#include <functional>

namespace mlir::raf::dispatch {

/// One way to execute an op.
struct Implementation {
  StringRef library;
  /// The op that it starts from, such as "raf.matmul".
  StringRef op;
  /// Among the implementations of an op the highest goes first.
  unsigned preference;
  /// Replaces the op, with what it covers of the ops around it, and returns how many ops went; or changes nothing and says why.
  std::function<FailureOr<unsigned>(Operation *op, RewriterBase &rewriter, std::string &reason)> apply;
  /// Whether it takes the op without ops far from it, so that its time can be compared with that of code generation.
  bool standsAlone = true;
  /// Whether it is tried where nobody prefers or forces the library, in options or attributes.
  bool byDefault = true;
  /// If set, why it is known to be slower for this op than generated code, or nothing: it is tried then only where somebody prefers or forces it, or where measuring says otherwise.
  std::function<std::optional<std::string>(Operation *op)> isSlower = {};
};

/// What the user allows of the libraries of NVIDIA.
struct CudaSettings {
  /// f32 operands may be rounded to tf32.
  bool tf32 = false;
  /// Relu may give 0 for NaN.
  bool libraryRelu = false;
  /// Products of fewer multiplications are left to generated code, which computes them together with what is around them.
  int64_t leastProduct = 0;
  /// The one that engines are wanted for; if empty, any.
  std::string chip;
};

/// The tables of oneDNN, cuBLASLt and cuDNN.
void appendDnnl(SmallVectorImpl<Implementation> &table);
void appendCublas(SmallVectorImpl<Implementation> &table, const CudaSettings &settings);
void appendCudnn(SmallVectorImpl<Implementation> &table, const CudaSettings &settings);

} // namespace mlir::raf::dispatch

#endif // RAF_PASSES_DISPATCH_IMPLEMENTATION_H
