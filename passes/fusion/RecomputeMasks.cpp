// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "passes/fusion/Passes.h"

namespace mlir::raf {
#define GEN_PASS_DEF_RECOMPUTEMASKSPASS
#include "passes/fusion/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
// A seed, a key, a rate: nothing to keep memory for.
constexpr int64_t kSmall = 16;
// More ops than a generator of random numbers with what is made of its bits; beyond, memory is cheaper.
constexpr unsigned kMostOps = 512, kMixed = ~0u;

struct Origin {
  unsigned segment, size;
};

struct MaskRecomputer {
  explicit MaskRecomputer(Block &block) : block(block) {}

  int64_t run() {
    // Between two library calls or products lies a segment, whose ops may become one kernel.
    DenseMap<Operation *, unsigned> segmentOf;
    unsigned segment = 0;
    SmallVector<Value> masks;
    for (Operation &op : block) {
      segment += isBoundary(op) ? 1 : 0;
      segmentOf[&op] = segment;
      if (!isMade(op))
        continue;
      made[&op] = originOf(op, segment);
      // Truth values are bytes by now.
      Type element = cast<RankedTensorType>(op.getResult(0).getType()).getElementType();
      if ((element.isInteger(1) || element.isInteger(8)) && made[&op].size <= kMostOps)
        masks.push_back(op.getResult(0));
    }
    // The segment in which a mask is made from nothing may read it there.
    SmallVector<OpOperand *> later;
    for (Value mask : masks)
      for (OpOperand &use : mask.getUses())
        if (!made.contains(place(use)) && made[mask.getDefiningOp()].segment != segmentOf[place(use)])
          later.push_back(&use);
    // In order, since masks of a segment share what they are made of.
    llvm::stable_sort(later, [&](OpOperand *a, OpOperand *b) { return place(*a) != place(*b) && place(*a)->isBeforeInBlock(place(*b)); });
    int64_t count = 0;
    DenseMap<unsigned, IRMapping> copies;
    for (OpOperand *use : later) {
      IRMapping &copied = copies[segmentOf[place(*use)]];
      OpBuilder builder(place(*use));
      count += copied.contains(use->get()) ? 0 : 1;
      use->set(copy(builder, use->get(), copied));
    }
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (made.contains(&op) && op.use_empty())
        op.erase();
    return count;
  }

private:
  Operation *place(OpOperand &use) { return block.findAncestorOpInBlock(*use.getOwner()); }

  static bool isBoundary(Operation &op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      return linalg::isaContractionOpInterface(linalgOp);
    return !isa<tensor::EmptyOp, ReshapeOp>(op) && !op.hasTrait<OpTrait::ConstantLike>() && !op.hasTrait<OpTrait::IsTerminator>();
  }

  // Whether the op makes its value pointwise of places, constants and a few numbers.
  bool isMade(Operation &op) const {
    if (isa<ReshapeOp>(op))
      return made.contains(op.getOperand(0).getDefiningOp());
    auto generic = dyn_cast<linalg::GenericOp>(op);
    return generic && generic.getNumResults() == 1 && generic.getNumReductionLoops() == 0 && llvm::all_of(generic.getDpsInputs(), [&](Value input) {
      return isSmall(input) || made.contains(input.getDefiningOp());
    }) && isa_and_nonnull<tensor::EmptyOp>(generic.getDpsInits()[0].getDefiningOp());
  }

  static bool isSmall(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return !type || type.getNumElements() <= kSmall;
  }

  // Where an op and all that it is made of stand, or kMixed, and of how many ops that is, at most.
  Origin originOf(Operation &op, unsigned segment) const {
    Origin origin{segment, 1};
    for (Value operand : op.getOperands())
      if (auto found = made.find(operand.getDefiningOp()); found != made.end() && !isSmall(operand)) {
        origin.size = std::min(origin.size + found->second.size, kMostOps + 1);
        if (found->second.segment != segment)
          origin.segment = kMixed;
      }
    return origin;
  }

  Value copy(OpBuilder &builder, Value value, IRMapping &mapping) {
    Operation *op = value.getDefiningOp();
    if (Value known = mapping.lookupOrNull(value))
      return known;
    if (isa_and_nonnull<tensor::EmptyOp>(op))
      return builder.clone(*op)->getResult(0);
    if (!made.contains(op) || isSmall(value))
      return value;
    for (Value operand : op->getOperands())
      if (!mapping.contains(operand) || isa_and_nonnull<tensor::EmptyOp>(operand.getDefiningOp()))
        mapping.map(operand, copy(builder, operand, mapping));
    return builder.clone(*op, mapping)->getResult(0);
  }

  Block &block;
  DenseMap<Operation *, Origin> made;
};

struct RecomputeMasksPass : raf::impl::RecomputeMasksPassBase<RecomputeMasksPass> {
  using RecomputeMasksPassBase::RecomputeMasksPassBase;
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!func.isExternal() && !func->hasAttr("raf.kernel") && func.getBody().hasOneBlock())
      numCopies += MaskRecomputer(func.getBody().front()).run();
  }
};
} // namespace
