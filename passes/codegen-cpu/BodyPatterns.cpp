// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/BodyPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "passes/decompose/Random.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

std::optional<Draw> mlir::raf::drawOf(GenericOp op) {
  Draw draw;
  for (Operation &inner : op.getBody()->without_terminator()) {
    auto mark = inner.getAttrOfType<StringAttr>(kRandomAttr);
    if (!mark)
      continue;
    Operation *&part = mark == "element" ? draw.element : mark == "counter" ? draw.counter : draw.word;
    if (part)
      return std::nullopt;
    part = &inner;
  }
  if (!draw.element || !draw.counter || !draw.word)
    return std::nullopt;
  return draw;
}

std::optional<int64_t> mlir::raf::growthOf(Value value, int64_t loop, GenericOp op) {
  if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == op.getBody()) {
    // A number of a whole tensor stays the same.
    if (argument.getArgNumber() < op.getNumDpsInputs() && op.getIndexingMapsArray()[argument.getArgNumber()].getNumResults() == 0)
      return 0;
    return std::nullopt;
  }
  Operation *inner = value.getDefiningOp();
  if (!inner || inner->getBlock() != op.getBody() || inner->hasTrait<OpTrait::ConstantLike>())
    return 0;
  if (auto index = dyn_cast<linalg::IndexOp>(inner))
    return static_cast<int64_t>(index.getDim()) == loop;
  if (isa<arith::IndexCastOp>(inner))
    return growthOf(inner->getOperand(0), loop, op);
  if (!isa<arith::AddIOp, arith::MulIOp>(inner))
    return std::nullopt;
  std::optional<int64_t> lhs = growthOf(inner->getOperand(0), loop, op), rhs = growthOf(inner->getOperand(1), loop, op);
  if (!lhs || !rhs)
    return std::nullopt;
  if (isa<arith::AddIOp>(inner))
    return *lhs + *rhs;
  APInt factor;
  if (matchPattern(inner->getOperand(1), m_ConstantInt(&factor)))
    return *lhs * factor.getSExtValue();
  return *lhs == 0 && *rhs == 0 ? std::optional<int64_t>(0) : std::nullopt;
}

// Whether the value of the body changes with the loop.
static bool changesWith(Value value, int64_t loop, GenericOp op) {
  if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == op.getBody())
    return argument.getArgNumber() >= op.getNumDpsInputs() || op.getIndexingMapsArray()[argument.getArgNumber()].isFunctionOfDim(loop);
  Operation *inner = value.getDefiningOp();
  if (!inner || inner->getBlock() != op.getBody())
    return false;
  if (auto index = dyn_cast<linalg::IndexOp>(inner))
    return static_cast<int64_t>(index.getDim()) == loop;
  return inner->getNumRegions() > 0 || !isPure(inner) || llvm::any_of(inner->getOperands(), [&](Value operand) { return changesWith(operand, loop, op); });
}

Value mlir::raf::onlyIteration(GenericOp op, int64_t loop) {
  Value wanted;
  for (auto [number, result] : llvm::enumerate(op.getBody()->getTerminator()->getOperands())) {
    auto sum = result.getDefiningOp<arith::AddFOp>();
    BlockArgument y = op.getBody()->getArgument(op.getNumDpsInputs() + number);
    Value added = !sum ? Value() : sum.getLhs() == y ? sum.getRhs() : sum.getRhs() == y ? sum.getLhs() : Value();
    auto select = added ? added.getDefiningOp<arith::SelectOp>() : nullptr;
    auto compare = select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq || !matchPattern(select.getFalseValue(), m_AnyZeroFloat()))
      return Value();
    Value lhs = compare.getLhs(), rhs = compare.getRhs();
    if (changesWith(rhs, loop, op))
      std::swap(lhs, rhs);
    auto cast = lhs.getDefiningOp<arith::IndexCastOp>();
    auto index = cast ? cast.getIn().getDefiningOp<linalg::IndexOp>() : nullptr;
    // An index that its type does not hold would equal another one.
    if (!index || static_cast<int64_t>(index.getDim()) != loop || changesWith(rhs, loop, op) || (wanted && wanted != rhs) ||
        !llvm::isIntN(cast.getType().getIntOrFloatBitWidth(), op.getStaticLoopRanges()[loop]))
      return Value();
    wanted = rhs;
  }
  return wanted;
}
