// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_PASSES_CODEGEN_GPU_STAGEEMISSION_H
#define RAF_PASSES_CODEGEN_GPU_STAGEEMISSION_H

#include "mlir/IR/IRMapping.h"
#include "passes/codegen-gpu/Loops.h"
#include "passes/codegen-gpu/StageEmitter.h"

namespace mlir::raf {

/// The state of emitStage while it writes. StageEmitter.cpp has the ops, StageMemory.cpp where values lie, StageReduction.cpp sums.
class StageEmission {
public:
  StageEmission(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const StagePlace &place) : func(func), kernel(kernel), plan(plan), place(place), builder(func.getBody()) {
    lanes.func = func;
    lanes.plan = &plan;
  }

  LogicalResult run();

private:
  // The elements of one operand or result that a thread handles at once, along one loop of the op (-1: one element).
  using Elements = SmallVector<Value>;

  // Memory and scalars.
  void placeValues();

  // A buffer with one dimension, or none.
  Value flattened(Value buffer);

  // Elements.
  SmallVector<Value> position(const Access &access, Value buffer, const Indices &indices, Location loc, int64_t loop = -1, int64_t step = 0);

  // The elements of an access come in pieces of at most 16 bytes.
  static int64_t pieceOf(const Access &access, int64_t width) { return std::max<int64_t>(1, std::min<int64_t>(width, 16 / access.elementBytes())); }

  Elements load(const Access &access, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, int64_t width, Location loc);
  void store(const Access &access, const Elements &elements, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, Location loc);

  // An operand's elements: a scalar, a fill, registers or memory. One element stands for all where they are equal.
  Elements read(Value value, const Access &access, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, int64_t width, Location loc);

  // What the body yields for `width` elements along a loop, output by output. Without accumulators it starts from what the destinations hold.
  SmallVector<Elements> compute(const OpPlan &entry, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, int64_t width, ArrayRef<Elements> accumulators = {});

  // Points.
  void emitPoint(Location loc, Value position);

  // Runs `body` in the threads that write: those of the block's points, or one for each. A point past the end has its own place in shared memory, which its threads read.
  void guarded(Location loc, bool oneLane, function_ref<void()> body, bool shared = false);

  // Memory that the op reads and writes.
  void effects(const OpPlan &entry, SmallPtrSetImpl<Value> &read, SmallPtrSetImpl<Value> &written);

  // The lanes of a point meet where one may need what another has done.
  void synchronize(const OpPlan &entry);

  // Whether the op reads memory that it writes.
  bool worksInPlace(const OpPlan &entry);
  void emitOp(const OpPlan &entry);
  static std::pair<int64_t, int64_t> vectorAlong(const OpPlan &entry, ArrayRef<Axis> axes, ArrayRef<int64_t> outer);
  void storeResults(const OpPlan &entry, ArrayRef<Elements> results, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop);
  bool isShared(const OpPlan &entry, unsigned output);
  void storeGuarded(const OpPlan &entry, ArrayRef<Elements> results, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, bool oneLane);
  void keep(const OpPlan &entry, ArrayRef<Elements> results);
  bool keepsAny(const OpPlan &entry);

  // The loop along which points are neighbours.
  int64_t loopAcross(linalg::GenericOp op) const { return plan.space->loops.find(op)->second[plan.axes.back().carrier()]; }

  // One element a point (or `width` neighbouring ones), which all lanes compute where a later op needs it.
  void emitElement(const OpPlan &entry, const Indices &indices, ArrayRef<int64_t> moving);

  // Whether an output has an element for each iteration of the reduction.
  static bool isWalked(const OpPlan &entry, unsigned output);

  // The loops of `iterate` around the body, from the given accumulators. Walked outputs are stored and give no elements.
  using Iterate = function_ref<SmallVector<Value>(ValueRange, LoopBody)>;
  SmallVector<Elements> accumulate(const OpPlan &entry, ArrayRef<Elements> starts, int64_t width, Iterate iterate,
                                   function_ref<SmallVector<Elements>(const Indices &, ArrayRef<Elements>)> step);

  // What the destinations hold at first; nothing for walked outputs.
  SmallVector<Elements> startValues(const OpPlan &entry, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, int64_t width);

  // One thread does the whole reduction of `width` elements along a parallel loop.
  SmallVector<Elements> reduceSerially(const OpPlan &entry, const Indices &base, ArrayRef<int64_t> outer, ArrayRef<Axis> sums, int64_t loop, int64_t width, bool oneLane = false);
  void storeWalked(const OpPlan &entry, SmallVectorImpl<Elements> &results, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, bool oneLane);

  // One result a point, or those of `width` neighbouring ones: the lanes share the iterations where their parts can be combined.
  void emitReduction(const OpPlan &entry, const Indices &base, ArrayRef<int64_t> outer, ArrayRef<Axis> sums);

  // `width` iterations of a reduction at once: the terms of all of them, then the sum.
  SmallVector<Elements> accumulateAlong(const OpPlan &entry, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, int64_t width, ArrayRef<Elements> accumulators,
                                        ArrayRef<Operation *> combining);

  gpu::GPUFuncOp func;
  func::FuncOp kernel;
  const StagePlan &plan;
  const StagePlace &place;
  OpBuilder builder;
  Lanes lanes;
  Value writes; // whether this thread's point is one of the space; null: always
  IRMapping scalars;
  DenseMap<Value, SmallVector<Value, 1>> memory; // of a tensor value
  DenseMap<Value, Value> flat;
  DenseMap<Value, Elements> registers;
  SmallVector<Value> coordinates; // by dimension of the space
  SmallPtrSet<Value, 8> pendingReads, pendingWrites;
  SmallPtrSet<Value, 8> inPlace; // global memory that the op reads and writes
};

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_STAGEEMISSION_H
