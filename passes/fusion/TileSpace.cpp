// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/fusion/TileSpace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "passes/fusion/CostModel.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::LinalgOp;

int64_t TileSpace::extent() const {
  int64_t product = 1;
  for (int64_t size : sizes)
    product *= size;
  return product;
}

int64_t TileSpace::work() const {
  int64_t sum = 0;
  for (auto &entry : loops)
    sum += iterations(entry.first);
  return sum;
}

int64_t mlir::raf::iterations(LinalgOp op) {
  int64_t product = 1;
  for (int64_t size : op.getStaticLoopRanges())
    product *= size;
  return product;
}

bool mlir::raf::isContraction(LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return false;
  // Some input is reused along a parallel loop while another is not.
  int64_t reused = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    bool misses = false;
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
      if (type == utils::IteratorType::parallel && op.getStaticLoopRanges()[loop] > 1)
        misses |= !map.isFunctionOfDim(loop);
    reused += misses && map.getNumResults() > 1;
  }
  return reused >= 2;
}

bool mlir::raf::isSliceable(AffineExpr expr) {
  switch (expr.getKind()) {
  case AffineExprKind::Constant:
  case AffineExprKind::DimId:
    return true;
  case AffineExprKind::Add: {
    auto binary = cast<AffineBinaryOpExpr>(expr);
    return isSliceable(binary.getLHS()) && isSliceable(binary.getRHS());
  }
  case AffineExprKind::Mul: {
    auto binary = cast<AffineBinaryOpExpr>(expr);
    auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    return factor && factor.getValue() >= 0 && isSliceable(binary.getLHS());
  }
  default:
    return false;
  }
}

TileSpace mlir::raf::tileSpaceOf(LinalgOp op) {
  TileSpace space;
  SmallVector<int64_t> dims;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (type != utils::IteratorType::parallel)
      continue;
    bool eligible = llvm::all_of(op.getIndexingMapsArray(), [&, loop = loop](AffineMap map) {
      return llvm::all_of(map.getResults(), [&](AffineExpr expr) { return !expr.isFunctionOfDim(loop) || isSliceable(expr); });
    });
    if (!eligible)
      continue;
    dims.push_back(loop);
    space.sizes.push_back(ranges[loop]);
  }
  space.loops[op] = dims;
  return space;
}

namespace {
// Correspondence of the dimensions of two spaces: partner[ta] = tb, or -1 when a value shows that they differ.
class Correspondence {
public:
  Correspondence(const TileSpace &a, const TileSpace &b) : a(a), b(b), partner(a.rank(), kUnknown) {}

  // One value seen through a map of an op of each set. Where \p partial, it says nothing of a dimension along which the op of the first is given the same elements.
  void observe(LinalgOp opA, AffineMap mapA, LinalgOp opB, AffineMap mapB, bool partial = false) {
    seen = true;
    ArrayRef<int64_t> loopsA = a.loops.find(opA)->second, loopsB = b.loops.find(opB)->second;
    for (int64_t ta = 0; ta < a.rank(); ++ta) {
      if (partial && !mapA.isFunctionOfDim(loopsA[ta]))
        continue;
      int64_t match = kNone;
      for (auto [exprA, exprB] : llvm::zip(mapA.getResults(), mapB.getResults())) {
        auto dimA = dyn_cast<AffineDimExpr>(exprA), dimB = dyn_cast<AffineDimExpr>(exprB);
        // The same expression of the same loops, such as the part of a reduction and the place in it.
        if (!dimA && exprA == exprB && exprA.isFunctionOfDim(loopsA[ta]) && haveEqualSizes(exprA, opA, opB))
          for (int64_t tb = 0; tb < b.rank(); ++tb)
            if (loopsB[tb] == loopsA[ta] && a.sizes[ta] == b.sizes[tb])
              match = tb;
        if (!dimA || static_cast<int64_t>(dimA.getPosition()) != loopsA[ta])
          continue;
        // Read as anything but a plain index, the value's dimension is not cut alike on both sides.
        for (int64_t tb = 0; dimB && tb < b.rank(); ++tb)
          if (static_cast<int64_t>(dimB.getPosition()) == loopsB[tb] && a.sizes[ta] == b.sizes[tb])
            match = tb;
      }
      if (partner[ta] == kUnknown)
        partner[ta] = match;
      else if (partner[ta] != match)
        partner[ta] = kNone;
    }
  }

