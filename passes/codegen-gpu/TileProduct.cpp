// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-gpu/TileProduct.h"
#include "passes/codegen-gpu/Loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/codegen-gpu/Lanes.h"
#include "passes/codegen/ScalarBody.h"
#include "passes/codegen/ToLLVM.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

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

//===-- matrix instructions --------------------------------------------------------------------------------------===//

static constexpr int64_t kRows = ThreadGrid::kMatrixRows, kColumns = ThreadGrid::kMatrixColumns, kStepBytes = ThreadGrid::kStepBytes;
// What ldmatrix reads of a row.
static constexpr int64_t kChunkBytes = 16;
// Products with a smaller side do not use them.
static constexpr int64_t kMatrixSide = 16;

bool TileProduct::fitsMatrices(bool tf32) const {
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  Type type = getElementTypeOrSelf(op->getOperand(0).getType());
  if (std::min({result.getDimSize(0), result.getDimSize(1), depth}) < kMatrixSide || type != getElementTypeOrSelf(op->getOperand(1).getType()) || !result.getElementType().isF32() ||
      !(type.isBF16() || type.isF16() || (type.isF32() && tf32)))
    return false;
  GenericOp generic = op;
  Operation *sum = combiners(generic)->front();
  auto product = termOf(generic, sum, sum->getResult(0)).getDefiningOp<arith::MulFOp>();
  auto isInput = [&](Value factor, unsigned number) {
    auto wide = factor.getDefiningOp<arith::ExtFOp>();
    return (wide ? wide.getIn() : factor) == generic.getBody()->getArgument(number);
  };
  return isa<arith::AddFOp>(sum) && product &&
         ((isInput(product.getLhs(), 0) && isInput(product.getRhs(), 1)) || (isInput(product.getLhs(), 1) && isInput(product.getRhs(), 0)));
}

int64_t TileProduct::chooseWarps(func::FuncOp kernel, bool tf32) {
  SmallVector<ArrayRef<int64_t>> results;
  bool fit = true;
  kernel.walk([&](GenericOp op) {
    if (std::optional<TileProduct> product = match(op)) {
      results.push_back(cast<RankedTensorType>(op.getResult(0).getType()).getShape());
      fit &= product->fitsMatrices(tf32);
    }
  });
  if (results.empty() || !fit)
    return 0;
  auto sums = [&](int64_t warps) {
    int64_t count = 0;
    for (ArrayRef<int64_t> shape : results)
      count += ThreadGrid::share(0, shape[0], warps) * ThreadGrid::share(1, shape[1], warps);
    return count;
  };
  int64_t choices[] = {4, 2, 1};
  return *llvm::min_element(choices, [&](int64_t a, int64_t b) { return sums(a) < sums(b); });
}

bool TileProduct::takesRegisters(const ThreadGrid &threads) const {
  return threads.hasMatrices() && threads.numWarpsAcross() == 1 && rowsOfA && op->getOperand(a).getDefiningOp<GenericOp>() && getElementTypeOrSelf(op->getOperand(a).getType()).getIntOrFloatBitWidth() == 16;
}

