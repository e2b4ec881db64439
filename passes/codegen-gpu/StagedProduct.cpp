// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-gpu/StagedProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/codegen-gpu/Lanes.h"
#include "passes/codegen-gpu/Loops.h"

using namespace mlir;
using namespace mlir::raf;

// A row of sums on their way to the epilogue, which keeps the rows that a half warp writes in different banks.
static constexpr int64_t kSumPitch = 32 + 8;

// How many elements of the operand, at most a chunk, are neighbours along the axis wherever it is read.
static int64_t neighbours(const Product &product, const Access &access, const Axis &axis, int64_t chunk) {
  SmallVector<int64_t> moving = product.movingLoops();
  int64_t width = chunk;
  while (width > 1 && (axis.size % width != 0 || !isVector(access, axis.carrier(), width, moving)))
    width /= 2;
  return width;
}

namespace {
// How an operand gets into shared memory.
struct Way {
  bool depthIsFast, alongDepth; // in global and in shared memory
  int64_t width;                // elements that are neighbours in both
  bool isAsync;
};

Way wayOf(const Product &product, unsigned input, ArrayRef<Axis> rows) {
  const Access &access = product.op->inputs[input];
  Type element = cast<RankedTensorType>(access.tensor.getType()).getElementType();
  int64_t bits = element.getIntOrFloatBitWidth();
  const Axis &depth = product.depth.back();
  bool depthIsFast = access.strides[depth.carrier()] == 1, rowsAreFast = access.strides[rows.back().carrier()] == 1;
  // Instructions transpose elements of 16 bits only.
  bool alongDepth = depthIsFast || !rowsAreFast || element.isF32();
  int64_t width = alongDepth == depthIsFast ? neighbours(product, access, depthIsFast ? depth : rows.back(), 128 / bits) : 1;
  return {depthIsFast, alongDepth, width, width * bits >= 32};
}
} // namespace

Value StagedProductEmitter::div(Value value, int64_t by) { return arith::DivUIOp::create(builder, loc, value, constant(by)); }
Value StagedProductEmitter::rem(Value value, int64_t by) { return arith::RemUIOp::create(builder, loc, value, constant(by)); }
Value StagedProductEmitter::exclusiveOr(Value x, Value y) { return arith::XOrIOp::create(builder, loc, x, y); }
Value StagedProductEmitter::isBelow(Value value, int64_t limit) { return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, value, constant(limit)); }

Value StagedProductEmitter::allocate(int64_t bytes) {
  Lanes lanes{func, &plan, {}, {}, {}};
  return sharedMemory(lanes, loc, bytes, builder.getI8Type());
}

void StagedProductEmitter::run() {
  placeTile();
  element = getElementTypeOrSelf(op->getOperand(0).getType());
  chunk = kChunkBytes * 8 / bits();
  depthStep = rowChunks() * chunk;
  int64_t stepBytes = (product.tileRows + product.tileColumns) * rowChunks() * kChunkBytes, warps = product.threads / kWarp;
  memory = allocate(std::max(kSteps * stepBytes, warps * kFragmentRows * kSumPitch * 4));
  Value warp = div(thread, kWarp);
  lane = rem(thread, kWarp);
  group = groups(warp);
  a = side(product.a, product.rows, firstRow, product.numRows, product.tileRows, 0);
  b = side(product.b, product.columns, firstColumn, product.numColumns, product.tileColumns, kSteps * product.tileRows * rowChunks() * kChunkBytes);
  SmallVector<Value> sums = multiplyAll();
  storeSums(fragments(sums), warp);
}

StagedProductEmitter::Side StagedProductEmitter::side(unsigned input, ArrayRef<Axis> rows, Value first, int64_t size, int64_t tile, int64_t offset) {
  Side result;
  result.access = &product.op->inputs[input];
  result.rows = rows;
  result.size = size;
  result.tile = tile;
  result.buffer = flattened(bufferOf(result.access->tensor));
  auto type = MemRefType::get({kSteps * slotSize(result)}, element, MemRefLayoutAttrInterface(), cast<MemRefType>(memory.getType()).getMemorySpace());
  result.shared = memref::ViewOp::create(builder, loc, type, memory, constant(offset), ValueRange());
  Way way = wayOf(product, input, rows);
  bool depthIsFast = way.depthIsFast;
  result.alongDepth = way.alongDepth;
  result.width = way.width;
  result.isAsync = way.isAsync;
  for (int64_t i = 0; i < tile * rowChunks() / product.threads; ++i) {
    Value number = add(thread, i * product.threads), row, depth;
    if (!result.alongDepth) {
      Value line = div(number, tile / chunk), rowChunk = rem(number, tile / chunk);
      result.places.push_back(placeOfLine(result, rowChunk, line));
      row = multiplyAdd(builder, loc, rowChunk, chunk, first);
      depth = line;
    } else {
      // Neighbouring threads go along what is contiguous.
      Value inRow = depthIsFast ? rem(number, rowChunks()) : div(number, tile), inTile = depthIsFast ? div(number, rowChunks()) : rem(number, tile);
      result.places.push_back(placeOf(result, inTile, inRow));
      row = add(first, inTile);
      depth = multiplyAdd(builder, loc, inRow, chunk, {});
    }
    result.depths.push_back(depth);
    SmallVector<Value> &starts = result.starts.emplace_back();
    for (int64_t j = 0; j < (result.alongDepth ? 1 : chunk / result.width); ++j) {
      Value at = add(row, j * result.width);
      // The sums of rows past the end go nowhere, so any rows will do.
      if (size % tile != 0)
        at = arith::MinUIOp::create(builder, loc, at, constant(result.alongDepth ? size - 1 : size - result.width));
      Indices indices = batch;
      place(indices, rows, at);
      starts.push_back(addressOf(*result.access, indices));
    }
  }
  return result;
}

