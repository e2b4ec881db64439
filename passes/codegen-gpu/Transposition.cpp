// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-gpu/Transposition.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/codegen-gpu/Lanes.h"
#include "passes/codegen-gpu/Loops.h"
#include "passes/codegen/ScalarBody.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

namespace {
// A block has a tile of kTile x kTile elements. The element at the end of each of its rows in shared memory keeps both columns and rows in different banks, also those of vectors.
constexpr int64_t kTile = 32, kPitch = kTile + 1, kThreads = 256;
constexpr int64_t kVector = 4;
// Along less than this a tile would be mostly empty.
constexpr int64_t kShortest = kTile / 2;

Value constant(OpBuilder &builder, Location loc, int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
} // namespace

int64_t Transposition::blocks() const { return numOthers * llvm::divideCeil(across.size, kTile) * llvm::divideCeil(down.size, kTile); }
int64_t Transposition::threads() { return kThreads; }

std::optional<Transposition> mlir::raf::matchTransposition(const StagePlan &plan) {
  if (plan.ops.size() != 1 || plan.lanes != 1 || plan.axes.size() < 2)
    return std::nullopt;
  const OpPlan &entry = plan.ops.front();
  GenericOp op = entry.op;
  if (entry.work() != 1 || op.getNumReductionLoops() != 0)
    return std::nullopt;
  // The plan's axes in the op's loops.
  ArrayRef<int64_t> loops = plan.space->loops.find(op)->second;
  SmallVector<Axis> axes(plan.axes);
  for (Axis &axis : axes)
    for (int64_t &loop : axis.loops)
      loop = loops[loop];
  auto axisOf = [&](const Access &access) -> std::optional<size_t> {
    for (auto [number, axis] : llvm::enumerate(axes))
      if (access.strides[axis.carrier()] == 1)
        return number;
    return std::nullopt;
  };
  std::optional<size_t> across, down;
  for (const Access &access : entry.outputs) {
    if (!access.tensor)
      continue;
    std::optional<size_t> fast = access.rest.empty() ? axisOf(access) : std::nullopt;
    if (!fast || (across && across != fast))
      return std::nullopt;
    across = fast;
  }
  if (!across)
    return std::nullopt;
  Transposition result{&entry, {}, {}, {}, {}};
  for (auto [number, access] : llvm::enumerate(entry.inputs)) {
    if (!access.tensor || op.getBody()->getArgument(number).use_empty())
      continue;
    if (!access.rest.empty())
      return std::nullopt;
    std::optional<size_t> fast = axisOf(access);
    // What does not change across the rows of a tile needs none.
    if (!fast || fast == across || access.strides[axes[*across].carrier()] == 0 || (down && down != fast))
      continue;
    down = fast;
    result.crossed.push_back(number);
  }
  for (const Access &access : entry.starts)
    if (access.tensor)
      return std::nullopt;
  if (!down || axes[*across].size < kShortest || axes[*down].size < kShortest)
    return std::nullopt;
  // The tiles of all crossed inputs.
  int64_t bytes = 0;
  for (unsigned number : result.crossed)
    bytes += kTile * kPitch * entry.inputs[number].elementBytes();
  if (bytes > kSharedBytes)
    return std::nullopt;
  for (auto [number, axis] : llvm::enumerate(axes)) {
    if (number == *across)
      result.across = axis;
    else if (number == *down)
      result.down = axis;
    else {
      result.others.push_back(axis);
      result.numOthers *= axis.size;
    }
  }
  return result;
}

namespace {
class TranspositionEmitter {
public:
  TranspositionEmitter(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const Transposition &match)
      : func(func), kernel(kernel), plan(plan), match(match), entry(*match.op), op(match.op->op), builder(func.getBody()), loc(op.getLoc()) {}

