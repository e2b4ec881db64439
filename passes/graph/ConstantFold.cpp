// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/graph/Evaluate.h"
#include "passes/graph/Passes.h"

namespace mlir::raf {
#define GEN_PASS_DEF_CONSTANTFOLDPASS
#include "passes/graph/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
struct ConstantFoldPass : mlir::raf::impl::ConstantFoldPassBase<ConstantFoldPass> {
  using ConstantFoldPassBase::ConstantFoldPassBase;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_nonnull<RAFDialect>(op->getDialect()) && op->getNumResults() == 1 && op->getNumOperands() > 0 && !isa<ConstantOp>(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    // In the order of the program, so that what is folded feeds what comes after.
    for (Operation *op : ops) {
      SmallVector<DenseElementsAttr> operands;
      for (Value operand : op->getOperands()) {
        DenseElementsAttr constant;
        if (!matchPattern(operand, m_Constant(&constant)))
          break;
        operands.push_back(constant);
      }
      if (operands.size() != op->getNumOperands())
        continue;
      DenseElementsAttr result = evaluate(op, operands, maxElements);
      if (!result)
        continue;
      rewriter.setInsertionPoint(op);
      rewriter.replaceOpWithNewOp<ConstantOp>(op, result);
      ++folded;
    }
  }
};
} // namespace
