// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/import-stablehlo/Prepare.h"

#include "dialects/raf/TensorBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

// The same operation under another name, with other operands and results.
static Operation *recreate(OpBuilder &builder, Operation *op, StringRef name, ValueRange operands, TypeRange types) {
  OperationState state(op->getLoc(), name);
  state.addOperands(operands);
  state.addTypes(types);
  state.propertiesAttr = op->getPropertiesAsAttribute();
  state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  return builder.create(state);
}

static Operation *create(OpBuilder &builder, Location loc, StringRef name, ValueRange operands, TypeRange types, ArrayRef<NamedAttribute> attributes = {}) {
  OperationState state(loc, name);
  state.addOperands(operands);
  state.addTypes(types);
  state.addAttributes(attributes);
  return builder.create(state);
}

//===-- broadcasts -----------------------------------------------------------------------------------------------===//

static Value broadcastTo(OpBuilder &builder, Operation *op, Value x, ArrayRef<int64_t> shape, DenseI64ArrayAttr given) {
  auto type = cast<RankedTensorType>(x.getType());
  if (type.getShape() == shape)
    return x;
  int64_t rank = shape.size();
  // A tensor of smaller rank has the last dimensions, unless it is said which.
  SmallVector<int64_t> dims = dimRange(std::max<int64_t>(rank - type.getRank(), 0), rank);
  if (given && type.getRank() < rank)
    dims.assign(given.asArrayRef().begin(), given.asArrayRef().end());
  NamedAttribute attribute = builder.getNamedAttr("broadcast_dimensions", builder.getDenseI64ArrayAttr(dims));
  return create(builder, op->getLoc(), "stablehlo.broadcast_in_dim", x, type.clone(shape), attribute)->getResult(0);
}

void mlir::raf::stablehlo::expandBroadcasts(ModuleOp module) {
  constexpr StringRef kPrefix = "chlo.broadcast_";
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    auto isStatic = [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && tensor.hasStaticShape();
    };
    if (op->getName().getStringRef().starts_with(kPrefix) && op->getNumResults() == 1 && llvm::all_of(op->getOperandTypes(), isStatic) && isStatic(op->getResult(0).getType()))
      found.push_back(op);
  });
  for (Operation *op : found) {
    StringRef name = op->getName().getStringRef().drop_front(kPrefix.size());
    bool isOfChlo = name == "next_after" || name == "polygamma" || name == "zeta";
    OpBuilder builder(op);
    auto dims = dyn_cast_or_null<DenseI64ArrayAttr>(op->getAttr("broadcast_dimensions"));
    ArrayRef<int64_t> shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
    SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), [&](Value x) { return broadcastTo(builder, op, x, shape, dims); });
    Operation *made = recreate(builder, op, ((isOfChlo ? "chlo." : "stablehlo.") + name).str(), operands, op->getResultTypes());
    op->replaceAllUsesWith(made);
    op->erase();
  }
}

//===-- tuples ---------------------------------------------------------------------------------------------------===//

namespace {
// Takes tuples apart one level at a time: where a tuple crosses an operation its elements do, with a tuple made of them behind it. What is left are tuples that only
// get_tuple_element reads.
struct Tuples {
  OpBuilder builder;
  // A type may name another many times: a short program can mean a tuple that no machine holds.
  int64_t left = 1 << 14;

  // Whether there may be as many more elements as these types have.
  bool spend(TypeRange types) {
    for (Type type : types)
      if (auto tuple = dyn_cast<TupleType>(type); tuple && left >= 0)
        left -= tuple.size();
    return left >= 0;
  }

  static bool isTuple(Type type) { return isa<TupleType>(type); }
  static bool isOwn(Operation *op) { return op->getName().getStringRef() == "stablehlo.tuple" || op->getName().getStringRef() == "stablehlo.get_tuple_element"; }
  static SmallVector<Type> expanded(TypeRange types) {
    SmallVector<Type> all;
    for (Type type : types)
      if (auto tuple = dyn_cast<TupleType>(type))
        llvm::append_range(all, tuple.getTypes());
      else
        all.push_back(type);
    return all;
  }
  Value pack(Location loc, ValueRange elements, Type type) { return create(builder, loc, "stablehlo.tuple", elements, type)->getResult(0); }
  SmallVector<Value> unpack(Location loc, Value tuple) {
    SmallVector<Value> elements;
    for (auto [index, type] : llvm::enumerate(cast<TupleType>(tuple.getType()).getTypes())) {
      NamedAttribute attribute = builder.getNamedAttr("index", builder.getI32IntegerAttr(index));
      elements.push_back(create(builder, loc, "stablehlo.get_tuple_element", tuple, type, attribute)->getResult(0));
    }
    return elements;
  }
  bool expandArguments(Block &block);
  bool expandFunction(func::FuncOp func);
  bool expandOp(Operation *op);
};
} // namespace

