// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-gpu/StageEmitter.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/codegen-gpu/Loops.h"
#include "passes/codegen/ScalarBody.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

namespace {
// The elements of one operand or result that a thread handles at once, along one loop of the op (-1: one element).
using Elements = SmallVector<Value>;

Value constant(OpBuilder &builder, Location loc, int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

class Emitter {
public:
  Emitter(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const StagePlace &place) : func(func), kernel(kernel), plan(plan), place(place), builder(func.getBody()) {
    lanes.func = func;
    lanes.plan = &plan;
  }

  LogicalResult run() {
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

private:
  // Memory and scalars.
  void placeValues() {
    for (auto [argument, buffer] : llvm::zip(kernel.getArguments(), place.buffers))
      if (isa<RankedTensorType>(argument.getType()))
        memory[argument].push_back(buffer);
      else
        scalars.map(argument, buffer);
    for (auto op : kernel.getBody().front().getOps<arith::ConstantOp>())
      builder.clone(*op, scalars);
    // What earlier stages have left.
    int64_t firstInit = kernel.getNumArguments() - kernel.getNumResults();
    for (OpOperand &returned : kernel.getBody().front().getTerminator()->getOpOperands())
      if (returned.get().getDefiningOp() && !plan.homes.contains(returned.get()))
        memory[returned.get()].push_back(place.buffers[firstInit + returned.getOperandNumber()]);
    for (auto &[value, home] : plan.homes) {
      for (int64_t destination : home.destinations)
        memory[value].push_back(place.buffers[destination]);
      if (home.sharedElements > 0)
        memory[value].push_back(sharedMemory(lanes, value.getLoc(), home.sharedElements * plan.points, cast<RankedTensorType>(value.getType()).getElementType()));
    }
  }

  // A buffer with one dimension, or none.
  Value flattened(Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    if (type.getRank() <= 1)
      return buffer;
    Value &view = flat[buffer];
    if (!view) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&func.getBody().front());
      view = raf::flattened(builder, func.getLoc(), buffer);
    }
    return view;
  }

  // Elements.
  SmallVector<Value> position(const Access &access, Value buffer, const Indices &indices, Location loc, int64_t loop = -1, int64_t step = 0) {
    if (cast<MemRefType>(buffer.getType()).getRank() == 0)
      return {};
    Value sum;
    auto add = [&](Value term) { sum = sum ? arith::AddIOp::create(builder, loc, sum, term, arith::IntegerOverflowFlags::nsw).getResult() : term; };
    for (auto [index, stride] : llvm::zip(indices, access.strides))
      if (index && stride != 0)
        add(multiplyAdd(builder, loc, index, stride, {}));
    int64_t offset = access.offset;
    if (loop >= 0)
      offset += step * access.strides[loop];
    if (!access.rest.empty()) {
      SmallVector<Value> dims;
      for (auto [number, index] : llvm::enumerate(indices)) {
        Value at = index ? index : constant(builder, loc, 0);
        bool stepped = static_cast<int64_t>(number) == loop && step != 0;
        dims.push_back(stepped ? arith::AddIOp::create(builder, loc, at, constant(builder, loc, step)).getResult() : at);
      }
      for (auto &[expr, factor] : access.rest)
        add(multiplyAdd(builder, loc, affine::expandAffineExpr(builder, loc, expr, dims, {}), factor, {}));
    }
    if (auto found = plan.homes.find(access.tensor); found != plan.homes.end() && found->second.sharedElements > 0 && plan.points > 1)
      add(multiplyAdd(builder, loc, lanes.point, found->second.sharedElements, {}));
    if (offset != 0 || !sum)
      add(constant(builder, loc, offset));
    return {sum};
  }

  // The elements of an access come in pieces of at most 16 bytes.
  static int64_t pieceOf(const Access &access, int64_t width) { return std::max<int64_t>(1, std::min<int64_t>(width, 16 / access.elementBytes())); }

  Elements load(const Access &access, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, int64_t width, Location loc) {
    Value buffer = flattened(memory.lookup(access.tensor).front());
    // A point past the end, which is the last one again, must not read what that point's own threads overwrite.
    auto guardedLoad = [&](Type type, function_ref<Value()> make) -> Value {
      if (!writes || !inPlace.contains(memory.lookup(access.tensor).front()))
        return make();
      auto branch = scf::IfOp::create(builder, loc, type, writes, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      scf::YieldOp::create(builder, loc, make());
      builder.setInsertionPointToStart(branch.elseBlock());
      scf::YieldOp::create(builder, loc, arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)).getResult());
      return branch.getResult(0);
    };
    Type elementType = cast<MemRefType>(buffer.getType()).getElementType();
    auto loadOne = [&](int64_t step) {
      return guardedLoad(elementType, [&] { return Value(memref::LoadOp::create(builder, loc, buffer, position(access, buffer, indices, loc, loop, step))); });
    };
    if (width == 1 || (access.isLinearIn(loop) && access.strides[loop] == 0))
      return {loadOne(0)};
    Elements elements;
    if (!isVector(access, loop, width, moving)) {
      for (int64_t step = 0; step < width; ++step)
        elements.push_back(loadOne(step));
      return elements;
    }
    int64_t piece = pieceOf(access, width);
    auto type = VectorType::get({piece}, elementType);
    for (int64_t step = 0; step < width; step += piece) {
      Value loaded = guardedLoad(type, [&] {
        return Value(vector::LoadOp::create(builder, loc, type, buffer, position(access, buffer, indices, loc, loop, step), /*nontemporal=*/false,
                                            llvm::MaybeAlign(piece * access.elementBytes())));
      });
      for (int64_t i = 0; i < piece; ++i)
        elements.push_back(vector::ExtractOp::create(builder, loc, loaded, i));
    }
    return elements;
  }

