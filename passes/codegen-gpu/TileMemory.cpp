// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-gpu/TileMemory.h"
#include "passes/codegen-gpu/TileProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/codegen-gpu/Lanes.h"
#include "passes/codegen-gpu/Loops.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::raf;

//===-- threads --------------------------------------------------------------------------------------------------===//

static constexpr int64_t kWarp = 32;

ThreadGrid::ThreadGrid(OpBuilder &builder, Location loc, int64_t warpsDown) : builder(builder), loc(loc), warpsDown(warpsDown) {
  thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  auto div = [&](Value value, int64_t by) -> Value { return builder.createOrFold<arith::DivUIOp>(loc, value, constant(by)); };
  auto rem = [&](Value value, int64_t by) -> Value { return builder.createOrFold<arith::RemUIOp>(loc, value, constant(by)); };
  if (!hasMatrices()) {
    down = div(thread, kAcross);
    across = rem(thread, kAcross);
    return;
  }
  Value warp = div(thread, kWarp);
  lane = rem(thread, kWarp);
  warpDown = div(warp, numWarpsAcross());
  warpAcross = rem(warp, numWarpsAcross());
  down = multiplyAdd(warpDown, kMatrixRows, div(lane, 4));
  across = multiplyAdd(warpAcross, kMatrixColumns, multiplyAdd(rem(lane, 4), 2, constant(0)));
}

int64_t ThreadGrid::share(int64_t dim, int64_t size, int64_t warpsDown) {
  if (warpsDown == 0)
    return llvm::divideCeil(size, dim == 0 ? kDown : kAcross);
  return 2 * llvm::divideCeil(size, dim == 0 ? kMatrixRows * warpsDown : kMatrixColumns * kWarps / warpsDown);
}

Value ThreadGrid::constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

Value ThreadGrid::multiplyAdd(Value a, int64_t factor, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, builder.createOrFold<arith::MulIOp>(loc, a, constant(factor)), b);
}

Value ThreadGrid::position(int64_t dim, int64_t number, int64_t size, Value *inside) {
  int64_t grid = dim == 0 ? kDown : kAcross, offset = number * grid, last = offset + grid - 1;
  if (hasMatrices()) {
    grid = dim == 0 ? kMatrixRows * warpsDown : kMatrixColumns * numWarpsAcross();
    offset = number / 2 * grid + number % 2 * (dim == 0 ? kMatrixRows / 2 : 1);
    last = offset + grid - (dim == 0 ? kMatrixRows / 2 + 1 : 2);
  }
  Value at = builder.createOrFold<arith::AddIOp>(loc, dim == 0 ? down : across, constant(offset));
  if (last < size)
    return at;
  if (inside)
    *inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, at, constant(size));
  // The two columns of matrix instructions stay neighbours: both may be loaded at once.
  bool isFirstOfTwo = hasMatrices() && dim == 1 && number % 2 == 0 && size % 2 == 0;
  return arith::MinUIOp::create(builder, loc, at, constant(size - (isFirstOfTwo ? 2 : 1)));
}

Value ThreadGrid::insideAcross(int64_t number, int64_t size) {
  Value inside;
  position(1, number, size, &inside);
  return inside;
}

int64_t ThreadGrid::registersOf(RankedTensorType type) const {
  int64_t count = 1;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    count *= share(dim, type.getDimSize(dim));
  return count;
}

ThreadGrid::Place ThreadGrid::placeOf(RankedTensorType type, int64_t number) {
  Place place;
  int64_t numbers[2] = {number, 0};
  if (type.getRank() == 2)
    numbers[0] = number / share(1, type.getDimSize(1)), numbers[1] = number % share(1, type.getDimSize(1));
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value inside;
    place.at.push_back(position(dim, numbers[dim], type.getDimSize(dim), &inside));
    if (inside)
      place.inside = place.inside ? arith::AndIOp::create(builder, loc, place.inside, inside).getResult() : inside;
  }
  return place;
}

Value ThreadGrid::isFirst() { return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, thread, constant(0)); }

