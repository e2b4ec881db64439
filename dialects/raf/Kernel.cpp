// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Family.h"
#include "dialects/raf/infer/Shapes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::raf;

#define GET_OP_CLASSES
#include "dialects/raf/Kernel.cpp.inc"

void mlir::raf::addKernelOps(RAFDialect &dialect) {
  addOps<
#define GET_OP_LIST
#include "dialects/raf/Kernel.cpp.inc"
      >(dialect);
}

LogicalResult KernelOp::verify() {
  Block &block = getBody().front();
  if (block.getNumArguments() != getNumOperands())
    return emitOpError() << "region must have one argument for each of the " << getNumOperands() << " operands, got " << block.getNumArguments();
  for (auto [index, argument, type] : llvm::enumerate(block.getArguments(), getOperandTypes()))
    if (argument.getType() != type)
      return emitOpError() << "region argument " << index << " must have the type of operand " << index << ", expected " << type << ", got " << argument.getType();
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield)
    return emitOpError() << "region must end in raf.yield";
  // Stages run one after the other. An op without the attribute belongs to the stage of the op before it, so only the order can be wrong.
  int64_t stage = 0;
  for (Operation &op : block) {
    Attribute attribute = op.getAttr("raf.stage");
    if (!attribute)
      continue;
    auto number = dyn_cast<IntegerAttr>(attribute);
    if (!number || !number.getType().isInteger(64) || number.getInt() < 0)
      return op.emitOpError() << "raf.stage must be an i64 of at least 0, got " << attribute;
    if (number.getInt() < stage)
      return op.emitOpError() << "raf.stage must not be below the " << stage << " of an op before it, got " << number.getInt();
    stage = number.getInt();
  }
  bool onTensors = llvm::all_of(getInits(), [](Value init) { return isa<TensorType>(init.getType()); });
  if (!onTensors)
    return yield.getNumOperands() == 0 && getNumResults() == 0 ? success() : emitOpError() << "on buffers has no results";
  if (yield.getNumOperands() != getInits().size() || getNumResults() != getInits().size())
    return emitOpError() << "must yield and return one value for each of the " << getInits().size() << " destinations, got " << yield.getNumOperands() << " and "
                         << getNumResults();
  for (auto [init, value, result] : llvm::zip(getInits(), yield.getOperands(), getResults()))
    if (init.getType() != value.getType() || init.getType() != result.getType())
      return emitOpError() << "destination, yielded value and result must have one type, got " << init.getType() << ", " << value.getType() << " and "
                           << result.getType();
  return success();
}

LogicalResult LaunchOp::verify() {
  Ints pairs = getMayAlias();
  for (size_t i = 0; i < pairs.size(); i += 2)
    if (i + 1 == pairs.size() || pairs[i] < 0 || pairs[i] >= static_cast<int64_t>(getInputs().size()) || pairs[i + 1] < 0 ||
        pairs[i + 1] >= static_cast<int64_t>(getInits().size()))
      return emitOpError() << "may_alias must be pairs of an input and a destination index";
  bool onTensors = llvm::all_of(getInits(), [](Value init) { return isa<TensorType>(init.getType()); });
  if (onTensors ? getOutputs().getTypes() != getInits().getTypes() : getNumResults() != 0)
    return emitOpError() << "results must have the types of the destinations (none for buffers)";
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError() << "names no function: " << getCalleeAttr();
  if (!callee->hasAttr("raf.kernel"))
    return emitOpError() << getCalleeAttr() << " has no raf.kernel attribute";
  if (callee.getNumArguments() != getNumOperands())
    return emitOpError() << getCalleeAttr() << " has " << callee.getNumArguments() << " arguments, got " << getNumOperands() << " operands";
  return success();
}

LogicalResult ParallelForOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto body = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getBodyAttr());
  if (!body)
    return emitOpError() << "names no function: " << getBodyAttr();
  if (body.getNumArguments() != getNumOperands() + 2)
    return emitOpError() << getBodyAttr() << " must take begin, end and " << getNumOperands() << " arguments, got " << body.getNumArguments();
  return success();
}

// On buffers inputs are read, destinations read and written; on tensors there are no effects.
template <typename Op>
static void destinationEffects(Op op, SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &operand : op.getInputsMutable())
    if (isa<MemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  for (OpOperand &operand : op.getInitsMutable())
    if (isa<MemRefType>(operand.get().getType())) {
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    }
}

void KernelOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { destinationEffects(*this, effects); }
void LaunchOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { destinationEffects(*this, effects); }
