// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices and concatenations of elements that follow each other in memory, as kernels of their own: once there are buffers, raf-elide-copies makes views of them.
#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "passes/fusion/Copies.h"
#include "passes/fusion/Passes.h"
#include "passes/graph/Ranges.h"
#include "passes/memory/StepLine.h"

namespace mlir::raf {
#define GEN_PASS_DEF_ISOLATECOPIESPASS
#include "passes/fusion/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

// Booleans are stored otherwise than they are named.
static bool hasBytes(RankedTensorType type) { return type.getElementTypeBitWidth() >= 8 && type.getElementTypeBitWidth() % 8 == 0 && type.getNumElements() > 0; }

static bool isAligned(RankedTensorType type, int64_t elements) { return elements * getElementBytes(type.getElementType()) % kArenaAlignment == 0; }

// A launch takes the time of copying so many bytes: fusion may save that.
static constexpr int64_t kLaunchBytes = 32 << 10;

/// Whether the result of an op lies in memory whoever reads it: nothing computes it in the kernel of its reader. \p result is what the reader makes.
static bool isStoredByMaker(Value value, RankedTensorType result) {
  Operation *maker = skipReshapes(value).getDefiningOp();
  if (!maker || isa<PlanOpInterface, RegionCallOpInterface, KernelOp>(maker))
    return maker;
  return isa<MatmulOp, ConvOp, ConvInputGradOp, ConvWeightGradOp>(maker) && getBytes(result) >= kLaunchBytes;
}

static void collectReaders(Value value, SmallPtrSetImpl<Operation *> &readers) {
  for (Operation *user : value.getUsers()) {
    if (isa<ReshapeOp>(user))
      collectReaders(user->getResult(0), readers);
    else
      readers.insert(user);
  }
}

static bool isStored(Value value, RankedTensorType result) {
  value = skipReshapes(value);
  if (isStoredByMaker(value, result))
    return true;
  if (getBytes(result) < kLaunchBytes)
    return false;
  SmallPtrSet<Operation *, 4> readers;
  if (value.getDefiningOp() && !value.getDefiningOp<ConstantOp>())
    collectReaders(value, readers);
  return readers.size() > 1;
}

/// The parts of a concatenation if they are one after the other in memory, and most of them are stored anyway.
static bool findParts(ConcatOp op, CopiedRanges &ranges) {
  RankedTensorType type = op.getType();
  if (!hasBytes(type) || llvm::any_of(type.getShape().take_front(op.getAxis()), [](int64_t size) { return size != 1; }))
    return false;
  int64_t at = 0, stored = 0;
  SmallPtrSet<Value, 8> seen;
  for (Value input : op.getInputs()) {
    int64_t length = typeOf(input).getNumElements();
    if (!isAligned(type, at))
      return false;
    if (seen.insert(skipReshapes(input)).second && isStored(input, type))
      stored += length;
    ranges.add(0, at, length);
    at += length;
  }
  return stored * 2 >= at;
}

static bool findRange(SliceOp op, CopiedRanges &ranges) {
  std::optional<ElementRange> range = hasBytes(op.getType()) && isStoredByMaker(op.getX(), op.getType()) ? elementRange(op.getY()) : std::nullopt;
  if (!range || !isAligned(op.getType(), range->offset))
    return false;
  ranges.add(range->offset, 0, range->length);
  return true;
}

namespace {
struct IsolateCopiesPass : raf::impl::IsolateCopiesPassBase<IsolateCopiesPass> {
  using IsolateCopiesPassBase::IsolateCopiesPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || func->hasAttr("raf.kernel") || !func.getBody().hasOneBlock())
      return;
    // In order: what an earlier one makes is stored.
    for (Operation &op : llvm::make_early_inc_range(func.getBody().front())) {
      CopiedRanges ranges;
      auto concat = dyn_cast<ConcatOp>(&op);
      auto slice = dyn_cast<SliceOp>(&op);
      if ((concat && findParts(concat, ranges)) || (slice && findRange(slice, ranges)))
        isolate(&op, ranges);
    }
  }

  void isolate(Operation *op, const CopiedRanges &ranges) {
    OpBuilder builder(op);
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Value init = tensor::EmptyOp::create(builder, op->getLoc(), type.getShape(), type.getElementType());
    auto kernel = KernelOp::create(builder, op->getLoc(), TypeRange{type}, op->getOperands(), ValueRange{init}, /*label=*/nullptr);
    kernel->setAttr(CopiedRanges::kAttribute, ranges.attribute(builder));
    Block *block = builder.createBlock(&kernel.getBody());
    for (Value operand : kernel->getOperands())
      block->addArgument(operand.getType(), operand.getLoc());
    IRMapping mapping;
    mapping.map(op->getOperands(), block->getArguments().drop_back());
    Operation *inside = builder.clone(*op, mapping);
    YieldOp::create(builder, op->getLoc(), inside->getResults());
    op->replaceAllUsesWith(kernel.getResults());
    op->erase();
    ++isolated;
  }
};
} // namespace
