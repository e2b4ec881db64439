// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/Transposition.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

void mlir::raf::transposeRows(ImplicitLocOpBuilder &b, MutableArrayRef<Value> rows) {
  size_t lanes = rows.size();
  for (size_t half = lanes / 2; half > 0; half /= 2)
    for (size_t row = 0; row < lanes; ++row) {
      if (row & half)
        continue;
      SmallVector<int64_t> upper, lower;
      for (size_t lane = 0; lane < lanes; ++lane) {
        upper.push_back(lane & half ? lanes + lane - half : lane);
        lower.push_back(lane & half ? lanes + lane : lane + half);
      }
      Value first = rows[row], second = rows[row + half];
      rows[row] = vector::ShuffleOp::create(b, first, second, upper);
      rows[row + half] = vector::ShuffleOp::create(b, first, second, lower);
    }
}

namespace {
constexpr int64_t kShortest = 16; // iterations that are worth a block
constexpr int64_t kBlock = 64;    // elements of a tile in both directions: four lines of memory in each row
constexpr int64_t kStreamed = 256; // in the rows of a result that is written past the caches, where the lines at both ends of such a piece cost most

class Stage {
public:
  Stage(OpBuilder &builder, GenericOp op, OpOperand &input, Crossing crossing, ArrayRef<int64_t> spaceLoops, ArrayRef<TileRange> ranges, Value memref, Value result)
      : b(op.getLoc(), builder.getContext()), crossing(crossing), map(op.getMatchingIndexingMap(&input)),
        resultMap(op.getIndexingMapMatchingResult(cast<OpResult>(op.getResult(0)))), memref(memref), result(result) {
    b.setInsertionPoint(builder.getInsertionBlock(), builder.getInsertionPoint());
    for (const TileRange &range : ranges)
      offsets[spaceLoops[range.spaceDim]] = range;
  }

