// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Collective.h"
#include "dialects/raf/Ops.h"
#include "passes/frontend/Passes.h"

namespace mlir::raf {
#define GEN_PASS_DEF_CHECKDEVICESPASS
#include "passes/frontend/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
struct CheckDevicesPass : raf::impl::CheckDevicesPassBase<CheckDevicesPass> {
  using CheckDevicesPassBase::CheckDevicesPassBase;
  void runOnOperation() override;
};
} // namespace

// One more than the largest number of a device in the lists.
static int64_t countNamed(ArrayAttr lists) {
  int64_t count = 1;
  for (auto list : lists.getAsRange<DenseI64ArrayAttr>())
    for (int64_t device : list.asArrayRef())
      count = std::max(count, device + 1);
  return count;
}

void CheckDevicesPass::runOnOperation() {
  int64_t named = 1;
  SmallVector<Operation *> collectives;
  getOperation().walk([&](Operation *op) {
    if (!isa<DeviceIdOp, AllReduceOp, AllGatherOp, ReduceScatterOp, AllToAllOp, CollectivePermuteOp, CollectiveBroadcastOp>(op))
      return;
    collectives.push_back(op);
    for (StringRef name : {"groups", "pairs"})
      if (auto lists = op->getAttrOfType<ArrayAttr>(name))
        named = std::max(named, countNamed(lists));
  });
  markAllAnalysesPreserved();
  if (collectives.empty())
    return;
  auto stated = getOperation()->getAttrOfType<IntegerAttr>(kNumDevicesAttribute);
  auto diagnostic = emitError(collectives.front()->getLoc())
                    << "the program needs " << (stated ? stated.getInt() : named) << " devices, of which each runs it as one process, and is compiled for one; it has "
                    << collectives.size() << (collectives.size() == 1 ? " operator" : " operators") << " that the devices run together";
  for (Operation *op : ArrayRef(collectives).take_front(4))
    diagnostic.attachNote(op->getLoc()) << "'" << op->getName() << "'";
  signalPassFailure();
}
