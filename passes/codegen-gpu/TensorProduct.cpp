// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product on tensor cores (mma.sync). A warp has warpRows x 32 results, in fragments of 16 x 8. What it multiplies comes from shared memory, where three steps of the depth lie:
// while one is computed with, the others are under way.
//
// An operand lies there in chunks of 16 bytes, which is what ldmatrix reads of a row. It keeps the order that it has in global memory: rows of four chunks along the depth, or lines of
// the depth with chunks along the rows, which ldmatrix transposes. Chunks are swapped within a row, so that the eight that ldmatrix reads at a time lie in different banks.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/codegen-gpu/Lanes.h"
#include "passes/codegen-gpu/ProductEmitter.h"

using namespace mlir;
using namespace mlir::raf;

namespace {
constexpr int64_t kWarp = 32, kWarpColumns = 32;
constexpr int64_t kChunkBytes = 16, kRowChunks = 4; // of one step of the depth
constexpr int64_t kSteps = 3;
constexpr int64_t kFragmentRows = 16, kFragmentColumns = 8, kFragmentChunks = 2;
// A row of sums on their way to the epilogue, which keeps the rows that a half warp writes in different banks.
constexpr int64_t kSumPitch = kWarpColumns + 8;
// Blocks that keep the largest devices busy.
constexpr int64_t kWantedBlocks = 128;

// One operand.
struct Side {
  const Access *access;
  ArrayRef<Axis> rows;
  int64_t size, tile;                   // rows altogether, and of a block
  Value buffer, shared;
  bool alongDepth;                      // how it lies in shared memory
  int64_t width;                        // elements that are neighbours in global memory
  bool isAsync;
  // Of what the thread brings, by chunk: where it goes, its place along the depth, and by access where the row begins.
  SmallVector<Value> places, depths;
  SmallVector<SmallVector<Value>> starts;
};

class TensorProductEmitter : public ProductEmitter {
public:
  using ProductEmitter::ProductEmitter;

  void run() {
    placeTile();
    element = getElementTypeOrSelf(op->getOperand(0).getType());
    chunk = kChunkBytes * 8 / bits();
    depthStep = kRowChunks * chunk;
    Lanes lanes{func, &plan, {}, {}, {}};
    int64_t stepBytes = (product.tileRows + product.tileColumns) * kRowChunks * kChunkBytes, warps = product.threads / kWarp;
    memory = sharedMemory(lanes, loc, std::max(kSteps * stepBytes, warps * kFragmentRows * kSumPitch * 4), builder.getI8Type());
    Value warp = arith::DivUIOp::create(builder, loc, thread, constant(kWarp)), across = constant(product.tileColumns / kWarpColumns);
    lane = arith::RemUIOp::create(builder, loc, thread, constant(kWarp));
    warpRow = multiplyAdd(builder, loc, arith::DivUIOp::create(builder, loc, warp, across), warpRows(), {});
    warpColumn = multiplyAdd(builder, loc, arith::RemUIOp::create(builder, loc, warp, across), kWarpColumns, {});
    a = side(product.a, product.rows, firstRow, product.numRows, product.tileRows, 0);
    b = side(product.b, product.columns, firstColumn, product.numColumns, product.tileColumns, kSteps * product.tileRows * kRowChunks * kChunkBytes);
    SmallVector<Value> sums = multiplyAll();
    storeSums(sums, warp);
  }

private:
  int64_t warpRows() const { return product.tileRows * product.tileColumns / (product.threads / kWarp) / kWarpColumns; }
  int64_t fragmentsDown() const { return warpRows() / kFragmentRows; }
  static int64_t fragmentsAcross() { return kWarpColumns / kFragmentColumns; }
  int64_t bits() const { return element.getIntOrFloatBitWidth(); }
  int64_t slotSize(const Side &side) const { return side.tile * depthStep; }

  Value div(Value value, int64_t by) { return arith::DivUIOp::create(builder, loc, value, constant(by)); }
  Value rem(Value value, int64_t by) { return arith::RemUIOp::create(builder, loc, value, constant(by)); }
  Value exclusiveOr(Value x, Value y) { return arith::XOrIOp::create(builder, loc, x, y); }
  Value isBelow(Value value, int64_t limit) { return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, value, constant(limit)); }

