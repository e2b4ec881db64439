// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/fusion/KernelBody.h"
#include "passes/fusion/CostModel.h"
#include "passes/fusion/TileSpace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
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

// A chain of cheap values with several uses each would grow by the number of paths through it, as in the rounds of a hash: beyond this the consumer computes no more of them anew.
static bool isSmall(Operation *op) {
  constexpr size_t kMaxOps = 24;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.getBody()->getOperations().size() <= kMaxOps;
}

// LLVM turns max(m, select(c, x, -inf)) into select(c, max(m, x), m), which is no reduction that it vectorizes: such a select is kept apart, in a loop of its own.
static bool hidesReduction(Operation *producer, LinalgOp consumer) {
  auto generic = dyn_cast<linalg::GenericOp>(producer);
  if (!generic || consumer.getNumReductionLoops() == 0)
    return false;
  bool isMasked = llvm::any_of(generic.getBody()->getTerminator()->getOperands(), [](Value value) {
    auto select = value.getDefiningOp<arith::SelectOp>();
    return select && (matchPattern(select.getTrueValue(), m_Constant()) || matchPattern(select.getFalseValue(), m_Constant()));
  });
  return isMasked && llvm::any_of(consumer.getBlock()->getOperations(), [](Operation &op) { return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op); });
}

// What linalg's fusion asks for, and what is asked for here besides.
static bool canComputeInReader(OpOperand &use) {
  auto producer = use.get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(use.getOwner());
  return producer && consumer && producer->getBlock() == consumer->getBlock() && !isContraction(consumer) && !hidesReduction(producer, consumer) &&
         linalg::areElementwiseOpsFusable(&use);
}

bool mlir::raf::isComputedInReader(OpOperand &use) { return use.get().hasOneUse() && canComputeInReader(use); }

int64_t mlir::raf::split(OpBuilder &builder, KernelOp kernel) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(kernel);
  Block &body = kernel.getBody().front();
  IRMapping mapping;
  for (auto [argument, operand] : llvm::zip(body.getArguments(), kernel->getOperands()))
    mapping.map(argument, operand);
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(builder.clone(op, mapping));
  for (auto [result, value] : llvm::zip(kernel.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookup(value));
  kernel.erase();
  // What starts from a fill has one of its own: it is no value that two kernels pass to each other.
  for (Operation *op : ops)
    if (auto linalgOp = dyn_cast<LinalgOp>(op); linalgOp && !isa<linalg::FillOp>(op))
      for (OpOperand &init : linalgOp.getDpsInitsMutable())
        if (auto fill = init.get().getDefiningOp<linalg::FillOp>()) {
          builder.setInsertionPoint(op);
          init.set(builder.clone(*fill)->getResult(0));
        }
  int64_t kernels = 0;
  for (Operation *op : ops) {
    auto linalgOp = dyn_cast<LinalgOp>(op);
    if (!linalgOp)
      continue;
    if (isa<linalg::FillOp>(op) && op->use_empty()) {
      op->erase();
      continue;
    }
    SmallVector<Operation *> alone;
    for (Value init : linalgOp.getDpsInits())
      if (auto fill = init.getDefiningOp<linalg::FillOp>())
        alone.push_back(fill);
    alone.push_back(op);
    builder.setInsertionPointAfter(op);
    makeKernel(builder, alone);
    ++kernels;
  }
  return kernels;
}

void mlir::raf::fusePointwise(KernelOp kernel) {
  OpBuilder builder(kernel);
  auto backup = cast<KernelOp>(kernel->clone());
  RewritePatternSet patterns(kernel.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, [&](OpOperand *operand) {
    // A value that is written out anyway is read back from cache; only a cheap one is worth computing twice.
    return isComputedInReader(*operand) || (canComputeInReader(*operand) && isCheap(operand->get().getDefiningOp()) && isSmall(operand->getOwner()));
  });
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  GreedyRewriteConfig config;
  (void)applyPatternsGreedily(kernel.getBody(), std::move(patterns), config);
  SmallVector<LinalgOp> ops(kernel.getBody().front().getOps<LinalgOp>());
  if (succeeded(tileSpaceOf(ops))) {
    backup->erase();
    return;
  }
  kernel.getBody().takeBody(backup.getBody());
  backup->erase();
}

