// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-gpu/TileProduct.h"
#include "passes/codegen-gpu/Loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/codegen-gpu/Lanes.h"
#include "passes/codegen/ScalarBody.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

//===-- threads --------------------------------------------------------------------------------------------------===//

ThreadGrid::ThreadGrid(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {
  thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  down = arith::DivUIOp::create(builder, loc, thread, constant(kAcross));
  across = arith::RemUIOp::create(builder, loc, thread, constant(kAcross));
}

Value ThreadGrid::constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

Value ThreadGrid::multiplyAdd(Value a, int64_t factor, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, builder.createOrFold<arith::MulIOp>(loc, a, constant(factor)), b);
}

Value ThreadGrid::position(int64_t dim, int64_t number, int64_t size, Value *inside) {
  int64_t grid = dim == 0 ? kDown : kAcross;
  Value at = builder.createOrFold<arith::AddIOp>(loc, dim == 0 ? down : across, constant(number * grid));
  if ((number + 1) * grid <= size)
    return at;
  if (inside)
    *inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, at, constant(size));
  return arith::MinUIOp::create(builder, loc, at, constant(size - 1));
}

Value ThreadGrid::insideAcross(int64_t number, int64_t size) {
  Value inside;
  position(1, number, size, &inside);
  return inside;
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
  for (int64_t offset = kAcross / 2; offset > 0; offset /= 2)
    value = combine(value, shuffled(builder, loc, value, offset));
  return value;
}

//===-- memory ---------------------------------------------------------------------------------------------------===//

SharedTile SharedTile::create(gpu::GPUFuncOp func, Location loc, RankedTensorType type) {
  SharedTile tile;
  tile.type = type;
  tile.pitch = (llvm::alignTo(type.getDimSize(1) * tile.elementBytes(), 16) + 16) / tile.elementBytes();
  Lanes lanes{func, nullptr, {}, {}, {}};
  tile.memory = sharedMemory(lanes, loc, type.getDimSize(0) * tile.pitch, type.getElementType());
  return tile;
}

