// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of raf-gpu-to-sim. What the generated code calls is declared in runtime/cuda_sim/raf_cuda_sim.h.
#ifndef PASSES_CODEGEN_GPU_SIM_H
#define PASSES_CODEGEN_GPU_SIM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::raf {

struct SimChecks {
  bool bounds = true, memory = true, races = true;
  /// RAF_SIM_CHECK_*.
  int32_t flags() const;
};

/// The texts of source locations, by number.
class SimSites {
public:
  int32_t number(Operation *op);
  ArrayRef<std::string> texts() const { return all; }

private:
  llvm::StringMap<int32_t> numbers;
  SmallVector<std::string> all;
};

/// Calls of the simulator from a kernel, whose first argument is its thread.
class SimCalls {
public:
  SimCalls(Value thread, SimSites &sites) : thread(thread), sites(sites) {}

  Value thread;
  SimSites &sites;

  /// Calls name(thread, operands...), declared by the types, and returns the result (null without one).
  Value call(ImplicitLocOpBuilder &b, StringRef name, Type result, ValueRange operands) const;
  Value site(ImplicitLocOpBuilder &b, Operation *op) const;
  static Value constant(ImplicitLocOpBuilder &b, int64_t value, unsigned bits = 32);
};

struct SimAccess {
  Value buffer;
  SmallVector<Value> indices;
  int64_t elements = 1; // along the last dimension
  int32_t kind = 0;     // RAF_SIM_LOAD, _STORE, _ATOMIC
  int64_t alignment = 0; // bytes; 0: that of an element
};
/// Bytes of an element in memory.
int64_t getSimBytes(Type element);
void checkSimBounds(ImplicitLocOpBuilder &b, Operation *op, const SimAccess &access, const SimCalls &calls);
Value getSimAddress(ImplicitLocOpBuilder &b, const SimAccess &access);

/// Checks before each access to memory.
LogicalResult checkSimAccesses(func::FuncOp kernel, const SimCalls &calls, const SimChecks &checks);

/// Positions, barriers, shuffles ... become calls and loads of the thread's structure.
LogicalResult lowerSimThreads(func::FuncOp kernel, const SimCalls &calls, const SimChecks &checks);
/// The same for the ops of nvgpu: matrix fragments and asynchronous copies. The values of the op's results.
FailureOr<SmallVector<Value>> lowerSimNVGPU(Operation *op, const SimCalls &calls, const SimChecks &checks);

/// Addresses of shared memory that the kernel computes with become offsets in it, as they are on a device.
void lowerSimSharedAddresses(func::FuncOp kernel, const SimCalls &calls);
/// Products of warpgroups, and the registers that they share.
LogicalResult lowerSimWarpgroups(func::FuncOp kernel, const SimCalls &calls);
bool hasWarpgroups(Operation *kernel);

/// Whether a thread of the kernel ever waits for others.
bool isCooperative(Operation *kernel);

/// One kernel in the table that the simulator reads.
struct SimKernel {
  std::string name;
  std::string body; // the symbol of (thread, params)
  int64_t sharedBytes = 0;
  bool cooperative = false, warpgroups = false;
  SmallVector<int32_t> paramBytes;
  int32_t blockSize[3] = {0, 0, 0};
};
/// Appends the global `raf_sim_kernels` to a module of the LLVM dialect.
void addSimTable(Operation *module, ArrayRef<SimKernel> kernels, ArrayRef<std::string> sites, const SimChecks &checks);

} // namespace mlir::raf

#endif // PASSES_CODEGEN_GPU_SIM_H
