// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "passes/fusion/CostModel.h"
#include "passes/fusion/GroupGraph.h"
#include "passes/fusion/KernelBody.h"
#include "passes/fusion/Passes.h"
#include "passes/fusion/TileSpace.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::raf {
#define GEN_PASS_DEF_FUSEPASS
#include "passes/fusion/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;
using linalg::LinalgOp;

namespace {
// Fewer tiles than this leave cores idle; a merge that ends below it must be small altogether.
constexpr int64_t kMinTiles = 16;
// What one tile keeps besides its inputs and outputs must stay in a core's caches.
constexpr int64_t kMaxTileBytes = 256 << 10;
constexpr unsigned kMaxOps = 64;

// Ops that will be one kernel, or one op that stays as it is.
struct Group {
  SmallVector<Operation *> ops;
  std::optional<TileSpace> space; // absent: never merged
};

class Fuser {
public:
  Fuser(func::FuncOp func, bool epilogues, bool stages) : func(func), epilogues(epilogues), stages(stages) {}

  void run(bool enable) {
    chained = enable;
    if (enable)
      splitFullReductions();
    collect();
    if (enable) {
      // What is free to read goes where it is read, not to its own inputs, unless it is so small that a kernel less is worth more.
      for (Operation *op : order)
        if (groups[groupOf[op]].space && !(chained && isFree(*op) && iterations(cast<LinalgOp>(op)) > kSingleTileWork))
          mergeNeighbours(op);
      for (Operation *op : llvm::reverse(order))
        computeAnew(op);
    }
    emit();
  }

