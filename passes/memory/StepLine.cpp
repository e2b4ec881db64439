// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/memory/StepLine.h"

#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::raf;

Value mlir::raf::skipReshapes(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getX();
  return value;
}

static bool isNoOpOfTheLine(Operation *op) { return isa<tensor::EmptyOp, ReshapeOp, ConstantOp>(op); }

static void collectReaders(Value value, SmallVectorImpl<OpOperand *> &uses) {
  for (OpOperand &use : value.getUses()) {
    if (isa<ReshapeOp>(use.getOwner()))
      collectReaders(use.getOwner()->getResult(0), uses);
    else
      uses.push_back(&use);
  }
}

namespace {
class LineMaker {
public:
  LineMaker(func::FuncOp func, const Workspaces &workspaces) : func(func), workspaces(workspaces) {
    for (unsigned i = 0; i < func.getNumResults(); ++i)
      donated.insert(getAliasedArgument(func, i));
  }

  StepLine make() {
    for (Operation &op : func.getBody().front())
      if (!isNoOpOfTheLine(&op)) {
        numberOf[&op] = result.ops.size();
        result.ops.push_back(&op);
      }
    for (Operation *op : result.ops)
      result.line.ops.push_back(add(op));
    result.line.values = values;
    return std::move(result);
  }

private:
  LineOp add(Operation *op) {
    LineOp entry;
    entry.firstValue = values;
    llvm::SmallDenseMap<int64_t, unsigned> readOf;
    auto read = [&](Value value) -> int64_t { // the number of the read, or -1
      auto known = result.valueOf.find(skipReshapes(value));
      if (known == result.valueOf.end())
        return -1;
      auto [at, isNew] = readOf.try_emplace(known->second, entry.reads.size());
      if (isNew)
        entry.reads.push_back(known->second);
      return at->second;
    };
    for (Value operand : op->getOperands())
      read(operand);
    if (op->hasTrait<OpTrait::IsTerminator>()) {
      for (size_t i = 0; i < result.ops.size() - 1; ++i)
        entry.before.push_back(i);
      for (OpOperand &operand : op->getOpOperands())
        if (getAliasedArgument(func, operand.getOperandNumber()) < 0)
          if (int64_t number = read(operand.get()); number >= 0)
            escape(entry.reads[number]);
      return entry;
    }
    if (auto call = dyn_cast<RegionCallOpInterface>(op))
      for (FlatSymbolRefAttr name : call.getRegionFunctions())
        entry.scratch = std::max(entry.scratch, workspaces.lookup(name.getAttr()));
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    for (OpResult value : op->getResults()) {
      auto type = dyn_cast<ShapedType>(value.getType());
      MadeValue made;
      made.bytes = type ? getBytes(type) : 0;
      made.kind = type ? kinds.try_emplace({type.getElementType(), type.getNumElements()}, kinds.size()).first->second : -1;
      if (OpOperand *init = dps ? dps.getTiedOpOperand(value) : nullptr)
        choosePlace(entry, made, *init, value.getResultNumber(), read);
      result.valueOf[value] = values + entry.makes.size();
      entry.makes.push_back(std::move(made));
    }
    values += entry.makes.size();
    makers.resize(values, numberOf[op]);
    return entry;
  }

  void choosePlace(LineOp &entry, MadeValue &made, OpOperand &init, int64_t number, llvm::function_ref<int64_t(Value)> read) {
    Operation *op = init.getOwner();
    Value old = skipReshapes(init.get());
    if (old.getDefiningOp<tensor::EmptyOp>()) {
      // A place of its own, or that of an operand which dies here.
      llvm::SmallDenseSet<int64_t> refused;
      for (OpOperand &operand : op->getOpOperands())
        if (int64_t at = read(operand.get()); at >= 0 && !mayShareBuffer(operand, number))
          refused.insert(at);
      for (OpOperand &operand : op->getOpOperands())
        if (int64_t at = read(operand.get()); at >= 0 && !refused.contains(at) && !llvm::is_contained(made.mayTake, at))
          made.mayTake.push_back(at);
      return;
    }
    auto argument = dyn_cast<BlockArgument>(old);
    bool writable = argument ? donated.contains(argument.getArgNumber()) : !old.getDefiningOp<ConstantOp>();
    SmallVector<OpOperand *> readers;
    collectReaders(old, readers);
    for (OpOperand *reader : readers) {
      if (reader->getOwner() == op)
        writable &= reader == &init || mayShareBuffer(*reader, number);
      else if (numberOf.lookup(reader->getOwner()) > numberOf.lookup(op))
        writable = false; // the old value is still needed: this one lies elsewhere
    }
    if (!writable)
      return;
    for (OpOperand *reader : readers)
      if (int64_t number = numberOf.lookup(reader->getOwner()); reader->getOwner() != op) {
        entry.before.push_back(number);
        if (argument)
          result.line.ops[number].overwriters.push_back(numberOf.lookup(op));
      }
    made.over = read(init.get());
    if (made.over < 0)
      made.bytes = 0;
  }

  void escape(int64_t value) {
    LineOp &maker = result.line.ops[makers[value]];
    maker.makes[value - maker.firstValue].escapes = true;
  }

  func::FuncOp func;
  const Workspaces &workspaces;
  StepLine result;
  int64_t values = 0;
  DenseMap<Operation *, int64_t> numberOf;
  std::vector<int64_t> makers; // of the values, by their numbers
  DenseMap<std::pair<Type, int64_t>, int64_t> kinds;
  llvm::SmallDenseSet<int64_t> donated;
};
} // namespace

StepLine mlir::raf::makeLine(func::FuncOp func, const Workspaces &workspaces) { return LineMaker(func, workspaces).make(); }

void mlir::raf::applyOrder(func::FuncOp func, ArrayRef<Operation *> order) {
  Block &block = func.getBody().front();
  Operation *end = block.getTerminator();
  llvm::SmallPtrSet<Operation *, 32> placed;
  auto placeOperands = [&](auto &self, Operation *op) -> void {
    for (Value operand : op->getOperands())
      if (Operation *maker = operand.getDefiningOp(); maker && isNoOpOfTheLine(maker) && placed.insert(maker).second) {
        self(self, maker);
        maker->moveBefore(end);
      }
  };
  for (Operation *op : order) {
    placeOperands(placeOperands, op);
    if (op != end)
      op->moveBefore(end);
  }
}
