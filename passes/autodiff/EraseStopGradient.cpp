// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "passes/autodiff/Passes.h"

namespace mlir::raf {
#define GEN_PASS_DEF_ERASESTOPGRADIENTPASS
#include "passes/autodiff/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
struct EraseStopGradientPass : raf::impl::EraseStopGradientPassBase<EraseStopGradientPass> {
  void runOnOperation() override {
    getOperation()->walk([](StopGradientOp op) {
      op.replaceAllUsesWith(op.getX());
      op.erase();
    });
  }
};
} // namespace