  int64_t kernels = 0, fusedOps = 0;

private:
  // A sum of everything runs in two steps, so that the first has rows to share out: over all dimensions but the first, then over that.
  void splitFullReductions() {
    SmallVector<linalg::GenericOp> ops(func.getBody().front().getOps<linalg::GenericOp>());
    for (linalg::GenericOp op : ops) {
      SmallVector<int64_t> ranges = op.getStaticLoopRanges();
      auto fill = op.getNumResults() == 1 ? op.getDpsInits()[0].getDefiningOp<linalg::FillOp>() : nullptr;
      Block *body = op.getBody();
      bool combines = fill && op.getNumDpsInputs() == 1 && body->getOperations().size() == 2 &&
                      isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp, arith::AddIOp>(body->front());
      if (!combines || op.getNumReductionLoops() != ranges.size() || ranges.size() < 2 || ranges.front() < kMinTiles || iterations(op) <= kSingleTileWork)
        continue;
      OpBuilder builder(op);
      Location loc = op.getLoc();
      Type element = getElementTypeOrSelf(op.getResult(0).getType());
      auto type = RankedTensorType::get({ranges.front()}, element);
      Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), element);
      Value start = linalg::FillOp::create(builder, loc, fill.getInputs(), empty).getResult(0);
      auto makeStep = [&](Value input, Value init, ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators) {
        auto step = linalg::GenericOp::create(builder, loc, TypeRange{init.getType()}, ValueRange{input}, ValueRange{init}, maps, iterators);
        step.getRegion().getBlocks().clear();
        IRMapping mapping;
        op.getRegion().cloneInto(&step.getRegion(), mapping);
        return step.getResult(0);
      };
      SmallVector<utils::IteratorType> iterators(ranges.size(), utils::IteratorType::reduction);
      iterators.front() = utils::IteratorType::parallel;
      MLIRContext *context = op.getContext();
      AffineMap rows = AffineMap::get(ranges.size(), 0, getAffineDimExpr(0, context)), id = AffineMap::getMultiDimIdentityMap(1, context);
      Value partial = makeStep(op.getDpsInputs()[0], start, {op.getIndexingMapsArray()[0], rows}, iterators);
      Value whole = makeStep(partial, op.getDpsInits()[0], {id, AffineMap::get(1, 0, context)}, {utils::IteratorType::reduction});
      op.getResult(0).replaceAllUsesWith(whole);
      op.erase();
    }
  }

  // A value that is repeated along other dimensions, or made of positions alone: reading it there costs nothing, so that no kernel has to store it for another.
  static bool isFree(Operation &op) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || generic.getNumResults() != 1 || generic.getNumReductionLoops() != 0 || !llvm::all_of(op.getUsers(), llvm::IsaPred<linalg::GenericOp>))
      return false;
    Block &body = *generic.getBody();
    if (generic.getNumDpsInputs() == 0)
      return llvm::all_of(body.without_terminator(), llvm::IsaPred<linalg::IndexOp, arith::IndexCastOp>);
    return generic.getNumDpsInputs() == 1 && isa<RankedTensorType>(generic.getDpsInputs()[0].getType()) && llvm::hasSingleElement(body) &&
           isa<BlockArgument>(body.getTerminator()->getOperand(0)) && isSmallBeside(generic.getDpsInputs()[0], generic.getResult(0));
  }

  // One group an op. A fill, an empty tensor or what is free is copied for each of its users, so that it never ties two groups together.
  void collect() {
    Block &block = func.getBody().front();
    OpBuilder builder(func.getContext());
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (!isa<linalg::FillOp, tensor::EmptyOp>(op) && !(chained && isFree(op)))
        continue;
      for (OpOperand &use : llvm::make_early_inc_range(op.getUses())) {
        if (op.hasOneUse())
          break;
        builder.setInsertionPoint(use.getOwner());
        use.set(builder.clone(op)->getResult(cast<OpResult>(use.get()).getResultNumber()));
      }
    }
    for (Operation &op : block.without_terminator()) {
      if (isRematerialized(&op))
        continue;
      unsigned index = groupOf[&op] = graph.add();
      forEachProducer(&op, [&](unsigned producer) { graph.addEdge(producer, index); });
      order.push_back(&op);
      Group group;
      group.ops.push_back(&op);
      if (auto linalgOp = dyn_cast<LinalgOp>(op))
        group.space = tileSpaceOf(linalgOp);
      groups.push_back(std::move(group));
    }
  }

  static bool isRematerialized(Operation *op) { return isa<tensor::EmptyOp, arith::ConstantOp>(op); }

  void forEachProducer(Operation *op, llvm::function_ref<void(unsigned)> callback) {
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *producer = operand.getDefiningOp(); producer && producer->getBlock() == op->getBlock() && !isRematerialized(producer))
          callback(groupOf[producer]);
    });
  }

  // Tries the groups that make the op's inputs, the largest value first, then those that read the same inputs.
  void mergeNeighbours(Operation *op) {
    SmallVector<std::pair<int64_t, Operation *>> candidates;
    auto add = [&](Value value, Operation *other, int64_t bonus) {
      if (auto type = dyn_cast<RankedTensorType>(value.getType()); type && isa<LinalgOp>(other))
        candidates.push_back({type.getNumElements() + bonus, other});
    };
    constexpr int64_t kProducer = int64_t(1) << 50;
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && isRematerialized(producer))
        continue; // many ops start from one empty tensor, which gives them nothing in common
      if (producer && producer->getBlock() == op->getBlock())
        add(operand, producer, isa<linalg::FillOp>(producer) ? 2 * kProducer : kProducer);
      // The nearest ones: all updates of a step read its learning rate, and each would look at all others.
      constexpr size_t kNearest = 16;
      SmallVector<Operation *> readers;
      for (Operation *user : operand.getUsers())
        if (user != op && user->getBlock() == op->getBlock() && user->isBeforeInBlock(op))
          readers.push_back(user);
      llvm::sort(readers, [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
      for (Operation *reader : ArrayRef(readers).take_front(kNearest))
        add(operand, reader, 0);
    }
    llvm::stable_sort(candidates, [](auto &a, auto &b) { return a.first > b.first; });
    // A group that has declined will do so again for as long as this op's group stays as it is.
    llvm::SmallDenseSet<unsigned> declined;
    for (auto &[size, other] : candidates) {
      unsigned a = groupOf[op], b = groupOf[other];
      if (a == b || declined.contains(b))
        continue;
      if (tryMerge(a, b, op, other))
        declined.clear();
      else
        declined.insert(b);
    }
  }

  bool isStored(Value value) {
    Operation *producer = value.getDefiningOp();
    auto group = groupOf.find(producer);
    return group == groupOf.end() || llvm::any_of(value.getUsers(), [&](Operation *user) {
      auto reader = groupOf.find(func.getBody().front().findAncestorOpInBlock(*user));
      return reader == groupOf.end() || reader->second != group->second;
    });
  }

  // What other groups read of the op is computed there from what is stored anyway, where that costs less than storing it too.
  void computeAnew(Operation *op) {
    if (!groupOf.contains(op))
      return; // went with a chain that it was part of
    auto generic = dyn_cast<linalg::GenericOp>(op);
    std::optional<Recomputation> again = generic ? recomputationOf(generic) : std::nullopt;
    if (!again || (again->from && !isStored(again->from)))
      return;
    unsigned home = groupOf[op];
    llvm::MapVector<unsigned, SmallVector<OpOperand *>> readers;
    for (OpOperand &use : op->getUses())
      if (unsigned group = groupOf[use.getOwner()]; group != home)
        readers[group].push_back(&use);
    for (auto &[index, uses] : readers) {
      OpBuilder builder((*llvm::min_element(uses, [](OpOperand *a, OpOperand *b) { return a->getOwner()->isBeforeInBlock(b->getOwner()); }))->getOwner());
      IRMapping mapping;
      SmallVector<Operation *> copies;
      StringRef reason;
      std::optional<TileSpace> merged = groups[index].space;
      for (linalg::GenericOp part : again->ops) {
        auto copy = cast<linalg::GenericOp>(builder.clone(*part, mapping));
        copies.push_back(copy);
      }
      for (OpOperand *use : uses)
        use->set(mapping.lookup(use->get()));
      for (Operation *copy : llvm::reverse(copies)) {
        if (!merged)
          break;
        Group one{{copy}, tileSpaceOf(cast<LinalgOp>(copy))}, all{groups[index].ops, merged};
        merged = one.space ? legalMerge(all, one, reason) : std::nullopt;
      }
      if (!merged) {
        for (OpOperand *use : uses)
          use->set(op->getResult(0));
        for (Operation *copy : llvm::reverse(copies))
          copy->erase();
        continue;
      }
      for (Operation *copy : copies)
        groupOf[copy] = index;
      groups[index].ops.append(copies);
      groups[index].space = std::move(merged);
      remark::passed(op->getLoc(), remark::RemarkOpts::name("ComputedAnew").category("raf-fuse").function(func.getName()))
          << "computed in the kernel that reads it, from what is stored anyway";
    }
    for (linalg::GenericOp part : llvm::reverse(again->ops))
      if (part->use_empty())
        erase(part);
  }

  void erase(linalg::GenericOp op) {
    Group &group = groups[groupOf[op]];
    llvm::erase(group.ops, op.getOperation());
    group.space->loops.erase(cast<LinalgOp>(op.getOperation()));
    if (group.ops.empty())
      group.space.reset();
    groupOf.erase(op);
    op->erase();
  }

  // A number that large kernels wait for, such as whether the loss is finite, of which each update wants to know: the reader would make them wait for whatever else it reads.
  static bool isAwaited(Operation *producer, llvm::function_ref<bool(Operation *)> isOther) {
    return llvm::any_of(producer->getResults(), [&](Value value) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      return type && type.getNumElements() == 1 && llvm::any_of(value.getUsers(), [&](Operation *user) {
               auto reader = dyn_cast<LinalgOp>(user);
               return reader && isOther(user) && iterations(reader) > kSingleTileWork;
             });
    });
  }

  bool tryMerge(unsigned a, unsigned b, Operation *opA, Operation *opB) {
    if (!groups[a].space || !groups[b].space)
      return false;
    StringRef reason;
    std::optional<TileSpace> merged;
    if (llvm::is_contained(opB->getUsers(), opA) && isAwaited(opB, [&](Operation *user) { return groupOf.lookup(user) != a && groupOf.lookup(user) != b; }))
      reason = "large kernels wait for what the other one makes";
    else
      merged = legalMerge(groups[a], groups[b], reason);
    if (merged && !graph.merge(b, a)) {
      reason = "another kernel lies between them";
      merged.reset();
    }
    if (!merged) {
      remark::missed(opA->getLoc(), remark::RemarkOpts::name("NotFused").category("raf-fuse").function(func.getName()))
          << "not in one kernel with " << opB->getName().getStringRef() << remark::reason("{0}", reason);
      return false;
    }
    Group &into = groups[b], &from = groups[a];
    for (Operation *op : from.ops)
      groupOf[op] = b;
    into.ops.append(from.ops);
    into.space = std::move(merged);
    from.ops.clear();
    from.space.reset();
    return true;
  }

  // What runs on each tile of a contraction while that is in cache: where its sums start, and pointwise ops on what it makes. A result that fits the caches as a whole is
  // still there when the next kernel reads it, unless `epilogues` says otherwise.
  bool canAccompany(Operation *contraction, const Group &group, const Group &other, const TileSpace &merged) const {
    constexpr int64_t kCachedBits = int64_t(2) << 23;
    auto type = cast<RankedTensorType>(contraction->getResult(0).getType());
    bool isLarge = (epilogues || type.getNumElements() * type.getElementTypeBitWidth() > kCachedBits) && merged.rank() == group.space->rank();
    return llvm::all_of(other.ops, [&](Operation *op) {
      return isa<linalg::FillOp>(op) || (isLarge && cast<LinalgOp>(op).getNumReductionLoops() == 0 && !llvm::is_contained(op->getUsers(), contraction));
    });
  }

  std::optional<TileSpace> legalMerge(const Group &a, const Group &b, StringRef &reason) {
    if (a.ops.size() + b.ops.size() > kMaxOps) {
      reason = "the kernel would have too many ops";
      return std::nullopt;
    }
    FailureOr<TileSpace> merged = merge(*a.space, *b.space, /*strict=*/true, reason);
    if (failed(merged))
      return std::nullopt;
    for (auto [group, other] : {std::pair(&a, &b), std::pair(&b, &a)})
      for (Operation *op : group->ops)
        if (isContraction(cast<LinalgOp>(op)) && !canAccompany(op, *group, *other, *merged)) {
          reason = "a contraction has a kernel of its own";
          return std::nullopt;
        }
    for (const Group *group : {&a, &b})
      if (merged->extent() < group->space->extent() && llvm::any_of(group->ops, [](Operation *op) { return op->hasAttr(kPartialAttr); })) {
        reason = "the parts of a reduction would have fewer threads";
        return std::nullopt;
      }
    int64_t work = merged->work();
    if (work > kSingleTileWork) {
      int64_t parallelBefore = std::min(a.space->extent(), b.space->extent());
      if (merged->rank() == 0 || merged->extent() < std::min(kMinTiles, parallelBefore)) {
        reason = "too few tiles would be left to run in parallel";
        return std::nullopt;
      }
      if (tileBytes(*merged) > kMaxTileBytes) {
        reason = "the values of a tile would not stay in cache";
        return std::nullopt;
      }
    }
    return std::move(*merged);
  }

  // Bytes of the values that ops of the group pass to each other, for one tile, as far as can be seen before the pointwise ones are fused.
  static int64_t tileBytes(const TileSpace &space) {
    int64_t bytes = 0;
    for (auto &entry : space.loops)
      for (Value result : entry.first->getResults()) {
        bool isPassedOn = llvm::any_of(result.getUsers(), [&](Operation *user) { return isa<LinalgOp>(user) && space.loops.contains(cast<LinalgOp>(user)); });
        if (isPassedOn && !isInPlace(result) && !isComputedInReader(*result.use_begin()))
          bytes += bytesOf(result) / std::max<int64_t>(1, space.extent());
      }
    return bytes;
  }

  // Whether all that the group needs has been written; what a group that has lost its ops needed, too.
  bool isReady(unsigned index, llvm::BitVector &done) {
    bool ready = true;
    graph.forEachPredecessor(index, [&](unsigned before) { ready = ready && (done.test(before) || (groups[before].ops.empty() && isReady(before, done))); });
    if (ready && groups[index].ops.empty())
      done.set(index); // not walked again
    return ready;
  }

  // Writes the groups in an order that respects their dependences and otherwise the original order of their last ops.
  void emit() {
    DenseMap<Operation *, unsigned> position;
    for (auto [index, op] : llvm::enumerate(func.getBody().front()))
      position[&op] = index;
    SmallVector<unsigned> live;
    for (auto [index, group] : llvm::enumerate(groups))
      if (!group.ops.empty()) {
        llvm::sort(group.ops, [&](Operation *a, Operation *b) { return position[a] < position[b]; });
        live.push_back(index);
      }
    llvm::stable_sort(live, [&](unsigned a, unsigned b) { return position[groups[a].ops.back()] < position[groups[b].ops.back()]; });
    Block &block = func.getBody().front();
    llvm::BitVector done(groups.size());
    SmallVector<unsigned> inOrder;
    SmallVector<unsigned> pending = live;
    while (!pending.empty()) {
      SmallVector<unsigned> later;
      for (unsigned index : pending) {
        Group &group = groups[index];
        if (!isReady(index, done)) {
          later.push_back(index);
          continue;
        }
        for (Operation *op : group.ops)
          op->moveBefore(block.getTerminator());
        inOrder.push_back(index);
        done.set(index);
      }
      assert(later.size() < pending.size() && "groups depend on each other in a circle");
      pending = std::move(later);
    }
    // Empty tensors and scalar constants go first: they depend on nothing.
    SmallVector<Operation *> leaves;
    for (Operation &op : block)
      if (isRematerialized(&op))
        leaves.push_back(&op);
    for (Operation *op : llvm::reverse(leaves))
      op->moveBefore(&block, block.begin());
    KernelOp previous;
    for (unsigned index : inOrder) {
      Group &group = groups[index];
      if (!isa<LinalgOp>(group.ops.front())) {
        // Views of what the kernel made do not come between it and a further stage.
        if (!isa<ReshapeOp>(group.ops.front()))
          previous = nullptr;
        continue;
      }
      OpBuilder builder(func.getContext());
      builder.setInsertionPointAfter(group.ops.back());
      fusedOps += group.ops.size() > 1 ? group.ops.size() : 0;
      KernelOp kernel = makeKernel(builder, group.ops);
      fusePointwise(kernel);
      mergeSiblings(kernel);
      // The partition saw what would be fused, which may have become something else on the way.
      if (FailureOr<TileSpace> space = tileSpaceOf(SmallVector<LinalgOp>(kernel.getBody().front().getOps<LinalgOp>()));
          group.ops.size() > 1 && succeeded(space) && space->work() > kSingleTileWork && keptBytes(*space) > kMaxTileBytes) {
        remark::missed(kernel.getLoc(), remark::RemarkOpts::name("Split").category("raf-fuse").function(func.getName()))
            << "a kernel for each op" << remark::reason("{0}", "the values of a tile would not stay in cache");
        kernels += split(builder, kernel);
        previous = nullptr;
        continue;
      }
      if (chained && stages && previous && canChain(previous, kernel) && usedOnlyAfter(previous, kernel) && !isAwaited(previous, [](Operation *) { return true; })) {
        previous = chain(builder, previous, kernel);
        continue;
      }
      ++kernels;
      previous = kernel;
    }
  }

  // The kernel of both stages stands where the second one does.
  static bool usedOnlyAfter(KernelOp kernel, KernelOp next) {
    return llvm::all_of(kernel->getUsers(), [&](Operation *user) {
      Operation *ancestor = kernel->getBlock()->findAncestorOpInBlock(*user);
      return ancestor == next || next->isBeforeInBlock(ancestor);
    });
  }

  func::FuncOp func;
  bool epilogues, stages, chained = false;
  SmallVector<Operation *> order;
  SmallVector<Group> groups;
  GroupGraph graph; // of the groups, by the same numbers
  DenseMap<Operation *, unsigned> groupOf;
};

