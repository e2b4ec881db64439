// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_HOST_HOSTLOWERING_H
#define PASSES_HOST_HOSTLOWERING_H

#include "passes/host/Host.h"

#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

#include <map>

namespace mlir::raf {

/// Builds raf_init, raf_run and a function of the same signature for each region: (context, addresses of the arguments, arena). A region returns a status, 0 for success.
///
/// With a device all these addresses are the device's, and so is the arena. What the host computes by (trip numbers, conditions) is a device constant, or read from there.
class HostLowering {
public:
  HostLowering(ModuleOp module, func::FuncOp step, bool profile, bool device)
      : module(module), step(step), builder(module.getContext()), profile(profile), device(device), i32(builder.getI32Type()), pointer(LLVM::LLVMPointerType::get(module.getContext())), i64(builder.getI64Type()),
        none(LLVM::LLVMVoidType::get(module.getContext())) {}

  SmallVector<HostOp> ops;
  int64_t numPlans() const { return plans.size(); }

  LogicalResult run();

private:
  LogicalResult lowerFunction(func::FuncOp func);

  /// The function of the LLVM dialect beside the one that it is made from.
  static std::string codeName(StringRef region) { return (region + "_code").str(); }

  Value constant(Location loc, int64_t value) { return LLVM::ConstantOp::create(builder, loc, i64, value); }

  Value elementAddress(Location loc, Value table, int64_t index) {
    return LLVM::GEPOp::create(builder, loc, pointer, pointer, table, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
  }

  void loadArguments(func::FuncOp func, Value args, Value arena);

  /// Stack memory, reserved once a call of the function.
  Value reserve(Location loc, Type type, int64_t count);
  void allocateTable(func::FuncOp func);
  Value paramSlot(Location loc, int64_t index) {
    return LLVM::GEPOp::create(builder, loc, pointer, i64, paramSlots, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
  }

  LLVM::LLVMFuncOp runtimeFunction(StringRef name, ArrayRef<Type> arguments, Type result);
  void hook(Location loc, StringRef name, int64_t number);
  void streamCall(Location loc, StringRef name, int64_t number);

  /// Before an op: its stream is the current one, and has waited.
  LogicalResult enterStream(Operation &op);

  /// An op of the step by this name: a call of `emit` between the profile's hooks.
  void run(Operation *op, std::string name, llvm::function_ref<void()> emit);

  /// A kernel is a function of the LLVM dialect if it is lowered already; otherwise what lowers it lowers the call.
  void call(Location loc, FlatSymbolRefAttr kernel, ValueRange operands);
  Value scalar(Value value);
  Value getAddressOfGlobal(memref::GetGlobalOp get);

  /// Constant data of the host code; the same contents under one name.
  Value data(Location loc, StringRef name, Type type, Attribute value);

  /// The device's copy of a global of the host code, which raf_init makes.
  Value deviceConstant(Location loc, StringRef global, int64_t bytes);

  /// The host's copy of what lies at an address, for the host to decide by.
  Value readBack(Location loc, Type type, Value address);
  LogicalResult launch(gpu::LaunchFuncOp op);
  bool isHostCode(Operation *op);

  /// A global of rank 0 holds the element itself.
  static Attribute getValueOf(memref::GlobalOp global);
  LogicalResult lower(Operation &op);
  void execute(Location loc, PlanOpInterface plan);
  Block *addBlock();

  /// The runtime has recorded the failure; nothing after it may run on half-written buffers.
  void leaveOnFailure(Location loc, Value result);

  /// A table with the addresses of `first`, the buffers, then `last`; null ones are left out.
  Value fillTable(Location loc, Value first, ValueRange buffers, Value last);
  void callRegion(Location loc, StringRef region, Value args, Value workspace);
  static SmallVector<Value> passedBuffers(ValueRange inputs, ValueRange inits);
  void lowerFor(ForOp loop);

  /// A byte of the device for the result of a condition.
  Value deviceFlag(Location loc);
  void lowerWhile(WhileOp loop);
  void lowerCase(CaseOp choice);
  void buildInit(Location loc);
  Value create(Location loc, int64_t id, int64_t kind, ArrayRef<int64_t> words, Value context);

  ModuleOp module;
  func::FuncOp step;
  OpBuilder builder;
  bool profile, device;
  Type i32, pointer, i64, none;
  // Of the function that is being lowered; a step has no status.
  Value ctx, table, status, paramSlots, paramTable;
  Block *entry = nullptr, *exit = nullptr;
  DenseMap<Value, Value> addresses; // of memrefs
  std::map<std::pair<int64_t, std::vector<int64_t>>, int64_t> plans; // (kind, words): id
  SmallVector<int64_t> planOps;                                      // by id: the first op that executes it
  static constexpr StringLiteral kTripNumbers = "raf_trips";
  llvm::MapVector<StringAttr, int64_t> kernels;                        // id
  llvm::MapVector<StringAttr, std::pair<int64_t, int64_t>> constants; // id, bytes
  int64_t mostTrips = 0, numFlags = 0, stream = 0;
};

} // namespace mlir::raf

#endif // PASSES_HOST_HOSTLOWERING_H
