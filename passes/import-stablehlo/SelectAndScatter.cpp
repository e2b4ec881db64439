// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// select_and_scatter: an element is chosen in each window of a tensor, and a source adds to it. The gradient of max pooling.
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Reduction.h"
#include "passes/import-stablehlo/Shape.h"
#include "passes/import-stablehlo/Window.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

static constexpr int64_t kMaxWindow = 1024;

// GE or LE when the select region compares its two arguments in order and so keeps the first of equal extrema; else empty.
static StringRef selectDirection(Region &region) {
  if (!region.hasOneBlock() || region.front().empty() || region.front().getNumArguments() != 2 || region.front().back().getNumOperands() != 1)
    return {};
  Block &block = region.front();
  Operation *compare = block.back().getOperand(0).getDefiningOp();
  if (!compare || compare->getName().getStringRef() != "stablehlo.compare" || compare->getNumOperands() != 2 || compare->getOperand(0) != block.getArgument(0) ||
      compare->getOperand(1) != block.getArgument(1))
    return {};
  StringRef direction = readEnum(*compare, "comparison_direction");
  return direction == "GE" || direction == "LE" ? direction : StringRef();
}

static Value poolGradient(TensorBuilder &b, Operation &op, Value x, Value source, const SlidingWindow &window) {
  StringRef direction = selectDirection(op.getRegion(0));
  std::optional<PoolView> view = viewAsPool(b, window, TensorBuilder::typeOf(x));
  if (direction.empty() || !view || !isFloat(x) || matchCombiner(op.getRegion(1), 0) != "add")
    return {};
  Value input = view->enter(b, direction == "LE" ? b.neg(x) : x), dy = view->enterResult(b, source);
  Value indices = b.create<MaxPoolOp>(input, view->kernel, view->strides, view->low, view->high, view->dilations, view->layout)->getResult(1);
  Value dx = b.create<MaxPoolGradOp>(input.getType(), dy, indices, view->kernel, view->strides, view->low, view->high, view->dilations, view->layout)->getResult(0);
  return view->leaveInput(b, dx);
}

namespace {
// The general form: for each position in the window, one after the other, the elements that all windows have there.
struct WindowScan {
  Importer &importer;
  Operation &op;
  TensorBuilder &b;
  const SlidingWindow &window;
  Value x, inside;
  SmallVector<int64_t> source, padded;

  WindowScan(Importer &importer, Operation &op, TensorBuilder &b, const SlidingWindow &window, Value value) : importer(importer), op(op), b(b), window(window) {
    SmallVector<int64_t> interior(window.sizes.size(), 0);
    x = b.pad(value, window.low, window.high, interior);
    Value ones = b.splat(TensorBuilder::typeOf(value).clone(b.getBuilder().getI1Type()), 1);
    inside = b.pad(ones, window.low, window.high, interior);
    source = window.resultShape;
    llvm::append_range(padded, TensorBuilder::typeOf(x).getShape());
  }

  SmallVector<int64_t> offset(int64_t position) const {
    SmallVector<int64_t> offsets(window.sizes.size());
    for (int64_t d = window.sizes.size() - 1; d >= 0; position /= window.sizes[d], --d)
      offsets[d] = position % window.sizes[d];
    return offsets;
  }
  // The elements at a position, one for each window.
  Value take(Value tensor, int64_t position) const {
    SmallVector<int64_t> starts = offset(position), limits;
    for (size_t d = 0; d < starts.size(); ++d)
      limits.push_back(starts[d] + (source[d] - 1) * window.strides[d] + 1);
    return b.slice(tensor, starts, limits, window.strides);
  }
  // The inverse: values at their positions in the padded tensor, zero elsewhere.
  Value place(Value values, int64_t position) const {
    SmallVector<int64_t> low = offset(position), high, interior;
    for (size_t d = 0; d < low.size(); ++d) {
      high.push_back(padded[d] - low[d] - (source[d] - 1) * window.strides[d] - 1);
      interior.push_back(window.strides[d] - 1);
    }
    return b.pad(values, low, high, interior);
  }
  FailureOr<Value> apply(unsigned region, Value lhs, Value rhs) {
    auto results = importer.applyPointwise(op, region, {{lhs, {}}, {rhs, {}}}, TensorBuilder::typeOf(lhs).getShape());
    if (failed(results))
      return failure();
    if (results->size() != 1 || !results->front())
      return op.emitOpError() << "region " << region << " must return one value of operators that are supported", failure();
    return results->front().real;
  }
  // The position that each window selects, and -1 where it has no element.
  FailureOr<Value> choose(int64_t count);
  FailureOr<Value> scatter(Value chosen, Value values, Value init, int64_t count);
};
} // namespace

