// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/SplitLoops.h"
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/codegen-cpu/TilePlan.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::raf;

namespace {
// Of the contiguous dimension threads get whole lines of a cache each.
constexpr int64_t kLineBytes = 64;
// Ranges of so many pieces are equally long, nearly.
constexpr int64_t kEnoughPieces = 64;

struct Split {
  llvm::SmallSetVector<Operation *, 4> loops; // over the dimension
  int64_t size = 0, step = 1;                 // of the dimension, and of a piece of it

  int64_t pieces() const { return llvm::divideCeil(size, step); }
};

// What the loops do to the one buffer that they write.
struct Accesses {
  BlockArgument buffer;
  SmallVector<std::pair<Operation *, OperandRange>> indices; // of loads and stores

  MemRefType type() const { return cast<MemRefType>(buffer.getType()); }
};
} // namespace

// Bufferization carries buffers through loops and branches that only hand them on.
static void simplify(func::FuncOp kernel) {
  MLIRContext *context = kernel.getContext();
  RewritePatternSet patterns(context);
  scf::ForOp::getCanonicalizationPatterns(patterns, context);
  scf::IfOp::getCanonicalizationPatterns(patterns, context);
  memref::CopyOp::getCanonicalizationPatterns(patterns, context);
  affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
  (void)applyPatternsGreedily(kernel, std::move(patterns)); // what is not simplified is not split
}

static std::optional<Accesses> findAccesses(func::FuncOp kernel, StringRef &reason) {
  Accesses accesses;
  reason = "it does more than load, store, loop and branch";
  auto known = [&](Operation *op) {
    auto store = dyn_cast<memref::StoreOp>(op);
    if (!store)
      return isa<memref::LoadOp, scf::ForOp, scf::IfOp, scf::YieldOp, func::ReturnOp, func::FuncOp>(op) || isMemoryEffectFree(op);
    auto buffer = dyn_cast<BlockArgument>(store.getMemRef());
    bool isOther = accesses.buffer && buffer != accesses.buffer;
    if (isOther)
      reason = "it writes several buffers";
    accesses.buffer = buffer;
    return buffer && buffer.getOwner() == &kernel.getBody().front() && !isOther;
  };
  if (kernel.walk([&](Operation *op) { return known(op) ? WalkResult::advance() : WalkResult::interrupt(); }).wasInterrupted())
    return std::nullopt;
  if (!accesses.buffer) {
    reason = "it writes nothing";
    return std::nullopt;
  }
  for (Operation *user : accesses.buffer.getUsers()) {
    if (auto load = dyn_cast<memref::LoadOp>(user))
      accesses.indices.push_back({user, load.getIndices()});
    else if (auto store = dyn_cast<memref::StoreOp>(user))
      accesses.indices.push_back({user, store.getIndices()});
    else
      return std::nullopt;
  }
  return accesses;
}

// The loop with this index, if it runs over [0, size) and carries nothing from one iteration to the next.
static scf::ForOp loopOver(Value index, int64_t size) {
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : nullptr;
  if (!loop || loop.getInductionVar() != index || loop.getNumResults() != 0 || getConstantIntValue(loop.getLowerBound()) != 0 || getConstantIntValue(loop.getStep()) != 1 ||
      getConstantIntValue(loop.getUpperBound()) != size)
    return nullptr;
  return loop;
}

static std::optional<Split> splitAlong(const Accesses &accesses, int64_t dim) {
  MemRefType type = accesses.type();
  Split split;
  split.size = type.getDimSize(dim);
  if (dim + 1 == type.getRank())
    split.step = std::max<int64_t>(1, kLineBytes * 8 / std::max<int64_t>(8, type.getElementTypeBitWidth()));
  for (auto &[op, indices] : accesses.indices) {
    scf::ForOp loop = loopOver(indices[dim], split.size);
    if (!loop)
      return std::nullopt;
    split.loops.insert(loop);
  }
  // Of two such loops around each other a range would be cut twice.
  for (Operation *loop : split.loops)
    for (Operation *parent = loop->getParentOp(); parent; parent = parent->getParentOp())
      if (split.loops.contains(parent))
        return std::nullopt;
  return split;
}

