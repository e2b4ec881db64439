// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen/ScalarBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

void mlir::raf::setFastMath(GenericOp op, Operation *cloned, Operation *original, bool reassociates) {
  auto floating = dyn_cast<arith::ArithFastMathInterface>(cloned);
  // With the flag, a conversion to a narrower type and back would be folded away, and with it the rounding that the model asks for.
  if (!floating || isa<arith::ExtFOp, arith::TruncFOp>(cloned))
    return;
  auto flags = arith::FastMathFlags::contract;
  bool extremum = isa<arith::MaximumFOp, arith::MinimumFOp>(original);
  bool accumulates = op.getNumReductionLoops() > 0 && (extremum || isa<arith::AddFOp, arith::MulFOp>(original)) && llvm::any_of(original->getOperands(), [&](Value operand) {
    auto argument = dyn_cast<BlockArgument>(operand);
    return argument && argument.getOwner() == op.getBody() && argument.getArgNumber() >= op.getNumDpsInputs();
  });
  // The sign of a 0 that is an extremum depends on the order too; to ask for +0 over -0 would take two more instructions for each element.
  if (accumulates && (extremum || reassociates))
    flags = flags | (extremum ? arith::FastMathFlags::nsz : arith::FastMathFlags::reassoc);
  cloned->setAttr(floating.getFastMathAttrName(), arith::FastMathFlagsAttr::get(op.getContext(), flags));
}

// In the branches and loops of a body: tensors are mapped to their buffers already, so that reads become loads.
static void emitNested(OpBuilder &builder, GenericOp op, Operation *cloned) {
  OpBuilder::InsertionGuard guard(builder);
  cloned->walk([&](Operation *nested) {
    if (nested == cloned)
      return;
    setFastMath(op, nested, nested);
    if (!isa<tensor::ExtractOp>(nested))
      return;
    builder.setInsertionPoint(nested);
    nested->replaceAllUsesWith(memref::LoadOp::create(builder, nested->getLoc(), nested->getOperand(0), nested->getOperands().drop_front()));
    nested->erase();
  });
}

SmallVector<Value> mlir::raf::cloneBody(OpBuilder &builder, GenericOp op, IRMapping mapping, function_ref<Value(int64_t)> indexOf, function_ref<Value(Value)> bufferOf,
                                       function_ref<Value(Operation *)> known, bool reassociates) {
  Block *block = op.getBody();
  for (Operation &inner : block->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(index.getResult(), indexOf(index.getDim()));
      continue;
    }
    if (Value result = known ? known(&inner) : Value()) {
      mapping.map(inner.getResult(0), result);
      continue;
    }
    inner.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (isa<RankedTensorType>(operand.getType()))
          mapping.map(operand, bufferOf(operand));
    });
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
      SmallVector<Value> at;
      for (Value position : extract.getIndices())
        at.push_back(mapping.lookupOrDefault(position));
      mapping.map(extract.getResult(), memref::LoadOp::create(builder, inner.getLoc(), mapping.lookup(extract.getTensor()), at).getResult());
      continue;
    }
    Operation *cloned = builder.clone(inner, mapping);
    setFastMath(op, cloned, &inner, reassociates);
    if (cloned->getNumRegions() > 0)
      emitNested(builder, op, cloned);
  }
  SmallVector<Value> results;
  for (Value value : block->getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  return results;
}
