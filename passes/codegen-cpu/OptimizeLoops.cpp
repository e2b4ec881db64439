// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/codegen-cpu/Passes.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::raf {
#define GEN_PASS_DEF_OPTIMIZELOOPSPASS
#include "passes/codegen-cpu/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;

// Loops are lowered with their header before their body: without a branch to a block that is not further down there is none.
static bool mayLoop(Region &body) {
  llvm::DenseMap<Block *, unsigned> numbers;
  for (Block &block : body)
    numbers.try_emplace(&block, numbers.size());
  for (Block &block : body)
    for (Block *successor : block.getSuccessors())
      if (numbers.lookup(successor) <= numbers.lookup(&block))
        return true;
  return false;
}

namespace {
struct OptimizeLoopsPass : raf::impl::OptimizeLoopsPassBase<OptimizeLoopsPass> {
  using OptimizeLoopsPassBase::OptimizeLoopsPassBase;
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (function.isExternal() || mayLoop(function.getBody()))
        continue;
      // The first attribute asks for the second: what is inlined is optimized with its caller.
      function.setOptimizeNone(true);
      function.setNoInline(true);
      ++straight;
    }
  }
};
} // namespace