  // Whether the loops of the expression have as many iterations in both ops.
  static bool haveEqualSizes(AffineExpr expr, LinalgOp opA, LinalgOp opB) {
    SmallVector<int64_t> sizesA = opA.getStaticLoopRanges(), sizesB = opB.getStaticLoopRanges();
    for (size_t loop = 0; loop < sizesA.size(); ++loop)
      if (expr.isFunctionOfDim(loop) && (loop >= sizesB.size() || sizesA[loop] != sizesB[loop]))
        return false;
    return true;
  }

  bool any() const { return seen; }

  TileSpace result() const {
    TileSpace merged;
    SmallVector<std::pair<int64_t, int64_t>> pairs;
    for (int64_t ta = 0; ta < a.rank(); ++ta)
      if (partner[ta] >= 0 && llvm::none_of(pairs, [&](auto &pair) { return pair.second == partner[ta]; }))
        pairs.push_back({ta, partner[ta]});
    for (auto [ta, tb] : pairs)
      merged.sizes.push_back(a.sizes[ta]);
    for (auto &[op, loops] : a.loops)
      for (auto [ta, tb] : pairs)
        merged.loops[op].push_back(loops[ta]);
    for (auto &[op, loops] : b.loops)
      for (auto [ta, tb] : pairs)
        merged.loops[op].push_back(loops[tb]);
    // A 0-d space still lists its ops.
    for (auto *space : {&a, &b})
      for (auto &entry : space->loops)
        (void)merged.loops[entry.first];
    return merged;
  }

private:
  static constexpr int64_t kUnknown = -2, kNone = -1;
  const TileSpace &a, &b;
  SmallVector<int64_t> partner;
  bool seen = false;
};
} // namespace

// Every value that `from` makes and `to` reads: observed; false when it is read in a way that tiles cannot follow.
static bool observeEdges(const TileSpace &from, const TileSpace &to, Correspondence &correspondence, bool swapped, StringRef &reason) {
  for (auto &entry : to.loops) {
    LinalgOp consumer = entry.first;
    for (OpOperand &operand : consumer->getOpOperands()) {
      auto producer = operand.get().getDefiningOp<LinalgOp>();
      if (!producer || !from.loops.contains(producer))
        continue;
      AffineMap made = producer.getIndexingMapMatchingResult(cast<OpResult>(operand.get())), read = consumer.getMatchingIndexingMap(&operand);
      if (swapped)
        correspondence.observe(consumer, read, producer, made);
      else
        correspondence.observe(producer, made, consumer, read);
    }
    bool captured = false;
    consumer->walk([&](tensor::ExtractOp extract) {
      auto producer = extract.getTensor().getDefiningOp<LinalgOp>();
      captured |= producer && from.loops.contains(producer);
    });
    if (captured) {
      reason = "an element is read at a computed position";
      return false;
    }
  }
  return true;
}

// Whether the kernel writes it: what is read of it must be read by the tile that overwrites it.
static bool isDestination(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto func = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  return func && argument.getArgNumber() + func.getNumResults() >= func.getNumArguments();
}

FailureOr<TileSpace> mlir::raf::merge(const TileSpace &a, const TileSpace &b, bool strict, StringRef &reason) {
  Correspondence correspondence(a, b);
  if (!observeEdges(a, b, correspondence, /*swapped=*/false, reason) || !observeEdges(b, a, correspondence, /*swapped=*/true, reason))
    return failure();
  if (!correspondence.any()) {
    auto isSame = [](OpOperand *inputA, OpOperand *inputB) {
      auto type = dyn_cast<RankedTensorType>(inputA->get().getType());
      return inputA->get() == inputB->get() && type && type.getRank() > 0;
    };
    for (auto &entryA : a.loops)
      for (auto &entryB : b.loops) {
        LinalgOp opA = entryA.first, opB = entryB.first;
        for (OpOperand *inputA : opA.getDpsInputOperands())
          for (OpOperand *inputB : opB.getDpsInputOperands()) {
            if (!isSame(inputA, inputB) || !opA.payloadUsesValueFromOperand(inputA) || !opB.payloadUsesValueFromOperand(inputB))
              continue;
            bool partial = !strict && !isContraction(opA) && !isContraction(opB) && !isDestination(inputA->get());
            correspondence.observe(opA, opA.getMatchingIndexingMap(inputA), opB, opB.getMatchingIndexingMap(inputB), partial);
          }
      }
    if (!correspondence.any()) {
      reason = "no common value";
      return failure();
    }
    // Without a value to pass on, sharing is worth it only when neither side loses parallelism.
    TileSpace merged = correspondence.result();
    if (!strict)
      return merged;
    if (merged.rank() != a.rank() || merged.rank() != b.rank() || merged.rank() == 0) {
      reason = "common inputs are read in different orders";
      return failure();
    }
    return merged;
  }
  return correspondence.result();
}

