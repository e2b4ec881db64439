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
static ByteAccess locate(Value memref, bool reads, bool writes) {
  ByteAccess access{nullptr, 0, getBytes(cast<MemRefType>(memref.getType())), reads, writes, memref};
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

Accesses::Use Accesses::useOf(Value argument) {
  Use all;
  for (OpOperand &use : argument.getUses()) {
    Operation *op = use.getOwner();
    if (isa<memref::DimOp>(op))
      continue;
    if (auto view = dyn_cast<ViewLikeOpInterface>(op); view && view.getViewSource() == argument) {
      Use through = useOf(op->getResult(0));
      all.reads |= through.reads;
      all.writes |= through.writes;
      continue;
    }
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    SmallVector<MemoryEffects::EffectInstance> effects;
    if (interface)
      interface.getEffectsOnValue(argument, effects);
    // An op without effects on it has done something to its address.
    bool hidden = effects.empty() || llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
    for (const MemoryEffects::EffectInstance &effect : effects)
      (isa<MemoryEffects::Read>(effect.getEffect()) ? all.reads : all.writes) = true;
    all.reads |= hidden;
    all.writes |= hidden;
  }
  return all;
}

ArrayRef<Accesses::Use> Accesses::usesBy(gpu::GPUFuncOp kernel) {
  auto [entry, fresh] = kernels.try_emplace(kernel);
  if (fresh)
    for (BlockArgument argument : kernel.getBody().front().getArguments().take_front(kernel.getNumArguments()))
      entry->second.push_back(useOf(argument));
  return entry->second;
}

SmallVector<ByteAccess> Accesses::of(Operation *op) {
  SmallVector<ByteAccess> found;
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
    auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(op, launch.getKernel());
    ArrayRef<Use> uses = kernel && !kernel.isExternal() ? usesBy(kernel) : ArrayRef<Use>();
    for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands()))
      if (isa<MemRefType>(operand.getType()) && (index >= uses.size() || uses[index].reads || uses[index].writes))
        found.push_back(locate(operand, index >= uses.size() || uses[index].reads, index >= uses.size() || uses[index].writes));
    return found;
  }
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return {locate(copy.getSource(), true, false), locate(copy.getTarget(), false, true)};
  auto destinations = dyn_cast<DestinationStyleOpInterface>(op);
  auto call = dyn_cast<RegionCallOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool workspace = call && llvm::is_contained(OperandRange(call.getWorkspaceMutable()), operand.get());
    bool writes = !destinations || workspace || destinations.isDpsInit(&operand);
    found.push_back(locate(operand.get(), /*reads=*/true, writes));
  }
  return found;
}
