// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How tensors lie on a mesh of devices, as far as ops say it.
#ifndef RAF_DIALECTS_RAF_SHARDING_H
#define RAF_DIALECTS_RAF_SHARDING_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::raf {

/// On arguments and results of functions and on ops, of their first result: {mesh, dims}.
inline constexpr llvm::StringLiteral kShardingAttribute = "raf.sharding";

/// Gives the op that takes the place of another the sharding of what it replaces, unless it has its own.
struct ShardingListener : RewriterBase::Listener {
  void notifyOperationReplaced(Operation *op, ValueRange replacement) override {
    Attribute sharding = op->getNumResults() == 1 ? op->getDiscardableAttr(kShardingAttribute) : Attribute();
    Operation *made = sharding ? replacement.front().getDefiningOp() : nullptr;
    if (made && replacement.front() == made->getResult(0) && replacement.front().getType() == op->getResult(0).getType() && !made->hasAttr(kShardingAttribute))
      made->setDiscardableAttr(kShardingAttribute, sharding);
  }
};

} // namespace mlir::raf

#endif // RAF_DIALECTS_RAF_SHARDING_H
