// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Policies that the user gives to ops and source nodes by name.
#ifndef RAF_PASSES_PRECISION_OVERRIDES_H
#define RAF_PASSES_PRECISION_OVERRIDES_H

#include "dialects/raf/interfaces/Interfaces.h"
#include "llvm/Support/GlobPattern.h"

namespace mlir::raf {

class Overrides {
public:
  /// Reads `<pattern>=<policy>` items; reports what cannot be read.
  LogicalResult parse(ArrayRef<std::string> items, Location loc);
  /// The policy of the last item that matches the op, if any does.
  std::optional<CastPolicy> find(Operation *op);
  /// Reports the items that matched no op.
  LogicalResult checkUsed(Location loc) const;

private:
  struct Item {
    std::string pattern;
    llvm::GlobPattern glob;
    CastPolicy policy;
    bool isOp, used = false;
  };
  SmallVector<Item> items;
};

} // namespace mlir::raf

#endif // RAF_PASSES_PRECISION_OVERRIDES_H
