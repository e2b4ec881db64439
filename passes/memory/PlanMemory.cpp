// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Dialect.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "passes/memory/Packing.h"
#include "passes/memory/Passes.h"
#include "passes/memory/Step.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/StringSwitch.h"

#include <limits>
#include <map>

namespace mlir::raf {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "passes/memory/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {

/// Calls the function for each op that reads or writes the buffer itself or through a view.
void forEachAccess(Value memref, llvm::function_ref<void(OpOperand &)> function) {
  for (OpOperand &use : memref.getUses()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(use.getOwner()); view && view.getViewSource() == memref)
      forEachAccess(use.getOwner()->getResult(0), function);
    else
      function(use);
  }
}

bool isWorkspace(Value memref) {
  bool found = false, other = false;
  forEachAccess(memref, [&](OpOperand &use) {
    auto plan = dyn_cast<PlanOpInterface>(use.getOwner());
    auto call = dyn_cast<RegionCallOpInterface>(use.getOwner());
    bool last = (plan && !plan.getPlanBuffers().empty() && plan.getPlanBuffers().back() == use.get()) ||
                (call && llvm::is_contained(OperandRange(call.getWorkspaceMutable()), use.get()));
    found |= last;
    other |= !last;
  });
  return found && !other;
}

struct PlanMemory : mlir::raf::impl::PlanMemoryPassBase<PlanMemory> {
  using PlanMemoryPassBase::PlanMemoryPassBase;

  void runOnOperation() override {
    if (getOperation()->hasAttr("raf.memory"))
      return;
    for (func::FuncOp func : getHostFunctions(getOperation()))
      if (failed(checkTypes(func)) || failed(plan(func)))
        return signalPassFailure();
  }

  /// Gives the ops that call regions their workspace: the largest arena among their functions, which are planned already.
  LogicalResult addWorkspaces(func::FuncOp step) {
    SymbolTable symbols(getOperation());
    for (Operation &op : llvm::make_early_inc_range(step.getBody().front())) {
      auto call = dyn_cast<RegionCallOpInterface>(&op);
      if (!call)
        continue;
      int64_t bytes = 0;
      for (FlatSymbolRefAttr name : call.getRegionFunctions()) {
        auto callee = symbols.lookup<func::FuncOp>(name.getAttr());
        unsigned last = callee ? callee.getNumArguments() : 0;
        if (last == 0 || !callee.getArgAttr(last - 1, "raf.arena"))
          return op.emitOpError() << "calls " << name << ", which has no memory plan: it is missing, has no body, or calls itself";
        bytes = std::max(bytes, cast<MemRefType>(callee.getArgumentTypes().back()).getNumElements());
      }
      if (bytes == 0)
        continue;
      OpBuilder builder(&op);
      call.getWorkspaceMutable().assign(memref::AllocOp::create(builder, op.getLoc(), MemRefType::get({bytes}, builder.getI8Type())));
    }
    return success();
  }

  LogicalResult plan(func::FuncOp step) {
    if (failed(addWorkspaces(step)))
      return failure();
    DenseMap<Operation *, int64_t> position;
    for (auto [i, op] : llvm::enumerate(step.getBody().front()))
      position[&op] = i;
    SmallVector<memref::AllocOp> allocations;
    SmallVector<Lifetime> lifetimes;
    SmallVector<bool> workspaces;
    for (Operation &op : llvm::make_early_inc_range(step.getBody().front())) {
      auto allocation = dyn_cast<memref::AllocOp>(&op);
      if (!allocation)
        continue;
      MemRefType type = allocation.getType();
      if (!type.hasStaticShape() || !type.getLayout().isIdentity()) {
        allocation.emitOpError() << "of the step must have a static shape and the identity layout, got " << type;
        return failure();
      }
      if (!isAddressable(type)) {
        allocation.emitOpError() << "of the step must be of at most 2^" << kAddressBits << " bytes, got " << type;
        return failure();
      }
      Lifetime lifetime{getBytes(type), std::numeric_limits<int64_t>::max(), -1};
      forEachAccess(allocation, [&](OpOperand &use) {
        lifetime.first = std::min(lifetime.first, position[use.getOwner()]);
        lifetime.last = std::max(lifetime.last, position[use.getOwner()]);
      });
      if (lifetime.last < 0)
        continue;
      allocations.push_back(allocation);
      lifetimes.push_back(lifetime);
      workspaces.push_back(isWorkspace(allocation));
    }
    int64_t bytes = share ? pack(lifetimes) : packApart(lifetimes);
    if (auto [a, b] = findConflict(lifetimes, bytes); a >= 0) {
      allocations[a].emitOpError() << "internal error: the memory plan puts it over another buffer that is alive with it";
      return failure();
    }
    place(step, allocations, lifetimes, bytes);
    if (step != getStepFunction(getOperation()))
      return success();
    int64_t held = describe(step, lifetimes, workspaces, bytes);
    auto rematerialization = getOperation()->getAttrOfType<DictionaryAttr>("raf.rematerialization");
    if (auto budget = rematerialization ? rematerialization.getAs<IntegerAttr>("budget") : IntegerAttr(); budget && held > budget.getInt()) {
      step.emitOpError() << "internal error: the memory plan holds " << held << " bytes, more than the budget of " << budget.getInt() << " that raf-rematerialize promised";
      return failure();
    }
    return success();
  }