bool mlir::raf::isTileable(func::FuncOp kernel) {
  return !kernel.isExternal() && llvm::any_of(kernel.getArgumentTypes(), llvm::IsaPred<RankedTensorType>) &&
         llvm::all_of(kernel.getBody().front().without_terminator(), llvm::IsaPred<LinalgOp, tensor::EmptyOp, arith::ConstantOp>);
}

SmallVector<SmallVector<LinalgOp>> mlir::raf::stagesOf(Block &block) {
  SmallVector<SmallVector<LinalgOp>> stages;
  int64_t current = -1;
  for (LinalgOp op : block.getOps<LinalgOp>()) {
    int64_t stage = std::max<int64_t>(0, current);
    if (auto attribute = op->getAttrOfType<IntegerAttr>(kStageAttr))
      stage = attribute.getInt();
    if (stage != current)
      stages.emplace_back();
    current = stage;
    stages.back().push_back(op);
  }
  return stages;
}

// Whether an op of one set reads what an op of the other makes.
static bool exchangeValues(const TileSpace &a, const TileSpace &b) {
  auto reads = [](const TileSpace &from, const TileSpace &to) {
    return llvm::any_of(to.loops, [&](auto &entry) {
      return llvm::any_of(entry.first->getOperands(), [&](Value operand) {
        auto producer = operand.getDefiningOp<LinalgOp>();
        return producer && from.loops.contains(producer);
      });
    });
  };
  return reads(a, b) || reads(b, a);
}

FailureOr<TileSpace> mlir::raf::tileSpaceOf(ArrayRef<LinalgOp> ops) {
  SmallVector<TileSpace> waiting;
  int64_t work = 0;
  for (LinalgOp op : ops) {
    waiting.push_back(tileSpaceOf(op));
    work += iterations(op);
  }
  if (waiting.empty())
    return failure();
  TileSpace space = waiting.front();
  waiting.erase(waiting.begin());
  // Join in any order that has a common value: an op may share values only with a later one. A value that is passed on says most; through inputs that both read,
  // dimensions can be lost that a later op would have shown to be common.
  auto join = [&](function_ref<bool(const TileSpace &)> wanted, bool strict) {
    size_t before = waiting.size();
    llvm::erase_if(waiting, [&](const TileSpace &next) {
      StringRef reason;
      FailureOr<TileSpace> merged = wanted(next) ? merge(space, next, strict, reason) : FailureOr<TileSpace>(failure());
      if (succeeded(merged))
        space = *merged;
      return succeeded(merged);
    });
    return waiting.size() != before;
  };
  auto any = [](const TileSpace &) { return true; };
  while (!waiting.empty()) {
    if (join([&](const TileSpace &next) { return exchangeValues(space, next); }, /*strict=*/false) || join(any, /*strict=*/true) || join(any, /*strict=*/false))
      continue;
    if (work > kSingleTileWork)
      return failure();
    space.sizes.clear();
    for (auto &entry : space.loops)
      entry.second.clear();
    for (LinalgOp op : ops)
      (void)space.loops[op];
    break;
  }
  return space;
}

bool mlir::raf::isInPlace(Value value) {
  if (!value.hasOneUse())
    return false;
  auto reader = dyn_cast<LinalgOp>(value.use_begin()->getOwner());
  return reader && reader.isDpsInit(&*value.use_begin());
}

int64_t mlir::raf::keptBytes(const TileSpace &space) {
  int64_t bytes = 0;
  for (auto &entry : space.loops)
    for (Value result : entry.first->getResults())
      if (!isInPlace(result) && llvm::none_of(result.getUsers(), [&](Operation *user) { return user == entry.first->getBlock()->getTerminator(); }))
        bytes += bytesOf(result) / std::max<int64_t>(1, space.extent());
  return bytes;
}