// The loop carries where the rows are and what is made: it takes the first row and leaves its own as the last.
SmallVector<Value> ThreadGrid::byRows(RankedTensorType type, function_ref<Value(int64_t, ArrayRef<Value>)> element) {
  int64_t down = share(0, type.getDimSize(0)), across = share(1, type.getDimSize(1));
  SmallVector<Value> carried, columns;
  for (int64_t row = 0; row < down; ++row)
    carried.push_back(position(0, row, type.getDimSize(0)));
  for (int64_t column = 0; column < across; ++column)
    columns.push_back(position(1, column, type.getDimSize(1)));
  carried.append(down * across, arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType())));
  auto loop = scf::ForOp::create(builder, loc, constant(0), constant(down), constant(1), carried);
  keepRolled(loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ValueRange rows = loop.getRegionIterArgs().take_front(down);
  SmallVector<Value> next(rows.drop_front());
  next.push_back(rows.front());
  llvm::append_range(next, loop.getRegionIterArgs().drop_front(down + across));
  for (int64_t column = 0; column < across; ++column)
    next.push_back(element(column, {rows.front(), columns[column]}));
  scf::YieldOp::create(builder, loc, next);
  return SmallVector<Value>(loop.getResults().drop_front(down));
}

Value ThreadGrid::isFirstAcross() { return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, across, constant(0)); }

// A shuffle moves 32 bits.
static Value shuffled(OpBuilder &builder, Location loc, Value value, int64_t offset) {
  Type type = value.getType(), i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto exchange = [&](Value word) { return gpu::ShuffleOp::create(builder, loc, word, offset, 32, gpu::ShuffleMode::XOR).getShuffleResult(); };
  if (type.getIntOrFloatBitWidth() == 32)
    return exchange(value);
  if (type.getIntOrFloatBitWidth() < 32) {
    Value bits = arith::BitcastOp::create(builder, loc, builder.getIntegerType(type.getIntOrFloatBitWidth()), value);
    Value word = exchange(arith::ExtUIOp::create(builder, loc, i32, bits));
    return arith::BitcastOp::create(builder, loc, type, arith::TruncIOp::create(builder, loc, bits.getType(), word));
  }
  Value bits = arith::BitcastOp::create(builder, loc, i64, value), half = arith::ConstantIntOp::create(builder, loc, 32, 64);
  Value low = exchange(arith::TruncIOp::create(builder, loc, i32, bits));
  Value high = exchange(arith::TruncIOp::create(builder, loc, i32, arith::ShRUIOp::create(builder, loc, bits, half)));
  Value upper = arith::ShLIOp::create(builder, loc, arith::ExtUIOp::create(builder, loc, i64, high), half);
  return arith::BitcastOp::create(builder, loc, type, arith::OrIOp::create(builder, loc, upper, arith::ExtUIOp::create(builder, loc, i64, low)));
}

Value ThreadGrid::combineAcross(Value value, function_ref<Value(Value, Value)> combine) {
  for (int64_t offset = hasMatrices() ? 2 : kAcross / 2; offset > 0; offset /= 2)
    value = combine(value, shuffled(builder, loc, value, offset));
  return value;
}

void ThreadGrid::storeParts(ArrayRef<Value> parts, int64_t rows, Value memory) {
  Value inRow = arith::RemUIOp::create(builder, loc, lane, constant(4)), isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, inRow, constant(0));
  for (auto [number, part] : llvm::enumerate(parts)) {
    Value inside, row = position(0, number, rows, &inside), writes = inside ? arith::AndIOp::create(builder, loc, inside, isFirst).getResult() : isFirst;
    scf::IfOp::create(builder, loc, writes, [&, part = part](OpBuilder &inner, Location at) {
      memref::StoreOp::create(inner, at, part, memory, multiplyAdd(row, numWarpsAcross(), warpAcross));
      scf::YieldOp::create(inner, at);
    });
  }
}

void ThreadGrid::combineParts(MutableArrayRef<Value> parts, int64_t rows, Value memory, function_ref<Value(Value, Value)> combine) {
  for (auto [number, part] : llvm::enumerate(parts)) {
    Value row = position(0, number, rows);
    part = {};
    for (int64_t warp = 0; warp < numWarpsAcross(); ++warp) {
      Value next = memref::LoadOp::create(builder, loc, memory, multiplyAdd(row, numWarpsAcross(), constant(warp)));
      part = part ? combine(part, next) : next;
    }
  }
}

//===-- memory ---------------------------------------------------------------------------------------------------===//

SharedTile SharedTile::describe(RankedTensorType type, bool forMatrices) {
  SharedTile tile;
  tile.type = type;
  tile.rows = forMatrices ? llvm::alignTo(type.getDimSize(0), ThreadGrid::kMatrixRows) : type.getDimSize(0);
  tile.columns = forMatrices ? llvm::alignTo(type.getDimSize(1), ThreadGrid::kStepBytes / tile.elementBytes()) : type.getDimSize(1);
  tile.pitch = (llvm::alignTo(tile.columns * tile.elementBytes(), 16) + 16) / tile.elementBytes();
  return tile;
}