  void run() {
    builder.setInsertionPointToStart(&func.getBody().front());
    for (auto [argument, buffer] : llvm::zip(kernel.getArguments(), func.getArguments()))
      if (!isa<RankedTensorType>(argument.getType()))
        scalars.map(argument, buffer);
    for (auto constantOp : kernel.getBody().front().getOps<arith::ConstantOp>())
      builder.clone(*constantOp, scalars);
    thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
    auto takeOff = [&](Value &number, int64_t size) {
      Value count = constant(builder, loc, llvm::divideCeil(size, kTile));
      Value first = multiplyAdd(builder, loc, arith::RemUIOp::create(builder, loc, number, count), kTile, {});
      number = arith::DivUIOp::create(builder, loc, number, count);
      return first;
    };
    firstAcross = takeOff(block, match.across.size);
    firstDown = takeOff(block, match.down.size);
    base.assign(entry.sizes.size(), Value());
    for (auto [axis, index] : llvm::zip(match.others, positionAlong(builder, loc, match.others, 1, block)))
      base[axis.carrier()] = index;
    moving = {match.across.carrier(), match.down.carrier()};
    for (const Axis &axis : match.others)
      moving.push_back(axis.carrier());

    Lanes lanes{func, &plan, thread, {}, {}};
    int64_t width = widthAlong(match.down, llvm::map_to_vector(match.crossed, [&](unsigned number) { return &entry.inputs[number]; }));
    for (unsigned number : match.crossed)
      tiles[number] = sharedMemory(lanes, loc, kTile * kPitch, cast<RankedTensorType>(entry.inputs[number].tensor.getType()).getElementType());
    forShare(match.down, firstDown, match.across, firstAcross, width, [&](Value fast, Value slow, const Indices &indices) {
      for (unsigned number : match.crossed) {
        const Access &access = entry.inputs[number];
        SmallVector<Value> elements = load(access, indices, match.down.carrier(), width);
        for (auto [step, element] : llvm::enumerate(elements))
          memref::StoreOp::create(builder, loc, element, tiles[number], multiplyAdd(builder, loc, slow, kPitch, plus(fast, step)));
      }
    });
    gpu::BarrierOp::create(builder, loc);
    SmallVector<const Access *> outputs;
    for (const Access &access : entry.outputs)
      if (access.tensor)
        outputs.push_back(&access);
    width = widthAlong(match.across, outputs);
    forShare(match.across, firstAcross, match.down, firstDown, width, [&](Value fast, Value slow, const Indices &indices) { compute(fast, slow, indices, width); });
  }

private:
  Value plus(Value value, int64_t offset) {
    return offset == 0 ? value : arith::AddIOp::create(builder, loc, value, constant(builder, loc, offset), arith::IntegerOverflowFlags::nsw).getResult();
  }

  // Elements that all of the accesses have in one vector along the axis.
  int64_t widthAlong(const Axis &axis, ArrayRef<const Access *> accesses) {
    int64_t width = kVector;
    for (const Access *access : accesses)
      while (width > 1 && (width * access->elementBytes() > 16 || axis.size % width != 0 || !isVector(*access, axis.carrier(), width, moving)))
        width /= 2;
    return width;
  }

  // A thread's elements of the tile, `width` along the fast axis at a time, as far as there are any. The body gets the place in the tile and the indices.
  void forShare(const Axis &fastAxis, Value firstFast, const Axis &slowAxis, Value firstSlow, int64_t width, function_ref<void(Value, Value, const Indices &)> body) {
    int64_t across = kTile / width;
    for (int64_t round = 0; round < kTile * across / kThreads; ++round) {
      Value fast = multiplyAdd(builder, loc, arith::RemUIOp::create(builder, loc, thread, constant(builder, loc, across)), width, {});
      Value slow = plus(arith::DivUIOp::create(builder, loc, thread, constant(builder, loc, across)), round * (kThreads / across));
      Indices indices = base;
      Value inside;
      for (auto [axis, first, at] : {std::tuple(&fastAxis, firstFast, fast), std::tuple(&slowAxis, firstSlow, slow)}) {
        Value index = arith::AddIOp::create(builder, loc, first, at, arith::IntegerOverflowFlags::nsw);
        indices[axis->carrier()] = index;
        if (axis->size % kTile == 0)
          continue;
        Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, index, constant(builder, loc, axis->size));
        inside = inside ? arith::AndIOp::create(builder, loc, inside, fits).getResult() : fits;
      }
      if (!inside) {
        body(fast, slow, indices);
        continue;
      }
      auto branch = scf::IfOp::create(builder, loc, inside, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(branch.thenYield());
      body(fast, slow, indices);
    }
  }

  Value bufferOf(Value tensor) {
    if (auto argument = dyn_cast<BlockArgument>(tensor))
      return func.getArgument(argument.getArgNumber());
    return func.getArgument(destinationsOf(tensor).front());
  }

  // The arguments that a value of the kernel is returned in.
  SmallVector<int64_t, 1> destinationsOf(Value tensor) {
    if (auto home = plan.homes.find(tensor); home != plan.homes.end())
      return home->second.destinations;
    SmallVector<int64_t, 1> found;
    int64_t firstInit = kernel.getNumArguments() - kernel.getNumResults();
    for (OpOperand &returned : kernel.getBody().front().getTerminator()->getOpOperands())
      if (returned.get() == tensor)
        found.push_back(firstInit + returned.getOperandNumber());
    return found;
  }

  Value flattened(Value buffer) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&func.getBody().front());
    return raf::flattened(builder, loc, buffer);
  }

