// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Family.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::raf;

#define GET_OP_CLASSES
#include "dialects/raf/ControlFlow.cpp.inc"

void mlir::raf::addControlFlowOps(RAFDialect &dialect) {
  addOps<
#define GET_OP_LIST
#include "dialects/raf/ControlFlow.cpp.inc"
      >(dialect);
}

//===-- verifiers ------------------------------------------------------------------------------------------------===//

static bool onTensors(ValueRange values) {
  return llvm::all_of(values, [](Value value) { return isa<TensorType>(value.getType()); });
}

template <typename Op>
static LogicalResult verifyResults(Op op) {
  if (onTensors(op.getInits()) ? op.getOutputs().getTypes() == op.getInits().getTypes() : op.getNumResults() == 0)
    return success();
  return op.emitOpError() << "results must have the types of the destinations (none for buffers)";
}

LogicalResult ForOp::verify() {
  ArrayRef<int64_t> sliced = getSliced();
  int64_t count = getInputs().size() + getInits().size();
  if (!llvm::all_of(sliced, [&](int64_t k) { return k >= 0 && k < count; }) || !llvm::is_sorted(sliced, std::less_equal<>()))
    return emitOpError() << "sliced must name operands in [0, " << count << ") in increasing order, got [" << sliced << "]";
  return verifyResults(*this);
}
LogicalResult WhileOp::verify() { return verifyResults(*this); }
LogicalResult CaseOp::verify() {
  if (getBranches().empty())
    return emitOpError() << "needs a branch";
  auto index = getInputs().empty() ? ShapedType() : dyn_cast<ShapedType>(getInputs().front().getType());
  if (!index || !index.hasRank() || index.getRank() != 0 || !isa<IntegerType>(index.getElementType()))
    return emitOpError() << "needs a 0-d integer tensor as its first input";
  return verifyResults(*this);
}

// A function on tensors has the operands' types as arguments and `results`; on buffers it takes those results, and its arena, as further arguments, which the passes that
// make it so answer for.
static LogicalResult verifyFunction(Operation *op, SymbolTableCollection &symbols, FlatSymbolRefAttr name, TypeRange arguments, TypeRange results) {
  auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(op, name);
  if (!function)
    return op->emitOpError() << "names no function: " << name;
  if (!llvm::all_of(arguments, llvm::IsaPred<TensorType>))
    return success();
  if (!llvm::equal(function.getArgumentTypes(), arguments))
    return op->emitOpError() << name << " must take (" << arguments << "), got (" << function.getArgumentTypes() << ")";
  if (!llvm::equal(function.getResultTypes(), results))
    return op->emitOpError() << name << " must return (" << results << "), got (" << function.getResultTypes() << ")";
  return success();
}

static SmallVector<Type> operandTypes(ValueRange inputs, ValueRange inits) {
  SmallVector<Type> types(inputs.getTypes());
  llvm::append_range(types, inits.getTypes());
  return types;
}

LogicalResult ForOp::verifySymbolUses(SymbolTableCollection &symbols) {
  SmallVector<Type> types = operandTypes(getInputs(), getInits());
  if (!onTensors(getOperands()))
    return verifyFunction(*this, symbols, getBodyAttr(), types, {});
  types.insert(types.begin(), RankedTensorType::get({}, IntegerType::get(getContext(), 64)));
  SmallVector<Type> results(getInits().getTypes());
  auto body = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getBodyAttr());
  for (int64_t k : body && body.getNumArguments() == types.size() ? getSliced() : ArrayRef<int64_t>()) {
    auto whole = cast<RankedTensorType>(types[k + 1]);
    auto part = dyn_cast<RankedTensorType>(body.getArgumentTypes()[k + 1]);
    bool fits = part && part.getElementType() == whole.getElementType() && part.getRank() == whole.getRank() && whole.getRank() > 0 &&
                part.getShape().drop_front() == whole.getShape().drop_front() && static_cast<int64_t>(getTrips()) * part.getDimSize(0) <= whole.getDimSize(0);
    if (!fits)
      return emitOpError() << "operand " << k << " is sliced, so " << getBodyAttr() << " must take rows of " << whole << " that are enough for " << getTrips() << " iterations, got "
                           << body.getArgumentTypes()[k + 1];
    types[k + 1] = part;
    if (k >= static_cast<int64_t>(getInputs().size()))
      results[k - getInputs().size()] = part;
  }
  return verifyFunction(*this, symbols, getBodyAttr(), types, results);
}

LogicalResult WhileOp::verifySymbolUses(SymbolTableCollection &symbols) {
  SmallVector<Type> types = operandTypes(getInputs(), getInits());
  if (failed(verifyFunction(*this, symbols, getBodyAttr(), types, getInits().getTypes())))
    return failure();
  auto condition = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getConditionAttr());
  // i1 is stored as i8 from raf-convert-to-linalg on.
  bool stored = condition && condition.getNumResults() == 1 && getElementTypeOrSelf(condition.getResultTypes().front()).isInteger(8);
  return verifyFunction(*this, symbols, getConditionAttr(), types, RankedTensorType::get({}, IntegerType::get(getContext(), stored ? 8 : 1)));
}

LogicalResult CaseOp::verifySymbolUses(SymbolTableCollection &symbols) {
  for (FlatSymbolRefAttr branch : getRegionFunctions())
    if (failed(verifyFunction(*this, symbols, branch, getInputs().drop_front().getTypes(), getInits().getTypes())))
      return failure();
  return success();
}

//===-- effects --------------------------------------------------------------------------------------------------===//

// On buffers inputs are read, destinations and workspace read and written; on tensors there are no effects.
template <typename Op>
static void regionCallEffects(Op op, SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (operand.getOperandNumber() >= op.getInputs().size())
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

void ForOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { regionCallEffects(*this, effects); }
void WhileOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { regionCallEffects(*this, effects); }
void CaseOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { regionCallEffects(*this, effects); }
