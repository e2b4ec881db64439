// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

static Value constant(OpBuilder &builder, Location loc, int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

LogicalResult StageEmission::run() {
  Location loc = kernel.getLoc();
  builder.setInsertionPoint(place.before);
  placeValues();
  if (failed(checkOperands(kernel, plan)))
    return failure();
  lanes.thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value block = place.block ? place.block : gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x).getResult();
  int64_t points = plan.space->extent() / plan.width, threads = plan.threads();
  bool ragged = points % plan.points != 0;
  if (plan.lanes == 1) {
    lanes.point = lanes.thread;
    Value position = multiplyAdd(builder, loc, block, plan.points, lanes.thread);
    if (ragged) {
      // Threads past the end do nothing.
      Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, position, constant(builder, loc, points));
      auto branch = scf::IfOp::create(builder, loc, inside, /*withElseRegion=*/false);
      builder.setInsertionPoint(branch.thenYield());
    }
    emitPoint(loc, position);
  } else {
    Value divisor = constant(builder, loc, plan.lanesFastest ? plan.lanes : plan.points);
    Value slow = threads == plan.lanes ? constant(builder, loc, 0) : arith::DivUIOp::create(builder, loc, lanes.thread, divisor).getResult();
    Value fast = threads == plan.lanes ? lanes.thread : arith::RemUIOp::create(builder, loc, lanes.thread, divisor).getResult();
    if (threads == plan.lanes)
      std::tie(lanes.point, lanes.lane) = std::pair(slow, fast);
    else
      std::tie(lanes.point, lanes.lane) = plan.lanesFastest ? std::pair(slow, fast) : std::pair(fast, slow);
    Value position = multiplyAdd(builder, loc, block, plan.points, plan.points == 1 ? Value() : lanes.point);
    if (ragged) {
      // Threads past the end compute the last point again, since all threads have to meet, and write nothing.
      writes = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, position, constant(builder, loc, points));
      position = arith::MinUIOp::create(builder, loc, position, constant(builder, loc, points - 1));
    }
    emitPoint(loc, position);
  }
  return success();
}

SmallVector<StageEmission::Elements> StageEmission::compute(const OpPlan &entry, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, int64_t width, ArrayRef<Elements> accumulators) {
  GenericOp op = entry.op;
  Location loc = op.getLoc();
  Block *block = op.getBody();
  SmallVector<Elements> arguments(block->getNumArguments());
  for (auto [number, input] : llvm::enumerate(op.getDpsInputs()))
    if (!block->getArgument(number).use_empty())
      arguments[number] = read(input, entry.inputs[number], indices, moving, loop, width, loc);
  unsigned firstOutput = op.getNumDpsInputs();
  for (auto [number, init] : llvm::enumerate(op.getDpsInits())) {
    if (!accumulators.empty() && !accumulators[number].empty())
      arguments[firstOutput + number] = accumulators[number];
    else if (!block->getArgument(firstOutput + number).use_empty() && !init.getDefiningOp<tensor::EmptyOp>())
      arguments[firstOutput + number] = read(init, entry.starts[number], indices, moving, loop, width, loc);
  }
  SmallVector<Elements> results(op.getNumDpsInits());
  for (int64_t step = 0; step < width; ++step) {
    IRMapping mapping = scalars;
    for (auto [argument, elements] : llvm::zip(block->getArguments(), arguments))
      if (!elements.empty())
        mapping.map(argument, elements.size() == 1 ? elements.front() : elements[step]);
    auto indexOf = [&](int64_t l) -> Value {
      Value index = indices[l] ? indices[l] : constant(builder, loc, 0);
      return l == loop && step > 0 ? arith::AddIOp::create(builder, loc, index, constant(builder, loc, step)).getResult() : index;
    };
    SmallVector<Value> yielded = cloneBody(builder, op, mapping, indexOf, [&](Value tensor) { return memory.lookup(tensor).front(); });
    for (auto [output, value] : llvm::zip(results, yielded))
      output.push_back(value);
  }
  return results;
}

void StageEmission::emitPoint(Location loc, Value position) {
  coordinates.assign(plan.space->rank(), Value());
  for (auto [axis, index] : llvm::zip(plan.axes, positionAlong(builder, loc, plan.axes, plan.width, position)))
    coordinates[axis.carrier()] = index;
  for (const OpPlan &entry : plan.ops)
    emitOp(entry);
}

