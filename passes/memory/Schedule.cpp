// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/memory/Passes.h"
#include "passes/memory/StepLine.h"

#include "dialects/raf/Dialect.h"

namespace mlir::raf {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "passes/memory/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
struct Schedule : mlir::raf::impl::SchedulePassBase<Schedule> {
  using SchedulePassBase::SchedulePassBase;

  void runOnOperation() override {
    Workspaces workspaces;
    for (func::FuncOp func : getHostFunctions(getOperation())) {
      if (failed(checkTypes(func)))
        return signalPassFailure();
      StepLine step = makeLine(func, workspaces);
      std::vector<Run> runs = runOnce(step.line);
      SmallVector<unsigned> order = findOrder(step.line, putOff);
      SmallVector<Operation *> ops;
      for (auto [position, number] : llvm::enumerate(order)) {
        numMoved += position != number;
        ops.push_back(step.ops[number]);
      }
      if (!llvm::is_sorted(order))
        applyOrder(func, ops);
      SmallVector<Lifetime> buffers = getBuffers(step.line, runs, order, step.line.values);
      int64_t peak = getLowerBound(buffers);
      workspaces[func.getSymNameAttr()] = peak;
      peakBytes = peak; // @main is the last one
    }
  }
};
} // namespace
