// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/fusion/CostModel.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/fusion/TileSpace.h"
#include "passes/graph/TimeModel.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

// A store and a load of a value that another kernel reads cost a core more than this many multiplications: it moves 10 to 20 bytes a nanosecond and multiplies 50 to 100 floats.
static constexpr int64_t kStoreAndLoad = 4;

int64_t mlir::raf::bytesOf(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.getNumElements() * std::max(1u, type.getElementTypeBitWidth() / 8);
}

std::optional<int64_t> mlir::raf::scalarWork(GenericOp op) {
  int64_t work = 0;
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (isa<tensor::ExtractOp>(inner) || inner.getNumRegions() > 0)
      return std::nullopt;
    work += getScalarWork(inner);
  }
  return work;
}

bool mlir::raf::isCheap(Operation *op) {
  auto generic = dyn_cast<GenericOp>(op);
  std::optional<int64_t> work = generic ? scalarWork(generic) : std::nullopt;
  return work && *work <= kStoreAndLoad / 2;
}

bool mlir::raf::isSmallBeside(Value operand, Value result) {
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  return !type || type.getNumElements() * 8 <= cast<RankedTensorType>(result.getType()).getNumElements();
}

static bool isPointwise(GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumResults() != 1 || !op.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>())
    return false;
  return op.getNumReductionLoops() == 0 && op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) && op.getBody()->getOps<linalg::IndexOp>().empty();
}

namespace {
// The large tensors that a value is computed from by cheap functions, those, and their work.
struct Search {
  Value result;
  llvm::SmallSetVector<Value, 2> leaves;
  llvm::SmallSetVector<Operation *, 4> ops;
  int64_t work = 0;

  // False when it is more than is worth it.
  bool add(GenericOp op) {
    if (ops.contains(op))
      return true;
    work += *scalarWork(op);
    for (OpOperand *operand : op.getDpsInputOperands()) {
      Value value = operand->get();
      if (isSmallBeside(value, result))
        continue;
      if (!op.getMatchingIndexingMap(operand).isIdentity())
        return false; // read in another order than it lies
      auto producer = value.getDefiningOp<GenericOp>();
      if (producer && producer->getBlock() == op->getBlock() && isPointwise(producer) && scalarWork(producer).value_or(kStoreAndLoad + 1) + work <= kStoreAndLoad) {
        if (!add(producer))
          return false;
      } else {
        leaves.insert(value);
      }
    }
    ops.insert(op);
    return work <= kStoreAndLoad && leaves.size() <= 1;
  }
};
} // namespace

std::optional<Recomputation> mlir::raf::recomputationOf(GenericOp op) {
  if (op->use_empty() || !isPointwise(op) || !scalarWork(op) || iterations(op) <= kSingleTileWork / 8)
    return std::nullopt;
  for (Operation *user : op->getUsers()) {
    auto reader = dyn_cast<GenericOp>(user);
    if (!reader || reader->getBlock() != op->getBlock() || isContraction(reader))
      return std::nullopt;
  }
  Search search;
  search.result = op.getResult(0);
  if (!search.add(op))
    return std::nullopt;
  Value from = search.leaves.empty() ? Value() : search.leaves.front();
  if (from && bytesOf(from) > bytesOf(op.getResult(0)))
    return std::nullopt;
  Recomputation result{from, {}};
  for (Operation *part : search.ops)
    result.ops.push_back(cast<GenericOp>(part));
  return result;
}