// The largest power of two, at most 16, that divides the value.
static int64_t factorOf(Value value) {
  constexpr int64_t kMost = 16;
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant == 0 ? kMost : std::min(kMost, *constant & -*constant);
  Operation *op = value.getDefiningOp();
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
    : buffer(flattened(builder, loc, given)), first(arith::ConstantIndexOp::create(builder, loc, 0)), strides(cast<MemRefType>(given.getType()).getStridesAndOffset().first), factor(16) {}

BoxAccess::BoxAccess(OpBuilder &builder, Location loc, Value given, OffsetSizeAndStrideOpInterface box, const IRMapping &scalars) : buffer(flattened(builder, loc, given)) {
  auto type = cast<MemRefType>(given.getType());
  llvm::SmallBitVector dropped = droppedDims<tensor::ExtractSliceOp>(box);
  if (dropped.empty())
    dropped = droppedDims<tensor::InsertSliceOp>(box);
  if (dropped.empty())
    dropped = droppedDims<tensor::ParallelInsertSliceOp>(box);
  SmallVector<int64_t> all = type.getStridesAndOffset().first;
  first = arith::ConstantIndexOp::create(builder, loc, 0);
  factor = 16;
  for (auto [dim, offset] : llvm::enumerate(box.getMixedOffsets())) {
    if (!dropped[dim])
      strides.push_back(all[dim]);
    Value at = getValueOrCreateConstantIndexOp(builder, loc, offset);
    Value stride = arith::ConstantIndexOp::create(builder, loc, all[dim]);
    factor = std::min(factor, factorOf(at) * factorOf(stride));
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
  if (strides.back() != 1 && tile.getShape().back() != 1)
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

//===-- products -------------------------------------------------------------------------------------------------===//

std::optional<TileProduct> TileProduct::match(GenericOp op) {
  if (op.getNumLoops() != 3 || op.getNumReductionLoops() != 1 || op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return std::nullopt;
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<RankedTensorType>(operand.getType()); !type || type.getRank() != 2)
      return std::nullopt;
  std::optional<SmallVector<Operation *>> found = combiners(op);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!found || !found->front() || !llvm::all_of(maps, [](AffineMap map) { return map.isProjectedPermutation(); }))
    return std::nullopt;
  unsigned row = maps[2].getDimPosition(0), column = maps[2].getDimPosition(1);
  TileProduct product;
  product.op = op;
  product.a = maps[0].isFunctionOfDim(row) ? 0 : 1;
  product.b = 1 - product.a;
  AffineMap ofA = maps[product.a], ofB = maps[product.b];
  if (!ofA.isFunctionOfDim(row) || ofA.isFunctionOfDim(column) || !ofB.isFunctionOfDim(column) || ofB.isFunctionOfDim(row))
    return std::nullopt;
  product.rowsOfA = ofA.getDimPosition(0) == row;
  product.columnsOfB = ofB.getDimPosition(0) == column;
  product.depth = op.getStaticLoopRanges()[3 - row - column];
  return product;
}

SmallVector<Value> TileProduct::emit(OpBuilder &builder, ThreadGrid &threads, const SharedTile &left, const SharedTile &right, SmallVector<Value> sums) const {
  Location loc = op->getLoc();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t down = llvm::divideCeil(result.getDimSize(0), ThreadGrid::kDown), across = llvm::divideCeil(result.getDimSize(1), ThreadGrid::kAcross);
  SmallVector<Value> rows, columns;
  for (int64_t i = 0; i < down; ++i)
    rows.push_back(threads.position(0, i, result.getDimSize(0)));
  for (int64_t j = 0; j < across; ++j)
    columns.push_back(threads.position(1, j, result.getDimSize(1)));
  // The elements of one row (or column) at `count` places of the depth.
  auto bring = [&](const SharedTile &tile, bool depthIsLast, Value line, Value from, int64_t count) {
    SmallVector<Value> elements;
    if (depthIsLast && count > 1) {
      auto type = VectorType::get({count}, tile.type.getElementType());
      Value loaded = vector::LoadOp::create(builder, loc, type, tile.memory, threads.multiplyAdd(line, tile.pitch, from), /*nontemporal=*/false, llvm::MaybeAlign(count * tile.elementBytes()));
      for (int64_t k = 0; k < count; ++k)
        elements.push_back(vector::ExtractOp::create(builder, loc, loaded, k));
      return elements;
    }
    for (int64_t k = 0; k < count; ++k) {
      Value at = builder.createOrFold<arith::AddIOp>(loc, from, constant(k));
      Value address = depthIsLast ? threads.multiplyAdd(line, tile.pitch, at) : threads.multiplyAdd(at, tile.pitch, line);
      elements.push_back(memref::LoadOp::create(builder, loc, tile.memory, address));
    }
    return elements;
  };
  auto step = [&](Value from, int64_t count, ValueRange before) {
    SmallVector<SmallVector<Value>> as, bs;
    for (Value row : rows)
      as.push_back(bring(left, rowsOfA, row, from, count));
    for (Value column : columns)
      bs.push_back(bring(right, columnsOfB, column, from, count));
    SmallVector<Value> next(before);
    for (int64_t k = 0; k < count; ++k)
      for (int64_t i = 0; i < down; ++i)
        for (int64_t j = 0; j < across; ++j) {
          IRMapping mapping;
          mapping.map(op->getRegion(0).getArgument(a), as[i][k]);
          mapping.map(op->getRegion(0).getArgument(b), bs[j][k]);
          mapping.map(op->getRegion(0).getArgument(2), next[i * across + j]);
          next[i * across + j] = cloneBody(builder, op, mapping, [](int64_t) { return Value(); }, [](Value) { return Value(); }).front();
        }
    return next;
  };
  int64_t unroll = std::min<int64_t>(4, 16 / std::max(left.elementBytes(), right.elementBytes())), whole = depth / unroll * unroll;
  if (whole > 0) {
    auto loop = scf::ForOp::create(builder, loc, constant(0), constant(whole), constant(unroll), sums);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(builder, loc, step(loop.getInductionVar(), unroll, loop.getRegionIterArgs()));
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  }
  for (int64_t k = whole; k < depth; ++k)
    sums = step(constant(k), 1, sums);
  return sums;
}