FailureOr<Value> WindowScan::choose(int64_t count) {
  RankedTensorType indexType = RankedTensorType::get(source, b.getBuilder().getI32Type());
  Value chosen = b.splat(indexType, -1), best = take(x, 0);
  for (int64_t position = 0; position < count; ++position) {
    Value value = take(x, position), present = take(inside, position);
    FailureOr<Value> keeps = apply(0, best, value);
    if (failed(keeps))
      return failure();
    if (!isBool(*keeps))
      return op.emitOpError() << "region 0 must return an i1", failure();
    Value known = b.compare(CompareKind::ge, chosen, 0.0);
    Value replaces = b.fold<AndOp>(present, b.fold<NotOp>(b.fold<AndOp>(known, *keeps)));
    best = b.select(replaces, value, best);
    chosen = b.select(replaces, b.splat(indexType, static_cast<double>(position)), chosen);
  }
  return chosen;
}

FailureOr<Value> WindowScan::scatter(Value chosen, Value values, Value init, int64_t count) {
  StringRef combiner = matchCombiner(op.getRegion(1), 0);
  Value result = b.broadcast(init, TensorBuilder::typeOf(x), {}), zeros = b.splatLike(values, 0);
  for (int64_t position = 0; position < count; ++position) {
    Value here = b.compare(CompareKind::eq, chosen, static_cast<double>(position));
    Value placed = place(b.select(here, values, zeros), position);
    if (combiner == "add" && !isBool(values)) {
      result = b.add(result, placed);
      continue;
    }
    FailureOr<Value> combined = apply(1, result, placed);
    if (failed(combined))
      return failure();
    if (combined->getType() != result.getType())
      return op.emitOpError() << "region 1 must return a value of the element type of the operand", failure();
    result = b.select(place(here, position), *combined, result);
  }
  SmallVector<int64_t> low, high, interior(padded.size(), 0);
  for (size_t d = 0; d < padded.size(); ++d) {
    low.push_back(-window.low[d]);
    high.push_back(-window.high[d]);
  }
  return b.pad(result, low, high, interior);
}

static LogicalResult selectAndScatter(Importer &importer, Operation &op, TensorBuilder &b) {
  Value x = importer.operand(op, 0), source = importer.operand(op, 1), init = importer.operand(op, 2);
  RankedTensorType type = TensorBuilder::typeOf(x);
  auto window = SlidingWindow::read(op, type.getShape());
  if (failed(window))
    return failure();
  if (TensorBuilder::typeOf(source).getShape() != ArrayRef(window->resultShape) || TensorBuilder::typeOf(init).getRank() != 0 ||
      getElementTypeOrSelf(source.getType()) != type.getElementType() || getElementTypeOrSelf(init.getType()) != type.getElementType())
    return op.emitOpError() << "needs a source with one element for each window and an initial scalar, all of one element type, got " << op.getOperandTypes();
  auto isPlain = [](ArrayRef<int64_t> list) { return llvm::all_of(list, [](int64_t value) { return value == 1; }); };
  if (!isPlain(window->spread) || !isPlain(window->dilations))
    return op.emitOpError() << "has no dilations";
  if (type.getNumElements() == 0 || llvm::is_contained(window->resultShape, 0))
    return importer.setResult(op, b.broadcast(init, type, {})), success();
  Value initial = b.broadcast(init, type, {});
  if (Value dx = poolGradient(b, op, x, source, *window))
    return importer.setResult(op, isConstantSplat(init, 0.0) ? dx : b.add(initial, dx)), success();
  int64_t count = 1;
  for (int64_t size : window->sizes)
    if (count *= size; count > kMaxWindow)
      return importer.unsupported(op, "window of more than 1024 elements");
  WindowScan scan(importer, op, b, *window, x);
  FailureOr<Value> chosen = scan.choose(count);
  FailureOr<Value> result = failed(chosen) ? FailureOr<Value>(failure()) : scan.scatter(*chosen, source, init, count);
  if (failed(result))
    return failure();
  importer.setResult(op, *result);
  return success();
}

void mlir::raf::stablehlo::addSelectAndScatterHandler(HandlerTable &table) { table.add("stablehlo.select_and_scatter", {selectAndScatter, 3, 1, 2}); }