SharedTile SharedTile::create(gpu::GPUFuncOp func, Location loc, RankedTensorType type, bool forMatrices) {
  SharedTile tile = describe(type, forMatrices);
  Lanes lanes{func, nullptr, {}, {}, {}};
  tile.memory = sharedMemory(lanes, loc, tile.numElements(), type.getElementType());
  return tile;
}

void SharedTile::clear(OpBuilder &builder, Location loc, ThreadGrid &threads) const {
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  int64_t width = 16 / elementBytes();
  Value zeros = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(VectorType::get({width}, type.getElementType())));
  auto loop = scf::ForOp::create(builder, loc, threads.multiplyAdd(threads.linear(), width, constant(0)), constant(cast<MemRefType>(memory.getType()).getNumElements()), constant(ThreadGrid::kThreads * width));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  vector::StoreOp::create(builder, loc, zeros, memory, loop.getInductionVar(), /*nontemporal=*/false, llvm::MaybeAlign(16));
}

// The largest power of two, at most 16, that divides the value.
static int64_t factorOf(OpFoldResult value) {
  constexpr int64_t kMost = 16;
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant == 0 ? kMost : std::min(kMost, *constant & -*constant);
  Operation *op = cast<Value>(value).getDefiningOp();
  if (!op || op->getNumOperands() != 2)
    return 1;
  if (isa<arith::MulIOp>(op))
    return std::min(kMost, factorOf(op->getOperand(0)) * factorOf(op->getOperand(1)));
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(op))
    return std::min(factorOf(op->getOperand(0)), factorOf(op->getOperand(1)));
  return 1;
}

template <typename Op>
static llvm::SmallBitVector droppedDims(Operation *op) {
  auto box = dyn_cast<Op>(op);
  return box ? box.getDroppedDims() : llvm::SmallBitVector();
}

BoxAccess::BoxAccess(OpBuilder &builder, Location loc, Value given)
    : buffer(flattened(builder, loc, given)), first(arith::ConstantIndexOp::create(builder, loc, 0)), strides(cast<MemRefType>(given.getType()).getStridesAndOffset().first) {}

static llvm::SmallBitVector droppedDimsOf(Operation *box) {
  llvm::SmallBitVector dropped = droppedDims<tensor::ExtractSliceOp>(box);
  if (dropped.empty())
    dropped = droppedDims<tensor::InsertSliceOp>(box);
  return dropped.empty() ? droppedDims<tensor::ParallelInsertSliceOp>(box) : dropped;
}

BoxAccess BoxAccess::describe(MemRefType type, OffsetSizeAndStrideOpInterface box) {
  BoxAccess access;
  llvm::SmallBitVector dropped = droppedDimsOf(box);
  SmallVector<int64_t> all = type.getStridesAndOffset().first;
  for (auto [dim, offset] : llvm::enumerate(box.getMixedOffsets())) {
    if (!dropped[dim])
      access.strides.push_back(all[dim]);
    access.factor = std::min(access.factor, factorOf(offset) * factorOf(OpFoldResult(IntegerAttr::get(IndexType::get(type.getContext()), all[dim]))));
  }
  return access;
}

BoxAccess::BoxAccess(OpBuilder &builder, Location loc, Value given, OffsetSizeAndStrideOpInterface box, const IRMapping &scalars) {
  auto type = cast<MemRefType>(given.getType());
  *this = describe(type, box);
  buffer = flattened(builder, loc, given);
  first = arith::ConstantIndexOp::create(builder, loc, 0);
  SmallVector<int64_t> all = type.getStridesAndOffset().first;
  for (auto [dim, offset] : llvm::enumerate(box.getMixedOffsets())) {
    Value at = getValueOrCreateConstantIndexOp(builder, loc, offset);
    Value stride = arith::ConstantIndexOp::create(builder, loc, all[dim]);
    first = builder.createOrFold<arith::AddIOp>(loc, first, builder.createOrFold<arith::MulIOp>(loc, scalars.lookupOrDefault(at), stride));
  }
}

Value BoxAccess::address(OpBuilder &builder, Location loc, ArrayRef<Value> at) const {
  Value sum = first;
  for (auto [index, stride] : llvm::zip(at, strides)) {
    Value factor = arith::ConstantIndexOp::create(builder, loc, stride);
    sum = builder.createOrFold<arith::AddIOp>(loc, sum, builder.createOrFold<arith::MulIOp>(loc, index, factor));
  }
  return sum;
}

