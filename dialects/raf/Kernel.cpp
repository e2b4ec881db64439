// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Family.h"
#include "dialects/raf/infer/Shapes.h"

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
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return emitOpError() << "region must end in raf.yield";
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

void KernelOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &operand : getInputsMutable())
    if (isa<MemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  for (OpOperand &operand : getInitsMutable())
    if (isa<MemRefType>(operand.get().getType())) {
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    }
}