  SmallVector<Value> position(const Access &access, const Indices &indices, int64_t loop, int64_t step) {
    if (cast<RankedTensorType>(access.tensor.getType()).getRank() == 0)
      return {};
    Value sum = constant(builder, loc, access.offset + (loop >= 0 ? step * access.strides[loop] : 0));
    for (auto [index, stride] : llvm::zip(indices, access.strides))
      if (index && stride != 0)
        sum = multiplyAdd(builder, loc, index, stride, sum);
    return {sum};
  }

  SmallVector<Value> load(const Access &access, const Indices &indices, int64_t loop, int64_t width) {
    Value buffer = flattened(bufferOf(access.tensor));
    if (width == 1 || !isVector(access, loop, width, moving)) {
      SmallVector<Value> elements;
      for (int64_t step = 0; step < width; ++step) {
        if (step > 0 && access.strides[loop] == 0)
          elements.push_back(elements.front());
        else
          elements.push_back(memref::LoadOp::create(builder, loc, buffer, position(access, indices, loop, step)));
      }
      return elements;
    }
    auto type = VectorType::get({width}, cast<MemRefType>(buffer.getType()).getElementType());
    Value loaded = vector::LoadOp::create(builder, loc, type, buffer, position(access, indices, loop, 0), /*nontemporal=*/false, llvm::MaybeAlign(width * access.elementBytes()));
    SmallVector<Value> elements;
    for (int64_t i = 0; i < width; ++i)
      elements.push_back(vector::ExtractOp::create(builder, loc, loaded, i));
    return elements;
  }

  void store(const Access &access, ArrayRef<Value> elements, const Indices &indices, int64_t loop) {
    for (int64_t destination : destinationsOf(access.tensor)) {
      Value buffer = flattened(func.getArgument(destination));
      if (elements.size() == 1) {
        memref::StoreOp::create(builder, loc, elements.front(), buffer, position(access, indices, loop, 0));
        continue;
      }
      auto type = VectorType::get({static_cast<int64_t>(elements.size())}, elements.front().getType());
      Value packed = vector::FromElementsOp::create(builder, loc, type, elements);
      vector::StoreOp::create(builder, loc, packed, buffer, position(access, indices, loop, 0), /*nontemporal=*/false, llvm::MaybeAlign(elements.size() * access.elementBytes()));
    }
  }

  void compute(Value fast, Value slow, const Indices &indices, int64_t width) {
    int64_t loop = match.across.carrier();
    Block *body = op.getBody();
    SmallVector<SmallVector<Value>> arguments(op.getNumDpsInputs());
    for (auto [number, input] : llvm::enumerate(op.getDpsInputs())) {
      if (body->getArgument(number).use_empty())
        continue;
      const Access &access = entry.inputs[number];
      if (!access.tensor) {
        Value scalar = isa<RankedTensorType>(input.getType()) ? fillValue(input) : input;
        arguments[number].assign(width, scalars.lookupOrDefault(scalar));
      } else if (auto tile = tiles.find(number); tile != tiles.end()) {
        for (int64_t step = 0; step < width; ++step)
          arguments[number].push_back(memref::LoadOp::create(builder, loc, tile->second, multiplyAdd(builder, loc, plus(fast, step), kPitch, slow)));
      } else {
        arguments[number] = load(access, indices, loop, width);
      }
    }
    SmallVector<SmallVector<Value>> results(op.getNumResults());
    for (int64_t step = 0; step < width; ++step) {
      IRMapping mapping = scalars;
      for (auto [number, elements] : llvm::enumerate(arguments))
        if (!elements.empty())
          mapping.map(body->getArgument(number), elements[step]);
      auto indexOf = [&](int64_t l) -> Value { return plus(indices[l] ? indices[l] : constant(builder, loc, 0), l == loop ? step : 0); };
      for (auto [result, value] : llvm::zip(results, cloneBody(builder, op, mapping, indexOf, [&](Value tensor) { return bufferOf(tensor); })))
        result.push_back(value);
    }
    for (auto [access, elements] : llvm::zip(entry.outputs, results))
      if (access.tensor)
        store(access, elements, indices, loop);
  }

  gpu::GPUFuncOp func;
  func::FuncOp kernel;
  const StagePlan &plan;
  const Transposition &match;
  const OpPlan &entry;
  GenericOp op;
  OpBuilder builder;
  Location loc;
  IRMapping scalars;
  Value thread, firstAcross, firstDown;
  Indices base;
  SmallVector<int64_t> moving;
  DenseMap<unsigned, Value> tiles;
};
} // namespace

void mlir::raf::emitTransposition(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const Transposition &transposition) {
  TranspositionEmitter(func, kernel, plan, transposition).run();
}