void StageEmission::guarded(Location loc, bool oneLane, function_ref<void()> body, bool shared) {
  Value condition = shared ? Value() : writes;
  if (oneLane && plan.lanes > 1) {
    Value first = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lanes.lane, constant(builder, loc, 0));
    condition = condition ? arith::AndIOp::create(builder, loc, condition, first).getResult() : first;
  }
  emitIf(builder, loc, condition, body);
}

void StageEmission::effects(const OpPlan &entry, SmallPtrSetImpl<Value> &read, SmallPtrSetImpl<Value> &written) {
  GenericOp op = entry.op;
  for (const Access &access : llvm::concat<const Access>(entry.inputs, entry.starts))
    if (access.tensor)
      read.insert(memory.lookup(access.tensor).front());
  op.getBody()->walk([&](tensor::ExtractOp extract) {
    if (auto found = memory.find(extract.getTensor()); found != memory.end())
      read.insert(found->second.front());
  });
  for (const Access &access : entry.outputs)
    if (access.tensor)
      for (Value buffer : memory.lookup(access.tensor))
        written.insert(buffer);
}

void StageEmission::synchronize(const OpPlan &entry) {
  if (plan.lanes == 1)
    return;
  SmallPtrSet<Value, 8> read, written;
  effects(entry, read, written);
  bool conflict = llvm::any_of(read, [&](Value buffer) { return pendingWrites.contains(buffer); }) ||
                  llvm::any_of(written, [&](Value buffer) { return pendingWrites.contains(buffer) || pendingReads.contains(buffer); });
  if (conflict) {
    gpu::BarrierOp::create(builder, entry.op->getLoc());
    pendingReads.clear();
    pendingWrites.clear();
  }
  pendingReads.insert(read.begin(), read.end());
  pendingWrites.insert(written.begin(), written.end());
}

bool StageEmission::worksInPlace(const OpPlan &entry) {
  SmallPtrSet<Value, 8> read, written;
  effects(entry, read, written);
  return llvm::any_of(written, [&](Value buffer) { return read.contains(buffer); });
}

void StageEmission::emitOp(const OpPlan &entry) {
  GenericOp op = entry.op;
  if (op->use_empty())
    return;
  synchronize(entry);
  SmallPtrSet<Value, 8> read, written;
  effects(entry, read, written);
  inPlace.clear();
  for (Value buffer : written)
    if (read.contains(buffer) && !cast<MemRefType>(buffer.getType()).getMemorySpace())
      inPlace.insert(buffer);
  Indices base(entry.sizes.size());
  SmallVector<int64_t> moving;
  for (auto [loop, dim] : llvm::enumerate(entry.dims))
    if (dim >= 0 && coordinates[dim]) {
      base[loop] = coordinates[dim];
      moving.push_back(loop);
    }
  if (entry.parallel.empty() && entry.reduction.empty())
    return emitElement(entry, base, moving);
  SmallVector<Axis> axes = orderedAxes(entry, entry.parallel), sums = orderedAxes(entry, entry.reduction);
  if (entry.parallel.empty())
    return emitReduction(entry, base, moving, sums);
  auto [loop, width] = vectorAlong(entry, axes, moving);
  for (const Axis &axis : axes)
    moving.push_back(axis.carrier());
  // A point past the end does nothing, unless its threads go on to read what they have kept in shared memory: it would read what its twin overwrites.
  bool keeps = false;
  for (unsigned output = 0; output < entry.outputs.size(); ++output)
    keeps |= isShared(entry, output);
  auto emitLoops = [&, loop = loop, width = width] {
    emitSharedLoops(builder, op->getLoc(), axes, width, lanes.lane, plan.lanes, base, {}, [&](const Indices &indices, ValueRange) {
      SmallVector<Elements> results = sums.empty() ? compute(entry, indices, moving, loop, width) : reduceSerially(entry, indices, moving, sums, loop, width);
      if (keeps)
        storeGuarded(entry, results, indices, moving, loop, /*oneLane=*/false);
      else
        storeResults(entry, results, indices, moving, loop);
      return SmallVector<Value>();
    });
  };
  if (keeps)
    emitLoops();
  else
    guarded(op->getLoc(), /*oneLane=*/false, emitLoops);
}

