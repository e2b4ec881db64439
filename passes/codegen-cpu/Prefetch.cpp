// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/Prefetch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

namespace {
constexpr int64_t kLine = 64;            // bytes
constexpr int64_t kFewestBytes = 2048;   // of a tile's part: of less, the processor sees the next one coming
constexpr int64_t kMostBytes = 1 << 18;  // of all streams together: they have to stay in the second cache
constexpr uint32_t kSecondCache = 2;     // hint: the first one has few places for lines that are on their way

Value constant(OpBuilder &builder, Location loc, int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

int64_t cost(GenericOp op) {
  int64_t ops = 1;
  for (Operation &inner : op.getBody()->without_terminator())
    ops += isa<math::MathDialect>(inner.getDialect()) || isa<arith::DivFOp>(inner) ? 16 : 1;
  return ops * iterations(cast<linalg::LinalgOp>(op.getOperation()));
}

// Elements of each tile's part of the value when the parts of successive tiles lie one after the other in memory, otherwise 0.
int64_t partOfTile(AffineMap map, RankedTensorType type, ArrayRef<int64_t> loops, const TilePlan &plan) {
  if (static_cast<int64_t>(plan.dims.size()) > type.getRank() || !map.isProjectedPermutation())
    return 0;
  int64_t elements = type.getNumElements();
  for (auto [position, dim] : llvm::enumerate(plan.dims)) {
    if (dim.step != 1 || map.getDimPosition(position) != loops[dim.index] || type.getDimSize(position) != dim.size)
      return 0;
    elements /= dim.size;
  }
  return elements;
}

Value flattened(OpBuilder &builder, Location loc, Value memref) {
  int64_t rank = cast<MemRefType>(memref.getType()).getRank();
  if (rank == 1)
    return memref;
  ReassociationIndices all = llvm::to_vector<2>(llvm::seq<int64_t>(rank));
  return memref::CollapseShapeOp::create(builder, loc, memref, ArrayRef<ReassociationIndices>{all});
}

struct Candidate {
  Value memref;
  int64_t elements, bytes;
  size_t firstRead = SIZE_MAX, firstWrite = SIZE_MAX; // numbers of ops
};
} // namespace

SmallVector<Stream> mlir::raf::planPrefetch(OpBuilder &builder, const TileSpace &space, const TilePlan &plan, Value tile, const KernelBuffers &buffers) {
  SmallVector<Stream> streams;
  if (space.loops.size() < 3 || plan.tiles < 2)
    return streams;
  SmallVector<GenericOp> ops;
  for (Operation &op : *space.loops.begin()->first->getBlock())
    if (auto generic = dyn_cast<GenericOp>(op); generic && space.loops.contains(cast<linalg::LinalgOp>(op)))
      ops.push_back(generic);
  llvm::MapVector<Value, Candidate> candidates; // by buffer
  for (auto [number, op] : llvm::enumerate(ops))
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      bool writes = op.isDpsInit(&operand);
      if (!type)
        continue;
      const KernelBuffers::Place &place = buffers[writes ? Value(op.getTiedOpResult(&operand)) : operand.get()];
      Value memref = place.memref;
      if (!isa<BlockArgument>(memref) || (writes && place.streamBits))
        continue;
      int64_t elements = partOfTile(op.getMatchingIndexingMap(&operand), type, space.loops.find(cast<linalg::LinalgOp>(op.getOperation()))->second, plan);
      int64_t bytes = elements * type.getElementTypeBitWidth() / 8;
      if (bytes < kFewestBytes)
        continue;
      Candidate &candidate = candidates.try_emplace(memref, Candidate{memref, elements, bytes}).first->second;
      size_t &first = writes ? candidate.firstWrite : candidate.firstRead;
      first = std::min(first, number);
    }
  auto costliest = [&](size_t from, size_t to) {
    size_t pass = SIZE_MAX;
    for (size_t number = from; number < to; ++number)
      if (pass == SIZE_MAX || cost(ops[number]) > cost(ops[pass]))
        pass = number;
    return pass;
  };
  size_t reader = SIZE_MAX;
  for (auto &entry : candidates)
    reader = std::min(reader, entry.second.firstRead);
  int64_t bytes = 0;
  for (auto &entry : candidates) {
    const Candidate &candidate = entry.second;
    bool written = candidate.firstWrite != SIZE_MAX;
    if (reader == SIZE_MAX || (written && candidate.firstRead != SIZE_MAX))
      continue;
    // In the first pass the processor itself has enough to fetch.
    size_t pass = written ? costliest(reader + 1, candidate.firstWrite) : costliest(candidate.firstRead + 1, ops.size());
    if (pass == SIZE_MAX)
      continue;
    Location loc = ops[pass].getLoc();
    Value part = tile;
    if (!written) {
      // The last tile fetches its own once more.
      Value next = arith::AddIOp::create(builder, loc, tile, constant(builder, loc, 1));
      part = arith::MinUIOp::create(builder, loc, next, constant(builder, loc, plan.tiles - 1));
    }
    Value start = arith::MulIOp::create(builder, loc, part, constant(builder, loc, candidate.elements));
    streams.push_back({ops[pass], flattened(builder, loc, candidate.memref), start, candidate.elements, written});
    bytes += candidate.bytes;
  }
  if (bytes > kMostBytes)
    streams.clear();
  return streams;
}

void mlir::raf::emitPrefetch(OpBuilder &builder, Location loc, ArrayRef<Stream> streams, Value from, int64_t count, int64_t total) {
  for (const Stream &stream : streams) {
    int64_t line = kLine * 8 / cast<MemRefType>(stream.memref.getType()).getElementTypeBitWidth();
    // As many elements of the stream as it has for each iteration, in whole lines.
    int64_t each = llvm::divideCeil(stream.elements, total), elements = llvm::alignTo(each * count, line);
    Value first = arith::AddIOp::create(builder, loc, stream.start, arith::MulIOp::create(builder, loc, from, constant(builder, loc, each)));
    auto loop = scf::ForOp::create(builder, loc, constant(builder, loc, 0), constant(builder, loc, elements), constant(builder, loc, line));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value at = arith::AddIOp::create(builder, loc, first, loop.getInductionVar());
    memref::PrefetchOp::create(builder, loc, stream.memref, at, /*isWrite=*/stream.written, kSecondCache, /*isDataCache=*/true);
  }
}
