// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums and other reductions of a stage: by one thread, or by the lanes of several.
#include "passes/codegen-gpu/StageEmission.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/codegen/ScalarBody.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

bool StageEmission::isWalked(const OpPlan &entry, unsigned output) {
  GenericOp op = entry.op;
  AffineMap map = op.getIndexingMapMatchingResult(op->getResult(output));
  return llvm::any_of(entry.reduction, [&](int64_t loop) { return map.isFunctionOfDim(loop); });
}

SmallVector<StageEmission::Elements> StageEmission::accumulate(const OpPlan &entry, ArrayRef<Elements> starts, int64_t width, Iterate iterate,
                                 function_ref<SmallVector<Elements>(const Indices &, ArrayRef<Elements>)> step) {
  SmallVector<Value> initial;
  for (const Elements &elements : starts)
    llvm::append_range(initial, elements);
  auto unpack = [&](ValueRange values) {
    SmallVector<Elements> accumulators(starts.size());
    for (auto [number, elements] : llvm::enumerate(starts))
      if (!elements.empty()) {
        accumulators[number].assign(values.begin(), values.begin() + width);
        values = values.drop_front(width);
      }
    return accumulators;
  };
  SmallVector<Value> final = iterate(initial, [&](const Indices &indices, ValueRange carried) {
    SmallVector<Value> next;
    for (auto [number, elements] : llvm::enumerate(step(indices, unpack(carried))))
      if (!starts[number].empty())
        llvm::append_range(next, elements);
    return next;
  });
  return unpack(final);
}

SmallVector<StageEmission::Elements> StageEmission::startValues(const OpPlan &entry, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, int64_t width) {
  GenericOp op = entry.op;
  SmallVector<Elements> starts(op.getNumDpsInits());
  for (auto [number, init] : llvm::enumerate(op.getDpsInits())) {
    if (isWalked(entry, number))
      continue;
    Elements elements;
    if (op.payloadUsesValueFromOperand(op.getDpsInitOperand(number)) && !init.getDefiningOp<tensor::EmptyOp>())
      elements = read(init, entry.starts[number], indices, moving, loop, width, op.getLoc());
    else // overwritten before it is read
      elements = {arith::ConstantOp::create(builder, op.getLoc(), builder.getZeroAttr(cast<RankedTensorType>(init.getType()).getElementType()))};
    if (elements.size() == 1)
      elements.assign(width, elements.front());
    starts[number] = elements;
  }
  return starts;
}

SmallVector<StageEmission::Elements> StageEmission::reduceSerially(const OpPlan &entry, const Indices &base, ArrayRef<int64_t> outer, ArrayRef<Axis> sums, int64_t loop, int64_t width, bool oneLane) {
  Location loc = entry.op->getLoc();
  SmallVector<int64_t> moving(outer);
  for (const Axis &axis : sums)
    moving.push_back(axis.carrier());
  return accumulate(
      entry, startValues(entry, base, outer, loop, width), width,
      [&](ValueRange initial, LoopBody body) { return emitSerialLoops(builder, loc, sums, 1, base, initial, body); },
      [&](const Indices &indices, ArrayRef<Elements> accumulators) {
        SmallVector<Elements> results = compute(entry, indices, moving, loop, width, accumulators);
        storeWalked(entry, results, indices, moving, loop, oneLane);
        return results;
      });
}

void StageEmission::storeWalked(const OpPlan &entry, SmallVectorImpl<Elements> &results, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, bool oneLane) {
  SmallVector<Elements> walked(results.size());
  for (unsigned output = 0; output < results.size(); ++output)
    if (isWalked(entry, output))
      walked[output] = results[output];
  storeGuarded(entry, walked, indices, moving, loop, oneLane);
}

void StageEmission::emitReduction(const OpPlan &entry, const Indices &base, ArrayRef<int64_t> outer, ArrayRef<Axis> sums) {
  GenericOp op = entry.op;
  Location loc = op.getLoc();
  const int64_t points = plan.width, across = points > 1 ? loopAcross(op) : -1;
  std::optional<SmallVector<Operation *>> combining = plan.lanes > 1 ? combiners(op) : std::nullopt;
  SmallVector<Elements> results;
  if (!combining) {
    results = reduceSerially(entry, base, outer, sums, across, points, /*oneLane=*/true);
  } else {
    auto [loop, width] = points > 1 ? std::pair(across, int64_t(1)) : vectorAlong(entry, sums, outer);
    SmallVector<int64_t> moving(outer);
    for (const Axis &axis : sums)
      moving.push_back(axis.carrier());
    SmallVector<Elements> neutral(op.getNumDpsInits());
    for (auto [number, combiner] : llvm::enumerate(*combining))
      if (combiner)
        neutral[number].assign(points, arith::ConstantOp::create(builder, loc, *arith::getNeutralElement(combiner)));
    SmallVector<Elements> parts = accumulate(
        entry, neutral, points,
        [&](ValueRange initial, LoopBody body) { return emitSharedLoops(builder, loc, sums, width, lanes.lane, plan.lanes, base, initial, body); },
        [&, loop = loop, width = width](const Indices &indices, ArrayRef<Elements> accumulators) {
          return accumulateAlong(entry, indices, moving, loop, width, accumulators, *combining);
        });
    SmallVector<Elements> starts = startValues(entry, base, outer, across, points);
    results = parts;
    for (auto [number, combiner] : llvm::enumerate(*combining))
      for (auto [result, start] : llvm::zip(results[number], starts[number]))
        result = combine(builder, op, combiner, start, combineLanes(builder, lanes, op, combiner, result));
  }
  keep(entry, results);
  if (plan.lanes > 1 && worksInPlace(entry))
    gpu::BarrierOp::create(builder, loc);
  storeGuarded(entry, results, base, outer, across, /*oneLane=*/true);
}

SmallVector<StageEmission::Elements> StageEmission::accumulateAlong(const OpPlan &entry, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, int64_t width, ArrayRef<Elements> accumulators,
                                      ArrayRef<Operation *> combining) {
  GenericOp op = entry.op;
  SmallVector<Elements> neutral(accumulators.size());
  for (auto [number, combiner] : llvm::enumerate(combining))
    if (combiner)
      neutral[number] = width == 1 ? accumulators[number] : Elements{arith::ConstantOp::create(builder, op.getLoc(), *arith::getNeutralElement(combiner))};
  SmallVector<Elements> results = compute(entry, indices, moving, loop, std::max(width, plan.width), neutral);
  storeWalked(entry, results, indices, moving, loop, /*oneLane=*/false);
  for (auto [number, combiner] : llvm::enumerate(combining)) {
    if (!combiner || width == 1)
      continue;
    // Without what each has been added to.
    Elements terms;
    for (Value combined : results[number])
      terms.push_back(termOf(op, combiner, combined));
    while (terms.size() > 1) {
      Elements sums;
      for (size_t i = 0; i + 1 < terms.size(); i += 2)
        sums.push_back(combine(builder, op, combiner, terms[i], terms[i + 1]));
      terms = std::move(sums);
    }
    results[number] = {combine(builder, op, combiner, accumulators[number].front(), terms.front())};
  }
  return results;
}
