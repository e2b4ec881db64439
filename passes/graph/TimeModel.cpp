// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/graph/TimeModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::raf;

// A vector of either takes a core about as long as so many multiplications of it.
static constexpr int64_t kDivision = 8, kFunction = 16;

double Machine::getArithmeticTime(double flops, Type element) const {
  double bits = isa<FloatType>(element) ? element.getIntOrFloatBitWidth() : 32;
  return flops / flopsPerNs * bits / 32;
}

int64_t mlir::raf::getScalarWork(Operation &op) {
  if (isa<math::MathDialect>(op.getDialect()))
    return kFunction;
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, arith::RemSIOp, arith::RemUIOp>(op))
    return kDivision;
  return isa<arith::ConstantOp, arith::ExtFOp, arith::TruncFOp>(op) ? 0 : 1;
}

// Products of bf16 are computed and summed by units for it. All other 16-bit floats become f32 before anything is computed with them.
static Type getArithmeticType(linalg::LinalgOp op) {
  auto isBF16 = [](OpOperand *operand) { return getElementTypeOrSelf(operand->get()).isBF16(); };
  if (op.getNumReductionLoops() > 0 && op.getNumDpsInputs() > 1 && llvm::all_of(op.getDpsInputOperands(), isBF16))
    return BFloat16Type::get(op.getContext());
  bool isWide = llvm::any_of(op->getOperandTypes(), [](Type type) { return getElementTypeOrSelf(type).isF64(); });
  return isWide ? Type(Float64Type::get(op.getContext())) : Type(Float32Type::get(op.getContext()));
}

double mlir::raf::getArithmeticTime(linalg::LinalgOp op, const Machine &machine) {
  double work = 0;
  for (Operation &inner : op.getBlock()->without_terminator())
    work += getScalarWork(inner);
  for (int64_t range : op.getStaticLoopRanges())
    work *= ShapedType::isDynamic(range) ? 1 : range;
  return machine.getArithmeticTime(work, getArithmeticType(op));
}