// Iterations of the innermost loops; one of unknown length counts as one.
static int64_t workOf(func::FuncOp kernel) {
  int64_t work = 0;
  kernel.walk([&](scf::ForOp innermost) {
    if (innermost.getBody()->walk([](scf::ForOp) { return WalkResult::interrupt(); }).wasInterrupted())
      return;
    int64_t iterations = 1;
    for (scf::ForOp loop = innermost; loop; loop = loop->getParentOfType<scf::ForOp>())
      if (std::optional<int64_t> bound = getConstantIntValue(loop.getUpperBound()))
        iterations *= std::max<int64_t>(1, *bound);
    work += iterations;
  });
  return work;
}

bool mlir::raf::splitLoops(func::FuncOp kernel, StringRef &reason) {
  simplify(kernel);
  std::optional<Accesses> accesses = findAccesses(kernel, reason);
  if (!accesses || !llvm::all_of(kernel.getArgumentTypes(), llvm::IsaPred<MemRefType>))
    return false;
  // The outermost dimension that is long enough, or the longest.
  std::optional<Split> chosen;
  reason = "along no dimension of what it writes is each element read and written by iterations of its own";
  for (int64_t dim = 0; dim < accesses->type().getRank() && (!chosen || chosen->pieces() < kEnoughPieces); ++dim) {
    std::optional<Split> split = splitAlong(*accesses, dim);
    if (split && split->pieces() > (chosen ? chosen->pieces() : 1))
      chosen = split;
    else if (split)
      reason = "what it writes is too small";
  }
  if (!chosen)
    return false;

  Location loc = kernel.getLoc();
  int64_t work = workOf(kernel), tileWork = std::max<int64_t>(1, work / chosen->pieces());
  OpBuilder builder(kernel);
  builder.setInsertionPointAfter(kernel);
  SmallVector<Type> types(2, builder.getIndexType());
  llvm::append_range(types, kernel.getArgumentTypes());
  auto tiles = func::FuncOp::create(builder, loc, (kernel.getName() + "_tiles").str(), builder.getFunctionType(types, {}));
  tiles.setPrivate();
  tiles->setAttr("raf.tiles", builder.getUnitAttr());
  tiles.getBody().takeBody(kernel.getBody());
  Block &body = tiles.getBody().front(), *entry = kernel.addEntryBlock();
  Value begin = body.insertArgument(0u, builder.getIndexType(), loc), end = body.insertArgument(1u, builder.getIndexType(), loc);
  builder.setInsertionPointToStart(&body);
  if (chosen->step != 1) {
    auto position = [&](Value piece) { return arith::MulIOp::create(builder, loc, piece, arith::ConstantIndexOp::create(builder, loc, chosen->step)); };
    begin = position(begin);
    end = position(end);
  }
  if (chosen->size % chosen->step != 0)
    end = arith::MinUIOp::create(builder, loc, end, arith::ConstantIndexOp::create(builder, loc, chosen->size));
  for (Operation *op : chosen->loops) {
    auto loop = cast<scf::ForOp>(op);
    loop.setLowerBound(begin);
    loop.setUpperBound(end);
  }
  builder.setInsertionPointToStart(entry);
  auto parallel = ParallelForOp::create(builder, loc, FlatSymbolRefAttr::get(tiles.getNameAttr()), builder.getI64IntegerAttr(chosen->pieces()),
                                        builder.getI64IntegerAttr(std::max<int64_t>(1, kThreadWork / tileWork)), kernel.getArguments());
  parallel->setDiscardableAttr(kWorkAttr, builder.getI64IntegerAttr(tileWork));
  func::ReturnOp::create(builder, loc);
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    tiles.setArgAttr(2 + i, "llvm.noalias", builder.getUnitAttr());
  return true;
}
