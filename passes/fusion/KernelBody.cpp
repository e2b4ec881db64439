// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/fusion/KernelBody.h"
#include "passes/fusion/TileSpace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::LinalgOp;

// Cheap to make anew inside the kernel, so never an input.
static bool isRematerialized(Operation *op) { return op && isa<tensor::EmptyOp, arith::ConstantOp>(op); }

KernelOp mlir::raf::makeKernel(OpBuilder &builder, ArrayRef<Operation *> ops) {
  llvm::SmallDenseSet<Operation *> inside(ops.begin(), ops.end());
  llvm::SetVector<Value> inputs, outputs;
  llvm::SetVector<Operation *> copied;
  SmallVector<Location> locations;
  for (Operation *op : ops) {
    locations.push_back(op->getLoc());
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        Region *region = operand.getParentRegion();
        if (op->getParentRegion() != region || (producer && inside.contains(producer)))
          continue; // made inside the op or the kernel
        if (isRematerialized(producer))
          copied.insert(producer);
        else
          inputs.insert(operand);
      }
    });
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) { return !inside.contains(op->getBlock()->findAncestorOpInBlock(*user)); }))
        outputs.insert(result);
  }
  Location loc = builder.getFusedLoc(locations);
  SmallVector<Value> inits;
  for (Value output : outputs) {
    auto type = cast<RankedTensorType>(output.getType());
    inits.push_back(tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType()));
  }
  auto kernel = KernelOp::create(builder, loc, TypeRange(outputs.getArrayRef()), inputs.getArrayRef(), inits, /*label=*/nullptr);
  Block &block = kernel.getBody().emplaceBlock();
  IRMapping mapping;
  for (Value input : inputs)
    mapping.map(input, block.addArgument(input.getType(), loc));
  for (Value init : inits)
    block.addArgument(init.getType(), loc);
  OpBuilder inner = OpBuilder::atBlockEnd(&block);
  for (Operation *op : copied)
    inner.clone(*op, mapping);
  for (Operation *op : ops)
    inner.clone(*op, mapping);
  SmallVector<Value> yielded;
  for (Value output : outputs)
    yielded.push_back(mapping.lookup(output));
  YieldOp::create(inner, loc, yielded);
  for (auto [output, result] : llvm::zip(SmallVector<Value>(outputs.getArrayRef()), kernel.getResults()))
    output.replaceUsesWithIf(result, [&](OpOperand &use) { return !inside.contains(output.getDefiningOp()->getBlock()->findAncestorOpInBlock(*use.getOwner())); });
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  return kernel;
}

// Whether computing the op's body once more for another consumer costs less than a store and a load.
static bool isCheap(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic)
    return false;
  int64_t count = 0;
  for (Operation &inner : generic.getBody()->without_terminator()) {
    if (isa<math::MathDialect>(inner.getDialect()) || isa<arith::DivFOp, tensor::ExtractOp>(inner) || inner.getNumRegions() > 0)
      return false;
    if (!isa<arith::ConstantOp, arith::ExtFOp, arith::TruncFOp>(inner))
      ++count;
  }
  return count <= 2;
}

void mlir::raf::fusePointwise(KernelOp kernel) {
  OpBuilder builder(kernel);
  auto backup = cast<KernelOp>(kernel->clone());
  RewritePatternSet patterns(kernel.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, [&](OpOperand *operand) {
    Operation *producer = operand->get().getDefiningOp();
    if (!producer || producer->getBlock() != operand->getOwner()->getBlock())
      return false;
    // A value that is written out anyway is read back from cache; only a cheap one is worth computing twice.
    auto consumer = cast<LinalgOp>(operand->getOwner());
    if (isContraction(consumer))
      return false;
    return operand->get().hasOneUse() || isCheap(producer);
  });
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  GreedyRewriteConfig config;
  (void)applyPatternsGreedily(kernel.getBody(), std::move(patterns), config);
  if (succeeded(tileSpaceOf(kernel.getBody().front()))) {
    backup->erase();
    return;
  }
  kernel.getBody().takeBody(backup.getBody());
  backup->erase();
}
