// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/Host.h"
#include "passes/memory/Step.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::raf;

Home mlir::raf::getHome(Value memref) {
  Home home;
  while (Operation *op = memref.getDefiningOp()) {
    if (auto view = dyn_cast<memref::ViewOp>(op)) {
      APInt offset;
      if (matchPattern(view.getByteShift(), m_ConstantInt(&offset)))
        home.offset += offset.getSExtValue();
      memref = view.getSource();
    } else if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
      home.owner = global.getNameAttr().getAsOpaquePointer();
      return home;
    } else if (auto view = dyn_cast<ViewLikeOpInterface>(op)) {
      memref = view.getViewSource();
    } else {
      break;
    }
  }
  home.owner = memref.getAsOpaquePointer();
  return home;
}

static LogicalResult checkKernel(func::FuncOp kernel) {
  if (kernel.isExternal())
    return kernel.emitOpError() << "is a kernel without a body";
  if (kernel.getNumResults())
    return kernel.emitOpError() << "is a kernel with results: kernels must be on buffers when the host code is lowered";
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto memref = dyn_cast<MemRefType>(type);
    bool fine = memref ? memref.hasStaticShape() && memref.getLayout().isIdentity() : !isa<TensorType>(type);
    if (!fine)
      return kernel.emitOpError() << "argument " << index << " must be a memref of static shape and identity layout or a scalar, got " << type;
  }
  return success();
}

/// For each argument of each kernel, whether some call passes memory that another argument reaches too, one of them a destination.
static llvm::DenseMap<Attribute, SmallVector<bool>> findSharing(func::FuncOp step) {
  llvm::DenseMap<Attribute, SmallVector<bool>> shared;
  step.walk([&](LaunchOp launch) {
    SmallVector<bool> &flags = shared[launch.getCalleeAttr().getAttr()];
    flags.resize(launch.getNumOperands());
    SmallVector<Home> homes;
    for (Value operand : launch.getOperands())
      homes.push_back(isa<MemRefType>(operand.getType()) ? getHome(operand) : Home());
    for (size_t i = launch.getInputs().size(); i < homes.size(); ++i)
      for (size_t j = 0; j < homes.size(); ++j)
        if (i != j && homes[i] == homes[j])
          flags[i] = flags[j] = true;
  });
  return shared;
}

LogicalResult mlir::raf::lowerKernelSignatures(ModuleOp module, func::FuncOp step) {
  llvm::DenseMap<Attribute, SmallVector<bool>> shared = findSharing(step);
  LLVMTypeConverter converter(module.getContext());
  OpBuilder builder(module.getContext());
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  bool good = true;
  for (func::FuncOp kernel : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (!kernel->hasAttr("raf.kernel"))
      continue;
    auto calls = shared.find(kernel.getSymNameAttr());
    if (calls == shared.end()) {
      if (SymbolTable::symbolKnownUseEmpty(kernel, module))
        kernel.erase();
      continue;
    }
    if (failed(checkKernel(kernel))) {
      good = false;
      continue;
    }
    builder.setInsertionPointToStart(&kernel.getBody().front());
    for (auto [index, argument] : llvm::enumerate(kernel.getArguments())) {
      auto type = dyn_cast<MemRefType>(argument.getType());
      if (!type)
        continue;
      argument.setType(pointer);
      Value descriptor = MemRefDescriptor::fromStaticShape(builder, kernel.getLoc(), converter, type, argument);
      auto cast = UnrealizedConversionCastOp::create(builder, kernel.getLoc(), type, descriptor);
      argument.replaceUsesWithIf(cast.getResult(0), [](OpOperand &use) { return !isa<LLVM::InsertValueOp>(use.getOwner()); });
      if (!calls->second[index])
        kernel.setArgAttr(index, "llvm.noalias", builder.getUnitAttr());
      kernel.setArgAttr(index, "llvm.nonnull", builder.getUnitAttr());
      if (int64_t bytes = getBytes(type))
        kernel.setArgAttr(index, "llvm.dereferenceable", builder.getI64IntegerAttr(bytes));
    }
    kernel.setFunctionType(builder.getFunctionType(kernel.getBody().getArgumentTypes(), {}));
    kernel->removeAttr("raf.kernel");
    kernel->setAttr("llvm.linkage", LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
    // One call each: inlining would only make one very long function.
    kernel->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
  }
  return success(good);
}