std::pair<int64_t, int64_t> StageEmission::vectorAlong(const OpPlan &entry, ArrayRef<Axis> axes, ArrayRef<int64_t> outer) {
  SmallVector<int64_t> moving(outer);
  for (const Axis &axis : axes)
    moving.push_back(axis.carrier());
  int64_t loop = axes.back().carrier();
  return {loop, vectorWidth(entry, loop, axes.back().size, moving)};
}

void StageEmission::storeResults(const OpPlan &entry, ArrayRef<Elements> results, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop) {
  for (auto [access, elements] : llvm::zip(entry.outputs, results))
    if (access.tensor && memory.contains(access.tensor) && !elements.empty())
      store(access, elements, indices, moving, loop, entry.op->getLoc());
}

bool StageEmission::isShared(const OpPlan &entry, unsigned output) {
  auto found = plan.homes.find(entry.outputs[output].tensor);
  return found != plan.homes.end() && found->second.sharedElements > 0;
}

void StageEmission::storeGuarded(const OpPlan &entry, ArrayRef<Elements> results, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, bool oneLane) {
  for (bool shared : {true, false}) {
    SmallVector<Elements> some(results);
    for (auto [number, elements] : llvm::enumerate(some))
      if (isShared(entry, number) != shared)
        elements.clear();
    if (llvm::any_of(some, [](const Elements &elements) { return !elements.empty(); }))
      guarded(entry.op->getLoc(), oneLane, [&] { storeResults(entry, some, indices, moving, loop); }, shared);
  }
}

void StageEmission::keep(const OpPlan &entry, ArrayRef<Elements> results) {
  GenericOp op = entry.op;
  for (auto [number, elements] : llvm::enumerate(results))
    if (auto found = plan.homes.find(op.getResult(number)); found != plan.homes.end() && found->second.registers)
      registers[op.getResult(number)] = elements;
}

bool StageEmission::keepsAny(const OpPlan &entry) {
  GenericOp op = entry.op;
  return llvm::any_of(op.getResults(), [&](Value result) {
    auto found = plan.homes.find(result);
    return found != plan.homes.end() && found->second.registers;
  });
}

void StageEmission::emitElement(const OpPlan &entry, const Indices &indices, ArrayRef<int64_t> moving) {
  GenericOp op = entry.op;
  Location loc = op.getLoc();
  int64_t loop = plan.width > 1 ? loopAcross(op) : -1;
  if (!keepsAny(entry))
    return guarded(loc, /*oneLane=*/true, [&] { storeResults(entry, compute(entry, indices, moving, loop, plan.width), indices, moving, loop); });
  SmallVector<Elements> results = compute(entry, indices, moving, loop, plan.width);
  keep(entry, results);
  if (plan.lanes > 1 && worksInPlace(entry))
    gpu::BarrierOp::create(builder, loc);
  storeGuarded(entry, results, indices, moving, loop, /*oneLane=*/true);
}

LogicalResult mlir::raf::checkOperands(func::FuncOp kernel, const StagePlan &plan) {
  Operation *terminator = kernel.getBody().front().getTerminator();
  auto hasPlace = [&](Value value) { return isa<BlockArgument>(value) || plan.homes.contains(value) || llvm::is_contained(value.getUsers(), terminator); };
  for (const OpPlan &entry : plan.ops) {
    GenericOp op = entry.op;
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      bool unread = !op.payloadUsesValueFromOperand(&operand) || (op.isDpsInit(&operand) && value.getDefiningOp<tensor::EmptyOp>());
      if (unread || !isa<RankedTensorType>(value.getType()) || hasPlace(value) || fillValue(value))
        continue;
      return op.emitOpError() << "operand #" << operand.getOperandNumber()
                              << " must be an argument of the kernel or computed by a linalg op of it; from another stage it must be a result of the kernel";
    }
  }
  return success();
}

LogicalResult mlir::raf::emitStage(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan) {
  Block &body = func.getBody().front();
  return emitStage(func, kernel, plan, {SmallVector<Value>(ValueRange(body.getArguments().take_front(kernel.getNumArguments()))), Value(), &body.front()});
}

LogicalResult mlir::raf::emitStage(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const StagePlace &place) { return StageEmission(func, kernel, plan, place).run(); }
