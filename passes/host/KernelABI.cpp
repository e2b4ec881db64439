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
static llvm::DenseMap<Attribute, SmallVector<bool>> findSharing(ArrayRef<func::FuncOp> hostFunctions) {
  llvm::DenseMap<Attribute, SmallVector<bool>> shared;
  auto look = [&](LaunchOp launch) {
    SmallVector<bool> &flags = shared[launch.getCalleeAttr().getAttr()];
    flags.resize(launch.getNumOperands());
    SmallVector<Home> homes;
    for (Value operand : launch.getOperands())
      homes.push_back(isa<MemRefType>(operand.getType()) ? getHome(operand) : Home());
    for (size_t i = launch.getInputs().size(); i < homes.size(); ++i)
      for (size_t j = 0; j < homes.size(); ++j)
        if (i != j && homes[i] == homes[j])
          flags[i] = flags[j] = true;
  };
  for (func::FuncOp func : hostFunctions)
    func.walk(look);
  return shared;
}

namespace {

/// Attributes of functions that only the step calls, each from one place or a few.
void finishKernel(FunctionOpInterface kernel, ArrayRef<bool> shared, ArrayRef<int64_t> bytes) {
  OpBuilder builder(kernel.getContext());
  for (unsigned index = 0; index < bytes.size(); ++index) {
    if (bytes[index] < 0)
      continue;
    if (!shared[index])
      kernel.setArgAttr(index, "llvm.noalias", builder.getUnitAttr());
    kernel.setArgAttr(index, "llvm.nonnull", builder.getUnitAttr());
    if (bytes[index])
      kernel.setArgAttr(index, "llvm.dereferenceable", builder.getI64IntegerAttr(bytes[index]));
  }
  kernel->removeAttr("raf.kernel");
  // Inlining would only make one very long function of the step.
  if (!kernel->hasAttr("passthrough"))
    kernel->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
}

/// Memrefs to bare pointers.
void lowerSignature(func::FuncOp kernel, const LLVMTypeConverter &converter) {
  OpBuilder builder(kernel.getContext());
  auto pointer = LLVM::LLVMPointerType::get(kernel.getContext());
  builder.setInsertionPointToStart(&kernel.getBody().front());
  for (BlockArgument argument : kernel.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      continue;
    argument.setType(pointer);
    Value descriptor = MemRefDescriptor::fromStaticShape(builder, kernel.getLoc(), converter, type, argument);
    auto cast = UnrealizedConversionCastOp::create(builder, kernel.getLoc(), type, descriptor);
    argument.replaceUsesWithIf(cast.getResult(0), [](OpOperand &use) { return !isa<LLVM::InsertValueOp>(use.getOwner()); });
  }
  kernel.setFunctionType(builder.getFunctionType(kernel.getBody().getArgumentTypes(), {}));
  kernel->setAttr("llvm.linkage", LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
}

} // namespace

LogicalResult mlir::raf::lowerKernelSignatures(ModuleOp module, ArrayRef<func::FuncOp> hostFunctions) {
  llvm::DenseMap<Attribute, SmallVector<bool>> shared = findSharing(hostFunctions);
  llvm::DenseMap<Attribute, LaunchOp> calls;
  for (func::FuncOp func : hostFunctions)
    func.walk([&](LaunchOp launch) { calls.try_emplace(launch.getCalleeAttr().getAttr(), launch); });
  LLVMTypeConverter converter(module.getContext());
  bool good = true;
  for (auto kernel : llvm::make_early_inc_range(module.getOps<FunctionOpInterface>())) {
    if (!kernel->hasAttr("raf.kernel"))
      continue;
    auto call = calls.find(kernel.getNameAttr());
    if (call == calls.end()) {
      if (SymbolTable::symbolKnownUseEmpty(kernel.getOperation(), module))
        kernel.erase();
      continue;
    }
    SmallVector<int64_t> bytes;
    for (Type type : call->second.getOperandTypes())
      bytes.push_back(isa<MemRefType>(type) ? getBytes(cast<MemRefType>(type)) : -1);
    if (auto function = dyn_cast<func::FuncOp>(kernel.getOperation())) {
      if (failed(checkKernel(function))) {
        good = false;
        continue;
      }
      lowerSignature(function, converter);
    } else if (auto function = dyn_cast<LLVM::LLVMFuncOp>(kernel.getOperation())) {
      function.setLinkage(LLVM::Linkage::Internal);
    }
    finishKernel(kernel, shared[kernel.getNameAttr()], bytes);
  }
  return success(good);
}
