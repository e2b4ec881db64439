// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The step as a line of ops (Timeline.h), and back.

#ifndef PASSES_MEMORY_STEPLINE_H
#define PASSES_MEMORY_STEPLINE_H

#include "passes/memory/Step.h"
#include "passes/memory/Timeline.h"

namespace mlir::raf {

struct StepLine {
  Line line;
  SmallVector<Operation *> ops; // those of the line; the last one is the terminator
  DenseMap<Value, int64_t> valueOf;
};

/// Bytes that the functions of regions need while they run, by name.
using Workspaces = llvm::DenseMap<StringAttr, int64_t>;

/// The line of a function after raf-inplace, on tensors: its tensor.empty, raf.reshape and raf.constant are no ops of the line.
StepLine makeLine(func::FuncOp func, const Workspaces &workspaces);

/// Puts the ops of the function into this order of the line; what is no op of the line goes before its first user.
void applyOrder(func::FuncOp func, ArrayRef<Operation *> order);

/// The tensor that lies in the same memory before any raf.reshape.
Value skipReshapes(Value value);

} // namespace mlir::raf

#endif // PASSES_MEMORY_STEPLINE_H
