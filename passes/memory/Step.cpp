// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/memory/Step.h"

#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::raf;

func::FuncOp mlir::raf::getStepFunction(ModuleOp module) {
  auto step = module.lookupSymbol<func::FuncOp>("main");
  return step && step.getBody().hasOneBlock() ? step : func::FuncOp();
}

int64_t mlir::raf::getAliasedArgument(func::FuncOp step, unsigned index) {
  auto alias = step.getResultAttrOfType<IntegerAttr>(index, "raf.alias");
  if (!alias || alias.getInt() < 0 || alias.getInt() >= step.getNumArguments())
    return -1;
  return alias.getInt();
}

bool mlir::raf::mayShareBuffer(OpOperand &operand, int64_t init) {
  int64_t number = operand.getOperandNumber();
  if (auto launch = dyn_cast<LaunchOp>(operand.getOwner())) {
    ArrayRef<int64_t> pairs = launch.getMayAlias();
    for (size_t i = 0; i + 1 < pairs.size(); i += 2)
      if (pairs[i] == number && pairs[i + 1] == init)
        return true;
    return false;
  }
  if (auto plan = dyn_cast<PlanOpInterface>(operand.getOwner()))
    return llvm::is_contained(plan.getMayAlias(), std::pair(number, init));
  return false;
}

bool mlir::raf::readsInit(DestinationStyleOpInterface op, int64_t init) {
  if (op.getDpsInits()[init].getDefiningOp<tensor::EmptyOp>())
    return false;
  if (auto plan = dyn_cast<PlanOpInterface>(op.getOperation()))
    return plan.readsInit(init);
  return true;
}

int64_t mlir::raf::getElementBytes(Type type) {
  return type.isIndex() ? 8 : llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

int64_t mlir::raf::getBytes(ShapedType type) { return type.getNumElements() * getElementBytes(type.getElementType()); }
