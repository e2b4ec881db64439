// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "passes/memory/Passes.h"
#include "passes/memory/Step.h"

#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/RegionUtils.h"

#include <limits>

namespace mlir::raf {
#define GEN_PASS_DEF_BUFFERIZEHOSTPASS
#include "passes/memory/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {

MemRefType getBufferType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return MemRefType::get(type.getShape(), type.getElementType());
}

struct Buffer {
  Value memref;              // of the shape in which it was made
  bool writable = false;     // not a constant, nor an argument that the step must leave alone
  bool allocated = false;    // and thus free to become a result
  SmallVector<Value> values; // the tensors that lie in it
};

struct Copy {
  Value source, target;
};

/// Orders the copies at the end of the step so that none overwrites what another still has to read.
class FinalCopies {
public:
  void add(Value source, Value target) { copies.push_back({source, target}); }

  int64_t emit(OpBuilder &builder, Location loc) {
    int64_t made = 0;
    while (!copies.empty()) {
      auto *next = llvm::find_if(copies, [&](const Copy &copy) { return !isRead(copy.target, copy); });
      if (next == copies.end()) {
        // A cycle (two arguments trade places): save what the first one is about to overwrite.
        Value saved = copies.front().target;
        Value temporary = memref::AllocOp::create(builder, loc, cast<MemRefType>(saved.getType()));
        memref::CopyOp::create(builder, loc, saved, temporary);
        for (Copy &copy : copies)
          if (base(copy.source) == base(saved))
            copy.source = viewAs(builder, loc, temporary, cast<MemRefType>(copy.source.getType()));
        ++made;
        continue;
      }
      memref::CopyOp::create(builder, loc, next->source, next->target);
      ++made;
      copies.erase(next);
    }
    return made;
  }

  static Value viewAs(OpBuilder &builder, Location loc, Value memref, MemRefType type) {
    if (memref.getType() == type)
      return memref;
    auto [strides, offset] = type.getStridesAndOffset();
    // MLIR calls strides over an empty dimension unknown.
    if (type.getLayout().isIdentity())
      strides = computeSuffixProduct(type.getShape());
    return memref::ReinterpretCastOp::create(builder, loc, type, memref, offset, type.getShape(), strides);
  }

private:
  static Value base(Value memref) {
    while (auto view = memref.getDefiningOp<memref::ReinterpretCastOp>())
      memref = view.getSource();
    return memref;
  }

  bool isRead(Value target, const Copy &except) const {
    return llvm::any_of(copies, [&](const Copy &copy) { return &copy != &except && base(copy.source) == base(target); });
  }

  SmallVector<Copy> copies;
};

/// Bufferizes one step function.
class Bufferizer {
public:
  Bufferizer(ModuleOp module, func::FuncOp step) : module(module), step(step), block(step.getBody().front()), builder(step.getContext()) {}

  int64_t numBuffers = 0, numCopies = 0;

