// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/memory/Step.h"

#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::raf;

func::FuncOp mlir::raf::getStepFunction(ModuleOp module) {
  auto step = module.lookupSymbol<func::FuncOp>("main");
  return step && step.getBody().hasOneBlock() ? step : func::FuncOp();
}

static void collectHostFunctions(func::FuncOp func, SymbolTable &symbols, llvm::SetVector<func::FuncOp> &found, llvm::SmallDenseSet<Operation *> &open) {
  if (found.contains(func) || !open.insert(func).second)
    return;
  for (Operation &op : func.getBody().front())
    if (auto call = dyn_cast<RegionCallOpInterface>(&op))
      for (FlatSymbolRefAttr name : call.getRegionFunctions())
        if (auto callee = symbols.lookup<func::FuncOp>(name.getAttr()); callee && callee.getBody().hasOneBlock())
          collectHostFunctions(callee, symbols, found, open);
  found.insert(func);
}

SmallVector<func::FuncOp> mlir::raf::getHostFunctions(ModuleOp module) {
  llvm::SetVector<func::FuncOp> found;
  if (func::FuncOp step = getStepFunction(module)) {
    SymbolTable symbols(module);
    llvm::SmallDenseSet<Operation *> open;
    collectHostFunctions(step, symbols, found, open);
  }
  return found.takeVector();
}

LogicalResult mlir::raf::checkTypes(func::FuncOp func) {
  auto isPlain = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && isa<RankedTensorType, MemRefType>(type) && shaped.hasStaticShape() && shaped.getElementType().isIntOrIndexOrFloat();
  };
  constexpr StringLiteral expected = " must be a tensor or memref of static shape of integers or floating-point numbers, got ";
  bool good = true;
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes()))
    if (!isPlain(type))
      good = (func.emitOpError() << "argument " << index << expected << type, false);
  for (auto [index, type] : llvm::enumerate(func.getResultTypes()))
    if (!isPlain(type))
      good = (func.emitOpError() << "result " << index << expected << type, false);
  for (Operation &op : func.getBody().front())
    for (auto [index, type] : llvm::enumerate(op.getResultTypes()))
      if (isa<ShapedType>(type) && !isPlain(type))
        good = (op.emitOpError() << "result " << index << expected << type, false);
  return success(good);
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
  return !isa<CaseOp>(op); // a branch writes its results
}

int64_t mlir::raf::getElementBytes(Type type) {
  return type.isIndex() ? 8 : llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

int64_t mlir::raf::getBytes(ShapedType type) { return type.getNumElements() * getElementBytes(type.getElementType()); }

bool mlir::raf::isAddressable(ShapedType type) {
  if (llvm::is_contained(type.getShape(), 0))
    return true;
  int64_t bytes = getElementBytes(type.getElementType());
  return llvm::none_of(type.getShape(), [&](int64_t size) { return llvm::MulOverflow(bytes, size, bytes) || bytes > int64_t(1) << kAddressBits; });
}