  /// `overhang`: so many columns more, of `size` in all.
  Value emit(int64_t lanes, int64_t overhang, int64_t size) {
    const TileRange &along = offsets[crossing.along], &across = offsets[crossing.across];
    auto type = cast<MemRefType>(memref.getType());
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&b.getInsertionBlock()->getParentOp()->getParentOfType<func::FuncOp>().getBody().front());
      // Rows that lie a large power of two apart would compete for the same few lines of the cache.
      int64_t padding = 512 / type.getElementTypeBitWidth();
      staged = memref::AllocaOp::create(b, MemRefType::get({along.step, across.step + overhang + padding}, type.getElementType()), b.getI64IntegerAttr(64));
    }
    vectorType = VectorType::get(lanes, type.getElementType());
    Value zero = index(0), rows = lengthOf(along), columns = lengthOf(across);
    Value wholeRows = whole(along, rows, lanes), wholeColumns;
    if (overhang > 0) {
      columns = arith::MinUIOp::create(b, index(across.step + overhang), arith::SubIOp::create(b, index(size), across.offset));
      wholeColumns = arith::SubIOp::create(b, columns, arith::RemUIOp::create(b, columns, index(lanes)));
    } else {
      wholeColumns = whole(across, columns, lanes);
    }
    loop(zero, wholeRows, lanes, [&](Value row) { loop(zero, wholeColumns, lanes, [&](Value column) { block(row, column, lanes); }); });
    auto single = [&](Value row, Value column) {
      Value element = memref::LoadOp::create(b, memref, position(map, row, column));
      memref::StoreOp::create(b, element, staged, ValueRange{row, column});
    };
    // What is left beside and below the blocks.
    if (wholeColumns != columns)
      loop(zero, wholeRows, 1, [&](Value row) { loop(wholeColumns, columns, 1, [&](Value column) { single(row, column); }); });
    if (wholeRows != rows)
      loop(wholeRows, rows, 1, [&](Value row) { loop(zero, columns, 1, [&](Value column) { single(row, column); }); });
    return staged;
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value lengthOf(const TileRange &range) { return range.length ? range.length : index(range.step); }
  // The length in whole blocks.
  Value whole(const TileRange &range, Value length, int64_t lanes) {
    if (!range.length)
      return range.step % lanes == 0 ? length : index(range.step / lanes * lanes);
    Value rest = arith::RemUIOp::create(b, length, index(lanes));
    return arith::SubIOp::create(b, length, rest);
  }
  void loop(Value from, Value to, int64_t step, function_ref<void(Value)> body) {
    auto loop = scf::ForOp::create(b, from, to, index(step));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  }
  // Of the element that belongs in this place of the staged part.
  SmallVector<Value> position(AffineMap map, Value row, Value column) {
    SmallVector<Value> indices;
    for (AffineExpr expr : map.getResults()) {
      int64_t loop = cast<AffineDimExpr>(expr).getPosition();
      auto range = offsets.find(loop);
      Value offset = range == offsets.end() ? index(0) : range->second.offset;
      if (loop == crossing.along || loop == crossing.across)
        offset = arith::AddIOp::create(b, offset, loop == crossing.along ? row : column);
      indices.push_back(offset);
    }
    return indices;
  }
  // Fetches on the side what the processor does not see coming: the same rows of the next tile, and the lines that this tile's result goes to.
  void block(Value row, Value column, int64_t lanes) {
    SmallVector<Value> rows;
    Value next = arith::AddIOp::create(b, row, index(kBlock));
    for (int64_t i = 0; i < lanes; ++i) {
      Value at = arith::AddIOp::create(b, column, index(i));
      rows.push_back(vector::LoadOp::create(b, vectorType, memref, position(map, row, at)));
      memref::PrefetchOp::create(b, memref, position(map, next, at), /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
      if (result)
        memref::PrefetchOp::create(b, result, position(resultMap, arith::AddIOp::create(b, row, index(i)), column), /*isWrite=*/true, /*localityHint=*/3, /*isDataCache=*/true);
    }
    transposeRows(b, rows);
    for (int64_t i = 0; i < lanes; ++i)
      vector::StoreOp::create(b, rows[i], staged, ValueRange{arith::AddIOp::create(b, row, index(i)), column});
  }

  ImplicitLocOpBuilder b;
  Crossing crossing;
  AffineMap map, resultMap;
  Value memref, result, staged; // no result: it is in a cache already, or written past them
  VectorType vectorType;
  llvm::DenseMap<int64_t, TileRange> offsets; // by loop of the op
};
} // namespace

std::optional<Crossing> mlir::raf::crossingOf(GenericOp op, OpOperand &input) {
  auto type = dyn_cast<RankedTensorType>(input.get().getType());
  if (!type || op.getNumReductionLoops() > 0 || op.getNumResults() == 0 || !op.isDpsInput(&input))
    return std::nullopt;
  unsigned bits = type.getElementTypeBitWidth();
  AffineMap from = op.getMatchingIndexingMap(&input), to = op.getIndexingMapMatchingResult(cast<OpResult>(op.getResult(0)));
  if ((bits != 16 && bits != 32 && bits != 64) || from.getNumResults() < 2 || to.getNumResults() < 2 || !from.isProjectedPermutation() || !to.isProjectedPermutation())
    return std::nullopt;
  Crossing crossing{static_cast<int64_t>(from.getDimPosition(from.getNumResults() - 1)), static_cast<int64_t>(to.getDimPosition(to.getNumResults() - 1))};
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (crossing.along == crossing.across || !from.isFunctionOfDim(crossing.across) || !to.isFunctionOfDim(crossing.along) || sizes[crossing.along] < kShortest ||
      sizes[crossing.across] < kShortest)
    return std::nullopt;
  return crossing;
}