  LogicalResult run() {
    if (failed(check()))
      return failure();
    collectLastUses();
    arguments();
    SmallVector<Operation *> old;
    for (Operation &op : block.without_terminator())
      old.push_back(&op);
    for (Operation *op : old) {
      builder.setInsertionPoint(op);
      if (auto constant = dyn_cast<ConstantOp>(op))
        place(constant.getY(), addBuffer(makeGlobal(constant), false));
      else if (auto reshape = dyn_cast<ReshapeOp>(op))
        place(reshape.getY(), bufferOf.lookup(reshape.getX()));
      else if (auto dps = dyn_cast<DestinationStyleOpInterface>(op); dps && dps.hasPureTensorSemantics())
        bufferize(dps);
    }
    results(cast<func::ReturnOp>(block.getTerminator()));
    for (Operation *op : llvm::reverse(old))
      if (op->getNumResults() && llvm::all_of(op->getResultTypes(), llvm::IsaPred<TensorType>))
        op->erase();
    eraseTensorArguments();
    return success();
  }

private:
  /// The regions of an op, if it has any, see only their own arguments: what they would use from outside is not there any more on buffers.
  static bool capturesNothing(Operation &op) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getRegions(), captured);
    return llvm::none_of(captured, [](Value value) { return isa<TensorType>(value.getType()); });
  }

  LogicalResult check() {
    bool good = true;
    for (auto [index, type] : llvm::enumerate(step.getArgumentTypes()))
      if (auto tensor = dyn_cast<RankedTensorType>(type); !tensor || !tensor.hasStaticShape()) {
        step.emitOpError() << "argument " << index << " must be a tensor of static shape, got " << type;
        good = false;
      }
    for (Operation &op : block) {
      auto dps = dyn_cast<DestinationStyleOpInterface>(&op);
      bool known = isa<ConstantOp, ReshapeOp, tensor::EmptyOp, func::ReturnOp>(op) || (dps && dps.hasPureTensorSemantics() && capturesNothing(op)) ||
                   (llvm::none_of(op.getOperandTypes(), llvm::IsaPred<TensorType>) && llvm::none_of(op.getResultTypes(), llvm::IsaPred<TensorType>));
      for (Type type : op.getResultTypes())
        if (auto tensor = dyn_cast<TensorType>(type); tensor && !tensor.hasStaticShape())
          known = false;
      if (!known) {
        op.emitOpError() << "cannot be a part of the step after raf-outline-kernels: expected an op of destination style, raf.constant, raf.reshape or tensor.empty "
                            "of static shape";
        good = false;
      }
    }
    for (unsigned i = 0; i < step.getNumResults(); ++i) {
      int64_t argument = getAliasedArgument(step, i);
      if (argument >= 0 && step.getArgumentTypes()[argument] != step.getResultTypes()[i]) {
        step.emitOpError() << "result " << i << " has raf.alias = " << argument << ", but its type is " << step.getResultTypes()[i] << " and that of the argument "
                           << step.getArgumentTypes()[argument];
        good = false;
      }
    }
    return success(good);
  }

  void collectLastUses() {
    int64_t number = 0;
    for (Operation &op : block) {
      position[&op] = number++;
      for (Value operand : op.getOperands())
        lastUse[operand] = position[&op];
    }
  }

  Buffer *addBuffer(Value memref, bool writable) {
    buffers.push_back(std::make_unique<Buffer>());
    buffers.back()->memref = memref;
    buffers.back()->writable = writable;
    return buffers.back().get();
  }

  Buffer *allocate(Location loc, Type tensor) {
    ++numBuffers;
    Buffer *buffer = addBuffer(memref::AllocOp::create(builder, loc, getBufferType(tensor)), true);
    buffer->allocated = true;
    return buffer;
  }

  void place(Value tensor, Buffer *buffer) {
    if (!buffer) // of a tensor.empty: it has no contents and thus no place
      return;
    bufferOf[tensor] = buffer;
    buffer->values.push_back(tensor);
  }

  void arguments() {
    llvm::SmallDenseSet<int64_t> donated;
    for (unsigned i = 0; i < step.getNumResults(); ++i)
      donated.insert(getAliasedArgument(step, i));
    for (unsigned i = 0, count = block.getNumArguments(); i < count; ++i) {
      BlockArgument argument = block.getArgument(i);
      BlockArgument memref = block.addArgument(getBufferType(argument.getType()), argument.getLoc());
      place(argument, addBuffer(memref, donated.contains(i)));
      newArguments.push_back(memref);
    }
  }

  /// The buffer as this tensor's shape.
  Value view(Buffer *buffer, Type tensor) {
    MemRefType type = getBufferType(tensor);
    if (buffer->memref.getType() == type)
      return buffer->memref;
    Value &known = views[{buffer->memref, type}];
    if (!known) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointAfterValue(buffer->memref);
      known = FinalCopies::viewAs(builder, buffer->memref.getLoc(), buffer->memref, type);
    }
    return known;
  }

  Value makeGlobal(ConstantOp constant) {
    auto value = cast<ElementsAttr>(constant.getValue());
    FlatSymbolRefAttr &name = globals[value];
    MemRefType type = getBufferType(constant.getType());
    if (!name) {
      std::string text;
      do
        text = "raf_constant_" + std::to_string(nextGlobal++);
      while (module.lookupSymbol(text));
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(step);
      memref::GlobalOp::create(builder, constant.getLoc(), text, builder.getStringAttr("private"), type, value, /*constant=*/true, builder.getI64IntegerAttr(64));
      name = FlatSymbolRefAttr::get(builder.getContext(), text);
    }
    return memref::GetGlobalOp::create(builder, constant.getLoc(), type, name.getValue());
  }

  /// Whether something in the buffer is needed after the op starts to write destination `init`.
  bool isNeeded(Buffer *buffer, DestinationStyleOpInterface op, int64_t init) {
    OpOperand &destination = op.getDpsInitsMutable()[init];
    for (Value value : buffer->values)
      if (auto last = lastUse.find(value); last != lastUse.end() && last->second > position[op])
        return true;
    return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
      return &operand != &destination && bufferOf.lookup(operand.get()) == buffer && !(op.isDpsInput(&operand) && mayShareBuffer(operand, init));
    });
  }

  void bufferize(DestinationStyleOpInterface op) {
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands()) {
      Buffer *buffer = bufferOf.lookup(operand.get());
      if (op.isDpsInit(&operand) || !isa<TensorType>(operand.get().getType()))
        operands.push_back(operand.get());
      else // an input without contents is legal, if useless
        operands.push_back(view(buffer ? buffer : allocate(op.getLoc(), operand.get().getType()), operand.get().getType()));
    }
    SmallVector<Buffer *> destinations;
    for (auto [number, init] : llvm::enumerate(op.getDpsInitsMutable())) {
      Buffer *buffer = bufferOf.lookup(init.get());
      if (!buffer) {
        buffer = allocate(op.getLoc(), init.get().getType());
      } else if (!buffer->writable || isNeeded(buffer, op, number)) {
        Buffer *own = allocate(op.getLoc(), init.get().getType());
        if (readsInit(op, number)) {
          memref::CopyOp::create(builder, op.getLoc(), view(buffer, init.get().getType()), own->memref);
          ++numCopies;
        }
        buffer = own;
      }
      destinations.push_back(buffer);
      operands[init.getOperandNumber()] = view(buffer, init.get().getType());
    }
    for (auto [result, buffer] : llvm::zip(op->getResults(), destinations))
      place(result, buffer);
    mlir::clone(builder, op.getOperation(), TypeRange(), operands);
  }

  void results(func::ReturnOp terminator) {
    builder.setInsertionPoint(terminator);
    SmallVector<Attribute> descriptions;
    SmallVector<Value> targets;
    // First the results that need no copy: what a copy reads may be one of them.
    for (auto [index, value] : llvm::enumerate(terminator.getOperands())) {
      NamedAttrList description;
      description.set("type", TypeAttr::get(value.getType()));
      if (auto name = step.getResultAttrOfType<StringAttr>(index, "raf.name"))
        description.set("name", name);
      if (auto element = step.getResultAttrOfType<TypeAttr>(index, "raf.element"))
        description.set("element", element);
      int64_t argument = getAliasedArgument(step, index);
      if (argument >= 0) {
        description.set("alias", builder.getI64IntegerAttr(argument));
        targets.push_back(newArguments[argument]);
      } else {
        targets.push_back(block.addArgument(getBufferType(value.getType()), value.getLoc()));
        resultArguments.push_back(index);
        if (Buffer *buffer = bufferOf.lookup(value); buffer && buffer->allocated)
          becomeResult(buffer, cast<BlockArgument>(targets.back()));
      }
      descriptions.push_back(description.getDictionary(builder.getContext()));
    }
    FinalCopies copies;
    for (auto [value, target] : llvm::zip(terminator.getOperands(), targets))
      if (Buffer *buffer = bufferOf.lookup(value); buffer && buffer->memref != target)
        copies.add(view(buffer, value.getType()), target);
    numCopies += copies.emit(builder, terminator.getLoc());
    func::ReturnOp::create(builder, terminator.getLoc());
    terminator.erase();
    step->setAttr("raf.results", builder.getArrayAttr(descriptions));
  }

  /// The result's memory takes the place of the allocation.
  void becomeResult(Buffer *buffer, BlockArgument target) {
    Value old = buffer->memref;
    auto type = cast<MemRefType>(old.getType());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(old.getDefiningOp());
    Value replacement = FinalCopies::viewAs(builder, old.getLoc(), target, type);
    old.replaceAllUsesWith(replacement);
    // A view back to the result's own shape is the result.
    for (Operation *user : llvm::make_early_inc_range(replacement.getUsers()))
      if (auto cast = dyn_cast<memref::ReinterpretCastOp>(user); cast && cast.getType() == target.getType() && replacement != target) {
        cast.getResult().replaceAllUsesWith(target);
        cast.erase();
      }
    for (auto it = views.begin(); it != views.end();) {
      auto current = it++;
      if (current->first.first == old)
        views.erase(current);
    }
    old.getDefiningOp()->erase();
    if (replacement != target && replacement.use_empty())
      replacement.getDefiningOp()->erase();
    buffer->memref = target;
    buffer->allocated = false;
    --numBuffers;
  }

  void eraseTensorArguments() {
    SmallVector<DictionaryAttr> attributes;
    unsigned count = newArguments.size();
    for (unsigned i = 0; i < count; ++i)
      attributes.push_back(step.getArgAttrDict(i));
    for (unsigned index : resultArguments) {
      NamedAttrList list;
      list.set("raf.result", builder.getI64IntegerAttr(index));
      if (auto name = step.getResultAttrOfType<StringAttr>(index, "raf.name"))
        list.set("raf.name", name);
      attributes.push_back(list.getDictionary(builder.getContext()));
    }
    block.eraseArguments(0, count);
    step.removeResAttrsAttr();
    step.setFunctionType(builder.getFunctionType(block.getArgumentTypes(), {}));
    step.setAllArgAttrs(attributes);
  }

  ModuleOp module;
  func::FuncOp step;
  Block &block;
  OpBuilder builder;
  std::vector<std::unique_ptr<Buffer>> buffers;
  DenseMap<Value, Buffer *> bufferOf;
  DenseMap<std::pair<Value, Type>, Value> views;
  DenseMap<Value, int64_t> lastUse;
  DenseMap<Operation *, int64_t> position;
  SmallVector<BlockArgument> newArguments;
  SmallVector<unsigned> resultArguments;
  DenseMap<Attribute, FlatSymbolRefAttr> globals;
  int64_t nextGlobal = 0;
};

struct BufferizeHost : mlir::raf::impl::BufferizeHostPassBase<BufferizeHost> {
  void runOnOperation() override {
    for (func::FuncOp func : getHostFunctions(getOperation())) {
      if (llvm::none_of(func.getArgumentTypes(), llvm::IsaPred<TensorType>) && llvm::none_of(func.getResultTypes(), llvm::IsaPred<TensorType>))
        continue;
      Bufferizer bufferizer(getOperation(), func);
      if (failed(checkTypes(func)) || failed(bufferizer.run()))
        return signalPassFailure();
      numBuffers += bufferizer.numBuffers;
      numCopies += bufferizer.numCopies;
    }
  }
};

} // namespace
