// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/graph/KernelCost.h"
#include "passes/memory/Step.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::raf;

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= ShapedType::isDynamic(size) ? 1 : size;
  return result;
}

// How often the op executes each of its regions.
static int64_t repetitions(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return product(linalgOp.getStaticLoopRanges());
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return 1;
  std::optional<SmallVector<OpFoldResult>> lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(), steps = loop.getLoopSteps();
  if (!lower || !upper || !steps)
    return 1;
  int64_t trips = 1;
  for (auto [from, to, step] : llvm::zip(*lower, *upper, *steps)) {
    std::optional<int64_t> first = getConstantIntValue(from), end = getConstantIntValue(to), stride = getConstantIntValue(step);
    if (first && end && stride && *stride > 0)
      trips *= std::max<int64_t>(0, llvm::divideCeil(*end - *first, *stride));
  }
  return trips;
}

static int64_t repetitionsWithin(Operation *op, Operation *root) {
  int64_t times = 1;
  for (Operation *parent = op->getParentOp(); parent && parent != root; parent = parent->getParentOp())
    times *= repetitions(parent);
  return times;
}

static int64_t scalarFlops(Operation &op) {
  auto isFloat = [](Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); };
  if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op.getDialect()) || op.hasTrait<OpTrait::ConstantLike>() || isa<CastOpInterface, arith::SelectOp>(op) ||
      llvm::none_of(op.getOperandTypes(), isFloat))
    return 0;
  auto shaped = dyn_cast<ShapedType>(op.getResult(0).getType());
  return (isa<math::FmaOp>(op) ? 2 : 1) * (shaped ? product(shaped.getShape()) : 1);
}

int64_t mlir::raf::countFlops(Operation *kernel) {
  int64_t sum = 0;
  kernel->walk([&](Operation *op) {
    if (int64_t flops = scalarFlops(*op))
      sum += flops * repetitionsWithin(op, kernel->getParentOp());
  });
  return sum;
}

bool mlir::raf::readsDestination(BlockArgument destination) {
  return llvm::any_of(destination.getUses(), [](OpOperand &use) {
    if (isa<tensor::DimOp>(use.getOwner()))
      return false;
    auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
    return !op || !op.isDpsInit(&use) || op.payloadUsesValueFromOperand(&use);
  });
}

// The elements of an argument that a use reads at most, as far as the op says so.
static int64_t elementsRead(OpOperand &use, func::FuncOp kernel) {
  Operation *op = use.getOwner();
  int64_t elements = std::numeric_limits<int64_t>::max();
  if (isa<tensor::ExtractOp>(op)) {
    elements = 1;
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    elements = product(slice.getType().getShape());
  } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    AffineMap map = linalgOp.getMatchingIndexingMap(&use);
    elements = 1;
    for (auto [dim, size] : llvm::enumerate(linalgOp.getStaticLoopRanges()))
      if (map.isFunctionOfDim(dim))
        elements = llvm::SaturatingMultiply<uint64_t>(elements, ShapedType::isDynamic(size) ? 1 : size);
  } else {
    return elements;
  }
  return std::min<uint64_t>(llvm::SaturatingMultiply<uint64_t>(elements, repetitionsWithin(op, kernel)), std::numeric_limits<int64_t>::max());
}

// A reader after the first finds what it reads in the caches.
static int64_t elementsRead(BlockArgument input, func::FuncOp kernel) {
  int64_t most = 0;
  for (OpOperand &use : input.getUses())
    most = std::max(most, elementsRead(use, kernel));
  return std::min(most, cast<ShapedType>(input.getType()).getNumElements());
}

int64_t mlir::raf::countBytes(func::FuncOp kernel, unsigned numInputs) {
  int64_t sum = 0;
  for (BlockArgument argument : kernel.getArguments()) {
    auto type = dyn_cast<ShapedType>(argument.getType());
    if (!type || !type.hasStaticShape())
      continue;
    sum += argument.getArgNumber() >= numInputs ? getBytes(type) * (readsDestination(argument) ? 2 : 1) : elementsRead(argument, kernel) * getElementBytes(type.getElementType());
  }
  return sum;
}
