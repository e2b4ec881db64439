// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of a block take part in a derivative.
#ifndef RAF_PASSES_AUTODIFF_ACTIVITY_H
#define RAF_PASSES_AUTODIFF_ACTIVITY_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::raf {

/// Values that depend differentiably on the sources, and the ops of the block through which the targets depend on them. The block need not have a terminator yet.
class Activity {
public:
  Activity(Block &block, ArrayRef<Value> sources, ArrayRef<Value> targets);

  /// Whether the value depends on a source through floating-point values alone.
  bool isVaried(Value value) const { return varied.contains(value); }
  /// The ops between sources and targets, in the order of the block.
  ArrayRef<Operation *> getOps() const { return ops; }

private:
  llvm::DenseSet<Value> varied;
  SmallVector<Operation *> ops;
};

/// Whether values of the type have derivatives.
bool isDifferentiableType(Type type);

} // namespace mlir::raf

#endif // RAF_PASSES_AUTODIFF_ACTIVITY_H