  // How many elements of the operand are neighbours along the axis wherever it is read.
  int64_t neighbours(const Access &access, const Axis &axis) const {
    SmallVector<int64_t> moving = movingLoops();
    int64_t width = chunk;
    while (width > 1 && (axis.size % width != 0 || !isVector(access, axis.carrier(), width, moving)))
      width /= 2;
    return width;
  }

  // The place of an element in its slot.
  Value placeOf(const Side &side, Value row, Value depthChunk) {
    Value swapped = exclusiveOr(depthChunk, rem(div(row, 2), kRowChunks));
    return multiplyAdd(builder, loc, row, depthStep, multiplyAdd(builder, loc, swapped, chunk, {}));
  }
  Value placeOfLine(const Side &side, Value rowChunk, Value depth) {
    return multiplyAdd(builder, loc, depth, side.tile, multiplyAdd(builder, loc, exclusiveOr(rowChunk, rem(depth, 8)), chunk, {}));
  }

  Side side(unsigned input, ArrayRef<Axis> rows, Value first, int64_t size, int64_t tile, int64_t offset) {
    Side result;
    result.access = &product.op->inputs[input];
    result.rows = rows;
    result.size = size;
    result.tile = tile;
    result.buffer = flattened(bufferOf(result.access->tensor));
    auto type = MemRefType::get({kSteps * slotSize(result)}, element, MemRefLayoutAttrInterface(), cast<MemRefType>(memory.getType()).getMemorySpace());
    result.shared = memref::ViewOp::create(builder, loc, type, memory, constant(offset), ValueRange());
    bool depthIsFast = result.access->strides[product.depth.back().carrier()] == 1, rowsAreFast = result.access->strides[rows.back().carrier()] == 1;
    // ldmatrix transposes elements of 16 bits only.
    result.alongDepth = depthIsFast || !rowsAreFast || element.isF32();
    result.width = result.alongDepth == depthIsFast ? neighbours(*result.access, depthIsFast ? product.depth.back() : rows.back()) : 1;
    result.isAsync = result.width * bits() >= 32;
    for (int64_t i = 0; i < tile * kRowChunks / product.threads; ++i) {
      Value number = add(thread, i * product.threads), row, depth;
      if (!result.alongDepth) {
        Value line = div(number, tile / chunk), rowChunk = rem(number, tile / chunk);
        result.places.push_back(placeOfLine(result, rowChunk, line));
        row = multiplyAdd(builder, loc, rowChunk, chunk, first);
        depth = line;
      } else {
        // Neighbouring threads go along what is contiguous.
        Value inRow = depthIsFast ? rem(number, kRowChunks) : div(number, tile), inTile = depthIsFast ? div(number, kRowChunks) : rem(number, tile);
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
  void forEachAccess(const Side &side, Value from, function_ref<void(int64_t, int64_t, Value, Value)> body) {
    for (int64_t i = 0; i < static_cast<int64_t>(side.places.size()); ++i)
      for (int64_t j = 0; j < chunk; j += side.width)
        body(i, j, side.starts[i][side.alongDepth ? 0 : j / side.width], add(add(from, side.depths[i]), side.alongDepth ? j : 0));
  }

  Value addressAt(const Side &side, Value start, Value depth) {
    Access along = *side.access;
    along.offset = 0;
    Indices indices(product.op->sizes.size());
    place(indices, product.depth, depth);
    return add(start, addressOf(along, indices));
  }

  bool hasTail() const { return product.numDepth % depthStep != 0; }

  // Starts the copies of one step of the depth.
  void copy(const Side &side, Value from, Value slot) {
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
  SmallVector<Value> load(const Side &side, Value from, bool isAhead) {
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

  void store(const Side &side, ArrayRef<Value> chunks, Value slot) {
    for (auto [value, to] : llvm::zip(chunks, side.places))
      vector::StoreOp::create(builder, loc, value, side.shared, multiplyAdd(builder, loc, slot, slotSize(side), to), /*nontemporal=*/false, llvm::MaybeAlign(kChunkBytes));
  }

  // The copies since the last time are a group. The next round waits for it, which tokens could not say.
  void commit() { NVVM::CpAsyncCommitGroupOp::create(builder, loc); }

  SmallVector<Value> multiplyAll() {
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
    auto fragment = VectorType::get({2, 2}, builder.getF32Type());
    Value start = vector::BroadcastOp::create(builder, loc, fragment, scalars.lookupOrDefault(product.start));
    SmallVector<Value> carried(fragmentsDown() * fragmentsAcross(), start);
    carried.push_back(constant(0));
    carried = emitFor(constant(0), product.numDepth, depthStep, carried, [&](Value from, ValueRange inner) {
      Value slot = inner.back(), last = constant(kSteps - 1);
      if (isAsync) {
        commit();
        NVVM::CpAsyncWaitGroupOp::create(builder, loc, kSteps - 2);
      }
      // This step is there for all threads, and all have computed with the one before, whose slot is free now.
      gpu::BarrierOp::create(builder, loc);
      Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, slot, constant(0)), isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, slot, last);
      Value before = arith::SelectOp::create(builder, loc, isFirst, last, arith::SubIOp::create(builder, loc, slot, constant(1)));
      Value after = arith::SelectOp::create(builder, loc, isLast, constant(0), add(slot, 1));
      Value ahead = add(from, (kSteps - 1) * depthStep);
      if (isAsync)
        emitIf(isBelow(ahead, product.numDepth), [&] { copyStep(ahead, before); });
      SmallVector<SmallVector<Value>> loaded;
      for (const Side *side : sides)
        loaded.push_back(side->isAsync ? SmallVector<Value>() : load(*side, add(from, depthStep), true));
      SmallVector<Value> sums = multiplyStep(slot, inner.drop_back());
      for (auto [side, chunks] : llvm::zip(sides, loaded))
        if (!side->isAsync)
          store(*side, chunks, after);
      sums.push_back(after);
      return sums;
    });
    carried.pop_back();
    return carried;
  }

  // 16 rows of the operand at two chunks of the depth, as four matrices: their order is what mma.sync takes of a (rows first) or, as two fragments of 8 columns, of b (depth first).
  Value fragment(const Side &side, bool isB, Value slot, int64_t number, int64_t depthChunk) {
    Value inMatrix = rem(lane, 8), second = rem(div(lane, 8), 2), third = div(lane, 16);
    Value rowHalf = isB ? third : second, depthHalf = isB ? second : third;
    Value first = add(isB ? warpColumn : warpRow, number * kFragmentRows), at;
    if (side.alongDepth)
      at = placeOf(side, add(first, multiplyAdd(builder, loc, rowHalf, 8, inMatrix)), add(depthHalf, depthChunk));
    else
      at = placeOfLine(side, add(div(first, chunk), rowHalf), add(multiplyAdd(builder, loc, depthHalf, 8, inMatrix), depthChunk * chunk));
    auto type = VectorType::get({4, 32 / bits()}, element);
    Value loaded = nvgpu::LdMatrixOp::create(builder, loc, type, side.shared, multiplyAdd(builder, loc, slot, slotSize(side), at), !side.alongDepth, 4);
    return element.isF32() ? rounded(loaded) : loaded;
  }

  // To what tensor cores take of f32; they would cut off the rest.
  Value rounded(Value loaded) {
    auto type = cast<VectorType>(loaded.getType());
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      Value value = vector::ExtractOp::create(builder, loc, loaded, ArrayRef<int64_t>{i, 0});
      Value bits = NVVM::ConvertFloatToTF32Op::create(builder, loc, builder.getI32Type(), value, NVVM::FPRoundingMode::RNA, NVVM::SaturationMode::NONE, /*relu=*/false);
      loaded = vector::InsertOp::create(builder, loc, arith::BitcastOp::create(builder, loc, element, bits), loaded, ArrayRef<int64_t>{i, 0});
    }
    return loaded;
  }

  SmallVector<Value> multiplyStep(Value slot, ValueRange sums) {
    SmallVector<Value> results(sums);
    int64_t depth = kFragmentChunks * chunk;
    for (int64_t depthChunk = 0; depthChunk < kRowChunks; depthChunk += kFragmentChunks) {
      SmallVector<Value> as, bs;
      for (int64_t i = 0; i < fragmentsDown(); ++i)
        as.push_back(fragment(a, false, slot, i, depthChunk));
      for (int64_t i = 0; i < fragmentsAcross(); i += 2) {
        Value both = fragment(b, true, slot, i / 2, depthChunk);
        for (int64_t half = 0; half < 2; ++half) {
          Value &columns = bs.emplace_back(arith::ConstantOp::create(builder, loc, builder.getZeroAttr(VectorType::get({2, 32 / bits()}, element))));
          for (int64_t row = 0; row < 2; ++row)
            columns = vector::InsertOp::create(builder, loc, vector::ExtractOp::create(builder, loc, both, 2 * half + row), columns, row);
        }
      }
      for (int64_t i = 0; i < fragmentsDown(); ++i)
        for (int64_t j = 0; j < fragmentsAcross(); ++j) {
          Value &sum = results[i * fragmentsAcross() + j];
          sum = nvgpu::MmaSyncOp::create(builder, loc, as[i], bs[j], sum, ArrayRef<int64_t>{kFragmentRows, kFragmentColumns, depth}, element.isF32());
        }
    }
    return results;
  }

  // Fragments are scattered over the lanes. Through shared memory, 16 rows at a time, each lane gets neighbouring columns.
  void storeSums(ArrayRef<Value> sums, Value warp) {
    // All warps have read what is overwritten now.
    gpu::BarrierOp::create(builder, loc);
    Type f32 = builder.getF32Type();
    int64_t warps = product.threads / kWarp, across = fragmentsAcross();
    auto type = MemRefType::get({warps * kFragmentRows * kSumPitch}, f32, MemRefLayoutAttrInterface(), cast<MemRefType>(memory.getType()).getMemorySpace());
    Value buffer = memref::ViewOp::create(builder, loc, type, memory, constant(0), ValueRange());
    Value own = multiplyAdd(builder, loc, warp, kFragmentRows * kSumPitch, {}), inRow = rem(lane, 4), row = div(lane, 4);
    Value from = multiplyAdd(builder, loc, row, kSumPitch, multiplyAdd(builder, loc, inRow, 2, own));
    auto meet = [&] { NVVM::SyncWarpOp::create(builder, loc, arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), -1)); };
    int64_t width = finishWidth(8);
    emitFor(constant(0), fragmentsDown(), 1, {}, [&](Value number, ValueRange) {
      for (int64_t i = 0; i < fragmentsDown(); ++i)
        emitIf(fragmentsDown() == 1 ? Value() : arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, number, constant(i)).getResult(), [&] {
          for (int64_t j = 0; j < across; ++j)
            for (int64_t half = 0; half < 2; ++half) {
              Value pair = vector::ExtractOp::create(builder, loc, sums[i * across + j], half);
              vector::StoreOp::create(builder, loc, pair, buffer, add(from, half * 8 * kSumPitch + j * kFragmentColumns), /*nontemporal=*/false, llvm::MaybeAlign(8));
            }
        });
      meet();
      Value top = add(add(firstRow, warpRow), multiplyAdd(builder, loc, number, kFragmentRows, {})), left = add(firstColumn, warpColumn);
      emitFor(multiplyAdd(builder, loc, lane, width, {}), kFragmentRows * kWarpColumns, kWarp * width, {}, [&](Value position, ValueRange) {
        Value line = div(position, kWarpColumns), column = rem(position, kWarpColumns), at = multiplyAdd(builder, loc, line, kSumPitch, add(column, own));
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
      // Before the next rows take the place of these.
      meet();
      return SmallVector<Value>();
    });
  }

  Type element;
  int64_t chunk = 0, depthStep = 0; // elements
  Value memory, lane, warpRow, warpColumn;
  Side a, b;
};
} // namespace

void mlir::raf::chooseTensorTile(Product &product) {
  product.tileRows = product.tileColumns = 128;
  product.threads = 256;
  if (product.blocks() >= kWantedBlocks && std::min(product.numRows, product.numColumns) > 64)
    return;
  product.tileRows = product.tileColumns = 64;
  product.threads = 128;
}

void mlir::raf::emitTensorProduct(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const Product &product) { TensorProductEmitter(func, kernel, plan, product).run(); }
