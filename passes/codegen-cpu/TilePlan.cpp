// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/TilePlan.h"
#include "passes/codegen-cpu/Transposition.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/decompose/Random.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::LinalgOp;

namespace {
constexpr int64_t kWantedTiles = 64;
constexpr int64_t kTileElements = 8192;
constexpr int64_t kColumnChunk = 64; // floats: four cache lines of each row
constexpr int64_t kMinChunk = 16;
constexpr int64_t kMostColumns = 4096; // floats: half a first cache of sums, which every row reads and writes
constexpr int64_t kMostKept = 512 << 10; // bytes that a piece of columns keeps on the stack

// Iterations of the op, each counted as many times as it is longer than one of a few operations.
int64_t workOf(LinalgOp op) {
  constexpr int64_t kFew = 16, kFunction = 16;
  int64_t operations = 0;
  for (Operation &inner : op.getBlock()->without_terminator())
    operations += isa<math::MathDialect>(inner.getDialect()) || isa<arith::DivFOp>(inner) ? kFunction : 1;
  return iterations(op) * std::max<int64_t>(1, operations / kFew);
}

// Whether the kernel only sums up (or takes the maximum, ...) what lies in memory and is that large: nothing that it keeps grows with its tiles.
bool onlySums(const TileSpace &space, int64_t leastBytes) {
  int64_t bytes = 0;
  for (auto &entry : space.loops) {
    LinalgOp op = entry.first;
    for (OpOperand *input : op.getDpsInputOperands())
      if (auto type = dyn_cast<RankedTensorType>(input->get().getType()); type && type.getElementType().isIntOrFloat()) {
        if (op.getNumReductionLoops() == 0)
          return false;
        bytes = std::max(bytes, type.getNumElements() * type.getElementTypeBitWidth() / 8);
      }
  }
  return bytes >= leastBytes;
}

// Tile dimensions in the memory order of the kernel's largest value, and whether the last of them is the contiguous one there.
std::pair<SmallVector<int64_t>, bool> memoryOrder(const TileSpace &space) {
  LinalgOp largest;
  AffineMap map;
  int64_t best = -1;
  for (auto &entry : space.loops) {
    LinalgOp op = entry.first;
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!type || type.getNumElements() <= best)
        continue;
      best = type.getNumElements();
      largest = op;
      map = op.getMatchingIndexingMap(&operand);
    }
  }
  SmallVector<int64_t> order;
  bool contiguous = false;
  ArrayRef<int64_t> loops = space.loops.find(largest)->second;
  for (auto [position, expr] : llvm::enumerate(map.getResults()))
    for (int64_t t = 0; t < space.rank(); ++t)
      if (expr.isFunctionOfDim(loops[t]) && !llvm::is_contained(order, t)) {
        order.push_back(t);
        contiguous = position + 1 == map.getNumResults();
      }
  // Dimensions along which that value is constant go first.
  SmallVector<int64_t> all;
  for (int64_t t = 0; t < space.rank(); ++t)
    if (!llvm::is_contained(order, t))
      all.push_back(t);
  llvm::append_range(all, order);
  return {all, contiguous};
}
} // namespace

TilePlan mlir::raf::planTiles(const TileSpace &space, int64_t streamBytes, int64_t threads) {
  std::optional<TilePlan> blocks = planBlocks(space, streamBytes);
  TilePlan plan;
  auto [order, contiguous] = memoryOrder(space);
  int64_t work = 0, largest = 0;
  bool reduces = false;
  for (auto &entry : space.loops) {
    work += workOf(entry.first);
    largest = std::max(largest, iterations(entry.first));
    reduces |= LinalgOp(entry.first).getNumReductionLoops() > 0;
  }
  auto add = [&](int64_t t, int64_t step) {
    plan.dims.push_back({t, space.sizes[t], step});
    plan.tiles *= plan.dims.back().count();
  };
  if (blocks) {
    plan = *blocks;
    order.clear();
  }
  int64_t kept = keptBytes(space);
  int64_t inner = largest; // iterations of the largest op inside one tile
  for (auto [position, t] : llvm::enumerate(order)) {
    int64_t size = space.sizes[t];
    bool last = position + 1 == order.size();
    if (size <= 1 || largest == 0)
      continue;
    if (last && contiguous) {
      int64_t chunk = size;
      if (reduces && inner > size) {
        // Reductions run over rows: short pieces of each row, as many as keep threads busy.
        chunk = std::min(size, kColumnChunk);
        while (chunk > kMinChunk && plan.tiles * ((size + chunk - 1) / chunk) < 16)
          chunk /= 2;
        if (onlySums(space, streamBytes))
          chunk = std::min({size, kMostColumns, std::max<int64_t>(chunk, llvm::alignTo(llvm::divideCeil(size, llvm::divideCeil(threads, plan.tiles)), kMinChunk))});
      } else if (inner > kTileElements || (plan.tiles < kWantedTiles && inner > 1024)) {
        int64_t wanted = std::max<int64_t>(1, kWantedTiles / plan.tiles);
        chunk = std::max<int64_t>(512, (size + wanted - 1) / wanted);
        // Whole blocks of random numbers.
        chunk = std::min<int64_t>(llvm::alignTo(chunk, kRandomBlock), kTileElements);
      }
      // What one point keeps is bounded by raf-fuse.
      while (chunk > 1 && chunk * kept > kMostKept)
        chunk = (chunk + 1) / 2;
      if (chunk < size)
        add(t, chunk);
      continue;
    }
    if (plan.tiles >= kWantedTiles && inner <= kTileElements)
      continue;
    add(t, 1);
    inner /= size;
  }
  plan.tileWork = std::max<int64_t>(1, work / std::max<int64_t>(1, plan.tiles));
  plan.grain = std::max<int64_t>(1, kThreadWork / plan.tileWork);
  return plan;
}
