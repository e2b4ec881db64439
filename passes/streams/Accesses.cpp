// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/streams/Accesses.h"
#include "passes/memory/Step.h"

#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include <limits>

using namespace mlir;
using namespace mlir::raf;

int64_t mlir::raf::streamOf(Operation *op) {
  auto stream = op->getAttrOfType<IntegerAttr>(kStream);
  return stream ? stream.getInt() : 0;
}

bool mlir::raf::isCollective(Operation *op) { return op->getName().getDialectNamespace() == "nccl"; }

bool Accesses::isWork(Operation *op) { return isa<gpu::LaunchFuncOp, LaunchOp, PlanOpInterface, RegionCallOpInterface, memref::CopyOp>(op); }

/// The bytes that a memref of the step lies in.
static Access locate(Value memref, bool writes) {
  Access access{nullptr, 0, getBytes(cast<MemRefType>(memref.getType())), writes, memref};
  bool known = true;
  int64_t offset = 0;
  while (Operation *op = memref.getDefiningOp()) {
    APInt shift;
    if (auto view = dyn_cast<memref::ViewOp>(op)) {
      known &= matchPattern(view.getByteShift(), m_ConstantInt(&shift));
      offset += known ? shift.getSExtValue() : 0;
      memref = view.getSource();
    } else if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op)) {
      // The host code's casts change the shape alone (raf-bufferize-host).
      known &= llvm::all_of(cast.getMixedOffsets(), [](OpFoldResult value) { return isConstantIntValue(value, 0); });
      memref = cast.getSource();
    } else if (auto view = dyn_cast<ViewLikeOpInterface>(op)) {
      known &= isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(op);
      memref = view.getViewSource();
    } else if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
      access.owner = global.getNameAttr().getAttr().getAsOpaquePointer();
      break;
    } else {
      break;
    }
  }
  if (!access.owner)
    access.owner = memref.getAsOpaquePointer();
  access.begin = known ? offset : 0;
  access.end = known ? offset + access.end : std::numeric_limits<int64_t>::max();
  return access;
}

/// Whether the op that a buffer of a kernel is given to, or what it makes of the buffer, may write it.
static bool mayWrite(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto view = dyn_cast<ViewLikeOpInterface>(op); view && view.getViewSource() == use.get())
    return llvm::any_of(op->getResult(0).getUses(), mayWrite);
  if (isa<memref::DimOp>(op))
    return false;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>))
    return true;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffectsOnValue(use.get(), effects);
  // An op without effects on it has done something to its address.
  return effects.empty() || !llvm::all_of(effects, [](const MemoryEffects::EffectInstance &effect) { return isa<MemoryEffects::Read>(effect.getEffect()); });
}

ArrayRef<bool> Accesses::writtenBy(gpu::GPUFuncOp kernel) {
  auto [entry, fresh] = kernels.try_emplace(kernel);
  if (fresh)
    for (BlockArgument argument : kernel.getBody().front().getArguments().take_front(kernel.getNumArguments()))
      entry->second.push_back(llvm::any_of(argument.getUses(), mayWrite));
  return entry->second;
}

SmallVector<Access> Accesses::of(Operation *op) {
  SmallVector<Access> found;
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
    auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(op, launch.getKernel());
    ArrayRef<bool> written = kernel && !kernel.isExternal() ? writtenBy(kernel) : ArrayRef<bool>();
    for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands()))
      if (isa<MemRefType>(operand.getType()))
        found.push_back(locate(operand, index >= written.size() || written[index]));
    return found;
  }
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return {locate(copy.getSource(), false), locate(copy.getTarget(), true)};
  auto destinations = dyn_cast<DestinationStyleOpInterface>(op);
  auto call = dyn_cast<RegionCallOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool workspace = call && llvm::is_contained(OperandRange(call.getWorkspaceMutable()), operand.get());
    found.push_back(locate(operand.get(), !destinations || workspace || destinations.isDpsInit(&operand)));
  }
  return found;
}