bool Tuples::expandArguments(Block &block) {
  bool changed = false;
  for (unsigned i = block.getNumArguments(); i-- > 0;) {
    BlockArgument argument = block.getArgument(i);
    auto tuple = dyn_cast<TupleType>(argument.getType());
    if (!tuple || !spend(Type(tuple)))
      continue;
    SmallVector<Value> elements;
    for (auto [index, type] : llvm::enumerate(tuple.getTypes()))
      elements.push_back(block.insertArgument(i + 1 + index, type, argument.getLoc()));
    builder.setInsertionPointToStart(&block);
    argument.replaceAllUsesWith(pack(argument.getLoc(), elements, tuple));
    block.eraseArgument(i);
    changed = true;
  }
  return changed;
}

bool Tuples::expandFunction(func::FuncOp func) {
  bool has = llvm::any_of(func.getArgumentTypes(), isTuple) || llvm::any_of(func.getResultTypes(), isTuple);
  if (!has || !spend(func.getArgumentTypes()) || !spend(func.getResultTypes()))
    return false;
  auto spread = [&](TypeRange types, ArrayAttr given) {
    SmallVector<Attribute> all;
    for (auto [index, type] : llvm::enumerate(types))
      if (auto tuple = dyn_cast<TupleType>(type))
        all.append(tuple.size(), builder.getDictionaryAttr({}));
      else
        all.push_back(given[index]);
    return builder.getArrayAttr(all);
  };
  ArrayAttr arguments = func.getArgAttrsAttr(), results = func.getResAttrsAttr();
  if (arguments)
    arguments = spread(func.getArgumentTypes(), arguments);
  if (results)
    results = spread(func.getResultTypes(), results);
  func.removeArgAttrsAttr();
  func.removeResAttrsAttr();
  func.setFunctionType(builder.getFunctionType(expanded(func.getArgumentTypes()), expanded(func.getResultTypes())));
  if (arguments)
    func.setArgAttrsAttr(arguments);
  if (results)
    func.setResAttrsAttr(results);
  return true;
}

bool Tuples::expandOp(Operation *op) {
  bool takes = llvm::any_of(op->getOperandTypes(), isTuple), gives = llvm::any_of(op->getResultTypes(), isTuple);
  if (isOwn(op) || (!takes && !gives) || !spend(op->getOperandTypes()) || !spend(op->getResultTypes()))
    return false;
  builder.setInsertionPoint(op);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    if (isTuple(operand.getType()))
      llvm::append_range(operands, unpack(op->getLoc(), operand));
    else
      operands.push_back(operand);
  Operation *made = recreate(builder, op, op->getName().getStringRef(), operands, expanded(op->getResultTypes()));
  auto results = made->result_begin();
  for (OpResult result : op->getResults()) {
    if (!isTuple(result.getType())) {
      result.replaceAllUsesWith(*results++);
      continue;
    }
    unsigned count = cast<TupleType>(result.getType()).size();
    result.replaceAllUsesWith(pack(op->getLoc(), SmallVector<Value>(results, results + count), result.getType()));
    results += count;
  }
  op->erase();
  return true;
}

LogicalResult mlir::raf::stablehlo::flattenTuples(ModuleOp module) {
  Tuples tuples{OpBuilder(module.getContext())};
  for (bool changed = true; changed;) {
    changed = false;
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          changed |= tuples.expandArguments(block);
      if (auto func = dyn_cast<func::FuncOp>(op))
        changed |= tuples.expandFunction(func);
      ops.push_back(op);
    });
    for (Operation *op : ops)
      changed |= tuples.expandOp(op);
    if (tuples.left < 0)
      return emitError(module.getLoc()) << "import-stablehlo: the program has tuples of too many elements", failure();
  }
  SmallVector<Operation *> done;
  bool valid = true;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!Tuples::isOwn(op) || op->getNumResults() != 1)
      return;
    done.push_back(op);
    if (op->getName().getStringRef() == "stablehlo.tuple") {
      auto tuple = dyn_cast<TupleType>(op->getResult(0).getType());
      if (!tuple || TypeRange(tuple.getTypes()) != TypeRange(op->getOperandTypes()))
        valid = false, op->emitOpError() << "needs operands of the types of the elements of its result, got " << op->getOperandTypes() << " and " << op->getResult(0).getType();
      return;
    }
    Operation *tuple = op->getNumOperands() == 1 ? op->getOperand(0).getDefiningOp() : nullptr;
    auto index = dyn_cast_or_null<IntegerAttr>(op->getAttr("index"));
    uint64_t place = index ? index.getValue().getLimitedValue() : ~0ull;
    if (!tuple || tuple->getName().getStringRef() != "stablehlo.tuple" || place >= tuple->getNumOperands() || tuple->getOperand(place).getType() != op->getResult(0).getType())
      valid = false, op->emitOpError() << "needs a tuple and an 'index' of an element of the type of the result, got " << op->getOperandTypes() << " and " << op->getAttr("index");
    else
      op->getResult(0).replaceAllUsesWith(tuple->getOperand(place));
  });
  for (Operation *op : llvm::reverse(done))
    if (valid && op->use_empty())
      op->erase();
  return success(valid);
}