int64_t BoxAccess::vectorWidth(RankedTensorType tile) const {
  int64_t width = std::max<int64_t>(1, 16 / ((tile.getElementTypeBitWidth() + 7) / 8));
  if (tile.getRank() == 0 || (strides.back() != 1 && tile.getShape().back() != 1))
    return 1;
  while (width > 1 && (tile.getShape().back() % width != 0 || strides.front() % width != 0 || factor % width != 0))
    width /= 2;
  return width;
}

void mlir::raf::bringTile(OpBuilder &builder, Location loc, ThreadGrid &threads, const BoxAccess &box, const SharedTile &tile) {
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  int64_t width = box.vectorWidth(tile.type), across = tile.type.getDimSize(1) / width, units = tile.type.getDimSize(0) * across;
  auto type = VectorType::get({width}, tile.type.getElementType());
  llvm::MaybeAlign align(width * tile.elementBytes());
  struct Unit {
    Value loaded, to, inside;
  };
  auto load = [&](Value number, bool mayEnd) {
    Unit unit;
    if (mayEnd) {
      unit.inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, number, constant(units));
      number = arith::MinUIOp::create(builder, loc, number, constant(units - 1));
    }
    Value row = arith::DivUIOp::create(builder, loc, number, constant(across));
    Value column = builder.createOrFold<arith::MulIOp>(loc, arith::RemUIOp::create(builder, loc, number, constant(across)), constant(width));
    Value from = box.address(builder, loc, {row, column});
    unit.to = threads.multiplyAdd(row, tile.pitch, column);
    if (width == 1)
      unit.loaded = memref::LoadOp::create(builder, loc, box.buffer, from);
    else
      unit.loaded = vector::LoadOp::create(builder, loc, type, box.buffer, from, /*nontemporal=*/false, align);
    return unit;
  };
  auto store = [&](const Unit &unit) {
    auto write = [&](OpBuilder &inner) {
      if (width == 1)
        memref::StoreOp::create(inner, loc, unit.loaded, tile.memory, unit.to);
      else
        vector::StoreOp::create(inner, loc, unit.loaded, tile.memory, unit.to, /*nontemporal=*/false, align);
    };
    if (!unit.inside)
      return write(builder);
    scf::IfOp::create(builder, loc, unit.inside, [&](OpBuilder &inner, Location at) {
      write(inner);
      scf::YieldOp::create(inner, at);
    });
  };
  // Some loads are on their way before the first one is waited for.
  constexpr int64_t kAtOnce = 4;
  int64_t rounds = llvm::divideCeil(units, ThreadGrid::kThreads), whole = units / ThreadGrid::kThreads / kAtOnce * kAtOnce;
  auto group = [&](Value first, int64_t count, int64_t checkedFrom) {
    SmallVector<Unit> some;
    for (int64_t i = 0; i < count; ++i)
      some.push_back(load(builder.createOrFold<arith::AddIOp>(loc, first, constant(i * ThreadGrid::kThreads)), i >= checkedFrom));
    llvm::for_each(some, store);
  };
  if (whole > kAtOnce) {
    auto loop = scf::ForOp::create(builder, loc, constant(0), constant(whole * ThreadGrid::kThreads), constant(kAtOnce * ThreadGrid::kThreads));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    group(builder.createOrFold<arith::AddIOp>(loc, threads.linear(), loop.getInductionVar()), kAtOnce, kAtOnce);
  } else if (whole > 0) {
    group(threads.linear(), whole, whole);
  }
  int64_t left = rounds - whole, full = units / ThreadGrid::kThreads - whole;
  if (left > 0)
    group(builder.createOrFold<arith::AddIOp>(loc, threads.linear(), constant(whole * ThreadGrid::kThreads)), left, full);
}

static llvm::MaybeAlign alignmentOf(Type element, int64_t count) { return llvm::MaybeAlign(count * llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)); }

SmallVector<Value> mlir::raf::loadElements(OpBuilder &builder, Location loc, int64_t count, Value memory, Value at) {
  if (count == 1)
    return {memref::LoadOp::create(builder, loc, memory, at)};
  Type type = cast<MemRefType>(memory.getType()).getElementType();
  Value packed = vector::LoadOp::create(builder, loc, VectorType::get({count}, type), memory, at, /*nontemporal=*/false, alignmentOf(type, count));
  SmallVector<Value> elements;
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(vector::ExtractOp::create(builder, loc, packed, i));
  return elements;
}

