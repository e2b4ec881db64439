// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-gpu/Recompute.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/fusion/TileSpace.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

// The destinations that the op writes.
static SmallPtrSet<Value, 4> writtenBy(GenericOp op) {
  SmallPtrSet<Value, 4> written;
  auto func = op->getParentOfType<func::FuncOp>();
  unsigned firstInit = func.getNumArguments() - func.getNumResults();
  for (OpOperand &returned : func.getBody().front().getTerminator()->getOpOperands())
    if (returned.get().getDefiningOp() == op)
      written.insert(func.getArgument(firstInit + returned.getOperandNumber()));
  return written;
}

// Whether the consumer, when it computes the producer's value itself, still reads what the producer has read.
static bool readsTheSame(GenericOp producer, GenericOp consumer, OpOperand &use) {
  SmallPtrSet<Value, 8> read(producer->operand_begin(), producer->operand_end());
  producer.getBody()->walk([&](tensor::ExtractOp extract) { read.insert(extract.getTensor()); });
  for (Operation *op = producer; op != consumer; op = op->getNextNode())
    if (auto generic = dyn_cast<GenericOp>(op))
      for (Value written : writtenBy(generic))
        if (read.contains(written))
          return false;
  // The consumer itself may overwrite an element once it has read it.
  AffineMap made = producer.getIndexingMapMatchingResult(cast<OpResult>(use.get())), seen = consumer.getMatchingIndexingMap(&use);
  for (OpOperand *input : producer.getDpsInputOperands()) {
    if (!writtenBy(consumer).contains(input->get()))
      continue;
    for (Value result : consumer.getResults())
      if (producer.getMatchingIndexingMap(input) != made || consumer.getIndexingMapMatchingResult(cast<OpResult>(result)) != seen)
        return false;
  }
  return true;
}

LogicalResult mlir::raf::recompute(OpResult value) {
  auto producer = value.getDefiningOp<GenericOp>();
  if (!producer || value.use_empty() || producer.getNumReductionLoops() > 0)
    return failure();
  for (OpOperand &use : value.getUses()) {
    auto consumer = dyn_cast<GenericOp>(use.getOwner());
    if (!consumer || consumer->getBlock() != producer->getBlock() || !linalg::areElementwiseOpsFusable(&use) || !readsTheSame(producer, consumer, use))
      return failure();
  }
  IRRewriter rewriter(producer->getContext());
  while (!value.use_empty()) {
    OpOperand &use = *value.use_begin();
    auto consumer = cast<GenericOp>(use.getOwner());
    rewriter.setInsertionPoint(consumer);
    Attribute stage = consumer->getAttr(kStageAttr);
    FailureOr<linalg::ElementwiseOpFusionResult> fused = linalg::fuseElementwiseOps(rewriter, &use);
    if (failed(fused))
      return failure();
    if (stage)
      fused->fusedOp->setAttr(kStageAttr, stage);
    for (OpResult result : consumer->getResults())
      rewriter.replaceAllUsesWith(result, fused->replacements.lookup(result));
    rewriter.eraseOp(consumer);
  }
  if (producer->use_empty())
    rewriter.eraseOp(producer);
  return success();
}
