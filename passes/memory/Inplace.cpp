// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "passes/memory/Passes.h"
#include "passes/memory/StepLine.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

#include <functional>
#include <limits>
#include <queue>

namespace mlir::raf {
#define GEN_PASS_DEF_INPLACEPASS
#include "passes/memory/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {

/// The operand that the result is tied to, or null for what is not an op of destination style.
OpOperand *getTiedInit(Value value) {
  auto op = value.getDefiningOp<DestinationStyleOpInterface>();
  return op ? op.getTiedOpOperand(cast<OpResult>(value)) : nullptr;
}

/// The value whose buffer this one lies in: an argument, a constant or a tensor.empty.
Value getRoot(Value value) {
  for (;;) {
    value = skipReshapes(value);
    OpOperand *init = getTiedInit(value);
    if (!init)
      return value;
    value = init->get();
  }
}

/// Uses that read or write elements, through any number of reshapes.
void collectUses(Value value, SmallVectorImpl<OpOperand *> &uses) {
  for (OpOperand &use : value.getUses()) {
    if (auto reshape = dyn_cast<ReshapeOp>(use.getOwner()))
      collectUses(reshape.getY(), uses);
    else
      uses.push_back(&use);
  }
}

Value reshapeTo(OpBuilder &builder, Location loc, Value value, Type type) {
  return value.getType() == type ? value : ReshapeOp::create(builder, loc, type, value).getResult();
}

int64_t initIndex(OpOperand &init) {
  return init.getOperandNumber() - cast<DestinationStyleOpInterface>(init.getOwner()).getDpsInitsMutable()[0].getOperandNumber();
}

/// What must run before what: SSA plus "readers of the old value before the op that overwrites it".
class Schedule {
public:
  explicit Schedule(Block &block) : block(block) {
    for (Operation &op : block) {
      index[&op] = ops.size();
      ops.push_back(&op);
    }
    later.resize(ops.size());
  }

  int64_t indexOf(Operation *op) const { return index.lookup(op); }

  /// Marks what must come after the op, itself included.
  std::vector<bool> after(Operation *op) const {
    std::vector<bool> reached(ops.size());
    SmallVector<int64_t> work = {indexOf(op)};
    while (!work.empty()) {
      int64_t node = work.pop_back_val();
      if (reached[node])
        continue;
      reached[node] = true;
      for (Operation *user : ops[node]->getUsers())
        work.push_back(indexOf(user));
      llvm::append_range(work, later[node]);
    }
    return reached;
  }

  void order(Operation *first, Operation *second) { later[indexOf(first)].push_back(indexOf(second)); }

  /// The op runs as soon as it can: it takes no memory, and what it reads may be freed.
  void hurry(Operation *op) { eager.insert(op); }

  void add(Operation *op) {
    index[op] = ops.size();
    ops.push_back(op);
    later.emplace_back();
  }

  /// Puts the block into an order that respects everything and otherwise is the present one, but for the ops in a hurry. Returns how many ops moved.
  int64_t apply() {
    SmallVector<int64_t> waiting(ops.size(), 0);
    auto forEachLater = [&](int64_t node, llvm::function_ref<void(int64_t)> function) {
      for (Operation *user : ops[node]->getUsers())
        function(indexOf(user));
      for (int64_t other : later[node])
        function(other);
    };
    DenseMap<Operation *, int64_t> position;
    for (auto [i, op] : llvm::enumerate(block))
      position[&op] = eager.contains(&op) ? -1 : static_cast<int64_t>(i);
    for (size_t node = 0; node < ops.size(); ++node)
      forEachLater(node, [&](int64_t other) { ++waiting[other]; });
    using Entry = std::pair<int64_t, int64_t>; // position, node
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> ready;
    for (size_t node = 0; node < ops.size(); ++node)
      if (waiting[node] == 0)
        ready.emplace(position[ops[node]], node);
    SmallVector<Operation *> order;
    while (!ready.empty()) {
      int64_t node = ready.top().second;
      ready.pop();
      order.push_back(ops[node]);
      forEachLater(node, [&](int64_t other) {
        if (--waiting[other] == 0)
          ready.emplace(position[ops[other]], other);
      });
    }
    int64_t moved = 0;
    for (auto [op, before] : llvm::zip(order, llvm::to_vector(llvm::make_pointer_range(block))))
      moved += op != before;
    for (Operation *op : order)
      if (!op->hasTrait<OpTrait::IsTerminator>())
        op->moveBefore(block.getTerminator());
    return moved;
  }

private:
  Block &block;
  std::vector<Operation *> ops;
  DenseMap<Operation *, int64_t> index;
  std::vector<SmallVector<int64_t>> later;
  SmallPtrSet<Operation *, 16> eager;
};

struct Inplace : mlir::raf::impl::InplacePassBase<Inplace> {
  using InplacePassBase::InplacePassBase;

  void runOnOperation() override {
    for (func::FuncOp func : getHostFunctions(getOperation())) {
      if (failed(checkTypes(func)))
        return signalPassFailure();
      place(func);
    }
  }

  void place(func::FuncOp step) {
    Block &block = step.getBody().front();
    dropBarriers(block);
    separateEmpties(block);
    if (donate)
      donateArguments(step, block);
    if (reuse)
      reuseDying(block);
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isa<tensor::EmptyOp>(op) && op.use_empty())
        op.erase();
  }

  void donateArguments(func::FuncOp step, Block &block) {
    Schedule schedule(block);
    auto terminator = cast<func::ReturnOp>(block.getTerminator());
    for (OpOperand &result : terminator->getOpOperands()) {
      int64_t argument = getAliasedArgument(step, result.getOperandNumber());
      if (argument < 0)
        continue;
      if (donateTo(result.get(), block.getArgument(argument), schedule))
        ++numDonated;
      else
        ++numNotDonated;
    }
    numMoved += schedule.apply();
  }