namespace {
// One operand of a product by matrix instructions, in shared memory. Its lines are the rows of the result, or the columns.
class Fragments {
public:
  Fragments(OpBuilder &builder, Location loc, ThreadGrid &threads, const SharedTile &tile, bool depthIsLast, bool isB)
      : builder(builder), loc(loc), threads(threads), tile(tile), element(tile.type.getElementType()), depthIsLast(depthIsLast), isB(isB) {
    Value inMatrix = rem(threads.lane, 8), second = rem(div(threads.lane, 8), 2), third = div(threads.lane, 16);
    int64_t warps = isB ? threads.numWarpsAcross() : threads.numWarpsDown(), size = isB ? kColumns : kRows, lines = depthIsLast ? tile.rows : tile.columns, shared = (isB ? 2 : 1) * size * warps;
    int64_t other = isB ? kColumns * warps : kRows / 2; // from the first 8 of the 16 lines to the others
    Value lineHalf = isB ? third : second, depthHalf = isB ? second : third, warp = isB ? threads.warpAcross : threads.warpDown;
    int64_t count = llvm::divideCeil(lines, shared);
    for (int64_t number = 0; number < count; ++number) {
      // Warps that have no lines there bring any.
      int64_t last = (warps - 1) * size + other + number * shared;
      if (usesElements()) {
        starts.push_back({});
        for (int64_t half = 0; half < 2; ++half)
          starts.back().push_back(threads.multiplyAdd(rem(threads.lane, 4), tile.pitch, within(threads.multiplyAdd(warp, size, add(div(threads.lane, 4), number * shared + half * other)), last + 7, lines - 1)));
        continue;
      }
      Value line = threads.multiplyAdd(warp, size, threads.multiplyAdd(lineHalf, other, constant(number * shared)));
      line = depthIsLast ? within(builder.createOrFold<arith::AddIOp>(loc, line, inMatrix), last + 7, lines - 1) : within(line, last, lines - 8);
      starts.push_back({depthIsLast ? threads.multiplyAdd(line, tile.pitch, threads.multiplyAdd(depthHalf, chunk(), constant(0)))
                                    : threads.multiplyAdd(builder.createOrFold<arith::AddIOp>(loc, threads.multiplyAdd(depthHalf, 8, constant(0)), inMatrix), tile.pitch, line)});
    }
  }

  // Of 16 lines at a step of the depth. The four registers are lines and depth (of a: lines first), each in halves.
  Value load(int64_t number, Value depth) {
    auto type = VectorType::get({4, 4 / tile.elementBytes()}, element);
    Value offset = depthIsLast ? depth : threads.multiplyAdd(depth, tile.pitch, constant(0));
    if (tile.slot)
      offset = builder.createOrFold<arith::AddIOp>(loc, offset, tile.slot);
    auto at = [&](Value start) { return builder.createOrFold<arith::AddIOp>(loc, start, offset); };
    if (!usesElements()) {
      Value loaded = nvgpu::LdMatrixOp::create(builder, loc, type, tile.memory, at(starts[number][0]), /*transpose=*/!depthIsLast, 4);
      return element.isF32() ? rounded(loaded) : loaded;
    }
    SmallVector<Value> elements;
    for (int64_t i = 0; i < 4; ++i) {
      int64_t lineHalf = isB ? i / 2 : i % 2, depthHalf = isB ? i % 2 : i / 2;
      elements.push_back(memref::LoadOp::create(builder, loc, tile.memory, add(at(starts[number][lineHalf]), depthHalf * 4 * tile.pitch)));
    }
    return rounded(vector::FromElementsOp::create(builder, loc, type, elements));
  }

private:
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value add(Value value, int64_t more) { return builder.createOrFold<arith::AddIOp>(loc, value, constant(more)); }
  Value div(Value value, int64_t by) { return arith::DivUIOp::create(builder, loc, value, constant(by)); }
  Value rem(Value value, int64_t by) { return arith::RemUIOp::create(builder, loc, value, constant(by)); }
  Value within(Value value, int64_t largest, int64_t limit) { return largest <= limit ? value : arith::MinUIOp::create(builder, loc, value, constant(limit)).getResult(); }
  int64_t chunk() const { return kChunkBytes / tile.elementBytes(); }
  // ldmatrix transposes elements of 16 bits only.
  bool usesElements() const { return element.isF32() && !depthIsLast; }

  Value rounded(Value loaded) {
    for (int64_t i = 0; i < 4; ++i) {
      Value value = vector::ExtractOp::create(builder, loc, loaded, ArrayRef<int64_t>{i, 0});
      loaded = vector::InsertOp::create(builder, loc, roundToTF32(builder, loc, value), loaded, ArrayRef<int64_t>{i, 0});
    }
    return loaded;
  }

  OpBuilder &builder;
  Location loc;
  ThreadGrid &threads;
  const SharedTile &tile;
  Type element;
  bool depthIsLast, isB;
  SmallVector<SmallVector<Value>> starts; // at depth 0; without ldmatrix, of both halves of the lines
};
} // namespace