std::optional<TilePlan> mlir::raf::planBlocks(const TileSpace &space, int64_t streamBytes) {
  auto dimOf = [&](GenericOp op, int64_t loop) {
    ArrayRef<int64_t> loops = space.loops.find(cast<linalg::LinalgOp>(op.getOperation()))->second;
    return llvm::find(loops, loop) - loops.begin();
  };
  std::optional<Crossing> found; // in dimensions of the space
  bool large = false;
  for (auto &entry : space.loops) {
    linalg::LinalgOp linalgOp = entry.first;
    auto op = dyn_cast<GenericOp>(linalgOp.getOperation());
    if (!op || op.getNumReductionLoops() > 0)
      return std::nullopt;
    // Every loop is cut, to one iteration or to a block.
    if (static_cast<int64_t>(op.getNumLoops()) != space.rank())
      return std::nullopt;
    for (OpOperand *input : op.getDpsInputOperands())
      if (std::optional<Crossing> crossing = crossingOf(op, *input))
        found = Crossing{dimOf(op, crossing->along), dimOf(op, crossing->across)};
    for (Type result : op.getResultTypes())
      if (auto type = cast<RankedTensorType>(result); type.getElementType().isIntOrFloat())
        large |= type.getNumElements() * type.getElementTypeBitWidth() / 8 >= streamBytes;
  }
  if (!found || found->along >= space.rank() || found->across >= space.rank())
    return std::nullopt;
  TilePlan plan;
  auto add = [&](int64_t t, int64_t step) {
    plan.dims.push_back({t, space.sizes[t], step});
    plan.tiles *= plan.dims.back().count();
  };
  for (int64_t t = 0; t < space.rank(); ++t)
    if (t != found->along && t != found->across && space.sizes[t] > 1)
      add(t, 1);
  add(found->across, large ? kStreamed : kBlock);
  add(found->along, kBlock);
  return plan;
}

SmallVector<StagedInput> mlir::raf::stageCrossings(OpBuilder &builder, GenericOp op, const TileSpace &space, ArrayRef<TileRange> ranges, const KernelBuffers &buffers,
                                                   int64_t vectorBits) {
  SmallVector<StagedInput> staged;
  ArrayRef<int64_t> spaceLoops = space.loops.find(cast<linalg::LinalgOp>(op.getOperation()))->second;
  auto stepOf = [&](int64_t loop) {
    for (const TileRange &range : ranges)
      if (spaceLoops[range.spaceDim] == loop)
        return range.step;
    return int64_t(0);
  };
  // How far the parts go beyond the tile.
  auto overhangOf = [&](int64_t across) -> int64_t {
    int64_t lanes = buffers[op.getResult(0)].streamBits / std::max(1u, cast<RankedTensorType>(op.getResult(0).getType()).getElementTypeBitWidth());
    bool alone = space.loops.size() == 1 && op.getNumResults() == 1;
    int64_t size = op.getStaticLoopRanges()[across];
    return alone && lanes > 0 && size % lanes != 0 && size > stepOf(across) ? lanes : 0;
  };
  for (OpOperand *input : op.getDpsInputOperands()) {
    std::optional<Crossing> crossing = crossingOf(op, *input);
    if (!crossing || stepOf(crossing->along) != kBlock || stepOf(crossing->across) < kBlock)
      continue;
    const KernelBuffers::Place &place = buffers[input->get()];
    if (!isa<BlockArgument>(place.memref))
      continue;
    const KernelBuffers::Place &to = buffers[op.getResult(0)];
    Value result = to.streamBits ? Value() : to.memref;
    Stage stage(builder, op, *input, *crossing, spaceLoops, ranges, place.memref, isa_and_nonnull<BlockArgument>(result) && staged.empty() ? result : Value());
    int64_t lanes = std::min<int64_t>(kShortest, vectorBits / cast<MemRefType>(place.memref.getType()).getElementTypeBitWidth());
    int64_t overhang = overhangOf(crossing->across);
    Value memref = stage.emit(lanes, overhang, op.getStaticLoopRanges()[crossing->across]);
    MLIRContext *context = builder.getContext();
    AffineMap map = AffineMap::get(op.getNumLoops(), 0, {getAffineDimExpr(crossing->along, context), getAffineDimExpr(crossing->across, context)}, context);
    staged.push_back({input, map, {memref, {true, true}}, overhang});
  }
  return staged;
}