  /// From here on nothing is merged any more, so the barriers have done their work.
  void dropBarriers(Block &block) {
    for (BarrierOp barrier : llvm::make_early_inc_range(block.getOps<BarrierOp>())) {
      barrier->replaceAllUsesWith(barrier.getInputs());
      barrier.erase();
    }
  }

  /// Gives each destination a tensor.empty of its own, so that choosing one does not choose another.
  void separateEmpties(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto dps = dyn_cast<DestinationStyleOpInterface>(&op);
      if (!dps)
        continue;
      for (OpOperand &init : dps.getDpsInitsMutable()) {
        auto empty = skipReshapes(init.get()).getDefiningOp<tensor::EmptyOp>();
        if (!empty)
          continue;
        OpBuilder builder(&op);
        init.set(tensor::EmptyOp::create(builder, empty.getLoc(), init.get().getType(), ValueRange()));
      }
    }
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isa<tensor::EmptyOp, ReshapeOp>(op) && op.use_empty())
        op.erase();
  }

  /// Lets the ops that compute `result` do so in the argument's buffer.
  bool donateTo(Value result, BlockArgument argument, Schedule &schedule) {
    Value value = skipReshapes(result);
    OpOperand *init = nullptr;
    while (OpOperand *tied = getTiedInit(value)) {
      init = tied;
      value = skipReshapes(init->get());
    }
    if (value == argument)
      return true;
    if (!init || !value.getDefiningOp<tensor::EmptyOp>() ||
        cast<ShapedType>(value.getType()).getElementType() != cast<ShapedType>(argument.getType()).getElementType() ||
        cast<ShapedType>(value.getType()).getNumElements() != cast<ShapedType>(argument.getType()).getNumElements()) {
      missed(result, argument, "the value is not the result of an op with a destination of its own");
      return false;
    }
    Operation *writer = init->getOwner();
    SmallVector<OpOperand *> readers;
    collectUses(argument, readers);
    std::vector<bool> after = schedule.after(writer);
    for (OpOperand *reader : readers) {
      Operation *owner = reader->getOwner();
      bool fine = owner == writer ? mayShareBuffer(*reader, initIndex(*init)) : !after[schedule.indexOf(owner)];
      if (!fine) {
        missed(result, argument, "the old value is still read after the new one is computed");
        return false;
      }
    }
    for (OpOperand *reader : readers)
      if (reader->getOwner() != writer)
        schedule.order(reader->getOwner(), writer);
    OpBuilder builder(writer);
    Value destination = reshapeTo(builder, writer->getLoc(), argument, init->get().getType());
    if (destination != argument)
      schedule.add(destination.getDefiningOp());
    init->set(destination);
    if (llvm::none_of(cast<DestinationStyleOpInterface>(writer).getDpsInits(), [](Value init) { return skipReshapes(init).getDefiningOp<tensor::EmptyOp>(); }))
      schedule.hurry(writer);
    return true;
  }

  void missed(Value result, BlockArgument argument, StringRef reason) {
    Location loc = result.getDefiningOp() ? result.getLoc() : argument.getLoc();
    remark::missed(loc, remark::RemarkOpts::name("raf-inplace").category("memory"))
        << remark::reason("argument {0} is updated by a copy: {1}", argument.getArgNumber(), reason);
  }

  /// A destination without a place takes the buffer of an operand that nobody reads any more.
  void reuseDying(Block &block) {
    DenseMap<Operation *, int64_t> index;
    for (auto [i, op] : llvm::enumerate(block))
      index[&op] = i;
    DenseMap<Value, int64_t> lastUse; // of the buffer with this root
    for (Operation &op : block)
      for (OpOperand &use : op.getOpOperands())
        if (!isa<ReshapeOp>(op) && isa<TensorType>(use.get().getType())) {
          int64_t &last = lastUse.try_emplace(getRoot(use.get()), -1).first->second;
          last = std::max(last, index[&op]);
        }
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto dps = dyn_cast<DestinationStyleOpInterface>(&op);
      if (!dps)
        continue;
      for (auto [number, init] : llvm::enumerate(dps.getDpsInitsMutable())) {
        auto empty = init.get().getDefiningOp<tensor::EmptyOp>();
        if (!empty)
          continue;
        Value candidate = findDying(op, number, empty, lastUse, index[&op]);
        if (!candidate)
          continue;
        Value root = getRoot(candidate);
        int64_t last = lastUse.lookup(empty.getResult());
        lastUse[root] = std::max(lastUse[root], last);
        OpBuilder builder(&op);
        init.set(reshapeTo(builder, op.getLoc(), candidate, init.get().getType()));
        empty.erase();
        ++numReused;
      }
    }
  }

  Value findDying(Operation &op, int64_t init, tensor::EmptyOp empty, const DenseMap<Value, int64_t> &lastUse, int64_t now) {
    for (OpOperand &operand : op.getOpOperands()) {
      if (!isa<TensorType>(operand.get().getType()) || !mayShareBuffer(operand, init))
        continue;
      Value root = getRoot(operand.get());
      auto owned = root.getDefiningOp<tensor::EmptyOp>();
      if (!owned || owned.getType().getElementType() != empty.getType().getElementType() ||
          owned.getType().getNumElements() != empty.getType().getNumElements() || lastUse.lookup(root) != now)
        continue;
      bool shared = llvm::all_of(op.getOpOperands(), [&](OpOperand &other) {
        return !isa<TensorType>(other.get().getType()) || getRoot(other.get()) != root || mayShareBuffer(other, init);
      });
      if (shared)
        return operand.get();
    }
    return {};
  }
};

} // namespace