// What nothing has written may be read as any number: as where slices replace all of an accumulator, one after the other.
void readUnwrittenAsZero(func::FuncOp func) {
  for (auto op : func.getBody().front().getOps<linalg::GenericOp>())
    for (OpOperand *operand : op.getDpsInputOperands()) {
      BlockArgument read = op.getMatchingBlockArgument(operand);
      if (read.use_empty() || !operand->get().getDefiningOp<tensor::EmptyOp>())
        continue;
      OpBuilder builder(op);
      read.replaceAllUsesWith(arith::ConstantOp::create(builder, op.getLoc(), builder.getZeroAttr(read.getType())));
    }
}

struct FusePass : raf::impl::FusePassBase<FusePass> {
  using FusePassBase::FusePassBase;
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || func->hasAttr("raf.kernel"))
      return;
    if (!func.getBody().hasOneBlock()) {
      func.emitError("control flow must be lowered before kernels are formed");
      return signalPassFailure();
    }
    for (auto op : func.getBody().front().getOps<LinalgOp>())
      if (op.hasDynamicShape()) {
        op.emitOpError("must have static shapes before kernels are formed");
        return signalPassFailure();
      }
    readUnwrittenAsZero(func);
    Fuser fuser(func, epilogues, stages);
    fuser.run(enable);
    kernels += fuser.kernels;
    fusedOps += fuser.fusedOps;
  }
};
} // namespace
