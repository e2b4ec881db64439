// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-gpu/Recompute.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/codegen-gpu/StagePlan.h"
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

// The op with this result alone.
static GenericOp aloneWith(RewriterBase &rewriter, OpResult value) {
  auto op = cast<GenericOp>(value.getOwner());
  SmallVector<Value> inputs = op.getDpsInputs();
  SmallVector<AffineMap> maps = llvm::map_to_vector(op.getDpsInputOperands(), [&](OpOperand *input) { return op.getMatchingIndexingMap(input); });
  maps.push_back(op.getIndexingMapMatchingResult(value));
  Block &body = op.getRegion().front();
  rewriter.setInsertionPoint(op);
  auto alone = GenericOp::create(rewriter, op.getLoc(), value.getType(), inputs, op.getDpsInitOperand(value.getResultNumber())->get(), maps, op.getIteratorTypesArray(),
                                 [&](OpBuilder &builder, Location loc, ValueRange arguments) {
                                   IRMapping mapping;
                                   mapping.map(body.getArguments().take_front(inputs.size()), arguments.drop_back());
                                   mapping.map(body.getArgument(inputs.size() + value.getResultNumber()), arguments.back());
                                   for (Operation &inner : body.without_terminator())
                                     builder.clone(inner, mapping);
                                   linalg::YieldOp::create(builder, loc, mapping.lookupOrDefault(body.getTerminator()->getOperand(value.getResultNumber())));
                                 });
  if (Attribute stage = op->getAttr(kStageAttr))
    alone->setAttr(kStageAttr, stage);
  SmallVector<Operation *> cloned = llvm::map_to_vector(alone.getRegion().front().without_terminator(), [](Operation &inner) { return &inner; });
  for (Operation *inner : llvm::reverse(cloned))
    if (isOpTriviallyDead(inner))
      rewriter.eraseOp(inner);
  return alone;
}

// Where the producer overwrites what it reads with another result, its only reader goes first, and reads that itself.
static LogicalResult readFirst(GenericOp producer, OpResult value) {
  if (producer.getNumResults() == 1 || !value.hasOneUse() || llvm::any_of(producer.getDpsInitsMutable(), [&](OpOperand &init) { return producer.payloadUsesValueFromOperand(&init); }))
    return failure();
  auto reader = dyn_cast<GenericOp>(*value.user_begin());
  if (!reader || reader->getBlock() != producer->getBlock() || reader->getAttr(kStageAttr) != producer->getAttr(kStageAttr))
    return failure();
  SmallVector<Operation *> moved{reader};
  for (Value operand : reader->getOperands())
    if (Operation *op = operand.getDefiningOp(); op && operand != value && op->getBlock() == producer->getBlock() && !op->isBeforeInBlock(producer)) {
      // What the reader starts from is its own.
      if (!isa<linalg::FillOp, tensor::EmptyOp>(op) && !(isa<GenericOp>(op) && fillValue(operand)))
        return failure();
      if (!isa<tensor::EmptyOp>(op) && !operand.hasOneUse())
        return failure();
      moved.insert(moved.begin(), op);
      for (Value given : op->getOperands())
        if (Operation *source = given.getDefiningOp(); source && !source->isBeforeInBlock(producer)) {
          if (!isa<tensor::EmptyOp>(source))
            return failure();
          moved.insert(moved.begin(), source);
        }
    }
  SmallPtrSet<Value, 4> written = writtenBy(reader);
  for (Operation *op = producer; op != reader; op = op->getNextNode())
    if (llvm::any_of(op->getOperands(), [&](Value operand) { return written.contains(operand); }))
      return failure();
  IRRewriter rewriter(producer->getContext());
  GenericOp alone = aloneWith(rewriter, value);
  rewriter.replaceAllUsesWith(value, alone.getResult(0));
  for (Operation *op : moved)
    rewriter.moveOpBefore(op, producer);
  return recompute(cast<OpResult>(alone.getResult(0)));
}

LogicalResult mlir::raf::recompute(OpResult value) {
  auto producer = value.getDefiningOp<GenericOp>();
  if (!producer || value.use_empty() || producer.getNumReductionLoops() > 0)
    return failure();
  for (OpOperand &use : value.getUses()) {
    auto consumer = dyn_cast<GenericOp>(use.getOwner());
    if (!consumer || consumer->getBlock() != producer->getBlock() || !linalg::areElementwiseOpsFusable(&use))
      return failure();
    if (!readsTheSame(producer, consumer, use))
      return readFirst(producer, value);
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
