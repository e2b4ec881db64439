// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/raise/Evaluate.h"
#include "mlir/IR/Matchers.h"
#include "passes/raise/Match.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::raise;

// More than any activation or its gradient has.
static constexpr size_t kMaxOps = 160;

static bool isPointwise(Operation *op) {
  return isa_and_nonnull<AddOp, SubOp, MulOp, DivOp, NegOp, AbsOp, ExpOp, LogOp, SqrtOp, RsqrtOp, TanhOp, ErfOp, SigmoidOp, PowOp, MaximumOp, MinimumOp, CompareOp, SelectOp,
                         BitcastOp, AndOp>(op);
}

static std::optional<double> numberOf(Value value) {
  if (std::optional<double> number = splatOf(value))
    return number;
  while (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getX();
  DenseIntElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)) && constant.isSplat())
    return constant.getSplatValue<APInt>().getZExtValue();
  return std::nullopt;
}

// Whether the op multiplies by a constant, which can as well be seen as done later.
static bool isScaling(Operation *op) {
  if (isa<NegOp>(op))
    return true;
  return isa<MulOp, DivOp>(op) && (numberOf(op->getOperand(1)) || (isa<MulOp>(op) && numberOf(op->getOperand(0))));
}

bool PointwiseFunction::collect(Value value) {
  Operation *op = value.getDefiningOp();
  if (value == variable || value == other || numberOf(value) || seen.contains(op))
    return true;
  // What does not depend on the variable is one value, whatever it was computed from.
  auto reaches = [&](Value from) {
    SmallVector<Value> stack = {from};
    llvm::SmallPtrSet<Operation *, 16> visited;
    while (!stack.empty()) {
      Value next = stack.pop_back_val();
      if (next == variable)
        return true;
      Operation *inner = next.getDefiningOp();
      if (!isPointwise(inner) || visited.size() > kMaxOps || !visited.insert(inner).second)
        continue;
      llvm::append_range(stack, inner->getOperands());
    }
    return false;
  };
  bool varies = isPointwise(op) && (dependent.contains(op) || reaches(value));
  if (!varies && !(op && isScaling(op))) {
    if (other && other != value)
      return false;
    other = value;
    return true;
  }
  if (!isPointwise(op) || ops.size() >= kMaxOps)
    return false;
  seen.insert(op);
  if (varies)
    dependent.insert(op);
  for (Value operand : op->getOperands())
    if (!collect(operand))
      return false;
  ops.push_back(op);
  return true;
}

std::optional<PointwiseFunction> PointwiseFunction::of(Value value, Value variable) {
  PointwiseFunction function;
  function.result = value;
  function.variable = variable;
  if (value == variable || !function.collect(value) || !function.depends(value))
    return std::nullopt;
  return function;
}

// f32 only: the bits of other types are not taken apart by what is recognized.
static double bitcast(BitcastOp op, double x) {
  if (op.getType().getElementType().isInteger(32) && typeOf(op.getX()).getElementType().isF32())
    return llvm::bit_cast<uint32_t>(static_cast<float>(x));
  if (op.getType().getElementType().isF32() && typeOf(op.getX()).getElementType().isInteger(32) && x >= 0.0 && x < 0x1p32)
    return llvm::bit_cast<float>(static_cast<uint32_t>(x));
  return op.getType() == op.getX().getType() ? x : std::nan("");
}

static double compare(CompareKind kind, double x, double y) {
  switch (kind) {
  case CompareKind::eq:
    return x == y;
  case CompareKind::ne:
    return x != y;
  case CompareKind::lt:
    return x < y;
  case CompareKind::le:
    return x <= y;
  case CompareKind::gt:
    return x > y;
  case CompareKind::ge:
    return x >= y;
  default:
    return std::nan("");
  }
}

static double evaluate(Operation *op, ArrayRef<double> x) {
  return llvm::TypeSwitch<Operation *, double>(op)
      .Case<AddOp>([&](auto) { return x[0] + x[1]; })
      .Case<SubOp>([&](auto) { return x[0] - x[1]; })
      .Case<MulOp>([&](auto) { return x[0] * x[1]; })
      .Case<DivOp>([&](auto) { return x[0] / x[1]; })
      .Case<NegOp>([&](auto) { return -x[0]; })
      .Case<AbsOp>([&](auto) { return std::fabs(x[0]); })
      .Case<ExpOp>([&](auto) { return std::exp(x[0]); })
      .Case<LogOp>([&](auto) { return std::log(x[0]); })
      .Case<SqrtOp>([&](auto) { return std::sqrt(x[0]); })
      .Case<RsqrtOp>([&](auto) { return 1.0 / std::sqrt(x[0]); })
      .Case<TanhOp>([&](auto) { return std::tanh(x[0]); })
      .Case<ErfOp>([&](auto) { return std::erf(x[0]); })
      .Case<SigmoidOp>([&](auto) { return 1.0 / (1.0 + std::exp(-x[0])); })
      .Case<PowOp>([&](auto) { return std::pow(x[0], x[1]); })
      .Case<MaximumOp>([&](auto) { return std::fmax(x[0], x[1]); })
      .Case<MinimumOp>([&](auto) { return std::fmin(x[0], x[1]); })
      .Case<CompareOp>([&](CompareOp op) { return compare(op.getKind(), x[0], x[1]); })
      .Case<SelectOp>([&](auto) { return x[0] != 0.0 ? x[1] : x[2]; })
      .Case<BitcastOp>([&](BitcastOp op) { return bitcast(op, x[0]); })
      .Case<AndOp>([&](auto) { return static_cast<double>(static_cast<uint64_t>(x[0]) & static_cast<uint64_t>(x[1])); })
      .Default([](Operation *) { return std::nan(""); });
}

double PointwiseFunction::operator()(double at, double otherAt) const {
  llvm::DenseMap<Value, double> values = {{variable, at}};
  if (other)
    values[other] = otherAt;
  for (Operation *op : ops) {
    SmallVector<double> operands;
    for (Value operand : op->getOperands()) {
      auto known = values.find(operand);
      operands.push_back(known != values.end() ? known->second : *numberOf(operand));
    }
    if (isa<AndOp>(op) && llvm::any_of(operands, [](double x) { return !(x >= 0.0 && x < 0x1p32); }))
      return std::nan("");
    values[op->getResult(0)] = evaluate(op, operands);
  }
  return values.lookup(result);
}

bool PointwiseFunction::equals(function_ref<double(double)> expected, double otherAt) const {
  for (double x = -8.0; x <= 8.0; x += 0.3125) {
    double got = (*this)(x, otherAt), wanted = expected(x);
    if (!(std::fabs(got - wanted) <= 4e-6 * std::max(1.0, std::fabs(wanted))))
      return false;
  }
  return true;
}