void mlir::raf::storeElements(OpBuilder &builder, Location loc, ValueRange elements, Value memory, Value at) {
  Type type = elements.front().getType();
  if (elements.size() == 1) {
    memref::StoreOp::create(builder, loc, elements.front(), memory, at);
    return;
  }
  Value packed = vector::FromElementsOp::create(builder, loc, VectorType::get({static_cast<int64_t>(elements.size())}, type), elements);
  vector::StoreOp::create(builder, loc, packed, memory, at, /*nontemporal=*/false, alignmentOf(type, elements.size()));
}

//===-- copies ahead ---------------------------------------------------------------------------------------------===//

// The ops of the loop's body that compute where the box is, in order; null if other things have a part in it.
static std::optional<SmallVector<Operation *>> positionOf(scf::ForOp loop, tensor::ExtractSliceOp slice) {
  llvm::SmallPtrSet<Operation *, 8> needed;
  SmallVector<Value> pending(slice.getOffsets());
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (value == loop.getInductionVar() || value.getParentBlock() != loop.getBody())
      continue;
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumRegions() > 0 || !isMemoryEffectFree(op) || llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>))
      return std::nullopt;
    if (needed.insert(op).second)
      llvm::append_range(pending, op->getOperands());
  }
  SmallVector<Operation *> ordered;
  for (Operation &op : *loop.getBody())
    if (needed.contains(&op))
      ordered.push_back(&op);
  return ordered;
}

// What a copy moves has 4, 8 or 16 bytes.
static constexpr int64_t kLeastCopied = 4, kMostCopied = 16, kMostRounds = 8;

static int64_t roundsOf(RankedTensorType tile, int64_t width) { return llvm::divideCeil(tile.getNumElements() / width, ThreadGrid::kThreads); }

bool CopiesAhead::isPossible(scf::ForOp loop, tensor::ExtractSliceOp slice, MemRefType buffer) {
  RankedTensorType type = slice.getType();
  if (slice->getBlock() != loop.getBody() || !type.hasStaticShape() || type.getRank() != 2 || !slice.hasUnitStride() || !positionOf(loop, slice))
    return false;
  int64_t width = BoxAccess::describe(buffer, slice).vectorWidth(type), bytes = width * type.getElementTypeBitWidth() / 8;
  return bytes >= kLeastCopied && roundsOf(type, width) <= kMostRounds;
}

void CopiesAhead::start(OpBuilder &builder, Location loc, ThreadGrid &threads, Value iteration, Value parity, Value exists, const IRMapping &scalars) const {
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto start = [&](const Copy &copy) {
    auto slice = cast<tensor::ExtractSliceOp>(copy.slice);
    RankedTensorType type = slice.getType();
    IRMapping values = scalars;
    values.map(scf::ForOp(loop).getInductionVar(), iteration);
    SmallVector<Operation *> ops = *positionOf(loop, slice);
    for (Operation *op : ops)
      builder.clone(*op, values);
    BoxAccess box(builder, loc, copy.buffer, slice, values);
    int64_t width = box.vectorWidth(type), across = type.getDimSize(1) / width, units = type.getNumElements() / width;
    Value slot = threads.multiplyAdd(parity, copy.tile.numElements(), constant(0));
    for (int64_t round = 0; round < roundsOf(type, width); ++round) {
      Value number = builder.createOrFold<arith::AddIOp>(loc, threads.linear(), constant(round * ThreadGrid::kThreads)), inside;
      if ((round + 1) * ThreadGrid::kThreads > units)
        inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, number, constant(units));
      emitIf(builder, loc, inside, [&] {
        Value row = arith::DivUIOp::create(builder, loc, number, constant(across));
        Value column = builder.createOrFold<arith::MulIOp>(loc, arith::RemUIOp::create(builder, loc, number, constant(across)), constant(width));
        Value to = builder.createOrFold<arith::AddIOp>(loc, slot, threads.multiplyAdd(row, copy.tile.pitch, column));
        bool bypassesL1 = width * copy.tile.elementBytes() == kMostCopied;
        nvgpu::DeviceAsyncCopyOp::create(builder, loc, nvgpu::DeviceAsyncTokenType::get(builder.getContext()), copy.tile.memory, to, box.buffer, box.address(builder, loc, {row, column}),
                                         builder.getIndexAttr(width), Value(), bypassesL1 ? builder.getUnitAttr() : UnitAttr());
      });
    }
  };
  emitIf(builder, loc, exists, [&] { llvm::for_each(copies, start); });
  NVVM::CpAsyncCommitGroupOp::create(builder, loc);
}

void CopiesAhead::wait(OpBuilder &builder, Location loc) { NVVM::CpAsyncWaitGroupOp::create(builder, loc, 0); }
