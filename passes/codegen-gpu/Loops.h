// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over axes, run by one thread or shared by the lanes of a point.
#ifndef RAF_PASSES_CODEGEN_GPU_LOOPS_H
#define RAF_PASSES_CODEGEN_GPU_LOOPS_H

#include "passes/codegen-gpu/Access.h"

namespace mlir::raf {

/// By loop of an op; null where the index is 0.
using Indices = SmallVector<Value>;
/// Gets the indices and the values that are carried; returns the values to carry on.
using LoopBody = function_ref<SmallVector<Value>(const Indices &, ValueRange)>;

/// All iterations, one after the other, those along the last axis `width` at a time.
SmallVector<Value> emitSerialLoops(OpBuilder &builder, Location loc, ArrayRef<Axis> axes, int64_t width, const Indices &indices, ValueRange initial, LoopBody body);

/// The share of one of `lanes` threads: neighbouring lanes have neighbouring iterations.
SmallVector<Value> emitSharedLoops(OpBuilder &builder, Location loc, ArrayRef<Axis> axes, int64_t width, Value lane, int64_t lanes, const Indices &indices, ValueRange initial,
                                   LoopBody body);

/// Index along each axis of the position in the order of the axes, in steps of `width` along the last one.
SmallVector<Value> positionAlong(OpBuilder &builder, Location loc, ArrayRef<Axis> axes, int64_t width, Value position);

/// a * factor + b, without what 0 and 1 make unnecessary; b may be null.
Value multiplyAdd(OpBuilder &builder, Location loc, Value a, int64_t factor, Value b);

/// An f32 rounded to TF32, which is what tensor cores take of it; they would cut off the rest.
Value roundToTF32(OpBuilder &builder, Location loc, Value value);

/// What `body` makes, where the condition holds; everywhere if it is null.
void emitIf(OpBuilder &builder, Location loc, Value condition, function_ref<void()> body);

/// A buffer with one dimension, or none: the buffer itself where it has no more.
Value flattened(OpBuilder &builder, Location loc, Value buffer);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_LOOPS_H