  void store(const Access &access, const Elements &elements, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, Location loc) {
    int64_t width = elements.size();
    for (Value destination : memory.lookup(access.tensor)) {
      Value buffer = flattened(destination);
      if (width == 1 || !isVector(access, loop, width, moving)) {
        for (auto [step, element] : llvm::enumerate(elements))
          memref::StoreOp::create(builder, loc, element, buffer, position(access, buffer, indices, loc, loop, step));
        continue;
      }
      int64_t piece = pieceOf(access, width);
      auto type = VectorType::get({piece}, elements.front().getType());
      for (int64_t step = 0; step < width; step += piece) {
        Value packed = vector::FromElementsOp::create(builder, loc, type, ValueRange(elements).slice(step, piece));
        vector::StoreOp::create(builder, loc, packed, buffer, position(access, buffer, indices, loc, loop, step), /*nontemporal=*/false,
                                llvm::MaybeAlign(piece * access.elementBytes()));
      }
    }
  }

  // An operand's elements: a scalar, a fill, registers or memory. One element stands for all where they are equal.
  Elements read(Value value, const Access &access, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, int64_t width, Location loc) {
    if (!isa<RankedTensorType>(value.getType()))
      return {scalars.lookupOrDefault(value)};
    if (auto found = registers.find(value); found != registers.end())
      return found->second;
    if (!access.tensor)
      return {scalars.lookupOrDefault(fillValue(value))};
    return load(access, indices, moving, loop, width, loc);
  }

  // What the body yields for `width` elements along a loop, output by output. Without accumulators it starts from what the destinations hold.
  SmallVector<Elements> compute(const OpPlan &entry, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, int64_t width, ArrayRef<Elements> accumulators = {}) {
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

  // Points.
  void emitPoint(Location loc, Value position) {
    coordinates.assign(plan.space->rank(), Value());
    for (auto [axis, index] : llvm::zip(plan.axes, positionAlong(builder, loc, plan.axes, plan.width, position)))
      coordinates[axis.carrier()] = index;
    for (const OpPlan &entry : plan.ops)
      emitOp(entry);
  }

  // Runs `body` in the threads that write: those of the block's points, or one for each. A point past the end has its own place in shared memory, which its threads read.
  void guarded(Location loc, bool oneLane, function_ref<void()> body, bool shared = false) {
    Value condition = shared ? Value() : writes;
    if (oneLane && plan.lanes > 1) {
      Value first = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lanes.lane, constant(builder, loc, 0));
      condition = condition ? arith::AndIOp::create(builder, loc, condition, first).getResult() : first;
    }
    emitIf(builder, loc, condition, body);
  }

