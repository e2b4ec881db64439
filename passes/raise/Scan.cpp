// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums by halves, as jax.lax.associative_scan writes them: sums of neighbours are scanned, and their results interleaved with sums of those and what lies between.
// The expression is linear, and the same along every line; so it is a running sum if it is one of numbers.
#include "dialects/raf/TensorBuilder.h"
#include "passes/raise/Match.h"
#include "passes/raise/Passes.h"

#include <cmath>

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::raise;

static constexpr size_t kMaxOps = 512;
static constexpr int64_t kMaxLength = 1 << 14;

namespace {
/// What slices, pads, sums and concatenations make of a line of one tensor along an axis.
class Line {
public:
  explicit Line(int64_t axis) : axis(axis) {}

  /// Whether the value is made by such ops from one tensor, which is found.
  bool collect(Value value);
  Value getLeaf() const { return leaf; }
  /// The line of the value for numbers in place of the leaf's.
  SmallVector<double> evaluate(Value value, ArrayRef<double> numbers);

private:
  bool isAlongAxis(Operation *op) const;

  int64_t axis;
  Value leaf;
  SmallVector<Operation *> ops;
  llvm::SmallPtrSet<Operation *, 32> seen;
};
} // namespace

// Whether the op leaves all other dimensions as they are.
bool Line::isAlongAxis(Operation *op) const {
  auto others = [&](auto &&holds) {
    for (int64_t dim = 0; dim < typeOf(op->getResult(0)).getRank(); ++dim)
      if (dim != axis && !holds(dim))
        return false;
    return true;
  };
  if (auto slice = dyn_cast<SliceOp>(op))
    return others([&](int64_t dim) { return slice.getStarts()[dim] == 0 && slice.getStrides()[dim] == 1 && slice.getLimits()[dim] == typeOf(slice.getX()).getDimSize(dim); });
  if (auto pad = dyn_cast<PadOp>(op))
    return pad.getValue().isZero() && others([&](int64_t dim) { return pad.getLow()[dim] == 0 && pad.getHigh()[dim] == 0 && pad.getInterior()[dim] == 0; }) &&
           pad.getLow()[axis] >= 0 && pad.getHigh()[axis] >= 0;
  if (auto concat = dyn_cast<ConcatOp>(op))
    return static_cast<int64_t>(concat.getAxis()) == axis;
  if (auto cumsum = dyn_cast<CumsumOp>(op))
    return static_cast<int64_t>(cumsum.getAxis()) == axis && !cumsum.getExclusive() && !cumsum.getReverse();
  return isa<AddOp>(op);
}

bool Line::collect(Value value) {
  Operation *op = value.getDefiningOp();
  if (value == leaf || (op && seen.contains(op)))
    return true;
  if (!op || typeOf(value).getRank() <= axis || !isa<SliceOp, PadOp, ConcatOp, CumsumOp, AddOp>(op) || !isAlongAxis(op)) {
    if (leaf && leaf != value)
      return false;
    leaf = value;
    return true;
  }
  if (seen.size() >= kMaxOps)
    return false;
  seen.insert(op);
  for (Value operand : op->getOperands())
    if (!collect(operand))
      return false;
  ops.push_back(op);
  return true;
}

SmallVector<double> Line::evaluate(Value value, ArrayRef<double> numbers) {
  llvm::DenseMap<Value, SmallVector<double>> lines;
  lines[leaf] = SmallVector<double>(numbers);
  for (Operation *op : ops) {
    SmallVector<double> line;
    auto operand = [&](unsigned index) -> ArrayRef<double> { return lines.find(op->getOperand(index))->second; };
    if (auto slice = dyn_cast<SliceOp>(op)) {
      for (int64_t i = slice.getStarts()[axis]; i < slice.getLimits()[axis]; i += slice.getStrides()[axis])
        line.push_back(operand(0)[i]);
    } else if (auto pad = dyn_cast<PadOp>(op)) {
      line.resize(typeOf(pad.getY()).getDimSize(axis), 0.0);
      for (auto [i, number] : llvm::enumerate(operand(0)))
        line[pad.getLow()[axis] + i * (pad.getInterior()[axis] + 1)] = number;
    } else if (auto concat = dyn_cast<ConcatOp>(op)) {
      for (unsigned k = 0; k < op->getNumOperands(); ++k)
        llvm::append_range(line, operand(k));
    } else if (isa<CumsumOp>(op)) {
      double sum = 0.0;
      for (double number : operand(0))
        line.push_back(sum += number);
    } else {
      for (auto [a, b] : llvm::zip(operand(0), operand(1)))
        line.push_back(a + b);
    }
    lines[op->getResult(0)] = std::move(line);
  }
  return lines.find(value)->second;
}

namespace {
struct RaiseCumsum : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    // The two halves interleaved.
    auto even = op.getLhs().getDefiningOp<PadOp>(), odd = op.getRhs().getDefiningOp<PadOp>();
    int64_t axis = -1;
    for (int64_t dim = 0; even && odd && dim < op.getType().getRank(); ++dim)
      if (even.getInterior()[dim] == 1 && odd.getInterior()[dim] == 1)
        axis = dim;
    if (axis < 0 || op.getType().getDimSize(axis) > kMaxLength || op.getType().getDimSize(axis) < 2)
      return rewriter.notifyMatchFailure(op, "not two tensors interleaved");
    Line line(axis);
    if (!line.collect(op) || !line.getLeaf() || line.getLeaf().getType() != op.getType())
      return rewriter.notifyMatchFailure(op, "not made from one tensor along one dimension");
    // A linear function is known by what it does to numbers that have no relation.
    SmallVector<double> numbers;
    for (int64_t i = 0; i < op.getType().getDimSize(axis); ++i)
      numbers.push_back(std::sin(1.0 + 12.9898 * i) * (1.0 + std::cos(78.233 * i)));
    double sum = 0.0;
    for (auto [got, number] : llvm::zip_equal(line.evaluate(op, numbers), numbers)) {
      sum += number;
      if (!(std::fabs(got - sum) <= 1e-9))
        return rewriter.notifyMatchFailure(op, "not the running sum");
    }
    rewriter.replaceOpWithNewOp<CumsumOp>(op, op.getType(), line.getLeaf(), axis, /*exclusive=*/false, /*reverse=*/false);
    return success();
  }
};
} // namespace

void mlir::raf::populateRaiseScan(RewritePatternSet &patterns) { patterns.add<RaiseCumsum>(patterns.getContext()); }