// Calls `body` for each access that brings a part of the thread's chunks: the chunk, the element of it, where the row begins and the place along the depth.
void StagedProductEmitter::forEachAccess(const Side &side, Value from, function_ref<void(int64_t, int64_t, Value, Value)> body) {
  for (int64_t i = 0; i < static_cast<int64_t>(side.places.size()); ++i)
    for (int64_t j = 0; j < chunk; j += side.width)
      body(i, j, side.starts[i][side.alongDepth ? 0 : j / side.width], add(add(from, side.depths[i]), side.alongDepth ? j : 0));
}

Value StagedProductEmitter::addressAt(const Side &side, Value start, Value depth) {
  Access along = *side.access;
  along.offset = 0;
  Indices indices(product.op->sizes.size());
  place(indices, product.depth, depth);
  return add(start, addressOf(along, indices));
}

// Starts the copies of one step of the depth.
void StagedProductEmitter::copy(const Side &side, Value from, Value slot) {
  auto type = VectorType::get({side.width}, element);
  forEachAccess(side, from, [&](int64_t i, int64_t j, Value start, Value depth) {
    Value to = add(multiplyAdd(builder, loc, slot, slotSize(side), side.places[i]), j);
    auto copyOne = [&] {
      nvgpu::DeviceAsyncCopyOp::create(builder, loc, nvgpu::DeviceAsyncTokenType::get(builder.getContext()), side.shared, to, side.buffer, addressAt(side, start, depth),
                                       builder.getIndexAttr(side.width), Value(), side.width * bits() == 128 ? builder.getUnitAttr() : UnitAttr());
    };
    if (!hasTail())
      return copyOne();
    auto branch = scf::IfOp::create(builder, loc, isBelow(depth, product.numDepth), /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenYield());
    copyOne();
    builder.setInsertionPoint(branch.elseYield());
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    vector::StoreOp::create(builder, loc, zero, side.shared, to, /*nontemporal=*/false, llvm::MaybeAlign(side.width * bits() / 8));
  });
}

// The same through registers, for elements that are too narrow to be copied: first they are loaded, then stored. What the last round loads ahead is past the end altogether.
SmallVector<Value> StagedProductEmitter::load(const Side &side, Value from, bool isAhead) {
  SmallVector<Value> elements, chunks;
  forEachAccess(side, from, [&](int64_t, int64_t, Value start, Value depth) {
    Value at = hasTail() || isAhead ? Value(arith::MinUIOp::create(builder, loc, depth, constant(product.numDepth - 1))) : depth;
    Value value = memref::LoadOp::create(builder, loc, side.buffer, addressAt(side, start, at));
    if (hasTail())
      value = arith::SelectOp::create(builder, loc, isBelow(depth, product.numDepth), value, arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element)));
    elements.push_back(value);
  });
  for (size_t i = 0; i < elements.size(); i += chunk)
    chunks.push_back(vector::FromElementsOp::create(builder, loc, VectorType::get({chunk}, element), ValueRange(elements).slice(i, chunk)));
  return chunks;
}

void StagedProductEmitter::store(const Side &side, ArrayRef<Value> chunks, Value slot) {
  for (auto [value, to] : llvm::zip(chunks, side.places))
    vector::StoreOp::create(builder, loc, value, side.shared, multiplyAdd(builder, loc, slot, slotSize(side), to), /*nontemporal=*/false, llvm::MaybeAlign(kChunkBytes));
}

// The copies since the last time are a group. The next round waits for it, which tokens could not say.
void StagedProductEmitter::commit() { NVVM::CpAsyncCommitGroupOp::create(builder, loc); }