void mlir::raf::keepRolled(scf::ForOp loop, int64_t unroll) {
  OpBuilder builder(loop);
  auto annotation = LLVM::LoopUnrollAttr::get(builder.getContext(), unroll > 1 ? BoolAttr() : builder.getBoolAttr(true), unroll > 1 ? builder.getI32IntegerAttr(unroll) : IntegerAttr(), {}, {}, {}, {}, {});
  loop->setAttr(kLoopAnnotation, LLVM::LoopAnnotationAttr::get(builder.getContext(), {}, {}, {}, annotation, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
}

SmallVector<Value> TileProduct::emitMatrices(OpBuilder &builder, ThreadGrid &threads, ArrayRef<Value> registers, const SharedTile &left, const SharedTile &right, SmallVector<Value> sums) const {
  Location loc = op->getLoc();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  Type element = right.type.getElementType();
  int64_t down = threads.share(0, result.getDimSize(0)), across = threads.share(1, result.getDimSize(1)), step = kStepBytes / right.elementBytes();
  std::optional<Fragments> ofA;
  if (registers.empty())
    ofA.emplace(builder, loc, threads, left, rowsOfA, /*isB=*/false);
  Fragments ofB(builder, loc, threads, right, columnsOfB, /*isB=*/true);
  auto vectorOf = [&](ArrayRef<Value> elements, ArrayRef<int64_t> shape) -> Value {
    return vector::FromElementsOp::create(builder, loc, VectorType::get(shape, elements.front().getType()), elements);
  };
  // The thread's sums of 16 columns of two rows are what it needs of `a`. Past the end they have whatever is there.
  auto fromRegisters = [&](int64_t row, int64_t number) {
    int64_t columns = registers.size() / down;
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    SmallVector<Value> elements;
    for (int64_t half : {0, 2})
      for (int64_t i : {0, 1})
        for (int64_t j : {0, 1}) {
          int64_t column = number * 4 + half + j;
          Value value = column < columns ? registers[(row + i) * columns + column] : zero;
          Value inside = column < columns ? threads.insideAcross(column, depth) : Value();
          elements.push_back(inside ? arith::SelectOp::create(builder, loc, inside, value, zero).getResult() : value);
        }
    return vectorOf(elements, {4, 2});
  };
  auto multiply = [&](Value from, int64_t number, ValueRange before) {
    SmallVector<Value> next(before), as;
    for (int64_t i = 0; i < down; i += 2)
      as.push_back(ofA ? ofA->load(i / 2, from) : fromRegisters(i, number));
    for (int64_t j = 0; j < across; j += 4) {
      Value both = ofB.load(j / 4, from);
      for (int64_t half = 0; half < 2 && j + 2 * half < across; ++half) {
        Value b = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(VectorType::get({2, 4 / right.elementBytes()}, element)));
        for (int64_t i : {0, 1})
          b = vector::InsertOp::create(builder, loc, vector::ExtractOp::create(builder, loc, both, 2 * half + i), b, i);
        for (int64_t i = 0; i < down; i += 2) {
          auto at = [&](int64_t row, int64_t column) -> Value & { return next[(i + row) * across + j + 2 * half + column]; };
          Value c = vectorOf({at(0, 0), at(0, 1), at(1, 0), at(1, 1)}, {2, 2});
          Value sum = nvgpu::MmaSyncOp::create(builder, loc, as[i / 2], b, c, ArrayRef<int64_t>{kRows, kColumns, step}, element.isF32());
          for (int64_t row : {0, 1})
            for (int64_t column : {0, 1})
              at(row, column) = vector::ExtractOp::create(builder, loc, sum, ArrayRef<int64_t>{row, column});
        }
      }
    }
    return next;
  };
  int64_t steps = llvm::divideCeil(depth, step);
  if (!ofA || steps == 1) {
    for (int64_t number = 0; number < steps; ++number)
      sums = multiply(constant(number * step), number, sums);
    return sums;
  }
  auto loop = scf::ForOp::create(builder, loc, constant(0), constant(steps * step), constant(step), sums);
  // LLVM would unroll it all, and bring operands of many steps into registers at once.
  keepRolled(loop, steps % 2 == 0 ? 2 : 1);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(builder, loc, multiply(loop.getInductionVar(), 0, loop.getRegionIterArgs()));
  return SmallVector<Value>(loop.getResults());
}
