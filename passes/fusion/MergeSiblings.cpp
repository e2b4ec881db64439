// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/fusion/KernelBody.h"
#include "passes/fusion/TileSpace.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

// Every element of the results is made from its own loop iteration, and the destinations' old contents are not read.
static bool isPointwise(GenericOp op) {
  if (op.getNumReductionLoops() != 0 || !op.hasPureTensorSemantics())
    return false;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (!op.getMatchingIndexingMap(&init).isIdentity() || op.payloadUsesValueFromOperand(&init))
      return false;
  return true;
}

static bool uses(Operation *op, Operation *producer) {
  return op->walk([&](Operation *inner) {
             return llvm::is_contained(producer->getUsers(), inner) ? WalkResult::interrupt() : WalkResult::advance();
           }).wasInterrupted();
}

// The second reads something that the first reads or makes, so that one loop loads it once; what the first makes is read only where it is made.
static bool belongTogether(GenericOp first, GenericOp second) {
  bool shared = false;
  for (OpOperand *operand : second.getDpsInputOperands()) {
    if (operand->get().getDefiningOp() == first) {
      if (!second.getMatchingIndexingMap(operand).isIdentity())
        return false;
      shared = true;
    } else if (isa<RankedTensorType>(operand->get().getType()) && llvm::is_contained(first.getDpsInputs(), operand->get())) {
      shared = true;
    }
  }
  bool captured = second.getBody()->walk([&](Operation *inner) {
                                    return llvm::is_contained(first->getUsers(), inner) ? WalkResult::interrupt() : WalkResult::advance();
                                  }).wasInterrupted();
  return shared && !captured;
}

// One op at the place of the second.
static void mergeInto(OpBuilder &builder, GenericOp first, GenericOp second) {
  builder.setInsertionPoint(second);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> slots[2]; // of each op's inputs, among `inputs`; -1 - n: result n of the first
  SmallVector<GenericOp> ops = {first, second};
  for (auto [which, op] : llvm::enumerate(ops))
    for (OpOperand *operand : op.getDpsInputOperands()) {
      if (operand->get().getDefiningOp() == first) {
        slots[which].push_back(-1 - static_cast<int64_t>(cast<OpResult>(operand->get()).getResultNumber()));
        continue;
      }
      AffineMap map = op.getMatchingIndexingMap(operand);
      size_t slot = 0;
      while (slot < inputs.size() && (inputs[slot] != operand->get() || maps[slot] != map))
        ++slot;
      if (slot == inputs.size()) {
        inputs.push_back(operand->get());
        maps.push_back(map);
      }
      slots[which].push_back(slot);
    }
  SmallVector<Value> inits(first.getDpsInits());
  llvm::append_range(inits, second.getDpsInits());
  maps.append(inits.size(), builder.getMultiDimIdentityMap(first.getNumLoops()));
  Location loc = builder.getFusedLoc({first.getLoc(), second.getLoc()});
  auto merged = GenericOp::create(builder, loc, ValueRange(inits).getTypes(), inputs, inits, maps, first.getIteratorTypesArray(), [&](OpBuilder &inner, Location at, ValueRange arguments) {
    SmallVector<Value> yielded;
    for (auto [which, op] : llvm::enumerate(ops)) {
      IRMapping mapping;
      for (auto [slot, argument] : llvm::zip(slots[which], op.getBody()->getArguments()))
        mapping.map(argument, slot < 0 ? yielded[-1 - slot] : arguments[slot]);
      for (Operation &body : op.getBody()->without_terminator())
        inner.clone(body, mapping);
      for (Value value : op.getBody()->getTerminator()->getOperands())
        yielded.push_back(mapping.lookupOrDefault(value));
    }
    linalg::YieldOp::create(inner, at, yielded);
  });
  first.replaceAllUsesWith(merged.getResults().take_front(first.getNumResults()));
  second.replaceAllUsesWith(merged.getResults().drop_front(first.getNumResults()));
  first.erase();
  second.erase();
}

static bool mergeOne(Block &block) {
  OpBuilder builder(block.getParentOp()->getContext());
  SmallVector<GenericOp> candidates;
  for (auto op : block.getOps<GenericOp>())
    if (isPointwise(op))
      candidates.push_back(op);
  for (size_t i = 0; i < candidates.size(); ++i)
    for (size_t j = i + 1; j < candidates.size(); ++j) {
      GenericOp first = candidates[i], second = candidates[j];
      if (first.getStaticLoopRanges() != second.getStaticLoopRanges() || !belongTogether(first, second))
        continue;
      bool between = false; // something between them needs the first
      for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode())
        between |= uses(op, first);
      if (between)
        continue;
      mergeInto(builder, first, second);
      return true;
    }
  return false;
}

void mlir::raf::mergeSiblings(KernelOp kernel) {
  auto backup = cast<KernelOp>(kernel->clone());
  bool changed = false;
  while (mergeOne(kernel.getBody().front()))
    changed = true;
  SmallVector<linalg::LinalgOp> ops(kernel.getBody().front().getOps<linalg::LinalgOp>());
  if (changed && failed(tileSpaceOf(ops)))
    kernel.getBody().takeBody(backup.getBody());
  backup->erase();
}