  void place(func::FuncOp step, ArrayRef<memref::AllocOp> allocations, ArrayRef<Lifetime> lifetimes, int64_t bytes) {
    OpBuilder builder(step.getContext());
    auto type = MemRefType::get({bytes}, builder.getI8Type());
    auto attributes = builder.getDictionaryAttr(builder.getNamedAttr("raf.arena", builder.getUnitAttr()));
    (void)step.insertArgument(step.getNumArguments(), type, attributes, step.getLoc());
    Value arena = step.getArguments().back();
    for (auto [constAllocation, lifetime] : llvm::zip(allocations, lifetimes)) {
      memref::AllocOp allocation = constAllocation;
      builder.setInsertionPoint(allocation);
      Value offset = arith::ConstantIndexOp::create(builder, allocation.getLoc(), lifetime.offset);
      Value view = memref::ViewOp::create(builder, allocation.getLoc(), allocation.getType(), arena, offset, ValueRange());
      allocation.replaceAllUsesWith(view);
      allocation.erase();
    }
  }

  /// Writes down the bytes by class; returns how many the step holds.
  int64_t describe(func::FuncOp step, ArrayRef<Lifetime> lifetimes, ArrayRef<bool> workspaces, int64_t bytes) {
    int64_t moment = 0, workspace = 0, unshared = 0;
    int64_t bound = getLowerBound(lifetimes, &moment);
    for (auto [lifetime, isWorkspace] : llvm::zip(lifetimes, workspaces)) {
      int64_t size = llvm::alignTo(lifetime.bytes, kArenaAlignment);
      unshared += size;
      if (isWorkspace && lifetime.first <= moment && moment <= lifetime.last)
        workspace += size;
    }
    std::map<StringRef, int64_t> classes = {{"params", 0}, {"states", 0}, {"buffers", 0}, {"inputs", 0}, {"outputs", 0}, {"scalars", 0}};
    for (unsigned i = 0; i + 1 < step.getNumArguments(); ++i) {
      auto role = step.getArgAttrOfType<StringAttr>(i, "raf.role");
      StringRef name = step.getArgAttr(i, "raf.result") ? "outputs"
                       : !role                          ? "inputs"
                                                        : llvm::StringSwitch<StringRef>(role.getValue())
                                        .Cases({"param", "copy"}, "params")
                                        .Case("state", "states")
                                        .Case("buffer", "buffers")
                                        .Cases({"lr", "step", "seed"}, "scalars")
                                        .Default("inputs");
      classes[name] += getBytes(cast<ShapedType>(step.getArgument(i).getType()));
    }
    classes["constants"] = 0;
    for (auto global : getOperation().getOps<memref::GlobalOp>())
      classes["constants"] += getBytes(global.getType());
    int64_t held = bytes;
    for (auto [name, value] : classes)
      held += value;
    classes["arena_bytes"] = bytes;
    classes["lower_bound"] = bound;
    classes["unshared_bytes"] = unshared;
    classes["workspace"] = workspace;
    classes["activations"] = bytes - workspace;
    NamedAttrList memory;
    OpBuilder builder(step.getContext());
    for (auto [name, value] : classes)
      memory.set(name, builder.getI64IntegerAttr(value));
    if (auto rematerialization = getOperation()->getAttrOfType<DictionaryAttr>("raf.rematerialization"))
      for (NamedAttribute entry : rematerialization)
        memory.set(entry.getName(), entry.getValue());
    getOperation()->setAttr("raf.memory", memory.getDictionary(step.getContext()));
    arenaBytes = bytes;
    lowerBound = bound;
    return held;
  }
};

} // namespace