//===-- stages ---------------------------------------------------------------------------------------------------===//

static bool onlyReduces(KernelOp kernel) {
  bool reduces = false;
  for (LinalgOp op : kernel.getBody().front().getOps<LinalgOp>()) {
    if (op.getNumReductionLoops() > 0)
      reduces = true;
    else if (!isa<linalg::FillOp>(op.getOperation()))
      return false;
    if (isContraction(op))
      return false;
  }
  return reduces;
}

bool mlir::raf::canChain(KernelOp kernel, KernelOp next) {
  constexpr int64_t kMaxStages = 4;
  Block &first = kernel.getBody().front(), &second = next.getBody().front();
  auto plain = [](Block &block) { return llvm::none_of(block, [](Operation &op) { return op.getNumRegions() > 0 && !isa<LinalgOp>(op); }); };
  if (!plain(first) || !plain(second) || static_cast<int64_t>(stagesOf(first).size()) >= kMaxStages)
    return false;
  auto large = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getRank() > 0;
  };
  bool follows = false, contraction = false;
  for (Value input : next.getInputs())
    follows |= input.getDefiningOp() == kernel;
  for (LinalgOp op : first.getOps<LinalgOp>())
    contraction |= isContraction(op);
  if (contraction)
    return false;
  int64_t work = 0;
  for (LinalgOp op : second.getOps<LinalgOp>())
    work += iterations(op);
  if (follows && work <= kSingleTileWork)
    return true;
  return onlyReduces(next) && llvm::all_of(next.getInputs(), [&](Value input) {
    return !large(input) || input.getDefiningOp() == kernel || llvm::is_contained(kernel.getInputs(), input);
  }) && llvm::any_of(next.getInputs(), large);
}

KernelOp mlir::raf::chain(OpBuilder &builder, KernelOp kernel, KernelOp next) {
  // Stages are numbered by the ops themselves.
  int64_t stage = 0;
  for (KernelOp part : {kernel, next})
    for (auto &ops : stagesOf(part.getBody().front())) {
      for (LinalgOp op : ops)
        op->setAttr(kStageAttr, builder.getI64IntegerAttr(stage));
      ++stage;
    }
  llvm::SetVector<Value> inputs(kernel.getInputs().begin(), kernel.getInputs().end());
  for (Value input : next.getInputs())
    if (input.getDefiningOp() != kernel)
      inputs.insert(input);
  SmallVector<Value> inits(kernel.getInits());
  llvm::append_range(inits, next.getInits());
  SmallVector<Type> types(kernel.getResultTypes());
  llvm::append_range(types, next.getResultTypes());
  Location loc = builder.getFusedLoc({kernel.getLoc(), next.getLoc()});
  builder.setInsertionPoint(next);
  auto both = KernelOp::create(builder, loc, types, inputs.getArrayRef(), inits, /*label=*/nullptr);
  Block &block = both.getBody().emplaceBlock();
  IRMapping outside; // values of the function in the new body
  for (Value input : inputs)
    outside.map(input, block.addArgument(input.getType(), loc));
  OpBuilder inner = OpBuilder::atBlockEnd(&block);
  SmallVector<Value> arguments;
  for (Value init : inits)
    arguments.push_back(block.addArgument(init.getType(), loc));
  SmallVector<Value> yielded;
  unsigned used = 0;
  for (KernelOp part : {kernel, next}) {
    Block &body = part.getBody().front();
    IRMapping mapping;
    for (auto [operand, argument] : llvm::zip(part.getInputs(), body.getArguments()))
      mapping.map(argument, outside.lookup(operand));
    for (unsigned i = 0; i < part.getInits().size(); ++i)
      mapping.map(body.getArgument(part.getInputs().size() + i), arguments[used++]);
    for (Operation &op : body.without_terminator())
      inner.clone(op, mapping);
    for (auto [value, result] : llvm::zip(body.getTerminator()->getOperands(), part.getResults())) {
      yielded.push_back(mapping.lookup(value));
      outside.map(result, yielded.back());
    }
  }
  YieldOp::create(inner, loc, yielded);
  kernel.replaceAllUsesWith(both.getResults().take_front(kernel.getNumResults()));
  next.replaceAllUsesWith(both.getResults().drop_front(kernel.getNumResults()));
  next.erase();
  kernel.erase();
  return both;
}