SmallVector<Value> StagedProductEmitter::multiplyAll() {
  bool isAsync = a.isAsync || b.isAsync;
  auto sides = {&a, &b};
  auto copyStep = [&](Value from, Value slot) {
    for (const Side *side : sides)
      if (side->isAsync)
        copy(*side, from, slot);
  };
  // What is copied is two steps ahead, what goes through registers one.
  for (int64_t i = 0; isAsync && i + 1 < kSteps; ++i) {
    if (i > 0)
      commit();
    if (i * depthStep < product.numDepth)
      copyStep(constant(i * depthStep), constant(i));
  }
  for (const Side *side : sides)
    if (!side->isAsync)
      store(*side, load(*side, constant(0), false), constant(0));
  SmallVector<Value> carried = start();
  carried.push_back(constant(0));
  carried = emitFor(constant(0), product.numDepth, depthStep, carried, [&](Value from, ValueRange inner) {
    Value slot = inner.back(), last = constant(kSteps - 1);
    if (isAsync) {
      commit();
      NVVM::CpAsyncWaitGroupOp::create(builder, loc, kSteps - 2);
    }
    arrive(slot);
    // This step is there for all threads, and all have computed with the one before, whose slot is free now.
    gpu::BarrierOp::create(builder, loc);
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, slot, constant(0)), isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, slot, last);
    Value before = arith::SelectOp::create(builder, loc, isFirst, last, arith::SubIOp::create(builder, loc, slot, constant(1)));
    Value after = arith::SelectOp::create(builder, loc, isLast, constant(0), add(slot, 1));
    Value ahead = add(from, (kSteps - 1) * depthStep);
    SmallVector<Value> sums;
    if (isMultiplicationAsync())
      sums = multiplyStep(slot, inner.drop_back());
    if (isAsync)
      emitIf(builder, loc, isBelow(ahead, product.numDepth), [&] { copyStep(ahead, before); });
    SmallVector<SmallVector<Value>> loaded;
    for (const Side *side : sides)
      loaded.push_back(side->isAsync ? SmallVector<Value>() : load(*side, add(from, depthStep), true));
    if (!isMultiplicationAsync())
      sums = multiplyStep(slot, inner.drop_back());
    for (auto [side, chunks] : llvm::zip(sides, loaded))
      if (!side->isAsync)
        store(*side, chunks, after);
    sums.push_back(after);
    return sums;
  });
  carried.pop_back();
  return carried;
}

// Fragments are scattered over the lanes. Through shared memory, a group at a time, each lane gets neighbouring columns.
void StagedProductEmitter::storeSums(ArrayRef<Value> sums, Value warp) {
  // All warps have read what is overwritten now.
  gpu::BarrierOp::create(builder, loc);
  Type f32 = builder.getF32Type();
  int64_t warps = product.threads / kWarp, across = kGroupColumns / kFragmentColumns;
  auto type = MemRefType::get({warps * kFragmentRows * kSumPitch}, f32, MemRefLayoutAttrInterface(), cast<MemRefType>(memory.getType()).getMemorySpace());
  Value buffer = memref::ViewOp::create(builder, loc, type, memory, constant(0), ValueRange());
  Value own = multiplyAdd(builder, loc, warp, kFragmentRows * kSumPitch, {}), inRow = rem(lane, 4), row = div(lane, 4);
  Value from = multiplyAdd(builder, loc, row, kSumPitch, multiplyAdd(builder, loc, inRow, 2, own));
  auto meet = [&] { NVVM::SyncWarpOp::create(builder, loc, arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), -1)); };
  int64_t width = finishWidth(8);
  emitFor(constant(0), group.count, 1, {}, [&](Value number, ValueRange) {
    for (int64_t i = 0; i < group.count; ++i)
      emitIf(builder, loc, group.count == 1 ? Value() : arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, number, constant(i)).getResult(), [&] {
        for (int64_t j = 0; j < across; ++j)
          for (int64_t half = 0; half < 2; ++half) {
            Value pair = vector::ExtractOp::create(builder, loc, sums[i * across + j], half);
            vector::StoreOp::create(builder, loc, pair, buffer, add(from, half * 8 * kSumPitch + j * kFragmentColumns), /*nontemporal=*/false, llvm::MaybeAlign(8));
          }
      });
    meet();
    Value top = add(firstRow, multiplyAdd(builder, loc, number, group.rows, group.row)), left = add(firstColumn, multiplyAdd(builder, loc, number, group.columns, group.column));
    emitFor(multiplyAdd(builder, loc, lane, width, {}), kFragmentRows * kGroupColumns, kWarp * width, {}, [&](Value position, ValueRange) {
      Value line = div(position, kGroupColumns), column = rem(position, kGroupColumns), at = multiplyAdd(builder, loc, line, kSumPitch, add(column, own));
      int64_t piece = std::min<int64_t>(width, 4);
      SmallVector<Value> elements;
      for (int64_t step = 0; step < width; step += piece) {
        Value loaded = vector::LoadOp::create(builder, loc, VectorType::get({piece}, f32), buffer, add(at, step), /*nontemporal=*/false, llvm::MaybeAlign(piece * 4));
        for (int64_t i = 0; i < piece; ++i)
          elements.push_back(vector::ExtractOp::create(builder, loc, loaded, i));
      }
      finish(add(top, line), add(left, column), elements);
      return SmallVector<Value>();
    });
    // Before the next group takes the place of this one.
    meet();
    return SmallVector<Value>();
  });
}
