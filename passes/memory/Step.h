// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the passes of this folder ask about the step: @main and the functions of its regions, each a straight line of ops of destination style.

#ifndef PASSES_MEMORY_STEP_H
#define PASSES_MEMORY_STEP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::raf {

/// @main with a body of one block; null if the module has none.
func::FuncOp getStepFunction(ModuleOp module);

/// @main and the functions of its regions, each after those that it calls; empty if there is no @main.
SmallVector<func::FuncOp> getHostFunctions(ModuleOp module);

/// An error where an argument, a result or a value of the function is not of static shape and of numbers.
LogicalResult checkTypes(func::FuncOp func);

/// What a donated argument's result says: the argument that result `index` overwrites, or -1.
int64_t getAliasedArgument(func::FuncOp step, unsigned index);

/// Whether the operand may be in the buffer of destination `init` while the op runs.
bool mayShareBuffer(OpOperand &operand, int64_t init);

/// Whether the op depends on what destination `init` held before.
bool readsInit(DestinationStyleOpInterface op, int64_t init);

/// Elements that are not whole bytes (i1) take one byte each.
int64_t getElementBytes(Type type);
int64_t getBytes(ShapedType type);

/// Whether the bytes of the type fit into an address space of so many bits: sums of such sizes do not overflow.
inline constexpr int kAddressBits = 47;
bool isAddressable(ShapedType type);

} // namespace mlir::raf

#endif // PASSES_MEMORY_STEP_H