  // Memory that the op reads and writes.
  void effects(const OpPlan &entry, SmallPtrSetImpl<Value> &read, SmallPtrSetImpl<Value> &written) {
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

  // The lanes of a point meet where one may need what another has done.
  void synchronize(const OpPlan &entry) {
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

  // Whether the op reads memory that it writes.
  bool worksInPlace(const OpPlan &entry) {
    SmallPtrSet<Value, 8> read, written;
    effects(entry, read, written);
    return llvm::any_of(written, [&](Value buffer) { return read.contains(buffer); });
  }

  void emitOp(const OpPlan &entry) {
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

  static std::pair<int64_t, int64_t> vectorAlong(const OpPlan &entry, ArrayRef<Axis> axes, ArrayRef<int64_t> outer) {
    SmallVector<int64_t> moving(outer);
    for (const Axis &axis : axes)
      moving.push_back(axis.carrier());
    int64_t loop = axes.back().carrier();
    return {loop, vectorWidth(entry, loop, axes.back().size, moving)};
  }

  void storeResults(const OpPlan &entry, ArrayRef<Elements> results, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop) {
    for (auto [access, elements] : llvm::zip(entry.outputs, results))
      if (access.tensor && memory.contains(access.tensor) && !elements.empty())
        store(access, elements, indices, moving, loop, entry.op->getLoc());
  }

  bool isShared(const OpPlan &entry, unsigned output) {
    auto found = plan.homes.find(entry.outputs[output].tensor);
    return found != plan.homes.end() && found->second.sharedElements > 0;
  }

  void storeGuarded(const OpPlan &entry, ArrayRef<Elements> results, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, bool oneLane) {
    for (bool shared : {true, false}) {
      SmallVector<Elements> some(results);
      for (auto [number, elements] : llvm::enumerate(some))
        if (isShared(entry, number) != shared)
          elements.clear();
      if (llvm::any_of(some, [](const Elements &elements) { return !elements.empty(); }))
        guarded(entry.op->getLoc(), oneLane, [&] { storeResults(entry, some, indices, moving, loop); }, shared);
    }
  }

  void keep(const OpPlan &entry, ArrayRef<Elements> results) {
    GenericOp op = entry.op;
    for (auto [number, elements] : llvm::enumerate(results))
      if (auto found = plan.homes.find(op.getResult(number)); found != plan.homes.end() && found->second.registers)
        registers[op.getResult(number)] = elements;
  }

  bool keepsAny(const OpPlan &entry) {
    GenericOp op = entry.op;
    return llvm::any_of(op.getResults(), [&](Value result) {
      auto found = plan.homes.find(result);
      return found != plan.homes.end() && found->second.registers;
    });
  }

  // The loop along which points are neighbours.
  int64_t loopAcross(GenericOp op) const { return plan.space->loops.find(op)->second[plan.axes.back().carrier()]; }

  // One element a point (or `width` neighbouring ones), which all lanes compute where a later op needs it.
  void emitElement(const OpPlan &entry, const Indices &indices, ArrayRef<int64_t> moving) {
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

  // Reductions.

  // Whether an output has an element for each iteration of the reduction.
  static bool isWalked(const OpPlan &entry, unsigned output) {
    GenericOp op = entry.op;
    AffineMap map = op.getIndexingMapMatchingResult(op->getResult(output));
    return llvm::any_of(entry.reduction, [&](int64_t loop) { return map.isFunctionOfDim(loop); });
  }

  // The loops of `iterate` around the body, from the given accumulators. Walked outputs are stored and give no elements.
  using Iterate = function_ref<SmallVector<Value>(ValueRange, LoopBody)>;
  SmallVector<Elements> accumulate(const OpPlan &entry, ArrayRef<Elements> starts, int64_t width, Iterate iterate,
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

  // What the destinations hold at first; nothing for walked outputs.
  SmallVector<Elements> startValues(const OpPlan &entry, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, int64_t width) {
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

  // One thread does the whole reduction of `width` elements along a parallel loop.
  SmallVector<Elements> reduceSerially(const OpPlan &entry, const Indices &base, ArrayRef<int64_t> outer, ArrayRef<Axis> sums, int64_t loop, int64_t width, bool oneLane = false) {
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

  void storeWalked(const OpPlan &entry, SmallVectorImpl<Elements> &results, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, bool oneLane) {
    SmallVector<Elements> walked(results.size());
    for (unsigned output = 0; output < results.size(); ++output)
      if (isWalked(entry, output))
        walked[output] = results[output];
    storeGuarded(entry, walked, indices, moving, loop, oneLane);
  }

  // One result a point, or those of `width` neighbouring ones: the lanes share the iterations where their parts can be combined.
  void emitReduction(const OpPlan &entry, const Indices &base, ArrayRef<int64_t> outer, ArrayRef<Axis> sums) {
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

  // `width` iterations of a reduction at once: the terms of all of them, then the sum.
  SmallVector<Elements> accumulateAlong(const OpPlan &entry, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, int64_t width, ArrayRef<Elements> accumulators,
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
} // namespace

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

LogicalResult mlir::raf::emitStage(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const StagePlace &place) { return Emitter(func, kernel, plan, place).run(); }
